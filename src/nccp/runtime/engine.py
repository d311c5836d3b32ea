"""The onnxruntime engine: the decoder's way into a model bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nccp.config import ModelConfig
from nccp.decoding import Context
from nccp.inputs import Lookup
from nccp.inputs.sessions import Session
from nccp.runtime.padding import LONG, Lengths, Places, boundaries, by_length, lay_out, spread
from nccp.trees import Symbols

Floats = NDArray[np.float32]

_CONTEXT_SEQUENCES = 32  # what BiLSTM_cxt works on then stays in a core's own cache
_CONTEXT_WASTE = 1.15
_MOST = 1 << 20  # a layer's sequences need no limit
_ORIENT_WASTE = 2.0  # a step of the small BiLSTM_ori costs as much as filling for many sequences
_CHUNK_WASTE = 1.5


class OnnxEngine:
    """An `nccp.decoding.Engine` over the graphs of a bundle (see ``nccp.export.graphs``).

    To the decoder a node is a row; here it holds more than the vector x: the products that BiLSTM_ori or
    BiLSTM_chk will need of it, computed once when the node is made. The engine has no state, so threads
    may share one.
    """

    def __init__(
        self, config: ModelConfig, symbols: Symbols, input: Lookup, sessions: Mapping[str, Session]
    ) -> None:
        self.binary, self.triangular = config.kind == "binary", config.format == "triangular"
        self.symbols, self.input = symbols, input
        self._size, self._recurrent = config.size, config.orientation == "bilstm"
        self._sessions = sessions

    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        words = self.input.lookup(sentences)
        lengths = np.array([len(sentence) for sentence in sentences], np.int64)
        starts = np.cumsum(lengths) - lengths
        order, parts = [], []
        for group in by_length(lengths, _CONTEXT_SEQUENCES, _CONTEXT_WASTE):
            at = lay_out(starts[group], lengths[group])
            order.append(at.nodes)
            parts.append(
                self._run(
                    "context",
                    e=words.vectors,
                    places=words.rows[at.ahead],
                    lengths=at.lengths.astype(np.int32),
                    cells=at.steps * len(group) + at.column,
                )
            )
        nodes, tags = zip(*parts)
        return Context(_in_order(order, nodes), _in_order(order, tags))

    def labels(self, x: Floats) -> Floats:
        (logits,) = self._run("labels", x=self._vectors(x))
        return logits

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        products = np.ascontiguousarray(x[:, self._size :])
        if not self._recurrent:
            return self._run("orient", products=products)[0]
        scores = np.empty(len(x), np.float32)
        starts = np.cumsum(lengths) - lengths
        for group in by_length(lengths, _MOST, _ORIENT_WASTE, apart=LONG):
            nodes, places = _layer(starts[group], lengths[group])
            (scores[nodes],) = self._run("orient", products=products, **places)
        return scores

    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        nodes, *lam = self._run("compose", x_L=self._vectors(x_L), x_R=self._vectors(x_R))
        return nodes, lam[0] if lam else None

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        products = np.ascontiguousarray(x[:, self._size :])
        scores = np.empty(len(x) + len(lengths), np.float32)
        order, parts = [], []
        starts = np.cumsum(lengths) - lengths
        for group in by_length(lengths, _MOST, _CHUNK_WASTE):
            own = lengths[group]
            nodes, places = _layer(starts[group], own)
            outer = spread(starts[group] + group, own + 1)  # each sequence has one boundary more than nodes
            scores[outer], part = self._run("chunk", products=products, **places, **boundaries(own)._asdict())
            order.append(nodes)
            parts.append(part)
        return scores, _in_order(order, parts)

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        first = np.flatnonzero(begins)
        sizes = np.diff(first, append=len(begins))
        order, parts, rows, weights = [], [], [], []
        for size in np.unique(sizes):  # chunks of one size make a block of (P, size) nodes
            alike = np.flatnonzero(sizes == size)
            members = first[alike][:, None] + np.arange(size)
            new, lam = self._run("merge", x=x[members, : self._size], differences=hints[members])
            order.append(alike)
            parts.append(new)
            rows.append(members.ravel())
            weights.append(lam.reshape(-1, self._size))
        return _in_order(order, parts), _in_order(rows, weights)

    def _vectors(self, x: Floats) -> Floats:
        return x if x.shape[1] == self._size else np.ascontiguousarray(x[:, : self._size])

    def _run(self, graph: str, **inputs: NDArray[Any]) -> list[Floats]:
        return self._sessions[graph].run(**inputs)


def _in_order(order: Sequence[Places], parts: Sequence[Floats]) -> Floats:
    """Rows computed in groups, put where they belong: those of ``parts[i]`` at ``order[i]``."""
    rows = np.empty((sum(map(len, order)), parts[0].shape[1]), np.float32)
    for places, part in zip(order, parts):
        rows[places] = part
    return rows


def _layer(starts: Places, lengths: Lengths) -> tuple[Places, dict[str, Places]]:
    """The rows of these sequences, and the inputs by which a graph finds its way from and to them.

    A row of products is two, one for each direction; states come out as (step, direction, sequence).
    """
    at = lay_out(starts, lengths)
    count = len(lengths)
    rows = np.stack((2 * at.ahead, 2 * at.back + 1), 1)  # (T, 2, S)
    ahead = 2 * count * at.steps + at.column
    back = 2 * count * at.mirrored + count + at.column
    return at.nodes, {"rows": rows, "ahead": ahead, "back": back}
