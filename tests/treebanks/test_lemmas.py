import warnings

import pytest

from nccp.errors import NccpWarning
from nccp.treebanks import Cleaning, open_treebank
from nccp.treebanks.lemmas import Form, cut_lemma, recognise
from nccp.trees import format_tree, parse_tree

from .conftest import Write

TREES: dict[Form, str] = {
    "second": "(S (sn (espec (da0ms0 El el)) (grup (ncms000 gato gato))) (gv (vmip3s0 duerme dormir)))",
    "node": "(S (NP (no hestur (lemma hestur))) (VP (so sefur (lemma sofa) (exp_seg se-fur))))",
    "hyphen": "(IP (NP-SBJ (N-N forseti-forseti)) (NP *T*-1) (VBPI kom-koma) (. .-.))",
}
CLEAN: dict[Form, str] = {
    "second": "(S (sn (espec (da0ms0 El)) (grup (ncms000 gato))) (gv (vmip3s0 duerme)))",
    "node": "(S (NP (no hestur)) (VP (so sefur)))",
    "hyphen": "(IP (NP (N forseti)) (NP *T*-1) (VBPI kom) (. .))",
}


@pytest.mark.parametrize("form", TREES)
def test_forms_are_recognised_and_said(write: Write, form: Form) -> None:
    bank = open_treebank(write({"a.mrg": TREES[form] + "\n"}))
    with pytest.warns(NccpWarning, match="most leaves carry a lemma"):
        trees = [format_tree(entry.tree) for entry in bank.read()]
    assert trees == [CLEAN[form]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # said once
        assert [format_tree(entry.tree) for entry in bank.read()] == trees


@pytest.mark.parametrize("form", TREES)
def test_a_switch_chooses(write: Write, form: Form) -> None:
    bank = open_treebank(write({"a.mrg": TREES[form] + "\n"}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (kept,) = bank.read(cleaning=Cleaning(lemmas="keep", cut_functions=False))
        (cut,) = bank.read(cleaning=Cleaning(lemmas=form))
    assert format_tree(kept.tree) == TREES[form]
    assert format_tree(cut.tree) == CLEAN[form]


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (JJ well-known) (NNS owls)) (VP (VBP sleep)))",
        "(S (NP two words) (VP (V one)) (PP (P in) (NP the woods)))",
        "(S (NP (N owl)) (LEMMA x))",
    ],
)
def test_most_treebanks_have_none(text: str) -> None:
    assert recognise([parse_tree(text)]) == "keep"


def test_nothing_to_look_at() -> None:
    assert recognise([]) == "keep"


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("kom-koma", "kom"),
        ("a-b-a-b", "a-b"),
        ("---", "-"),
        ("-", "-"),
        ("owl", "owl"),
        ("*T*-1", "*T*-1"),
        ("x-", "x-"),
    ],
)
def test_cut_lemma(word: str, bare: str) -> None:
    assert cut_lemma(word) == bare


def test_a_leaf_of_several_words_and_a_tree_of_one_leaf(write: Write) -> None:
    text = "(NP (person Sigga Kling (lemma Sigga Kling)))\n(no hestur (lemma hestur))\n"
    bank = open_treebank(write({"a.mrg": text}))
    trees = [format_tree(entry.tree) for entry in bank.read(cleaning=Cleaning(lemmas="node"))]
    assert trees == ["(NP (person Sigga) (person Kling))", "(no hestur)"]
