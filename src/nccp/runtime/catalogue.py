"""The model packages of the nccp repository: what could be installed, known without installing it.

Each is a folder of ``models/`` in the repository and may hold several models, such as two that share files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Offer:
    """A model that a package of the repository brings."""

    name: str
    language: str
    licence: str
    package: str
    """The folder in ``models/``; the distribution is called ``nccp-model-`` and this."""

    @property
    def distribution(self) -> str:
        return f"nccp-model-{self.package}"

    @property
    def commercial_use(self) -> bool | None:
        return commercial_use(self.licence)

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"pip install ./models/{self.package}"


CATALOGUE = (
    Offer("en-multi", "en", "CC BY-NC-SA 4.0 (as GUM's most restrictive texts)", "en-multi"),
    Offer("en-small", "en", "CC BY-SA 4.0 (as its share-alike texts)", "en-small"),
    Offer("en-static", "en", "CC BY-NC-SA 4.0 (as GUM's most restrictive texts)", "en-static"),
    Offer("id", "id", "CC BY-SA 4.0", "id"),
    Offer("is", "is", "CC BY 4.0", "is"),
    Offer("ja", "ja", "CC BY 4.0", "ja"),
    Offer("ja-multi", "ja", "CC BY 4.0", "ja"),
    Offer("zh", "zh", "CC BY-NC-SA 2.5 (as the Sinica Treebank sample)", "zh"),
)

_FORBIDS = re.compile(r"\bNC\b|non-?commercial", re.IGNORECASE)
_ALLOWS = re.compile(r"\b(CC0|CC[ -]BY|MIT|Apache|BSD|ISC)\b", re.IGNORECASE)


def commercial_use(licence: str) -> bool | None:
    """Whether a licence allows commercial use; None where its name does not tell."""
    if _FORBIDS.search(licence):
        return False
    return True if _ALLOWS.search(licence) else None
