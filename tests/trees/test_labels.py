from hypothesis import given
from hypothesis import strategies as st

from nccp.trees import Names, Tree, add_root, escape_word, parse_tree, strip_root, unescape_word
from nccp.trees.labels import is_sub, join_chain, split_chain, sub_label

labels = st.text(st.sampled_from("AB+_#\\-"), max_size=4)


@given(st.lists(labels, min_size=1, max_size=4))
def test_chains_survive_whatever_their_labels_hold(chain):
    joined = join_chain(chain)
    assert list(split_chain(joined)) == chain
    assert not is_sub(joined)


def test_chain_reads_as_in_the_paper():
    assert join_chain(["SBAR", "S"]) == "SBAR+S"
    assert sub_label("SBAR+S") == "_S"
    assert sub_label(join_chain(["A+B"])) == "_A\\+B"


def test_names_number_and_freeze():
    names = Names(["a"])
    assert (names.add("b"), names.add("a"), names[1], names[-1]) == (1, 0, "b", "")
    names.frozen = True
    assert names.add("c") == -1


def test_sub_labels_can_share_one_name():
    names = Names(["S"], unify_sub=True)
    assert [names.add(name) for name in ("_S", "#DT", "_NP", "S", "\\_x")] == [1, 1, 1, 0, 2]
    again = Names(names.names, frozen=True)
    assert again.add("_VP") == names.ids["_"]


def test_what_is_no_constituent():
    assert [is_sub(name) for name in ("S", "_S", "#DT", "\\_x")] == [False, True, True, False]


def test_roots_of_every_form_come_off():
    bare = parse_tree("(S (NP (DT a)) (VP (VB b)))")
    for root in ("TOP", "ROOT", "S1", "VROOT", ""):
        assert strip_root(Tree(root, [bare])) == bare
        assert strip_root(Tree(root, [Tree(root, [bare])])) == bare


def test_a_root_that_holds_two_trees_stays_and_is_renamed():
    two = parse_tree("( (S (A a)) (. .))")
    assert strip_root(two) == two
    assert add_root(two, "TOP") == parse_tree("(TOP (S (A a)) (. .))")
    assert add_root(parse_tree("(S (A a))")) == parse_tree("(TOP (S (A a)))")


def test_a_word_tagged_like_a_root_is_a_word():
    assert add_root(Tree("TOP", ["x"])) == Tree("TOP", [Tree("TOP", ["x"])])


@given(st.text(st.sampled_from("a()[]{}/*-"), min_size=1, max_size=5))
def test_escaped_words_come_back(word):
    escaped = escape_word(word)
    assert "(" not in escaped
    assert ")" not in escaped
    assert unescape_word(escaped) == word


def test_escapes_are_penns():
    assert [escape_word(w) for w in ("(", "1/2", "*", "f(x)")] == ["-LRB-", "1\\/2", "\\*", "f-LRB-x-RRB-"]
