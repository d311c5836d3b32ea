import torch

from nccp.inputs.torch_dropout import Dropout


def test_the_chance_and_the_mean_are_right():
    torch.manual_seed(0)
    dropped = Dropout(0.25).train()(torch.ones(400, 500))
    assert abs((dropped == 0).float().mean().item() - 0.25) < 0.005
    assert abs(dropped.mean().item() - 1) < 0.01


def test_torchs_seed_repeats_it_and_evaluation_is_plain():
    layer = Dropout(0.4).train()
    torch.manual_seed(3)
    first = layer(torch.ones(50))
    assert not torch.equal(first, layer(torch.ones(50)))
    torch.manual_seed(3)
    assert torch.equal(first, layer(torch.ones(50)))
    assert torch.equal(layer.eval()(torch.ones(50)), torch.ones(50))


def test_gradients_pass_where_values_do():
    torch.manual_seed(0)
    x = torch.ones(100, requires_grad=True)
    y = Dropout(0.5).train()(x)
    y.sum().backward()
    assert torch.equal(x.grad, y.detach())
