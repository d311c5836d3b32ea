"""Downloading treebanks: resumable, checked by digest, unpacked safely.

The archive is collected in a ``.part`` file beside the target folder, so that an interrupted download goes on
where it stopped. The folder appears at the end, complete, or not at all.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import stat
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.treebanks.sources import DownloadSource

RECORD = "download.json"
"""Written into the treebank's folder: where it came from, and its digest."""

_CHUNK = 1 << 16
_TIMEOUT = 60.0  # seconds without an answer
_LARGEST = 8 << 30  # bytes that an archive may unpack to
Progress = Callable[[int, int | None], None]
"""Called with the bytes at hand and the bytes in all, if known."""


@dataclass(frozen=True)
class Downloaded:
    """A treebank that was downloaded."""

    folder: Path
    sha256: str
    verified: bool
    """Whether the digest was known before, from the list of sources, the user, or an earlier download."""
    files: int


def get_treebank(
    source: DownloadSource,
    folder: str | Path,
    *,
    sha256: str = "",
    force: bool = False,
    attempts: int = 5,
    pause: float = 2.0,
    progress: Progress = lambda done, total: None,
) -> Downloaded:
    """Download a treebank into a folder.

    ``sha256`` is the digest to expect, if not the one in ``source``. A folder that exists is replaced only
    with ``force``; the digest in its record has to be that of the new archive unless ``sha256`` says
    otherwise. There are ``attempts`` in all if connections are lost, the second after ``pause`` seconds, each
    later one after twice as long.
    """
    folder = Path(folder)
    if folder.exists() and not force and any(folder.iterdir()):
        raise InputError(f"{folder}: is there already; name another folder, or replace it with --force")
    expected = sha256.lower() or source.sha256 or _recorded_digest(folder, source)
    archive = folder.parent / f".{folder.name}-{source.name}.zip.part"
    archive.parent.mkdir(parents=True, exist_ok=True)
    _fetch(source.url, archive, attempts, pause, progress)
    digest = _digest(archive)
    if expected and digest != expected:
        _forget(archive)
        raise InputError(
            f"{source.url}: its digest is sha256 {digest}, but {expected} was expected; nothing was unpacked."
            " If the new version is what you want, give its digest with --sha256"
        )
    files = _unpack(archive, folder, source, digest)
    _forget(archive)
    return Downloaded(folder, digest, bool(expected), files)


def _recorded_digest(folder: Path, source: DownloadSource) -> str:
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(record.get("sha256", "")) if record.get("url") == source.url else ""


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


# ---- fetching ----------------------------------------------------------------------------------------


def _fetch(url: str, part: Path, attempts: int, pause: float, progress: Progress) -> None:
    """Download into ``part``, going on where an earlier download stopped; try again if it is cut."""
    for attempt in range(1, attempts + 1):
        try:
            _fetch_once(url, part, progress)
            return
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise InputError(f"{url}: the server answers {error.code} {error.reason}") from None
            failure = f"the server answers {error.code} {error.reason}"
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            failure = str(getattr(error, "reason", error)) or type(error).__name__
        if attempt < attempts:
            time.sleep(pause * 2 ** (attempt - 1))
    raise InputError(
        f"{url}: {failure}, after {attempts} attempts; {_size(part):,} bytes are kept, and the same command"
        " goes on from there"
    )


def _fetch_once(url: str, part: Path, progress: Progress) -> None:
    start, validator = _size(part), _validator(part, url)
    if start and not validator:  # nothing says that it is still the same file
        start = 0
    headers = {"User-Agent": "nccp", "Accept-Encoding": "identity"}
    if start:
        headers |= {"Range": f"bytes={start}-", "If-Range": validator}
    request = urllib.request.Request(url, headers=headers)
    try:
        answer = urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and start:
            if error.headers.get("Content-Range") == f"bytes */{start}":  # all of it is here
                return
            _forget(part)
            raise ConnectionError("the file there has changed") from None
        raise
    with answer:
        is_rest = answer.status == 206 and answer.headers.get("Content-Range", "").startswith(
            f"bytes {start}-"
        )
        start = start if is_rest else 0
        length = answer.headers.get("Content-Length")
        total = start + int(length) if length else None
        new = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        if not is_rest:
            _note(part).write_text(json.dumps({"url": url, "validator": "" if new.startswith("W/") else new}))
        done = start
        with part.open("ab" if is_rest else "wb") as file:
            progress(done, total)
            while chunk := answer.read(_CHUNK):
                file.write(chunk)
                done += len(chunk)
                progress(done, total)
    if total is not None and done != total:
        raise ConnectionError(f"the connection was lost after {done:,} of {total:,} bytes")


def _note(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _validator(part: Path, url: str) -> str:
    """What the server called this version of the file, if the part is one of it."""
    try:
        note = json.loads(_note(part).read_text())
    except (OSError, ValueError):
        return ""
    return str(note.get("validator", "")) if note.get("url") == url else ""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)


# ---- unpacking ---------------------------------------------------------------------------------------


def _unpack(archive: Path, folder: Path, source: DownloadSource, digest: str) -> int:
    """Unpack the treebank's files into a new folder, and put it into place; the number of files."""
    temporary = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as zipped:
            wanted = _wanted(zipped, source)
            for info, place in wanted:
                target = temporary / place
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(info) as packed, target.open("wb") as file:
                    shutil.copyfileobj(packed, file)
        record = {
            "name": source.name,
            "version": source.version,
            "url": source.url,
            "licence": source.licence,
        }
        with atomic_write(temporary / RECORD) as file:
            json.dump(record | {"sha256": digest}, file, indent=2)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(temporary, folder)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        _forget(archive)
        raise InputError(f"{source.url}: not a sound zip archive: {error}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return len(wanted)


def _wanted(zipped: zipfile.ZipFile, source: DownloadSource) -> list[tuple[zipfile.ZipInfo, str]]:
    """The files to take and their places; an archive with unsafe entries is refused as a whole."""
    wanted = []
    size = 0
    for info in zipped.infolist():
        path = PurePosixPath(info.filename)
        if path.is_absolute() or ".." in path.parts or re.search(r"[\\:\0]", info.filename):
            raise InputError(
                f"{source.url}: unsafe path in the archive: {info.filename!r}; nothing was unpacked"
            )
        if stat.S_ISLNK(info.external_attr >> 16):
            raise InputError(f"{source.url}: link in the archive: {info.filename!r}; nothing was unpacked")
        name = "/".join(path.parts[1:])
        for pattern, place in source.files:
            if not info.is_dir() and (match := re.fullmatch(pattern, name)):
                wanted.append((info, match.expand(place)))
                size += info.file_size
    if size > _LARGEST:
        raise InputError(f"{source.url}: would unpack to {size:,} bytes; nothing was unpacked")
    if not wanted:
        raise InputError(f"{source.url}: the archive has none of the treebank's files")
    return wanted
