import numpy as np
import torch

from nccp.model.bilstm import BiLSTM, Sequences


def test_equals_torchs_packed_lstm():
    torch.manual_seed(0)
    lengths = np.array([3, 1, 9, 4, 4, 2, 30])
    ours = BiLSTM(5, 4, 2).eval()
    theirs = torch.nn.LSTM(5, 4, 2, bidirectional=True)
    for i in range(2):
        for suffix, part in (("", ours.forwards[i]), ("_reverse", ours.backwards[i])):
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                getattr(theirs, f"{name}_l{i}{suffix}").data = getattr(part, f"{name}_l0").data
    x = torch.randn(int(lengths.sum()), 5)
    packed = torch.nn.utils.rnn.pack_sequence(x.split(lengths.tolist()), enforce_sorted=False)
    expected = torch.cat(torch.nn.utils.rnn.unpack_sequence(theirs(packed)[0]))
    got = torch.cat(ours(x, Sequences(lengths)), 1)
    torch.testing.assert_close(got, expected)


def test_little_is_padded():
    lengths = np.random.default_rng(0).integers(1, 60, 500)
    sequences = Sequences(lengths)
    padded = sum(len(group.padded) for group in sequences.groups)
    assert padded < 1.4 * lengths.sum()
    assert sequences.total == lengths.sum()


def test_shared_dropout_drops_a_dimension_at_all_steps_of_a_sequence():
    torch.manual_seed(0)
    lstm = BiLSTM(3, 2, 2, dropout=0.5).train()
    dropped = lstm.dropout(torch.ones(7, 5, 4))
    assert (dropped == dropped[:1]).all()
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
