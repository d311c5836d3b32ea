from __future__ import annotations

import json
import shutil
import subprocess
import sys

import msgspec
import pytest

from nccp.decoding import decode
from nccp.errors import BundleError
from nccp.export.bundle import export_model
from nccp.export.graphs import network_graphs
from nccp.runtime import Bundle
from nccp.runtime.bundle import GRAPHS, stale_neighbours
from nccp.runtime.manifest import Manifest, list_files, seal
from nccp.trees import from_gaps
from tests.runtime.networks import KINDS, random_parser, random_sentences, same

SENTENCES = [words for words in random_sentences() if all(words)]


def write(parser, out, **options):
    golds = [from_gaps(gaps) for gaps in decode(parser.engine(), SENTENCES).gaps()]
    about = Manifest(name="small", licence="CC0")
    return export_model(parser, out, golds, about, **options)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    out = tmp_path_factory.mktemp("bundles") / "small"
    write(random_parser(input={"words": 6, "ngrams": 8, "buckets": 50}), out, precision="float32")
    return out


@pytest.fixture
def bundle(original, tmp_path):
    return shutil.copytree(original, tmp_path / "small")


def change(bundle, **values):
    path = bundle / "bundle.json"
    text = json.dumps(json.loads(path.read_text()) | values | {"checksum": ""})
    path.write_bytes(seal(text.encode()))


