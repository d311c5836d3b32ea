import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import InputError, MissingExtra
from nccp.languages import Token, tokenize
from nccp.languages.chinese import tokens as chinese
from nccp.languages.japanese import tokens as japanese
from nccp.languages.segmenters import cut_runs

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text(
    st.sampled_from(
        "aZ0é東。 \n\t\u3000\u00a0\x00\x1c\x85.,'’`\"“(-–—/&%$@#:!?…ह\u093f\u200d\ufe0f👍🏽🇯ש\u202e"
    ),
    max_size=60,
)


def words(text: str, language: str = "en", split_hyphens: bool = False) -> list[str]:
    return [token.text for token in tokenize(text, language, split_hyphens=split_hyphens)]


@pytest.mark.parametrize(
    "expected",  # the words, "|" where there is no space
    [
        "",
        "The dog barks|.",
        "They ca|n't say so|; we wo|n't|, I|'m sure he|'d|'ve|.",
        "I do|n’t know|: it|’s Ann|’s|.",
        "We can|not|, I|'m gon|na|, Lem|me|, 'T|is",
        "DO|N'T GON|NA",
        "O'Brien|'s o'clock|, y'all|: the workers|' pay",
        "rock 'n' roll in the '80s|, '|quoted|'",
        "\"|Yes|,|\" he said|. ``|No|''",
        "“|Yes|” ‘|no|’ «|oui|»",
        "(|a|) [|b|] {|c|} <|d|>",
        "Well|... so|…. no|.. what|?! yes|!!!",
        "a well-known|, U.S.-based|, 62%-owned 40-year-old",
        "pre- and post-war -- yes|—|no 1990|–|95",
        "$|3.50|, US$|5|, 3,000.5|%|, 1/2|, 9/11|, 6:30|, -5|, .05",
        "3-5 and/or AT&T S&P C++ Ca2+ 25|°C",
        "See http://a.b/c?d=e|, (|www.x.org|) or x.y@z.org|.",
        "#topic @me :-) <3 snake_case a|->|b ***",
        "👨‍👩‍👧‍👦 🇯🇵|🇨🇳 👍🏽|👍 1️⃣",
        "हिन्दी שלום naïve e\u0301a",
        "end|.|The next",
        # periods
        "Mr. J. R. Smith of Loews Corp. left|.",
        "It is by Loews Corp|.",
        "He left the U.S. at 5 p.m. in Jan. for plan B|.",
        "He left the U.S.",
        "No. 5 says no|. I see Fig. 2|, e.g. Boston|, Mass.|, etc|.",
        "1. Start in 1990|. Then",
    ],
)
def test_english(expected: str) -> None:
    assert words(expected.replace("|", "")) == expected.replace("|", " ").split()


def test_hyphens_are_cut_if_asked() -> None:
    cut = "A well|-|known non-native|'s 10|-|year|-|old TGF|-|β1 2-fold 2|-|folder and|/|or 1/2 a|-|b pre- -5"
    assert words(cut.replace("|", ""), split_hyphens=True) == cut.replace("|", " ").split()


def test_places() -> None:
    assert tokenize(" Isn't\tit") == [Token("Is", 1, 3), Token("n't", 3, 6), Token("it", 7, 9)]
    assert tokenize(" \t\n\u3000") == []


def check_places(text: str, tokens: list[Token]) -> None:
    """Tokens are pieces of the text, in order, and hold all of it but for white space."""
    done = 0
    for token in tokens:
        assert token.text == text[token.start : token.end]
        assert token.text
        assert not any(letter.isspace() for letter in token.text)
        assert not text[done : token.start].strip()
        assert done <= token.start
        done = token.end
    assert not text[done:].strip()


@pytest.mark.parametrize(
    "expected",
    [
        "Anak|-|anak|nya membeli buku seharga Rp|8.500|.",
        "Biasanya ia hanya punya satu|; rumah|nya jauh|, kata|nya|.",
        "Terjadinya banjir|, munculnya api|, dan besar|nya biaya itu",
        "Harga naik 12,5|% menjadi US$|1,2 miliar pada 1980|-|an|.",
        "Undang|-|undang No. 14|/|1985 (|dan|/|atau revisi|nya|)|.",
        "Prof. Dr. Syafi'i|, M.A.|, tiba pukul 06.30|.",
        "PT Astra Tbk. dkk. di Jl. Merdeka No. 5|.",
        "NYA nya anya",
    ],
)
def test_indonesian(expected: str) -> None:
    assert words(expected.replace("|", ""), "id") == expected.replace("|", " ").split()


