from __future__ import annotations

import json
from pathlib import Path

import pytest

from nccp.errors import InputError
from nccp.languages import explain
from nccp.runtime import list_models

PACKAGES = Path(__file__).parents[2] / "models"  # of the repository, installed or not
MODELS = {model.path for model in list_models()} | {file.parent for file in PACKAGES.rglob("bundle.json")}


@pytest.mark.parametrize("path", sorted(MODELS), ids=lambda path: path.name)
def test_every_label_and_tag_of_every_model_is_explained(path):
    manifest = json.loads((path / "bundle.json").read_text(encoding="utf-8"))
    names = [*manifest["labels"], *manifest["tags"]]
    assert [name for name in names if not explain(name, manifest["language"])] == []


def test_composite_labels():
    assert explain("VP") == "verb phrase"
    assert explain("S+VP") == "S: declarative clause; over VP: verb phrase"
    assert explain("_NP") == "part of a constituent: noun phrase"
    assert explain("#NN") == "a word without a constituent of its own, tagged as: noun, singular or mass"
    assert explain("_") == "part of a constituent"
    assert explain("#") == "pound sign"
    assert explain("##") == "a word without a constituent of its own, tagged as: pound sign"
    assert explain("NP+XYZ") is explain("_XYZ") is explain("#XYZ") is explain("XYZ") is explain("") is None


def test_languages():
    assert explain("P") == "Japanese: particle; Chinese: preposition; Icelandic: preposition"
    assert explain("P", "zh-TW") == "preposition"
    assert explain("VB0") == "light verb: する"
    assert explain("VB0", "en") is None
    assert explain("PRN", "id") == "parenthetical; as a tag, pronoun"
    assert explain("#PRN", "id") == "a word without a constituent of its own, tagged as: pronoun"
    assert explain("CC", "zh") == "coordinating conjunction"
    with pytest.raises(InputError, match="tlh"):
        explain("NP", "tlh")
