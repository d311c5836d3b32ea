"""The Dockerfile and the compose file, checked without a daemon: what they name exists and is accepted."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("yaml")
pytest.importorskip("starlette")
pytest.importorskip("prometheus_client")

import yaml

from nccp.cli.serve import command
from nccp.web.app import ENDPOINTS

ROOT = Path(__file__).parents[2]
INSTRUCTIONS = {
    *("FROM", "RUN", "WORKDIR", "COPY", "ARG", "USER", "ENV", "EXPOSE"),
    *("STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
}


@pytest.fixture(scope="module")
def dockerfile():
    """Its instructions in order, without comments and with lines joined."""
    text = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def service():
    return yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]["nccp"]


def values(dockerfile, name):
    return [value for instruction, value in dockerfile if instruction == name]


def options(arguments):
    """What ``nccp serve`` makes of these arguments; wrong ones raise."""
    assert arguments[:2] == ["nccp", "serve"]
    return command.make_context("nccp serve", list(arguments[2:])).params


def test_instructions(dockerfile):
    assert {name for name, _ in dockerfile} <= INSTRUCTIONS
    assert dockerfile[0][0] == "FROM"
    assert values(dockerfile, "USER") == ["nccp"]  # not root


def test_the_extra_exists(dockerfile):
    run = " ".join(values(dockerfile, "RUN"))
    for extra in re.findall(r"'\.\[(.*?)\]'", run):
        assert re.search(rf"^{extra} = \[", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    (constraints,) = set(re.findall(r"-c (\S+)", run))
    assert (ROOT / constraints).is_file()


def test_the_command_is_accepted(dockerfile, service):
    (entry,), (rest,) = (values(dockerfile, name) for name in ("ENTRYPOINT", "CMD"))
    entry, rest = json.loads(entry), json.loads(rest)
    (port,) = values(dockerfile, "EXPOSE")
    for arguments in (entry + rest, entry + service["command"]):
        found = options(arguments)
        assert found["host"] == "0.0.0.0"
        assert found["port"] == int(port)
        assert found["workers"] > 1
    assert service["ports"] == [f"{port}:{port}"]
    grace = options(entry + service["command"])["grace"]
    assert int(service["stop_grace_period"].removesuffix("s")) > grace


def test_the_probe_asks_for_an_address_that_exists(dockerfile):
    (check,) = values(dockerfile, "HEALTHCHECK")
    program, flag, code = json.loads(check[check.index("CMD") + 4 :])
    assert (program, flag) == ("python", "-c")
    compile(code, "healthcheck", "exec")
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/[\w/]*)", code)
    assert path in [one.path for one in ENDPOINTS]


def test_the_token_comes_from_the_environment(service):
    variables = {option.envvar for option in command.params if option.envvar}
    assert set(service["environment"]) <= variables


def test_paths(dockerfile, service):
    assert (ROOT / "deploy" / service["build"]["context"]).resolve() == ROOT
    assert (ROOT / service["build"]["dockerfile"]).is_file()
    for value in values(dockerfile, "COPY"):
        *sources, _ = [part for part in shlex.split(value) if not part.startswith("--from")]
        if "--from" not in value:
            assert all((ROOT / source).exists() for source in sources)
    job = yaml.safe_load((ROOT / "deploy" / "prometheus.yaml").read_text("utf-8"))["scrape_configs"][0]
    assert job["metrics_path"] == "/metrics"
