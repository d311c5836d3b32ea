"""A corpus of any size through the parser: many files in, shards out, resumable, on one machine or on Ray."""

from nccp.bulk.options import Options
from nccp.bulk.run import Failure, Progress, Summary, parse_corpus
from nccp.bulk.schema import COLUMNS, SCHEMA_VERSION

__all__ = ["COLUMNS", "SCHEMA_VERSION", "Failure", "Options", "Progress", "Summary", "parse_corpus"]
