import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import InputError
from nccp.languages import LANGUAGES
from nccp.languages.cjk_ends import find_cjk_end
from nccp.languages.language import EndFinder
from nccp.languages.sentences import LONGEST, _sentences, find_sentences, split_text

FINDERS = [LANGUAGES["en"].find_end, LANGUAGES["is"].find_end, find_cjk_end]

texts = st.text(st.sampled_from("aB. !?。「」（”\"'\n\u3000…1Mr"), max_size=80) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=60
)


def english(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in split_text(text)]


def cjk(text: str) -> list[str]:
    return [sentence for sentence, _ in _sentences(text, find_cjk_end)]


@pytest.mark.parametrize(
    "expected",
    [
        [],
        ["One."],
        ["No mark at all"],
        ["One.", "Two!", "Three?!", "Four…", "Five..."],
        ["Mr. Smith met J. K. Rowling and Dr. No on Jan. 5.", "He left."],
        ["He left the U.S. on Monday at 5 p.m. with U.S. Steel.", "He is in the U.S.", "The end."],
        ["It is by Apple Inc. and Loews Corp.", "The stock fell."],
        ["See Fig. 2 and No. 5, vol. AB12.", "I say no.", "Then go."],
        ['"Why?" he asked.', '"Go!"', "She went."],
        ["“Stop.” – she said, i.e. at once...then ... later."],
        ["He said (it was late.)", "We left [1].", "It rained.[12]", "Yes."],
        ["Moody's.", "Rates rose."],
        ["1. First comes this.", "2. Then that."],
        ["J. Smith et al. (2001) agree.", "So do we."],
        ["Version 3.5 of a.txt is out.", "See www.a.b.", "Done."],
        ["iPhones.", "’Tis so."],
    ],
)
def test_english(expected: list[str]) -> None:
    assert english(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("id", ["Menurut Prof. Dr. H. Ahmad, harganya Rp14.500 per kg.", "Ia pergi.", "Apakah jauh?"]),
        (
            "id",
            ["Kantor PT Astra Tbk. ada di Jl. Sudirman No. 5, Jakarta.", "Beras, gula, dll.", "Itu saja."],
        ),
        ("id", ["“Jangan pergi!” teriaknya.", '"Saya lelah," kata Siti.', "Selesai…"]),
        ("is", ["Hr. Jón, f. 17. júní 1811, greiddi 1.500 kr.", "Hann fór kl. 10.30 heim."]),
        ("is", ["„Þetta er gott,“ segir hún.", "„Komdu!“ kallaði hann.", "„Það rignir.“", "Hann fór."]),
        ("is", ["Sbr. 2. mgr. 5. gr. laga nr. 33.", "Marel hf. seldi m.a. tæki o.s.frv. til Kína."]),
    ],
)
def test_other_languages(language: str, expected: list[str]) -> None:
    assert [text for text, _ in find_sentences(" ".join(expected), language)] == expected


def test_lines() -> None:
    text = "A title\n\nA folded\nline. And\r\n \r\nmore\n- item one\n- item two\n 3) three\x0cpage"
    assert english(text) == [
        "A title", "A folded\nline.", "And", "more", "- item one", "- item two", "3) three", "page",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "expected",
    [
        [],
        ["。"],
        ["行く。", "本当！？", "はい"],
        ["「行く。すぐ行く。」と言った。", "終わり。"],
        ["「行く。」", "彼は立った。"],
        ["「『行け。』と言え。」と彼。", "（笑。）", "次。"],
        ["“我走了。”", "他说。", "“好！”", "她说，“再见。”"],
        ["３．５です。", "http://a.b?c=d です。"],
        ['"はい。"', "次。"],
    ],
)
def test_cjk(expected: list[str]) -> None:
    assert cjk("".join(expected)) == expected


def test_cjk_lines_and_open_quotes() -> None:
    assert cjk("題\n本文。　次\r\n末") == ["題", "本文。", "次", "末"]
    assert cjk("「閉じない。でも。\n次。") == ["「閉じない。", "でも。", "次。"]
    assert cjk("「" + "長い。" * 200) == ["「長い。"] + ["長い。"] * 199
    assert cjk("「" + "あ" * 400 + "。次。") == ["「" + "あ" * 400 + "。", "次。"]


def test_japanese_words() -> None:
    pytest.importorskip("sudachidict_core")
    text = "猫だ。 犬だ。"
    assert [[token.text for token in sentence.tokens] for sentence in split_text(text, "ja")] == [
        ["猫", "だ", "。"],
        ["犬", "だ", "。"],
    ]


def test_places_are_of_the_text() -> None:
    text = "  One two.\n Can't? "
    first, second = split_text(text)
    assert (first.start, first.end, second.start, second.end) == (2, 10, 12, 18)
    for sentence in (first, second):
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text


@given(texts)
def test_every_character_is_in_one_token(text: str) -> None:
    done = 0
    for sentence in split_text(text):
        assert sentence.start == sentence.tokens[0].start
        assert sentence.end == sentence.tokens[-1].end
        for token in sentence.tokens:
            assert token.text == text[token.start : token.end]
            assert not text[done : token.start].strip()
            done = token.end
    assert not text[done:].strip()


@given(st.lists(texts), st.sampled_from(FINDERS))
def test_pieces_make_no_difference(pieces: list[str], find_end: EndFinder) -> None:
    assert list(_sentences(pieces, find_end)) == list(_sentences("".join(pieces), find_end))


@pytest.mark.parametrize("find_end", FINDERS)
@pytest.mark.parametrize("unit", ["word ", "x", " ", ".", "Mr. ", "A b. ", "「。", "「", "!」", "\n", '"'])
def test_long_texts(unit: str, find_end: EndFinder) -> None:
    """Any text passes in linear time, cut to sentences of bounded length, whatever the pieces it comes in."""
    text = unit * (100_000 // len(unit))
    sentences = list(_sentences(text, find_end))
    assert sentences == list(_sentences((text[i : i + 777] for i in range(0, len(text), 777)), find_end))
    assert all(0 < len(sentence) <= LONGEST for sentence, _ in sentences)
    assert "".join("".join(sentence.split()) for sentence, _ in sentences) == "".join(text.split())


def test_text_is_read_as_it_is_needed() -> None:
    def endless():  # type: ignore[no-untyped-def]
        while True:
            yield "So it goes. "

    sentences = split_text(endless())
    assert [next(sentences).start for _ in range(3)] == [0, 12, 24]


def test_an_unknown_language_is_said_at_once() -> None:
    with pytest.raises(InputError, match="tlh"):
        split_text("nuqneH", "tlh")


@given(texts, st.sampled_from(["en", "ja"]))
def test_beginning_anew_at_any_sentence(text: str, language: str) -> None:
    found = list(find_sentences(text, language))
    for number, (_, start) in enumerate(found):
        again = [(sentence, start + place) for sentence, place in find_sentences(text[start:], language)]
        assert again == found[number:]
