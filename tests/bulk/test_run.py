"""Whole runs: what they write, and that they can be resumed."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from nccp import load
from nccp.bulk import COLUMNS, parse_corpus
from nccp.errors import ConfigError, InputError, NccpError
from nccp.files import FileLock
from tests import faults
from tests.bulk.conftest import contents


def run(bundle, corpus, out, **options):
    options = {"model": bundle, "shard_size": 50, "workers": 1, "format": "jsonl", **options}
    return parse_corpus([corpus], out, **options)


def rows_of(out):
    shards = [gzip.decompress(path.read_bytes()) for path in sorted(out.glob("part-*"))]
    return [json.loads(line) for line in b"".join(shards).splitlines()]


def test_rows(bundle, corpus, tmp_path):
    summary = run(bundle, corpus, tmp_path / "out", id_column=None)
    rows = rows_of(tmp_path / "out")
    assert summary.sentences == len(rows) > 350
    assert summary.words == sum(len(row["words"]) for row in rows)
    assert summary.fallbacks == sum(row["fallback"] for row in rows)
    assert (summary.replaced, summary.failures, summary.resumed) == (1, (), 0)
    assert summary.files == 5
    assert all(list(row) == list(COLUMNS) for row in rows)
    text = (corpus / "a.txt").read_text("utf-8-sig")
    parser = load(bundle)
    mine = [row for row in rows if row["source"].endswith("a.txt")]
    assert [row["sentence"] for row in mine] == list(range(1, len(mine) + 1))
    parses = list(parser.parse_text(text))
    assert [row["tree"] for row in mine] == [parse.brackets() for parse in parses]
    for row, parse in zip(mine, parses):
        assert text[row["start"] : row["end"]] == row["text"]
        assert list(zip(row["word_starts"], row["word_ends"])) == list(parse.offsets)
        assert row["tags"] == parse.tags
        assert row["score"] == pytest.approx(parse.score, abs=1e-5)
    manifest = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert manifest["sentences"] == summary.sentences
    assert [shard["number"] for shard in manifest["shards"]] == list(range(summary.shards))
    documents = {row["document"] for row in rows if row["source"].endswith("e.jsonl")}
    assert documents == {i + 1 for i in range(40) if i % 7}


def test_the_same_rows_in_every_format(bundle, corpus, tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    run(bundle, corpus, tmp_path / "json")
    run(bundle, corpus, tmp_path / "parquet", format="parquet")
    run(bundle, corpus, tmp_path / "brackets", format="brackets", compression="none")
    rows = rows_of(tmp_path / "json")
    table = pyarrow.parquet.read_table(tmp_path / "parquet")
    assert table.to_pylist() == rows
    assert {name: str(table.schema.field(name).type) for name in COLUMNS} == {
        name: kind.replace("list<", "list<element: ") for name, kind in COLUMNS.items()
    }
    assert table.schema.metadata[b"nccp_schema_version"] == b"1"
    trees = "".join(path.read_text() for path in sorted((tmp_path / "brackets").glob("*.mrg")))
    assert trees == "".join(row["tree"] + "\n" for row in rows)
    tables = [path.read_text().splitlines() for path in sorted((tmp_path / "brackets").glob("*.tsv"))]
    cells = [dict(zip(lines[0].split("\t"), line.split("\t"))) for lines in tables for line in lines[1:]]
    assert [(cell["source"], int(cell["document"]), int(cell["sentence"])) for cell in cells] == [
        (row["source"], row["document"], row["sentence"]) for row in rows
    ]


def test_lines_and_tokens(bundle, tmp_path):
    (tmp_path / "a.txt").write_text("Don't go .\n\nNow\n")
    for form, first in {"lines": ["Do", "n't", "go", "."], "tokens": ["Don't", "go", "."]}.items():
        parse_corpus(
            tmp_path / "a.txt", tmp_path / form, model=bundle, input=form, format="jsonl", root="TOP"
        )
        rows = rows_of(tmp_path / form)
        assert [row["words"] for row in rows] == [first, [], ["Now"]]
        assert [(row["start"], row["end"]) for row in rows] == [(0, 10), (11, 11), (12, 15)]
        assert rows[1]["tree"] == "(())"
        assert rows[1]["score"] is None
        assert rows[0]["tree"].startswith("(TOP ")


def test_a_sentence_of_any_length(bundle, tmp_path, monkeypatch):
    monkeypatch.setattr("nccp.decoding.stream.LONGEST", 100)  # words that are parsed at once
    (tmp_path / "a.txt").write_text("word " * 10_000)
    summary = parse_corpus(tmp_path / "a.txt", tmp_path / "out", model=bundle, input="tokens", scores=False)
    assert (summary.sentences, summary.words, summary.fallbacks) == (1, 10_000, 1)


@pytest.mark.parametrize("form", ["lines", "tokens"])
def test_a_line_of_any_length(form, bundle, tmp_path, monkeypatch):
    monkeypatch.setattr("nccp.languages.lines.LONGEST_LINE", 40)
    text = "a b\n" + "word wörd " * 20 + "\nc\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    options = {"model": bundle, "input": form, "format": "jsonl", "workers": 1}
    parse_corpus(tmp_path / "a.txt", tmp_path / "out", **options)
    rows = rows_of(tmp_path / "out")
    assert [word for row in rows for word in row["words"]] == text.split()
    assert [text[row["start"] : row["end"]] for row in rows] == [row["text"] for row in rows]
    assert [row["fallback"] for row in rows] == [False, *[True] * (len(rows) - 3), False, False]
    assert len(rows) > 6
    parse_corpus(tmp_path / "a.txt", tmp_path / "small", shard_size=2, **options)
    assert rows_of(tmp_path / "small") == rows


@pytest.mark.parametrize("form", ["parquet", "jsonl", "brackets"])
def test_workers_threads_and_place_make_no_difference(form, bundle, corpus, tmp_path):
    pytest.importorskip("pyarrow")
    run(bundle, corpus, tmp_path / "one", format=form, threads=1)
    run(bundle, corpus, tmp_path / "two", format=form, threads=2, workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_finished_run_is_left_as_it_is(bundle, corpus, tmp_path):
    out = tmp_path / "out"
    first = run(bundle, corpus, out)
    before = contents(out)
    again = run(bundle, corpus, out)
    assert contents(out) == before
    assert (again.resumed, again.sentences) == (first.shards, first.sentences)
    assert math.isclose(again.rate, 0)
    shard = next(out.glob("part-*"))
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(InputError, match="missing or damaged"):
        run(bundle, corpus, out)
    (out / "_manifest.json").unlink()
    run(bundle, corpus, out)
    assert contents(out) == before


def test_a_manifest_that_lacks_shards_is_written_again(bundle, corpus, tmp_path):
    out = tmp_path / "out"
    run(bundle, corpus, out)
    before = contents(out)
    manifest = json.loads((out / "_manifest.json").read_text())
    (out / "_manifest.json").write_text(json.dumps({**manifest, "shards": manifest["shards"][:2]}))
    run(bundle, corpus, out)
    assert contents(out) == before


def test_what_is_missing_is_made_again(bundle, corpus, tmp_path):
    out, seen = tmp_path / "out", []

    def stop(progress):
        seen.append(progress)
        if progress.stage == "parse" and progress.done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(bundle, corpus, out, progress=stop)
    assert not (out / "_manifest.json").exists()
    (out / ".part-000004.jsonl.gz.abc").write_bytes(b"a killed run leaves this")
    summary = run(bundle, corpus, out)
    assert 0 < summary.resumed < summary.shards
    run(bundle, corpus, tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


def test_another_run_or_other_files_are_refused(bundle, corpus, tmp_path):
    out = tmp_path / "out"
    run(bundle, corpus, out)
    before = contents(out)
    with pytest.raises(InputError, match=r"out holds another run: shard_size was 50, now 60\. Use another"):
        run(bundle, corpus, out, shard_size=60)
    (corpus / "new.txt").write_text("New.")
    with pytest.raises(InputError, match=r"1 input files are new, such as .*new\.txt"):
        run(bundle, corpus, out)
    assert contents(out) == before
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("precious")
    with pytest.raises(InputError, match=r"other holds other files \(mine\.txt\)"):
        run(bundle, corpus, other)


def test_two_runs_in_one_folder(bundle, corpus, tmp_path):
    with (
        FileLock(tmp_path / "out" / "_lock"),
        pytest.raises(InputError, match="another run is at work"),
    ):
        run(bundle, corpus, tmp_path / "out")


def test_bad_files(bundle, corpus, tmp_path):
    out = tmp_path / "out"
    (corpus / "cut.txt.gz").write_bytes(gzip.compress(b"Text. " * 1000)[:-9])
    (corpus / "odd.bin").write_bytes(bytes(100))
    with pytest.raises(
        InputError, match=r"2 of 7 input files cannot be read(.|\n)*cut\.txt\.gz(.|\n)*odd\.bin"
    ):
        run(bundle, corpus, out)
    assert not list(out.glob("part-*"))
    summary = run(bundle, corpus, out, bad="skip")
    assert [failure.source.rpartition("/")[2] for failure in summary.failures] == ["cut.txt.gz", "odd.bin"]
    manifest = json.loads((out / "_manifest.json").read_text())
    assert sum(source["error"] is not None for source in manifest["sources"]) == 2
    for name in ("cut.txt.gz", "odd.bin"):
        (corpus / name).unlink()
    run(bundle, corpus, tmp_path / "without")
    assert rows_of(out) == rows_of(tmp_path / "without")


def test_a_file_that_changes_under_way(bundle, corpus, tmp_path):
    def change(progress):
        if progress.stage == "parse":
            (corpus / "e.jsonl").write_text('{"text": "Short."}\n')

    with pytest.raises(InputError, match=r"e\.jsonl has changed since the run was planned"):
        run(bundle, corpus, tmp_path / "out", progress=change)


def test_wrong_options(bundle, corpus, tmp_path):
    with pytest.raises(ConfigError, match="unknown option 'colum'; there are"):
        run(bundle, corpus, tmp_path / "out", colum="x")
    with pytest.raises(ConfigError, match="engine is 'spark'"):
        run(bundle, corpus, tmp_path / "out", engine="spark")
    with pytest.raises(ConfigError, match="address"):
        run(bundle, corpus, tmp_path / "out", address="auto")


@pytest.mark.slow
@pytest.mark.parametrize(("form", "lasting"), [("parquet", False), ("brackets", True)])
def test_every_operation_on_disk_may_fail(form, lasting, bundle, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    parser = load(bundle, threads=1)
    monkeypatch.setattr("nccp.bulk.parsing.load", lambda *_, **__: parser)  # load it only once
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("One is here. Two? Three!")
    options = {"format": form, "shard_size": 2, "threads": 1}
    with faults.record(tmp_path / "whole") as operations:
        run(bundle, corpus, tmp_path / "whole", **options)
    whole = contents(tmp_path / "whole")
    assert {"open", "write", "sync", "rename", "mkdir"} == set(operations)
    for number, operation in enumerate(operations):
        out = tmp_path / f"{number}"
        with (
            faults.fail(out, number, lasting=lasting),
            pytest.raises(NccpError, match=rf"/{number}.*: No space left on device; once this is solved"),
        ):
            run(bundle, corpus, out, **options)
        left = contents(out) if out.exists() else {}
        assert not [name for name in left if "/." in f"/{name}"], (operation, number)
        for name, data in left.items():
            assert name.startswith("_done/") or data == whole[name], (operation, number)
        run(bundle, corpus, out, **options)
        assert contents(out) == whole, (operation, number)
