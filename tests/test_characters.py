from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.characters import has_surrogates, is_punctuation, replace_surrogates


@given(st.text(st.characters(exclude_categories=[])))
def test_replaced_text_is_valid_unicode(text):
    replaced = replace_surrogates(text)
    replaced.encode("utf-8")
    assert len(replaced) == len(text)
    assert (replaced == text) is not has_surrogates(text)


@pytest.mark.parametrize(
    ("word", "is_one"), [(".", True), ("。", True), ("--", True), ("a.", False), ("$", False)]
)
def test_punctuation(word, is_one):
    assert is_punctuation(word) is is_one
