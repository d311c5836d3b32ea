"""Treebanks: reading them in their own formats, with their splits; cleaning, checking and converting them."""

from nccp.treebanks.check import Report, check_treebank
from nccp.treebanks.cleaning import RAW, Cleaning, clean
from nccp.treebanks.convert import convert_treebank
from nccp.treebanks.formats import FORMATS, open_treebank
from nccp.treebanks.treebank import ALL, Entry, Treebank

__all__ = [
    "ALL",
    "FORMATS",
    "RAW",
    "Cleaning",
    "Entry",
    "Report",
    "Treebank",
    "check_treebank",
    "clean",
    "convert_treebank",
    "open_treebank",
]
