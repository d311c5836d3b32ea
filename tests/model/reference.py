"""The paper's algorithms with Python loops, node by node: slow, obvious, and right.

Nothing here is batched or padded; layers come from `stratify`, not from a plan. Lines are those of the paper.
"""

from __future__ import annotations

from itertools import pairwise

import torch
import torch.nn.functional as F

from nccp.config import Compose
from nccp.trees import stratify, triangulate
from nccp.trees.layers import NIL


def bilstm(module, rows):
    """Forward and backward states of one sequence, a list of vectors each."""
    h = torch.stack(rows)
    for forward, backward in zip(module.forwards, module.backwards):
        ahead = forward(h[:, None])[0][:, 0]
        back = backward(h.flip(0)[:, None])[0][:, 0].flip(0)
        h = torch.cat((ahead, back), 1)
    return list(ahead), list(back)


def parse(network, e, tree):
    """Alg. 1 with teacher forcing: the sums (and counts) of the three losses of one sentence."""
    config = network.config
    if config.context_layers:
        x = [torch.cat(pair) for pair in zip(*bilstm(network.bilstm_cxt, list(e)))]  # line 2
    else:
        x = [network.ffnn_cxt(word).relu() for word in e]
    tag = sum(
        F.cross_entropy(network.heads.tags(x_i[None])[0], t)
        for x_i, t in zip(x, torch.tensor(tree.tags).long())
    )
    sums, counts = [tag, 0.0, 0.0], [len(x), 0, 0]
    if config.format == "triangular":
        triangle = triangulate(tree)
        labels, joints = triangle.labels, triangle.orientations
    else:
        layers = stratify(tree, binary=config.kind == "binary")
        labels, joints = layers.labels, layers.joints
    for j, row in enumerate(labels):  # line 6
        for x_i, label in zip(x, row):
            if label != NIL:
                sums[1] = sums[1] + F.cross_entropy(
                    network.heads.labels(x_i[None])[0], torch.tensor(int(label))
                )  # 9
                counts[1] += 1
        if len(x) == 1:
            break
        if config.kind == "binary":
            x, loss, count = compose_binary(network, x, joints[j].tolist())
        else:
            x, loss, count = compose_multi(network, x, joints[j].tolist())
        sums[2], counts[2] = sums[2] + loss, counts[2] + count
    return sums, counts


def joint_loss(network, score, target):
    if network.config.loss == "hinge":
        return torch.clamp(1 - (1 if target else -1) * score, min=0)
    return F.binary_cross_entropy_with_logits(score, torch.tensor(float(target), dtype=score.dtype))


def compose_binary(network, x, o):
    """Alg. 2."""
    part = network.combinator
    if part.bilstm_ori is None:
        h = [part.ffnn_hidden(x_i).relu() for x_i in x]
    else:
        h = [torch.cat(pair) for pair in zip(*bilstm(part.bilstm_ori, x))]  # line 2
    loss, count, above = 0.0, 0, []
    for i in range(len(x)):
        if o[i] != NIL:
            loss = loss + joint_loss(network, part.ffnn_ori(h[i])[0], o[i])  # line 5
            count += 1
        if i > 0:
            rightward, leftward = o[i - 1] == 1, o[i] == 0
            if rightward and leftward:
                above.append(binary(part.binary, x[i - 1], x[i]))  # line 13
            elif rightward or leftward:
                above.append(x[i - 1] if rightward else x[i])  # line 11
            elif network.config.format == "triangular":
                above.append(torch.zeros_like(x[i]))  # <0>
    return above, loss, count


def binary(part, x_L, x_R):
    """Alg. 4."""
    if part.variant is Compose.ADD:
        return x_L + x_R
    if part.variant in (Compose.NS, Compose.NV):
        lam = torch.sigmoid(part.bias)
    elif part.variant in (Compose.CS, Compose.CV):
        lam = torch.sigmoid(part.ffnn_binary(torch.cat((x_L, x_R))))
    else:
        lam = torch.sigmoid(part.ffnn_binary(x_L[None], x_R[None])[0])
    return lam * x_L + (1 - lam) * x_R


def compose_multi(network, x, c):
    """Alg. 3."""
    part = network.combinator
    ahead, back = bilstm(part.bilstm_chk, x)  # line 2
    none = torch.zeros_like(ahead[0])
    ahead, back = [*ahead, none], [*back, none]  # line 3: index -1 and index n are the padding
    n = len(x)
    loss, segments, d = 0.0, [], []
    for i in range(n + 1):
        loss = loss + joint_loss(network, part.ffnn_chk(torch.cat((ahead[i - 1], back[i])))[0], c[i])  # 5, 6
        if c[i]:
            segments.append(i)  # line 7
        if i < n:
            d.append(torch.cat((ahead[i] - ahead[i - 1], back[i] - back[i + 1])))  # line 9
    above = []
    for start, end in pairwise(segments):
        lam = torch.softmax(torch.stack([part.ffnn_multi(d_i) for d_i in d[start:end]]), 0)  # line 15
        above.append(sum(lam_i * x_i for lam_i, x_i in zip(lam, x[start:end])))  # line 16
    return above, loss, n + 1
