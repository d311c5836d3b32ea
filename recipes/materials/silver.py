"""Choose the trees to learn from among those that two models have parsed (see `genres.py`).

    python recipes/materials/silver.py ../shared/raw ../silver ../silver-en

``NAME.a`` and ``NAME.b`` are the trees of two models for ``NAME.txt``. Both are repaired
(``nccp.treebanks.repairs``), and a tree of the first model is kept if it agrees with that of the second:
labelled F1 of at least 95 %. Sentences of EWT have gold tags and dependencies: their trees get the gold tags,
and are kept only if every phrase has exactly one word whose head is outside of it.

With ``--all`` no second model is needed and every tree of the first one is kept, repaired: for a student
that is to imitate its teacher.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from conllu_sentences import DependencySentence, read_conllu

from nccp.scoring import score_pair
from nccp.treebanks.repairs import repair
from nccp.trees import Tree, format_tree, read_trees

_AGREEMENT = 0.95
_PHRASES = {"NP", "PP", "ADJP", "ADVP", "VP", "QP", "WHNP", "WHPP", "WHADVP"}


def agree(one: Tree, two: Tree) -> bool:
    """Whether two trees have nearly the same labelled constituents."""
    score = score_pair(one, two)
    return 2 * score.matched >= _AGREEMENT * (score.gold + score.test)


def phrases_fit(tree: Tree, heads: list[int]) -> Iterator[bool]:
    """For each phrase of two or more words: whether exactly one of them depends on a word outside of it.

    Punctuation does not count, since its heads are a matter of convention.
    """
    tags = tree.tags()
    tree.set_spans()
    for node in tree.subtrees():
        if node.label() in _PHRASES and node.span is not None:
            start, end = node.span
            words = [place for place in range(start, end) if tags[place][:1].isalpha()]
            if len(words) > 1:
                yield sum(not start <= heads[place] < end for place in words) == 1


def repaired(name: str, folder: Path, sentences: dict[str, DependencySentence]) -> Iterator[Tree]:
    """Every tree of the first model."""
    for tree in read_trees(folder / f"{name}.a"):
        yield repair(tree)


def chosen(name: str, folder: Path, sentences: dict[str, DependencySentence]) -> Iterator[Tree]:
    """The trees of one source that are worth learning."""
    pairs = zip(read_trees(folder / f"{name}.a"), read_trees(folder / f"{name}.b"), strict=True)
    for one, two in pairs:
        tree, other = repair(one), repair(two)
        sentence = sentences.get(" ".join(tree.leaves()))
        if sentence is not None:
            for leaf, tag in zip(tree.subtrees(lambda node: node.is_preterminal), sentence.tags):
                leaf.set_label(tag)
            if not all(phrases_fit(tree, sentence.heads)):
                continue
        if agree(tree, other):
            yield tree


def main() -> None:
    """Write ``KIND/NAME.train.mrg`` for each source, e.g. ``ewt/ewt-email.train.mrg``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("raw", "folder", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--all", action="store_true", help="keep every tree of the first model")
    options = parser.parse_args()
    choose = repaired if options.all else chosen
    for text in sorted(options.folder.glob("*.txt")):
        name = text.stem
        found = read_conllu(options.raw / "ewt" / f"{name[4:]}.conllu") if name.startswith("ewt-") else ()
        sentences = {" ".join(sentence.words): sentence for sentence in found}
        trees = list(choose(name, options.folder, sentences))
        lines = [format_tree(Tree("TOP", [tree])) + "\n" for tree in trees]
        kind = options.out / name.split("-")[0]
        kind.mkdir(parents=True, exist_ok=True)
        (kind / f"{name}.train.mrg").write_text("".join(lines), "utf-8")
        total = sum(1 for _ in text.open(encoding="utf-8"))
        words = sum(len(tree.leaves()) for tree in trees)
        print(f"{name}: {len(trees):,} of {total:,} trees, {words:,} words")


if __name__ == "__main__":
    main()
