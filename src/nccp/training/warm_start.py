"""Beginning with the weights of another run instead of with chance: what both networks have, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from nccp.errors import ConfigError
from nccp.model.parsing_model import ParsingModel
from nccp.training.checkpoints import read_tensors
from nccp.training.run_folder import RunFolder


@torch.no_grad()
def take_weights(model: ParsingModel, path: str | Path) -> int:
    """Take over a run's best weights where this model has the same; how many numbers were taken.

    Labels, tags and learned words are matched one by one, so the treebanks may differ; parts that only one
    of the two has, such as the other model's combinator, stay as they are.
    """
    folder = RunFolder(Path(path))
    symbols, words = folder.read_symbols()
    tensors, _ = read_tensors(folder.best)
    rows = {  # of the tables whose rows have names: theirs and ours
        "network.heads.label.": (symbols.labels.names, model.symbols.labels.names),
        "network.heads.tag.": (symbols.tags.names, model.symbols.tags.names),
    }
    for prefix in model.input.word_tables():  # row 0 is for unknown words
        rows[f"input.{prefix}"] = ["", *words], ["", *model.words]
    taken = 0
    for name, mine in model.state_dict().items():
        theirs = tensors.get(f"model.{name}")
        if theirs is None:
            continue
        named = next((pair for start, pair in rows.items() if name.startswith(start)), None)
        if named and theirs.shape[1:] == mine.shape[1:]:
            old, new = _common(*named)
            mine[new] = theirs[old].to(mine)
            taken += mine[new].numel()
        elif theirs.shape == mine.shape:
            mine.copy_(theirs)
            taken += mine.numel()
        else:
            shapes = f"{tuple(theirs.shape)} there and {tuple(mine.shape)} here"
            raise ConfigError(f"train.start: {path} does not fit: {name} is {shapes}")
    return taken


def _common(theirs: Sequence[str], ours: Sequence[str]) -> tuple[Tensor, Tensor]:
    """The places of the names that are in both lists: in the first, in the second."""
    places = {name: place for place, name in enumerate(theirs)}
    pairs = [(places[name], place) for place, name in enumerate(ours) if name in places]
    old, new = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    return old, new
