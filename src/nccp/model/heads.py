"""FFNN_tag and FFNN_label (paper, section 3.2): two layers each, the first one shared."""

from __future__ import annotations

from torch import Tensor, nn

from nccp.inputs.torch_dropout import Dropout


class Heads(nn.Module):
    """Tag and label logits of word and constituent vectors."""

    def __init__(self, size: int, hidden: int, tags: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)
        self.shared = nn.Linear(size, hidden)
        self.tag = nn.Linear(hidden, tags)
        self.label = nn.Linear(hidden, labels)

    def tags(self, x: Tensor) -> Tensor:
        """Alg. 1, line 4: (N, d) to (N, tags)."""
        return self.tag(self._hidden(x))  # type: ignore[no-any-return]

    def labels(self, x: Tensor) -> Tensor:
        """Alg. 1, line 8: (N, d) to (N, labels)."""
        return self.label(self._hidden(x))  # type: ignore[no-any-return]

    def _hidden(self, x: Tensor) -> Tensor:
        return self.dropout(self.shared(self.dropout(x)).relu())  # type: ignore[no-any-return]
