from __future__ import annotations

import pytest

from nccp.errors import InputError
from nccp.languages import LANGUAGES, find_language, known_language


@pytest.mark.parametrize("code", ["zh", "ZH", "zh-TW", "zh_Hant_TW"])
def test_regions_do_not_matter(code):
    assert find_language(code) is LANGUAGES["zh"]


def test_an_unknown_language():
    assert known_language("tlh") is None
    with pytest.raises(InputError, match=r"language 'tlh' \(known: en, ja, zh, id, is.*--input tokens"):
        find_language("tlh")


def test_running_text():
    assert LANGUAGES["en"].join(["a", "b"]) == "a b"
    assert LANGUAGES["ja"].join(["行", "く"]) == "行く"


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_what_a_page_needs(language):
    about = language.to_dict()
    assert about["code"] == language.code
    assert about["scripts"]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_determiners_and_conjunctions_have_a_meaning(language):
    names = language.determiners | language.conjunctions
    assert names
    assert all(name in language.labels or name in language.tags for name in names)
