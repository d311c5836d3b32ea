r"""GreynirCorpus, modern Icelandic: ``devset/*.gld`` and ``testset/*.gld``, the parts corrected by hand.

::

    ( (META (ID-LOCAL corpus_1,.3) (URL ...))         (S (NP (no hestur))        id corpus_1,.3
      (S0 (S-MAIN (NP-SUBJ                       ->      (VP (so sefur)))
            (no_et_nf_kk hestur (lemma hestur)))
            (VP (so_fh sefur (lemma sofa))))))

Tags keep the class of the word (``no``, ``so``, ``lo``): with all inflections there are over a thousand. A
leaf of several words ("í gær") becomes several leaves with the same tag. Brackets that are words, written
``\(`` or ``&#40;``, become ``-LRB-`` and ``-RRB-``. Trees under S0-X, sentences that the annotators marked as
outside their grammar, are left out. testset is the test set; every tenth file of
devset is held out for development.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import BracketError, InputError
from nccp.treebanks.text_files import read_text
from nccp.treebanks.treebank import ALL, Entry, Source, Treebank, read_brackets
from nccp.trees import Tree, TreeReader

_ROOT, _OUTSIDE = "S0", "S0-X"
_BRACKETS = {"-LRB-": re.compile(r"\\\(|\\?&#40;"), "-RRB-": re.compile(r"\\\)|\\?&#41;")}
_DEV_EVERY = 10


class Greynir(Treebank):
    name = "greynir"
    looks_for = "*.gld"
    lemmas = "node"

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        return tuple(file for file in source.files if file.suffix == ".gld")

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        devset = [file for file in files if _is_in(file, "devset")]
        test = tuple(file for file in files if _is_in(file, "testset"))
        dev = tuple(devset[_DEV_EVERY - 1 :: _DEV_EVERY])
        train = tuple(file for file in devset if file not in dev)
        return {"train": train, "dev": dev, "test": test} if devset or test else {ALL: files}

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """The trees of a file without META; lemmas are still there."""
        text = read_text(file)
        for bracket, escaped in _BRACKETS.items():
            text = escaped.sub(bracket, text)
        reader = TreeReader([text], skip_bad=bad is not None, source=str(file))
        for entry in read_brackets(reader, file, bad):
            nodes = [child for child in entry.tree if isinstance(child, Tree)]
            if len(nodes) != len(entry.tree) or not nodes or nodes[0].label() != "META":
                error = BracketError("a Greynir tree starts with (META ...)", str(file), entry.line)
                if bad is None:
                    raise error
                bad.append(error)
                continue
            if any(node.label() == _OUTSIDE for node in nodes):
                continue
            tree = _shorten(Tree("TOP", [part for node in nodes[1:] for part in _parts(node)]))
            yield Entry(tree, _identifier(nodes[0]) or entry.id, file, entry.line)


def _is_in(file: Path, name: str) -> bool:
    """Whether the file is in this folder, or in a folder there: the published corpus has ``devset/psd``."""
    return name in (file.parent.name, file.parent.parent.name)


def _parts(node: Tree) -> list[Tree]:
    """What the root S0 holds; any other node as it is."""
    return list(node) if node.label() == _ROOT else [node]


def _identifier(meta: Tree) -> str:
    names = [
        " ".join(node.leaves()) for node in meta if isinstance(node, Tree) and node.label() == "ID-LOCAL"
    ]
    return names[0] if names else ""


def _shorten(tree: Tree) -> Tree:
    """Cut tags to the class of the word, in place: ``no_et_nf_kk`` to ``no``."""
    for node in tree.subtrees():
        if any(isinstance(child, str) for child in node) and not node.label().startswith("exp_"):
            node.set_label(node.label().partition("_")[0])
    return tree
