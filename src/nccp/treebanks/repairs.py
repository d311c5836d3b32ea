"""Repairs: Penn's conventions, put back by rule into trees that depart from them.

GUM's trees are the output of a parser over gold tags. Where that parser departs from the conventions of the
Penn Treebank, and the gold tags show what the node should have been, a rule repairs the node. GUM is repaired
unless asked otherwise. Other treebanks are repaired on request: in CRAFT, whose trees were made by hand, the
rule for closing brackets changes 5 % of the trees, the others next to none.

Each rule is a function that changes a tree in place. Words and tags never change. :func:`repair` applies all
rules in order.
"""

from __future__ import annotations

from collections.abc import Callable

from nccp.treebanks.clause_labels import PUNCTUATION, infinitives, inversions, label_of
from nccp.treebanks.closing_brackets import closing_brackets
from nccp.trees import Tree

_WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})
_WH_LABELS = {"NP": "WHNP", "PP": "WHPP", "ADVP": "WHADVP", "ADJP": "WHADJP"}
_CLAUSES = frozenset({"S", "SQ", "SINV"})
_WH_DEPTH = 4  # "(NP (NP one) (PP of (NP which)))": no wh-word of a wh-phrase is deeper

_FILLED = frozenset({"NP", "ADVP", "ADJP", "X"})  # labels that the parser gives to interjections
_NO_FILLERS = frozenset({"so", "now", "anyway", "anyways", "fucking", "damn"})  # UH in GUM, but not in Penn

_NUMBERS = PUNCTUATION | {"CD", "CC", "HYPH", "SYM"}
_PHRASE_OF = {
    **dict.fromkeys(("CD", "NN", "NNS", "NNP", "NNPS"), "NP"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "ADJP"),
    "RB": "ADVP",
}


def repair(tree: Tree) -> Tree:
    """Apply every rule to a clean tree, in place; return the tree."""
    for rule in RULES.values():
        rule(tree)
    return tree


def wh_phrases(tree: Tree) -> None:
    """Relative and interrogative phrases in front of a clause are WHNP, WHPP, WHADVP and WHADJP.

    ::

        (SBAR (NP (WDT that))                           (SBAR (WHNP (WDT that))
              (S (VP (VBD barked))))             ->           (S (VP (VBD barked))))

        (SBARQ (NP (WP What))                           (SBARQ (WHNP (WP What))
               (SQ (VBZ is) (NP (PRP it))) (. ?)) ->           (SQ (VBZ is) (NP (PRP it))) (. ?))

        (SBAR (NP (NP (CD one))                         (SBAR (WHNP (NP (CD one))
                  (PP (IN of) (NP (WDT which))))  ->                (WHPP (IN of) (WHNP (WDT which))))
              (S (VP (VBD barked))))                          (S (VP (VBD barked))))

    Wh-phrases elsewhere ("you saw what?") keep their labels.
    """
    for node in tree.subtrees():
        if node.label() in ("SBAR", "SBARQ"):
            front = next((i for i, child in enumerate(node) if label_of(child) in _CLAUSES), 1)
            children = list(node[:front])
        elif node.label() in ("WHNP", "WHPP"):
            children = list(node)
        else:
            continue
        for child in children:
            if label_of(child) in _WH_LABELS and _is_wh(child):
                child.set_label(_WH_LABELS[child.label()])


def questions(tree: Tree) -> None:
    """A wh-phrase and an inverted clause (SQ) form a direct question, SBARQ, not an SBAR.

    ::

        (SBAR (WHADVP (WRB how))                        (SBARQ (WHADVP (WRB how))
              (SQ (MD can) (NP (PRP I))          ->            (SQ (MD can) (NP (PRP I))
                  (VP (VB help))))                                 (VP (VB help))))
    """
    for node in reversed(list(tree.subtrees())):  # children first: an SBAR of two SBARQ is one, too
        if node.label() == "SBAR" and not node.is_preterminal:
            labels = [label for child in node if (label := label_of(child)) not in PUNCTUATION]
            is_question = len(labels) > 1 and labels[0] in _WH_LABELS.values() and labels[1] == "SQ"
            conjuncts = [label for label in labels if label not in ("CC", "CONJP")]
            if is_question or (len(conjuncts) > 1 and set(conjuncts) == {"SBARQ"}):
                node.set_label("SBARQ")


def interjections(tree: Tree) -> None:
    """Words that are tagged UH stand under INTJ.

    ::

        (S (ADVP (UH Well)) (, ,) (NP ...) (VP ...))    ->    (S (INTJ (UH Well)) (, ,) (NP ...) (VP ...))

        (NP (DT the) (UH um) (NN dog))                  ->    (NP (DT the) (INTJ (UH um)) (NN dog))

    A PP whose "preposition" is tagged UH is no PP::

        (VP (VBD took)                                        (VP (VBD took)
            (PP (UH like) (NP (DT a) (NN shot))))       ->        (INTJ (UH like))
                                                                  (NP (DT a) (NN shot)))

    Words that Penn tags otherwise ("so", "now"), words that were cut off ("th-") and the last word of an NP
    ("my gosh") keep their places.
    """
    if _is_interjection(tree):
        tree.set_label("INTJ")
    for node in tree.subtrees():
        if node.label() == "INTJ" or node.is_preterminal:
            continue
        children: list[Tree | str] = []
        for child in node:
            children += list(child) if _is_false_preposition(child) else [child]
        node[:] = children
        if node.label() != "PP":
            for child in node:
                if _is_interjection(child):
                    child.set_label("INTJ")
        if len(node) > 1:
            _wrap(node, _is_filler, "INTJ", but_last=node.label() == "NP")


