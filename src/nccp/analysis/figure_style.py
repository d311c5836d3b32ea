"""The look of all figures, and writing them: for print, colour-blind-safe, the same bytes each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from nccp.errors import InputError, need
from nccp.files import atomic_write

FORMATS = ("pdf", "svg", "png")
BLUE, RED, GREY, BLACK = "#0072B2", "#D55E00", "#8A8A8A", "#1A1A1A"
COLOURS = (BLUE, RED, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", GREY)  # of lines: Okabe and Ito's
MARKERS = "osD^vP*"
WIDTH = 6.3  # inches: a two-column text block
STYLE = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "text.color": BLACK,
    "axes.labelcolor": BLACK,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": BLACK,
    "ytick.labelcolor": BLACK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,  # TrueType: publishers refuse type 3
    "svg.hashsalt": "nccp",  # the same bytes each time
}


def figure_format(path: str | Path) -> str:
    """The format that a figure's file name asks for."""
    ending = Path(path).suffix[1:].lower()
    if ending not in FORMATS:
        raise InputError(f"{path}: the name of a figure must end in .{', .'.join(FORMATS)}")
    return ending


def save_figure(figure: Any, path: str | Path) -> Path:
    """Write one figure; the ending of ``path`` says in which format."""
    path = Path(path)
    (written,) = save_figures({path.stem: figure}, path.parent, [figure_format(path)])
    return written if written == path else written.replace(path)  # the ending was in capitals


def save_figures(
    figures: Mapping[str, Any], folder: str | Path, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write each figure into ``folder`` in each format; all are drawn before the first is written."""
    matplotlib = need("matplotlib", "plots", "drawing figures")
    drawn: list[tuple[Path, bytes]] = []
    with matplotlib.rc_context(STYLE):
        for name, figure in figures.items():
            for ending in formats:
                buffer = BytesIO()
                figure.savefig(buffer, format=ending, metadata=_undated(ending))
                drawn.append((Path(folder) / f"{name}.{ending}", buffer.getvalue()))
    for path, content in drawn:
        with atomic_write(path, binary=True) as file:
            file.write(content)
    return [path for path, _ in drawn]


def _undated(ending: str) -> dict[str, None]:
    """Metadata without the date, so that the same figure has the same bytes."""
    return {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(ending, {})
