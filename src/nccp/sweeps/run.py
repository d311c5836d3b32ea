"""Train the trials of a sweep one after the other, until none is waiting.

Several processes can work in one folder. After a crash, start the same command again: finished trials stay,
and the interrupted trial resumes from its last checkpoint.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from nccp.config import Config
from nccp.disk import explain_disk_errors
from nccp.errors import DiskError, InputError, NccpError, TrainingError
from nccp.sweeps.definition import Sweep
from nccp.sweeps.results import Result, SweepFolder, best_first
from nccp.sweeps.store import Claim, Store
from nccp.sweeps.trial import run_trial
from nccp.treebanks import open_treebank


def run_sweep(
    sweep: Sweep,
    path: str | Path,
    *,
    retry: bool = False,
    verbose: bool = False,
    limit: int | None = None,
    tell: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Train the remaining trials of the sweep in the folder ``path``; all results so far, the best first.

    A trial that fails is recorded and the next one begins; ``retry`` repeats those that failed before.
    ``verbose`` shows the progress of each run, ``limit`` ends after that many trials, and ``tell`` is called
    with each result.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise TrainingError("a sweep does not run under torchrun: start it several times in one folder")
    check_files(sweep)
    with explain_disk_errors(path):
        return _run(sweep, Path(path), retry=retry, verbose=verbose, limit=limit, tell=tell)


def _run(
    sweep: Sweep,
    path: Path,
    *,
    retry: bool,
    verbose: bool,
    limit: int | None,
    tell: Callable[[Result], None] | None,
) -> list[Result]:
    store = Store(sweep, SweepFolder(path))
    if retry:
        store.retry_failed()
    done = len(store.results())
    with tqdm(total=sweep.trials, initial=done, unit="trial", desc="sweep", disable=None) as bar:
        for _ in itertools.count() if limit is None else range(limit):
            with store.claim() as claim:
                if claim is None:
                    break
                bar.set_postfix_str(claim.name)
                result = store.finish(claim, _train(sweep, claim, verbose=verbose))
            bar.update(len(store.results()) - bar.n)  # with those of other processes
            if tell:
                tell(result)
    results = best_first(store.results())
    if results and all(result.failed for result in results):
        raise TrainingError(f"no trial succeeded; {results[0].name}: {results[0].error}")
    return results


def check_files(sweep: Sweep) -> None:
    """Check before training that the treebanks and vectors of all trials exist."""
    seen: set[object] = set()
    for name, config in _configs(sweep):
        for treebank in config.data.treebanks:
            if (treebank.path, treebank.format) not in seen:
                seen.add((treebank.path, treebank.format))
                open_treebank(treebank.path, treebank.format or None)
        for key, path in config.input.required_files().items():
            if not Path(path).is_file():
                raise InputError(f"{path}: no such file ({key} of {name})")


def _configs(sweep: Sweep) -> list[tuple[str, Config]]:
    points = [(point.name, point.overrides) for point in sweep.points] or [("the base", {})]
    return [(name, sweep.config(overrides, name)) for name, overrides in points]


def _train(sweep: Sweep, claim: Claim, *, verbose: bool) -> dict[str, Any] | str:
    """The scores of a trial, or its error message."""
    try:
        return run_trial(sweep.config(claim.overrides, claim.name), claim.run, quiet=not verbose)
    except DiskError as error:  # not the trial's fault: the sweep stops, and the same command continues it
        raise DiskError(error.path, error.reason) from None
    except NccpError as error:
        return str(error)
    except Exception as error:  # out of memory, say: the trial's result, and no reason to stop the others
        return f"{type(error).__name__}: {error}"
