"""Files of trees: one tree per line, as EVALB reads them, or trees over several lines, as in treebanks."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from nccp.errors import InputError
from nccp.scoring.parameters import COLLINS, Parameters
from nccp.scoring.score import Score, score_trees
from nccp.trees import Tree
from nccp.trees.brackets import TreeReader

_NO_PARSE = re.compile(r"[ \t\n\r\f\v()]*")
_STDIN = "-"


def score_files(
    gold: str | Path,
    pred: str | Path,
    parameters: Parameters = COLLINS,
    *,
    gold_deletion: bool = False,
    encoding: str = "utf-8",
) -> Score:
    """Score a file of predicted trees against a file of gold ones; ``-`` is standard input."""
    golds, preds = read_sentences(gold, encoding=encoding), read_sentences(pred, encoding=encoding)
    for path, trees in ((gold, golds), (pred, preds)):
        if not trees:
            raise InputError(f"{path}: no trees")
    _drop_blank_end(golds, preds)
    if len(golds) != len(preds):
        blank = " (blank lines counted as failed parses)" if None in golds or None in preds else ""
        raise InputError(f"{gold} has {len(golds)} trees but {pred} has {len(preds)}{blank}")
    return score_trees(golds, preds, parameters, gold_deletion=gold_deletion)


def read_sentences(path: str | Path, *, encoding: str = "utf-8") -> list[Tree | None]:
    """The trees of a file. With one tree per line, a line without a tree (blank, or ``(())``) gives None.

    EVALB knows only this form, where sentence and line number are the same. In a file with trees over
    several lines, blank lines mean nothing.
    """
    lines = _lines(path, encoding)
    balanced = [line.count("(") == line.count(")") for line in lines]
    text = ("\n" if closed and _NO_PARSE.fullmatch(line) else line for line, closed in zip(lines, balanced))
    reader = TreeReader(text, source=str(path))
    found = [(reader.line, tree) for tree in reader]
    by_line = dict(found)
    if all(balanced) and len(by_line) == len(found):
        return [by_line.get(number) for number in range(1, len(lines) + 1)]
    return [tree for _, tree in found]


def _lines(path: str | Path, encoding: str) -> list[str]:
    try:
        data = sys.stdin.buffer.read() if str(path) == _STDIN else Path(path).read_bytes()
        text = data.decode(encoding).removeprefix("\ufeff")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(f"{path}:{line}:{column}: not {encoding} text") from None
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}") from None
    return list(io.StringIO(text, newline=None))  # the three kinds of line end, and no others


def _drop_blank_end(golds: list[Tree | None], preds: list[Tree | None]) -> None:
    """Blank lines at the end of the longer file are no sentences."""
    longer, shorter = (golds, preds) if len(golds) > len(preds) else (preds, golds)
    while len(longer) > len(shorter) and longer[-1] is None:
        longer.pop()
