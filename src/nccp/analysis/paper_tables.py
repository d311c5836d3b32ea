"""Stored results as the rows of the paper's tables. Each function takes results by file name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import fmean, stdev
from typing import Any, NamedTuple

from nccp.trees import FACTORS

Results = Mapping[str, Any]
_SEED = "train.seed"
_TREEBANKS = {"penn": "Penn sample", "sinica": "Sinica", "keyaki": "Keyaki", "icon": "ICON"}


class PaperTable(NamedTuple):
    """Columns, and rows by name."""

    head: list[str]
    rows: dict[str, list[str]]


def labels(results: Results) -> PaperTable:
    """Types of the three label categories."""
    rows = {
        treebank_of(file): [f"{one[name]['types']:,}" for name in ("original", "sub", "pos")]
        for file, one in results.items()
    }
    return PaperTable(["Original", "_Sub", "#POS"], rows)


def orientations(results: Results) -> PaperTable:
    """Left and right in the triangular format, in millions."""
    rows = {}
    for name, one in _treebanks(results):
        counts = [one["factors"][factor]["orientation"]["triangular"] for factor in FACTORS]
        digits = 2 if max(count["right"] for count in counts) < 1e7 else 1
        rows[name] = [f"{count[side] / 1e6:.{digits}f}" for count in counts for side in ("left", "right")]
    arrows = [f"{factor} {arrow} (M)" for factor in FACTORS for arrow in "←→"]
    return PaperTable(arrows, rows)


def coefficients(results: Results) -> PaperTable:
    """The quadratic regression of nodes by words, without and with grouping."""
    rows = {}
    for name, one in _treebanks(results):
        for key, suffix in (("factors", ""), ("grouped", ", grouped")):
            fits = [factor["nodes"]["quadratic"] for factor in one[key].values()]
            rows[name + suffix] = [_parabola(fit["coefficients"]) if fit else "" for fit in fits]
    return PaperTable([*FACTORS, "multi"], rows)


def _parabola(coefficients: list[float]) -> str:
    square, linear, _ = coefficients
    return f"{square:.4f} n² + {linear:.2f} n".replace("-", "−")


def ratios(results: Results) -> PaperTable:
    """Mean and deviation of compression ratios, of all layers and of long ones."""
    rows = {}
    for name, one in _treebanks(results):
        for key, suffix in (("all", ""), ("longer_than_40", ", longer than 40")):
            found = [factor["ratio"][key] for factor in one["factors"].values()]
            rows[name + suffix] = [
                f"{ratio['mean']:.2f} ±{ratio['deviation']:.2f}" if ratio else "" for ratio in found
            ]
    return PaperTable([*FACTORS, "multi"], rows)


def trials(results: Results) -> PaperTable:
    """The trials of sweeps, seeds together: development F1, scores and speed on the test set, size."""
    rows = {}
    several = len({treebank_of(file) for file in results}) > 1
    for file, found in results.items():
        for name, members in _variants(found):
            tests = [trial["test"] for trial in members if trial.get("test")]
            rows[f"{name} ({treebank_of(file)})" if several else name] = [
                _spread([trial["f1"] for trial in members]),
                *(
                    _spread([test[key] for test in tests if key in test])
                    for key in ("precision", "recall", "f1")
                ),
                _spread([test["sentences_per_second"] for test in tests], 0),
                *(
                    ", ".join(f"{test[key]:,.0f}" for test in tests if key in test)
                    for key in ("fallbacks", "invalid_layers")
                ),
                _millions([trial["parameters"] for trial in members if trial.get("parameters")]),
                str(len(members)),
            ]
    head = ["dev F1", "LP", "LR", "test F1", "sentences/s", "invalid parses", "invalid layers"]
    return PaperTable([*head, "parameters", "seeds"], rows)


def _millions(counts: list[int]) -> str:
    """The weights that are trained: frozen vectors and a frozen encoder are not counted."""
    return f"{fmean(counts) / 1e6:.1f} M" if counts else ""


def left_right(results: Results) -> PaperTable:
    """F1 by the share of left-factored trees: the best point, the middle, both wings."""
    rows = {}
    for file, found in results.items():
        points: dict[float, list[float]] = {}
        for trial in finished_trials(found):
            points.setdefault(float(trial["overrides"].get("data.left", 0.85)), []).append(trial["f1"])
        means = {left: fmean(values) for left, values in points.items()}
        if not means:
            continue
        name = treebank_of(file)
        best = max(means, key=lambda left: means[left])
        lowest = min(means, key=lambda left: means[left])
        rows[f"{name}, best"] = [_mix(best), f"{means[best]:.2f}", str(len(points[best]))]
        rows[f"{name}, lowest"] = [_mix(lowest), f"{means[lowest]:.2f}", str(len(points[lowest]))]
        for side, sign in (("left", 1), ("right", -1)):
            if values := [mean for left, mean in means.items() if sign * (left - 0.5) > 0]:
                rows[f"{name}, mean of the {side} wing"] = ["", f"{fmean(values):.2f}", ""]
    return PaperTable(["mix", "dev F1", "seeds"], rows)


def _mix(left: float) -> str:
    return f"L{round(100 * left):02d}R{round(100 * (1 - left)):02d}"


def loss_weights(results: Results) -> PaperTable:
    """The best and the worst triples of loss weights."""
    keys = [f"train.{name}_weight" for name in ("tag", "label", "joint")]
    points: dict[tuple[float, ...], list[float]] = {}
    for found in results.values():
        for trial in finished_trials(found):
            if all(key in trial["overrides"] for key in keys):
                points.setdefault(tuple(trial["overrides"][key] for key in keys), []).append(trial["f1"])
    order = sorted(points, key=lambda weights: -fmean(points[weights]))
    named = {"best": order[:1], "second": order[1:2], "third": order[2:3], "worst": order[3:][-1:]}
    rows = {
        name: [*(f"{weight:g}" for weight in weights), f"{fmean(points[weights]):.2f}"]
        for name, chosen in named.items()
        for weights in chosen
    }
    return PaperTable(["tag", "label", "orientation", "dev F1"], rows)


def formats(results: Results) -> PaperTable:
    """Training time, memory and longest sentences of the two formats."""
    rows = {}
    for found in results.values():
        for one in found["formats"]:
            longest = one.get("longest")
            at_end = longest and longest["words"] == longest["tried"][-1]["words"]
            fits = (
                f"{longest['words']}{'+' if at_end else ''} words in {longest['memory'] / 1e9:g} GB"
                if longest
                else ""
            )
            time = f"{one['epoch_seconds']:.0f} s per epoch ({one['clock']} time)"
            rows[one["format"].capitalize()] = [time, f"{one['peak_memory'] / 1e9:.2f} GB", fits]
    return PaperTable(["time", "peak memory", "longest sentences that fit"], rows)


def scores(results: Results) -> PaperTable:
    """F1 and P-R of several models on the development and the test set, with invalid parses and speed."""
    rows: dict[str, list[str]] = {}
    for split in ("dev", "test"):
        for one in results.get(f"score-{split}.json", {}).get("models", []):
            row = rows.setdefault(one["model"], [])
            row += [f"{one['all']['f1']:.2f}", f"{one['all']['precision_minus_recall']:+.2f}"]
            if split == "test":
                row += [f"{one['fallbacks']:,}", f"{one['sentences_per_second']:,.0f}"]
    return PaperTable(["dev F1", "dev P-R", "test F1", "test P-R", "invalid parses", "sentences/s"], rows)


def invalid(results: Results) -> PaperTable:
    """Invalid parses, and the layers whose scores alone were invalid."""
    rows = {
        one["model"]: [f"{one['fallbacks']:,}", f"{one['invalid_layers']:,}", f"{one['all']['sentences']:,}"]
        for found in results.values()
        for one in found["models"]
    }
    return PaperTable(["invalid parses", "invalid layers before repair", "sentences"], rows)


_TENTHS = (1, 2.5, 5, 7.5, 10)


def histories(results: Results) -> PaperTable:
    """Invalid layers in the evaluation nearest to some shares of the training, and the last F1."""
    rows = {}
    for found in results.values():
        for name, one in found["runs"].items():
            records = one["evaluations"]
            steps = [tenths * records[-1]["step"] / 10 for tenths in _TENTHS]
            near = [min(records, key=lambda record: abs(record["step"] - step)) for step in steps]
            counts = [f"{record['invalid_layers']:,}" for record in near]
            rows[name] = [*counts, f"{records[-1]['epoch']:g}", f"{records[-1]['f1']:.2f}"]
    head = [f"invalid layers at {10 * tenths:g} %" for tenths in _TENTHS]
    return PaperTable([*head, "epochs", "dev F1"], rows)


def combination_order(results: Results) -> PaperTable:
    """Children of flat constituents: how often they are in a first pair, and how often they come last."""
    rows = {}
    for found in results.values():
        for name, one in found["children"].items():
            shares = [f"{one[key] / one['count']:.0%}" for key in ("first", "last")]
            rows[name] = [f"{one['count']:,}", *shares]
    return PaperTable(["children", "in a first pair", "last"], rows)


def heads(results: Results) -> PaperTable:
    """The most frequent parents with their heaviest children."""
    rows = {}
    for file, found in results.items():
        for label, parent in list(found["parents"].items())[:8]:
            children = [
                (name, one["heaviest"]) for name, one in parent["children"].items() if one["heaviest"]
            ]
            cell = "; ".join(f"{name} {count:,}" for name, count in children[:6])
            rows[f"{label} ({parent['nodes']:,}), {treebank_of(file)}"] = [cell]
    return PaperTable(["heaviest child"], rows)


TABLES: dict[str, Callable[[Results], PaperTable]] = {
    one.__name__: one
    for one in (
        *(labels, orientations, coefficients, ratios, trials, left_right, loss_weights, formats),
        *(scores, invalid, histories, combination_order, heads),
    )
}

SWEEP_TABLES = ("trials", "left_right", "loss_weights")
"""Those that read the trials of ``nccp sweep show --json``."""


def treebank_of(file: str) -> str:
    """``cnf-keyaki.json`` is of Keyaki; a name without a treebank is of the Penn sample."""
    return _TREEBANKS.get(file.removesuffix(".json").rpartition("-")[2], _TREEBANKS["penn"])


def _treebanks(results: Results) -> Iterator[tuple[str, Any]]:
    for found in results.values():
        for name, one in found["treebanks"].items():
            yield _TREEBANKS.get(name.lower(), name), one


def finished_trials(found: Any) -> list[dict[str, Any]]:
    """The trials of ``nccp sweep show --json`` that have a score."""
    listed = found["trials"] if isinstance(found, dict) else found
    return [trial for trial in listed if trial.get("f1") is not None]


def _variants(found: Any) -> list[tuple[str, list[dict[str, Any]]]]:
    """Trials by variant, seeds together, in the order of the sweep."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for trial in sorted(finished_trials(found), key=lambda trial: trial["trial"]):
        groups.setdefault(variant_of(trial), []).append(trial)
    return list(groups.items())


def variant_of(trial: Mapping[str, Any]) -> str:
    """The name of a trial without its seed."""
    return str(trial["name"]).removesuffix(f", seed {trial['overrides'].get(_SEED)}")


def _spread(values: list[float], digits: int = 2) -> str:
    """The mean, with the deviation if there are several seeds."""
    if not values:
        return ""
    mean = f"{fmean(values):,.{digits}f}"
    return f"{mean} ±{stdev(values):.{digits}f}" if len(values) > 1 else mean
