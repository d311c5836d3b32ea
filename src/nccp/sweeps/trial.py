"""One trial of a sweep: trained, then scored on the test splits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nccp.config import Config
from nccp.decoding import Parser
from nccp.evaluation import evaluate, trees_of_split
from nccp.model.parsing_model import ParsingModel
from nccp.training.checkpoints import load_run
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import train


def run_trial(config: Config, path: Path, *, quiet: bool) -> dict[str, Any]:
    """Train in the folder ``path``, or resume the run there; what `Result` keeps of it."""
    folder = RunFolder(path)
    f1 = train(config, path, resume=folder.config.exists(), quiet=quiet)
    history = folder.read_history()
    best = max(history, key=lambda record: record["f1"])
    model = load_run(path).model
    return {
        "f1": f1,
        **{key: best[key] for key in ("tags", "epoch", "invalid_layers")},
        "minutes": history[-1]["minutes"],
        "parameters": sum(p.numel() for p in model.parameters() if p.requires_grad),
        "test": score_test(model, config),
    }


def score_test(model: ParsingModel, config: Config) -> dict[str, float] | None:
    """Scores on the test splits of the configuration's treebanks, taken together; None if there are none."""
    golds = [tree for bank in config.data.treebanks for tree in trees_of_split(bank, "test")]
    if not golds:
        return None
    done = evaluate(Parser(model.engine(), threads=1), golds)
    score = done.score
    return {
        "sentences": len(golds),
        "f1": score.f1,
        "precision": score.precision,
        "recall": score.recall,
        "tags": score.tag_accuracy,
        **done.counts,
        "sentences_per_second": done.sentences_per_second,
    }
