"""``nccp serve``: the page and the API on this machine."""

from __future__ import annotations

import errno
import socket
import sys

import click

_EPILOG = """\b
Examples:
  nccp serve
  nccp serve --model en --model ./my-model --port 9000 --no-browser
  curl -H 'Content-Type: application/json' -d '{"text": "The cat sat."}' localhost:8000/api/parse
"""


@click.command("serve", epilog=_EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any that is free."
)
@click.option(
    "--model", "names", multiple=True, metavar="NAME|PATH", help="Offer only these; the first is the default."
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="A further name that the server may be called by, such as that of a proxy; * for any.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def command(host: str, port: int, names: tuple[str, ...], allowed: tuple[str, ...], no_browser: bool) -> None:
    """Serve the page, and an API for programs, until Ctrl-C.

    Without --model all models of nccp models are offered; each is loaded when it is first asked for. Whoever
    can reach the address can use it: on this machine only, unless --host says otherwise.
    """
    from nccp.errors import need

    need("fastapi", "serve", "nccp serve")
    need("uvicorn", "serve", "nccp serve")
    from nccp.web.app import create_app
    from nccp.web.guard import LOCAL
    from nccp.web.models import Models
    from nccp.web.server import run

    models = Models.find(names)
    listening = _listen(host, port)
    hosts = {*LOCAL, *map(str.lower, (host, *allowed))} if host in LOCAL or allowed else None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}"

    def ready() -> None:
        click.echo(f"nccp is at {address} (Ctrl-C ends it)")
        if sys.stdout.isatty() and not no_browser:
            import webbrowser

            webbrowser.open(address)

    run(create_app(models, hosts=None if "*" in allowed else hosts), listening, ready)


def _listen(host: str, port: int) -> socket.socket:
    """A socket on that address, or a word on why there is none."""
    from nccp.errors import InputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # where it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        why = (error.strerror or str(error)).lower()
        hint = "; try --port 0 for one that is free" if error.errno == errno.EADDRINUSE else ""
        raise InputError(f"cannot listen on {host}:{port}: {why}{hint}") from None
    return listening
