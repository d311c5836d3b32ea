"""A small made-up treebank, and configurations small enough to train on it in seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nccp.config import Config, apply_overrides, check_config

NOUNS, VERBS = ["cat", "dog", "mat", "bird", "tree", "house"], ["saw", "liked", "chased", "heard"]


def sentence(rng: np.random.Generator) -> str:
    """Noun phrases with and without adjectives and prepositional phrases, a verb phrase, a stop."""

    def np_(depth: int) -> str:
        noun = f"(NN {rng.choice(NOUNS)})"
        adjectives = "".join(f"(JJ {rng.choice(['big', 'red', 'old'])}) " for _ in range(rng.integers(3)))
        base = f"(NP (DT {rng.choice(['the', 'a'])}) {adjectives}{noun})"
        if depth and rng.random() < 0.3:
            return f"(NP {base} (PP (IN {rng.choice(['on', 'near'])}) {np_(depth - 1)}))"
        return base

    adverb = "(ADVP (RB often)) " if rng.random() < 0.3 else ""
    return f"(TOP (S {np_(1)} (VP {adverb}(VBD {rng.choice(VERBS)}) {np_(2)}) (. .)))"


def write_treebank(folder: Path, train: int = 200, dev: int = 40) -> Path:
    rng = np.random.default_rng(0)
    folder.mkdir(exist_ok=True)
    for name, count in (("train", train), ("dev", dev)):
        (folder / f"{name}.mrg").write_text("".join(sentence(rng) + "\n" for _ in range(count)))
    return folder


def small_config(folder: Path, **sections) -> Config:
    tree = {
        "model": {
            "size": 32,
            "context_layers": 1,
            "label_hidden": 24,
            "orientation_hidden": 12,
            "chunk_hidden": 16,
        },
        "input": {"kind": "words", "words": 16, "ngrams": 16, "buckets": 500},
        "data": {"treebanks": [{"path": str(folder)}]},
        "train": {
            "epochs": 2,
            "batch": 16,
            "learning_rate": 5e-3,
            "schedule": "constant",
            "warmup": 0.0,
            "threads": 1,
        },
    }
    changes = {
        f"{section}.{key}": value for section, table in sections.items() for key, value in table.items()
    }
    return check_config(apply_overrides(tree, changes, "test"), "test")
