"""Everything nccp raises on purpose.

    NccpError                  catch this to catch them all
    ├── InputError             a file or text that cannot be used; says where
    │   ├── BracketError       bracketed text that is not a tree; file:line:column
    │   └── TreeError          a tree that cannot be used (no words, no tags, ...)
    ├── ConfigError            a configuration key or value; names the key
    ├── BundleError            a model bundle that is damaged, foreign or missing
    ├── DiskError              a file that cannot be written: full disk, read-only folder, ...
    ├── TrainingError          training that cannot go on (NaN, empty split, ...)
    └── MissingExtra           a command needs an optional package; says the pip line

And one warning, NccpWarning: something was done that the user may not expect.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class NccpError(Exception):
    """The root of the family; its text is fit for a user's eyes."""


class NccpWarning(UserWarning):
    """Something was done that the user may not expect, and how to have it otherwise."""


class InputError(NccpError):
    """A file or a text that cannot be used, with where and why."""


class BracketError(InputError):
    """Bracketed text that is not a tree: ``wsj_23.mrg:118:9: bracket never closed``."""

    def __init__(self, what: str, source: str = "<text>", line: int = 1, column: int = 1) -> None:
        super().__init__(f"{source}:{line}:{column}: {what}")
        self.what, self.source, self.line, self.column = what, source, line, column


class TreeError(InputError):
    """A well-bracketed tree that cannot be used, e.g. a word without a tag."""


class ConfigError(NccpError):
    """A configuration that does not hold: ``base.toml: unknown key train.learning_rat``."""


class BundleError(NccpError):
    """A model bundle that is damaged, of another format, or not there."""


class DiskError(NccpError):
    """A file or folder that cannot be written: which one, why, and what to do."""

    def __init__(
        self, path: str, reason: str, advice: str = "once this is solved, give the same command again"
    ) -> None:
        super().__init__(f"{path}: {reason}; {advice}")
        self.path, self.reason = path, reason


class TrainingError(NccpError):
    """Training that cannot start or go on, with advice."""


class MissingExtra(NccpError):
    """A command that needs an extra: ``nccp train needs torch: pip install 'nccp[train]'``."""

    def __init__(self, who: str, module: str, extra: str) -> None:
        super().__init__(f"{who} needs {module}: {install_line(extra)}")


def install_line(extra: str) -> str:
    """The pip command that adds an extra of nccp, from wherever nccp itself was installed."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlparse

    try:  # written by pip for packages that did not come from an index (PEP 610)
        origin = json.loads(distribution("nccp").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    url, vcs = str(origin.get("url", "")), origin.get("vcs_info", {}).get("vcs")
    if url.startswith("file:"):
        return f"pip install '{unquote(urlparse(url).path)}[{extra}]'"
    return f"pip install 'nccp[{extra}] @ {vcs}+{url}'" if vcs else f"pip install 'nccp[{extra}]'"


def need(module: str, extra: str, who: str) -> ModuleType:
    """Import ``module``, or say which extra of ours brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        if error.name and error.name.split(".")[0] == module.split(".")[0]:
            raise MissingExtra(who, module, extra) from None
        raise
