"""A student trains on a treebank of her own: a file of brackets in a made-up language, without splits."""

from __future__ import annotations

import itertools
import json

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.slow

SMALL = "model.size=32 model.context_layers=1 input.words=16 input.ngrams=16 train.threads=1"


def write_treebank(user, name: str = "mybank.mrg", lemmas: bool = False) -> None:
    """Subject, object, verb, sometimes a relative clause: 144 trees of a made-up language."""
    leaf = (lambda tag, word: f"({tag} {word} {word}-)") if lemmas else (lambda tag, word: f"({tag} {word})")
    nouns, verbs = ["mano", "tela", "piru", "osta"], ["lera", "suno", "vika"]
    adjectives = ["bon", "gran", "mal"]
    trees = []
    for number, (one, two, verb, adjective) in enumerate(itertools.product(nouns, nouns, verbs, adjectives)):
        subject = f"(NP-SBJ {leaf('N', one)} {leaf('A', adjective)})"
        if number % 5 == 0:
            subject = f"(NP-SBJ {subject} (CP {leaf('C', 'ke')} (VP {leaf('V', 'dormi')})))"
        trees.append(f"(S {subject} (VP (NP {leaf('N', two)}) {leaf('V', verb)}))")
    user.write(name, "\n".join(trees) + "\n")


def test_from_a_file_of_trees_to_a_parser(user):
    write_treebank(user)
    assert "144" in user.prints("nccp treebank check mybank.mrg")

    train = (
        f"nccp train --trees mybank.mrg -o runs/mine {SMALL} train.learning_rate=0.01 train.batch_words=60"
    )
    said = user.run(f"{train} train.epochs=2").stderr
    assert "no development split, so one was made" in said
    assert "next: nccp export runs/mine" in said

    said = user.prints(f"{train} train.epochs=12 --resume")
    assert "train.epochs changed from 2 to 12" in said
    history = [json.loads(line) for line in (user.home / "runs/mine/history.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in history] == list(range(1, 13))

    assert "F1" in user.prints("nccp export runs/mine my-model --float32")
    scores = json.loads(user.prints("nccp evaluate my-model runs/mine/mybank-split --json"))["all"]
    assert scores["f1"] > 90
    tree = user.prints("nccp parse --model ./my-model --input tokens", stdin="mano bon tela lera\n")
    assert tree == "(S (NP (N mano) (A bon)) (VP (NP (N tela)) (V lera)))\n"


def test_what_goes_wrong_is_explained(user):
    """Lemmas are found and left out; a wrong value, key or file has an error that helps."""
    write_treebank(user, lemmas=True)
    report = user.prints("nccp treebank check mybank.mrg")
    assert "lemmas dropped, leaves are (tag word lemma)" in report
    assert "634 in all" in report  # words, and no lemmas
    for setting, said in (
        ("train.batch_words=-3", "at least 0"),
        ("train.batch_word=100", "did you mean batch_words"),
        ("model.kind=tree", "binary"),
    ):
        assert said in user.run(f"nccp train --trees mybank.mrg -o runs/bad {setting}", fails=True).stderr
    assert not (user.home / "runs").exists()
    user.write("bare.mrg", "(S (NP he) (VP sleeps well))\n" * 30)
    assert "--add-tags" in user.prints("nccp treebank check bare.mrg")
