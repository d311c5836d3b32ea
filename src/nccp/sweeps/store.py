"""The trials of a sweep in Optuna's journal: a queue that several processes share and that outlives them.

Every trial waits in the journal from the start. A process takes one under the sweep's lock, and holds the
lock of the trial's run for as long as it trains. The system drops both with the process, however it ends: a
trial that is running in the journal but whose lock is free was cut short, and the next process goes on with
it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec
import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from nccp import __version__
from nccp.config import check_config, config_changes
from nccp.disk import append
from nccp.errors import InputError, TrainingError
from nccp.files import FileLock, atomic_write, drop_partial_line
from nccp.sweeps.definition import Choice, Overrides, Search, Sweep, identity, name_of
from nccp.sweeps.results import Result, SweepFolder


@dataclass(frozen=True)
class Claim:
    """A trial that this process alone trains."""

    trial: Trial
    name: str
    overrides: Overrides
    run: Path


class _Journal(JournalFileBackend):
    """Optuna's journal, whose errors name the file and which no failed write leaves with half a line."""

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(log, separators=(",", ":")) + "\n" for log in logs)
        with cast(FileLock, self._lock):
            append(self._file_path, lines.encode(), sync=True)

    def read_logs(self, log_number_from: int) -> Iterator[dict[str, Any]]:  # type: ignore[override]
        try:
            yield from super().read_logs(log_number_from)
        except ValueError as error:
            raise InputError(
                f"{self._file_path}: damaged: {error}; restore it from a copy, or use another folder with -o"
            ) from None


class Store:
    """The queue of a sweep."""

    def __init__(self, sweep: Sweep, folder: SweepFolder) -> None:
        self.sweep, self.folder = sweep, folder
        self._lock = FileLock(folder.lock)
        journal = folder.journal.absolute()
        guard = FileLock(journal.with_name(f"{journal.name}.lock"))
        with guard:
            drop_partial_line(journal)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with self._lock:
            self._settle()
            self.study = optuna.create_study(
                storage=JournalStorage(_Journal(str(journal), cast(Any, guard))),
                study_name="sweep",
                direction="maximize",
                load_if_exists=True,
            )
            self._fill()
            folder.write_results(self.results())  # a killed process may have left them behind the journal

    def _settle(self) -> None:
        """Write `sweep.json`; if it exists, this must be the same sweep, or the same with more trials."""
        tree = json.loads(msgspec.json.encode(self.sweep))
        if self.folder.sweep.exists():
            old = self.folder.read_sweep()
            if difference := _difference(old["sweep"], tree):
                where = self.folder.path
                raise TrainingError(f"{where} holds another sweep: {difference}; name another folder")
        with atomic_write(self.folder.sweep) as file:
            json.dump({"version": __version__, "sweep": tree}, file, indent=2)

    def _fill(self) -> None:
        """Queue the trials that are not in the journal yet."""
        trials = self._trials()
        if self.sweep.search:
            for number in range(len(trials), self.sweep.search.trials):
                self.study.enqueue_trial({}, user_attrs={"run": f"{number:03}"})
            return
        known = {trial.user_attrs["identity"] for trial in trials}
        number = len(trials)
        for point in self.sweep.points:
            if (key := identity(point.variant, point.overrides)) not in known:
                run = "-".join(filter(None, (f"{number:03}", re.sub(r"\W+", "-", point.variant).strip("-"))))
                about = {"variant": point.variant, "overrides": point.overrides, "identity": key, "run": run}
                self.study.enqueue_trial({}, user_attrs=about)
                number += 1

    def _trials(self) -> list[FrozenTrial]:
        """One trial per run; of a repeated trial, the last."""
        trials = self.study.get_trials(deepcopy=False)
        return list({trial.user_attrs["run"]: trial for trial in trials}.values())

    def retry_failed(self) -> None:
        """Queue failed trials again; each continues in its own run."""
        with self._lock:
            for trial in self._trials():
                if trial.state == TrialState.FAIL:
                    about = {key: value for key, value in trial.user_attrs.items() if key not in _OUTCOME}
                    self.study.enqueue_trial(trial.params, user_attrs=about)

    @contextmanager
    def claim(self) -> Iterator[Claim | None]:
        """Claim a trial for the length of the block: an interrupted one, the next one, or None."""
        with ExitStack() as held:
            with self._lock:
                trial = self._take(held)
                claimed = self._describe(trial) if trial is not None else None
            yield claimed

    def _take(self, held: ExitStack) -> Trial | None:
        """Called under the lock of the sweep, so that no other process can interfere."""
        for cut in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            lock = self._run_lock(cut)
            if lock.try_acquire():  # else another process is at it
                held.callback(lock.release)
                self._seed(cut)
                return Trial(self.study, cut._trial_id)
        for first in self.study.get_trials(deepcopy=False, states=(TrialState.WAITING,)):
            lock = self._run_lock(first)
            lock.acquire()  # free, or just about to be: held by whoever ended the try before this one
            held.callback(lock.release)
            self._seed(first)
            return self.study.ask()
        return None

    def _run_lock(self, trial: FrozenTrial) -> FileLock:
        return FileLock(self.folder.run(trial.user_attrs["run"]) / "lock")

    def _seed(self, trial: FrozenTrial) -> None:
        """Seed the sampler for this trial: a new sampler must not draw the first trials again."""
        if self.sweep.search:
            seed = (self.sweep.search.seed + 1_000_003 * trial.number) % 2**32
            self.study.sampler = optuna.samplers.TPESampler(seed=seed)

    def _describe(self, trial: Trial) -> Claim:
        about = trial.user_attrs
        overrides = _draw(trial, self.sweep.search) if self.sweep.search else about["overrides"]
        name = name_of(about.get("variant", ""), overrides)
        return Claim(trial, name, overrides, self.folder.run(about["run"]))

    def finish(self, claim: Claim, outcome: dict[str, Any] | str) -> Result:
        """End a trial with its scores or its error, and write the results."""
        about: dict[str, Any] = {"error": outcome} if isinstance(outcome, str) else dict(outcome)
        state = TrialState.FAIL if "error" in about else TrialState.COMPLETE
        with self._lock:
            for key, value in about.items():
                claim.trial.set_user_attr(key, value)
            self.study.tell(claim.trial, about.get("f1"), state=state)
            results = self.results()
            self.folder.write_results(results)
        return next(result for result in results if result.trial == claim.trial.number)

    def results(self) -> list[Result]:
        """The trials that are finished."""
        return [self._result(trial) for trial in self._trials() if trial.state.is_finished()]

    def _result(self, trial: FrozenTrial) -> Result:
        about = trial.user_attrs
        overrides = trial.params if self.sweep.search else about["overrides"]
        return Result(
            trial=trial.number,
            name=name_of(about.get("variant", ""), overrides),
            overrides=overrides,
            run=f"trials/{about['run']}",
            **{key: about[key] for key in _OUTCOME if key in about},
        )


