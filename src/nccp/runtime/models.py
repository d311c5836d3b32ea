"""Finding models by name, and loading one.

A name is looked up in this order, and the first model found is used:

1. the folders in the environment variable ``NCCP_MODELS``;
2. the user's own folder, ``~/.local/share/nccp/models``;
3. the models inside the nccp package;
4. installed model packages, such as ``nccp-model-ja``: each names its models in the entry point group
   ``nccp_models``, and holds a folder of that name for each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nccp.decoding import Parser
from nccp.errors import BundleError
from nccp.runtime.bundle import Bundle, BundleFiles
from nccp.runtime.catalogue import CATALOGUE, Offer, commercial_use

BUILT_IN = Path(__file__).parent.parent / "models"
DEFAULT = "en"
ENTRY_POINTS = "nccp_models"


@dataclass(frozen=True)
class Model:
    """An installed model. If its bundle is damaged, only name, path, package and ``error`` are set."""

    name: str
    path: Path
    language: str = ""
    licence: str = ""
    precision: str = ""
    size: int = 0
    """Bytes on disk."""
    scores: dict[str, float] | None = None
    """On its development set."""
    package: str = ""
    """The installed model package that it is in; empty for all others."""
    error: str | None = None

    @property
    def built_in(self) -> bool:
        """Whether it is inside the nccp package."""
        return self.path.parent == BUILT_IN

    @property
    def commercial_use(self) -> bool | None:
        """Whether its licence allows commercial use; None where the licence does not tell."""
        return commercial_use(self.licence)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        more = {"built_in": self.built_in, "commercial_use": self.commercial_use}
        return {**vars(self), "path": str(self.path), **more}


def load(model: str | Path = DEFAULT, *, threads: int | None = None) -> Parser:
    """The parser of a model, given by its name, such as "en", or by the path of its bundle.

    ``threads``: how many threads `Parser.parse_many` uses; None for one per core.
    """
    bundle = Bundle.load(find_model(model))
    name = bundle.manifest.name or bundle.files.root.name
    language = bundle.manifest.language or "en"
    return Parser(bundle.engine(), language, name=name, threads=threads, flat=bundle.manifest.flat)


def find_model(model: str | Path) -> Path:
    """The folder of a model's bundle. A model's name takes precedence over a path of the same spelling."""
    name = os.fspath(model)
    if isinstance(model, str):
        for found, path, _ in _installed():
            if found == name:
                return path
    path = Path(model).expanduser()
    if name and (path.exists() or isinstance(model, Path) or path.name != name):
        return path
    raise BundleError(_missing(name))


def list_models(*, verify: bool = False) -> list[Model]:
    """The installed models in alphabetical order; ``verify`` compares the checksums of their files."""
    first: dict[str, Model] = {}
    for name, path, package in _installed():
        if name not in first:
            first[name] = _describe(name, path, package, verify)
    return [first[name] for name in sorted(first)]


def not_installed() -> list[Offer]:
    """The models of the repository's model packages whose names no installed model has."""
    names = {name for name, _, _ in _installed()}
    return [offer for offer in CATALOGUE if offer.name not in names]


def model_folders() -> list[Path]:
    """The folders in which models are looked up, in order."""
    named = os.environ.get("NCCP_MODELS", "")
    home = os.environ.get("XDG_DATA_HOME") or os.path.join("~", ".local", "share")
    folders = [*filter(None, named.split(os.pathsep)), os.path.join(home, "nccp", "models")]
    return [*(Path(folder).expanduser() for folder in folders), BUILT_IN]


def _installed() -> Iterator[tuple[str, Path, str]]:
    """Name, folder and package of every model, in the order of lookup; a name may come more than once.

    Packages come last: looking through them takes longer, and most callers have found their model by then.
    """
    for folder in model_folders():
        try:
            inside = sorted(folder.iterdir())
        except OSError:  # most users have no folder of their own
            continue
        yield from ((path.name, path, "") for path in inside if BundleFiles(path).manifest.is_file())
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        spec = find_spec(point.module)  # finds the package without running its code
        if spec is not None and spec.submodule_search_locations:
            home = Path(next(iter(spec.submodule_search_locations)))
            yield point.name, home / point.name, point.dist.name if point.dist else point.module


def _missing(name: str) -> str:
    """What to say of a name that no installed model has."""
    for offer in CATALOGUE:
        if offer.name == name:
            return (
                f"the model {name!r} is not installed; it is in the package {offer.distribution}: "
                f"{offer.install} (in a checkout of nccp)"
            )
    known = sorted({found for found, _, _ in _installed()})
    if near := get_close_matches(name, [*known, *(offer.name for offer in CATALOGUE)], 1):
        hint = f"did you mean {near[0]}?"
    else:
        hint = f"installed models: {', '.join(known) or 'none'}"
    return f"no model {name!r}: {hint} (or give the path of a bundle)"


def _describe(name: str, path: Path, package: str, verify: bool) -> Model:
    try:
        bundle = Bundle.load(path)
        if verify:
            bundle.verify()
    except BundleError as error:
        return Model(name, path, package=package, error=str(error))
    about = bundle.manifest
    return Model(
        name, path, about.language, about.licence, about.precision, bundle.size, about.scores, package
    )
