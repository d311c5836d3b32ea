"""Dependencies read off a constituency tree by head rules, as CoNLL-U.

Every constituent has a head word: that of its head child, which the head rules of the language choose among
the children that are not punctuation. The other children's head words depend on it. The relation is the path
in the tree, from the largest constituent that the word heads to the constituent in which it meets its head::

    (S (NP (DT The) (NN cat)) (VP (VBD sat)))

    1  The  DT  2  DT<NP         DT, a child of NP
    2  cat  NN  3  NP<S          the NP it heads is a child of S
    3  sat  VBD 0  root

English has Collins' rules, Indonesian and Icelandic have tables of the same form. A language without rules
has the last child as head if it is left-branching, and the first one otherwise; both are rough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nccp.decoding.results import Parse, writable
from nccp.languages import Language, known_language
from nccp.trees import Tree

ROOT = "root"


class Dependency(NamedTuple):
    """Of a word: the number of its head, from 1, 0 for the root; and the relation."""

    head: int
    relation: str


def find_dependencies(tree: Tree, language: str) -> list[Dependency]:
    """The dependencies of all words of a tree, in order."""
    rules = known_language(language)
    found: dict[int, Dependency] = {}
    heads: list[int] = []  # of the finished constituents, their head words
    words = 0
    # after a node's children, the node itself; without recursion, since trees may be deep
    stack: list[tuple[Tree, bool]] = [(tree, False)]
    while stack:
        node, is_done = stack.pop()
        if node.is_preterminal:
            words += 1
            heads.append(words)
        elif not is_done:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node)]
        else:
            own = heads[len(heads) - len(node) :]
            del heads[len(heads) - len(node) :]
            chosen = _head(node, rules)
            for place, word in enumerate(own):
                if place != chosen:
                    found[word] = Dependency(own[chosen], f"{node[place].label()}<{node.label()}")
            heads.append(own[chosen])
    found[heads[0]] = Dependency(0, ROOT)
    return [found[word] for word in range(1, words + 1)]


def format_conllu(parse: Parse, language: str, *, text: str | None = None) -> str:
    """A sentence in CoNLL-U: number, word, tag (XPOS), head and relation; an empty line ends it."""
    lines = [] if text is None else [f"# text = {' '.join(text.split())}"]
    if parse.tree is not None:
        rows = zip(writable(parse.words), writable(parse.tags), find_dependencies(parse.tree, language))
        for number, (word, tag, (head, relation)) in enumerate(rows, 1):
            lines.append(f"{number}\t{word}\t_\t_\t{tag}\t_\t{head}\t{relation}\t_\t_")
    return "".join(f"{line}\n" for line in lines)


def _head(node: Tree, rules: Language | None) -> int:
    """The place of a constituent's head child."""
    places = [place for place, child in enumerate(node) if not child.is_mark] or list(range(len(node)))
    found = None
    if rules is not None and rules.find_head is not None:
        found = rules.find_head(node.label(), _labels(node, places))
    if found is None:
        found = len(places) - 1 if rules is not None and rules.left_branching else 0
    return places[found]


def _labels(node: Tree, places: Sequence[int]) -> list[str]:
    return [node[place].label() for place in places]
