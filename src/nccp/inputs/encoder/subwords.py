"""Splits words into the pieces that a pretrained encoder reads, and maps its outputs back to words.

::

    words      The      unbelievable      cat           one vector per word is wanted
    pieces    [CLS] the un ##bel ##ievable cat [SEP]    an encoder gives one vector per piece

Each word is split by itself, as in the middle of a text, so pieces never span words, and a word that was seen
before costs one look-up. Sentences longer than the encoder can read are split into overlapping windows.
Nothing here needs torch: training and parsing split words in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from nccp.inputs.spelling import plain_word

WINDOW = 112
"""Pieces of the longest window, even if the encoder reads more: attention costs the square of it."""
PART = 72
"""Pieces of a window of a sentence that is longer than that. Neighbours overlap by a tenth, but attention
costs less: a word of a sentence of 1,000 words costs about as much as one of 120 words, and the F1 of
sentences of more than 60 words does not suffer (``docs/explanation/performance.md``)."""
OVERLAP = 0.1
"""The part of a window that it shares with the next one. More is not better: with a fifth, the F1 of these
sentences is the same."""

Ints = NDArray[np.int64]
_MANY = 2_000_000  # ids remembered before all is forgotten: about 100 MB, or 500,000 words of one piece
_ENTRY = 3  # ids that take as much memory as a word without its pieces
_LONG = 100  # characters of a word that is not remembered
_ROUNDING = 4  # pieces: windows end between words


class SubwordSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What an encoder expects around and between the pieces; stored in a bundle."""

    before: tuple[int, ...]
    """Pieces at the start of every sequence: ``[CLS]``."""
    after: tuple[int, ...]
    """Pieces at its end: ``[SEP]``; XLNet has ``<sep> <cls>`` there."""
    after_types: tuple[int, ...] = ()
    """The segments of ``after`` if they are not all 0 (XLNet: 0, 2); all other pieces have segment 0."""
    pad: int
    unknown: int
    """The piece of a word that has none, such as a zero-width space or a control character."""
    space: str
    """What precedes a word so that it is split as in mid-text: a space for RoBERTa's kind, else nothing."""
    blanks: tuple[int, ...] = ()
    """Pieces that are only such a space (``▁``): never a word's first piece if it has others."""
    limit: int
    """The largest number of pieces that the encoder reads at once, ``before`` and ``after`` included."""

    @property
    def window(self) -> int:
        """The largest number of pieces that are read at once."""
        return min(self.limit, WINDOW)

    @property
    def room(self) -> int:
        """How many pieces of words fit into a window."""
        return self.window - len(self.before) - len(self.after)

    @property
    def part(self) -> int:
        """How many pieces of words fit into a window of a longer sentence."""
        return min(self.limit, PART) - len(self.before) - len(self.after)


MOST_PIECES = 16_384
"""The largest number of pieces in one run of an encoder, which bounds memory."""


@dataclass(frozen=True)
class Pieces:
    """A batch for the encoder: windows of similar length padded together, the groups end to end.

    P counts padded pieces, N words. Padding is always on the right: positions then count from the start for
    every encoder (XLNet, which is usually padded on the left, has relative positions only).
    """

    ids: Ints  # (P,)
    mask: Ints  # (P,) 1 for a piece, 0 for padding
    types: Ints | None  # (P,) segments, if the encoder takes any
    groups: Ints  # (G, 2) rows and columns of each group
    starts: Ints  # (N,) the position of each word's first piece in ids ...
    stops: Ints  # (N,) ... and the position after its last one

    def places(self) -> tuple[Ints, Ints]:
        """The positions of all pieces of all words (M,), and where in this list each word begins (N,)."""
        sizes = self.stops - self.starts
        offsets = np.cumsum(sizes) - sizes
        return np.repeat(self.starts - offsets, sizes) + np.arange(sizes.sum()), offsets


