"""Running the commands of a table or figure of the paper, and keeping what they print."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

from nccp.analysis.figure_style import BLACK, BLUE, GREY, RED
from nccp.analysis.paper import TREEBANKS, Entry, PaperFolder, Step, command_line, read_entries, shown_places
from nccp.errors import InputError
from nccp.files import atomic_write

LARGEST = 200_000
"""Bytes of a figure that is kept."""
_WIDTH = 1300  # pixels of a figure that had to be made smaller


def run_entry(
    entry: Entry,
    folder: PaperFolder,
    places: Mapping[str, str],
    tell: Callable[[str], None] = lambda _: None,
    *,
    train: bool = True,
) -> list[Path]:
    """Run the commands of an entry, one process each, and keep its results and figures; their paths.

    Without ``train``, commands that train are left out, and those that read what no training has made yet.
    Figures are drawn into a temporary folder, and only those that some entry shows are kept.
    """
    written = []
    with tempfile.TemporaryDirectory() as drawn:
        for step in entry.run:
            if not train and (step.trains or not _is_ready(step)):
                continue
            tell(command_line(step, places))
            printed = _run(step, {**places, "figures": drawn})
            if step.draw:
                Path(drawn, step.draw).write_bytes(printed)
            if step.save:
                written.append(_save(step, _without_paths(printed, places), folder))
        for name in {name: None for one in read_entries() for name in one.figures}:
            if (path := Path(drawn, name)).exists():
                shrink(path)
                written.append(folder.figures / name)
                with atomic_write(written[-1], binary=True) as file:
                    file.write(path.read_bytes())
    return written


def _is_ready(step: Step) -> bool:
    """Whether all runs and sweeps that a command reads are there."""
    args = step.args[:2] if step.args[0] == "export" else step.args  # what follows is written
    read = [argument.rpartition("=")[2] for argument in args]
    return all(Path(one).exists() for one in read if one.startswith("runs/"))


def _run(step: Step, places: Mapping[str, str]) -> bytes:
    """What a command prints."""
    args = [argument.format_map(places) for argument in step.args]
    done = subprocess.run([sys.executable, "-m", "nccp", *args], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(f"{command_line(step, places)}: {said[-1] if said else 'failed'}")
    return done.stdout


def _without_paths(printed: bytes, places: Mapping[str, str]) -> bytes:
    """The same without the paths of this machine: treebanks as the documentation writes them, and what is in
    the working folder relative to it."""
    printed = printed.replace(json.dumps(f"{Path.cwd()}/")[1:-1].encode(), b"")
    for name, shown in shown_places("docs/paper").items():
        if name in TREEBANKS and name in places:
            printed = printed.replace(json.dumps(places[name])[1:-1].encode(), shown.encode())
    return printed


def _save(step: Step, printed: bytes, folder: PaperFolder) -> Path:
    made = json.loads(printed)
    path = folder.results / step.save
    with atomic_write(path) as file:
        json.dump(made[step.select] if step.select else made, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return path


def shrink(path: Path) -> None:
    """Make a figure smaller than `LARGEST` if it is a PNG: fewer pixels, then fewer shades of its colours.

    The palette is made of the colours of our figures, since what a general one drops first are thin lines in
    rare colours.
    """
    if path.suffix != ".png" or path.stat().st_size < LARGEST:
        return
    from PIL import Image  # comes with matplotlib

    image = Image.open(path).convert("RGB")
    height = round(image.height * _WIDTH / image.width)
    image = image.resize((_WIDTH, height), Image.Resampling.LANCZOS)
    for shades in (16, 8, 5, 3):
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for colour in (BLACK, GREY, BLUE, RED) for part in _tints(colour, shades)])
        buffer = BytesIO()
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
        if buffer.tell() < LARGEST:
            break
    with atomic_write(path, binary=True) as file:
        file.write(buffer.getvalue())


def _tints(colour: str, shades: int) -> list[int]:
    """Red, green and blue of a colour, of lighter ones, and of white."""
    parts = bytes.fromhex(colour[1:])
    return [round(255 - (255 - part) * n / shades) for n in range(shades + 1) for part in parts]
