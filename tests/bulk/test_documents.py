"""Documents of JSON lines and Parquet files: each of bounded size, whatever the file says."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from nccp.bulk import documents
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.parquet_pages import read_pages
from nccp.bulk.places import Place
from nccp.bulk.reading import read_items
from nccp.bulk.scan import Scan
from nccp.errors import InputError

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def source(path) -> Source:
    return Source(path.name, str(path))


def items(path, **options):
    return list(read_items(source(path), Options(**options), "en"))


def write(path, columns, **options):
    parquet.write_table(pyarrow.table(columns), path, **options)


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
def test_a_document_that_is_too_large(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "LONGEST_DOCUMENT", 1000)
    texts = pyarrow.array(["Short one."] * 20 + ["x" * 990] + ["long " * 300])
    if kind != "string":
        texts = texts.dictionary_encode() if kind == "dictionary" else texts.cast(pyarrow.large_string())
    write(tmp_path / "a.parquet", {"text": texts[:-1]}, row_group_size=7)
    assert [item.text for item in items(tmp_path / "a.parquet")][19:] == ["Short one.", "x" * 990]
    write(tmp_path / "a.parquet", {"text": texts}, row_group_size=7)
    message = r"a\.parquet: document 22: column 'text' holds 1,50\d bytes; the limit is 1,000"
    with pytest.raises(InputError, match=message):
        items(tmp_path / "a.parquet")
    assert re.search(message, str(Scan(Options(), "en")(source(tmp_path / "a.parquet")).error))


@pytest.mark.parametrize("words", [["ab"] * 500, [["ab"]] * 500, [[]] * 500])
def test_a_list_that_is_too_large(words, tmp_path, monkeypatch):
    kind = pyarrow.list_(pyarrow.list_(pyarrow.string()) if isinstance(words[0], list) else pyarrow.string())
    write(tmp_path / "a.parquet", {"text": pyarrow.array([words[:9], words], kind)})
    monkeypatch.setattr(documents, "LONGEST_DOCUMENT", 1000)
    with pytest.raises(InputError, match=r"document 2: column 'text' holds .* the limit is 1,000"):
        items(tmp_path / "a.parquet", input="tokens")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_an_identifier_that_is_too_long(suffix, tmp_path):
    """It would be in every row of the document."""
    path = tmp_path / f"a.{suffix}"
    rows = [{"text": "One.", "id": "x" * size} for size in (documents.LONGEST_ID, documents.LONGEST_ID + 1)]
    if suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        write(path, {name: [row[name] for row in rows] for name in ("text", "id")})
    with pytest.raises(InputError, match="document 2: an identifier of 4,097 characters; the limit is 4,096"):
        items(path, id_column="id")
    assert len(items(path)) == 2


def test_an_error_about_columns_is_short(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({f"column {i}": 1 for i in range(100_000)}))
    with pytest.raises(InputError, match=r"no column 'text' \(it has 'column 0', .*, \.\.\.\)") as caught:
        items(tmp_path / "a.jsonl")
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("value", [["a"] * 10**6, "[" * 900 + "]" * 900])
def test_an_error_about_a_value_is_short(value, tmp_path):
    text = value if isinstance(value, str) else json.dumps(value)
    (tmp_path / "a.jsonl").write_text(f'{{"text": {text}}}')
    with pytest.raises(InputError, match="must hold text, not") as caught:
        items(tmp_path / "a.jsonl")
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"use_dictionary": False},
        {"data_page_version": "2.0"},
        {"compression": "zstd", "write_page_checksum": True, "data_page_size": 100},
        {"compression": "none", "write_statistics": False, "row_group_size": 11},
    ],
)
def test_the_pages_of_a_file(options, tmp_path):
    """Their sizes add up to what the metadata says of the column."""
    columns = {
        "text": [f"Row {i}. " * 50 for i in range(300)],
        "words": [["a", "b"] * (i % 5) for i in range(300)],
    }
    write(tmp_path / "a.parquet", columns, **options)
    about = parquet.ParquetFile(tmp_path / "a.parquet").metadata
    with open(tmp_path / "a.parquet", "rb") as file:
        found = list(read_pages(file, ["text", "words"]))
        assert {page.column for page in read_pages(file, ["words"])} == {"words"}
    for group in range(about.num_row_groups):
        for number, name in enumerate(("text", "words")):
            column = about.row_group(group).column(number)
            pages = [page for page in found if (page.group, page.column) == (group, name)]
            assert sum(page.values for page in pages) == column.num_values
            heads = column.total_uncompressed_size - sum(page.size for page in pages)
            assert 0 < heads < 1000 * len(pages)  # statistics included
    assert [item.document for item in items(tmp_path / "a.parquet")][::50] == list(range(300))


def test_pages_that_are_too_large(tmp_path, monkeypatch):
    write(tmp_path / "a.parquet", {"text": ["One. "] * 40 + ["x" * 5000]}, use_dictionary=False)
    monkeypatch.setattr(documents, "_LARGEST_PAGE", 4000)
    with pytest.raises(InputError, match=r"parquet: row group 1: column 'text' has a page of 5,\d+ bytes"):
        items(tmp_path / "a.parquet")
    monkeypatch.undo()
    write(tmp_path / "a.parquet", {"text": [["a"] * 50, []]})
    monkeypatch.setattr(documents, "_MOST_VALUES", 40)
    with pytest.raises(InputError, match=r"and 51 values; the limits are .* and 40"):
        items(tmp_path / "a.parquet", input="tokens")


def test_rows_are_read_one_by_one_where_pages_are_large(tmp_path, monkeypatch):
    texts = [f"Row {i}." for i in range(50)]
    write(tmp_path / "a.parquet", {"text": texts}, row_group_size=20)
    monkeypatch.setattr(documents, "_SMALL_PAGE", 10)
    found = items(tmp_path / "a.parquet")
    assert [item.text for item in found] == texts
    rest = read_items(source(tmp_path / "a.parquet"), Options(), "en", Place(33))
    assert [item.text for item in rest] == texts[33:]


def test_damaged_pages(tmp_path):
    """Any byte of the file may be wrong: an error of ours or sentences, nothing else."""
    write(tmp_path / "a.parquet", {"text": [f"Row {i}." for i in range(20)]})
    whole = (tmp_path / "a.parquet").read_bytes()
    refused = 0
    for place in range(len(whole)):
        for flip in (0x01, 0x80):  # pyarrow's metadata would end the process for some
            (tmp_path / "a.parquet").write_bytes(
                whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :]
            )
            try:
                items(tmp_path / "a.parquet")
            except InputError:
                refused += 1
    assert refused > 100


_BOMB = """
import re, sys
from pathlib import Path
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.reading import read_items
from nccp.errors import InputError
try:
    sum(1 for _ in read_items(Source("bomb.parquet", sys.argv[1]), Options(input=sys.argv[2]), "en"))
except InputError as error:
    print(error)
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is in other units elsewhere")
@pytest.mark.parametrize("kind", ["text", "dictionary", "lists"])
def test_a_small_file_that_expands(kind, tmp_path):
    """Kilobytes that expand to hundreds of megabytes are refused before they are in memory."""
    path = tmp_path / "bomb.parquet"
    if kind == "lists":
        values = pyarrow.nulls(60_000_000, pyarrow.string())
        column = pyarrow.ListArray.from_arrays(pyarrow.array([0, 60_000_000], pyarrow.int32()), values)
    else:
        column = pyarrow.array(["word " * 60_000_000 if kind == "text" else "word " * 20_000_000] * 1)
    write(path, {"text": column}, compression="zstd", use_dictionary=kind == "dictionary")
    assert path.stat().st_size < 1_000_000
    call = [sys.executable, "-c", _BOMB, str(path), "tokens" if kind == "lists" else "text"]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error, peak = done.stdout.splitlines()
    assert "the limit" in error
    assert int(peak) < 500, peak
