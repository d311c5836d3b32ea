"""Rules of ``nccp.treebanks.repairs`` for clauses: infinitives with one clause too many, and inversion.

No treebank at hand has the first kind. It is what a parser makes of infinitives, since it labels every node
by itself: most infinitives are an S over a VP, those with a subject or a conjunct are not.
"""

from __future__ import annotations

from nccp.trees import Tree

PUNCTUATION = frozenset({",", ".", ":", "``", "''"})
_SIDE = frozenset({"ADVP", "RB", "CC", "CONJP", *PUNCTUATION})
_AUXILIARIES = frozenset({"MD", "VBD", "VBP", "VBZ"})
_CONDITIONAL = frozenset({"had", "were", "should"})
_NEGATIVE = frozenset(
    {"never", "nor", "neither", "not", "no", "only", "rarely", "seldom", "hardly", "nowhere", "little"}
)


def infinitives(tree: Tree) -> None:
    """An infinitive with a subject is one clause, and conjuncts of a VP are VPs.

    ::

        (S (NP (PRP me))                                (S (NP (PRP me))
           (S (VP (TO to) (VP (VB go)))))        ->        (VP (TO to) (VP (VB go))))

        (VP (VP (TO to) (VP (VB go)))                   (VP (VP (TO to) (VP (VB go)))
            (CC and)                             ->         (CC and)
            (S (VP (TO to) (VP (VB see)))))                 (VP (TO to) (VP (VB see))))
    """
    for node in tree.subtrees():
        labels = [label for child in node if (label := label_of(child)) not in _SIDE]
        is_clause = node.label() == "S" and labels == ["NP", "S"]
        has_conjunction = any(label_of(child) in ("CC", "CONJP") for child in node)
        is_coordination = node.label() == "VP" and has_conjunction and set(labels) == {"VP", "S"}
        if is_clause or is_coordination:
            node[:] = [child[0] if _is_infinitive(child) else child for child in node]


def inversions(tree: Tree) -> None:
    """An inverted clause that asks nothing is SINV, and a condition without "if" is an SBAR.

    ::

        (SQ (ADVP (RB Never)) (VBP have)                (SINV (ADVP (RB Never)) (VBP have)
            (NP (PRP I)) (VP (VBN slept)))       ->           (NP (PRP I)) (VP (VBN slept)))

        (S (SQ (VBD Had) (NP (PRP I)) (VP ...)) (, ,)   (S (SBAR (SINV (VBD Had) (NP (PRP I)) (VP ...))) (, ,)
           (NP (PRP I)) (VP ...))                ->        (NP (PRP I)) (VP ...))

    Sentences with a question mark keep their labels.
    """
    if "?" in tree.leaves():
        return
    if _is_inverted(tree, None):
        tree.set_label("SINV")
    for node in list(tree.subtrees()):
        for place, child in enumerate(node):
            before = node[place - 1] if place else None
            if _is_inverted(child, before):
                child.set_label("SINV")
            elif _is_condition(child, node, place):
                child.set_label("SINV")
                node[place] = Tree("SBAR", [child])


def label_of(child: Tree | str) -> str:
    """The label of a node, or nothing for a word."""
    return child.label() if isinstance(child, Tree) else ""


def _is_infinitive(child: Tree | str) -> bool:
    """An S that holds nothing but a VP with "to"."""
    return (
        label_of(child) == "S"
        and len(child) == 1
        and label_of(child[0]) == "VP"
        and label_of(child[0][0]) == "TO"
    )


def _is_inverted(clause: Tree | str, before: Tree | str | None) -> bool:
    """An SQ whose auxiliary follows a negative word or phrase, inside of it or right before it."""
    if not isinstance(clause, Tree) or clause.label() != "SQ":
        return False
    first = clause[0]
    if label_of(first) in _AUXILIARIES:
        return before is not None and label_of(before) in ("ADVP", "CONJP", "CC") and _is_negative(before)
    return len(clause) > 1 and label_of(clause[1]) in _AUXILIARIES and _is_negative(first)


def _is_negative(phrase: Tree | str) -> bool:
    return isinstance(phrase, Tree) and phrase.leaves()[0].lower() in _NEGATIVE


def _is_condition(clause: Tree | str, parent: Tree, place: int) -> bool:
    """An SQ before the subject and the predicate of an S: "Had I known, I would ..."."""
    if not isinstance(clause, Tree) or clause.label() != "SQ" or parent.label() != "S":
        return False
    labels = [label_of(child) for child in parent]
    return clause.leaves()[0].lower() in _CONDITIONAL and {"NP", "VP"} <= set(labels[place + 1 :])
