"""Brackets: every form that is read, what is said of bad ones, and the way back."""

from __future__ import annotations

import io
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree as NltkTree

from nccp.errors import BracketError, InputError, TreeError
from nccp.trees import TreeReader, brackets, format_tree, parse_tree, parse_trees, read_trees
from nccp.trees.tree import Tree

NP = Tree("NP", [Tree("DT", ["the"]), Tree("NN", ["dog"])])


@pytest.mark.parametrize(
    "text",
    [
        "(NP (DT the) (NN dog))",
        "(NP(DT the)(NN dog))",
        "  (NP\n    (DT the)\n    (NN dog))\n",
        "(NP\r\n\t(DT\tthe)\r\n\t(NN dog))\r\n",
        "(\nNP (DT\nthe) (\n  NN dog\n)\n)",
        "( NP ( DT the ) ( NN dog ) )",
        "\ufeff(NP (DT the) (NN dog))",
        "(NP\u3000(DT\xa0the) (NN\u3000 dog))",
        "\u3000(NP (DT the)\n\u3000\u3000(NN dog))\u3000",
    ],
)
def test_layouts(text: str) -> None:
    tree = parse_tree(text)
    assert tree == NP
    assert [node.span for node in tree.subtrees()] == [(0, 2), (0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("(NP)", Tree("NP", [])),
        ("()", Tree("", [])),
        ("( )", Tree("", [])),
        ("(NP dog)", Tree("NP", ["dog"])),
        ("(NP a b)", Tree("NP", ["a", "b"])),
        ("((NP dog))", Tree("", [Tree("NP", ["dog"])])),
        ("( (NP dog) )", Tree("", [Tree("NP", ["dog"])])),
        ("(NP the (NN dog))", Tree("NP", ["the", Tree("NN", ["dog"])])),
        ("(NP (NN dog) the)", Tree("NP", [Tree("NN", ["dog"]), "the"])),
        ("(NP (NN dog)the)", Tree("NP", [Tree("NN", ["dog"]), "the"])),
        ("(S (NP) (VP))", Tree("S", [Tree("NP", []), Tree("VP", [])])),
        ("(S () (VP v))", Tree("S", [Tree("", []), Tree("VP", ["v"])])),
        ("(-LRB- -LRB-)", Tree("-LRB-", ["-LRB-"])),
        (r"(SYM \)", Tree("SYM", ["\\"])),
        (r"(CD 1\/2)", Tree("CD", [r"1\/2"])),
    ],
)
def test_forms(text: str, tree: Tree) -> None:
    assert parse_tree(text) == tree
    assert parse_tree(format_tree(tree)) == tree


@pytest.mark.parametrize("word", ["\u3000", "«\xa0", "\xa0»", "10\u202f000", "\u3000の\u3000"])
def test_white_space_beyond_ascii_is_kept_in_words(word: str) -> None:
    assert parse_tree(f"(X (SYM {word}) (N x))")[0] == Tree("SYM", [word])


