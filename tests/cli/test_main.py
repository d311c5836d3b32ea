"""The command as a whole: every verb is there, errors are one line, a closed pipe is quiet."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from nccp.cli import VERBS, nccp


def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nccp", *arguments], capture_output=True, text=True, **options
    )


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help(verb):
    result = CliRunner().invoke(nccp, [verb, "--help"])
    assert result.exit_code == 0, result.output
    assert "Usage" in result.output


def test_help_lists_all_verbs_without_importing_them():
    code = (
        "import sys; from nccp.cli import nccp;nccp(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(verb in done.stdout for verb in VERBS)
    assert "nccp.cli.train" not in done.stdout


def test_known_errors_are_one_line_and_exit_code_one(tmp_path):
    bad = tmp_path / "bad.mrg"
    bad.write_text("(S (NP")
    done = run("treebank", "check", str(bad))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"nccp: {bad}:1:1: bracket never closed\n"


def test_wrong_usage_is_exit_code_two():
    assert run("no-such-verb").returncode == 2


def test_a_closed_pipe_is_quiet(tmp_path):
    trees = tmp_path / "trees.mrg"
    trees.write_text("(S (A a) (B b))\n" * 20000)
    command = f"{sys.executable} -m nccp show --format brackets {trees} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "(S (A a) (B b))\n"


def test_files_that_cannot_be_written_are_one_line(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    out = str(tmp_path / "file" / "run")
    treebank = tmp_path / "trees.mrg"
    treebank.write_text("(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))\n" * 20)
    for verb in (["train", "--trees", str(treebank), "-o", out], ["bulk", str(treebank), out]):
        done = run(*verb)
        assert done.returncode == 1, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stderr.splitlines()[-1].startswith(f"nccp: {tmp_path / 'file'}"), done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_behind_standard_output_is_named():
    done = subprocess.run(
        f"{sys.executable} -m nccp models > /dev/full", shell=True, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("nccp: standard output: No space left on device")
