"""The model card: what users should know about a model."""

from __future__ import annotations

from pathlib import Path

from nccp.config import Config
from nccp.runtime.manifest import Manifest, Result


def model_card(manifest: Manifest, config: Config, size: int, notes: str = "") -> str:
    """``MODEL_CARD.md`` of a bundle of ``size`` bytes; ``notes`` is Markdown to append."""
    lines = [f"# {manifest.name or 'A model of nccp'}", ""]
    lines += [f"A {_kind(config)} constituency parser, written by nccp {manifest.nccp}.", ""]
    lines += ["| | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in _facts(manifest, config, size).items() if value]
    lines += ["", "## Development set", "", "| figure | |", "|---|---|"]
    lines += [f"| {key.replace('_', ' ')} | {_number(value)} |" for key, value in manifest.scores.items()]
    lines += [
        "",
        "Parsed with this bundle and scored as EVALB does, with Collins' parameters, no gold tags.",
        "",
    ]
    if manifest.results:
        lines += _results(manifest.results)
    if notes:
        lines += [notes.strip(), ""]
    return "\n".join(lines)


def _results(results: tuple[Result, ...]) -> list[str]:
    """Scores by treebank, and F1 by length."""
    lines = ["## By treebank", ""]
    lines += ["| | sentences | F1 | P | R | complete match | tags | fallbacks | sentences/s |"]
    lines += ["|---|---|---|---|---|---|---|---|---|"]
    for one in results:
        scores = (one.f1, one.precision, one.recall, one.complete_match, one.tag_accuracy)
        figures = " | ".join(f"{score:.2f}" for score in scores)
        lines.append(
            f"| {one.treebank} {one.split} | {one.sentences:,} | {figures} | {one.fallbacks:,} "
            f"| {one.sentences_per_second:,.0f} |"
        )
    bins = list(dict.fromkeys(name for one in results for name in one.by_length))
    bins.sort(key=lambda name: int(name.split("-")[0]))
    lines += ["", "F1 by length in words:", "", f"| | {' | '.join(bins)} |", f"|---|{'---|' * len(bins)}"]
    for one in results:
        found = (f"{one.by_length[name]:.1f}" if name in one.by_length else "" for name in bins)
        lines.append(f"| {one.treebank} {one.split} | {' | '.join(found)} |")
    return [*lines, ""]


def _kind(config: Config) -> str:
    if config.model.kind == "multi":
        return "multi-branching"
    return f"binary ({config.model.compose.value}, {config.model.format})"


def _facts(manifest: Manifest, config: Config, size: int) -> dict[str, str]:
    training = manifest.training
    trained = (Path(treebank.path).name for treebank in config.data.treebanks if treebank.train)
    return {
        "language": manifest.language,
        "licence": manifest.licence or "not stated: ask whoever trained it",
        "trained on": ", ".join(trained),
        "words": config.input.summary(),
        "context": f"{config.model.context_layers} layers of {config.model.size // 2} per direction",
        "training": ", ".join(f"{key.replace('_', ' ')} {value:,}" for key, value in training.items()),
        "precision": manifest.precision,
        "size": f"{size / 1e6:.1f} MB",
        "labels, tags": f"{len(manifest.labels)}, {len(manifest.tags)}",
    }


def _number(value: float) -> str:
    return f"{value:,}" if float(value).is_integer() else f"{value:.2f}"
