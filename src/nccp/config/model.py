"""The section ``[model]``: the network."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from msgspec import Meta

from nccp.sections import Section


class Compose(str, Enum):
    """How two vectors become one (paper, Alg. 4).

    λ, the weight of the left vector, is computed from No input, from both vectors Concatenated, or by a
    Biaffine layer, and is a Scalar or a Vector: NS, NV, CS, CV, BV. ADD is plain addition.
    """

    NS = "NS"
    NV = "NV"
    CS = "CS"
    CV = "CV"
    BV = "BV"
    ADD = "ADD"


Size = Annotated[int, Meta(ge=1, le=100_000)]
Dropout = Annotated[float, Meta(ge=0, lt=1)]


class ModelConfig(Section, frozen=True):
    """The network. The defaults are the sizes of the paper."""

    kind: Literal["binary", "multi"] = "binary"
    """Binary or multi-branching combination."""
    size: Annotated[int, Meta(ge=2, le=100_000, multiple_of=2)] = 300
    """Size of the vectors that are composed. BiLSTM_cxt has half of it in each direction."""
    context_layers: Annotated[int, Meta(ge=0, le=8)] = 6
    """Number of layers of BiLSTM_cxt; 0 replaces it by one feed-forward layer (B/0 in the paper)."""
    label_hidden: Size = 200
    """Size of the hidden layer that the tag head and the label head share."""
    orientation: Literal["bilstm", "ffnn"] = "bilstm"
    """Binary model: the network that predicts orientations; "ffnn" is B/F in the paper."""
    orientation_hidden: Size = 32
    """Binary model: size of BiLSTM_ori in each direction."""
    chunk_hidden: Size = 100
    """Multi-branching model: size of BiLSTM_chk in each direction."""
    chunk_lean: Annotated[float, Meta(ge=-100, le=100)] = 0.0
    """Multi-branching model: bias against chunk boundaries. Above 0, fewer layers fail to
    combine anything."""
    unify_sub: bool = False
    """Predict one class for all sub-constituents (_X) and relays (#POS), as the authors' code does."""
    compose: Compose = Compose.CV
    """Binary model: how two vectors become one. λ from no input (N), from both vectors (C) or biaffine (B),
    as a scalar (S) or a vector (V); or addition (ADD)."""
    loss: Literal["hinge", "bce"] = "hinge"
    """Loss of orientations and chunks: hinge loss, or binary cross-entropy (B/L in the paper)."""
    format: Literal["stratified", "triangular"] = "stratified"
    """Binary model: layers in which combined nodes replace their children (stratified), or the full triangle
    (Table "fmt" of the paper)."""
    dropout: Dropout = 0.4
    """Dropout probability on the input of BiLSTM_ori or BiLSTM_chk, and on the input and the hidden layer of
    the tag, label and orientation heads; the vectors that are composed have none."""
    recurrent_dropout: Dropout = 0.2
    """Dropout probability between the layers of BiLSTM_cxt."""

    def __post_init__(self) -> None:
        if self.kind == "multi" and self.format == "triangular":
            raise ValueError('model.format = "triangular" needs model.kind = "binary"')
