import copy
import os
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from nccp.errors import ConfigError
from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.encoder.torch_module import EncoderModule
from tests.inputs.encoder.tiny_encoders import KINDS, build

SENTENCES = [
    ["the", "unbelievable", "cat"],
    ["sat"],
    ["a", "dog", "on", "the", "catalogue", "mat"],
    [],
    ["the", "the", "cat", "sat"],
]
LONG = ["the", "dog", "sat", "on", "unbelievable", "cat", "1"] * 12
ODD = [
    "\u200b",
    "",
    "\x00",
    "\x07",
    "😀",
    "\ufeff",
    "[SEP]",
    "<s>",
    "<sep>",
    "[PAD]",
    "<pad>",
    " ",
    "猫",
    "x" * 3000,
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {kind: build(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture(params=KINDS)
def folder(request, folders):
    return folders[request.param]


def encoder_input(folder: str, **options: object) -> EncoderModule:
    return EncoderModule(EncoderConfig(encoder=folder, **{"dropout": 0.0, **options}))


def run(module: EncoderModule, sentences) -> torch.Tensor:
    with torch.no_grad():
        return module(module.features(sentences))


def close(a: torch.Tensor, b: torch.Tensor, within: float = 1e-5) -> bool:
    return a.shape == b.shape and torch.allclose(a, b, rtol=0, atol=within)


def slowly(folder: str, words: list[str], subword: str) -> list[torch.Tensor]:
    """The words' vectors in every layer: the whole text cut at once, pieces found by their letters."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    text = " " + " ".join(words)
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    cut = tokenizer.backend_tokenizer.encode(text)
    owners = [i for i, word in enumerate(words) for _ in " " + word]  # of each letter of the text
    inputs = {"input_ids": torch.tensor([cut.ids])}
    if any(cut.type_ids):
        inputs["token_type_ids"] = torch.tensor([cut.type_ids])
    with torch.no_grad():
        layers = model(**inputs, output_hidden_states=True).hidden_states
    picked = []
    for layer in layers:
        rows = []
        for i in range(len(words)):
            own = [
                layer[0, k]
                for k, (_, end) in enumerate(cut.offsets)
                if end and owners[end - 1] == i and cut.tokens[k] not in ("▁", "Ġ")
            ]
            rows.append({"first": own[0], "last": own[-1], "mean": sum(own) / len(own)}[subword])
        picked.append(torch.stack(rows))
    return picked


@pytest.mark.parametrize("subword", ["first", "last", "mean"])
def test_words_get_the_vectors_of_their_pieces(folder, subword):
    module = encoder_input(folder, subword=subword).eval()
    expected = torch.cat([slowly(folder, words, subword)[-1] for words in SENTENCES if words])
    assert module.size == 16
    assert close(run(module, SENTENCES), expected)


def test_neighbours_in_a_batch_do_not_matter(folder):
    module = encoder_input(folder).eval()
    together = run(module, [*SENTENCES, LONG, ODD])
    alone = torch.cat([run(module, [words]) for words in [*SENTENCES, LONG, ODD]])
    assert close(together, alone)


def test_padding_together_does_not_matter(folder):
    """As above, but with all lengths in one padded group, also where the encoder could pack them."""
    module = encoder_input(folder).eval()
    expected = run(module, SENTENCES)
    module.packs = False
    pieces = module.subwords.batch(SENTENCES, waste=100)
    assert len(pieces.groups) == 1
    arrays = {"ids": pieces.ids, "mask": pieces.mask, "groups": pieces.groups, "places": pieces.starts}
    if pieces.types is not None:
        arrays["types"] = pieces.types
    with torch.no_grad():
        padded = module({name: torch.from_numpy(array) for name, array in arrays.items()})
    assert close(padded, expected)


def test_odd_words_have_a_vector_each(folder):
    module = encoder_input(folder).eval()
    e = run(module, [[word] for word in ODD])
    assert e.shape == (len(ODD), 16)
    assert e.isfinite().all()
    assert e.abs().sum(1).min() > 0


@pytest.mark.parametrize("kind", ["bert", "roberta", "mpnet"])
def test_a_sentence_past_the_limit_is_read_in_windows(folders, kind):
    module = encoder_input(folders[kind]).eval()
    assert module.subwords.spec.limit == 30
    e = run(module, [["cat"], LONG, ["dog"]])
    assert e.shape == (len(LONG) + 2, 16)
    # the first and the last words are read as if their windows were sentences
    sizes = np.array([len(module.subwords.pieces(word)) for word in LONG])
    head = int(np.searchsorted(np.cumsum(sizes), 28, "right"))
    tail = int(np.searchsorted(np.cumsum(sizes[::-1]), 28, "right"))
    assert close(e[1:4], run(module, [LONG[:head]])[:3])
    assert close(e[-4:-1], run(module, [LONG[-tail:]])[-3:])


def test_xlnet_reads_on(folders):
    module = encoder_input(folders["xlnet"]).eval()
    assert module.subwords.spec.limit == 512
    assert len(module.features([LONG])["groups"]) == 1
    assert run(module, [LONG * 10]).shape == (len(LONG) * 10, 16)


def test_no_sentences(folder):
    for options in ({}, {"mix_layers": True}, {"subword": "mean"}):
        module = encoder_input(folder, **options)
        assert run(module, []).shape == run(module, [[]]).shape == (0, 16)


def test_penn_words_are_read_as_plain_ones(folder):
    module = encoder_input(folder).eval()
    penn = ["-LRB-", "1\\/2", "-RRB-", "``", "the", "''"]
    assert close(run(module, [penn]), run(module, [["(", "1/2", ")", '"', "the", '"']]), 0)


def test_fewer_layers(folder):
    e = run(encoder_input(folder, encoder_layers=2).eval(), SENTENCES[:1])
    assert close(e, slowly(folder, SENTENCES[0], "first")[2])
    assert sum(1 for name in encoder_input(folder, encoder_layers=1).state_dict() if ".layer.1." in name) == 0


@pytest.mark.parametrize("layers", [4, -1])
def test_layers_it_has_not(folders, layers):
    with pytest.raises(ConfigError, match=r"input\.encoder_layers is -?\d, but .* has 3 layers"):
        encoder_input(folders["bert"], encoder_layers=layers)


def test_a_mix_of_layers(folder):
    module = encoder_input(folder, mix_layers=True, subword="mean").eval()
    layers = torch.stack(slowly(folder, SENTENCES[0], "mean"))
    assert close(run(module, SENTENCES[:1]), layers.mean(0))
    with torch.no_grad():
        module.mix[2] = 50.0
    assert close(run(module, SENTENCES[:1]), layers[2])


def test_frozen_it_neither_learns_nor_drops(folder):
    module = encoder_input(folder).train()
    assert not module.encoder.training
    assert close(run(module, SENTENCES), run(module.eval(), SENTENCES), 0)
    module.train()
    e = module(module.features(SENTENCES))
    assert not e.requires_grad
    assert not any(parameter.requires_grad for parameter in module.parameters())
    with pytest.raises(ConfigError, match=r"input\.tune"):
        module.set_tuning(True)


def test_frozen_the_mix_still_learns(folder):
    module = encoder_input(folder, mix_layers=True).train()
    module(module.features(SENTENCES)).square().sum().backward()
    learned = [name for name, parameter in module.named_parameters() if parameter.grad is not None]
    assert learned == ["mix"]
    assert module.mix.grad is not None
    assert module.mix.grad.abs().max() > 0


@pytest.mark.parametrize("subword", ["first", "mean"])
def test_tuned_every_weight_learns(folder, subword):
    """All that asks for a gradient gets one: distributed training waits for each of them."""
    module = encoder_input(folder, tune=True, subword=subword).train()
    assert module.encoder.training
    module(module.features(SENTENCES)).pow(3).sum().backward()
    assert all(p.grad is not None for p in module.parameters() if p.requires_grad)
    assert sum(p.grad.abs().sum() for p in module.encoder.parameters() if p.grad is not None) > 0


def test_tuning_from_a_later_epoch(folder):
    module = encoder_input(folder, tune=True, tune_from=5).train()
    assert not module(module.features(SENTENCES)).requires_grad
    assert not module.encoder.training
    module.set_tuning(True)
    assert module.encoder.training
    assert module(module.features(SENTENCES)).requires_grad
    assert not module.eval().encoder.training
    module.train().set_tuning(False)
    assert not module.encoder.training
    assert not module(module.features(SENTENCES)).requires_grad


def test_dropout_on_the_words_vector(folders):
    module = encoder_input(folders["bert"], dropout=0.5).train()
    e = run(module, SENTENCES)
    assert 0.2 < (e == 0).float().mean() < 0.8
    assert (run(module.eval(), SENTENCES) != 0).all()


@pytest.mark.parametrize("options", [{}, {"mix_layers": True}, {"subword": "mean", "encoder_layers": 2}])
def test_the_cache_gives_the_same_vectors(folder, tmp_path, options, monkeypatch):
    plain = run(encoder_input(folder, **options).eval(), [*SENTENCES, LONG])
    cached = {"cache": str(tmp_path / "cache"), **options}
    module = encoder_input(folder, **cached).eval()
    first = run(module, [*SENTENCES, LONG])
    assert close(first, plain, 5e-3)
    again = encoder_input(folder, **cached).eval()
    monkeypatch.setattr(again, "_encode", lambda features: pytest.fail("computed again"))
    for reader in (module, again):
        assert torch.equal(
            run(reader, [LONG, *SENTENCES]), torch.cat((first[-len(LONG) :], first[: -len(LONG)]))
        )
        assert run(reader, [[], []]).shape == run(reader, []).shape == (0, 16)


def test_the_cache_after_a_kill(folders, tmp_path):
    module = encoder_input(folders["bert"], cache=str(tmp_path)).eval()
    first = run(module, SENTENCES)
    [path] = tmp_path.rglob("*.features")
    path.write_bytes(path.read_bytes()[:-5])
    again = encoder_input(folders["bert"], cache=str(tmp_path)).eval()
    assert again.cache is not None
    assert len(again.cache) == len(SENTENCES) - 1
    assert close(run(again, SENTENCES), first, 5e-3)
    assert len(again.cache) == len(SENTENCES)


def test_other_weights_and_options_have_another_cache(folders, tmp_path):
    seen = set()
    variants = [
        ("bert", {}),
        ("bert", {"subword": "last"}),
        ("bert", {"mix_layers": True}),
        ("bert", {"encoder_layers": 1}),
        ("electra", {}),
    ]
    for kind, options in variants:
        cache = encoder_input(folders[kind], cache=str(tmp_path), **options).cache
        assert cache is not None
        seen.add(cache.folder)
    assert len(seen) == 5
    settings = Path(folders["bert"], "config.json")
    before = settings.read_text()
    settings.write_text(before.replace('"num_attention_heads": 2', '"num_attention_heads": 4'))
    try:
        cache = encoder_input(folders["bert"], cache=str(tmp_path)).cache
    finally:
        settings.write_text(before)
    assert cache is not None
    assert cache.folder not in seen
    moved = tmp_path / "moved"
    Path(folders["bert"]).rename(moved)
    try:
        cache = encoder_input(str(moved), cache=str(tmp_path)).cache
    finally:
        moved.rename(folders["bert"])
    assert cache is not None
    assert cache.folder in seen


def test_values_too_large_for_the_cache_are_clipped(folders, tmp_path):
    module = encoder_input(folders["bert"], cache=str(tmp_path)).eval()
    with torch.no_grad():
        module.encoder.get_parameter("encoder.layer.2.output.LayerNorm.weight").fill_(1e6)
    assert run(module, SENTENCES).isfinite().all()


def test_a_cache_needs_a_frozen_encoder(folders, tmp_path):
    with pytest.raises(ValueError, match=r"input\.tune = false"):
        encoder_input(folders["bert"], cache=str(tmp_path), tune=True)


def test_copies(folders, tmp_path):
    module = encoder_input(folders["roberta"], cache=str(tmp_path)).eval()
    assert torch.equal(run(copy.deepcopy(module), SENTENCES), run(module, SENTENCES))


@pytest.mark.parametrize("name", ["minilm", "distilbert"])
def test_a_pretrained_encoder(name):
    """A real one: neighbours do not matter, and words of like sense in like places are alike."""
    root = os.environ.get("NCCP_ENCODERS")
    if not root or not Path(root, name).is_dir():
        pytest.skip(f"NCCP_ENCODERS names no folder with {name}/")
    module = encoder_input(str(Path(root, name))).eval()
    sentences = [s.split() for s in ("The dog barked .", "The puppy barked .", "Shares fell 1\\/2 point .")]
    sentences.append(["word"] * 700)
    e = run(module, sentences)
    assert close(e, torch.cat([run(module, [words]) for words in sentences]))
    dog, puppy, shares = e[1], e[5], e[8]
    assert torch.cosine_similarity(dog, puppy, 0) > torch.cosine_similarity(dog, shares, 0) + 0.05


def test_tunes_all_but_the_table_of_pieces(folder):
    module = encoder_input(folder, tune=True, tune_embeddings=False)
    module(module.features(SENTENCES)).sum().backward()
    table = module.encoder.get_input_embeddings().weight
    assert table.grad is None
    learning = [p for p in module.encoder.parameters() if p is not table]
    assert any(p.grad is not None and p.grad.abs().sum() > 0 for p in learning)


def test_drops_by_our_own_dropout(folder):
    module = encoder_input(folder, tune=True).train()
    assert not any(isinstance(part, torch.nn.Dropout) for part in module.modules())
    features = module.features(SENTENCES)
    assert not torch.equal(module(features), module(features))


def test_an_encoder_can_be_written_and_used_by_another_run(folders, tmp_path):
    module = encoder_input(folders["bert"], tune=True).eval()
    with torch.no_grad():
        next(module.encoder.parameters()).mul_(2)
    module.save_encoder(tmp_path / "out")
    again = encoder_input(str(tmp_path / "out")).eval()
    torch.testing.assert_close(run(again, SENTENCES), run(module, SENTENCES))


def test_bfloat16_is_for_tuning_only(folder):
    exact = encoder_input(folder, tune=True).eval()
    short = encoder_input(folder, tune=True, precision="bfloat16").eval()
    assert torch.equal(run(short, SENTENCES), run(exact, SENTENCES))
    tuned, reference = (module(module.features(SENTENCES)) for module in (short, exact))
    assert tuned.dtype == torch.float32
    assert not torch.equal(tuned, reference)
    assert torch.cosine_similarity(tuned.flatten(), reference.flatten(), 0) > 0.99
    tuned.sum().backward()
    assert all(p.grad is None or p.grad.dtype == torch.float32 for p in short.encoder.parameters())
