"""Sweeps as users run them: what a file may say; trials shared, cut short, failed, and taken up again."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from nccp.errors import ConfigError, InputError, TrainingError
from nccp.files import FileLock
from nccp.sweeps import run as sweeping
from nccp.sweeps.definition import Range, load_sweep
from nccp.sweeps.results import Result, SweepFolder, best_first, format_results
from nccp.sweeps.run import run_sweep
from nccp.sweeps.store import Store
from nccp.training.checkpoints import read_tensors
from nccp.training.run_folder import RunFolder
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow

TWO = "[search]\ntrials = 2\n"
RECIPES = Path(__file__).parents[2] / "recipes" / "sweeps"


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """A recipe that trains in a moment, in a folder where sweep files can name it."""
    folder = tmp_path_factory.mktemp("sweeps")
    bank = write_treebank(folder / "bank", 60, 10)
    (bank / "test.mrg").write_bytes((bank / "dev.mrg").read_bytes())
    config = small_config(bank, train={"epochs": 1})
    return write_recipe(folder / "base.toml", json.loads(msgspec.json.encode(config)))


def write_recipe(path: Path, tree: dict) -> Path:
    """TOML of nested tables; values of JSON are values of TOML, but for tables."""
    lines = []
    banks = tree["data"].pop("treebanks")
    for section in ("model", "input", "data", "train"):
        lines += [f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in tree[section].items())]
    lines += ["[[data.treebanks]]", f"path = {json.dumps(banks[0]['path'])}"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write(base: Path, text: str, name: str = "sweep.toml") -> Path:
    path = base.parent / name
    path.write_text(f'base = "{base.name}"\n{text}', encoding="utf-8")
    return path


def load(base: Path, text: str, *overrides: str):
    return load_sweep(write(base, text), overrides)


# the file


def test_a_grid_is_the_product_of_its_lines_and_of_the_variants(base):
    sweep = load(
        base,
        """
        [set]
        train.epochs = 2
        [variants]
        "B" = {}
        "B/F" = { model.orientation = "ffnn" }
        [grid]
        train.seed = [0, 1]
        "data.left, data.right" = [[1.0, 0.0], [0.5, 0.5]]
        """,
        "train.batch=8",
    )
    assert [point.name for point in sweep.points][:3] == [
        "B, seed 0, left 1, right 0",
        "B, seed 0, left 0.5, right 0.5",
        "B/F, seed 0, left 1, right 0",
    ]
    assert [point.overrides["train.seed"] for point in sweep.points] == [0] * 4 + [1] * 4
    assert sweep.trials == 8
    last = sweep.points[-1]
    assert last.overrides == {
        "model.orientation": "ffnn", "train.seed": 1, "data.left": 0.5, "data.right": 0.5,
    }  # fmt: skip
    config = sweep.config(last.overrides, "test")
    assert (config.train.epochs, config.train.batch, config.train.seed) == (2, 8, 1)
    assert (config.model.orientation, config.data.right, config.model.size) == ("ffnn", 0.5, 32)


def test_tables_and_dotted_keys_are_one(base):
    dotted = load(base, "[grid]\nmodel.compose = ['CV', 'NV']")
    tables = load(base, "[grid.model]\ncompose = ['CV', 'NV']")
    quoted = load(base, "[grid]\n'model.compose' = ['CV', 'NV']")
    assert dotted == tables == quoted


def test_a_search_has_numbers_of_the_kind_that_the_key_holds(base):
    text = (
        "[search]\ntrials = 3\nmodel.dropout = { low = 0, high = 0.5 }\ntrain.batch = { low = 8, high = 16 }"
    )
    search = load(base, text).search
    assert search.space == {"model.dropout": Range(low=0.0, high=0.5), "train.batch": Range(low=8, high=16)}
    assert isinstance(search.space["model.dropout"].low, float)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gird]\ntrain.seed = [1]", "unknown key gird; did you mean grid?"),
        ("[grid]\ntrain.sed = [1]", "sed 1: unknown key train.sed; did you mean seed?"),
        ("[grid]\ntrane.seed = [1]", "unknown key trane; did you mean train?"),
        ("[grid]\nmodel.compose = ['CV', 'XX']", "compose XX: model.compose is 'XX'"),
        ("[grid]\nmodel.context_layers = [2, 9]", "context_layers 9: model.context_layers is 9"),
        ("[grid]\ntrain.seed = 1", "grid.train.seed must be a list of values"),
        ("[grid]\ntrain.seed = []", "grid.train.seed must be a list of values, at least one"),
        ("[grid]\ntrain.seed = [1, 1]", "seed 1 is there twice"),
        (
            "[grid]\n'data.left, data.right' = [[1, 0], [1]]",
            r"data.left, data.right: \[1\] must be a list of 2",
        ),
        ("[grid]\ndata.left = [1]\n'data.left, data.right' = [[1, 0]]", "data.left is in two lines"),
        ("[set]\ntrain.seed = 1\n[grid]\ntrain.seed = [1]", "train.seed is varied, so it cannot be set"),
        ("[variants]\nA = { train.seed = 1 }\n[grid]\ntrain.seed = [1]", r"in \[grid\] and in the variant A"),
        ("[variants]\nA = 1", "variants: A must be a table of keys"),
        (
            "[set]\ntrain.epoch = 1\n[grid]\ntrain.seed = [1]",
            "set: unknown key train.epoch; did you mean epochs?",
        ),
        ("[set]\ntrain.epochs = 1", r"nothing to vary: there must be \[grid\], \[variants\] or \[search\]"),
        ("grid = 3", r"grid must be a table"),
        ("[grid\n", "sweep.toml: "),
        ("[grid]\ntrain.seed = [1]\n[search]\ntrials = 1", r"\[search\] goes alone"),
        ("[search]\ntrain.clip = { low = 1, high = 2 }", "search.trials must be a whole number"),
        ("[search]\ntrials = 2", "no key to search"),
        (
            TWO + "seed = -1\ntrain.clip = { low = 1, high = 2 }",
            "search.seed must be a whole",
        ),
        (
            TWO + "train.clip = 3",
            r"search.train.clip must be \{ low, high \} or \{ choices \}",
        ),
        (
            TWO + "train.clip = { lo = 1, high = 2 }",
            "search.train.clip.lo; did you mean low?",
        ),
        (TWO + "train.clip = { low = 1 }", "missing required field `high`"),
        (TWO + "train.clip = { low = 2, high = 1 }", "low must be below high"),
        (TWO + "train.clip = { low = 0, high = 1, log = true }", "low must be above 0"),
        (
            TWO + "train.clap = { low = 0, high = 1 }",
            "unknown key train.clap; did you mean clip?",
        ),
        (TWO + "model.dropout = { low = 0, high = 1 }", "expected a number, at least 0 and below 1"),
        (
            TWO + "model.kind = { choices = ['binary', 'ternary'] }",
            "model.kind is 'ternary'",
        ),
        (TWO + "input.tune = { choices = [] }", "choices must be different values"),
        (TWO + "train.batch = { low = 1.5, high = 2 }", "train.batch is 1.5; expected a whole number"),
        (TWO + "input.tune = { low = 0, high = 1 }", "input.tune is 0; expected true or false"),
    ],
)
def test_a_bad_file_is_refused_before_the_first_trial(base, text, message):
    with pytest.raises(ConfigError, match=message):
        load(base, text)


def test_the_base_must_be_named_and_there(base, tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text("[grid]\ntrain.seed = [1]")
    with pytest.raises(ConfigError, match="base is missing"):
        load_sweep(path)
    assert load_sweep(path, base=base).trials == 1
    path.write_text('base = "none.toml"\n[grid]\ntrain.seed = [1]')
    with pytest.raises(ConfigError, match=r"none\.toml: No such file"):
        load_sweep(path)
    with pytest.raises(ConfigError, match="is not an override"):
        load_sweep(path, ["train.seed"], base)


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_our_recipes(path):
    sweep = load_sweep(path)
    assert sweep.trials > 1
    for point in sweep.points:
        config = sweep.config(point.overrides, point.name).train
        assert config.tag_weight + config.label_weight + config.joint_weight == pytest.approx(1)


# the trials


def test_files_that_trials_need_are_missed_before_the_first(base, tmp_path):
    sweep = load(base, "[variants]\nB = {}\n'B/E' = { input.vectors = 'none.vectors' }")
    with pytest.raises(InputError, match=r"none\.vectors: no such file \(input\.vectors of B/E\)"):
        run_sweep(sweep, tmp_path / "sweep")
    with pytest.raises(InputError, match="nowhere"):
        run_sweep(load(base, "[grid]\ndata.treebanks = [[{ path = 'nowhere' }]]"), tmp_path / "sweep")
    assert not (tmp_path / "sweep").exists()


def test_a_sweep_trains_every_trial_once_and_keeps_what_it_found(base, tmp_path, monkeypatch):
    heard = []
    text = "[variants]\nB = {}\n'B/F' = { model.orientation = 'ffnn' }"
    results = run_sweep(load(base, text), tmp_path / "sweep", tell=heard.append)
    assert sorted(result.name for result in results) == ["B", "B/F"]
    assert [result.f1 for result in results] == sorted((result.f1 for result in results), reverse=True)
    assert [result.name for result in heard] == ["B", "B/F"]
    folder = SweepFolder(tmp_path / "sweep")
    assert folder.read_results() == results
    assert folder.total == 2
    for result in results:
        run = RunFolder(folder.path / result.run)
        assert run.read_config().model.orientation == result.overrides.get("model.orientation", "bilstm")
        assert read_tensors(run.best)[1]["f1"] == result.f1
        assert (result.tags, result.minutes) == tuple(
            run.read_history()[-1][key] for key in ("tags", "minutes")
        )
        assert result.test["f1"] == pytest.approx(result.f1)  # the test trees here are those of dev
        assert result.test["invalid_layers"] == result.invalid_layers
    with open(folder.tsv, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    assert [row["name"] for row in rows] == [result.name for result in results]
    assert {row["name"]: row["model.orientation"] for row in rows} == {"B": "", "B/F": "ffnn"}

    monkeypatch.setattr(sweeping, "run_trial", lambda *_, **__: pytest.fail("trained again"))
    assert run_sweep(load(base, text), tmp_path / "sweep") == results


def fake_train(monkeypatch, score=lambda config: 50.0 + config.train.seed):
    """Training without the training: what matters here is who trains what, and when."""
    trained = []

    def run_trial(config, path, *, quiet):
        trained.append(config)
        path.mkdir(parents=True, exist_ok=True)
        return {"f1": score(config), "tags": 90.0, "epoch": 1.0, "minutes": 0.5}

    monkeypatch.setattr(sweeping, "run_trial", run_trial)
    return trained


def test_a_failed_trial_is_recorded_and_the_sweep_goes_on(base, tmp_path, monkeypatch):
    def score(config):
        if config.train.seed == 1:
            raise TrainingError("the loss became nan at step 3:\tlower train.learning_rate")
        if config.train.seed == 2:
            raise MemoryError("no room")
        return 70.0

    fake_train(monkeypatch, score)
    sweep = load(base, "[grid]\ntrain.seed = [0, 1, 2, 3]")
    results = run_sweep(sweep, tmp_path)
    assert [(result.f1, result.error) for result in results] == [
        (70.0, ""),
        (70.0, ""),
        (None, "the loss became nan at step 3:\tlower train.learning_rate"),
        (None, "MemoryError: no room"),
    ]
    assert len((tmp_path / "results.tsv").read_text().splitlines()) == 5
    table = format_results(results, 4)
    assert table.startswith("4 of 4 trials finished, 2 failed\n")
    assert "seed 2 (trials/002): MemoryError: no room" in table

    trained = fake_train(monkeypatch)
    assert run_sweep(sweep, tmp_path) == results  # not by itself
    again = run_sweep(sweep, tmp_path, retry=True)
    assert [config.train.seed for config in trained] == [1, 2]
    assert sorted((result.run, result.f1) for result in again) == [
        ("trials/000", 70.0), ("trials/001", 51.0), ("trials/002", 52.0), ("trials/003", 70.0),
    ]  # fmt: skip


def test_a_sweep_without_a_success_is_an_error(base, tmp_path, monkeypatch):
    def score(_):
        raise TrainingError("the split is empty")

    fake_train(monkeypatch, score)
    with pytest.raises(TrainingError, match="no trial succeeded; seed 0: the split is empty"):
        run_sweep(load(base, "[grid]\ntrain.seed = [0, 1]"), tmp_path)
    assert len(SweepFolder(tmp_path).read_results()) == 2


def test_a_sweep_may_gain_trials_but_not_become_another(base, tmp_path, monkeypatch):
    trained = fake_train(monkeypatch)
    run_sweep(load(base, "[grid]\ntrain.seed = [0, 1]"), tmp_path)
    run_sweep(load(base, "[grid]\ntrain.seed = [5, 0, 1]", "train.threads=2"), tmp_path)
    assert [config.train.seed for config in trained] == [0, 1, 5]
    for text, overrides, message in (
        ("[grid]\ntrain.seed = [0, 1]", (), "it also had seed 5"),
        ("[grid]\ntrain.seed = [5, 0, 1]", ("train.epochs=7",), "train.epochs was 1 and is now 7"),
        ("[search]\ntrials = 1\ntrain.clip = { low = 1, high = 2 }", (), r"its \[search\] was another"),
    ):
        with pytest.raises(TrainingError, match=f"holds another sweep: {message}"):
            run_sweep(load(base, text, *overrides), tmp_path)


def test_a_limit_ends_a_sweep_early_and_the_next_call_goes_on(base, tmp_path, monkeypatch):
    trained = fake_train(monkeypatch)
    sweep = load(base, "[grid]\ntrain.seed = [0, 1, 2]")
    assert len(run_sweep(sweep, tmp_path, limit=2)) == 2
    assert len(run_sweep(sweep, tmp_path, limit=2)) == 3
    assert [config.train.seed for config in trained] == [0, 1, 2]


SEARCH = """
[search]
trials = {}
train.learning_rate = {{ low = 1e-4, high = 1e-2, log = true }}
train.batch = {{ low = 8, high = 64 }}
model.compose = {{ choices = ["CV", "NV"] }}
"""


def test_a_search_that_was_stopped_draws_what_it_would_have_drawn(base, tmp_path, monkeypatch):
    score = lambda config: 50 + config.train.batch / 10 - 1000 * config.train.learning_rate
    fake_train(monkeypatch, score)
    whole = run_sweep(load(base, SEARCH.format(14)), tmp_path / "whole")
    for trials in (3, 12, 14):  # each a new process, as far as the sampler knows
        parts = run_sweep(load(base, SEARCH.format(trials)), tmp_path / "parts")
    assert [result.overrides for result in parts] == [result.overrides for result in whole]
    assert len({json.dumps(result.overrides) for result in whole}) == 14
    assert {type(result.overrides["train.batch"]) for result in whole} == {int}
    with pytest.raises(TrainingError, match="it had 14 trials, more than these"):
        run_sweep(load(base, SEARCH.format(13)), tmp_path / "parts")


def test_under_torchrun_a_sweep_says_what_to_do_instead(base, tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(TrainingError, match="several times in one folder"):
        run_sweep(load(base, "[grid]\ntrain.seed = [0]"), tmp_path)


# several processes, and processes that end


def test_two_at_the_same_time_never_have_the_same_trial(base, tmp_path):
    sweep = load(base, "[grid]\ntrain.seed = [0, 1, 2]")
    first, second = (Store(sweep, SweepFolder(tmp_path)) for _ in range(2))
    with first.claim() as a, second.claim() as b, first.claim() as c:
        assert {claim.overrides["train.seed"] for claim in (a, b, c)} == {0, 1, 2}
        with second.claim() as none:
            assert none is None
        second.finish(b, {"f1": 1.0, "tags": 2.0, "epoch": 1.0, "minutes": 0.0})
    with second.claim() as again:  # neither finished nor under way: was cut short
        assert again.overrides == a.overrides


def test_processes_that_share_a_folder_divide_the_trials(base, tmp_path):
    file = write(base, "[grid]\ntrain.seed = [0, 1, 2, 3, 4, 5, 6, 7]", "shared.toml")
    script = """