class Subwords:
    """Splits sentences for one encoder; ``encode`` is its tokenizer: text to piece ids, nothing added."""

    def __init__(self, encode: Callable[[str], Sequence[int]], spec: SubwordSpec) -> None:
        self.encode, self.spec = encode, spec
        self._marks = {spec.pad, *spec.before, *spec.after}  # no word is one: "</s>" is in some vocabularies
        self._known: dict[str, tuple[int, ...]] = {}
        self._held = 0  # the size of ``_known``, in ids

    def pieces(self, word: str) -> tuple[int, ...]:
        """The pieces of one word, at least one. Of a word too long for a window, both ends are kept."""
        pieces = self._known.get(word)
        if pieces is None:
            found = self.encode(self.spec.space + plain_word(word)) or (self.spec.unknown,)
            ids = tuple(self.spec.unknown if piece in self._marks else piece for piece in found)
            most = self.spec.part // 2
            pieces = ids if len(ids) <= most else ids[: most - most // 2] + ids[len(ids) - most // 2 :]
            if len(word) <= _LONG:
                if self._held >= _MANY:
                    self._known.clear()
                    self._held = 0
                self._known[word] = pieces
                self._held += _ENTRY + len(pieces)
        return pieces

    def batch(
        self, sentences: Sequence[Sequence[str]], *, waste: float = 1.2, most: int = MOST_PIECES
    ) -> Pieces:
        """Arrange sentences for the encoder.

        Windows share a group if the longest is at most ``waste`` times the shortest, and the group has at
        most ``most`` padded pieces (which bounds memory).
        """
        words = [self.pieces(word) for sentence in sentences for word in sentence]
        flat = np.fromiter(chain.from_iterable(words), np.int64)
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        begins = np.concatenate(([0], ends))  # (N + 1,) where each word begins in flat
        windows, owners = _windows(map(len, sentences), begins, self.spec)
        lengths = windows[:, 1] - windows[:, 0]
        bases = np.zeros(len(windows), np.int64)  # where each window begins in ids
        parts, groups, base = [_NONE], [], 0
        for rows in _group(lengths, len(self.spec.before) + len(self.spec.after), waste, most):
            part = self._pad(flat, windows[rows])
            bases[rows] = base + np.arange(len(rows)) * part.shape[2]
            groups.append(part.shape[1:])
            parts.append(part.reshape(3, -1))
            base += part[0].size
        ids, mask, types = np.concatenate(parts, 1)
        shift = (bases - windows[:, 0])[owners] + len(self.spec.before)
        starts, stops = begins[:-1] + shift, begins[1:] + shift
        if self.spec.blanks:
            blank = np.isin(ids[starts], self.spec.blanks) & (stops - starts > 1)
            starts = starts + blank
        typed = types if any(self.spec.after_types) else None
        return Pieces(ids, mask, typed, np.array(groups, np.int64).reshape(-1, 2), starts, stops)

    def _pad(self, flat: Ints, windows: Ints) -> Ints:
        """One group of windows: ids, mask and types, (3, R, T)."""
        spec, first = self.spec, len(self.spec.before)
        sizes = (windows[:, 1] - windows[:, 0])[:, None]  # (R, 1)
        column = np.arange(first + sizes.max() + len(spec.after))[None] - first  # (1, T), 0 at the first word
        padded = np.zeros((3, len(windows), column.shape[1]), np.int64)
        ids, mask, types = padded
        ids[:] = spec.pad
        ids[:, :first] = spec.before
        inside = (column >= 0) & (column < sizes)
        ids[inside] = flat[(windows[:, :1] + column)[inside]]
        mask[:] = column < sizes + len(spec.after)
        for k, piece in enumerate(spec.after):
            last = column == sizes + k
            ids[last] = piece
            types[last] = spec.after_types[k] if spec.after_types else 0
        return padded


_NONE = np.zeros((3, 0), np.int64)


def fast_encode(tokenizer: Tokenizer) -> Callable[[str], Sequence[int]]:
    """Text to piece ids by a `tokenizers.Tokenizer`: nothing added or truncated, no special pieces."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids  # type: ignore[no-any-return]


def _windows(counts: Iterable[int], begins: Ints, spec: SubwordSpec) -> tuple[Ints, Ints]:
    """Windows as (first piece, piece after the last), and which of them each word is read from."""
    windows: list[tuple[int, int]] = []
    owners = np.zeros(len(begins) - 1, np.int64)
    first = 0
    for count in counts:
        bounds = begins[first : first + count + 1]
        if count and bounds[-1] - bounds[0] <= spec.room:
            owners[first : first + count] = len(windows)
            windows.append((int(bounds[0]), int(bounds[-1])))
        elif count:
            cut = _cut(bounds, spec.part)
            owners[first : first + count] = len(windows) + _most_context(bounds, cut)
            windows.extend(cut)
        first += count
    return np.array(windows, np.int64).reshape(-1, 2), owners


def _cut(bounds: Ints, room: int) -> list[tuple[int, int]]:
    """Cut one sentence between words into windows of similar length that overlap by a tenth of ``room``.

    No word has more than half of ``room`` and no window less than nine tenths, so each window ends later than
    the one before it.
    """
    windows, start, end = [], bounds[0], bounds[-1]
    overlap = int(OVERLAP * room)
    count = -(-(end - start - overlap) // (room - overlap))  # the fewest windows that do
    size = -(-(end - start + (count - 1) * overlap) // count) + _ROUNDING
    size = min(room, max(size, room - overlap + 1))
    while end - start > size:
        stop = bounds[np.searchsorted(bounds, start + size, "right") - 1]
        windows.append((int(start), int(stop)))
        start = bounds[np.searchsorted(bounds, stop - overlap)]
    start = bounds[np.searchsorted(bounds, end - size)]  # the last one is filled up to the left
    return [*windows, (int(start), int(end))]


def _most_context(bounds: Ints, windows: list[tuple[int, int]]) -> Ints:
    """For each word the window in which its nearer edge is farthest; the sentence's own ends do not count."""
    starts, stops = np.array(windows, np.int64).T[:, :, None]  # (W, 1)
    left, right = bounds[:-1] - starts, stops - bounds[1:]  # (W, n)
    far = bounds[-1] - bounds[0] + 1
    inside = (left >= 0) & (right >= 0)
    context = np.minimum(
        np.where(starts == bounds[0], far, left),
        np.where(stops == bounds[-1], far, right),
    )
    best: Ints = np.where(inside, context, -1).argmax(0)
    return best


def _group(lengths: Ints, added: int, waste: float, most: int) -> list[Ints]:
    """The numbers of windows that are padded together, the longest first."""
    order = np.argsort(-lengths, kind="stable")
    sizes = lengths[order] + added
    groups, start = [], 0
    while start < len(order):
        similar = int(np.searchsorted(-sizes, -sizes[start] / waste, "right"))
        stop = min(similar, start + max(1, most // int(sizes[start])))
        groups.append(order[start:stop])
        start = stop
    return groups
