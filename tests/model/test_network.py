"""The batched networks against the slow reference: losses and every gradient."""

from __future__ import annotations

import pytest
import torch

from nccp.config import Compose, ModelConfig
from nccp.model.network import Network
from nccp.model.plan import make_plan
from nccp.trees import Symbols, binarize, parse_tree, to_gaps
from tests.model import reference

TREES = [
    "(S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))",
    "(NP (NN dog))",
    "(S (NP (PRP it)) (VP (VBZ is) (ADVP (RB so))))",
    "(X (A a) (B b) (C c) (D d) (E e) (F f))",
    "(S (S (S (A a) (B b)) (C c)) (VP (D d)))",
    "(A (B b) (C c))",
]
VARIANTS = [
    {},
    {"orientation": "ffnn"},
    {"loss": "bce"},
    {"format": "triangular"},
    {"context_layers": 0},
    *({"compose": variant} for variant in Compose),
    {"kind": "multi"},
    {"kind": "multi", "loss": "bce"},
]


def batch(config: ModelConfig):
    symbols = Symbols()
    trees = [to_gaps(parse_tree(text), symbols) for text in TREES]
    if config.kind == "binary":
        trees = [binarize(tree, "left" if i % 2 else "right") for i, tree in enumerate(trees)]
    return trees, symbols


def build(variant, seed=0):
    sizes = {"size": 12, "context_layers": 2, "label_hidden": 7, "orientation_hidden": 5, "chunk_hidden": 4}
    config = ModelConfig(**{**sizes, **variant})
    trees, symbols = batch(config)
    torch.manual_seed(seed)
    network = Network(config, 9, len(symbols.tags), len(symbols.labels)).double().eval()
    e = [torch.randn(len(tree), 9, dtype=torch.float64) for tree in trees]
    return config, trees, network, e


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_losses_and_gradients_equal_the_reference(variant):
    config, trees, network, e = build(variant)
    plan = make_plan(trees, binary=config.kind == "binary", triangular=config.format == "triangular")
    losses = network(torch.cat(e), plan)
    losses.sums.sum().backward()
    fast = {name: p.grad for name, p in network.named_parameters()}
    network.zero_grad(set_to_none=True)

    parts = [reference.parse(network, words, tree) for words, tree in zip(e, trees)]
    sums = [sum(part[0][i] for part in parts) for i in range(3)]
    counts = [sum(part[1][i] for part in parts) for i in range(3)]
    sum(sums).backward()
    assert losses.counts.tolist() == counts
    torch.testing.assert_close(losses.sums, torch.stack(sums).detach(), rtol=1e-6, atol=1e-6)
    for name, parameter in network.named_parameters():
        if parameter.grad is None:
            assert fast[name] is None or not fast[name].any(), name
        else:
            torch.testing.assert_close(fast[name], parameter.grad, rtol=1e-5, atol=1e-7, msg=name)


@pytest.mark.parametrize("variant", [{}, {"kind": "multi"}], ids=str)
def test_a_sentence_weighs_the_same_alone_and_in_company(variant):
    config, trees, network, e = build(variant)
    binary = config.kind == "binary"
    together = network(torch.cat(e), make_plan(trees, binary=binary)).sums
    alone = sum(network(words, make_plan([tree], binary=binary)).sums for words, tree in zip(e, trees))
    torch.testing.assert_close(together, alone)


def lstm(inputs: int, hidden: int) -> int:
    return 2 * (4 * hidden * (inputs + hidden) + 2 * 4 * hidden)


@pytest.mark.parametrize(
    ("kind", "combinator"),
    [
        ("binary", lstm(300, 32) + (64 + 1) + (600 * 300 + 300)),
        ("multi", lstm(300, 100) + (200 + 1) + (200 * 300 + 300)),
    ],
)
def test_parameter_counts_are_the_papers(kind, combinator):
    network = Network(ModelConfig(kind=kind), 300, 46, 110)
    heads = (300 * 200 + 200) + (200 * 46 + 46) + (200 * 110 + 110)
    expected = 6 * lstm(300, 150) + heads + combinator
    assert sum(p.numel() for p in network.parameters()) == expected
    assert round(expected / 1e6, 1) == {"binary": 3.6, "multi": 3.7}[kind]


def test_leaning_boundaries_lose_as_others_do_that_score_so_much_more():
    _, trees, network, e = build({"kind": "multi"})
    _, _, leaning, _ = build({"kind": "multi", "chunk_lean": 0.25})
    with torch.no_grad():
        network.combinator.ffnn_chk.bias += 0.25
    plan = make_plan(trees, binary=False)
    torch.testing.assert_close(leaning(torch.cat(e), plan).sums, network(torch.cat(e), plan).sums)
