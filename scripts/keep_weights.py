"""Write what another run needs to begin where one ended (train.start), in half the room.

    python scripts/keep_weights.py runs/en weights/en

Only weights that were trained, in 16 bits: the rest comes with the encoder or the vectors.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from nccp.training.checkpoints import RunFolder, load_run, write_tensors


def main(run: str, folder: str) -> None:
    """Take the best weights of ``run``, write ``folder``."""
    loaded = load_run(run)
    kept = RunFolder(Path(folder))
    kept.path.mkdir(parents=True, exist_ok=True)
    kept.write_config(loaded.parser.config)
    words = [] if loaded.parser.config.input.encoder else loaded.parser.words  # an encoder learns none
    kept.write_symbols(loaded.parser.symbols, words)
    trained = {name: p for name, p in loaded.parser.named_parameters() if p.requires_grad}
    tensors = {f"model.{name}": p.to(torch.float16) for name, p in trained.items()}
    write_tensors(kept.best, tensors, loaded.state)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
