"""The base class of sections, and how their types are taken apart."""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the configuration. Unknown keys are errors."""


FilePath = Annotated[str, msgspec.Meta(extra={"path": "always"})]
"""A file or folder; a relative path starts from the file that the key stands in."""

PathOrName = Annotated[str, msgspec.Meta(extra={"path": "if it exists"})]
"""A path as above, or a name that is looked up elsewhere, such as a model on the Hugging Face hub."""


def path_mark(type_: Any) -> str:
    """ "always", "if it exists", or "" for a type that is no path."""
    if get_origin(type_) is not Annotated:
        return ""
    extras = [meta.extra for meta in get_args(type_)[1:] if isinstance(meta, msgspec.Meta) and meta.extra]
    return next((str(extra["path"]) for extra in extras if "path" in extra), "")


def struct_types(type_: Any) -> tuple[type[msgspec.Struct], ...]:
    """The struct, or all structs of a union of kinds; () for any other type."""
    if get_origin(type_) is Annotated:
        type_ = get_args(type_)[0]
    choices = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    if all(isinstance(choice, type) and issubclass(choice, msgspec.Struct) for choice in choices):
        return tuple(choices)
    return ()


def item_type(type_: Any) -> Any:
    """The type of the items if ``type_`` is a list of any length, else None."""
    arguments = get_args(type_)
    return arguments[0] if get_origin(type_) is tuple and arguments[1:] == (...,) else None


def tag_of(struct: type[msgspec.Struct]) -> str:
    """The name of a kind in a union of kinds."""
    return str(struct.__struct_config__.tag)


def tag_field(struct: type[msgspec.Struct]) -> str:
    """The key that holds the kind's name, or "" for a struct that is no kind of anything."""
    return struct.__struct_config__.tag_field or ""


def field_types(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The type of each key."""
    return {field.name: field.type for field in msgspec.structs.fields(struct)}
