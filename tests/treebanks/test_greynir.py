import pytest

from nccp.errors import InputError
from nccp.treebanks import RAW, open_treebank
from nccp.trees import format_tree

from .conftest import Write

TREE = r"""( (META (ID-CORPUS 1) (ID-LOCAL corpus_{id}) (URL http://x.is) (COMMENT ))
  ({root} (S-MAIN (IP (NP-SUBJ (no_et_nf_kk hestur (lemma hestur) (exp_seg hest-ur))
                        (grm \() (grm \) (lemma \))))
               (VP (so_0_fh sefur (lemma sofa))
                   (ADVP-DATE-REL (ao í gær (lemma í gær))))))
      (grm . (lemma .))))

"""


def tree(id: object = 1, root: str = "S0") -> str:
    return TREE.replace("{id}", str(id)).replace("{root}", root)


def test_lemmas_inflections_and_meta_go(write: Write) -> None:
    (entry,) = open_treebank(write({"a.gld": tree("7,.3")})).read()
    assert (entry.id, entry.line) == ("corpus_7,.3", 1)
    assert format_tree(entry.tree) == (
        "(TOP (S (IP (NP (no hestur) (grm -LRB-) (grm -RRB-))"
        " (VP (so sefur) (ADVP (ao í) (ao gær))))) (grm .))"
    )


@pytest.mark.parametrize("brackets", [r"\( \)", "&#40; &#41;", r"\&#40; \&#41;"])
def test_brackets_that_are_words(write: Write, brackets: str) -> None:
    opening, closing = brackets.split()
    text = f"( (META (ID-LOCAL a)) (S0 (NP (grm {opening}) (no hestur) (grm {closing} (lemma {closing})))))"
    (entry,) = open_treebank(write({"a.gld": text})).read()
    assert format_tree(entry.tree) == "(NP (grm -LRB-) (no hestur) (grm -RRB-))"


def test_raw_trees_keep_their_lemmas(write: Write) -> None:
    (entry,) = open_treebank(write({"a.gld": tree()})).read(cleaning=RAW)
    assert "(lemma sofa)" in format_tree(entry.tree)


def test_sentences_outside_the_grammar_are_left_out(write: Write) -> None:
    bank = open_treebank(write({"a.gld": tree(1) + tree(2, "S0-X") + tree(3)}))
    assert [entry.id for entry in bank.read()] == ["corpus_1", "corpus_3"]


def test_trees_without_meta_are_bad(write: Write) -> None:
    bank = open_treebank(write({"a.gld": tree() + "( (S0 (no owl)))\n"}))
    with pytest.raises(InputError, match=r"a\.gld:8:1: a Greynir tree starts with"):
        list(bank.read())
    bad: list[InputError] = []
    assert len(list(bank.read(bad=bad))) == len(bad) == 1


def test_every_tenth_file_is_held_out(write: Write) -> None:
    files = {f"devset/c_{number:02}.gld": tree(number) for number in range(1, 21)}
    bank = open_treebank(write(files | {"testset/psd/c_90.gld": tree(90)}))
    assert bank.splits == ("train", "dev", "test")
    assert [entry.id for entry in bank.read("dev")] == ["corpus_10", "corpus_20"]
    assert len(list(bank.read("train"))) == 18
    assert [entry.id for entry in bank.read("test")] == ["corpus_90"]


def test_the_real_treebank(treebanks) -> None:  # type: ignore[no-untyped-def]
    splits = [entry.split for entry in open_treebank(treebanks / "greynir").read()]
    assert {name: splits.count(name) for name in splits} == {"train": 3_820, "dev": 419, "test": 455}


def test_icon_is_plain_brackets(treebanks) -> None:  # type: ignore[no-untyped-def]
    bank = open_treebank(treebanks / "icon")
    splits = [entry.split for entry in bank.read()]
    assert bank.name == "brackets"
    assert {name: splits.count(name) for name in splits} == {"train": 8_000, "dev": 1_000, "test": 1_000}
