"""``nccp vectors``: train, convert and inspect word vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nccp.cli.options import json_option

if TYPE_CHECKING:
    from nccp.inputs.words.vectors import Vectors

F = TypeVar("F", bound=Callable[..., Any])


def _number(name: str, default: int, help: str, *, least: int = 1) -> Callable[[F], F]:
    return click.option(name, type=click.IntRange(least), default=default, show_default=True, help=help)


_dtype = click.option(
    "--dtype",
    type=click.Choice(["float32", "float16", "int8"]),
    default="float16",
    show_default=True,
    help="Type of the stored numbers.",
)
_file = click.Path(exists=True, dir_okay=False)
_new_file = click.Path(dir_okay=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Train, convert and inspect word vectors.

    \b
    nccp vectors train wiki.txt wiki.vectors
    nccp vectors convert cc.en.300.bin en.vectors --limit 100000
    nccp vectors show en.vectors parser
    """


@command.command(
    epilog="""\b
Examples:
  nccp vectors train wiki.txt wiki.vectors
  nccp vectors train treebanks/gum gum.vectors --dim 100
"""
)
@click.argument("text_or_treebank")
@click.argument("out", type=_new_file)
@click.option("--model", type=click.Choice(["cbow", "skipgram"]), default="cbow", show_default=True)
@_number("--dim", 300, "Numbers per vector.")
@_number("--epochs", 50, "Passes over the text.")
@_number("--min-count", 5, "Occurrences that a word needs to get a row; rarer words have n-grams only.")
@_number("--buckets", 50_000, "Rows for hashed n-grams.")
@_number("--minn", 3, "Shortest n-gram, in characters.")
@_number("--maxn", 6, "Longest n-gram; 0 for none.", least=0)
@_number("--threads", 1, "CPU threads. With more than one the result is not repeatable.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--split", help="Split of a treebank.  [default: train if it has one, else all]")
@_dtype
@json_option
def train(
    text_or_treebank: str, out: str, split: str | None, dtype: str, as_json: bool, **options: Any
) -> None:
    """Train fastText vectors on a text (one tokenised sentence per line) or on the words of a treebank.

    Needs the extra [train]. Folders, globs, and files that begin like trees, with (( or (S (, are treebanks.
    """
    from nccp.inputs.words.train_vectors import train_vectors

    is_treebank = split is not None or _is_treebank(text_or_treebank)
    source = _treebank_words(text_or_treebank, split) if is_treebank else Path(text_or_treebank)
    vectors = train_vectors(source, out, dtype=dtype, **options)
    _report({"out": out} | _facts(vectors), as_json)


@command.command(
    epilog="""\b
Examples:
  nccp vectors convert cc.en.300.bin en.vectors --limit 100000
  nccp vectors convert glove.vec en.vectors --fit-ngrams --dtype int8
  nccp vectors convert en.npz small.vectors --words vocabulary.txt
"""
)
@click.argument("source", metavar="IN", type=_file)
@click.argument("out", type=_new_file)
@click.option("--words", type=_file, help="Keep only the words in this file, one per line.")
@click.option("--limit", type=click.IntRange(1), help="Keep only the first words of a .bin or .vec file.")
@click.option("--max-rows", type=click.IntRange(1), help="Rows to keep; other words share the nearest row.")
@click.option("--fit-ngrams", is_flag=True, help="Learn n-grams for words that are not in the table.")
@_number("--buckets", 50_000, "Rows for the n-grams to learn.")
@_number("--minn", 2, "Shortest n-gram to learn; 1 for Japanese and Chinese.")
@_number("--maxn", 4, "Longest n-gram to learn; 3 for Japanese and Chinese.")
@_number("--epochs", 2, "Passes over the words.")
@_dtype
@json_option
def convert(
    source: str,
    out: str,
    words: str | None,
    limit: int | None,
    max_rows: int | None,
    fit_ngrams: bool,
    dtype: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Convert fastText's .bin, .vec text or .npz to the compact file that training and models use.

    N-grams are learned from all words of IN, even if --words keeps only some of them in OUT.
    """
    from nccp.inputs.words.train_vectors import fit_ngrams as fit
    from nccp.inputs.words.vector_files import load_vectors

    vectors = load_vectors(source, limit=limit)
    facts: dict[str, Any] = {"out": out}
    if fit_ngrams:
        fitted = fit(vectors, dtype=dtype, **options)
        vectors = fitted.vectors
        facts |= {"held_out_words": fitted.held_out, "held_out_cosine": round(fitted.cosine, 4)}
    if words is not None:
        with open(words, encoding="utf-8") as file:
            vectors = vectors.prune(line.rstrip("\n") for line in file)
    vectors = vectors.compact(dtype, max_rows)
    vectors.save(out)
    _report(facts | _facts(vectors), as_json)


@command.command(
    epilog="""\b
Examples:
  nccp vectors show en.vectors
  nccp vectors show en.vectors parser parse -k 5
"""
)
@click.argument("file", type=_file)
@click.argument("words", nargs=-1)
@_number("-k", 10, "Neighbours to show.")
@json_option
def show(file: str, words: tuple[str, ...], k: int, as_json: bool) -> None:
    """Show what a file of vectors holds, and the nearest neighbours of WORDS by cosine similarity."""
    from nccp.inputs.words.vector_files import load_vectors

    vectors = load_vectors(file)
    if not words:
        _report(_facts(vectors), as_json)
        return
    vectors = vectors.compact("float32") if vectors.mixed else vectors
    found = {word: vectors.nearest(word, k) for word in words}
    if as_json:
        neighbours = {word: [near._asdict() for near in nears] for word, nears in found.items()}
        known = {word: word in vectors for word in words}
        click.echo(json.dumps({"known": known, "neighbours": neighbours}, ensure_ascii=False))
        return
    for word, nears in found.items():
        click.echo(word if word in vectors else f"{word}  (not in the table)")
        for near in nears:
            more = f" and {len(near.words) - 8} more" if len(near.words) > 8 else ""
            click.echo(f"  {near.similarity:.3f}  {' '.join(near.words[:8])}{more}")


def _facts(vectors: Vectors) -> dict[str, Any]:
    """What the table holds."""
    facts = {"words": len(vectors), "rows": len(vectors.table), "dim": vectors.dim, "bytes": vectors.nbytes}
    if (ngrams := vectors.ngrams) is not None:
        facts |= {"ngrams": len(ngrams.table), "minn": ngrams.minn, "maxn": ngrams.maxn}
    return facts


def _report(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(facts))
    else:
        width = max(map(len, facts))
        for name, value in facts.items():
            number = f"{value:,}" if isinstance(value, int) else value
            click.echo(f"{name.replace('_', ' '):<{width}}  {number}")


def _is_treebank(path: str) -> bool:
    """Whether this is a folder or a glob, or a file that begins like trees, with ``((`` or ``(S (``."""
    if not Path(path).is_file():
        return True
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.match(r"\s*\(\s*([^\s()]+\s*)?\(", file.read(4096)) is not None


def _treebank_words(path: str, split: str | None) -> Iterator[list[str]]:
    """The sentences of a treebank's training split, with unescaped words."""
    from nccp.evaluation import choose_split
    from nccp.treebanks import Cleaning, open_treebank

    bank = open_treebank(path)
    for entry in bank.read(choose_split(bank, split, default="train"), cleaning=Cleaning(words="unescape")):
        yield entry.tree.leaves()
