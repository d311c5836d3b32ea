"""Sections of a configuration: typed, validated, and able to describe themselves.

A section is a class whose fields are keys. Each field declares its type and range where it stands, and its
meaning in a docstring below it; error messages, ``nccp train --keys`` and the documentation are made from
these declarations. Nothing here knows which sections there are.
"""

from nccp.sections.base import FilePath, PathOrName, Section
from nccp.sections.check import check_section
from nccp.sections.describe import Key, describe_keys
from nccp.sections.paths import map_paths

__all__ = ["FilePath", "Key", "PathOrName", "Section", "check_section", "describe_keys", "map_paths"]
