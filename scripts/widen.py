"""Give the binary model of a run a wider BiLSTM_ori, for another run to begin with (train.start).

    python scripts/widen.py runs/en-explore runs/en-wide-start 128

At first it decides as the old one did: its new units begin by chance, but neither the old ones nor the
orientations listen to them until training has taught them to.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copy

import numpy as np
import torch
from torch import Tensor

from nccp.training.runs import RunFolder, read_tensors, write_tensors

COMBINATOR = "model.network.combinator."


def wider(old: Tensor, rows: int, columns: int, rng: np.random.Generator) -> Tensor:
    """What an LSTM's four gates have of weights, (4h, n) to (4 rows, columns)."""
    gates = old.view(4, len(old) // 4, -1)
    _, hidden, inputs = gates.shape
    drawn = rng.uniform(-1, 1, (4, rows, columns)).astype(np.float32) / np.sqrt(rows)
    new = torch.from_numpy(drawn.astype(np.float32))
    new[:, :hidden] = 0
    new[:, :hidden, :inputs] = gates
    return new.view(4 * rows, columns)


def main(run: str, folder: str, width: int) -> None:
    """Take the best weights of ``run``, write ``folder``."""
    source, target = RunFolder(Path(run)), RunFolder(Path(folder))
    tensors, state = read_tensors(source.best)
    rng = np.random.default_rng(0)
    for way in ("forwards", "backwards"):
        lstm = f"{COMBINATOR}bilstm_ori.{way}.0."
        size = tensors[lstm + "weight_ih_l0"].shape[1]
        for part, columns in (("weight_ih", size), ("weight_hh", width), ("bias_ih", 1), ("bias_hh", 1)):
            new = wider(tensors[f"{lstm}{part}_l0"], width, columns, rng)
            tensors[f"{lstm}{part}_l0"] = new if part.startswith("weight") else new.view(-1)
    ahead, back = tensors[COMBINATOR + "ffnn_ori.weight"].float().chunk(2, 1)
    nothing = torch.zeros(1, width - ahead.shape[1])
    tensors[COMBINATOR + "ffnn_ori.weight"] = torch.cat((ahead, nothing, back, nothing), 1)
    target.path.mkdir(parents=True, exist_ok=True)
    for path in (source.config, source.symbols):
        copy(path, target.path)
    write_tensors(target.best, tensors, state)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
