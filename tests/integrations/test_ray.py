"""Batches of columns, with Ray itself where it is installed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nccp import load
from nccp.integrations.ray import RayParser

TEXTS = ["The cat sat.", "", "It slept on the mat (1/2)."]


def test_columns_are_added(bundle):
    ours = load(bundle)
    batch = {"text": np.array(TEXTS, object), "id": np.arange(3)}
    made = RayParser(bundle)(batch)
    assert list(made) == ["text", "id", "tree", "score", "joined"]
    parses = [ours.parse(text) for text in TEXTS]
    assert list(made["tree"]) == [parse.brackets() for parse in parses]
    assert made["score"][0] == parses[0].score
    assert math.isnan(made["score"][1])
    assert list(made["joined"]) == [parse.joined for parse in parses]
    assert made["id"] is batch["id"]


def test_words_are_taken_as_they_are(bundle):
    words = np.empty(1, object)
    words[0] = np.array(["don't", "split", "."])
    (tree,) = RayParser(bundle, column="words")({"words": words})["tree"]
    assert tree == load(bundle).parse(["don't", "split", "."]).brackets()


def test_in_a_data_set(bundle):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        rows = [{"text": text} for text in TEXTS] * 20
        made = ray.data.from_items(rows).map_batches(
            RayParser, fn_constructor_args=(bundle,), batch_size=7, concurrency=1
        )
        ours = load(bundle)
        expected = {text: ours.parse(text).brackets() for text in TEXTS}
        found = made.take_all()
        assert len(found) == len(rows)
        assert all(row["tree"] == expected[row["text"]] for row in found)
    finally:
        ray.shutdown()
