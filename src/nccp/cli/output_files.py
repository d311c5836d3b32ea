"""Files that a verb writes beside what it prints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from nccp.errors import InputError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say that the file was written; if it cannot be, one plain line says why."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    click.echo(f"wrote {path}", err=True)
