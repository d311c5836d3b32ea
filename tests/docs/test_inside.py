"""The page "How it works inside" names files and functions that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nccp

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "inside.md"
SOURCE = Path(nccp.__file__).parent


def test_every_step_names_what_exists() -> None:
    named = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 30
    for file, name in named:
        path = SOURCE / file
        assert path.is_file(), file
        defined = {getattr(node, "name", "") for node in ast.parse(path.read_text(encoding="utf-8")).body}
        assert not name or name in defined, f"{file} defines no {name}"


def test_every_room_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rooms = {
        path.stem for path in SOURCE.iterdir() if path.name[0] not in "_." and path.suffix in ("", ".py")
    }
    missing = [room for room in sorted(rooms - {"models", "py"}) if f"`{room}`" not in text]
    assert not missing
