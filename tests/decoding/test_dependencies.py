from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.decoding import InputSentence, Parse
from nccp.decoding.dependencies import Dependency, find_dependencies, format_conllu
from nccp.trees import Tree, parse_tree, to_gaps

CAT = "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .))"


def test_english():
    heads = [(one.head, one.relation) for one in find_dependencies(parse_tree(CAT), "en")]
    assert heads == [
        (2, "DT<NP"),
        (3, "NP<S"),
        (0, "root"),
        (3, "PP<VP"),
        (6, "DT<NP"),
        (4, "NP<PP"),
        (3, ".<S"),
    ]


@pytest.mark.parametrize(("language", "head"), [("ja", 2), ("zh", 1), ("tlh", 1)])
def test_languages_without_rules(language, head):
    tree = parse_tree("(IP (PP (N a)) (VB b) (PU 。))")
    assert [one.head for one in find_dependencies(tree, language)][head - 1] == 0


trees = st.recursive(
    st.builds(lambda word: Tree("NN", [word]), st.sampled_from(["a", ".", "b"])),
    lambda children: st.builds(
        Tree, st.sampled_from(["S", "NP", "VP", "?"]), st.lists(children, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


@given(trees, st.sampled_from(["en", "ja"]))
def test_dependencies_form_a_tree(tree, language):
    found = find_dependencies(tree, language)
    assert len(found) == len(tree.leaves())
    assert sum(one.head == 0 for one in found) == 1
    for number in range(1, len(found) + 1):
        seen = set()
        while number:
            assert number not in seen
            seen.add(number)
            number = found[number - 1].head


def test_conllu():
    tree = parse_tree(CAT)
    text = format_conllu(
        Parse(InputSentence(tree.leaves()), to_gaps(tree)), "en", text="The cat\nsat on a mat."
    )
    comment, *rows = text.splitlines()
    assert comment == "# text = The cat sat on a mat."
    assert rows[1] == "2\tcat\t_\t_\tNN\t_\t3\tNP<S\t_\t_"
    assert all(len(row.split("\t")) == 10 for row in rows)
    assert format_conllu(Parse(InputSentence([]), None), "en") == ""


def test_a_deep_tree():
    tree = Tree("NN", ["a"])
    for _ in range(5000):
        tree = Tree("NP", [tree])
    assert find_dependencies(tree, "en") == [Dependency(0, "root")]
