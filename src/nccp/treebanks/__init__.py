"""Treebanks: readers for formats and splits; cleaning, repairs, checks, comparison, conversion, downloads."""

from nccp.treebanks.check import Report, check_treebank
from nccp.treebanks.cleaning import RAW, Cleaning, clean
from nccp.treebanks.convert import convert_treebank
from nccp.treebanks.download import Downloaded, get_treebank
from nccp.treebanks.formats import FORMATS, open_treebank
from nccp.treebanks.sources import SOURCES, DownloadSource
from nccp.treebanks.treebank import ALL, Entry, Treebank

__all__ = [
    "ALL",
    "FORMATS",
    "RAW",
    "SOURCES",
    "Cleaning",
    "DownloadSource",
    "Downloaded",
    "Entry",
    "Report",
    "Treebank",
    "check_treebank",
    "clean",
    "convert_treebank",
    "get_treebank",
    "open_treebank",
]
