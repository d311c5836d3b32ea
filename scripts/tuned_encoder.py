"""Write the tuned encoder of a run as a Hugging Face folder, for other models to stand on.

    python scripts/tuned_encoder.py runs/en ../encoders/en

A model over it with ``input.tune = false`` can share the encoder's file with the first (nccp export --share).
"""

from __future__ import annotations

import sys

from nccp.inputs.encoder.torch_module import EncoderInput
from nccp.training.checkpoints import load_run


def main(run: str, folder: str) -> None:
    """Take the best weights of ``run``, write ``folder``."""
    input = load_run(run).parser.input
    if not isinstance(input, EncoderInput):
        sys.exit(f"{run}: this run has no encoder")
    input.encoder.save_pretrained(folder)
    input.tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