def list_markers(tree: Tree) -> None:
    """Numbers and letters of lists, tagged LS, stand under LST.

    ::

        (NP (X (LS 2.)) (NP (NNS Results)))             ->    (NP (LST (LS 2.)) (NP (NNS Results)))
        (S (LS 2.) (VP (VB Stir)) (. .))                ->    (S (LST (LS 2.)) (VP (VB Stir)) (. .))
    """
    for node in tree.subtrees():
        if node.label() in ("LST", "PP", "PRN") or len(node) < 2:
            continue
        if label_of(node[0]) in ("X", "NP") and len(node[0]) == 1 and label_of(node[0][0]) == "LS":
            node[0].set_label("LST")
        _wrap(node, lambda child: label_of(child) == "LS", "LST")


def parentheses(tree: Tree) -> None:
    """What stands in brackets is a phrase, and the brackets and the phrase are a PRN.

    ::

        (PRN (-LRB- -LRB-) (CD 1985) (-RRB- -RRB-))     ->    (PRN (-LRB- -LRB-) (NP (CD 1985)) (-RRB- -RRB-))
        (NP (NP ...) (ADVP (-LRB- [) (CD 3)             ->    (NP (NP ...) (PRN (-LRB- [) (NP (CD 3))
                           (-RRB- ])))                                          (-RRB- ])))
    """
    for node in tree.subtrees():
        if node.label() != "PP":  # "as in [3]"
            for child in node[1:]:
                if label_of(child) in ("NP", "ADVP", "X") and _is_bracketed_number(child):
                    child.set_label("PRN")
        if node.label() != "PRN":
            continue
        start = None
        for i in range(len(node) - 1, -1, -1):  # from the end: replacing does not move what is left
            tag = label_of(node[i])
            if tag == "-RRB-":
                start = i
            elif tag == "-LRB-" and start is not None:
                inside, start = list(node[i + 1 : start]), None
                phrase = _bare_phrase(inside)
                if phrase:
                    node[i + 1 : i + 1 + len(inside)] = [Tree(phrase, inside)]


RULES: dict[str, Callable[[Tree], None]] = {
    rule.__name__: rule
    for rule in (
        wh_phrases,
        questions,
        interjections,
        list_markers,
        closing_brackets,
        parentheses,
        infinitives,
        inversions,
    )
}
"""The rules by name, in the order in which they are applied."""


def _is_wh(phrase: Tree, depth: int = _WH_DEPTH) -> bool:
    """Whether a wh-word is in the phrase: directly, in its first phrase, or in the object of its PP."""
    if phrase.label().startswith("WH"):
        return True
    if any(label_of(child) in _WH_TAGS for child in phrase):
        return True
    if not depth:
        return False
    phrases = [child for child in phrase if isinstance(child, Tree) and not child.is_preterminal]
    if phrase.label() != "PP":
        phrases = phrases[:1] + [child for child in phrases[1:] if child.label() == "PP"]
    kinds = (*_WH_LABELS, *_WH_LABELS.values())
    return any(child.label() in kinds and _is_wh(child, depth - 1) for child in phrases)


def _is_filler(child: Tree | str) -> bool:
    """A whole word tagged UH that Penn would tag UH, too."""
    if not isinstance(child, Tree) or child.label() != "UH":
        return False
    word = str(child[0])
    return word.lower() not in _NO_FILLERS and not word.endswith("-")


def _is_interjection(child: Tree | str) -> bool:
    """A phrase of interjections (and punctuation) only, under a label that the parser made up."""
    if not isinstance(child, Tree) or child.label() not in _FILLED:
        return False
    words = [part for part in child if label_of(part) not in PUNCTUATION]
    return bool(words) and all(map(_is_filler, words))


def _is_false_preposition(child: Tree | str) -> bool:
    """A PP that starts with UH, and has no preposition: only UH, punctuation and phrases."""
    if label_of(child) != "PP" or len(child) < 2 or label_of(child[0]) != "UH":
        return False
    tags = {label_of(part) for part in child if isinstance(part, Tree) and part.is_preterminal}
    return tags <= PUNCTUATION | {"UH"}


def _is_bracketed_number(node: Tree | str) -> bool:
    tags = [label_of(child) for child in node]
    return (
        len(tags) > 2
        and tags[0] == "-LRB-"
        and tags[-1] == "-RRB-"
        and _bare_phrase(list(node)[1:-1]) == "NP"
    )


def _bare_phrase(inside: list[Tree | str]) -> str | None:
    """The label of the phrase that bare words in brackets form: numbers, or a single word."""
    if not all(isinstance(child, Tree) and child.is_preterminal for child in inside):
        return None
    tags = [label_of(child) for child in inside]
    if len(tags) == 1:
        return _PHRASE_OF.get(tags[0])
    return "NP" if tags and tags[0] == tags[-1] == "CD" and _NUMBERS.issuperset(tags) else None


def _wrap(node: Tree, belongs: Callable[[Tree | str], bool], label: str, *, but_last: bool = False) -> None:
    """Put every run of children that belong under a new node; the last word stays if asked."""
    last = next((child for child in reversed(node) if label_of(child) not in PUNCTUATION), None)
    children: list[Tree | str] = []
    run: list[Tree | str] = []
    for child in [*node, ""]:  # "" ends the last run
        if belongs(child) and not (but_last and child is last):
            run.append(child)
            continue
        if run:
            children.append(Tree(label, run))
            run = []
        children.append(child)
    node[:] = children[:-1]
