import json

from nccp.treebanks import Cleaning, check_treebank, open_treebank

from .conftest import Write

FILES = {
    "train.mrg": "(TOP (S (NP-SBJ (NNS Owls)) (VP (VBP sleep))))\n"
    "(TOP (S (NP (-NONE- *)) (VP (VB eat) (NP (NN rice)) (ADVP (RB now)))))\n"
    "(TOP (S (NP (-NONE- *))))\n",
    "dev.mrg": "(TOP (FRAG (NP (NP (NN owl) (NN owl)))))\n(TOP (S hello (NN owl)))\n)\n",
    "other.mrg": "(S (UH oh))",
}


def test_report(write: Write) -> None:
    folder = write(FILES)
    report = check_treebank(open_treebank(folder))
    train, dev = report.splits["train"], report.splits["dev"]
    assert (train.files, train.trees, train.words, train.emptied) == (1, 2, 5, 1)
    assert (dev.files, dev.trees, dev.words, dev.emptied) == (1, 2, 4, 0)
    assert (train.longest, train.deepest) == (3, 5)
    assert report.lengths == {2: 3, 3: 1}
    assert report.labels == {"S": 3, "NP": 4, "VP": 2, "ADVP": 1, "FRAG": 1}
    assert report.tags == {"NNS": 1, "VBP": 1, "VB": 1, "NN": 4, "RB": 1}
    assert report.chains == {"S VP": 1, "FRAG NP NP": 1}
    assert report.untagged == [f"{folder}/dev.mrg:2"]
    assert [str(error).rpartition(": ")[0] for error in report.bad] == [f"{folder}/dev.mrg:3:1"]
    assert report.unused == [f"{folder}/other.mrg"]


def test_cleaning_counts(write: Write) -> None:
    bank = open_treebank(write(FILES) / "train.mrg")
    report = check_treebank(bank, Cleaning(remove_empty=False, cut_functions=False, strip_root=False))
    assert report.labels == {"TOP": 3, "S": 3, "NP-SBJ": 1, "NP": 3, "VP": 2, "ADVP": 1}
    assert report.tags["-NONE-"] == 2


def test_histogram(write: Write) -> None:
    trees = [f"(S {' '.join(['(NN owl)'] * words)})" for words in (1, 10, 11, 35)]
    report = check_treebank(open_treebank(write({"a.mrg": "\n".join(trees)})))
    assert report.histogram() == {"1-10": 2, "11-20": 1, "21-30": 0, "31-40": 1}


def test_json_and_text_say_the_same(write: Write) -> None:
    report = check_treebank(open_treebank(write(FILES)))
    data = json.loads(json.dumps(report.to_dict()))
    assert data["splits"]["train"]["mean_length"] == 2.5
    assert list(data["tags"]) == ["NN", "NNS", "RB", "VB", "VBP"]
    assert len(data["bad"]) == 1
    text = report.to_text()
    for piece in ("brackets", "train", "FRAG NP NP", "dev.mrg:3:1", "dev.mrg:2", "other.mrg", "1-10"):
        assert piece in text


def test_long_lists_are_cut_in_text_only(write: Write) -> None:
    report = check_treebank(open_treebank(write({"a.mrg": "(S (UH oh))\n" + ")\n" * 30})))
    assert "and 10 more" in report.to_text()
    assert len(report.to_dict()["bad"]) == 30


def test_watch_sees_every_tree(write: Write) -> None:
    seen: list[str] = []
    check_treebank(
        open_treebank(write(FILES)),
        watch=lambda entries: (seen.append(entry.id) or entry for entry in entries),  # type: ignore[func-returns-value]
    )
    assert seen == ["train#1", "train#2", "train#3", "dev#1", "dev#2"]
