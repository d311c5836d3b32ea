"""What is wrong with a question, in one plain sentence rather than in a validator's terms."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from nccp.web import schemas

_KEYS = sorted(
    {
        key
        for question in (schemas.ParseQuestion, schemas.CompareQuestion, schemas.OpenQuestion)
        for key in question.model_fields
    }
)
_KINDS = {
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "missing": "is missing",
}


def describe_problem(errors: Sequence[Any], content_type: str) -> tuple[int, str]:
    """The status and the sentence for what pydantic found."""
    first = errors[0]
    place, kind = list(first["loc"])[1:], first["type"]
    if kind == "json_invalid":
        return 400, f"The request is not JSON: {first['ctx']['error']} at character {place[0]}."
    if not place:
        if kind == "value_error":
            return 422, str(first["ctx"]["error"])
        if kind == "missing":
            return 422, "The request is empty; it has to be a JSON object."
        if "json" not in content_type.lower():
            return 422, "The request has to be a JSON object, sent as Content-Type: application/json."
        return 422, "The request has to be a JSON object."
    key = str(place[0])
    if any(error["type"] == "surrogate" for error in errors):
        return 422, f"{key} holds half a surrogate pair, which is no text."
    if kind == "extra_forbidden":
        near = get_close_matches(key[:100], _KEYS, 1)
        return 422, f"Unknown key {key[:60]!r}" + (f"; did you mean {near[0]}?" if near else ".")
    if key == "sentences" and len(place) > 1:
        what = "a string, a list of words or of [word, tag] pairs"
        return 422, f"sentences: number {int(place[1]) + 1} is not {what}."
    return 422, f"{key} {_KINDS.get(kind, 'is not valid: ' + str(first['msg']))}."
