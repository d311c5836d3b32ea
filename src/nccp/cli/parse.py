"""``nccp parse``: turn text into trees."""

from __future__ import annotations

import codecs
import io
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, input_option, threads_option

if TYPE_CHECKING:
    from nccp.decoding import Parse, Parser
    from nccp.decoding.input_sentence import Parsable

_EPILOG = """\b
Examples:
  nccp parse story.txt > story.mrg
  echo "The cat sat down." | nccp parse --output pretty
  nccp parse --input tokens --root TOP < words.txt | nccp score gold.mrg -
  nccp parse story.txt --output json | jq .score
  nccp parse --model ./my-model --input brackets --keep-tags gold.mrg
"""
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_ODD = {"json": "backslashreplace", "svg": "replace"}  # what is no UTF-8: a JSON escape; a question mark


@click.command("parse", epilog=_EPILOG)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@input_option(
    "Running text; one sentence a line; the same in words with blanks between; trees to be parsed anew."
)
@click.option(
    "--output",
    type=click.Choice(["brackets", "json", "pretty", "svg", "conll"]),
    default="brackets",
    show_default=True,
    help="Brackets and JSON have one line for each sentence.",
)
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH", help="See nccp models.")
@click.option("--root", metavar="LABEL", help="Put a root on every tree, such as TOP.")
@click.option("--keep-tags", is_flag=True, help="With --input brackets: the tags there shall stand.")
@batch_size_option
@threads_option
@click.option("--encoding", default="utf-8", show_default=True, metavar="NAME", help="Of the input.")
def command(
    files: tuple[str, ...],
    form: str,
    output: str,
    model: str,
    root: str | None,
    keep_tags: bool,
    batch_size: int | None,
    threads: int | None,
    encoding: str,
) -> None:
    """Parse FILEs, or standard input (also as -), and print a tree for each sentence.

    The trees are in the order of the sentences. An empty line gives (()), so that lines of --input lines and
    tokens match those of the output. Bytes that are not of the encoding go through unharmed.
    """
    from nccp.decoding.stream import BATCH
    from nccp.runtime import load

    if keep_tags and form != "brackets":
        raise click.UsageError("--keep-tags goes with --input brackets")
    parser = load(model, threads=threads)
    write = _writer(output, root)
    parses: Iterator[Parse]
    for file in files or ("-",):
        sentences = read_sentences(file, form, parser, keep_tags=keep_tags, encoding=encoding)
        scores = output == "json"
        if file == "-" and sys.stdin.isatty():
            parses = (parser.parse(sentence, scores=scores) for sentence in sentences)
        else:
            bar = not sys.stdout.isatty()
            parses = parser.parse_many(sentences, batch_size=batch_size or BATCH, scores=scores, progress=bar)
        for parse in parses:
            write(parse)
    sys.stdout.buffer.flush()  # here a closed pipe is still ours to notice


def read_sentences(
    file: str, form: str, parser: Parser, *, keep_tags: bool = False, encoding: str = "utf-8"
) -> Iterator[Parsable]:
    """The sentences of a file, or of standard input (-), as ``--input`` says."""
    from nccp.trees import TreeReader

    if form == "brackets":
        source = sys.stdin.buffer if file == "-" else file
        reader = TreeReader(source, encoding=encoding, source="<stdin>" if file == "-" else None)
        yield from (tree.pos() if keep_tags else tree.leaves() for tree in reader)
        return
    lines = _read_lines(file, encoding)
    if form == "text":
        texts = lines if file == "-" and sys.stdin.isatty() else [lines]  # to a person, answer each line
        for text in texts:
            yield from parser.split(text)
    elif form == "lines":
        yield from (line.rstrip("\r\n") for line in lines)
    else:
        yield from ([word for word in _BLANKS.split(line.rstrip("\n")) if word] for line in lines)


def _read_lines(file: str, encoding: str) -> Iterator[str]:
    with _open(file, encoding) as lines:
        # The mark at the beginning of files from Windows is no word. ("utf-8-sig" loses a lone half of it.)
        yield from (line.removeprefix("\ufeff") if i == 0 else line for i, line in enumerate(lines))


@contextmanager
def _open(file: str, encoding: str) -> Iterator[IO[str]]:
    from nccp.errors import InputError

    try:
        codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}") from None
    options: dict[str, Any] = {"errors": "surrogateescape", "newline": "\n"}
    try:
        if file == "-":
            stdin = io.TextIOWrapper(sys.stdin.buffer, encoding, **options)
            try:
                yield stdin
            finally:
                stdin.detach()  # leave it open
        else:
            with open(file, encoding=encoding, **options) as lines:
                yield lines
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None


def _writer(output: str, root: str | None) -> Callable[[Parse], None]:
    """What prints a parse."""
    stdout = sys.stdout.buffer
    form = _formatter(output, root)
    odd = _ODD.get(output, "surrogateescape")
    live = sys.stdout.isatty()

    def write(parse: Parse) -> None:
        stdout.write(form(parse).encode("utf-8", odd) + b"\n")
        if live:
            stdout.flush()

    return write


def _formatter(output: str, root: str | None) -> Callable[[Parse], str]:
    if output == "brackets":
        return lambda parse: parse.brackets(root)
    if output == "json":
        return lambda parse: json.dumps(parse.to_dict(root), ensure_ascii=False)
    if output == "conll":
        return lambda parse: parse.conll()
    from nccp.trees import add_root
    from nccp.trees.draw import draw_svg, draw_text

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None

    def draw(parse: Parse) -> str:
        if parse.tree is None:
            return ""
        tree = parse.tree if root is None else add_root(parse.tree, root)
        return draw_svg(tree).rstrip("\n") if output == "svg" else draw_text(tree, width) + "\n"

    return draw
