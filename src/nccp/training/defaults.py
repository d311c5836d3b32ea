"""A configuration for a treebank that comes without one, fitted to its size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nccp.config import TreebankConfig, apply_overrides, check_config
from nccp.config.recipes import Overrides
from nccp.config.run import Config
from nccp.errors import TrainingError
from nccp.sections import check_section
from nccp.training.made_split import MadeSplit, make_split
from nccp.training.run_folder import RunFolder
from nccp.training.warm_start import complete_config
from nccp.treebanks import open_treebank

CLEANING = "cleaning."
"""How keys begin that say how the trees of --trees are cleaned: those of data.treebanks[].cleaning."""
_SMALL, _LARGE = 30_000, 300_000  # training words
_WORDS_IN_ALL = 3_000_000  # over all epochs


@dataclass(frozen=True)
class Plan:
    """What will be trained, and why."""

    config: Config
    table: dict[str, Any]
    """The keys that differ from the defaults, as a table of TOML."""
    split: MadeSplit | None
    summary: str

    def write_split(self, folder: RunFolder) -> None:
        """Write the trees of a split that was made to where the configuration expects them."""
        if self.split is not None:
            (treebank,) = self.config.data.treebanks
            self.split.write(Path(treebank.path), folder.splits, self.config.train.seed)


def plan_training(
    trees: str, folder: RunFolder, *, form: str | None = None, overrides: Overrides | None = None
) -> Plan:
    """Choose settings for a treebank; ``overrides`` have the last word.

    Those of ``cleaning`` (``cleaning.add_tags``) are meant for this treebank. Raises if it has no trees.
    Nothing is written yet.
    """
    steps, overrides = _divide(overrides or {})
    treebank: dict[str, Any] = {"path": trees, "cleaning": steps}
    cleaning = check_section(treebank, TreebankConfig, "nccp train --trees").cleaning
    bank = open_treebank(trees, form)
    seed = overrides.get("train.seed", 0)
    split = make_split(bank, seed if isinstance(seed, int) else 0, cleaning)
    train = split.trees["train"] if split is not None else list(bank.read("train", cleaning=cleaning))
    words = sum(len(entry.tree.leaves()) for entry in train)
    if not words:
        raise TrainingError(f"{trees}: there are no training trees")
    path = trees if split is None else str(_made_folder(folder, trees))
    treebank = {"path": str(Path(path).absolute()) if Path(path).exists() or split else path}
    if split is not None:
        steps = _still_to_do(steps)
    elif form:
        treebank["format"] = form
    if steps:
        treebank["cleaning"] = steps
    base = {"name": folder.path.name, "data": {"treebanks": [treebank]}}
    settings = _settings(words, warm=bool(overrides.get("train.start")))
    table = apply_overrides(base | settings, overrides, "nccp train")
    config = check_config(complete_config(table), "nccp train --trees")
    return Plan(config, table, split, _summary(trees, bank.name, split, len(train), words, config))


def _divide(overrides: Overrides) -> tuple[dict[str, Any], dict[str, Any]]:
    """The steps of cleaning among the overrides, without their prefix, and all others."""
    steps = {key: value for key, value in overrides.items() if key.startswith(CLEANING)}
    others = {key: value for key, value in overrides.items() if key not in steps}
    return {key.removeprefix(CLEANING): value for key, value in steps.items()}, others


def _still_to_do(steps: dict[str, Any]) -> dict[str, Any]:
    """Steps for reading clean trees again; not those that would change what they have changed already."""
    done = (("add_tags", True), ("lemmas", "hyphen"))
    return {key: value for key, value in steps.items() if (key, value) not in done}


def _settings(words: int, *, warm: bool) -> dict[str, Any]:
    """Settings for so many training words; with a warm start, model and input are those of the start."""
    epochs = min(40, max(8, round(_WORDS_IN_ALL / words)))
    if warm:
        train = {"epochs": max(3, epochs // 4), "learning_rate": 5e-4, "batch_words": 600, "warmup": 0.3}
        return {"train": {"schedule": "linear", "average": 0.99, **train}}
    if words < _SMALL:
        model, batch, average = {"context_layers": 1, "dropout": 0.3}, 200, 0.99
    elif words < _LARGE:
        model, batch, average = {"context_layers": 2, "dropout": 0.25}, 600, 0.998
    else:
        model, batch, average = {"context_layers": 3, "dropout": 0.2}, 800, 0.999
    return {
        "model": model,
        "input": {"kind": "words", "words": 100, "ngrams": 150},
        "train": {
            "epochs": epochs,
            "schedule": "linear",
            "learning_rate": 2.5e-3,
            "warmup": 0.5,
            "batch_words": batch,
            "average": average,
        },
    }


def _made_folder(folder: RunFolder, trees: str) -> Path:
    """Where the files of a made split go; the model card shows the name of this folder."""
    name = re.sub(r"[^\w.-]+", "", Path(trees).stem) or "treebank"
    return (folder.path / f"{name}-split").absolute()


def _summary(trees: str, form: str, split: MadeSplit | None, count: int, words: int, config: Config) -> str:
    lines = [f"{trees}: format {form}; {count:,} training trees with {words:,} words"]
    if split is not None:
        sizes = ", ".join(f"{name} {len(part):,}" for name, part in split.trees.items())
        lines.append(
            f"no development split, so one was made by {split.unit}, seed {config.train.seed}: {sizes}"
        )
    train = config.train
    budget = f"{train.epochs} epochs" + (f", at most {train.minutes:g} minutes" if train.minutes else "")
    lines.append(
        f"settings: {config.model.kind} model, {config.model.context_layers} context layers; "
        f"{config.input.summary()}; {budget}, {train.batch_words} words per batch; language {config.language}"
    )
    if train.start:
        lines.append(f"weights are initialised from {train.start}")
    lines.append(
        "change any of it with section.key=value (train.minutes=20, model.kind=multi, language=ja, "
        "cleaning.cut_functions=false); "
        "`nccp train --keys` lists all keys, --write-config FILE writes these settings to a file"
    )
    return "\n".join(lines)
