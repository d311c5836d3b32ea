from __future__ import annotations

import pytest

from nccp.errors import InputError
from nccp.languages import explain
from nccp.runtime import Bundle, list_models

MODELS = list_models()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_label_and_tag_of_every_model_is_explained(model):
    manifest = Bundle.load(model.path).manifest
    unknown = [name for name in (*manifest.labels, *manifest.tags) if not explain(name, manifest.language)]
    assert unknown == []


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
    assert explain("P") == "Japanese: particle; Chinese: preposition"
    assert explain("P", "zh-TW") == "preposition"
    assert explain("VB0") == "light verb: する"
    assert explain("VB0", "en") is None
    assert explain("CC", "zh") == "coordinating conjunction"
    with pytest.raises(InputError, match="tlh"):
        explain("NP", "tlh")
