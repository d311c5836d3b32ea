"""What labels and tags mean, composite labels included.

explain("SBAR")          subordinate clause, ...
explain("VB0", "ja")     light verb: する
explain("S+VP")          S: declarative clause; over VP: verb phrase
"""

from __future__ import annotations

from collections.abc import Mapping

from nccp.languages.registry import LANGUAGES, find_language
from nccp.trees.labels import POS, SUB, split_chain


def explain(name: str, language: str | None = None) -> str | None:
    """The meaning of a label or tag in English; None if it is not known.

    Understands the composite labels of models: ``S+VP`` is an S directly over a VP, ``_NP`` a part of an NP
    that binarization or grouping made, and ``#NN`` a word without a constituent of its own.
    Without a ``language``, English is looked at first; a name that only other languages know is explained
    for each of them.
    """
    if language is not None:
        chosen = find_language(language)
        return _explain(name, chosen.labels, chosen.tags)
    found = {known.name: _explain(name, known.labels, known.tags) for known in LANGUAGES.values()}
    meanings = {place: meaning for place, meaning in found.items() if meaning is not None}
    if len(set(meanings.values())) < 2 or "English" in meanings:
        return next(iter(meanings.values()), None)
    return "; ".join(f"{place}: {meaning}" for place, meaning in meanings.items())


def _explain(name: str, labels: Mapping[str, str], tags: Mapping[str, str]) -> str | None:
    if (meaning := labels.get(name) or tags.get(name)) is not None:
        return meaning
    if name.startswith(POS):
        rest = "" if name == POS else _explain(name.removeprefix(POS), tags, {})
        return (
            rest
            if rest is None
            else f"a word without a constituent of its own{rest and ', tagged as: '}{rest}"
        )
    if name.startswith(SUB):
        rest = "" if name == SUB else _explain(name.removeprefix(SUB), labels, tags)
        return rest if rest is None else f"part of a constituent{rest and ': '}{rest}"
    chain = split_chain(name)
    if len(chain) < 2:
        return None
    meanings = [_explain(link, labels, tags) for link in chain]
    if None in meanings:
        return None
    return "; over ".join(f"{link}: {meaning}" for link, meaning in zip(chain, meanings))
