"""The onnxruntime engine: the decoder's way into a model bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nccp.config import ModelConfig
from nccp.decoding import Context
from nccp.runtime.inputs import Input
from nccp.runtime.places import by_length, lay_out
from nccp.runtime.sessions import Session
from nccp.trees import Symbols

Floats = NDArray[np.float32]
Lengths = NDArray[np.int64]

_CONTEXT_SEQUENCES = 32  # what BiLSTM_cxt works on then stays in a core's own cache
_CONTEXT_WASTE = 1.15
_LAYER_SEQUENCES = 1 << 20
_LAYER_WASTE = 2.0


class OnnxEngine:
    """An `nccp.decoding.Engine` over the graphs of a bundle (see ``nccp.training.graphs``).

    To the decoder a node is a row; here it holds more than the vector x: the products that BiLSTM_ori will
    need of it, computed once when the node is made. It has no state, so threads may share one.
    """

    def __init__(self, config: ModelConfig, symbols: Symbols, input: Input, sessions: Mapping[str, Session]) -> None:
        self.binary, self.triangular = config.kind == "binary", config.format == "triangular"
        self.symbols, self.input = symbols, input
        self._size, self._recurrent = config.size, config.orientation == "bilstm"
        self._sessions = sessions

    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        words = self.input.lookup(sentences)
        lengths = np.array([len(sentence) for sentence in sentences], np.int64)
        starts = np.cumsum(lengths) - lengths
        nodes: Floats = np.zeros((0, 0), np.float32)
        tags = nodes
        for group in by_length(lengths, _CONTEXT_SEQUENCES, _CONTEXT_WASTE):
            at = lay_out(starts[group], lengths[group])
            new_nodes, new_tags = self._run(
                "context",
                e=words.vectors,
                places=words.rows[at.ahead],
                lengths=at.lengths.astype(np.int32),
                cells=at.steps * len(group) + at.column,
            )
            if not len(nodes):
                total = len(words.rows)
                nodes = np.empty((total, new_nodes.shape[1]), np.float32)
                tags = np.empty((total, new_tags.shape[1]), np.float32)
            nodes[at.nodes], tags[at.nodes] = new_nodes, new_tags
        return Context(nodes, tags)

    def labels(self, x: Floats) -> Floats:
        (logits,) = self._run("labels", x=self._vectors(x))
        return logits

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        products = np.ascontiguousarray(x[:, self._size :])
        if not self._recurrent:
            return self._run("orient", products=products)[0]
        scores = np.empty(len(x), np.float32)
        starts = np.cumsum(lengths) - lengths
        for group in by_length(lengths, _LAYER_SEQUENCES, _LAYER_WASTE):
            nodes, places = _layer(starts[group], lengths[group])
            (scores[nodes],) = self._run("orient", products=products, **places)
        return scores

    def compose(self, x_L: Floats, x_R: Floats) -> Floats:
        return self._run("compose", x_L=self._vectors(x_L), x_R=self._vectors(x_R))[0]

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        raise NotImplementedError

    def _vectors(self, x: Floats) -> Floats:
        return x if x.shape[1] == self._size else np.ascontiguousarray(x[:, : self._size])

    def _run(self, graph: str, **inputs: NDArray[Any]) -> list[Floats]:
        return self._sessions[graph].run(None, inputs)


def _layer(starts, lengths):
    at = lay_out(starts, lengths)
    count = len(lengths)
    rows = np.empty((len(at.ahead), 2, count), np.int64)
    np.multiply(at.ahead, 2, out=rows[:, 0])
    np.multiply(at.back, 2, out=rows[:, 1])
    rows[:, 1] += 1
    return at.nodes, {
        "rows": rows,
        "ahead": 2 * count * at.steps + at.column,
        "back": 2 * count * at.mirrored + count + at.column,
    }
