"""Every command and code block of the README and the tutorials runs as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import read_blocks, reader_environment, run_page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
NEEDED = ("examples", "recipes", "benchmarks", "docs", "models")  # what a reader has in the checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the checkout, in which a page may write."""
    folder = tmp_path / "nccp"
    folder.mkdir()
    for name in NEEDED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_as_it_stands(page: Path, checkout: Path, tmp_path: Path) -> None:
    run_page(page, checkout, reader_environment(tmp_path))


def test_every_block_that_is_not_run_says_why() -> None:
    for page in PAGES:
        for block in read_blocks(page):
            assert not block.mark.startswith("not run") or block.skipped, f"{page.name}:{block.line}"


def test_blocks_are_found_with_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "text\n\n```sh\necho one\n```\n\n<!-- output -->\n```text\none\n```\n\n"
        "<!-- not run: it installs -->\n```sh\npip install x\n```\n\n```json\n{}\n```\n"
    )
    blocks = read_blocks(page)
    assert [(block.language, block.mark, block.line) for block in blocks] == [
        ("sh", "", 3),
        ("text", "output", 7),
        ("sh", "not run: it installs", 12),
    ]
    assert run_page(page, tmp_path, reader_environment(tmp_path)) == 1


def test_a_page_that_fails_or_prints_something_else_is_found(tmp_path: Path) -> None:
    environment = reader_environment(tmp_path)
    page = tmp_path / "page.md"
    for text, found in (
        ("```sh\nfalse\n```\n", "exit 1"),
        ("```python\nx = 1\n```\n\n```python\nprint(x + y)\n```\n", "NameError"),
        ("```sh\necho one\n```\n\n<!-- output -->\n```text\ntwo\n```\n", "the output differs"),
    ):
        page.write_text(text)
        with pytest.raises(AssertionError, match=found):
            run_page(page, tmp_path, environment)