def test_several_trees_on_a_line_and_their_lines() -> None:
    reader = TreeReader(["\n(A a) (B\nb)\n\n(", "C c)(D d)"])
    assert reader.line == 0
    assert [(tree.label(), reader.line) for tree in reader] == [("A", 2), ("B", 2), ("C", 5), ("D", 5)]
    assert reader.line == 5


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    text = "(N 酒)\n(NN dog)\n"
    trees = [Tree("N", ["酒"]), Tree("NN", ["dog"])]
    path.write_text(text, encoding="utf-8")
    assert list(read_trees(path)) == list(read_trees(str(path))) == trees
    with path.open(encoding="utf-8") as file:
        reader = TreeReader(file)
        assert reader.source == str(path)
        assert list(reader) == trees
    with path.open("rb") as file:
        assert list(TreeReader(file)) == trees
    assert list(TreeReader(io.StringIO(text))) == list(TreeReader(list(text))) == parse_trees(text) == trees
    reader = TreeReader(path)
    assert list(reader) == list(reader)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb2312", "euc-jp"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "trees"
    path.write_text("(N 酒)\n", encoding=encoding)
    assert list(read_trees(path, encoding=encoding)) == [Tree("N", ["酒"])]


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_nothing_is_no_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty"
    path.write_text(text, encoding="utf-8")
    assert list(read_trees(path)) == parse_trees(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(A a)\n  (B (C c)", "f.mrg:2:3: bracket never closed"),
        ("(A a)\n(B b))\n", "f.mrg:2:6: closing bracket without an opening one"),
        ("(A a)) (B b)", "f.mrg:1:6: closing bracket without an opening one"),
        (")", "f.mrg:1:1: closing bracket without an opening one"),
        ("(A a)\n\n 酒 foo bar (B b)", "f.mrg:3:2: text outside brackets: '酒'"),
        ("(N 酒) foo", "f.mrg:1:7: text outside brackets: 'foo'"),
        ("just text", "f.mrg:1:1: text outside brackets: 'just'"),
        ("(A a)\n(B \0)", "f.mrg:2:4: a binary file (it has a NUL byte)"),
        ("(N 酒) (N \ud800)", "f.mrg:1:10: not utf-8 text (byte 0xed): another encoding?"),
        ("(N 酒) (\ud800 x)", "f.mrg:1:8: not utf-8 text (byte 0xed): another encoding?"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(BracketError) as caught:
        parse_trees(text, source="f.mrg")
    assert str(caught.value) == message


def test_trees_before_an_error_are_given() -> None:
    reader = iter(TreeReader(["(A a) (B b)) (C c)"]))
    assert [next(reader).label(), next(reader).label()] == ["A", "B"]
    with pytest.raises(BracketError):
        next(reader)


@pytest.mark.parametrize(("encoding", "line"), [("utf-8", 2), ("gb2312", 2), ("utf-16", 1)])
def test_wrong_encoding(tmp_path: Path, encoding: str, line: int) -> None:
    path = tmp_path / "trees"
    path.write_bytes(b"(A a)\n(B \xff\xfe)" + b"\n" * (encoding == "utf-16"))
    with pytest.raises(BracketError, match=encoding) as caught:
        list(read_trees(path, encoding=encoding, skip_bad=True))
    assert caught.value.line == line


def test_bad_sources(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing: No such file"):
        list(read_trees(tmp_path / "missing"))
    with pytest.raises(InputError, match="directory"):
        list(read_trees(tmp_path))
    (tmp_path / "file").write_text("(A a)")
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        list(read_trees(tmp_path / "file", encoding="klingon"))


def test_one_tree_is_one_tree() -> None:
    with pytest.raises(BracketError, match="no tree"):
        parse_tree(" ")
    with pytest.raises(BracketError, match=":2:1: a second tree"):
        parse_tree("(A a)\n(B b)")


def test_skip_bad() -> None:
    text = "intro (A a)) ))\n(B b)\n(C (D d)\n(E e)\nfoo\n(F f)\n(G"
    reader = TreeReader([text], skip_bad=True, source="x")
    assert [(tree.label(), reader.line) for tree in reader] == [("A", 1), ("B", 2), ("E", 4), ("F", 6)]
    assert [str(error) for error in reader.errors] == [
        "x:1:1: text outside brackets: 'intro'",
        "x:1:12: closing bracket without an opening one",
        "x:1:14: closing bracket without an opening one",
        "x:3:1: bracket never closed",
        "x:5:1: text outside brackets: 'foo'",
        "x:7:1: bracket never closed",
    ]


def test_an_unclosed_tree_does_not_swallow_a_long_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brackets, "CHUNK", 64)
    monkeypatch.setattr(brackets, "_PATIENCE", 1024)
    good = "(S (NP a)\n (VP b))\n"
    read = 0

    def pieces() -> Iterator[str]:
        nonlocal read
        for number in range(2000):
            read = number
            yield "(S (NP never)\n" if number == 10 else good

    reader = TreeReader(pieces(), skip_bad=True)
    trees = iter(reader)
    for _ in range(11):
        assert next(trees) == parse_tree(good)
    assert read < 300
    assert sum(1 for _ in trees) == 1999 - 11
    assert [(error.what, error.line) for error in reader.errors] == [("bracket never closed", 21)]


def test_a_file_of_unclosed_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brackets, "CHUNK", 64)
    monkeypatch.setattr(brackets, "_PATIENCE", 1024)
    reader = TreeReader(["(S (NP never)\n" * 300], skip_bad=True)
    assert list(reader) == []
    assert [error.line for error in reader.errors] == list(range(1, 301))


def test_a_tree_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brackets, "CHUNK", 64)
    endless = ("(A a)" if number else "(S " for number in range(10**9))
    with pytest.raises(BracketError, match=":1:1: bracket never closed, or a tree of more than 1,024 bytes"):
        list(TreeReader(endless, longest=1024))


@pytest.mark.parametrize("glue", ["\n", " ", ""])
def test_memory_does_not_grow_with_the_file(glue: str) -> None:
    tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))" + glue

    def peak(times: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in TreeReader(tree * 100 for _ in range(times))) == 100 * times
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(5)
    assert peak(40) < 1.5 * peak(10)


def test_deep_trees() -> None:
    text = "(X " * 10_000 + "word" + ")" * 10_000
    tree = parse_tree(text)
    assert tree.height() == 10_001
    assert format_tree(tree) == text.replace("(X word", "(X word")
    assert parse_tree(format_tree(tree)) == tree
    with pytest.raises(BracketError, match=":1:1: bracket never closed"):
        parse_tree(text[:-1])


