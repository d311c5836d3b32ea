"""Where models are, and loading one by its name.

A name is looked for in the folders of the environment variable NCCP_MODELS, then in the user's own folder
(``~/.local/share/nccp/models``), then among the models that came with the package. The first one counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from nccp.decoding import Parser
from nccp.errors import BundleError
from nccp.runtime.bundle import Bundle, BundleFiles

BUILT_IN = Path(__file__).parent.parent / "models"
DEFAULT = "en"


@dataclass(frozen=True)
class Model:
    """A model that is at hand; one whose bundle is damaged has only a name, a path and the ``error``."""

    name: str
    path: Path
    language: str = ""
    licence: str = ""
    precision: str = ""
    size: int = 0
    """Bytes on disk."""
    scores: dict[str, float] | None = None
    """On its development set."""
    error: str | None = None

    @property
    def built_in(self) -> bool:
        """Whether it came with the package."""
        return self.path.parent == BUILT_IN

    def to_dict(self) -> dict[str, Any]:
        """In plain values, fit for JSON."""
        return {**vars(self), "path": str(self.path), "built_in": self.built_in}


def load(model: str | Path = DEFAULT, *, threads: int | None = None) -> Parser:
    """The parser of a model: its name, such as "en", or the path of its bundle.

    ``threads``: how many `Parser.parse_many` uses; None for one a core.
    """
    bundle = Bundle.load(find_model(model))
    name = bundle.manifest.name or bundle.files.root.name
    language = bundle.manifest.language or "en"
    return Parser(bundle.engine(), language, name=name, threads=threads, flat=bundle.manifest.flat)


def find_model(model: str | Path) -> Path:
    """The folder of a model's bundle; a name goes before a path of the same spelling."""
    name = os.fspath(model)
    if isinstance(model, str) and (found := _by_name().get(name)):
        return found
    path = Path(model).expanduser()
    if path.exists() or isinstance(model, Path) or path.name != name:
        return path
    known = list(_by_name())
    near = get_close_matches(name, known, 1)
    hint = (
        f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}" if known else "there are none"
    )
    raise BundleError(f"no model {name!r}: {hint} (or give the path of a bundle)")


def list_models(*, verify: bool = False) -> list[Model]:
    """The models that have a name, in alphabetical order; with ``verify`` their checksums are compared."""
    return [_describe(name, path, verify) for name, path in sorted(_by_name().items())]


def model_folders() -> list[Path]:
    """Where models are looked for, the first before the others."""
    named = os.environ.get("NCCP_MODELS", "")
    home = os.environ.get("XDG_DATA_HOME") or os.path.join("~", ".local", "share")
    folders = [*filter(None, named.split(os.pathsep)), os.path.join(home, "nccp", "models")]
    return [*(Path(folder).expanduser() for folder in folders), BUILT_IN]


def _by_name() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in _bundles():
        found.setdefault(path.name, path)
    return found


def _bundles() -> Iterator[Path]:
    for folder in model_folders():
        try:
            inside = sorted(folder.iterdir())
        except OSError:  # most people have no folder of their own
            continue
        yield from (path for path in inside if BundleFiles(path).manifest.is_file())


def _describe(name: str, path: Path, verify: bool) -> Model:
    try:
        bundle = Bundle.load(path)
        if verify:
            bundle.verify()
    except BundleError as error:
        return Model(name, path, error=str(error))
    about = bundle.manifest
    return Model(name, path, about.language, about.licence, about.precision, bundle.size, about.scores)