@pytest.mark.parametrize(
    "expected",
    [
        "Það kostaði 1.500 kr. 5. janúar|, eða 30% meira (|sbr. 2. gr. laganna|)|.",
        "„|Ég fer|,|“ sagði hún|.",
        "Mennta- og menningarmálaráðherra fór til Norður-Kóreu|.",
        "Karlar og -konur|, m.a. u.þ.b. 12,9% o.s.frv.|,",
        "Hann kom kl. 10.30 árið 2017|.",
        "Leikur Þór/KA fór 3:1|; vindur 15 m/s|.",
        "Hún er 5|.",
        "Hún er nr. 5|. Ísland",
    ],
)
def test_icelandic(expected: str) -> None:
    assert words(expected.replace("|", ""), "is") == expected.replace("|", " ").split()


@given(texts, st.sampled_from(["en", "id", "is"]), st.booleans())
def test_latin_tokenizers_keep_every_character(text: str, language: str, split_hyphens: bool) -> None:
    check_places(text, tokenize(text, language, split_hyphens=split_hyphens))


@given(
    texts, st.sampled_from([list, lambda run: [run], lambda run: ["?"], lambda run: [run[:1], "", run[1:]]])
)
def test_any_segmenter_keeps_every_character(text: str, segment: Callable[[str], list[str]]) -> None:
    check_places(text, [Token(text[start:end], start, end) for start, end in cut_runs(text, segment)])


def test_lone_surrogates_pass() -> None:
    text = "a\ud800b 東\udfff京"
    check_places(text, tokenize(text))
    cuts = cut_runs(text, lambda run: [str(run.encode(), "utf-8")])
    check_places(text, [Token(text[start:end], start, end) for start, end in cuts])


@pytest.mark.parametrize(
    "unit",
    [
        *[
            "a",
            "a-",
            "a.",
            "a'",
            "a@",
            "a+",
            "a/",
            "a.b@",
            "1,",
            "1. ",
            "J. ",
            "'s",
            ".",
            "-",
            "(",
            "!",
            ":)",
            "</",
        ],
        *["&", "**", "www.", "http://", "👍\u200d"],
    ],
)
@pytest.mark.parametrize("language", ["en", "id", "is"])
def test_no_text_is_slow(unit: str, language: str) -> None:
    text = unit * (100_000 // len(unit))  # minutes, were it quadratic
    check_places(text, tokenize(text, language, split_hyphens=True))


def test_japanese() -> None:
    pytest.importorskip("sudachipy")
    pytest.importorskip("sudachidict_core")
    assert words("吾輩は猫である。", "ja") == ["吾輩", "は", "猫", "で", "ある", "。"]
    assert words("見て……　https://a.b　だ！！", "ja-JP") == ["見", "て", "……", "https://a.b", "だ", "！！"]


def test_chinese() -> None:
    pytest.importorskip("rjieba")
    assert words("我来到北京清华大学……", "zh") == ["我", "来到", "北京", "清华大学", "……"]


@pytest.mark.parametrize(("language", "module"), [("ja", "sudachidict_core"), ("zh", "rjieba")])
@given(text=texts)
def test_segmenters_keep_every_character(language: str, module: str, text: str) -> None:
    pytest.importorskip(module)
    check_places(text, tokenize(text, language))


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_long_runs_fit_segmenters(language: str) -> None:
    pytest.importorskip({"ja": "sudachidict_core", "zh": "rjieba"}[language])
    text = "東京都は大きい" * 20_000
    check_places(text, tokenize(text, language))


@pytest.mark.parametrize(("language", "room"), [("ja", japanese), ("zh", chinese)])
def test_a_missing_segmenter_is_named(language: str, room: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sudachipy", "sudachidict_core", "rjieba"):
        monkeypatch.setitem(sys.modules, module, None)
    room._segmenter.cache_clear()  # type: ignore[attr-defined]
    with pytest.raises(MissingExtra, match=rf"pip install .*\[{language}\]"):
        tokenize("東京", language)


def test_unknown_language() -> None:
    with pytest.raises(InputError, match="no tokenizer for language 'tlh'"):
        tokenize("nuqneH", "tlh")


def test_segmenters_are_loaded_when_needed_only() -> None:
    code = "import sys, nccp.languages.sentences;print({'sudachipy', 'rjieba', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