# ---- the way back ----------------------------------------------------------------------------------


def test_format() -> None:
    assert format_tree(NP) == format_tree(NltkTree.convert(NP)) == "(NP (DT the) (NN dog))"
    assert format_tree(Tree("", [NP])) == "( (NP (DT the) (NN dog)))"
    assert format_tree(Tree("S", [Tree("E", []), "a"])) == "(S (E) a)"


@pytest.mark.parametrize(
    "tree",
    [
        Tree("N", ["a b"]), Tree("N", ["a\nb"]), Tree("N", ["("]), Tree("N", ["a)"]), Tree("N", [""]),
        Tree("N P", ["a"]), Tree("N(", ["a"]), Tree("N\u3000", ["a"]), Tree("", ["a"]),
        Tree("N", ["(", ")"]), Tree("N", ["\u3000", "a"]), Tree("S", [NP, Tree("", ["x", NP])]),
    ],
)  # fmt: skip
def test_what_brackets_cannot_hold_is_an_error(tree: Tree) -> None:
    with pytest.raises(TreeError):
        format_tree(tree)


_text = st.text(
    st.characters(exclude_characters="() \t\n\r\f\v\0", exclude_categories=["Cs"]), min_size=1, max_size=4
)
_words = _text.filter(lambda word: not word.isspace() and not word.startswith("\ufeff"))
_labels = _words.filter(lambda label: label.split() == [label])
_trees = st.recursive(
    st.builds(
        lambda label, word: Tree(label, [word]), _labels, _text.filter(lambda w: not w.startswith("\ufeff"))
    ),
    lambda inner: st.one_of(
        st.builds(Tree, _labels, st.lists(inner | _words, max_size=4)),
        st.builds(Tree, st.just(""), st.lists(inner, max_size=3)),
    ),
    max_leaves=12,
)


@given(_trees)
def test_round_trip(tree: Tree) -> None:
    tree.set_spans()
    again = parse_tree(format_tree(tree))
    assert again == tree
    assert [node.span for node in again.subtrees()] == [node.span for node in tree.subtrees()]


def test_a_word_of_white_space_before_another_tree() -> None:
    first, second = TreeReader(["((A \x85\xa0))(B b)(C\n\u3000)"]), [Tree("B", ["b"]), Tree("C", ["\u3000"])]
    assert list(first) == [Tree("", [Tree("A", ["\x85\xa0"])]), *second]


@given(st.lists(_trees, max_size=5), st.randoms(use_true_random=False))
def test_chunks_and_layout_do_not_matter(trees: list[Tree], rng: random.Random) -> None:
    text = "".join(format_tree(tree) + rng.choice(["", " ", "\n", "\n\n"]) for tree in trees)
    text = text.replace(" (", rng.choice([" (", "\n  (", "\n(", "\t(", "\r\n  ("]))
    pieces = []
    while text:
        size = rng.randint(1, 20)
        pieces.append(text[:size])
        text = text[size:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "CHUNK", rng.randint(1, 30))
        assert list(TreeReader(pieces)) == trees


_ascii_labels = st.text("ABC-|=", min_size=1, max_size=3)


_leaf_texts = st.builds("({} {})".format, _ascii_labels, st.text("xyz*.", min_size=1, max_size=3))
_tree_texts = st.recursive(
    _leaf_texts,
    lambda inner: st.builds("({} {})".format, _ascii_labels, st.lists(inner, max_size=4).map(" ".join)),
    max_leaves=20,
)


@given(_tree_texts)
def test_agrees_with_nltk(text: str) -> None:
    assert parse_tree(text) == NltkTree.fromstring(text)


@given(st.text("()ab \n", max_size=40))
def test_any_text_is_read_or_refused_and_skipping_always_ends(text: str) -> None:
    reader = TreeReader([text], skip_bad=True)
    trees = list(reader)
    try:
        assert parse_trees(text) == trees
        assert not reader.errors
    except BracketError as error:
        assert str(error) == str(reader.errors[0])  # noqa: PT017 - whether it raises is what is asked


@pytest.mark.parametrize("text", ["(", "( ", "(X ", "(é", "word", "(X word"])
@pytest.mark.parametrize("skip_bad", [False, True])
def test_text_in_which_no_tree_can_end_is_not_read_as_a_whole(text, skip_bad):
    """Without a line end or a closing bracket, all of the file came into memory, whatever the limit."""
    longest, read = 1 << 16, 0

    def blocks():
        nonlocal read
        for _ in range(64):
            read += 1
            yield text * (longest // len(text))

    reader = TreeReader(blocks(), longest=longest, skip_bad=skip_bad)
    if not skip_bad:
        with pytest.raises(BracketError):
            list(reader)
        assert read < 32
        return
    assert list(reader) == []
    assert len(reader.errors) > 4  # it was given up again and again, not once at the end
