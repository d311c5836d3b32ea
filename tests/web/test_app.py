"""Every address: what it answers, and that every error is one plain sentence."""

from __future__ import annotations

import json
import re

import pytest
from starlette.testclient import TestClient

from nccp import __version__
from nccp.errors import BundleError
from nccp.scoring import score_trees
from nccp.trees import format_tree, parse_tree
from nccp.trees.draw import draw_indented, draw_latex, draw_svg, draw_text
from nccp.web import app as application
from nccp.web import handlers
from nccp.web.app import create_app
from nccp.web.guard import Limits
from nccp.web.models import Models
from tests.web.conftest import SMALL

TEXT = "The cat sat. It can't sleep!"
GOLD = "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *T*)))))"


def lines(answer):
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


def refused(answer, status):
    """The reason, which is all there is."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    value = answer.json()
    assert value.keys() == {"error"}
    return value["error"]


def brackets(nodes, place=0):
    """The tree that a list of nodes describes."""
    node = nodes[place]
    if "word" in node:
        return f"({node['label']} {node['word']})"
    children = [brackets(nodes, i) for i, one in enumerate(nodes) if one.get("parent") == place]
    return f"({node['label']} {' '.join(children)})"


# ---- health and models


def test_health(client):
    assert client.get("/api/health").json() == {
        "status": "ok",
        "version": __version__,
        "models": ["en", "multi"],
    }


def test_models(client):
    answer = client.get("/api/models").json()
    assert answer["limits"]["words"] == SMALL.words
    english, *others = answer["languages"]
    assert {"ja", "zh"} <= {one["code"] for one in others}
    assert (english["code"], english["name"], english["spaced"]) == ("en", "English", True)
    assert english["examples"]
    assert "missing" not in english
    assert answer["default"] == "en"
    assert [(one["name"], one["kind"], one["language"]) for one in answer["models"]] == [
        ("en", "binary", "en"),
        ("multi", "multi", "en"),
    ]
    for one in answer["models"]:
        assert one.keys() == {"name", "language", "kind", "megabytes", "description", "scores"}
        assert "constituency parser" in one["description"]
        assert one["scores"]["f1"] == 100


def test_models_are_found_by_name_path_or_all(folder, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", str(folder))
    assert Models.find().names[0] == "en"
    assert set(Models.find().names) >= {"en", "multi"}
    assert Models.find([str(folder / "multi")]).names == ["multi"]
    with pytest.raises(BundleError, match="did you mean multi"):
        Models.find(["mutli"])
    with pytest.raises(BundleError, match="two models have the same name"):
        Models.find(["en", str(folder / "en")])
    with pytest.raises(BundleError, match="no model to serve"):
        Models({})


def test_a_model_that_cannot_be_loaded(folder, tmp_path):
    import shutil

    broken = shutil.copytree(folder / "en", tmp_path / "broken")
    graph = broken / "context.onnx"
    graph.write_bytes(bytes(graph.stat().st_size))
    with TestClient(create_app(Models({"broken": broken}))) as client:
        why = refused(client.post("/api/parse", json={"text": "a"}), 500)
        assert why == "The model 'broken' cannot be loaded."
        assert client.get("/api/health").status_code == 200


# ---- parse


@pytest.mark.parametrize("model", ["en", "multi"])
def test_parse_text(client, parsers, model):
    answer = client.post("/api/parse", json={"text": TEXT, "model": model}).json()
    assert answer["model"] == model
    assert len(answer["sentences"]) == 2
    for value, parse in zip(answer["sentences"], parsers[model].parse_text(TEXT)):
        expected = parse.to_dict()
        assert len(value.pop("nodes")) > len(parse.words)
        assert value["tree"] == expected["tree"]
        assert value["offsets"] == expected["offsets"]
        assert value.keys() == expected.keys()


@pytest.mark.parametrize("model", ["en", "multi"])
def test_nodes(client, model):
    (value,) = client.post("/api/parse", json={"sentences": [["a"] * 12], "model": model}).json()["sentences"]
    assert brackets(value["nodes"]) == value["tree"]
    weights = {(one["start"], one["end"]): one["weights"] for one in value.get("weights", [])}
    assert bool(weights) == (model == "multi")
    for place, node in enumerate(value["nodes"]):
        children = [one for one in value["nodes"] if one.get("parent") == place]
        assert 0 < node["score"] <= 1
        if len(children) > 1 and weights:
            own = [child["weight"] for child in children]
            assert own == weights[node["start"], node["end"]]
            assert [child.get("head", False) for child in children].index(True) == own.index(max(own))
            assert sum(child.get("head", False) for child in children) == 1
        else:
            assert not any("weight" in child or "head" in child for child in children)


def test_kinds_of_sentences(client):
    sentences = [
        "The cat sat.",
        ["The", "cat"],
        [["The", "MY"], ["cat", None]],
        ["the", ["cat", "X"]],
        "",
        [],
    ]
    values = client.post("/api/parse", json={"sentences": sentences}).json()["sentences"]
    assert [value["words"] for value in values] == [
        ["The", "cat", "sat", "."],
        ["The", "cat"],
        ["The", "cat"],
        ["the", "cat"],
        [],
        [],
    ]
    assert values[2]["tags"][0] == "MY"
    assert values[3]["tags"][1] == "X"
    assert (values[5]["tree"], values[5]["nodes"], values[5].get("score")) == ("(())", [], None)
    assert client.post("/api/parse", json={"sentences": []}).json()["sentences"] == []
    assert client.post("/api/parse", json={"text": " \n"}).json()["sentences"] == []


def test_tokenized(client):
    question = {"text": "can't sleep .\n\n  New\tYork \n", "tokenized": True}
    values = client.post("/api/parse", json=question).json()["sentences"]
    assert [value["words"] for value in values] == [["can't", "sleep", "."], ["New", "York"]]
    question = {"sentences": ["can't sleep."], "tokenized": True}
    assert client.post("/api/parse", json=question).json()["sentences"][0]["words"] == ["can't", "sleep."]


@pytest.mark.parametrize("model", ["en", "multi"])
def test_layers(client, model):
    question = {"text": TEXT, "model": model, "layers": True}
    for value in client.post("/api/parse", json=question).json()["sentences"]:
        layers = value["layers"]
        assert [node["how"] for node in layers[0]["nodes"]] == ["word"] * len(value["words"])
        (root,) = layers[-1]["nodes"]
        assert (root["start"], root["end"]) == (0, len(value["words"]))
        assert ("weights" if model == "multi" else "lambda") in root
        key = "begins" if model == "multi" else "right"
        assert all(key in node and "sure" in node for node in layers[0]["nodes"])
    plain = client.post("/api/parse", json={**question, "layers": False}).json()["sentences"]
    assert all("layers" not in value for value in plain)


def test_layers_are_kept_for_the_first_short_sentences(client, parsers):
    sentences = [["a"] * 3, ["b"] * 21, ["c"], ["d"], ["e"], ["f"]]
    values = client.post("/api/parse", json={"sentences": sentences, "layers": True}).json()["sentences"]
    assert ["layers" in value for value in values] == [True, False, True, True, False, False]
    for value in values:
        assert value["tree"] == parsers["en"].parse(value["words"]).brackets()


def test_stream(client):
    question = {"sentences": [["w", str(i)] for i in range(30)], "model": "multi"}
    values = lines(client.post("/api/parse/stream", json=question))
    assert values == client.post("/api/parse", json=question).json()["sentences"]
    assert lines(client.post("/api/parse/stream", json={"text": ""})) == []
    assert "did you mean" in refused(
        client.post("/api/parse/stream", json={"text": "a", "model": "mul"}), 404
    )


def test_deep_trees_are_written(folder, monkeypatch):
    with TestClient(create_app(Models({"en": folder / "en"}))) as client:
        text = client.post("/api/parse", json={"sentences": [["a"] * 900]}).text
    assert text.count('"word":"a"') == 900


# ---- what is refused


@pytest.mark.parametrize(
    ("question", "status", "why"),
    [
        ({}, 422, "Send either text or sentences."),
        ({"text": "a", "sentences": []}, 422, "Send either text or sentences."),
        ({"text": 5}, 422, "text must be a string."),
        ({"text": "a", "layers": "yes"}, 422, "layers must be true or false."),
        ({"sentences": "a"}, 422, "sentences must be a list."),
        ({"sentences": ["a", 5]}, 422, "number 2 is not"),
        ({"sentences": [[["a", "b", "c"]]]}, 422, "number 1 is not"),
        ({"sentences": ["a", "b", [[None, "b"]]]}, 422, "number 3 is not"),
        ({"txt": "a"}, 422, "Unknown key 'txt'; did you mean text?"),
        ({"text": "a", "x" * 500: 1}, 422, "Unknown key 'xxx"),
        ({"text": "a", "model": "mutli"}, 404, "There is no model 'mutli': did you mean multi?"),
        ({"text": "a", "model": "../en"}, 404, "There is no model '../en'"),
        ({"text": "a", "model": "q" * 999}, 404, "available are en, multi."),
        ([], 422, "The request must be a JSON object."),
        (None, 415, "Send a JSON object"),
        ({"sentences": ["a"] * 31}, 413, "more than 30 sentences"),
        ({"sentences": [["a"] * 41]}, 413, "Sentence 1 has 41 words; the limit is 40."),
        ({"text": "a " * 41}, 413, "41 words"),
        ({"sentences": ["a", "a" * 301]}, 413, "Sentence 2 has 301 characters"),
        ({"sentences": [[["a", "b" * 300]]]}, 413, "Sentence 1 has 301 characters"),
    ],
    ids=str,
)
def test_bad_questions(client, question, status, why):
    for address in ("/api/parse", "/api/parse/stream"):
        assert why in refused(client.post(address, json=question), status)


@pytest.mark.parametrize(
    ("body", "kind", "status", "why"),
    [
        (b'{"text": ', "application/json", 400, "not valid JSON: Input data was truncated"),
        (b"", "application/json", 400, "not valid JSON"),
        (b"\xff\xfe\xff", "application/json", 400, "not valid JSON: invalid character"),
        (b"[" * 9000, "application/json", 422, "must be a JSON object"),
        (b'{"sentences":' + b"[" * 9000, "application/json", 422, "number 1 is not"),
        (b'{"text": "\xff"}', "application/json", 400, "not valid JSON"),
        (b'{"text": "a"}', "text/plain", 415, "Content-Type: application/json"),
        (b'{"text": "\\ud800"}', "application/json", 400, "half a surrogate pair"),
        (b'{"sentences": [[["a", "\\ud800"]]]}', "application/json", 400, "half a surrogate pair"),
        (b'{"text": "a", "\\ud800": 1}', "application/json", 400, "half a surrogate pair"),
        (b'{"text": NaN}', "application/json", 400, "not valid JSON"),
    ],
)
def test_bodies_that_are_no_question(client, body, kind, status, why):
    answer = client.post("/api/parse", content=body, headers={"content-type": kind})
    assert why in refused(answer, status)


def test_large_bodies(client):
    large = json.dumps({"text": "a" * SMALL.body}).encode()
    assert "20,000 bytes" in refused(client.post("/api/parse", content=large), 413)

    def pieces():
        yield b'{"text": "'
        for _ in range(30):
            yield b"a" * 1000
        yield b'"}'

    answer = client.post("/api/parse", content=pieces(), headers={"content-type": "application/json"})
    assert "content-length" not in answer.request.headers
    assert "20,000 bytes" in refused(answer, 413)


def test_other_addresses_and_methods(client):
    assert refused(client.get("/api/nothing"), 404) == "There is nothing at this address; see /docs."
    assert refused(client.get("/api/parse"), 405).startswith("This address does not take GET")


def test_too_slow(models, monkeypatch):
    import nccp.web.batching as batching

    monkeypatch.setattr(batching.Batcher, "_parse", lambda self, shares: None)  # never answers
    limits = Limits(seconds=0.2, stream_seconds=0.2)
    with TestClient(create_app(models, limits)) as client:
        answer = client.post("/api/parse", json={"text": "a"})
        assert "more than 0.2 seconds" in refused(answer, 503)
        assert answer.headers["retry-after"]
        (line,) = lines(client.post("/api/parse/stream", json={"text": "a"}))
        assert "more than 0.2 seconds" in line["error"]


def test_an_error_of_ours_is_no_secret_and_no_traceback(models, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(handlers.trees, "parsed_sentence", fail)
    with TestClient(create_app(models)) as client:
        answer = client.post("/api/parse", json={"text": "a"})
        assert refused(answer, 500) == application.BROKEN
        assert "content-security-policy" in answer.headers
        assert lines(client.post("/api/parse/stream", json={"text": "a"})) == [{"error": application.BROKEN}]


# ---- layers and labels


@pytest.mark.parametrize("form", ["left", "multi", "triangle"])
def test_layers_of_any_tree(client, form):
    value = client.post("/api/layers", json={"tree": GOLD, "form": form}).json()
    assert value["words"] == ["the", "cat", "sat"]
    assert [len(layer["nodes"]) for layer in value["layers"]] == [3, 2, 1]
    assert value["triangle"] == (form == "triangle")
    first, second, third = value["layers"][0]["nodes"]
    assert (first["label"], first["how"], third["label"]) == ("#DT", "word", "VP")
    if form == "multi":
        assert [node["begins"] for node in (first, second, third)] == [True, False, True]
    else:
        assert [node["right"] for node in (first, second, third)] == [True, False, False]
    np, vp = value["layers"][1]["nodes"]
    assert (np["label"], np["how"], np["children"]) == ("NP", "combined", [0, 1])
    assert (vp["label"], vp["how"]) == ("VP", "relay")
    assert "right" not in value["layers"][2]["nodes"][0]


def test_empty_cells_of_a_triangle(client):
    tree = "(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d))))"
    value = client.post("/api/layers", json={"tree": tree, "form": "triangle"}).json()
    assert [node["how"] for node in value["layers"][1]["nodes"]] == ["combined", "empty", "combined"]


def test_layers_that_are_refused(client):
    def why(status, **question):
        return refused(client.post("/api/layers", json=question), status)

    assert why(422, tree=GOLD * 2) == "tree has more than one tree."
    assert "limit for layers is 20" in why(413, tree=f"(S {'(T a)' * 21})")
    assert why(422, tree=GOLD, form="up").startswith("form must be one of left, right")


def test_explain(client):
    question = {"labels": ["NP", "_NP", "S+VP", "nothing", "<b>"], "language": "en"}
    meanings = client.post("/api/explain", json=question).json()["meanings"]
    assert meanings.keys() == {"NP", "_NP", "S+VP"}
    assert "noun phrase" in meanings["NP"]
    unknown = client.post("/api/explain", json={"labels": ["NP"], "language": "xx"})
    assert unknown.json() == {"meanings": {}}


# ---- compare


def test_compare_with_a_model(client, parsers):
    answer = client.post("/api/compare", json={"gold": GOLD * 2}).json()
    gold = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    parse = parsers["en"].parse(["the", "cat", "sat"])
    score = score_trees([gold], [parse.tree])
    assert len(answer["sentences"]) == answer["total"]["sentences"] == 2
    for one in answer["sentences"]:
        assert (one["left"]["tree"], one["right"]["tree"]) == (format_tree(gold), parse.brackets())
        assert brackets(one["left"]["nodes"]) == one["left"]["tree"]
        assert "score" not in one["left"]
        assert one["right"]["score"] > 0
        assert one["score"]["f1"] == pytest.approx(score.f1, abs=1e-3)
        assert one["score"]["gold"] == 3
        assert one["score"]["exact"] == (one["only_left"] == one["only_right"] == [])
    assert answer["total"]["f1"] == pytest.approx(score.f1, abs=1e-3)


def test_labels_that_a_model_never_gives_are_taken_out_of_gold_trees(client, models):
    models.get("en").parser.flat = ("NML",)
    gold = "(S (NP (NML (NN a) (NN b)) (NN c)))"
    (one,) = client.post("/api/compare", json={"gold": gold}).json()["sentences"]
    assert one["left"]["tree"] == "(S (NP (NN a) (NN b) (NN c)))"
    assert one["score"]["gold"] == 2
    row, *_ = client.post("/api/open", json={"trees": gold, "model": "en"}).text.splitlines()
    assert "NML" not in row
    (same,) = client.post("/api/compare", json={"gold": gold, "other": gold}).json()["sentences"]
    assert same["score"]["gold"] == 3


def test_compare_two_bracketings(client):
    other = "(S (NP (DT the)) (VP (NN cat) (VBD sat)))"
    (one,) = client.post("/api/compare", json={"gold": GOLD, "other": other}).json()["sentences"]
    assert one["only_left"] == [["NP", 0, 2], ["VP", 2, 3]]
    assert one["only_right"] == [["NP", 0, 1], ["VP", 1, 3]]
    assert (one["score"]["matched"], one["score"]["gold"], one["score"]["predicted"]) == (1, 3, 3)
    assert one["tags_wrong"] == []
    why = refused(client.post("/api/compare", json={"gold": GOLD, "other": other.replace("cat", "dog")}), 422)
    assert why == "Sentence 1: the two trees do not have the same words."
    why = refused(client.post("/api/compare", json={"gold": GOLD, "other": other * 2}), 422)
    assert why == "gold has 1 trees and other has 2."


def test_compare_two_models(client):
    question = {"text": TEXT, "model": "en", "other_model": "multi"}
    answer = client.post("/api/compare", json=question).json()
    assert len(answer["sentences"]) == 2
    for one in answer["sentences"]:
        assert one["left"]["words"] == one["right"]["words"]
        assert "weights" in one["right"]
    same = client.post("/api/compare", json={"sentences": ["a b c", ""], "other_model": "en"}).json()
    assert same["total"] == {"f1": 100, "precision": 100, "recall": 100, "exact": 100, "sentences": 1}


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({}, "Send one of gold, text and sentences."),
        ({"gold": GOLD, "text": "a"}, "Send one of"),
        ({"gold": GOLD, "other_model": "en"}, "not with other_model"),
        ({"text": "a", "other": GOLD}, "other needs gold."),
        ({"text": "a"}, "also send other_model"),
        ({"gold": ""}, "gold has no tree."),
        ({"gold": "(S (NP"}, "gold: line 1: bracket never closed."),
        ({"gold": GOLD, "other": "\n(NP the (NN cat))"}, "other: line 2: the word 'the'"),
        ({"gold": "(S \0)"}, "binary"),
        ({"gold": "(S" * 99 + " (T a)" + ")" * 99}, "more than 60 levels"),
        ({"gold": f"(S {'(T a)' * 41})"}, "41 words; the limit is 40"),
        ({"gold": f"(S (T {'a' * 301}))"}, "301 characters"),
        ({"gold": "(S (-NONE- *))"}, "has no words"),
    ],
    ids=str,
)
def test_what_cannot_be_compared(client, question, why):
    assert why in refused(client.post("/api/compare", json=question), 422)


# ---- open


def test_open_with_a_model(client, parsers):
    trees = f"{GOLD}\n(S (NP\n{GOLD}\n(NP the (NN cat))\n"
    *rows, last = lines(client.post("/api/open", json={"trees": trees, "model": "multi"}))
    assert [row["index"] for row in rows] == [0, 1, 2, 3]
    assert rows[1]["error"] == "line 2: bracket never closed"
    assert rows[3]["error"].startswith("line 4: the word 'the'")
    parse = parsers["multi"].parse(["the", "cat", "sat"])
    assert rows[0].keys() == {
        *("index", "length", "text", "gold", "tree", "f1", "matched", "gold_brackets", "predicted"),
        *("score", "joined"),
    }
    assert (rows[0]["text"], rows[0]["length"], rows[0]["tree"]) == ("the cat sat", 3, parse.brackets())
    assert last["total"].keys() == {"f1", "precision", "recall", "exact", "joined", "sentences"}
    assert last["total"]["sentences"] == 2
    assert last["total"]["f1"] == rows[0]["f1"] == rows[2]["f1"]
    assert last["bins"] == [{"from": 1, "to": 10, "sentences": 2, "f1": rows[0]["f1"]}]


def test_open_without_a_model(client):
    long = f"(S {' '.join(['(NN word)'] * 30)})"
    *rows, last = lines(client.post("/api/open", json={"trees": f"{GOLD} x\n{long}"}))
    assert rows[0] == {
        "index": 0,
        "length": 3,
        "text": "the cat sat",
        "gold": "(S (NP (DT the) (NN cat)) (VP (VBD sat)))",
    }
    assert "text outside brackets" in rows[1]["error"]
    assert rows[2]["text"].endswith("...")
    assert len(rows[2]["text"]) <= 80
    assert last == {
        "total": {"sentences": 2},
        "bins": [{"from": 1, "to": 10, "sentences": 1}, {"from": 21, "to": 30, "sentences": 1}],
    }
    assert lines(client.post("/api/open", json={"trees": ""})) == [{"total": {"sentences": 0}, "bins": []}]


def test_what_cannot_be_opened(client):
    assert refused(client.post("/api/open", json={}), 422) == "trees is missing."
    for text in ("Just some text.", "Text (such) as this", "\ufffd\ufffd(", "(S (NP"):
        why = refused(client.post("/api/open", json={"trees": text}), 422)
        assert why.startswith("This is not a file of bracketed trees; line 1: ")
    assert "more than 30 trees" in refused(client.post("/api/open", json={"trees": "(A (B c))" * 31}), 413)
    assert refused(client.post("/api/open", json={"trees": "(A (B c))", "model": "e"}), 404)


# ---- the page and the document


def test_the_page_and_nothing_else(models, tmp_path, monkeypatch):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<!doctype html>é", encoding="utf-8")
    (tmp_path / "page" / "a.js").write_text("export {}")
    (tmp_path / "secret.js").write_text("no")
    monkeypatch.setattr(application, "PAGE", tmp_path / "page")
    with TestClient(create_app(models)) as client:
        assert client.get("/").text == "<!doctype html>é"
        answer = client.get("/page/a.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        for name in ("../secret.js", "..%2fsecret.js", "%2e%2e/secret.js", "", ".", "b.js"):
            assert client.get(f"/page/{name}", follow_redirects=False).status_code in (404, 307), name
        assert client.get("/secret.js").status_code == 404


def test_headers(client):
    for address in ("/api/health", "/api/nothing", "/api/openapi.json"):
        headers = client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src" not in policy  # so that scripts come from the server's files only
        assert headers["x-content-type-options"] == "nosniff"


def test_hosts(models):
    with TestClient(create_app(models, hosts={"localhost", "::1"})) as client:
        for host in ("localhost", "localhost:8000", "LOCALHOST.", "[::1]:80"):
            assert client.get("/api/health", headers={"host": host}).status_code == 200
        for host in ("evil.example", "evil.example:8000", "", "localhost.evil.example", "[::2]"):
            assert "name" in refused(client.get("/api/health", headers={"host": host}), 421)


def test_origins(client):
    own = {"host": "testserver", "origin": "http://testserver"}
    assert client.post("/api/parse", json={"text": "a"}, headers=own).status_code == 200
    for origin in ("http://evil.example", "null", "http://testserver.evil.example", "http://[", "file://"):
        answer = client.post("/api/parse", json={"text": "a"}, headers={"origin": origin})
        assert "other sites" in refused(answer, 403)


def test_token(models):
    with TestClient(create_app(models, token="sésame")) as client:
        for address in ("/", "/page/main.js", "/docs", "/api/health", "/api/ready", "/healthz", "/readyz"):
            assert client.get(address).status_code in (200, 503), address
        for address in ("/api/models", "/metrics", "/api/openapi.json"):
            assert "access token" in refused(client.get(address), 401)
        for sent in ("sésame", "Bearer", "Bearer wrong", "Basic sésame", "Bearer sésame2"):
            answer = client.get("/api/models", headers={"authorization": sent.encode()})
            assert refused(answer, 401)
            assert answer.headers["www-authenticate"] == "Bearer"
        right = {"authorization": "Bearer sésame".encode()}
        assert client.get("/api/models", headers=right).status_code == 200


def test_as_many_requests_as_the_limits_allow(models):
    with TestClient(create_app(models, Limits(requests=0))) as client:
        assert "0 requests, its limit" in refused(client.post("/api/parse", json={"text": "a"}), 503)
        assert client.get("/api/health").status_code == 200
    with TestClient(create_app(models, Limits(bodies=20))) as client:
        assert "20 bytes of requests, its limit" in refused(
            client.post("/api/parse", json={"text": "a" * 20}), 503
        )
        assert client.post("/api/parse", json={"text": "a"}).status_code == 200


def test_as_many_words_as_the_limits_allow(models):
    """Responses take much more memory than requests, so it is words that are limited."""
    tree = "(S (T a) (T b) (T c))"
    text, file = {"text": "a b c"}, {"trees": tree}
    pair = {"gold": tree, "other": tree}

    def ask(client, address, value, status=200):
        answer = client.post(f"/api/{address}", json=value)
        return refused(answer, status) if status >= 400 else answer

    with TestClient(create_app(models, Limits(request_words=5))) as client:
        for address, value in (("parse", text), ("parse/stream", text), ("open", file)):
            ask(client, address, value)
        more = {"sentences": ["a b c", "d e f"]}
        for address, value in (("parse", more), ("parse/stream", more), ("open", {"trees": tree * 2})):
            assert ask(client, address, value, 413) == "The request has more than 5 words."
        assert ask(client, "compare", pair, 413) == "The request has more than 5 words."  # two trees each
    with TestClient(create_app(models, Limits(held_words=3))) as client:
        for _ in range(3):  # what was answered no longer counts
            ask(client, "parse", text)
            ask(client, "open", file)
        assert ask(client, "compare", pair, 503) == "The server is holding 3 words of requests, its limit."
        ask(client, "parse", text)


def test_ready(models):
    with TestClient(create_app(models)) as client:
        models.get()
        assert client.get("/api/ready").json() == client.get("/readyz").json()
        assert client.get("/healthz").json() == client.get("/api/health").json()
        assert client.get("/api/ready").json()["status"] == "ready"
        client.app.state.service.draining = True
        answer = client.get("/api/ready")
        assert refused(answer, 503) == "The server is shutting down."
        assert answer.headers["connection"] == "close"


def test_metrics(client):
    def figures():
        answer = client.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        lines = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    before = figures()
    client.post("/api/parse", json={"sentences": [["a"], ["b"]]})
    client.post("/api/parse", json={})
    client.get("/nowhere")
    after = figures()

    def grown(name):
        return after[name] - before.get(name, 0)

    assert grown('nccp_requests_total{path="/api/parse",status="200"}') == 1
    assert grown('nccp_requests_total{path="/api/parse",status="422"}') == 1
    assert grown('nccp_requests_total{path="other",status="404"}') == 1
    assert grown('nccp_sentences_total{model="en"}') == 2
    assert grown('nccp_batch_sentences_count{model="en"}') == 1
    assert grown('nccp_request_seconds_count{path="/api/parse"}') == 2
    assert after['nccp_sentences_waiting{model="en"}'] == 0
    assert after["nccp_requests_running"] == 1  # the one that asks
    assert after["nccp_memory_bytes"] > 1e6


@pytest.mark.parametrize("kind", ["forest", "qtree", "svg", "text", "indented"])
def test_draw(client, kind):
    tree = parse_tree("(S (NP (DT the) (NN <cat>)) (-LRB- -LRB-))")
    answer = client.post("/api/draw", json={"tree": format_tree(tree), "format": kind})
    assert answer.headers["content-type"].startswith("text/plain")
    tree[1][0] = "("
    drawn = {"svg": draw_svg, "text": draw_text, "indented": draw_indented}
    assert answer.text == (drawn[kind](tree) if kind in drawn else draw_latex(tree, kind))


def test_what_cannot_be_drawn(client):
    def why(tree, status=422, **more):
        return refused(client.post("/api/draw", json={"tree": tree, **more}), status)

    assert "bracket never closed" in why("(S (NP")
    assert why("(S" * 99 + " (T a)" + ")" * 99, 413) == "The tree has 101 levels; the limit is 60."
    assert why("(S" + " (T a)" * 41 + ")", 413) == "The tree has 41 words; the limit is 40."
    assert why("(S (T " + "a" * SMALL.tree + "))", 413).endswith(f"the limit is {SMALL.tree:,}.")
    assert why("(S a)", format="tex") == "format must be one of forest, qtree, svg, text, indented."


# ---- the documentation


def test_documentation(client):
    answer = client.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    for name in ("/api/parse/stream", "ParseRequest", "Running text. It is split into sentences."):
        assert name in answer.text
    assert "<script" not in answer.text
    assert set(re.findall('(?:src|href)="([^#"]+)', answer.text)) == {
        *("api/openapi.json", "metrics", ".", "page/icon.svg")
    }
    links = set(re.findall('href="#(.*?)"', answer.text))
    assert links <= set(re.findall('id="(.*?)"', answer.text))


def test_openapi(client):
    document = client.get("/api/openapi.json").json()
    assert [path.removeprefix("/api/") for path in document["paths"]] == [
        *("health", "ready", "models", "parse", "parse/stream"),
        *("compare", "open", "layers", "explain", "draw"),
    ]
    schemas = document["components"]["schemas"]
    assert set(schemas["ParseRequest"]["properties"]) == {
        *("text", "sentences", "tokenized", "model", "layers")
    }
    answer = document["paths"]["/api/parse"]["post"]["responses"]
    assert answer["200"]["content"]["application/json"]["schema"]["$ref"].endswith("ParseResponse")
    assert answer["422"]["content"]["application/json"]["schema"]["$ref"].endswith("ErrorResponse")
    assert "lambda" in schemas["LayerNode"]["properties"]
