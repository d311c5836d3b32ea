"""Statistics of treebanks, errors and heads of models, figures, and the paper's tables."""

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