def list_anew(bundle):
    change(bundle, files=msgspec.to_builtins(list_files(bundle)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_bundle_parses_as_torch_does(kind, precision, tmp_path):
    parser = random_parser(KINDS[kind])
    write(parser, tmp_path / "out", precision=precision)
    bundle = Bundle.load(tmp_path / "out")
    bundle.verify()
    assert bundle.manifest.precision == precision
    decoded = decode(bundle.engine(), SENTENCES)
    assert [list(gaps.words) for gaps in decoded.gaps()] == SENTENCES
    if precision == "float32":
        assert same(decoded, decode(parser.engine(), SENTENCES))


def test_what_it_says_of_itself(bundle):
    loaded = Bundle.load(bundle)
    assert (loaded.manifest.name, loaded.manifest.licence, loaded.manifest.language) == ("small", "CC0", "en")
    assert (
        loaded.size
        == sum(path.stat().st_size for path in bundle.iterdir()) - loaded.files.manifest.stat().st_size
    )
    assert set(loaded.manifest.files) == {path.name for path in bundle.iterdir()} - {"bundle.json"}
    assert loaded.model.size == 20
    assert "CC0" in loaded.files.card.read_text()
    assert loaded.manifest.scores["sentences"] == len(SENTENCES)


def test_graphs_have_the_inputs_that_are_checked(original):
    for model in ({}, {"kind": "multi"}):
        for name, graph in network_graphs(random_parser(model).network).items():
            assert {value.name for value in graph.graph.input} == GRAPHS[name]


def test_without_torch_and_onnx(bundle):
    code = """
import sys
sys.modules["torch"] = sys.modules["onnx"] = sys.modules["transformers"] = None  # importing them fails
from nccp.decoding import decode
from nccp.runtime import Bundle
from nccp.trees import format_gaps
print(*map(format_gaps, decode(Bundle.load(sys.argv[1]).engine(), [["the", "cat", "sat"]]).gaps()))
"""
    run = subprocess.run([sys.executable, "-c", code, str(bundle)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("the") == run.stdout.count("sat") == 1


def test_nothing_there(tmp_path):
    with pytest.raises(BundleError, match="there is no model bundle here"):
        Bundle.load(tmp_path / "none")
    with pytest.raises(BundleError, match="not a model bundle"):
        Bundle.load(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(BundleError, match="there is no model bundle here"):
        Bundle.load(tmp_path / "file")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "nccp-bundle", "version": "one"}', "\x00\xff", "null"]
)
def test_damaged_manifest(bundle, text):
    (bundle / "bundle.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(BundleError, match=r"bundle\.json: "):
        Bundle.load(bundle)


def test_foreign_and_newer_manifests(bundle):
    change(bundle, version=99, surprise=1, nccp="9.9")
    with pytest.raises(BundleError, match=r"format version 99, by nccp 9\.9.*upgrade"):
        Bundle.load(bundle)
    change(bundle, version=1, format="other")
    with pytest.raises(BundleError, match="not the manifest of an nccp model bundle"):
        Bundle.load(bundle)


def test_a_configuration_that_is_unknown(bundle):
    change(bundle, config={"model": {"kinds": "binary"}})
    with pytest.raises(BundleError, match=r"bundle\.json: config: .*kinds"):
        Bundle.load(bundle)


def test_only_the_model_is_needed_of_a_configuration(bundle):
    """What was known of training when the bundle was written does not keep it from parsing today."""
    config = json.loads((bundle / "bundle.json").read_text())["config"]
    change(bundle, config=config | {"train": {"of_old": 1}, "no_more": {}})
    Bundle.load(bundle).engine()


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "..", ""])
def test_files_elsewhere_are_refused(bundle, name):
    change(bundle, files={name: {"size": 1, "sha256": ""}})
    with pytest.raises(BundleError, match="is not the name of a file of a bundle"):
        Bundle.load(bundle)


def test_every_file_is_missed(bundle):
    for path in [path for path in bundle.iterdir() if path.name != "bundle.json"]:
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(BundleError, match=rf"{path.name}: .*not complete"):
            Bundle.load(bundle)
        path.write_bytes(whole[:-1])
        with pytest.raises(BundleError, match=rf"{path.name}: cut short"):
            Bundle.load(bundle)
        path.write_bytes(whole + b"x")
        with pytest.raises(BundleError, match=rf"{path.name}: not the file that was written"):
            Bundle.load(bundle)
        path.write_bytes(whole)
    Bundle.load(bundle).verify()


def test_a_changed_byte_is_found_by_verify(bundle):
    for path in [path for path in bundle.iterdir() if path.name != "bundle.json"]:
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
        with pytest.raises(BundleError, match=rf"{path.name}: damaged"):
            Bundle.load(bundle).verify()
        path.write_bytes(whole)


@pytest.mark.parametrize("name", ["context", "labels", "orient", "compose"])
def test_garbage_in_a_graph(bundle, name):
    path = bundle / f"{name}.onnx"
    path.write_bytes(b"\x08" * path.stat().st_size)
    list_anew(bundle)
    with pytest.raises(BundleError, match=rf"{name}\.onnx: "):
        Bundle.load(bundle).engine()


def test_a_graph_of_another_kind(bundle):
    graph = (bundle / "labels.onnx").read_bytes()
    (bundle / "context.onnx").write_bytes(graph)
    list_anew(bundle)
    with pytest.raises(BundleError, match=r"context\.onnx: unexpected inputs of the graph: x; expected"):
        Bundle.load(bundle).engine()


def test_files_of_two_bundles(bundle, tmp_path):
    write(random_parser(input={"ngrams": 5, "buckets": 50}), tmp_path / "other", precision="float32")
    shutil.copy(tmp_path / "other" / "context.onnx", bundle)
    list_anew(bundle)
    with pytest.raises(BundleError, match=r"context\.onnx: not of this bundle: e has 5 numbers, expected 14"):
        Bundle.load(bundle).engine()


def test_labels_that_were_flattened():
    config = {"data": {"treebanks": [{"cleaning": {"flatten": ["NML"], "unwrap": ["CIT"]}}, {"path": "x"}]}}
    assert Manifest(config=config).flat == ("CIT", "NML")
    assert Manifest().flat == ()


@pytest.fixture
def neighbour(original, bundle):
    """A bundle beside ``bundle`` with the same words, which it shares, and another network."""
    other = shutil.copytree(original, bundle.parent / "multi")
    write(multi(), other, precision="float32", share=bundle)
    return other


def multi():
    return random_parser({"kind": "multi"}, input={"words": 6, "ngrams": 8, "buckets": 50})


def test_shared_files_are_kept_once(bundle, neighbour, tmp_path, monkeypatch):
    write(multi(), tmp_path / "whole", precision="float32")
    whole = Bundle.load(tmp_path / "whole")
    trees = [list(gaps.labels) for gaps in decode(whole.engine(), SENTENCES).gaps()]
    names = [name for name, file in Bundle.load(neighbour).manifest.files.items() if file.of]
    assert "words.json" in names
    assert "chunk.onnx" not in names
    assert whole.manifest.files.keys() == Bundle.load(neighbour).manifest.files.keys()
    assert not any((neighbour / name).exists() for name in names)
    assert all((bundle / name).exists() for name in names)
    monkeypatch.chdir(tmp_path)
    for path in (neighbour, "multi"):
        shared = Bundle.load(path)
        shared.verify()
        assert shared.size < whole.size
        assert [list(gaps.labels) for gaps in decode(shared.engine(), SENTENCES).gaps()] == trees
    (bundle / "words.json").unlink()
    with pytest.raises(BundleError, match=r"words\.json.*not complete"):
        Bundle.load(neighbour)


def test_who_shares_files_that_have_changed(bundle, neighbour):
    (bundle.parent / "broken").mkdir()
    (bundle.parent / "broken" / "bundle.json").write_text("{")
    assert stale_neighbours(bundle) == []
    write(random_parser(input={"words": 6, "ngrams": 8, "buckets": 50}), bundle, precision="float32")
    assert stale_neighbours(bundle) == []
    write(random_parser(input={"words": 6, "ngrams": 8, "buckets": 60}), bundle, precision="float32")
    assert stale_neighbours(bundle) == ["multi"]
    assert stale_neighbours(neighbour) == []


def test_shares_only_with_a_neighbour(bundle, tmp_path):
    away = shutil.copytree(bundle, tmp_path / "elsewhere" / "small")
    for other in (bundle, away):
        with pytest.raises(BundleError, match="can share files only with another bundle in"):
            write(multi(), bundle, precision="float32", share=other)
    assert (bundle / "orient.onnx").exists()


@pytest.mark.parametrize("of", ["..", "../small", "/etc", "a/b"])
def test_shares_nothing_outside_its_folder(bundle, of):
    files = json.loads((bundle / "bundle.json").read_text())["files"]
    files["words.json"]["of"] = of
    change(bundle, files=files)
    with pytest.raises(BundleError, match="damaged"):
        Bundle.load(bundle)
