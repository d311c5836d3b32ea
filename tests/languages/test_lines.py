from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nccp.errors import InputError
from nccp.languages import lines, split_lines

texts = st.text(st.sampled_from("ab \t\r\n\xa0東𝄞"), max_size=60)


def pieces(text: str, *, size: int = 7, **options: object) -> list[lines.LinePiece]:
    blocks = (text[start : start + size] for start in range(0, len(text), size))
    return list(split_lines(blocks, **{"source": "file", "whole_words": False, "longest": 5, **options}))


@given(texts, st.integers(1, 9), st.booleans())
def test_nothing_is_lost_and_blocks_make_no_difference(text, size, whole_words):
    found = pieces(text, size=size, whole_words=whole_words)
    assert found == pieces(text, size=100, whole_words=whole_words)
    ends = ["\n" if piece.last else "" for piece in found]
    assert "".join(piece.text + end for piece, end in zip(found, ends)).removesuffix(
        "\n"
    ) == text.removesuffix("\n")
    assert [piece.number for piece in found if piece.last] == list(
        range(1, len(text.split("\n")) + (text[-1:] not in ("\n", "")))
    )
    for piece in found:
        assert text.split("\n")[piece.number - 1][piece.start :].startswith(piece.text)
        if whole_words:
            words = text.split("\n")[piece.number - 1]
            end = piece.start + len(piece.text)
            assert piece.last or words[end - 1] in " \t\r"
        else:
            assert len(piece.text) <= 5


@given(texts, st.booleans())
@example("aaaaa ", True)
def test_starting_at_a_piece_gives_the_same_from_there_on(text, whole_words):
    found = pieces(text, whole_words=whole_words)
    place = 0
    for number, piece in enumerate(found):
        rest = pieces(text[place:], whole_words=whole_words)
        assert [(one.text, one.last) for one in rest] == [(one.text, one.last) for one in found[number:]]
        place += len(piece.text) + piece.last


def test_long_lines_are_cut_after_a_blank():
    assert [piece.text for piece in pieces("ab cd ef\ngh")] == ["ab ", "cd ef", "gh"]
    assert [piece.text for piece in pieces("abcdefgh ij")] == ["abcde", "fgh ", "ij"]
    assert [piece.text for piece in pieces("abcdefgh ij", whole_words=True)] == ["abcdefgh ", "ij"]


def test_a_word_that_is_too_long(monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_WORD", 12)
    assert [piece.text for piece in pieces("\n" + "a" * 12, whole_words=True)] == ["", "a" * 12]
    with pytest.raises(InputError, match="file: line 2: a word of more than 12 characters, the limit"):
        pieces("\n" + "a" * 13, whole_words=True)
    assert [piece.text for piece in pieces("a" * 12 + " ", size=13, whole_words=True)] == ["a" * 12 + " "]
    assert [len(piece.text) for piece in pieces("a" * 13)] == [5, 5, 3]
