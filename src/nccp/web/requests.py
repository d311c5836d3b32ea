"""The types of the API's requests: requests are decoded with them and the documentation is derived."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from nccp.web.guard import Refused

Token = tuple[str, str | None]
Sentence = str | list[str | Token]


class Request(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The body of a request; unknown keys are errors."""


class _Sentences(Request):
    text: Annotated[str | None, Meta(description="Running text. It is split into sentences.")] = None
    sentences: Annotated[
        list[Sentence] | None,
        Meta(description="Instead of text: strings, lists of words, or lists of [word, tag] pairs."),
    ] = None
    tokenized: Annotated[
        bool, Meta(description="Words are separated by spaces; in text, there is one sentence per line.")
    ] = False
    model: Annotated[str | None, Meta(description="A name from /api/models; null means the default.")] = None


class ParseRequest(_Sentences):
    """Sentences to parse: either `text` or `sentences`."""

    layers: Annotated[
        bool,
        Meta(description="Also return the layers of each tree, for as many sentences as the limits allow."),
    ] = False

    def __post_init__(self) -> None:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("Send either text or sentences.")


class CompareRequest(_Sentences):
    """Gold trees against a model or other trees (`gold`), or two models on the same sentences."""

    gold: Annotated[str | None, Meta(description="Trees in brackets.")] = None
    other: Annotated[
        str | None, Meta(description="Trees in brackets over the same words, compared with gold.")
    ] = None
    other_model: Annotated[str | None, Meta(description="The model to compare with `model`.")] = None

    def __post_init__(self) -> None:
        sent = [name for name in ("gold", "text", "sentences") if getattr(self, name) is not None]
        if len(sent) != 1:
            raise ValueError("Send one of gold, text and sentences.")
        if sent == ["gold"] and self.other_model is not None:
            raise ValueError("Compare gold with model or other, not with other_model.")
        if sent != ["gold"] and self.other is not None:
            raise ValueError("other needs gold.")
        if sent != ["gold"] and self.other_model is None:
            raise ValueError("To compare two models, also send other_model.")


class OpenRequest(Request):
    """A file of trees."""

    trees: Annotated[str, Meta(description="Trees in brackets.")]
    model: Annotated[
        str | None, Meta(description="A model to parse and score the trees with; null only lists them.")
    ] = None


class DrawRequest(Request):
    """A tree to draw as text."""

    tree: Annotated[str, Meta(description="One tree in brackets.")]
    format: Annotated[
        Literal["forest", "qtree", "svg", "text", "indented"],
        Meta(description="LaTeX (forest or qtree package), an SVG file, or text: drawn or indented."),
    ] = "forest"


class LayersRequest(Request):
    """A tree whose layers are wanted, as a model would see them in training."""

    tree: Annotated[str, Meta(description="One tree in brackets.")]
    form: Annotated[
        Literal["left", "right", "midin", "midout", "multi", "group", "triangle"],
        Meta(
            description="Binarized under a factor (left, right, midin, midout); multi-branching (multi), "
            "also with flat structure grouped (group); or the triangular form of the left factor."
        ),
    ] = "left"


class ExplainRequest(Request):
    """Labels and tags to explain."""

    labels: Annotated[list[str], Meta(max_length=1000)]
    language: Annotated[str | None, Meta(description="A language code such as en; null looks in all.")] = None


T = TypeVar("T", bound=Request)

_NAMES = {"str": "a string", "bool": "true or false", "array": "a list", "object": "a JSON object"}
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_EXPECTED = re.compile(r"Expected `(?P<expected>[^`]*)`.* - at `\$\.(?P<key>\w+)(?P<inner>.*)`")


def decode_request(body: bytes, content_type: str, kind: type[T]) -> T:
    """The request in a body; `Refused` says what is wrong with it."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "Send a JSON object with the header Content-Type: application/json.")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Refused(422, _explain(str(error), kind)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        why = str(error).removeprefix("JSON is malformed: ")
        if _SURROGATE.search(body):
            why = "it may hold half a surrogate pair"
        raise Refused(400, f"The request is not valid JSON: {why}.") from None
    except RecursionError:
        raise Refused(400, "The request is nested too deeply.") from None


def _explain(message: str, kind: type[Request]) -> str:
    if unknown := re.search("unknown field `(.*)`", message, re.DOTALL):
        near = get_close_matches(unknown[1][:100], kind.__struct_fields__, 1)
        return f"Unknown key {unknown[1][:60]!r}" + (f"; did you mean {near[0]}?" if near else ".")
    if missing := re.search("missing required field `(.*)`", message):
        return f"{missing[1]} is missing."
    if "$" not in message and message.startswith("Expected `object`"):
        return "The request must be a JSON object."
    if found := _EXPECTED.search(message):
        if found["key"] == "sentences" and found["inner"]:
            what = "a string, a list of words, or a list of [word, tag] pairs"
            number = int(re.findall(r"\d+", found["inner"])[0]) + 1
            return f"sentences: number {number} is not {what}."
        names = [_NAMES.get(name, name) for name in found["expected"].split(" | ") if name != "null"]
        return f"{found['key']} must be {' or '.join(names)}."
    if enum := re.search(r"Invalid enum value (.*) - at `\$\.(\w+)`", message):
        field = next(one for one in msgspec.structs.fields(kind) if one.encode_name == enum[2])
        allowed = ", ".join(_literals(field.type))
        return f"{enum[2]} must be one of {allowed}."
    return message if message.endswith(".") else f"{message}."


def _literals(kind: Any) -> tuple[str, ...]:
    arguments: tuple[Any, ...] = getattr(kind, "__args__", ())
    return arguments if all(isinstance(one, str) for one in arguments) else _literals(arguments[0])
