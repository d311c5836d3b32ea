"""Sentences of files: the same from any place on, whatever the file's kind."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.bulk import documents, reading
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.reading import read_items
from nccp.errors import InputError
from nccp.languages import LONGEST_LINE

TEXT = "\ufeffOne is here. Größe 東京 zwei!\r\nThree (3)?  “Four.”\n\n\nFive\tsix \n" * 40
PACKERS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def source(path) -> Source:
    return Source(str(path), str(path))


def same_from_everywhere(file: Source, options: Options) -> list[reading.Item]:
    """The items of a file; reading from the place of any of them must give it and those after it."""
    items = list(read_items(file, options, "en"))
    for number, item in enumerate(items):
        if item.place is not None:
            rest = list(read_items(file, options, "en", item.place))
            assert [one._replace(place=None) for one in rest] == [
                one._replace(place=None) for one in items[number:]
            ]
    return items


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("form", ["text", "lines", "tokens"])
def test_text_files(form, suffix, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_BLOCK", 7)  # in the midst of letters
    path = tmp_path / f"file.txt{suffix}"
    path.write_bytes(PACKERS[suffix](TEXT.encode()))
    items = same_from_everywhere(source(path), Options(input=form))
    text = TEXT.removeprefix("\ufeff")
    for item in items:
        assert text[item.start : item.start + len(item.text)] == item.text
        if form == "tokens":
            assert item.words == item.text.split(" ") or "" in item.text.split(" ") or "\t" in item.text
            assert [text[start:end] for start, end in item.offsets] == item.words
    if form != "text":
        assert [item.text for item in items] == [line.rstrip("\r") for line in text.split("\n")[:-1]]
    assert [item.sentence for item in items] == list(range(len(items)))
    assert any(item.place.byte for item in items)


@given(st.text(st.sampled_from("aé東𝄞. \n\r!“\t"), max_size=80), st.sampled_from(["text", "lines", "tokens"]))
def test_any_text(tmp_path_factory, text, form):
    path = tmp_path_factory.mktemp("any") / "file.txt"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_BLOCK", 5)
        same_from_everywhere(source(path), Options(input=form))


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "shift_jis"])
def test_other_encodings(encoding, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_BLOCK", 7)
    text = "Some words. And more!\n" * 20
    path = tmp_path / "file.txt"
    path.write_bytes(text.encode(encoding))
    items = same_from_everywhere(source(path), Options(encoding=encoding))
    assert [item.text for item in items] == ["Some words.", "And more!"] * 20


def test_documents_of_any_length(tmp_path, monkeypatch):
    path = tmp_path / "file.jsonl"
    path.write_text(json.dumps({"text": ["a"] * 7}) + "\n" + json.dumps({"text": [["b"], []]}) + "\n")
    monkeypatch.setattr(reading, "_LONGEST_LIST", 3)
    items = list(read_items(source(path), Options(input="tokens"), "en"))
    assert [(item.document, item.sentence, item.words, item.more) for item in items] == [
        (0, 0, ["a"] * 3, True),
        (0, 1, ["a"] * 3, True),
        (0, 2, ["a"], False),
        (1, 0, ["b"], False),
        (1, 1, [], False),
    ]
    monkeypatch.setattr(documents, "LONGEST_DOCUMENT", 30)
    with pytest.raises(InputError, match="document 1: a line of more than 30 bytes, the limit"):
        list(read_items(source(path), Options(input="tokens"), "en"))


def test_json_lines(tmp_path):
    path = tmp_path / "file.jsonl"
    rows = [{"body": "One. Two?", "key": 7}, {"body": None, "key": 8}, {"body": "Three \ud800.", "key": "x"}]
    path.write_text("\n\n".join(json.dumps(row) for row in rows))
    items = same_from_everywhere(source(path), Options(column="body", id_column="key"))
    assert [(item.document, item.id, item.sentence, item.text) for item in items] == [
        (0, "7", 0, "One."),
        (0, "7", 1, "Two?"),
        (2, "x", 0, "Three \ud800."),
    ]
    assert [item.place is None for item in items] == [False, True, False]


def test_lists_of_words(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(
        '{"text": ["a b", "c"]}\n{"text": [["d"], ["e", "f"]]}\n{"text": "g h\\ni"}\n{"text": []}\n'
    )
    items = same_from_everywhere(source(path), Options(input="tokens"))
    assert [item.words for item in items] == [["a b", "c"], ["d"], ["e", "f"], ["g", "h"], ["i"], []]
    assert items[0].start is None
    assert items[4].start == 4


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "file.parquet"
    texts = [f"Row {i}. Yes." if i % 3 else None for i in range(50)]
    table = pyarrow.table({"text": texts, "id": range(50)})
    parquet.write_table(table, path, row_group_size=7)
    items = same_from_everywhere(source(path), Options(id_column="id"))
    assert [(item.document, item.id) for item in items[:3]] == [(1, "1"), (1, "1"), (2, "2")]
    assert [item.text for item in items[::2]] == [f"Row {i}." for i in range(50) if i % 3]
    with pytest.raises(InputError, match=r"no column 'body' \(it has text, id\)"):
        list(read_items(source(path), Options(column="body"), "en"))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"file\.parquet: damaged"):
        list(read_items(source(path), Options(), "en"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"text": "a"}\n{"text": ', "document 2: not valid JSON"),
        ('{"body": "a"}', r"document 1: no column 'text' \(it has 'body'\); see --column"),
        ('"a"', "document 1: no column 'text'"),
        ('{"text": 3}', "document 1: column 'text' must hold text, not 3"),
        ('{"text": ["a"]}', "must hold text, not"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_bad_json_lines(data, message, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(data)
    with pytest.raises(InputError, match=message):
        list(read_items(source(path), Options(), "en"))


def test_binary_data_anywhere_is_refused(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(b"text. " * 100_000 + b"\0")
    with pytest.raises(InputError, match="binary data"):
        list(read_items(source(path), Options(), "en"))


def test_a_long_line_without_a_break(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("word " * 400_000)
    items = list(read_items(source(path), Options(), "en"))
    assert max(len(item.text) for item in items) <= 1 << 15
    assert sum(len(item.text.split()) for item in items) == 400_000
    pieces = list(read_items(source(path), Options(input="tokens"), "en"))
    assert max(len(piece.text) for piece in pieces) <= LONGEST_LINE
    assert [piece.more for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    assert sum(len(piece.words) for piece in pieces) == 400_000
