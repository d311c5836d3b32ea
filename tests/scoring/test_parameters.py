from pathlib import Path

import pytest

from nccp.errors import ConfigError
from nccp.scoring import BUILT_IN, COLLINS, Parameters

FILE = """\
## a comment
DEBUG 0
MAX_ERROR 7
CUTOFF_LEN 20
LABELED 0

DELETE_LABEL TOP
DELETE_LABEL ``
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_WORD  Example  example
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "my.prm"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    assert Parameters.load(path) == Parameters(
        name=str(path),
        delete_labels=frozenset({"TOP", "``"}),
        delete_for_length=frozenset({"-NONE-"}),
        quote_labels=frozenset({"POS"}),
        equal_labels=frozenset({("ADVP", "PRT")}),
        equal_words=frozenset({("Example", "example")}),
        labelled=False,
        cutoff=20,
        max_error=7,
    )


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "my.prm"
    path.write_bytes(FILE.replace("\n", "\r\n").encode())
    assert Parameters.load(path).delete_labels == {"TOP", "``"}


def test_an_empty_file_has_evalbs_defaults(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    assert Parameters.read(path) == Parameters(name=str(path))
    assert (Parameters().cutoff, Parameters().max_error, Parameters().labelled) == (40, 10, True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELET_LABEL TOP", "my.prm:2: unknown keyword DELET_LABEL; did you mean DELETE_LABEL?"),
        ("XYZZY 1", "my.prm:2: unknown keyword XYZZY (known: DELETE_LABEL, "),
        ("DELETE_LABEL", "my.prm:2: DELETE_LABEL takes one value, not 'none'"),
        ("DELETE_LABEL TOP # root", "my.prm:2: DELETE_LABEL takes one value, not 'TOP # root'"),
        ("EQ_LABEL ADVP", "my.prm:2: EQ_LABEL takes two values, not 'ADVP'"),
        ("CUTOFF_LEN forty", "my.prm:2: CUTOFF_LEN takes a whole number, not 'forty'"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        Parameters.read(written(tmp_path, f"DEBUG 0\n{line}\n"))
    assert message in str(error.value)


def test_a_missing_file_and_binary_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nor a built-in set \\(collins, spmrl, keep-punct\\)"):
        Parameters.load("colins")
    with pytest.raises(ConfigError, match="Is a directory"):
        Parameters.load(tmp_path)
    (tmp_path / "binary.prm").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not UTF-8 text"):
        Parameters.load(tmp_path / "binary.prm")


def test_built_in_sets() -> None:
    assert Parameters.load("collins") is Parameters.load("COLLINS") is COLLINS
    assert list(BUILT_IN) == ["collins", "spmrl", "keep-punct"]
    for name in ("spmrl", "keep-punct"):
        assert BUILT_IN[name].delete_labels == {"TOP", "ROOT", "S1", "VROOT", "-NONE-"}
    assert not BUILT_IN["spmrl"].equal_labels
    assert BUILT_IN["keep-punct"].equal_labels == COLLINS.equal_labels
