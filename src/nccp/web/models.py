"""The models that a server offers: loaded on first use, then shared by all requests."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from nccp.errors import BundleError, MissingExtra, NccpError
from nccp.languages import LANGUAGES, Language, known_language
from nccp.runtime import list_models, load
from nccp.runtime.bundle import Bundle
from nccp.runtime.models import DEFAULT, find_model
from nccp.web.batching import Batcher
from nccp.web.guard import Refused
from nccp.web.responses import LanguageInfo, ModelInfo

log = logging.getLogger("nccp.web")


@dataclass
class _Entry:
    """A model's path and description, and its batcher once it has been loaded."""

    path: Path
    info: ModelInfo
    batcher: Batcher | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Models:
    """Models by name. Calls may block; any thread may make them."""

    def __init__(
        self, paths: Mapping[str, Path], *, waiting: int = 50_000, threads: int | None = None
    ) -> None:
        """``paths`` of bundles, whose manifests are read now; the first model is the default."""
        if not paths:
            raise BundleError("there is no model to serve; nccp models lists where models are searched for")
        self._entries = {name: _Entry(path, _describe(name, path)) for name, path in paths.items()}
        self.default = next(iter(paths))
        self._waiting, self._threads = waiting, threads

    @classmethod
    def find(cls, names: Sequence[str] = (), *, waiting: int = 50_000, threads: int | None = None) -> Models:
        """Models by name or path; without any, all that are installed. Damaged bundles raise now."""
        if names:
            found = [(path.resolve().name, path) for path in map(find_model, names)]
            paths = dict(found)
            if len(paths) < len(found):
                raise BundleError(f"two models have the same name: {', '.join(name for name, _ in found)}")
        else:
            paths = {model.name: model.path for model in list_models() if model.error is None}
            paths = {name: paths[name] for name in sorted(paths, key=lambda name: (name != DEFAULT, name))}
        return cls(paths, waiting=waiting, threads=threads)

    @property
    def names(self) -> list[str]:
        """The default first."""
        return list(self._entries)

    def get(self, name: str | None = None) -> Batcher:
        """A model, or the default one, loaded now if it has not been."""
        name = self.default if name is None else name
        entry = self._entries.get(name)
        if entry is None:
            raise Refused(404, f"There is no model {_quote(name)}: {self._hint(name)}")
        with entry.lock:
            if entry.batcher is None:
                try:
                    parser = load(entry.path, threads=self._threads)
                except NccpError:
                    log.exception("the model %s cannot be loaded", entry.path)
                    raise Refused(500, f"The model {_quote(name)} cannot be loaded.") from None
                entry.batcher = Batcher(parser, waiting=self._waiting)
            return entry.batcher

    @property
    def loaded(self) -> bool:
        """Whether the default model has been loaded."""
        return self._entries[self.default].batcher is not None

    def describe(self) -> list[ModelInfo]:
        """A description of each model, without loading any."""
        return [entry.info for entry in self._entries.values()]

    def languages(self) -> list[LanguageInfo]:
        """All languages that nccp knows, those of the models first."""
        offered = dict.fromkeys(entry.info.language for entry in self._entries.values())
        found = [language for code in offered if (language := known_language(code)) is not None]
        others = [language for language in LANGUAGES.values() if language not in found]
        return [*map(_checked, found), *(LanguageInfo(**language.to_dict()) for language in others)]

    def close(self) -> None:
        """End the workers."""
        for entry in self._entries.values():
            with entry.lock:
                if entry.batcher is not None:
                    entry.batcher.close()
                    entry.batcher = None

    def _hint(self, name: str) -> str:
        near = get_close_matches(name[:100], self.names, 1)
        return f"did you mean {near[0]}?" if near else f"available are {', '.join(self.names)}."


def _quote(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")


@lru_cache
def _checked(language: Language) -> LanguageInfo:
    """A language, and whether its tokeniser is installed."""
    info = LanguageInfo(**language.to_dict())
    try:
        language.cut_words("")
    except MissingExtra as error:
        info.missing = str(error)
    return info


def _describe(name: str, path: Path) -> ModelInfo:
    bundle = Bundle.load(path)
    return ModelInfo(
        name=name,
        language=bundle.manifest.language,
        kind=bundle.model.kind,
        megabytes=round(bundle.size / 1e6, 1),
        description=_first_paragraph(bundle.files.card),
        scores=bundle.manifest.scores,
    )


def _first_paragraph(card: Path) -> str:
    """The first paragraph of a model card after its title."""
    try:
        text = card.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    blocks = (" ".join(block.split()) for block in text.split("\n\n"))
    return next((block for block in blocks if block and block[0] not in "#|"), "")
