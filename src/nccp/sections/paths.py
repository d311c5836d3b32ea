"""The paths in a configuration, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nccp.sections.base import field_types, item_type, path_mark, struct_types, tag_field, tag_of


def map_paths(tree: Any, section: Any, change: Callable[[str, bool], str]) -> Any:
    """A copy of a table in which ``change(path, maybe_a_name)`` has replaced every path that is not empty.

    The table need be neither complete nor valid: what does not fit ``section`` is copied as it is.
    """
    if mark := path_mark(section):
        return change(tree, mark != "always") if isinstance(tree, str) and tree else tree
    structs = struct_types(section)
    if structs and isinstance(tree, dict):
        kind = tree.get(tag_field(structs[0]))
        kinds = [struct for struct in structs if tag_of(struct) == kind] or structs
        known = {name: type_ for struct in kinds for name, type_ in field_types(struct).items()}
        return {key: map_paths(value, known.get(key), change) for key, value in tree.items()}
    item = item_type(section)
    if item is not None and isinstance(tree, list | tuple):
        return [map_paths(part, item, change) for part in tree]
    return tree
