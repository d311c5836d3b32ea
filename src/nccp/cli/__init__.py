"""The ``nccp`` command. Each verb lives in a module of its name and is imported only when called."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import Any

import click

from nccp import __version__
from nccp.disk import explain_disk_errors
from nccp.errors import NccpError, NccpWarning

VERBS = {
    "analyse": "where a model errs on a treebank",
    "bench": "measure the parser's speed on this machine",
    "bulk": "parse a corpus of many files",
    "evaluate": "score models on a treebank",
    "export": "write a trained run as a model bundle",
    "heads": "which child a multi-branching model treats as the head",
    "history": "scores and invalid layers of training runs by epoch",
    "models": "list installed and available models",
    "paper": "repeat the tables and figures of the paper",
    "parse": "turn text into trees",
    "score": "EVALB scores of predicted trees against gold trees",
    "serve": "serve a page in the browser and an HTTP API",
    "show": "draw trees",
    "stats": "orientation, compression and complexity of a treebank",
    "sweep": "train over a grid or a search space",
    "train": "train a model",
    "treebank": "download, check, compare and convert treebanks",
    "vectors": "train, convert and inspect word vectors",
}


class _Lazy(click.Group):
    """A group that imports a verb's module only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"nccp.cli.{name}").command
        return command

    def invoke(self, ctx: click.Context) -> None:
        try:
            super().invoke(ctx)
        except BrokenPipeError:  # click would make it exit code 1
            # the reader (head, less) has gone: leave quietly, without a second error at shutdown
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(VERBS.items()))


_EPILOG = """\b
Completion of commands, options and model names in the shell:
  bash:  eval "$(_NCCP_COMPLETE=bash_source nccp)"
  zsh:   eval "$(_NCCP_COMPLETE=zsh_source nccp)"
  fish:  _NCCP_COMPLETE=fish_source nccp | source
"""


@click.group(cls=_Lazy, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="nccp")
def nccp() -> None:
    """Neural combinatory constituency parsing."""


def main() -> None:
    """Run the command line; known errors are one line on stderr and exit code 1, our warnings one line."""
    show = warnings.showwarning

    def show_plainly(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, NccpWarning):
            click.echo(f"nccp: warning: {message}", err=True)
        else:
            show(message, category, *place)

    warnings.showwarning = show_plainly  # type: ignore[assignment]  # the place is passed on as it comes
    try:
        with explain_disk_errors("standard output"):  # what is written elsewhere has a name
            nccp()
    except NccpError as error:
        click.echo(f"nccp: {error}", err=True)
        sys.exit(1)
