"""``nccp parse``: turn text into trees."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from nccp.cli.options import batch_size_option, input_option, model_option, threads_option
from nccp.cli.parse_output import OUTPUTS, Output
from nccp.cli.sentences import STDIN, Item, check_sources, find_sources, read_items
from nccp.errors import InputError

if TYPE_CHECKING:
    from nccp.decoding import Parse, Parser
    from nccp.decoding.input_sentence import Parsable
    from nccp.trees.draw import LayerGrid

_EPILOG = """\b
Examples:
  nccp parse story.txt > story.mrg
  nccp parse corpus/ more.txt.gz --output json > trees.jsonl
  echo "The cat sat down." | nccp parse --output pretty
  nccp parse story.txt --output svg --out drawings
  nccp parse story.txt --output pretty --layers
  nccp parse --input tokens --root TOP < words.txt | nccp score gold.mrg -
  nccp parse story.txt --output json | jq .score
  nccp parse story.txt --k-best 5
  nccp parse --model ./my-model --input brackets --keep-tags gold.mrg
"""


@click.command("parse", epilog=_EPILOG)
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER]...")
@input_option(
    "text: running text, split into sentences; lines: one sentence per line; tokens: one tokenised sentence "
    "per line; brackets: re-parse the words of existing trees."
)
@click.option(
    "--output",
    type=click.Choice(OUTPUTS),
    default="brackets",
    show_default=True,
    help="Brackets and JSON have one line per sentence; conll has a line per word with brackets; conllu has "
    "dependencies by head rules, their relation the path of labels.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --output svg: write a file per sentence, such as DIR/story-1.svg.",
)
@click.option(
    "--layers",
    is_flag=True,
    help="With --output pretty or svg: draw the layers in which the model combined the words, instead of the "
    "tree. Arrows are orientations, square brackets are chunks of a multi-branching model, _X a part of X.",
)
@click.option(
    "--k-best",
    type=click.IntRange(1),
    metavar="N",
    help="Print the N best trees of each sentence, the best first, with scores relative to the first. "
    "Brackets have a line per tree, score and tree, and an empty line after each sentence.",
)
@model_option
@click.option("--root", metavar="LABEL", help="Put a root on every tree, such as TOP.")
@click.option("--keep-tags", is_flag=True, help="With --input brackets: keep the tags of the input trees.")
@batch_size_option
@threads_option
@click.option("--encoding", default="utf-8", show_default=True, metavar="NAME", help="Encoding of the input.")
def command(
    files: tuple[str, ...],
    form: str,
    output: str,
    out: Path | None,
    layers: bool,
    k_best: int | None,
    model: str,
    root: str | None,
    keep_tags: bool,
    batch_size: int | None,
    threads: int | None,
    encoding: str,
) -> None:
    """Parse FILEs, all files of FOLDERs, or standard input (also as -), and print a tree for each sentence.

    Files compressed with gzip, bzip2, xz or zstd are decompressed. All files are checked before the first one
    is parsed; if one is missing or binary, nothing is parsed and the exit code is 2, as for any bad input.

    The trees are in the order of the sentences. An empty line gives (()), so that lines of --input lines and
    tokens match those of the output. A line of more than 131,072 characters is parsed in pieces, which are
    joined under one root without a label.

    Bytes that are invalid in the encoding are kept in brackets. JSON is always valid Unicode: it has U+FFFD
    instead, and the original bytes of the sentence, in base64, in the field "bytes".
    """
    from nccp.runtime import load

    if keep_tags and form != "brackets":
        raise click.UsageError("--keep-tags needs --input brackets")
    if out is not None and output != "svg":
        raise click.UsageError("--out needs --output svg")
    if layers and (output not in ("pretty", "svg") or root is not None):
        raise click.UsageError("--layers needs --output pretty or svg, and no --root")
    if k_best is not None and output not in ("brackets", "json"):
        raise click.UsageError("--k-best needs --output brackets or json")
    try:
        sources = find_sources(files)
        if problems := check_sources(sources, encoding):
            _refuse(problems)
        parser = load(model, threads=threads)
        printer = Output(
            output,
            root,
            out=out,
            encoding=encoding,
            language=parser.language,
            layers=partial(_layers, binary=parser.engine.binary) if layers else None,
        )
        bar = _Bar(sources)
        for source in sources:
            items = read_items(source, form, parser, keep_tags=keep_tags, encoding=encoding)
            if k_best is not None:
                for item in items:
                    printer.write_best(parser.parse_k(item.sentence, k_best), item)
                    bar.update(source, item)
                continue
            for parse, item in _parse(parser, source, items, batch_size, scores=output == "json"):
                printer.write(parse, item)
                bar.update(source, item)
        bar.close()
        printer.close()
    except InputError as error:
        _refuse([str(error)])


def _layers(parse: Parse, *, binary: bool) -> LayerGrid | None:
    """How a parse was built; a forest that the decoder joined is left as it was."""
    from nccp.trees.draw import forest_grid, parsed_grid

    if parse.gaps is None:
        return None
    return forest_grid(parse.gaps) if parse.joined and not binary else parsed_grid(parse.gaps, binary=binary)


def _refuse(problems: list[str]) -> NoReturn:
    """Say what is wrong with the input; exit code 2."""
    for problem in problems:
        click.echo(f"nccp: {problem}", err=True)
    sys.exit(2)


def _parse(
    parser: Parser, source: str, items: Iterator[Item], batch_size: int | None, *, scores: bool
) -> Iterator[tuple[Parse, Item]]:
    if source == STDIN and sys.stdin.isatty():
        for item in items:
            (parse,) = parser.parse_many([item.sentence], scores=scores)
            yield parse, item
        return
    waiting: deque[Item] = deque()  # those that the parser has taken and not given back

    def sentences() -> Iterator[Parsable]:
        for item in items:
            waiting.append(item)
            yield item.sentence

    options: dict[str, Any] = {} if batch_size is None else {"batch_size": batch_size}
    for parse in parser.parse_many(sentences(), scores=scores, **options):
        yield parse, waiting.popleft()


class _Bar:
    """Share done, sentences and time left, on a terminal that the trees do not go to."""

    def __init__(self, sources: list[str]) -> None:
        from tqdm import tqdm

        sizes = [0 if source == STDIN else os.stat(source).st_size for source in sources]
        self._starts = dict(zip(sources, accumulate(sizes, initial=0)))
        known = sum(sizes) if STDIN not in sources else None
        form = "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]" if known else "{desc} [{elapsed}]"
        hidden = True if sys.stdout.isatty() else None  # None: unless stderr is a terminal
        self._bar = tqdm(total=known, bar_format=form, disable=hidden, leave=False)
        self._sentences = 0

    def update(self, source: str, item: Item) -> None:
        self._sentences += not item.more
        if self._bar.disable:
            return
        done = self._starts[source] + item.position
        self._bar.set_description_str(f"{self._sentences:,} sentences", refresh=False)
        self._bar.update(max(0.0, done - self._bar.n))

    def close(self) -> None:
        self._bar.close()
