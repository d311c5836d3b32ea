import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from nccp.inputs import plain_word
from nccp.inputs.encoder.subwords import PART, WINDOW, Pieces, Subwords, SubwordSpec, fast_encode

CLS, SEP, PAD, UNK, BLANK = 1, 2, 0, 3, 4


def letters(text: str) -> list[int]:
    """A tokenizer with a piece for each letter, and nothing for a zero-width space."""
    return [BLANK if letter == "▁" else ord(letter) for letter in text if letter != "\u200b"]


def cutter(limit: int = 12, **changes: object) -> Subwords:
    spec = {"before": (CLS,), "after": (SEP,), "pad": PAD, "unknown": UNK, "space": "", "limit": limit}
    return Subwords(letters, SubwordSpec(**{**spec, **changes}))


def rows(pieces: Pieces) -> list[list[int]]:
    """The windows, padding taken off."""
    found, start = [], 0
    for count, width in pieces.groups.tolist():
        for row in range(count):
            place = slice(start + row * width, start + (row + 1) * width)
            size = int(pieces.mask[place].sum())
            assert pieces.mask[place].tolist() == [1] * size + [0] * (width - size)
            assert (pieces.ids[place][size:] == PAD).all()
            found.append(pieces.ids[place][:size].tolist())
        start += count * width
    assert start == len(pieces.ids)
    return found


def word_pieces(pieces: Pieces) -> list[list[int]]:
    return [pieces.ids[a:b].tolist() for a, b in zip(pieces.starts, pieces.stops)]


def test_sentences_between_marks_and_words_found_again():
    pieces = cutter().batch([["ab", "c"], [], ["def"]])
    assert sorted(rows(pieces)) == [[CLS, *letters("abc"), SEP], [CLS, *letters("def"), SEP]]
    assert word_pieces(pieces) == [letters("ab"), letters("c"), letters("def")]
    assert pieces.types is None
    places, offsets = pieces.places()
    assert pieces.ids[places].tolist() == letters("abcdef")
    assert offsets.tolist() == [0, 2, 3]


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_nothing_gives_nothing(sentences):
    pieces = cutter().batch(sentences)
    assert len(pieces.ids) == len(pieces.starts) == 0
    assert pieces.groups.shape == (0, 2)


def test_a_word_of_no_pieces_is_unknown():
    assert word_pieces(cutter().batch([["\u200b", "a", ""]])) == [[UNK], letters("a"), [UNK]]


def test_no_word_is_a_mark():
    pieces = cutter().batch([[chr(CLS), f"a{chr(SEP)}", chr(PAD)]])
    assert word_pieces(pieces) == [[UNK], [ord("a"), UNK], [UNK]]


def test_a_tokenizer_that_would_cut_off_and_pad():
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "[SEP]": 1, "?": 2}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[SEP]"])
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=9)
    encode = fast_encode(tokenizer)
    assert encode("a a a a") == [0, 0, 0, 0]
    assert encode("[SEP]") == [2, 2, 2]


def test_a_lone_space_is_not_a_words_first_piece():
    pieces = cutter(blanks=(BLANK,)).batch([["▁a", "▁"]])
    assert word_pieces(pieces) == [letters("a"), [BLANK]]
    assert rows(pieces) == [[CLS, BLANK, *letters("a"), BLANK, SEP]]


def test_the_space_before_a_word():
    assert word_pieces(cutter(space=" ").batch([["a", "b"]])) == [letters(" a"), letters(" b")]


def test_segments_at_the_end():
    pieces = cutter(before=(), after=(SEP, CLS), after_types=(0, 2)).batch([["ab"], ["abc"]])
    assert pieces.types is not None
    assert rows(pieces) == [[*letters("abc"), SEP, CLS], [*letters("ab"), SEP, CLS]]
    assert (pieces.types == np.where(pieces.ids == CLS, 2, 0)).all()


def test_a_word_too_long_keeps_both_ends():
    assert cutter(limit=12).pieces("abcdefgh") == (*letters("abc"), *letters("gh"))


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("-LRB-", "("),
        ("-RCB-", "}"),
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("``", '"'),
        ("''", '"'),
        ("`", "'"),
        ("'s", "'s"),
        ("", ""),
    ],
)
def test_plain_words(word, plain):
    assert plain_word(word) == plain


