"""A report on a treebank: its contents and its faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nccp.errors import InputError
from nccp.treebanks.changes import Changes
from nccp.treebanks.cleaning import RAW, Cleaning
from nccp.treebanks.treebank import Entry, Treebank
from nccp.trees import Tree
from nccp.trees.label_categories import LabelCategories, ranked

_BIN = 10  # words a bar of the histogram
_COLUMNS = 5  # names a line in the inventories
_SHOWN = 20  # bad trees and unary chains in the text; all are in the JSON


@dataclass
class SplitReport:
    """The size of one split."""

    files: int = 0
    trees: int = 0
    words: int = 0
    emptied: int = 0
    """Trees without words after cleaning; not counted in ``trees``."""
    longest: int = 0
    deepest: int = 0


@dataclass
class Report:
    """The contents of ``nccp treebank check``, after cleaning."""

    path: str
    format: str
    splits: dict[str, SplitReport]
    changes: Changes
    lengths: Counter[int] = field(default_factory=Counter)
    """Number of trees by number of words."""
    labels: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    chains: Counter[str] = field(default_factory=Counter)
    """Unary chains of two or more constituents, topmost first: ``SBAR S``."""
    categories: LabelCategories = field(default_factory=LabelCategories)
    """The labels that a model sees; trees with untagged words have none."""
    untagged: list[str] = field(default_factory=list)
    """Positions of trees with words that have no tag."""
    bad: list[InputError] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    """Files of the treebank that are in no split."""
    missing: list[str] = field(default_factory=list)
    """Documents that are listed in the splits but missing."""

    def histogram(self) -> dict[str, int]:
        """Trees by number of words, in bins of ten: ``{"1-10": 120, "11-20": 340, ...}``."""
        bins: Counter[int] = Counter()
        for length, count in self.lengths.items():
            bins[(length - 1) // _BIN] += count
        return {f"{b * _BIN + 1}-{(b + 1) * _BIN}": bins[b] for b in range(max(bins, default=-1) + 1)}

    def to_dict(self) -> dict[str, Any]:
        """The report in plain values, for JSON."""
        return {
            "path": self.path,
            "format": self.format,
            "splits": {
                name: {**vars(split), "mean_length": _mean(split)} for name, split in self.splits.items()
            },
            "lengths": self.histogram(),
            "labels": dict(ranked(self.labels)),
            "tags": dict(ranked(self.tags)),
            "unary_chains": dict(ranked(self.chains)),
            "label_categories": self.categories.to_dict(),
            "changes": self.changes.to_dict(),
            "untagged": self.untagged,
            "bad": [str(error) for error in self.bad],
            "unused_files": self.unused,
            "missing_documents": self.missing,
        }

    def to_text(self) -> str:
        """The report for people."""
        return "\n".join(_lines(self))


def check_treebank(
    bank: Treebank,
    cleaning: Cleaning = Cleaning(),  # noqa: B008 -- frozen
    exclude: Collection[str] = (),
    watch: Callable[[Iterable[Entry]], Iterable[Entry]] = iter,
) -> Report:
    """Read a whole treebank and report on it; faults in files are reported, not raised.

    ``exclude`` names documents to leave out, as in `Treebank.read`; ``watch`` wraps the
    entries, e.g. to show progress.
    """
    cleaning = bank.settle(cleaning)
    splits = {split: SplitReport(files=len(bank.files(split))) for split in bank.splits}
    report = Report(bank.path, bank.name, splits, Changes(cleaning))
    report.unused, report.missing = [str(file) for file in bank.unused], list(bank.missing)
    for entry in watch(bank.read(cleaning=RAW, exclude=exclude, bad=report.bad)):
        split = splits[entry.split]
        tree = report.changes.clean(entry.tree)
        if tree is None:
            split.emptied += 1
            continue
        words, has_untagged = _survey(tree, report)
        if has_untagged:
            report.untagged.append(f"{entry.file}:{entry.line}")
        else:
            report.categories.add(tree)
        report.lengths[words] += 1
        split.trees += 1
        split.words += words
        split.longest = max(split.longest, words)
        split.deepest = max(split.deepest, tree.height())
    return report


def _survey(tree: Tree, report: Report) -> tuple[int, bool]:
    """Add a tree's labels, tags and chains to the report; its number of words, and if some lack a tag."""
    words, has_untagged = 0, False
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        chain = []
        while len(node) == 1 and isinstance(node[0], Tree):
            chain.append(node.label())
            node = node[0]
        if len(node) == 1:
            report.tags[node.label()] += 1
            words += 1
        else:
            chain.append(node.label())
            leaves = sum(isinstance(child, str) for child in node)
            words += leaves
            has_untagged = has_untagged or leaves > 0
            stack += [child for child in node if isinstance(child, Tree)]
        report.labels.update(chain)
        if len(chain) > 1:
            report.chains[" ".join(chain)] += 1
    return words, has_untagged


def _mean(split: SplitReport) -> float:
    return round(split.words / split.trees, 2) if split.trees else 0.0


def _lines(report: Report) -> Iterator[str]:
    yield f"{report.path}: {report.format}"
    yield ""
    yield "split      files     trees       words    mean  longest  deepest  emptied"
    for name, split in report.splits.items():
        yield (
            f"{name:<8}{split.files:>8,}{split.trees:>10,}{split.words:>12,}{_mean(split):>8.2f}"
            f"{split.longest:>9,}{split.deepest:>9,}{split.emptied:>9,}"
        )
    yield ""
    yield "trees by number of words"
    histogram = report.histogram()
    widest = max(histogram.values(), default=1) or 1
    for name, count in histogram.items():
        if count:
            yield f"  {name:>9} {count:>9,}  {'#' * round(50 * count / widest)}".rstrip()
    yield ""
    yield "label categories (types): " + ", ".join(
        f"{name} {len(counts):,}" for name, counts in report.categories.items()
    )
    yield from _inventory("labels", report.labels)
    yield from _inventory("tags", report.tags)
    yield from _inventory("unary chains", report.chains, _SHOWN)
    yield from report.changes.lines()
    yield from _listing("files in no split", report.unused)
    yield from _listing("documents listed in the splits but missing", report.missing)
    yield from _listing(
        "trees with words without a tag (--add-tags puts every word under XX)", report.untagged
    )
    yield from _listing("bad trees", [str(error) for error in report.bad])


def _inventory(title: str, counts: Counter[str], shown: int | None = None) -> Iterator[str]:
    yield ""
    yield f"{title}: {len(counts):,} kinds, {sum(counts.values()):,} in all"
    cells = [f"{count:>9,} {name or '(empty)':<10}" for name, count in ranked(counts)[:shown]]
    for start in range(0, len(cells), _COLUMNS):
        yield "".join(cells[start : start + _COLUMNS]).rstrip()
    if shown is not None and len(counts) > shown:
        yield f"  and {len(counts) - shown:,} more"


def _listing(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield ""
        yield f"{title}: {len(items):,}"
        yield from (f"  {item}" for item in items[:_SHOWN])
        if len(items) > _SHOWN:
            yield f"  and {len(items) - _SHOWN:,} more"
