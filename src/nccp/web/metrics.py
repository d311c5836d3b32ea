"""Measurements of the server for Prometheus, summed over all worker processes."""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which worker processes share their figures; set before importing."""

_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

REQUESTS = Counter("nccp_requests", "Requests answered.", ["path", "status"])
SECONDS = Histogram("nccp_request_seconds", "Time until the end of a response.", ["path"], buckets=_SECONDS)
RUNNING = Gauge("nccp_requests_running", "Requests being answered.", multiprocess_mode="livesum")
CONNECTIONS = Gauge("nccp_connections", "Open connections.", multiprocess_mode="livesum")
SENTENCES = Counter("nccp_sentences", "Sentences parsed.", ["model"])
BATCHES = Histogram("nccp_batch_sentences", "Sentences per batch.", ["model"], buckets=_SIZES)
WAITING = Gauge("nccp_sentences_waiting", "Sentences in the queue.", ["model"], multiprocess_mode="livesum")
MEMORY = Gauge("nccp_memory_bytes", "Resident memory of a worker process.", multiprocess_mode="liveall")


def render() -> tuple[bytes, str]:
    """All figures in the text format of Prometheus, and its content type."""
    note_memory()
    registry = REGISTRY
    if SHARED in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


def note_memory() -> None:
    """Read this process's memory (Linux; elsewhere it stays 0)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            MEMORY.set(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    except OSError:
        pass
