"""Downloads from a real HTTP server on this machine, which can cut connections and forget ranges."""

from __future__ import annotations

import hashlib
import io
import json
import stat
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from nccp.errors import InputError
from nccp.treebanks import SOURCES, DownloadSource, get_treebank, open_treebank
from nccp.treebanks.download import RECORD

TREE = "(S (NP (NNS Owls)) (VP (VBP sleep)))\n"


def archive(files: dict[str, str] | None = None, *, link: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        for name, text in (files or {"bank-1/data/train.mrg": TREE * 3000, "bank-1/README": "owls"}).items():
            zipped.writestr(name, text)
        if link:
            info = zipfile.ZipInfo(link)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            zipped.writestr(info, "/etc/passwd")
    return buffer.getvalue()


class Server(ThreadingHTTPServer):
    """Serves ``data``; cuts the connection after so many bytes of each of the next ``cuts``."""

    daemon_threads = True
    data = b""
    tag = '"v1"'
    ranges = True
    status = 0

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.cuts: list[int] = []
        self.asked: list[str] = []  # the ranges asked for
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/bank.zip"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, wanted = self.server, self.headers.get("Range", "")
        server.asked.append(wanted)
        if server.status:
            self.send_error(server.status)
            return
        start = 0
        if wanted and server.ranges and self.headers.get("If-Range") == server.tag:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        size = len(server.data)
        if start >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = server.data[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.send_header("Content-Length", str(len(body)))
        if server.tag:
            self.send_header("ETag", server.tag)
        self.end_headers()
        if server.cuts:
            body = body[: server.cuts.pop(0)]
        self.wfile.write(body)
        server.sent += len(body)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        running.data = archive()
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def source(server: Server, **changes: Any) -> DownloadSource:
    files = ((r"data/(.+\.mrg)", r"\1"), ("README", r"\g<0>"))
    values: dict[str, Any] = {"title": "Owls", "version": "1", "licence": "CC BY 4.0", "files": files}
    return DownloadSource("owls", url=server.url, **(values | changes))


def get(server: Server, folder: Path, **options: Any) -> Any:
    changes = {name: options.pop(name) for name in ("sha256_known",) if name in options}
    known = {"sha256": changes["sha256_known"]} if changes else {}
    return get_treebank(source(server, **known), folder, pause=0, **options)


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir() if path != folder)


def test_a_treebank_is_downloaded_and_recorded(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    done = get(server, tmp_path / "owls", progress=lambda *sizes: seen.append(sizes))
    digest = hashlib.sha256(server.data).hexdigest()
    assert (done.sha256, done.verified, done.files) == (digest, False, 2)
    assert seen[-1] == (len(server.data), len(server.data))
    assert len(list(open_treebank(done.folder).read("train"))) == 3000
    record = json.loads((done.folder / RECORD).read_text())
    assert (record["sha256"], record["url"], record["licence"]) == (digest, server.url, "CC BY 4.0")
    assert left_over(done.folder) == []


def test_a_lost_connection_is_resumed(server: Server, tmp_path: Path) -> None:
    server.cuts = [1000, 500]
    done = get(server, tmp_path / "owls")
    assert done.sha256 == hashlib.sha256(server.data).hexdigest()
    assert server.asked == ["", "bytes=1000-", "bytes=1500-"]
    assert server.sent == len(server.data)


def test_the_next_command_goes_on_where_the_last_one_stopped(server: Server, tmp_path: Path) -> None:
    server.cuts = [1000, 500]
    with pytest.raises(InputError, match=r"after 2 attempts; 1,500 bytes are kept"):
        get(server, tmp_path / "owls", attempts=2)
    assert not (tmp_path / "owls").exists()
    get(server, tmp_path / "owls")
    assert server.asked[-1] == "bytes=1500-"
    assert server.sent == len(server.data)


def test_a_complete_part_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    server.cuts = [1000]
    with pytest.raises(InputError):
        get(server, tmp_path / "owls", attempts=1)
    part = next(tmp_path.glob(".*.part"))
    part.write_bytes(server.data)
    assert get(server, tmp_path / "owls").files == 2
    assert server.sent == 1000


@pytest.mark.parametrize(("ranges", "tag"), [(False, '"v1"'), (True, "")])
def test_servers_that_cannot_resume_start_over(
    server: Server, tmp_path: Path, ranges: bool, tag: str
) -> None:
    server.cuts, server.ranges, server.tag = [1000], ranges, tag
    assert get(server, tmp_path / "owls").sha256 == hashlib.sha256(server.data).hexdigest()


def test_a_file_that_changed_meanwhile_starts_over(server: Server, tmp_path: Path) -> None:
    server.cuts = [1000]
    with pytest.raises(InputError):
        get(server, tmp_path / "owls", attempts=1)
    server.data, server.tag = archive({"bank-2/data/dev.mrg": TREE}), '"v2"'
    assert get(server, tmp_path / "owls").sha256 == hashlib.sha256(server.data).hexdigest()


def test_a_known_digest_is_checked(server: Server, tmp_path: Path) -> None:
    digest = hashlib.sha256(server.data).hexdigest()
    assert get(server, tmp_path / "a", sha256_known=digest).verified
    assert get(server, tmp_path / "b", sha256=digest.upper()).verified
    with pytest.raises(InputError, match=rf"sha256 {digest}, but 00 was expected; nothing was unpacked"):
        get(server, tmp_path / "c", sha256="00")
    assert not (tmp_path / "c").exists()
    assert not list(tmp_path.glob(".*"))


def test_the_first_digest_is_trusted_and_compared_later(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path / "owls")
    with pytest.raises(InputError, match="is there already"):
        get(server, tmp_path / "owls")
    assert get(server, tmp_path / "owls", force=True).verified
    server.data = archive({"bank-1/data/train.mrg": TREE})
    with pytest.raises(InputError, match="was expected"):
        get(server, tmp_path / "owls", force=True)
    assert len(list(open_treebank(tmp_path / "owls").read("train"))) == 3000  # the old one stays
    new = hashlib.sha256(server.data).hexdigest()
    assert get(server, tmp_path / "owls", force=True, sha256=new).files == 1


@pytest.mark.parametrize("name", ["../owned.mrg", "bank/../../owned.mrg", "/owned.mrg", "C:/owned.mrg"])
def test_unsafe_paths_are_refused(server: Server, tmp_path: Path, name: str) -> None:
    server.data = archive({"bank/data/train.mrg": TREE, name: TREE})
    with pytest.raises(InputError, match="unsafe path"):
        get(server, tmp_path / "in" / "owls")
    assert not list(tmp_path.rglob("*.mrg"))


def test_links_are_refused(server: Server, tmp_path: Path) -> None:
    server.data = archive({"bank/data/train.mrg": TREE}, link="bank/data/link.mrg")
    with pytest.raises(InputError, match="link in the archive"):
        get(server, tmp_path / "owls")


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"<html>not found</html>", "not a sound zip"), (archive({"x/y": "z"}), "none of the treebank's files")],
)
def test_other_files_are_refused(server: Server, tmp_path: Path, data: bytes, what: str) -> None:
    server.data = data
    with pytest.raises(InputError, match=what):
        get(server, tmp_path / "owls")
    assert not (tmp_path / "owls").exists()


@pytest.mark.parametrize(("status", "times"), [(404, 1), (503, 3)])
def test_errors_of_the_server(server: Server, tmp_path: Path, status: int, times: int) -> None:
    server.status = status
    with pytest.raises(InputError, match=f"the server answers {status}"):
        get(server, tmp_path / "owls", attempts=3)
    assert len(server.asked) == times


def test_nobody_answers(tmp_path: Path) -> None:
    with Server() as closed:
        port_free = source(closed)
    with pytest.raises(InputError, match="after 2 attempts"):
        get_treebank(port_free, tmp_path / "owls", attempts=2, pause=0)


def test_the_list_of_sources_is_sound() -> None:
    for name, listed in SOURCES.items():
        assert name == listed.name
        assert listed.url.startswith("https://")
        assert listed.licence
        assert len(listed.sha256) in (0, 64)
