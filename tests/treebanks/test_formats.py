from pathlib import Path

import pytest

from nccp.errors import ConfigError, InputError
from nccp.treebanks import FORMATS, open_treebank
from nccp.treebanks.formats import find_files

from .conftest import Write

TREE = "(S (NP (NNS Owls)) (VP (VBP sleep)))\n"


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        open_treebank(tmp_path / "none")
    with pytest.raises(InputError, match="no file matches"):
        open_treebank(f"{tmp_path}/*.mrg")


@pytest.mark.parametrize("files", [{}, {"README": "no trees"}, {"data.bin": b"\0\1\2"}, {".git/a.mrg": TREE}])
def test_folder_without_trees_lists_what_was_looked_for(write: Write, files: dict[str, str | bytes]) -> None:
    with pytest.raises(InputError, match="no trees in this folder") as caught:
        open_treebank(write(files))
    for name, kind in FORMATS.items():
        assert name in str(caught.value)
        assert kind.looks_for in str(caught.value)


def test_several_treebanks_in_one_folder(write: Write) -> None:
    folder = write({"ptb/wsj_0001.mrg": TREE, "ktb/a.psd": "( (N 梟) (ID 1))"})
    with pytest.raises(InputError, match=r"more than one treebank here \(penn, keyaki\)"):
        open_treebank(folder)
    assert open_treebank(folder, "penn").name == "penn"
    assert open_treebank(folder / "ktb").name == "keyaki"


def test_named_format(write: Write) -> None:
    folder = write({"wsj_2300.mrg": TREE})
    assert open_treebank(folder, "brackets").splits == ("all",)
    with pytest.raises(InputError, match="no keyaki treebank: looked for"):
        open_treebank(folder, "keyaki")
    with pytest.raises(ConfigError, match="unknown treebank format 'pen'"):
        open_treebank(folder, "pen")


def test_unknown_split(write: Write) -> None:
    bank = open_treebank(write({"train.mrg": TREE, "dev.mrg": TREE}))
    for call in (bank.read, bank.files):
        with pytest.raises(InputError, match="no split 'test' here, only train, dev"):
            call("test")


def test_files_are_in_the_same_order_everywhere(write: Write) -> None:
    folder = write(dict.fromkeys(["b/a", "B/x", "a-b", "a/c", "a.x"], TREE))
    names = [file.relative_to(folder).as_posix() for file in find_files(folder).files]
    assert names == sorted(names) == ["B/x", "a-b", "a.x", "a/c", "b/a"]


def test_links_are_followed_once(write: Write) -> None:
    folder = write({"real/a.mrg": TREE})
    (folder / "real/loop").symlink_to(folder)
    (folder / "twin").symlink_to(folder / "real")
    assert [entry.id for entry in open_treebank(folder).read()] == ["a#1"]


def test_the_same_part_twice(write: Write) -> None:
    for name in ("wsj_0201.mrg", "chtb_001.fid"):
        folder = write({f"a/{name}": TREE, f"b/{name}": TREE})
        with pytest.raises(InputError, match="is here twice"):
            open_treebank(folder, "penn" if name.endswith("mrg") else "chinese")
