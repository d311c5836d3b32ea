"""What the API takes and gives. Questions are checked against these; answers are documented by them."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError


def _whole(text: str) -> str:
    """JSON can hold half a surrogate pair, which is no character and cannot be sent back."""
    if not text.isascii() and _SURROGATES.search(text):
        raise PydanticCustomError("surrogate", "half a surrogate pair")
    return text


_SURROGATES = re.compile("[\ud800-\udfff]")

Text = Annotated[str, AfterValidator(_whole)]
Pair = Annotated[list[Text | None], Field(min_length=2, max_length=2, description="a word and its tag")]
Sentence = Text | list[Text | Pair]


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Sentences(_Question):
    text: Text | None = Field(None, description="running text, which is cut into sentences")
    sentences: list[Sentence] | None = Field(
        None, description="instead of a text: each a string, a list of words, or of [word, tag] pairs"
    )
    tokenized: bool = Field(False, description="words stand between blanks; of a text, a sentence a line")
    model: Text | None = Field(None, description="a name of /api/models; else the default")


class ParseQuestion(_Sentences):
    """Sentences to parse: either ``text`` or ``sentences``."""

    layers: bool = Field(False, description="also how each tree came about")

    @model_validator(mode="after")
    def _one_of_both(self) -> ParseQuestion:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("Give either text or sentences.")
        return self


class CompareQuestion(_Sentences):
    """Gold trees against a model or other trees, or two models over the same sentences."""

    gold: Text | None = Field(None, description="trees in brackets")
    other: Text | None = Field(
        None, description="trees in brackets over the same words, to compare with gold"
    )
    other_model: Text | None = Field(None, description="to compare with the model")

    @model_validator(mode="after")
    def _one_of_three(self) -> CompareQuestion:
        given = [name for name in ("gold", "text", "sentences") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("Give one of gold, text and sentences.")
        if given == ["gold"] and self.other_model is not None:
            raise ValueError("With gold goes model or other, not other_model.")
        if given != ["gold"] and self.other is not None:
            raise ValueError("With other goes gold.")
        if given != ["gold"] and self.other_model is None:
            raise ValueError("To compare two models give other_model, too.")
        return self


class OpenQuestion(_Question):
    """A file of trees."""

    trees: Text = Field(description="trees in brackets")
    model: Text | None = Field(None, description="a model to parse and score them with; null: only list them")


class Node(BaseModel):
    """A node of a tree. Only a leaf has a word, all others have children."""

    label: str
    start: int = Field(description="its first word")
    end: int = Field(description="the word after its last")
    score: float | None = Field(None, description="how sure the model is, from 0 to 1")
    weight: float | None = Field(None, description="its share in the parent (mean λ); multi-branching models")
    head: bool | None = Field(None, description="true for the child with the largest weight")
    word: str | None = None
    children: list[Node] | None = None


class Span(BaseModel):
    """A constituent."""

    label: str
    start: int
    end: int
    score: float
    start_char: int | None = None
    end_char: int | None = None


class Branching(BaseModel):
    """A constituent and the weights of its children."""

    label: str
    start: int
    end: int
    weights: list[float]


class LayerNode(BaseModel):
    """A node of a layer; see the documentation of the layers."""

    label: str
    start: int
    end: int
    score: float = Field(description="how sure the label is")
    how: Literal["word", "relay", "combined"]
    children: list[int] = Field(description="places in the layer below")
    right: bool | None = Field(None, description="binary models: the orientation it takes")
    begins: bool | None = Field(None, description="multi-branching models: whether a chunk begins with it")
    sure: float | None = Field(None, description="how sure that is")
    lam: float | None = Field(None, alias="lambda", description="the left child's share")
    weights: list[float] | None = Field(None, description="the children's shares")


class Layer(BaseModel):
    """The nodes of a layer, left to right."""

    nodes: list[LayerNode]


class Parsed(BaseModel):
    """A sentence and its tree. Without words the brackets are ``(())`` and there are no nodes."""

    words: list[str]
    tags: list[str]
    tree: str = Field(description="brackets")
    nodes: Node | None
    offsets: list[tuple[int, int]] | None = Field(None, description="of each word in the text, in characters")
    spans: list[Span] | None = None
    weights: list[Branching] | None = None
    score: float | None = Field(None, description="how sure the model is of the tree")
    joined: bool | None = Field(None, description="whether the model found no way on, and joined the pieces")
    layers: list[Layer] | None = None


class ParseAnswer(BaseModel):
    """Parses in the order of the sentences."""

    model: str
    sentences: list[Parsed]


class PairScore(BaseModel):
    """EVALB's figures of one sentence, in percent, and the counts behind them."""

    f1: float
    precision: float
    recall: float
    exact: bool
    matched: int
    gold: int
    predicted: int
    message: str | None = Field(None, description="why EVALB would not score the sentence")


class Compared(BaseModel):
    """Two trees over one sentence."""

    left: Parsed
    right: Parsed
    score: PairScore
    only_left: list[tuple[str, int, int]]
    only_right: list[tuple[str, int, int]]
    tags_wrong: list[int] = Field(description="words whose tags differ")


class Total(BaseModel):
    """EVALB's figures over all sentences, in percent."""

    f1: float
    precision: float
    recall: float
    exact: float
    sentences: int


class CompareAnswer(BaseModel):
    """Comparisons in order, and their total."""

    sentences: list[Compared]
    total: Total


class Described(BaseModel):
    """A model."""

    name: str
    language: str
    kind: Literal["binary", "multi"]
    megabytes: float
    description: str
    scores: dict[str, float] = Field(description="on its development set")


class ModelsAnswer(BaseModel):
    """The models that the server offers."""

    default: str
    models: list[Described]


class Health(BaseModel):
    """That the server is there."""

    status: Literal["ok"]
    version: str
    models: list[str]


class Error(BaseModel):
    """Why there is no answer."""

    error: str


def lines_of(what: Any) -> dict[str, Any]:
    """For the OpenAPI document: an answer of lines, each of which is such a value in JSON."""
    return {"description": what, "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