def test_groups_hold_similar_lengths_and_bounded_sizes():
    sentences = [["a"] * n for n in (2, 40, 41, 3, 2, 42)]
    batch = cutter(limit=64).batch(sentences, waste=1.2)
    assert batch.groups.tolist() == [[3, 44], [1, 5], [2, 4]]
    batch = cutter(limit=64).batch(sentences, waste=1.2, most=100)
    assert batch.groups.tolist() == [[2, 44], [1, 42], [1, 5], [2, 4]]
    batch = cutter(limit=64).batch(sentences, waste=100)
    assert batch.groups.tolist() == [[6, 44]]


@given(
    st.lists(st.lists(st.integers(1, 12), max_size=40), max_size=4),
    st.integers(6, 20),
)
def test_long_sentences_lie_in_windows(sizes, limit):
    """Each word is read whole, from the window where its nearer edge is farthest, by a slow search."""
    subwords = cutter(limit)
    alphabet = iter(range(100, 10_000))  # each word its own letter, so that windows can be searched
    sentences = [[chr(next(alphabet)) * size for size in sentence] for sentence in sizes]
    pieces = subwords.batch(sentences)
    windows = rows(pieces)
    assert all(row[0] == CLS and row[-1] == SEP and len(row) <= limit for row in windows)
    assert word_pieces(pieces) == [list(subwords.pieces(w)) for words in sentences for w in words]
    word = 0
    bases, start = [], 0
    for count, width in pieces.groups.tolist():
        bases += [start + row * width for row in range(count)]
        start += count * width
    for sentence in sentences:
        whole = [piece for w in sentence for piece in subwords.pieces(w)]
        own = [row for row in windows if row[1] in whole]
        assert {piece for row in own for piece in row[1:-1]} == set(whole)
        assert len(whole) > limit - 2 or len(own) == (1 if sentence else 0)
        for text in sentence:
            first = subwords.pieces(text)[0]
            contexts = {}
            for row, base in zip(windows, bases):
                inner = row[1:-1]
                if first not in inner:
                    continue
                assert inner.count(first) == whole.count(first)  # words are not cut in two
                left = inner.index(first) if inner[0] != whole[0] else 1000
                right = inner[::-1].index(first)
                contexts[base] = min(left, right if inner[-1] != whole[-1] else 1000)
            owner = max(base for base in bases if base <= pieces.starts[word])
            assert contexts[owner] == max(contexts.values())
            word += 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (62, [(0, 61)]),
        (63, [(0, 56), (6, 62)]),
        (90, [(0, 56), (33, 89)]),
        (150, [(0, 57), (52, 109), (92, 149)]),
    ],
)
def test_windows_of_a_long_sentence_are_of_one_length_and_overlap(words, expected):
    windows = rows(cutter(limit=64).batch([[chr(1000 + i) for i in range(words)]]))
    assert sorted((row[1] - 1000, row[-2] - 1000) for row in windows) == expected


def test_windows_are_short_even_if_the_encoder_reads_more():
    for limit in (WINDOW, 4 * WINDOW):
        whole, parts = (cutter(limit=limit).batch([["a"] * (WINDOW - 2 + more)]) for more in (0, 1000))
        assert list(map(len, rows(whole))) == [WINDOW]
        assert all(PART - 8 < len(window) <= PART for window in rows(parts))


def test_what_an_encoder_expects_fits_into_a_bundle():
    spec = cutter(after_types=(2,), blanks=(BLANK,)).spec
    assert msgspec.json.decode(msgspec.json.encode(spec), type=SubwordSpec) == spec


def test_many_words_are_forgotten(monkeypatch):
    monkeypatch.setattr("nccp.inputs.encoder.subwords._MANY", 10)  # a word and its one piece count as four
    subwords = cutter()
    for word in "abcdefg":
        assert subwords.pieces(word) == tuple(letters(word))
    assert 0 < len(subwords._known) <= 3
    long = "ab" * 100
    assert subwords.pieces(long) == cutter().pieces(long)
    assert long not in subwords._known
