"""A worker process of the local engine; messages go through its standard input and output."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from queue import SimpleQueue
from typing import IO, Any

from nccp.bulk.engines import attempt

_LENGTH = 8


def send(file: IO[bytes], message: Any) -> None:
    """Write a message."""
    data = pickle.dumps(message)
    file.write(len(data).to_bytes(_LENGTH, "big") + data)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """Read a message, which comes from our own process; EOFError if there is none."""
    head = file.read(_LENGTH)
    if len(head) < _LENGTH:
        raise EOFError
    data = file.read(int.from_bytes(head, "big"))
    return pickle.loads(data)


def main() -> None:
    """Receive the work, then an item at a time, until the driver is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between messages
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(inbox,), daemon=True).start()
    work = inbox.get()
    started = attempt(lambda _: work.start(), None)
    while True:
        item = inbox.get()
        if started.result is None:
            send(output, started)
        else:
            send(output, attempt(started.result, item))


def _listen(inbox: SimpleQueue[Any]) -> None:
    """Pass messages on. When the driver dies, so does this process, in the midst of its work if need be."""
    try:
        while True:
            inbox.put(receive(sys.stdin.buffer))
    except EOFError:
        os._exit(1)
