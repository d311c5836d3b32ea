"""What ``nccp parse`` prints: brackets, JSON, drawings, columns."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nccp.characters import has_surrogates, replace_surrogates
from nccp.cli.long_sentences import LongBrackets, LongRecord, too_long
from nccp.cli.sentences import Item
from nccp.errors import InputError, NccpWarning
from nccp.files import atomic_write
from nccp.languages import LONGEST_LINE, known_language

if TYPE_CHECKING:
    from nccp.decoding import Candidate, Parse
    from nccp.trees import Tree
    from nccp.trees.draw import LayerGrid

Write = Callable[["Parse", Item], None]

OUTPUTS = ("brackets", "json", "pretty", "svg", "conll", "conllu")


class Output:
    """Writes parses to standard output, or drawings to files in ``out``.

    ``layers`` makes the layers of a parse, which are then drawn instead of its tree.
    """

    def __init__(
        self,
        form: str,
        root: str | None,
        *,
        out: Path | None,
        encoding: str,
        language: str,
        layers: Callable[[Parse], LayerGrid | None] | None = None,
    ) -> None:
        self._form, self._root, self._out, self._encoding, self._language = (
            form,
            root,
            out,
            encoding,
            language,
        )
        self._layers = layers
        if sys.stdout is None:
            raise InputError("standard output is closed; there is nowhere to print the trees")
        self._stdout, self._live = sys.stdout.buffer, sys.stdout.isatty()
        self._width = shutil.get_terminal_size().columns if self._live else None
        self._drawings: list[str] = []
        self._numbers: Counter[str] = Counter()
        self._write_whole: Write = getattr(self, f"_{form}")
        self._long: LongBrackets | LongRecord | None = None  # the sentence that comes in pieces

    def write(self, parse: Parse, item: Item) -> None:
        """Write the parse of a sentence, or of a piece of a very long one."""
        if not (item.more or item.start):
            self._write_whole(parse, item)
            return
        if self._long is None:
            self._long = self._begin_long(item)
        with _named():
            self._long.add(parse, item)
        if not item.more:
            self._long = None

    def _begin_long(self, item: Item) -> LongBrackets | LongRecord:
        if self._form not in ("brackets", "json"):
            raise InputError(too_long(item, f"--output {self._form}"))
        warnings.warn(
            f"{item.source}: line {item.number} has more than {LONGEST_LINE:,} characters; it is parsed in "
            "pieces, which are joined under one root",
            NccpWarning,
            stacklevel=2,
        )
        if self._form == "json":
            return LongRecord(self._stdout, self._root, self._encoding)
        return LongBrackets(self._stdout, self._root)

    def write_best(self, candidates: Sequence[Candidate], item: Item) -> None:
        """The k best trees of a sentence; JSON has a line for each, with ``rank`` and ``relative_score``."""
        if item.more or item.start:
            raise InputError(too_long(item, "--k-best"))
        for rank, (parse, score) in enumerate(candidates, 1):
            if self._form == "json":
                self._json(parse, item, rank=rank, relative_score=round(score, 6))
            else:
                self._print(f"{score:.6f}\t{parse.brackets(self._root)}")
        if self._form != "json":
            self._print("")

    def close(self) -> None:
        """Write what is left."""
        if self._drawings:
            from nccp.trees.draw import stack_svg

            self._print(self._drawings[0] if len(self._drawings) == 1 else stack_svg(self._drawings))
        with _named():
            self._stdout.flush()  # here a closed pipe is still ours to notice

    def _brackets(self, parse: Parse, item: Item) -> None:
        self._print(parse.brackets(self._root))

    def _json(self, parse: Parse, item: Item, **more: float) -> None:
        record = make_record(parse, item, self._root, encoding=self._encoding, language=self._language)
        self._print(replace_surrogates(json.dumps({**record, **more}, ensure_ascii=False)))

    def _conll(self, parse: Parse, item: Item) -> None:
        self._print(parse.conll())

    def _conllu(self, parse: Parse, item: Item) -> None:
        from nccp.decoding.dependencies import format_conllu

        self._print(format_conllu(parse, self._language, text=make_text(parse, item, self._language)))

    def _pretty(self, parse: Parse, item: Item) -> None:
        from nccp.trees.draw import draw_layers_text, draw_text

        if self._layers is not None:
            grid = self._layers(parse)
            self._print("" if grid is None else draw_layers_text(grid) + "\n")
            return
        tree = self._tree(parse)
        self._print("" if tree is None else draw_text(tree, self._width) + "\n")

    def _svg(self, parse: Parse, item: Item) -> None:
        drawn = self._draw(parse)
        if drawn is None:
            return
        drawing = replace_surrogates(drawn).rstrip("\n")
        if self._out is None:
            self._drawings.append(drawing)
            return
        stem = "stdin" if item.source == "<stdin>" else Path(item.source).name.split(".")[0] or "tree"
        self._numbers[stem] += 1
        path = self._out / f"{stem}-{self._numbers[stem]}.svg"
        try:
            with atomic_write(path) as file:
                file.write(drawing + "\n")
        except OSError as error:
            raise InputError(f"{path}: {os.strerror(error.errno or 0)}") from None

    def _draw(self, parse: Parse) -> str | None:
        from nccp.trees.draw import draw_layers_svg, draw_svg

        if self._layers is not None:
            grid = self._layers(parse)
            return None if grid is None else draw_layers_svg(grid)
        tree = self._tree(parse)
        return None if tree is None else draw_svg(tree)

    def _tree(self, parse: Parse) -> Tree | None:
        from nccp.trees import add_root

        return parse.tree if parse.tree is None or self._root is None else add_root(parse.tree, self._root)

    def _print(self, text: str) -> None:
        with _named():
            self._stdout.write(text.encode("utf-8", "surrogateescape") + b"\n")
            if self._live:
                self._stdout.flush()


@contextmanager
def _named() -> Iterator[None]:
    """Name standard output in errors of writing to it, such as a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or "standard output"
        raise


def make_record(
    parse: Parse, item: Item, root: str | None = None, *, encoding: str = "utf-8", language: str = "en"
) -> dict[str, Any]:
    """A parse for JSON: source, number, text, then ``Parse.to_dict``.

    A text with bytes that are invalid in its encoding also has ``bytes``: the original ones, in base64.
    """
    text = make_text(parse, item, language)
    record: dict[str, Any] = {"source": item.source, "sentence": item.number, "text": text}
    if has_surrogates(text):
        record["bytes"] = base64.b64encode(text.encode(encoding, "surrogateescape")).decode("ascii")
    return {**record, **parse.to_dict(root)}


def make_text(parse: Parse, item: Item, language: str) -> str:
    """The sentence as it stands in the file, or else its words as running text."""
    if item.text is not None:
        return item.text
    known = known_language(language)
    return known.join(parse.words) if known else " ".join(parse.words)
