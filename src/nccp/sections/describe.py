"""What there is to say about each key: its type, its range, its default and its meaning."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect as types

from nccp.sections.base import item_type, path_mark, struct_types, tag_field, tag_of


@dataclass(frozen=True)
class Key:
    """One key of a configuration, described."""

    name: str
    """With its section: ``train.batch``; ``data.treebanks[].path`` is a key of each item of a list."""
    kind: str
    """The kind of section that has this key (``words`` of ``[input]``); "" if there is only one kind."""
    type: str
    """``whole number``, ``number``, ``true or false``, ``text``, ``path``, ``choice`` or a list of these."""
    allowed: str
    """The range or the choices: ``at least 1``; ``"binary" or "multi"``; "" if the type says it all."""
    default: str
    """As TOML; "" if the key is required."""
    meaning: str

    @property
    def required(self) -> bool:
        return not self.default


def describe_keys(section: Any, prefix: str = "") -> list[Key]:
    """Every key of a section and of the sections inside it, in the order of declaration."""
    return list(_describe(section, prefix))


def _describe(type_: Any, prefix: str) -> Iterator[Key]:
    structs = struct_types(type_)
    if len(structs) > 1:
        names = [tag_of(struct) for struct in structs]
        meaning = "; ".join(f'"{tag_of(s)}": {first_sentence(s)}' for s in structs)
        yield Key(f"{prefix}{tag_field(structs[0])}", "", "choice", _one_of(names), "", meaning)
    for struct in structs:
        meanings = field_docstrings(struct)
        kind = tag_of(struct) if len(structs) > 1 else ""
        for field in msgspec.structs.fields(struct):
            name = f"{prefix}{field.name}"
            if struct_types(field.type):
                yield from _describe(field.type, f"{name}.")
            elif (item := item_type(field.type)) is not None and struct_types(item):
                yield from _describe(item, f"{name}[].")
            else:
                default = "" if field.required else to_toml(field.default)
                meaning = meanings.get(field.name, "")
                yield Key(name, kind, *describe_type(field.type), default, meaning)


def describe_type(type_: Any) -> tuple[str, str]:
    """The name of a type, and what is allowed: ``("number", "from 0 to 1")``."""
    if path_mark(type_):
        return "path", ""
    return _describe_info(types.type_info(type_))


def _describe_info(info: Any) -> tuple[str, str]:
    while isinstance(info, types.Metadata):
        info = info.type
    match info:
        case types.BoolType():
            return "true or false", ""
        case types.IntType():
            return "whole number", _range(info)
        case types.FloatType():
            return "number", _range(info)
        case types.LiteralType():
            return "choice", _one_of(info.values)
        case types.EnumType():
            return "choice", _one_of([member.value for member in info.cls])
        case types.VarTupleType():
            name, allowed = _describe_info(info.item_type)
            return f"list of {name}", allowed
        case types.TupleType():
            name, allowed = _describe_info(info.item_types[0])
            return f"list of {len(info.item_types)} {name}s", allowed
        case types.UnionType():
            inner = [part for part in info.types if not isinstance(part, types.NoneType)]
            return _describe_info(inner[0])
    return "text", ""


def expected(type_: Any) -> str:
    """For error messages: ``a whole number, at least 1``."""
    name, allowed = describe_type(type_)
    if name == "choice":
        return allowed
    article = "" if name == "true or false" else "a "
    return f"{article}{name}" + (f", {allowed}" if allowed else "")


def _range(info: Any) -> str:
    limits = [("above", info.gt), ("at least", info.ge), ("below", info.lt), ("at most", info.le)]
    text = " and ".join(f"{word} {_number(limit)}" for word, limit in limits if limit is not None)
    if info.ge is not None and info.le is not None:
        text = f"from {_number(info.ge)} to {_number(info.le)}"
    multiple = f"a multiple of {info.multiple_of}" if info.multiple_of is not None else ""
    return ", ".join(part for part in (text, multiple) if part)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _one_of(values: Any) -> str:
    names = [json.dumps(value, ensure_ascii=False) for value in values]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def to_toml(value: Any) -> str:
    """A default as TOML; None, which TOML has no word for, as ``unset``."""
    if value is None:
        return "unset"
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def first_sentence(struct: type) -> str:
    """The first sentence of a class's docstring."""
    return " ".join((inspect.getdoc(struct) or "").split("\n\n")[0].split())


@cache
def field_docstrings(struct: type) -> dict[str, str]:
    """The docstring below each field, inherited ones included, as one line."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if not (issubclass(base, msgspec.Struct) and base is not msgspec.Struct):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:]):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                match below:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        found[field.target.id] = " ".join(text.split())
    return found
