import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.treebanks.cleaning import RAW, Cleaning, clean, cut_label, remove_empty
from nccp.trees import Tree, format_tree, parse_tree


def shown(tree: Tree | None) -> str | None:
    return None if tree is None else format_tree(tree)


def only(tree: Tree | str, **switches: object) -> Tree:
    """The tree after the named steps and no other."""
    cleaned = clean(
        parse_tree(tree) if isinstance(tree, str) else tree, msgspec.structs.replace(RAW, **switches)
    )
    assert cleaned is not None
    return cleaned


@pytest.mark.parametrize(
    ("label", "bare"),
    [
        ("NP", "NP"),
        ("NP-SBJ", "NP"),
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("NP-SBJ-1=2", "NP"),
        ("NP;*SBJ*", "NP"),
        ("PP{ISLAND}", "PP"),
        ("VA4[+ASP]", "VA4"),
        ("ADVP|PRT", "ADVP|PRT"),
        ("VP‧的", "VP‧的"),
        ("PRP$", "PRP$"),
        ("-LRB-", "-LRB-"),
        ("-RRB-", "-RRB-"),
        ("-NONE-", "-NONE-"),
        ("--", "--"),
        ("-", "-"),
        ("=", "="),
        (":", ":"),
        (";", ";"),
        ("[", "["),
        ("", ""),
        ("multi-sentence", "multi-sentence"),
    ],
)
def test_cut_label(label: str, bare: str) -> None:
    assert cut_label(label) == bare


def test_cut_functions_on_labels_and_tags() -> None:
    tree = parse_tree("(S-TPC-1 (NP-SBJ=2 (-LRB- -LRB-) (NN-SHORT owl)) (VP (VB-X flies)))")
    assert shown(only(tree, cut_functions=True)) == "(S (NP (-LRB- -LRB-) (NN owl)) (VP (VB flies)))"


def test_empty_elements_go_with_the_ancestors_they_empty() -> None:
    tree = parse_tree("(S (SBAR (-NONE- 0) (S (NP (-NONE- *T*-1)))) (VP (VBD slept) (NP (-NONE- *))))")
    assert shown(remove_empty(tree)) == "(S (VP (VBD slept)))"


def test_nothing_left_is_none() -> None:
    assert remove_empty(parse_tree("( (S (NP (-NONE- *)) (VP (-NONE- *?*))))")) is None
    assert remove_empty(parse_tree("(-NONE- *)")) is None
    assert clean(parse_tree("( (S (NP (-NONE- *))))"), Cleaning()) is None
    assert clean(parse_tree("( (S (NP)))"), Cleaning()) is None


def test_stars_are_empty_only_where_asked() -> None:
    tree = parse_tree("(IP (NP-SBJ *pro*) (PP (NP *T*) (P *の*)) (N *) (VB 眠る))")
    assert remove_empty(tree) == tree
    assert shown(remove_empty(tree, stars=True)) == "(IP (VB 眠る))"
    assert shown(clean(tree, Cleaning(stars=True, remove_empty=False))) == (
        "(IP (NP *pro*) (PP (NP *T*) (P *の*)) (N *) (VB 眠る))"
    )


def test_flatten_moves_children_into_the_parent() -> None:
    tree = parse_tree("(NP (NML-1 (NML (NN bone) (NN marrow)) (NN stem)) (NML (NN x)) (NNS cells))")
    assert shown(only(tree, flatten=("NML",))) == "(NP (NN bone) (NN marrow) (NN stem) (NN x) (NNS cells))"


def test_unwrap_at_the_top() -> None:
    for before, after in (("( (HEADING {}))", "( {})"), ("(HEADING {})", "{}")):
        heading = "(NP (NNS Results))"
        assert shown(only(before.format(heading), unwrap=("HEADING",))) == after.format(heading)


@pytest.mark.parametrize("text", ["( (CIT (NNP Ng) (CD 1999)))", "(CIT (NNP Ng) (CD 1999))"])
def test_unwrap_keeps_the_only_node_that_holds_a_tree_together(text: str) -> None:
    assert shown(only(text, unwrap=("CIT",))) == text


def test_words() -> None:
    tree = parse_tree(r"(NP (-LRB- -LRB-) (CD 1\/2) (SYM \*) (-RRB- -RRB-))")
    plain = only(tree, words="unescape")
    assert plain.leaves() == ["(", "1/2", "*", ")"]
    assert only(plain, words="escape") == tree


