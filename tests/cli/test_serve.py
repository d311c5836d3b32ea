"""``nccp serve`` from start to Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

from nccp.cli import nccp
from nccp.errors import InputError, MissingExtra, install_line
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write_bundle(folder / "small")
    return folder


def test_without_the_extra(monkeypatch):
    def fake(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("nccp.errors.import_module", fake)
    error = CliRunner().invoke(nccp, ["serve"]).exception
    assert isinstance(error, MissingExtra)
    assert str(error) == f"nccp serve needs starlette: {install_line('serve')}"


class TestWithTheExtra:
    @pytest.fixture(autouse=True)
    def extra(self):
        pytest.importorskip("starlette")
        pytest.importorskip("uvicorn")

    def test_a_port_that_is_taken(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            arguments = ["serve", "--port", str(port), "--model", str(folder / "small")]
            error = CliRunner().invoke(nccp, arguments).exception
        assert isinstance(error, InputError)
        assert f"127.0.0.1:{port}: address already in use" in str(error)
        assert "--port 0" in str(error)

    def test_no_such_model(self, folder):
        result = CliRunner().invoke(nccp, ["serve", "--model", str(folder / "other")])
        assert "no model bundle here" in str(result.exception)

    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    @pytest.mark.parametrize("end", ["SIGINT", "SIGTERM"])
    def test_from_start_to_end(self, folder, end):
        command = [sys.executable, "-m", "nccp", "serve", "--port", "0", "--model", "small"]
        environment = {**os.environ, "NCCP_MODELS": str(folder), "PYTHONUNBUFFERED": "1"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=environment, **pipes) as process:
            try:
                line = process.stdout.readline()
                assert line.startswith("nccp is at http://127.0.0.1:")
                address = line.split()[3]
                question = urllib.request.Request(
                    f"{address}/api/parse",
                    json.dumps({"text": "The cat sat."}).encode(),
                    {"Content-Type": "application/json"},
                )
                with urllib.request.urlopen(question, timeout=60) as answer:
                    value = json.load(answer)
                assert value["model"] == "small"
                assert value["sentences"][0]["words"] == ["The", "cat", "sat", "."]
                process.send_signal(getattr(signal, end))
                rest = process.communicate(timeout=60)
            finally:
                process.kill()
        assert rest == ("", "")
        assert process.returncode in ((0,) if end == "SIGINT" else (0, -signal.SIGTERM))
