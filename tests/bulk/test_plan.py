"""Plans: every sentence in exactly one shard, in order; other runs are refused."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.places import Place
from nccp.bulk.plan import ModelIdentity, Plan, check_same, load_plan, make_plan
from nccp.bulk.reading import read_items
from nccp.bulk.scan import Piece, Scan, Scanned, check_unchanged
from nccp.errors import ConfigError, InputError

MODEL = ModelIdentity("small", "en", "0")


@given(st.lists(st.lists(st.integers(1, 12))), st.integers(1, 10))
def test_pieces_are_packed_in_order(files, size):
    scanned = [
        Scanned(name=str(i), pieces=tuple(Piece(Place(sentence=j), count) for j, count in enumerate(counts)))
        for i, counts in enumerate(files)
    ]
    plan = make_plan(Options(shard_size=size), MODEL, scanned)
    packed = [
        (one.source, one.begin.sentence, one.sentences) for shard in plan.shards for one in shard.segments
    ]
    assert packed == [(i, j, count) for i, counts in enumerate(files) for j, count in enumerate(counts)]
    assert all(shard.sentences <= size or len(shard.segments) == 1 for shard in plan.shards)
    for one, two in zip(plan.shards, plan.shards[1:]):
        assert one.sentences + two.segments[0].sentences > size
    assert msgspec.json.decode(msgspec.json.encode(plan), type=Plan) == plan


@given(st.lists(st.lists(st.integers(0, 2500))), st.integers(1, 3))
def test_shards_are_bounded_by_characters(files, size):
    scanned = [
        Scanned(name=str(i), pieces=tuple(Piece(Place(sentence=j), 1, n) for j, n in enumerate(chars)))
        for i, chars in enumerate(files)
    ]
    options = Options(shard_size=size)
    plan = make_plan(options, MODEL, scanned)
    packed = [[files[one.source][one.begin.sentence] for one in shard.segments] for shard in plan.shards]
    assert [n for shard in packed for n in shard] == [n for chars in files for n in chars]
    assert all(sum(shard) <= options.shard_chars or len(shard) == 1 for shard in packed)


def test_long_lines_make_many_shards(tmp_path):
    """Without a bound on characters, one line of 20 MB was one shard: a kill lost all of it."""
    path = tmp_path / "a.txt"
    path.write_text("word " * 400_000 + "\nshort\n" * 5)
    options = Options(input="tokens", shard_size=1000)
    scanned = Scan(options, "en")(Source("a.txt", str(path)))
    assert len(scanned.pieces) > 1
    longest = max(len(item.text) for item in read_items(Source("a.txt", str(path)), options, "en"))
    assert all(piece.chars < options.shard_chars + longest for piece in scanned.pieces)
    assert sum(piece.sentences for piece in scanned.pieces) == scanned.sentences


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_shards_cover_the_corpus(size, corpus):
    options = Options(shard_size=size)
    for path in sorted(corpus.rglob("*.*")):
        source = Source(path.name, str(path))
        scanned = Scan(options, "en")(source)
        assert scanned.error is None
        whole = [(item.document, item.sentence) for item in read_items(source, options, "en")]
        found: list[tuple[int, int]] = []
        for piece in scanned.pieces:
            items = [(i.document, i.sentence) for i in read_items(source, options, "en", piece.begin)]
            found += items[: piece.sentences]
        assert found == whole
        assert scanned.sentences == len(whole)
        assert scanned.replaced == (path.name == "d.txt")


def test_bad_files_are_described(tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"\0")
    scan = Scan(Options(), "en")
    for name, message in {"bad.txt": "binary", "none": "No such file", ".": "regular"}.items():
        assert message in scan(Source(name, str(tmp_path / name))).error


def test_a_file_that_changes_is_noticed_by_its_content(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("One.")
    source = Source("a.txt", str(path))
    known = Scan(Options(), "en")(source)
    path.write_text("One.")
    path.touch()
    check_unchanged(source, known)
    path.write_text("Two.")
    with pytest.raises(InputError, match=r"a\.txt has changed"):
        check_unchanged(source, known)
    path.unlink()
    with pytest.raises(InputError, match=r"a\.txt: No such file"):
        check_unchanged(source, known)


def test_another_run_is_refused(tmp_path):
    sources = [Source("a", "/a"), Source("b", "/b")]
    plan = make_plan(Options(), MODEL, [Scanned(name="a", error="x"), Scanned(name="b", error="x")])

    def check(message, options=plan.options, model=MODEL, sources=sources):
        with pytest.raises(InputError, match=f"OUT holds another run: .*{message}.* Use another"):
            check_same(plan, options, model, sources, "OUT")

    check_same(plan, plan.options, MODEL, sources, "OUT")
    check("model was 'en', now 'ja'", Options(model="ja"))
    check("the model has changed", model=ModelIdentity("small", "en", "1"))
    check("1 input files are missing, such as b", sources=sources[:1])
    check("1 input files are new, such as c", sources=[*sources, Source("c", "/c")])
    check("another order", sources=sources[::-1])


def test_options_are_checked():
    for options in ({"format": "xml"}, {"shard_size": 0}, {"encoding": "utf-9"}, {"bad": "x"}):
        with pytest.raises(ConfigError):
            Options(**options)


def test_a_damaged_plan_is_an_error(tmp_path):
    (tmp_path / "_plan.json").write_text('{"format"')
    with pytest.raises(InputError, match="not a plan"):
        load_plan(tmp_path / "_plan.json")


def test_a_plan_of_another_version_is_an_error(tmp_path):
    plan = make_plan(Options(), MODEL, [])
    plan.save(tmp_path / "_plan.json")
    assert load_plan(tmp_path / "_plan.json") == plan
    for version in (plan.version - 1, plan.version + 1):
        msgspec.structs.replace(plan, version=version).save(tmp_path / "_plan.json")
        with pytest.raises(InputError, match=rf"not a plan .*\(version {version} of .*; use another output"):
            load_plan(tmp_path / "_plan.json")
