from pathlib import Path

import pytest

from nccp.errors import InputError
from nccp.treebanks.text_files import UTF8, first_line, read_text


def test_encodings_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for encoding in ("utf-8", "utf-8-sig", "gb2312"):
        path.write_bytes("小鸟。\n".encode(encoding))
        assert read_text(path, (UTF8, "gb18030")) == "小鸟。\n"


def test_an_unlikely_text_gives_way(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes("猫头鹰".encode("gb2312"))  # which is UTF-8, too
    assert read_text(path, (UTF8, "gb18030")) == "èͷӥ"
    assert read_text(path, (UTF8, "gb18030"), lambda text: "猫" in text) == "猫头鹰"
    assert read_text(path, (UTF8, "gb18030"), lambda text: False) == "èͷӥ"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"ab\nc\xff\n", "x:2:2: byte 0xff is not UTF-8"),
        (b"ab\nc\0\n", "x:2:2: a binary file, not text"),
    ],
)
def test_errors_say_where(tmp_path: Path, data: bytes, error: str) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(InputError, match=error):
        read_text(tmp_path / "x")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="x: No such file"):
        read_text(tmp_path / "x")
    assert first_line(tmp_path / "x") == ""


def test_first_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("\n  (S\n(NN owl))".encode("utf-8-sig"))
    assert first_line(tmp_path / "x") == "(S"
