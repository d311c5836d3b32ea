"""What the configuration of every kind of input has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from nccp.sections import Section

if TYPE_CHECKING:
    from typing_extensions import Self


class InputSection(Section, frozen=True, tag_field="kind"):
    """The base of the kinds of ``[input]``; the key ``kind`` says which one it is."""

    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.2
    """Dropout probability on a word's whole vector."""

    def select_words(self, counts: Counter[str]) -> list[str]:
        """The training words that the input wants to know, in the order of its tables; by default none."""
        return []

    def without_cache(self) -> Self:
        """The same input without what only speeds training up."""
        return self

    def required_files(self) -> dict[str, str]:
        """The files that must exist before training starts, by key."""
        return {}

    def summary(self) -> str:
        """A line about the input for the model card."""
        raise NotImplementedError
