"""``nccp export``: a trained run as a model bundle."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING

import click

from nccp.cli.options import json_option
from nccp.errors import need

if TYPE_CHECKING:
    from nccp.export.bundle import Export

_EPILOG = """\b
Examples:
  nccp export runs/en models/en
  nccp export runs/en models/en --float32 --licence CC-BY-4.0
  nccp export runs/en models/en --splits dev,test --notes known.md
  nccp export runs/en models/en --trees test.mrg --json
  nccp export runs/en-multi models/en-multi --share models/en
"""


@click.command("export", epilog=_EPILOG)
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@click.argument("out", type=click.Path(file_okay=False))
@click.option("--float32", "precision", flag_value="float32", help="Write float32: the same trees as torch.")
@click.option(
    "--int8", "precision", flag_value="int8", help="Write int8.  [default: if it loses less than 0.1 F1]"
)
@click.option(
    "--trees",
    type=click.Path(),
    metavar="TREEBANK",
    help="Compare with torch on these trees.  [default: the run's development trees]",
)
@click.option("--split", help="Split of --trees.  [default: dev if it has one, else all]")
@click.option(
    "--which",
    type=click.Choice(["best", "last"]),
    default="best",
    show_default=True,
    help="Weights to export: those with the best development score, or the last.",
)
@click.option(
    "--max-vectors",
    type=click.IntRange(1),
    help="Largest number of word vectors to keep; other words share the nearest.",
)
@click.option("--name", default="", help="Name of the model.  [default: that of the run]")
@click.option("--licence", default="", help="Licence of the model, for its card.")
@click.option(
    "--splits", metavar="dev,test", help="Score these splits of the run's treebanks, for the model card."
)
@click.option(
    "--notes", type=click.File(encoding="utf-8"), metavar="FILE", help="Markdown to append to the model card."
)
@click.option(
    "--share",
    type=click.Path(exists=True, file_okay=False),
    metavar="BUNDLE",
    help="Bundle in the same folder as OUT: files that both would hold are kept there only.",
)
@click.option(
    "--boundary-penalty",
    type=float,
    default=0.0,
    metavar="X",
    help="Subtract X from the score of every chunk boundary (multi-branching models). Above 0, fewer layers "
    "fail to combine anything.",
)
@click.option(
    "--encoder-out",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Also write the run's encoder to DIR in the format of Hugging Face, as input.encoder of other runs. "
    "With input.tune = false their bundles can --share its file.",
)
@json_option
def command(
    run: str,
    out: str,
    precision: str | None,
    trees: str | None,
    split: str | None,
    which: str,
    max_vectors: int | None,
    name: str,
    licence: str,
    splits: str | None,
    notes: IO[str] | None,
    share: str | None,
    boundary_penalty: float,
    encoder_out: str | None,
    as_json: bool,
) -> None:
    """Write RUN as the model bundle OUT, then parse with it and compare it with torch.

    An older bundle at OUT is replaced. Needs the extra [train].
    """
    need("torch", "train", "nccp export")
    need("onnx", "train", "nccp export")
    from nccp.evaluation import read_gold
    from nccp.training.export_run import export_run

    golds = None if trees is None else read_gold(trees, split=split, default="dev").trees
    result = export_run(
        run,
        out,
        which=which,
        precision=precision,  # type: ignore[arg-type]  # click has checked it
        trees=golds,
        max_vectors=max_vectors,
        name=name,
        licence=licence,
        splits=splits.split(",") if splits else (),
        notes=notes.read() if notes else "",
        share=share,
        boundary_penalty=boundary_penalty,
        encoder=encoder_out,
    )
    click.echo(json.dumps(result.as_dict()) if as_json else _text(result))


def _text(result: Export) -> str:
    lines = []
    for tried in result.comparisons:
        lines.append(
            f"{tried.precision:<8} F1 {tried.f1:.2f}, torch {tried.torch_f1:.2f}, "
            f"difference {-tried.loss:+.3f}; {tried.different:,} of {tried.sentences:,} trees differ"
        )
    lines.append(f"{result.path}: {result.size / 1e6:.1f} MB, {result.comparisons[-1].precision}")
    for name in result.stale:
        lines.append(f"{name} shares files that this export has changed: export it again")
    return "\n".join(lines)
