"""The card of a model: what a person should know of it before use."""

from __future__ import annotations

from pathlib import Path

from nccp.config import Config
from nccp.runtime.bundle import Manifest


def model_card(manifest: Manifest, config: Config) -> str:
    """``MODEL_CARD.md`` of a bundle."""
    lines = [f"# {manifest.name or 'A model of nccp'}", ""]
    lines += [f"A {_kind(config)} constituency parser, written by nccp {manifest.nccp}.", ""]
    lines += ["| | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in _facts(manifest, config).items() if value]
    lines += ["", "## Development set", "", "| figure | |", "|---|---|"]
    lines += [f"| {key.replace('_', ' ')} | {_number(value)} |" for key, value in manifest.scores.items()]
    lines += ["", "Parsed with this bundle and scored as EVALB does, with Collins' parameters.", ""]
    return "\n".join(lines)


def _kind(config: Config) -> str:
    if config.model.kind == "multi":
        return "multi-branching"
    return f"binary ({config.model.compose.value}, {config.model.format})"


def _facts(manifest: Manifest, config: Config) -> dict[str, str]:
    treebanks = ", ".join(Path(treebank.path).name for treebank in config.data.treebanks)
    return {
        "language": manifest.language,
        "licence": manifest.licence or "not stated: ask whoever trained it",
        "trained on": treebanks,
        "words": _words(config),
        "context": f"{config.model.context_layers} layers of {config.model.size // 2} a direction",
        "precision": manifest.precision,
        "labels, tags": f"{len(manifest.labels)}, {len(manifest.tags)}",
    }


def _words(config: Config) -> str:
    input = config.input
    parts = [f"the encoder {input.encoder}"] if input.encoder else []
    if input.vectors:
        parts.append(f"vectors {Path(input.vectors).name}" + (" (tuned)" if input.tune else ""))
    if input.words:
        parts.append(f"{input.words} numbers learned for each frequent word")
    if input.ngrams:
        parts.append(f"{input.ngrams} learned from its letters")
    return "; ".join(parts)


def _number(value: float) -> str:
    return f"{value:,}" if float(value).is_integer() else f"{value:.2f}"