import sys, time
from pathlib import Path
from nccp.sweeps.definition import load_sweep
from nccp.sweeps.results import SweepFolder
from nccp.sweeps.store import Store

store = Store(load_sweep(sys.argv[1]), SweepFolder(Path(sys.argv[2])))
Path(sys.argv[3]).touch()
while not all(Path(other).exists() for other in sys.argv[3:]):
    time.sleep(0.01)
while True:
    with store.claim() as claim:
        if claim is None:
            break
        time.sleep(0.05)
        store.finish(claim, {"f1": 1.0, "tags": 1.0, "epoch": 1.0, "minutes": 1.0})
        print(claim.overrides["train.seed"])
"""
    a, b = (str(tmp_path / name) for name in "ab")
    common = [sys.executable, "-c", script, str(file), str(tmp_path / "sweep")]
    workers = [
        subprocess.Popen([*common, *marks], stdout=subprocess.PIPE, text=True) for marks in ((a, b), (b, a))
    ]
    taken = [worker.communicate(timeout=120)[0].split() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert sorted(taken[0] + taken[1]) == list("01234567")
    assert len(SweepFolder(tmp_path / "sweep").read_results()) == 8


def test_a_lock_is_for_one_and_goes_with_its_process(tmp_path):
    script = (
        "import sys, time; from pathlib import Path; from nccp.files import FileLock;"
        "lock = FileLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); time.sleep(600)"
    )
    lock = FileLock(tmp_path / "lock")
    with subprocess.Popen([sys.executable, "-c", script, str(lock.path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        assert not lock.try_acquire()
        process.kill()
    assert lock.try_acquire()
    assert not FileLock(lock.path).try_acquire()
    lock.release()


def test_a_journal_that_ends_in_the_middle_of_a_line_is_mended(base, tmp_path, monkeypatch):
    fake_train(monkeypatch)
    sweep = load(base, "[grid]\ntrain.seed = [0, 1]")
    results = run_sweep(sweep, tmp_path)
    with open(tmp_path / "journal.log", "a", encoding="utf-8") as file:
        file.write('{"op_code":6,"wor')
    (tmp_path / "results.jsonl").unlink()  # written after the journal: a process may be killed in between
    assert run_sweep(sweep, tmp_path) == results == SweepFolder(tmp_path).read_results()


def wait_for(condition, process) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert process.poll() is None, "the sweep ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_killed_sweep_keeps_its_trials_and_goes_on_inside_the_one_cut_short(base, tmp_path):
    """kill -9 in the second trial, some checkpoints into it."""
    text = """
        [set]
        train.save_minutes = 0.0
        [variants]
        a = { train.epochs = 1 }
        b = { train.epochs = 40 }  # time to be killed in
    """
    file = write(base, text, "kill.toml")
    folder = SweepFolder(tmp_path / "sweep")
    command = [sys.executable, "-m", "nccp", "sweep", "run", str(file), "-o", str(folder.path)]
    first, second = (RunFolder(folder.run(name)) for name in ("000-a", "001-b"))

    process = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        wait_for(lambda: second.last.exists() and read_tensors(second.last)[1]["step"] >= 5, process)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    step = read_tensors(second.last)[1]["step"]
    (kept,) = folder.read_results()
    assert kept.name == "a"
    finished = first.log.read_text(), first.last.stat().st_mtime_ns

    results = run_sweep(load_sweep(file), folder.path)
    assert sorted(result.name for result in results) == ["a", "b"]
    assert kept in results
    assert (first.log.read_text(), first.last.stat().st_mtime_ns) == finished  # not touched again
    assert f"going on from step {step}" in second.log.read_text()
    history = second.read_history()
    assert len(history) == 40
    assert max(record["f1"] for record in history) == next(r.f1 for r in results if r.name == "b")


# what is printed


def test_the_best_is_first_and_the_failed_are_last():
    def result(trial, f1):
        return Result(trial=trial, name=str(trial), overrides={}, run="", f1=f1)

    order = best_first([result(0, None), result(1, 0.0), result(2, 90.0), result(3, 90.0), result(4, 91.0)])
    assert [result.trial for result in order] == [4, 2, 3, 1, 0]


def test_a_folder_that_holds_no_sweep(tmp_path):
    with pytest.raises(InputError, match="is this the folder of a sweep"):
        _ = SweepFolder(tmp_path).total
    (tmp_path / "results.jsonl").write_text('{"trial": 1}\n')
    with pytest.raises(InputError, match=r"results\.jsonl: "):
        SweepFolder(tmp_path).read_results()
