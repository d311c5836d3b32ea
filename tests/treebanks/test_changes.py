from nccp.treebanks import Cleaning
from nccp.treebanks.changes import Changes
from nccp.trees import format_tree, parse_tree


def test_everything_is_counted() -> None:
    changes = Changes(Cleaning(lemmas="keep", flatten=("NML",), repairs=True))
    tree = changes.clean(
        parse_tree(
            "( (S (NP-SBJ (-NONE- *)) (VP (V[fin] go) (NP (NML (NN x) (NN y)) (NN z)))"
            " (SBAR (NP (WDT that)) (S (VP (VB go))))))"
        )
    )
    assert tree is not None
    assert format_tree(tree).startswith("(S (VP (V go) (NP (NN x) (NN y) (NN z))) (SBAR (WHNP")
    assert changes.removed_words == 1
    assert changes.cut == {"NP-SBJ -> NP": 1, "V[fin] -> V": 1}
    assert changes.flattened == {"NML": 1}
    assert changes.roots_off == {"": 1}
    assert changes.repaired == 1
    text = "\n".join(changes.lines())
    assert "V[fin] -> V 1" in text
    assert "(no label) 1" in text
    assert changes.to_dict()["cut_labels"] == changes.cut


def test_roots_over_several_nodes_are_kept_and_said() -> None:
    changes = Changes(Cleaning(lemmas="keep"))
    tree = changes.clean(parse_tree("(VROOT (S (VB go)) ($. .))"))
    assert tree is not None
    assert tree.label() == "VROOT"
    assert (changes.roots_off, changes.roots_kept) == ({}, {"VROOT": 1})


def test_a_tree_of_nothing() -> None:
    changes = Changes(Cleaning(lemmas="keep"))
    assert changes.clean(parse_tree("(S (NP (-NONE- *)))")) is None
    assert changes.removed_words == 1
