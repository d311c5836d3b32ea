"""What treebanks and parsers show when counted: orientation, compression, complexity; and their figures."""

from nccp.analysis.figures import draw_figures
from nccp.analysis.statistics import (
    LONG,
    FactorStatistics,
    Orientations,
    Ratio,
    Regression,
    Statistics,
    measure,
    treebank_statistics,
)

__all__ = [
    "LONG",
    "FactorStatistics",
    "Orientations",
    "Ratio",
    "Regression",
    "Statistics",
    "draw_figures",
    "measure",
    "treebank_statistics",
]
