"""The models that a server offers: loaded when they are first asked for, and then shared."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from nccp.errors import BundleError, NccpError
from nccp.runtime import list_models, load
from nccp.runtime.bundle import Bundle
from nccp.runtime.models import DEFAULT, find_model
from nccp.web.batching import Batcher
from nccp.web.limits import Refused

log = logging.getLogger("nccp.web")


@dataclass
class _Entry:
    """A model by its path, and what there is to say of it; it is loaded once someone asks for it."""

    path: Path
    about: dict[str, Any]
    batcher: Batcher | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Models:
    """Models by name. All calls may block, and any thread may make them."""

    def __init__(self, paths: Mapping[str, Path], *, waiting: int = 50_000) -> None:
        """``paths`` of bundles, whose manifests are read now; the first is the default."""
        if not paths:
            raise BundleError("there is no model to serve: nccp models says where they are looked for")
        self._entries = {name: _Entry(path, _describe(name, path)) for name, path in paths.items()}
        self.default = next(iter(paths))
        self._waiting = waiting

    @classmethod
    def find(cls, names: Sequence[str] = (), *, waiting: int = 50_000) -> Models:
        """These models, names or paths of bundles; else all that are at hand. Damaged ones raise now."""
        if names:
            found = [(path.resolve().name, path) for path in map(find_model, names)]
            paths = dict(found)
            if len(paths) < len(found):
                raise BundleError(f"two models of one name: {', '.join(name for name, _ in found)}")
        else:
            paths = {model.name: model.path for model in list_models() if model.error is None}
            paths = {name: paths[name] for name in sorted(paths, key=lambda name: (name != DEFAULT, name))}
        return cls(paths, waiting=waiting)

    @property
    def names(self) -> list[str]:
        """The default first."""
        return list(self._entries)

    def get(self, name: str | None = None) -> Batcher:
        """The default or another, loaded now if it has not been."""
        name = self.default if name is None else name
        entry = self._entries.get(name)
        if entry is None:
            raise Refused(404, f"There is no model {_quote(name)}: {self._hint(name)}")
        with entry.lock:
            if entry.batcher is None:
                try:
                    parser = load(entry.path)
                except NccpError:
                    log.exception("the model %s cannot be loaded", entry.path)
                    raise Refused(500, f"The model {_quote(name)} cannot be loaded.") from None
                entry.batcher = Batcher(parser, waiting=self._waiting)
            return entry.batcher

    def describe(self) -> list[dict[str, Any]]:
        """What there is to say of each, without loading any."""
        return [entry.about for entry in self._entries.values()]

    def close(self) -> None:
        """End the workers."""
        for entry in self._entries.values():
            with entry.lock:
                if entry.batcher is not None:
                    entry.batcher.close()
                    entry.batcher = None

    def _hint(self, name: str) -> str:
        near = get_close_matches(name[:100], self.names, 1)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(self.names)}."


def _quote(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")


def _describe(name: str, path: Path) -> dict[str, Any]:
    bundle = Bundle.load(path)
    about = bundle.manifest
    return {
        "name": name,
        "language": about.language,
        "kind": bundle.model.kind,
        "megabytes": round(bundle.size / 1e6, 1),
        "description": _first_paragraph(bundle.files.card),
        "scores": about.scores,
    }


def _first_paragraph(card: Path) -> str:
    """Of a model card, behind its title."""
    try:
        text = card.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    blocks = (" ".join(block.split()) for block in text.split("\n\n"))
    return next((block for block in blocks if block and block[0] not in "#|"), "")
