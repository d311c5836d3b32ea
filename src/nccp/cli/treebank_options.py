"""The options of ``nccp treebank`` that say how to read a treebank."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from nccp.treebanks import Treebank

FORMATS = ("penn", "chinese", "keyaki", "sinica", "craft", "gum", "greynir", "brackets")
"""The formats by name; written out here so that help needs no reader."""
F = TypeVar("F", bound=Callable[..., Any])


def treebank_options(function: F) -> F:
    """Options that say how to read a treebank; the function gets ``open_bank``, ``cleaning``, ``exclude``."""

    @click.option("--format", type=click.Choice(FORMATS), help="Format of the treebank.  [default: detect]")
    @click.option("--encoding", help="Encoding of bracket files that are not in UTF-8.")
    @click.option(
        "--exclude",
        metavar="NAMES",
        help="Leave these documents out: names with wildcards, or non-commercial for those whose licence"
        " forbids commercial use.",
    )
    @click.option("--keep-empty", is_flag=True, help="Keep traces and other empty elements.")
    @click.option(
        "--stars/--no-stars",
        default=None,
        help="Whether words that start with * are empty elements.  [default: in Keyaki they are]",
    )
    @click.option(
        "--lemmas",
        type=click.Choice(["keep", "second", "node", "hyphen"]),
        help="Drop lemmas from leaves such as (tag word lemma), (tag word (lemma ...)) or (tag word-lemma);"
        " keep reads everything as words.  [default: detect]",
    )
    @click.option("--add-tags", is_flag=True, help="The trees have no tags: put every word under XX.")
    @click.option("--keep-functions", is_flag=True, help="Keep function tags and indices: NP-SBJ-1.")
    @click.option("--keep-root", is_flag=True, help="Keep the root: (TOP ...), ( ...).")
    @click.option("--keep-spaces", is_flag=True, help="Keep thin, hair and no-break spaces inside words.")
    @click.option("--flatten", metavar="LABELS", help="Replace these nodes by their children, e.g. NML,NX.")
    @click.option("--unwrap", metavar="LABELS", help="Remove these wrappers, e.g. HEADING,CAPTION.")
    @click.option(
        "--words",
        type=click.Choice(["keep", "escape", "unescape"]),
        default="keep",
        show_default=True,
        help=r"Words as they come, in Penn's escapes (1\/2), or plain (1/2).",
    )
    @click.option(
        "--repairs/--no-repairs",
        default=None,
        help="Repair a parser's labels by rule (WHNP, SBARQ, INTJ, LST, PRN).  [default: only in GUM]",
    )
    @wraps(function)
    def with_bank(**options: Any) -> Any:
        from nccp.treebanks import Cleaning, open_treebank

        cleaning = Cleaning(
            remove_empty=not options.pop("keep_empty"),
            stars=options.pop("stars"),
            lemmas=options.pop("lemmas"),
            add_tags=options.pop("add_tags"),
            cut_functions=not options.pop("keep_functions"),
            strip_root=not options.pop("keep_root"),
            join_words=not options.pop("keep_spaces"),
            flatten=_names(options.pop("flatten")),
            unwrap=_names(options.pop("unwrap")),
            words=options.pop("words"),
            repairs=options.pop("repairs"),
        )
        form, encoding = options.pop("format"), options.pop("encoding")
        exclude = _names(options.pop("exclude"))

        def open_bank(path: str) -> Treebank:
            return open_treebank(path, form, encoding=encoding)

        return function(open_bank=open_bank, cleaning=cleaning, exclude=exclude, **options)

    return with_bank  # type: ignore[return-value]


def _names(names: str | None) -> tuple[str, ...]:
    """``NML,NX`` as a tuple."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())
