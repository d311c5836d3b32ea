"""The compose function of Alg. 4 against its formula, pair by pair."""

import pytest
import torch
from torch import nn

from nccp.config import Compose
from nccp.model.binary import BinaryCompose


@pytest.mark.parametrize("variant", list(Compose))
def test_every_variant_is_its_formula(variant: Compose) -> None:
    torch.manual_seed(0)
    size, pairs = 5, 7
    compose = BinaryCompose(size, variant)
    for parameter in compose.parameters():
        nn.init.normal_(parameter)
    x_L, x_R = torch.randn(pairs, size), torch.randn(pairs, size)
    x, lam = compose(x_L, x_R)
    if variant is Compose.ADD:
        assert lam is None
        torch.testing.assert_close(x, x_L + x_R)
        return
    assert lam is not None
    for i in range(pairs):
        if variant in (Compose.NS, Compose.NV):
            expected: torch.Tensor = compose.bias
        elif variant in (Compose.CS, Compose.CV):
            expected = compose.ffnn_binary(torch.cat((x_L[i], x_R[i])))
        else:
            layer = compose.ffnn_binary
            expected = torch.stack([x_L[i] @ matrix @ x_R[i] for matrix in layer.weight]) + layer.bias
        torch.testing.assert_close(lam[i], expected.sigmoid())
        torch.testing.assert_close(x[i], lam[i] * x_L[i] + (1 - lam[i]) * x_R[i])
