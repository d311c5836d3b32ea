"""Work for engines that counts how often each item was tried; a light module, so that workers start fast."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import msgspec

from nccp.errors import InputError


class Counting(msgspec.Struct):
    """Work that notes its attempts in a folder; some items end their worker, or fail."""

    folder: str

    def start(self):
        return self.call

    def call(self, item):
        before = len(list(Path(self.folder).glob(f"{item}.*")))
        Path(self.folder, f"{item}.{before}").touch()
        print("this must not disturb the messages")
        if item == "poison" or (item == "delicate" and not before):
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "bad":
            raise InputError("bad item")
        if item == "odd":
            return 1 / 0
        return item
