"""TensorBoard events, written at once and by the caller's thread.

torch's SummaryWriter writes from a thread of its own, where a full disk ends in a traceback.
"""

from __future__ import annotations

import io
import os
import socket
import time
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.summary.writer.record_writer import RecordWriter
from torch.utils.tensorboard.summary import scalar

from nccp.disk import append


class Events:
    """One file of events in the folder of a run."""

    def __init__(self, folder: Path, resumed: int | None) -> None:
        """A ``resumed`` run replaces the earlier events from this step on."""
        folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{time.time():.6f}.{socket.gethostname()}.{os.getpid()}"
        self._path = folder / name
        self._write(Event(wall_time=time.time(), file_version="brain.Event:2"))
        if resumed is not None:
            start = SessionLog(status=SessionLog.START)
            self._write(Event(wall_time=time.time(), step=resumed, session_log=start))

    def add(self, values: dict[str, float], step: int) -> None:
        """Write numbers by name."""
        summaries = [scalar(name, value) for name, value in values.items()]  # type: ignore[no-untyped-call]
        self._write(*(Event(wall_time=time.time(), step=step, summary=one) for one in summaries))

    def _write(self, *events: Any) -> None:
        records = io.BytesIO()
        writer = RecordWriter(records)
        for event in events:
            writer.write(event.SerializeToString())
        append(self._path, records.getvalue())