def test_white_space_inside_words_goes() -> None:
    tree = Tree("NP", [Tree("NN", ["n\u200a"]), Tree("NN", ["sea\u2009horse"]), Tree("PU", ["\u3000"])])
    assert only(tree, join_words=True).leaves() == ["n", "seahorse", "\u3000"]
    assert clean(tree, Cleaning(words="escape")).leaves() == ["n", "seahorse", "\u3000"]  # type: ignore[union-attr]
    assert clean(tree, RAW) == tree


def test_clean_does_all_of_it_and_numbers_the_words() -> None:
    tree = parse_tree(
        "(TOP (S (NP-SBJ-1 (-NONE- *PRO*)) (VP=2 (VB eat) (NP (NML (NN rice) (NN cake)) (NNS crumbs)))))"
    )
    cleaned = clean(tree, Cleaning(flatten=("NML",)))
    assert shown(cleaned) == "(S (VP (VB eat) (NP (NN rice) (NN cake) (NNS crumbs))))"
    assert cleaned is not None
    assert cleaned.span == (0, 4)
    assert cleaned[0][1].span == (1, 4)


def test_each_switch_works_alone() -> None:
    text = "(TOP (S (NP-SBJ (-NONE- *)) (VP (VB go) (NML (RB home) (RB now)))))"
    assert shown(only(text)) == text
    assert shown(only(text, strip_root=True)) == text[5:-1]
    assert shown(only(text, cut_functions=True)) == text.replace("NP-SBJ", "NP")
    assert shown(only(text, remove_empty=True)) == "(TOP (S (VP (VB go) (NML (RB home) (RB now)))))"
    flat = text.replace("(NML ", "").replace("))))", ")))", 1)
    assert shown(only(text, flatten=("NML",))) == shown(only(text, unwrap=("NML",))) == flat


def test_trees_without_tags_get_one_for_each_word() -> None:
    cleaned = clean(parse_tree("(TOP (S (NP-SBJ the owl) (VP sleeps) .))"), Cleaning(add_tags=True))
    assert shown(cleaned) == "(S (NP (XX the) (XX owl)) (VP (XX sleeps)) (XX .))"


def test_the_argument_is_left_alone() -> None:
    text = "( (S (NP-SBJ (-NONE- *)) (VP (VB go))))"
    tree = parse_tree(text)
    clean(tree, Cleaning(flatten=("VP",), words="unescape"))
    assert shown(tree) == text


def test_root_over_several_trees_stays() -> None:
    text = "( (S (VB go)) (. .))"
    assert shown(clean(parse_tree(text), Cleaning())) == text


def test_ten_thousand_levels() -> None:
    tree = Tree("NN", ["owl"])
    for _ in range(10_000):
        tree = Tree("NP-SBJ", [tree, Tree("-NONE-", ["*"])])
    cleaned = clean(tree, Cleaning(words="escape"))
    assert cleaned is not None
    assert cleaned.height() == 10_002
    assert clean(tree, Cleaning(flatten=("NP",))).height() == 2  # type: ignore[union-attr]


def test_cleaning_reads_from_configuration() -> None:
    text = b'{"remove_empty": false, "flatten": ["NML"], "words": "unescape"}'
    assert msgspec.json.decode(text, type=Cleaning) == Cleaning(
        remove_empty=False, flatten=("NML",), words="unescape"
    )
    for wrong in (b'{"flaten": []}', b'{"words": "shout"}', b'{"strip_root": 3}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Cleaning)


labels = st.sampled_from(["S", "NP-SBJ", "NP=1", "NML", "VP", "-LRB-"])
trees = st.recursive(
    st.builds(
        lambda tag, word: Tree(tag, [word]),
        st.sampled_from(["NN", "-NONE-", "VB-X"]),
        st.sampled_from(["owl", "*T*", r"1\/2"]),
    ),
    lambda children: st.builds(Tree, labels, st.lists(children, min_size=1, max_size=4)),
    max_leaves=20,
)


@given(trees, st.booleans(), st.sampled_from([(), ("NML",), ("NP", "VP")]))
def test_cleaning_twice_is_cleaning_once(tree: Tree, stars: bool, flat: tuple[str, ...]) -> None:
    cleaning = Cleaning(stars=stars, flatten=flat)
    words = [word for word, tag in tree.pos() if tag != "-NONE-" and not (stars and word.startswith("*"))]
    once = clean(tree, cleaning)
    if once is None:
        assert not words
        return
    assert once.leaves() == words
    assert clean(once, cleaning) == once
