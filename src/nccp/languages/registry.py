"""The languages that nccp knows, by code. A new language is one line here and a package of its own."""

from __future__ import annotations

from nccp.errors import InputError
from nccp.languages.chinese import CHINESE
from nccp.languages.english import ENGLISH
from nccp.languages.icelandic import ICELANDIC
from nccp.languages.indonesian import INDONESIAN
from nccp.languages.japanese import JAPANESE
from nccp.languages.language import Language

LANGUAGES = {language.code: language for language in (ENGLISH, JAPANESE, CHINESE, INDONESIAN, ICELANDIC)}


def known_language(code: str) -> Language | None:
    """The language of a code, with or without a region (``zh-TW``); None if nccp does not know it."""
    return LANGUAGES.get(code.replace("_", "-").split("-")[0].lower())


def find_language(code: str) -> Language:
    """The language of a code; an error that says what to do if there is none."""
    language = known_language(code)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise InputError(
            f"no tokenizer for language {code!r} (known: {known}): pass words instead of text"
            " (nccp parse --input tokens)"
        )
    return language
