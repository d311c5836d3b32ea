"""EVALB parameters, what it ignores and what it treats as equal: built-in sets and ``.prm`` files."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from nccp.errors import ConfigError

Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Parameters:
    """One set of EVALB parameters; the keyword of a ``.prm`` file stands behind each field."""

    name: str = "none"
    """A built-in set's name, or the file's."""
    delete_labels: frozenset[str] = frozenset()
    """DELETE_LABEL: a tag's words are left out with it; a constituent's bracket only, not its children."""
    delete_for_length: frozenset[str] = frozenset()
    """DELETE_LABEL_FOR_LENGTH: tags whose words do not count towards a sentence's length."""
    quote_labels: frozenset[str] = frozenset()
    """QUOTE_LABEL: tags that a lone ``' " /`` may wrongly have; see `nccp.scoring.quotes`."""
    equal_labels: Pairs = frozenset()
    """EQ_LABEL: pairs of labels, and of tags, that count as equal; either way round, but not transitive."""
    equal_words: Pairs = frozenset()
    """EQ_WORD: pairs of words that count as equal."""
    labelled: bool = True
    """LABELED: whether matching brackets must have equal labels, too."""
    cutoff: int = 40
    """CUTOFF_LEN: the report's second section holds sentences up to this length."""
    max_error: int = 10
    """MAX_ERROR: EVALB gives up at the second error beyond this number."""

    @classmethod
    def load(cls, name_or_path: str | Path) -> Parameters:
        """A built-in set by its name, else a ``.prm`` file."""
        built_in = BUILT_IN.get(str(name_or_path).lower())
        return built_in if built_in else cls.read(name_or_path)

    @classmethod
    def read(cls, path: str | Path) -> Parameters:
        """An EVALB parameter file; what EVALB would drop with a warning, or never apply, is an error."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            names = ", ".join(BUILT_IN)
            raise ConfigError(f"{path}: no such parameter file, nor a built-in set ({names})") from None
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path}: not a parameter file: not UTF-8 text") from None
        return _read(text, str(path))


_LABEL = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
_PAIR = ("EQ_LABEL", "EQ_WORD")
_NUMBER = {"MAX_ERROR": 10, "CUTOFF_LEN": 40, "LABELED": 1, "DEBUG": 0}  # DEBUG: read, without effect


def _read(text: str, source: str) -> Parameters:
    labels: dict[str, set[str]] = {keyword: set() for keyword in _LABEL}
    pairs: dict[str, set[tuple[str, str]]] = {keyword: set() for keyword in _PAIR}
    numbers = dict(_NUMBER)
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#") or not line.strip():
            continue
        keyword, *values = line.split()
        where = f"{source}:{number}"
        if keyword in labels:
            (label,) = _expect(values, 1, keyword, where)
            labels[keyword].add(label)
        elif keyword in pairs:
            one, two = _expect(values, 2, keyword, where)
            pairs[keyword].add((one, two))
        elif keyword in numbers:
            (value,) = _expect(values, 1, keyword, where)
            if not (value.isascii() and value.isdigit()):
                raise ConfigError(f"{where}: {keyword} takes a whole number, not {value!r}")
            numbers[keyword] = int(value)
        else:
            known = (*labels, *pairs, *numbers)
            near = get_close_matches(keyword, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f" (known: {', '.join(known)})"
            raise ConfigError(f"{where}: unknown keyword {keyword}{hint}")
    return Parameters(
        name=source,
        delete_labels=frozenset(labels["DELETE_LABEL"]),
        delete_for_length=frozenset(labels["DELETE_LABEL_FOR_LENGTH"]),
        quote_labels=frozenset(labels["QUOTE_LABEL"]),
        equal_labels=frozenset(pairs["EQ_LABEL"]),
        equal_words=frozenset(pairs["EQ_WORD"]),
        labelled=numbers["LABELED"] != 0,
        cutoff=numbers["CUTOFF_LEN"],
        max_error=numbers["MAX_ERROR"],
    )


def _expect(values: list[str], count: int, keyword: str, where: str) -> list[str]:
    if len(values) != count:
        what = "one value" if count == 1 else "two values"
        raise ConfigError(f"{where}: {keyword} takes {what}, not {' '.join(values) or 'none'!r}")
    return values


_EMPTY = frozenset({"-NONE-"})
_ADVP_PRT: Pairs = frozenset({("ADVP", "PRT")})

COLLINS = Parameters(
    name="collins",
    delete_labels=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    delete_for_length=_EMPTY,
    equal_labels=_ADVP_PRT,
)
"""COLLINS.prm, as most papers on the Penn Treebank report."""

SPMRL = Parameters(
    name="spmrl",
    delete_labels=frozenset({"TOP", "ROOT", "S1", "VROOT", "-NONE-"}),
    delete_for_length=_EMPTY,
    cutoff=70,
    max_error=10_000,
)
"""spmrl.prm of the SPMRL shared tasks: punctuation counts, no labels are equal."""

KEEP_PUNCT = Parameters(
    name="keep-punct",
    delete_labels=frozenset({"TOP", "ROOT", "S1", "VROOT", "-NONE-"}),
    delete_for_length=_EMPTY,
    equal_labels=_ADVP_PRT,
)
"""As Collins', but punctuation counts and every named root is left out."""

BUILT_IN = {parameters.name: parameters for parameters in (COLLINS, SPMRL, KEEP_PUNCT)}
