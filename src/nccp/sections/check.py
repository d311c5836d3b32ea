"""From a table of TOML or JSON to a section, with errors that name the key and what it may be."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from nccp.errors import ConfigError
from nccp.sections.base import field_types, item_type, struct_types, tag_field, tag_of
from nccp.sections.describe import expected

S = TypeVar("S")


def check_section(tree: dict[str, Any], section: type[S], source: str) -> S:
    """The section that ``tree`` describes; a `ConfigError` begins with ``source`` and names the key."""
    _check(tree, section, source, "")
    try:
        return msgspec.convert(tree, section)
    except msgspec.ValidationError as error:  # a rule about several keys, in some __post_init__
        raise ConfigError(f"{source}: {str(error).split(' - at `')[0]}") from None


def _check(value: Any, type_: Any, source: str, key: str) -> None:
    """Walk the table beside the type that it is to become."""
    structs = struct_types(type_)
    if structs:
        if not isinstance(value, dict):
            raise ConfigError(f"{source}: {key} is {value!r}; expected a table: [{key}]")
        _check_table(value, _chosen(value, structs, source, key), structs, source, f"{key}." if key else "")
    elif (item := item_type(type_)) is not None and struct_types(item) and isinstance(value, list | tuple):
        for number, part in enumerate(value):
            _check(part, item, source, f"{key}[{number}]")
    else:
        _check_value(value, type_, source, key)


def _chosen(
    table: dict[str, Any], structs: tuple[type[msgspec.Struct], ...], source: str, key: str
) -> type[msgspec.Struct]:
    """The struct of a table; in a union of kinds the table says which."""
    if len(structs) == 1:
        return structs[0]
    field, kinds = tag_field(structs[0]), {tag_of(struct): struct for struct in structs}
    choices = " or ".join(f'"{kind}"' for kind in kinds)
    if field not in table:
        raise ConfigError(f"{source}: {key}.{field} is missing; expected {choices}")
    if not isinstance(table[field], str) or table[field] not in kinds:
        raise ConfigError(f"{source}: {key}.{field} is {table[field]!r}; expected {choices}")
    return kinds[table[field]]


def _check_table(
    table: dict[str, Any],
    struct: type[msgspec.Struct],
    structs: tuple[type[msgspec.Struct], ...],
    source: str,
    prefix: str,
) -> None:
    known = field_types(struct)
    for name, value in table.items():
        if name == tag_field(struct):
            continue
        if name not in known:
            raise ConfigError(
                f"{source}: unknown key {prefix}{name}; {_advice(name, known, struct, structs)}"
            )
        _check(value, known[name], source, f"{prefix}{name}")
    for name in _required(struct):
        if name not in table:
            raise ConfigError(f"{source}: {prefix}{name} is missing; expected {_what(known[name])}")


def _required(struct: type[msgspec.Struct]) -> Iterator[str]:
    return (field.name for field in msgspec.structs.fields(struct) if field.required)


def _what(type_: Any) -> str:
    structs = struct_types(type_)
    if len(structs) > 1:
        kinds = " or ".join(f'"{tag_of(struct)}"' for struct in structs)
        return f"a table with {tag_field(structs[0])} = {kinds}"
    return "a table" if structs else expected(type_)


def _advice(
    name: str,
    known: Iterable[str],
    struct: type[msgspec.Struct],
    structs: tuple[type[msgspec.Struct], ...],
) -> str:
    """What the writer of an unknown key may have meant."""
    for other in structs:
        if name in field_types(other):
            field = tag_field(other)
            return f'it belongs to {field} = "{tag_of(other)}", and {field} is "{tag_of(struct)}" here'
    return nearest(name, [*known, *filter(None, [tag_field(struct)])])


def nearest(name: str, known: Iterable[str]) -> str:
    """``did you mean ...?``, or all that there is."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(sorted(known))}"


def _check_value(value: Any, type_: Any, source: str, key: str) -> None:
    try:
        found = msgspec.convert(value, type_)
    except msgspec.ValidationError:
        raise ConfigError(f"{source}: {key} is {value!r}; expected {expected(type_)}") from None
    numbers = found if isinstance(found, tuple) else (found,)
    if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
        raise ConfigError(f"{source}: {key} is {value!r}; expected a finite number")
