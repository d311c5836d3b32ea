"""The compiled reader of plain trees: it reads nothing that the other would read in another way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nccp.trees import Tree, TreeReader, brackets

plain = pytest.importorskip("nccp.trees._plain", reason="there was no compiler when nccp was installed")

_ReadPlain = Callable[[bytes], tuple[list[Tree], int]]


def _nothing(part: bytes) -> tuple[list[Tree], int]:
    return [], 0


def _read(text: str, read_plain: _ReadPlain) -> list[object]:
    """All there is to know of a text: trees, spans, lines and errors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "read_plain", read_plain)
        reader = TreeReader([text], skip_bad=True)
        found: list[object] = []
        for tree in reader:
            found.append((tree, reader.line, [(node.label(), node.span) for node in tree.subtrees()]))
        return found + [str(error) for error in reader.errors]


@given(st.text("()abé\u3000\x1c\t \n", max_size=40))
@example("(a b)(\x1ca b)")
@example("(a b) (a\u3000 b)")
@example("( (a b))((a b))")
@example("(a (b c) d) (a b)")
@example("(a (b c)\n) (a)")
@example("(a (b c)")
def test_it_makes_no_difference(text: str) -> None:
    assert _read(text, plain.read_plain) == _read(text, _nothing)


def test_it_stops_where_a_tree_is_not_plain_or_not_whole() -> None:
    first = Tree("S", [Tree("NP", [Tree("N", ["犬"])]), Tree("V", ["runs"])])
    text = "(S (NP (N 犬)) (V runs))\n"
    for rest in ("", "(NP", "(NP (N x)", "(NP (N x) y)", "(NP)", "(N \udcff)", ") (N x)"):
        part = (text + rest).encode(errors="surrogateescape")
        assert plain.read_plain(part) == ([first], len(text.encode()) - 1)


def test_labels_are_one_object() -> None:
    (tree,), _ = plain.read_plain(b"(N-SBJ (N-SBJ x))")
    assert tree.label() is tree[0].label()
