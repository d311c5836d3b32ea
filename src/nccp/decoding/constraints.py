"""What a user knows of a tree before it is parsed: these words form a constituent, those do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.engine import Engine, Floats
from nccp.errors import InputError
from nccp.trees.labels import POS, SUB, split_chain


@dataclass(frozen=True)
class Constraint:
    """Words ``start`` to ``end`` (not included, counted from 0) form a constituent, or none if ``forbid``.

    Constraint(0, 3)                        the first three words form a constituent
    Constraint(0, 3, "NP")                  ... one of this label, alone or in a unary chain
    Constraint(0, 3, forbid=True)           they form none
    Constraint(0, 3, "NP", forbid=True)     they form none of this label
    """

    start: int
    end: int
    label: str | None = None
    forbid: bool = False

    def __str__(self) -> str:
        what = f"{'no ' if self.forbid else ''}{self.label or 'constituent'}"
        return f"{what} over words {self.start} to {self.end}"


def check_constraints(constraints: Sequence[Constraint], words: int, engine: Engine) -> None:
    """Raise an `InputError` that says why the constraints cannot hold."""
    if constraints and engine.triangular:
        raise InputError("constraints are not supported for models of the triangular format")
    known = {
        link
        for name in engine.symbols.labels
        if not name.startswith((SUB, POS))
        for link in split_chain(name)
    }
    for one in constraints:
        if not 0 <= one.start < one.end <= words:
            raise InputError(f"{one}: the sentence has {words} words, and a span has at least one")
        if one.label is not None and one.label not in known:
            near = get_close_matches(one.label, known, 1)
            raise InputError(
                f"{one}: the model has no label {one.label!r}"
                + (f"; did you mean {near[0]}?" if near else "")
            )
        if one.forbid and one.label is None and one.end - one.start == words:
            raise InputError(f"{one}: every tree has a constituent over the whole sentence")
    required = [one for one in constraints if not one.forbid]
    for one, two in combinations(required, 2):
        if one.start < two.start < one.end < two.end or two.start < one.start < two.end < one.end:
            raise InputError(f"these cross, so that no tree has both: {one}; {two}")


def mask_labels(
    logits: Floats, spans: Sequence[tuple[int, int]], constraints: Iterable[Constraint], labels: Sequence[str]
) -> Floats:
    """The label logits of nodes over ``spans``, -inf for labels that a constraint rules out."""
    masked: Floats = logits.copy()
    chains = [() if name.startswith((SUB, POS)) else split_chain(name) for name in labels]
    for one in constraints:
        if one.label is None:
            fits = np.array([bool(chain) for chain in chains])
        else:
            fits = np.array([one.label in chain for chain in chains])
        barred: NDArray[np.bool_] = fits if one.forbid else ~fits
        for row, span in enumerate(spans):
            if span == (one.start, one.end):
                masked[row, barred] = -np.inf
                if not np.isfinite(masked[row]).any():
                    raise InputError(f"{one}: the constraints leave no label for these words")
    return masked