_FREE = {"threads", "save_minutes"}  # may differ between processes and when a sweep is taken up again
_OUTCOME = ("f1", "tags", "epoch", "minutes", "invalid_layers", "parameters", "test", "error")


def _draw(trial: Trial, search: Search) -> Overrides:
    """The values of the trial; those it already has stay."""
    drawn: Overrides = {}
    for key, part in search.space.items():
        if isinstance(part, Choice):
            drawn[key] = trial.suggest_categorical(key, part.choices)
        elif isinstance(part.low, int) and isinstance(part.high, int):
            drawn[key] = trial.suggest_int(key, part.low, part.high, log=part.log)
        else:
            drawn[key] = trial.suggest_float(key, part.low, part.high, log=part.log)
    return drawn


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Why a sweep cannot be continued as another, or "": it may only gain trials."""
    before, after = (check_config(tree["base"], "sweep.json") for tree in (old, new))
    for key, was, now in config_changes(before, after):
        if key.split(".")[-1] not in _FREE:
            return f"{key} was {was!r} and is now {now!r}"
    searches = [tree["search"] or {"trials": 0} for tree in (old, new)]
    if searches[1]["trials"] < searches[0]["trials"]:
        return f"it had {searches[0]['trials']} trials, more than these"
    if {**searches[0], "trials": 0} != {**searches[1], "trials": 0}:
        return "its [search] was another"
    lost = [point for point in old["points"] if point not in new["points"]]
    return f"it also had {name_of(lost[0]['variant'], lost[0]['overrides'])}" if lost else ""
