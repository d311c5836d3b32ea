"""The types of the API's responses: responses are encoded with them and the documentation is derived."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class Response(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A value of a response; what does not apply is left out."""


class Node(Response):
    """A node of a tree. A leaf has a word and the word's tag for a label; other nodes have children."""

    label: str
    start: Annotated[int, Meta(description="Its first word, counted from 0.")]
    end: Annotated[int, Meta(description="The word after its last.")]
    parent: Annotated[
        int | None, Meta(description="Position of its parent in the list; the root has none.")
    ] = None
    word: str | None = None
    score: Annotated[float | None, Meta(description="The model's confidence, from 0 to 1.")] = None
    weight: Annotated[
        float | None, Meta(description="Share in its parent (mean of λ); multi-branching models only.")
    ] = None
    head: Annotated[bool | None, Meta(description="True for the child with the largest weight.")] = None


class Span(Response):
    """A constituent: words `start` to `end` (exclusive), and their characters if the input was text."""

    label: str
    start: int
    end: int
    score: float | None = None
    start_char: int | None = None
    end_char: int | None = None


class Branching(Response):
    """A constituent and the weights of its children."""

    label: str
    start: int
    end: int
    weights: list[float]


class LayerNode(Response):
    """A node of a layer."""

    label: str
    start: int
    end: int
    how: Annotated[
        Literal["word", "relay", "combined", "empty"],
        Meta(
            description="A word, a node carried on unchanged, one combined from children, or an empty cell."
        ),
    ]
    children: Annotated[list[int], Meta(description="Positions in the layer below.")]
    score: Annotated[float | None, Meta(description="The model's confidence in the label.")] = None
    right: Annotated[
        bool | None, Meta(description="Binary models: whether the node points right (else left).")
    ] = None
    begins: Annotated[
        bool | None, Meta(description="Multi-branching models: whether a chunk begins here.")
    ] = None
    sure: Annotated[float | None, Meta(description="Confidence in the orientation or boundary.")] = None
    lam: Annotated[float | None, Meta(description="Share λ of the left child.")] = msgspec.field(
        default=None, name="lambda"
    )
    weights: Annotated[list[float] | None, Meta(description="Shares of the children.")] = None


class Layer(Response):
    """The nodes of a layer, left to right."""

    nodes: list[LayerNode]


class ParsedSentence(Response):
    """A sentence and its tree. A sentence without words has the tree `(())` and no nodes."""

    words: list[str]
    tags: list[str]
    tree: Annotated[str, Meta(description="The tree in brackets.")]
    nodes: Annotated[list[Node], Meta(description="All nodes of the tree, parents before children.")]
    offsets: Annotated[
        list[tuple[int, int]] | None,
        Meta(description="Start and end of each word in the text, in characters."),
    ] = None
    spans: list[Span] | None = None
    weights: list[Branching] | None = None
    score: Annotated[float | None, Meta(description="The model's confidence in the tree, from 0 to 1.")] = (
        None
    )
    joined: Annotated[
        bool | None,
        Meta(description="Whether the model could not finish the tree and its parts were joined."),
    ] = None
    layers: list[Layer] | None = None


class ParseResponse(Response):
    """Parses in the order of the sentences."""

    model: str
    sentences: list[ParsedSentence]


class PairScore(Response):
    """EVALB's figures for one sentence, in percent, and the bracket counts behind them."""

    f1: float
    precision: float
    recall: float
    exact: bool
    matched: int
    gold: int
    predicted: int
    message: Annotated[str | None, Meta(description="Why EVALB would not score the sentence.")] = None


class Comparison(Response):
    """Two trees over one sentence; the left one counts as gold."""

    left: ParsedSentence
    right: ParsedSentence
    score: PairScore
    only_left: list[tuple[str, int, int]]
    only_right: list[tuple[str, int, int]]
    tags_wrong: Annotated[list[int], Meta(description="Words whose tags differ.")]


class Total(Response):
    """EVALB's figures over all sentences, in percent."""

    sentences: int
    f1: float | None = None
    precision: float | None = None
    recall: float | None = None
    exact: float | None = None
    joined: int | None = None


class CompareResponse(Response):
    """Comparisons in order, and their total."""

    sentences: list[Comparison]
    total: Total


class Row(Response):
    """A tree of an opened file: its number, then either the tree or an error."""

    index: int
    error: str | None = None
    length: int | None = None
    text: Annotated[str | None, Meta(description="The beginning of the sentence.")] = None
    gold: str | None = None
    tree: Annotated[str | None, Meta(description="The model's tree.")] = None
    f1: float | None = None
    matched: int | None = None
    gold_brackets: int | None = None
    predicted: int | None = None
    score: float | None = None
    joined: bool | None = None


class LengthBin(Response):
    """Sentences of `from` to `to` words."""

    low: int = msgspec.field(name="from")
    high: int = msgspec.field(name="to")
    sentences: int
    f1: float | None = None


class Summary(Response):
    """The last line of an opened file."""

    total: Total
    bins: list[LengthBin]


class LayersResponse(Response):
    """The layers of a tree, the words first."""

    words: list[str]
    layers: list[Layer]
    triangle: Annotated[bool, Meta(description="Whether each layer has one cell less than the one below.")]


class ExplainResponse(Response):
    """What labels and tags mean; unknown ones are left out."""

    meanings: dict[str, str]


class LanguageInfo(Response):
    """A language."""

    code: str
    name: str
    spaced: Annotated[bool, Meta(description="Whether words are separated by spaces in writing.")]
    scripts: Annotated[list[str], Meta(description="Unicode scripts, the most characteristic first.")]
    examples: list[str]
    missing: Annotated[
        str | None, Meta(description="What to install before the server can split text into words.")
    ] = None


class ModelInfo(Response):
    """A model."""

    name: str
    language: str
    kind: Literal["binary", "multi"]
    megabytes: float
    description: str
    scores: Annotated[dict[str, float], Meta(description="Scores on its development set.")]


class LimitsInfo(Response):
    """How much a request may ask for."""

    body: Annotated[int, Meta(description="Bytes of a request.")]
    sentences: Annotated[int, Meta(description="Sentences or trees of a request.")]
    words: Annotated[int, Meta(description="Words of a sentence.")]
    request_words: Annotated[int, Meta(description="Words of all sentences of a request.")]
    layered: Annotated[int, Meta(description="Sentences of a request whose layers are returned.")]
    layered_words: Annotated[int, Meta(description="Words of such a sentence.")]


class ModelsResponse(Response):
    """The models that the server offers, and its limits."""

    default: str
    models: list[ModelInfo]
    languages: Annotated[list[LanguageInfo], Meta(description="Known languages, those of the models first.")]
    limits: LimitsInfo


class Health(Response):
    """The server is running."""

    status: Literal["ok", "ready"]
    version: str
    models: list[str]


class ErrorResponse(Response):
    """Why a request was refused."""

    error: str


encode = msgspec.json.Encoder().encode


def encode_lines(values: Iterable[Response]) -> bytes:
    """One line of JSON for each value."""
    return b"".join(encode(value) + b"\n" for value in values)
