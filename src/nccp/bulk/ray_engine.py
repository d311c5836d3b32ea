"""Work on a Ray cluster, through Ray Data.

Every item is a block of a data set, and an actor pool maps over the blocks. Actors write their shards
themselves, under temporary names that are renamed; the data set carries only records of what was done. Ray
Data's own writers would not do: they choose names and sizes of files as they go, and write a block again
under another name after a failure. Here a repeated item writes the same file with the same bytes.

Nothing else in the pipeline asks for a CPU, so that actors can have all of them without stalling. Ray starts
dead actors again and repeats what they were doing.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Generator, Sequence
from typing import Any

from nccp.bulk.engines import Outcome, R, T, Work, attempt
from nccp.errors import NccpError, need


class RayEngine:
    """An engine of actors, each with ``threads`` CPUs."""

    def __init__(self, address: str | None = None, workers: int | None = None, threads: int = 1) -> None:
        """``address``: of a running cluster, or "auto"; None starts Ray on this machine. ``workers``: actors;
        None for as many as there are CPUs."""
        ray = need("ray", "ray", "the Ray engine")
        need("ray.data", "ray", "the Ray engine")
        self.threads = threads
        if not ray.is_initialized():
            options: dict[str, Any] = {"address": address} if address else {"include_dashboard": False}
            if not address and workers:
                options["num_cpus"] = max(workers * threads, os.cpu_count() or 1)
            try:
                ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
            except Exception as error:  # of many kinds
                raise NccpError(f"no connection to Ray at {address or 'this machine'}: {error}") from None
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self.workers = workers or max(1, cpus // threads)
        if cpus < threads:
            raise NccpError(f"an actor needs {threads} CPUs, but the Ray cluster has {cpus}")

    def map(self, work: Work[T, R], items: Sequence[T]) -> Generator[R]:
        """Results as they come."""
        import ray.data
        import ray.exceptions

        if not items:
            return
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.print_on_execution_start = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        rows = [{"item": pickle.dumps(item)} for item in items]
        made = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Actor,
            fn_constructor_args=(work,),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(
                size=min(self.workers, len(rows)), max_tasks_in_flight_per_actor=1
            ),
            num_cpus=self.threads,
        )
        rows_made = iter(made.iter_rows())
        while True:
            try:
                row = next(rows_made, None)
            except ray.exceptions.RayError as error:
                raise NccpError(f"the Ray cluster could not finish the work: {error}") from None
            if row is None:
                return
            outcome: Outcome[Any] = pickle.loads(row["outcome"])
            yield outcome.value()


class _Actor:
    """A worker on the cluster."""

    def __init__(self, work: Work[Any, Any]) -> None:
        self._started = attempt(lambda _: work.start(), None)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        started = self._started
        outcomes: list[Outcome[Any]] = [
            started if started.result is None else attempt(started.result, pickle.loads(item))
            for item in batch["item"]
        ]
        return {"outcome": [pickle.dumps(outcome) for outcome in outcomes]}
