"""``nccp serve``: the page and the API."""

from __future__ import annotations

import errno
import os
import socket
import sys

import click

_EPILOG = """\b
Examples:
  nccp serve
  nccp serve --model en --model ./my-model --port 9000 --no-browser
  NCCP_TOKEN=secret nccp serve --host 0.0.0.0 --workers 4 --log-format json --log-level info
  curl -H 'Content-Type: application/json' -d '{"text": "The cat sat."}' localhost:8000/api/parse
"""


@click.command("serve", epilog=_EPILOG)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 chooses a free one.",
)
@click.option(
    "--model", "names", multiple=True, metavar="NAME|PATH", help="Offer only these; the first is the default."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of worker processes. Each loads the models itself.",
)
@click.option(
    "--token",
    envvar="NCCP_TOKEN",
    metavar="TOKEN",
    help="Require this access token; set it in the environment variable NCCP_TOKEN to keep it secret.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="A further host name to answer to, such as that of a proxy; * for any.",
)
@click.option(
    "--grace",
    type=click.FloatRange(0),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Time that running requests have to finish after SIGTERM or Ctrl-C.",
)
@click.option(
    "--connections",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Open connections per worker; further ones wait. Limited by the file descriptors of the process.",
)
@click.option("--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--log-level",
    type=click.Choice(["info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="info logs every request.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    workers: int,
    token: str | None,
    allowed: tuple[str, ...],
    grace: float,
    connections: int,
    log_format: str,
    log_level: str,
    no_browser: bool,
) -> None:
    """Serve a page and an API for programs until Ctrl-C.

    Without --model all installed models are offered; the default is loaded at once, others on first use. The
    server listens on this machine only, unless --host says otherwise; then set an access token. The
    documentation of the API is at /docs, measurements for Prometheus at /metrics, probes at /healthz and
    /readyz.
    """
    from nccp.errors import need

    for module in ("starlette", "uvicorn", "prometheus_client"):
        need(module, "serve", "nccp serve")
    from nccp.web.guard import LOCAL
    from nccp.web.models import Models
    from nccp.web.server import Settings
    from nccp.web.workers import serve

    Models.find(names)  # so that a missing model is an error before anything starts
    listening = _listen(host, port)
    hosts = frozenset({*LOCAL, *map(str.lower, (host, *allowed))}) if host in LOCAL or allowed else None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}"
    if host not in LOCAL and not token:
        click.echo(
            f"Warning: anyone who can reach {shown} can use this server; --token requires an access token.",
            err=True,
        )

    def ready() -> None:
        click.echo(f"nccp is at {address} (press Ctrl-C to stop it)")
        if sys.stdout.isatty() and not no_browser:
            import webbrowser

            webbrowser.open(address)

    settings = Settings(
        models=names,
        hosts=None if "*" in allowed else hosts,
        token=token or None,
        grace=grace,
        connections=connections,
        threads=None if workers == 1 else max(1, (os.cpu_count() or 1) // workers),
        log_format=log_format,
        log_level=log_level,
    )
    serve(settings, listening, workers, ready)


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens on this address."""
    from nccp.errors import InputError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # on Windows it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        listening.close()
        why = (error.strerror or str(error)).lower()
        hint = "; --port 0 chooses a free one" if error.errno == errno.EADDRINUSE else ""
        raise InputError(f"cannot listen on {host}:{port}: {why}{hint}") from None
    return listening
