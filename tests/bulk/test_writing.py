"""Shards on disk: what is held in memory is bounded, whatever the rows."""

from __future__ import annotations

import itertools

import pytest

from nccp.bulk import writing
from nccp.bulk.options import Options
from nccp.bulk.schema import COLUMNS


def row(words):
    empty = dict.fromkeys(COLUMNS)
    return {**empty, "source": "a", "words": ["w"] * words, "tree": "(X w)" * words, "fallback": False}


@pytest.mark.parametrize(("words", "rows", "most"), [(30_000, 12, 3), (1, 5_001, 5_000), (0, 10_000, 5_000)])
def test_a_row_group_is_bounded_by_words(words, rows, most, tmp_path):
    """Long sentences made groups of half a million words, which took more than 200 MB."""
    parquet = pytest.importorskip("pyarrow.parquet")
    writing.write_shard(tmp_path, 0, (row(words) for _ in range(rows)), Options())
    about = parquet.ParquetFile(tmp_path / "part-000000.parquet").metadata
    sizes = [about.row_group(group).num_rows for group in range(about.num_row_groups)]
    assert sum(sizes) == rows
    assert max(sizes) <= most


def test_rows_are_written_as_they_come(tmp_path):
    """No more rows are taken than a group needs: what was made before is on its way to the disk."""
    pytest.importorskip("pyarrow")
    seen = []

    def rows():
        for number in range(20):
            file = next(iter(tmp_path.glob(".part-*")))
            seen.append(file.stat().st_size)
            yield {**row(40_000), "tree": f"{number}" * 900_000}

    writing.write_shard(tmp_path, 0, rows(), Options(format="jsonl", compression="none"))
    assert seen[0] == 0
    assert all(after - before < 3_000_000 for before, after in itertools.pairwise(seen))
    assert seen[-1] > 15 * 900_000
