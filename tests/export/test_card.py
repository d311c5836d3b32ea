from nccp.config import Config, DataConfig, TreebankConfig
from nccp.export.card import model_card
from nccp.inputs.words.config import WordsConfig
from nccp.runtime import find_model
from nccp.runtime.manifest import read_manifest


def test_a_treebank_that_was_only_for_development_is_not_trained_on():
    treebanks = (TreebankConfig(path="free/craft"), TreebankConfig(path="bought/wsj", train=""))
    manifest = read_manifest(find_model("en-fast"))
    config = Config(input=WordsConfig(words=8), data=DataConfig(treebanks=treebanks))
    card = model_card(manifest, config, 20_700_000)
    assert "| trained on | craft |" in card
    assert "| size | 20.7 MB |" in card
