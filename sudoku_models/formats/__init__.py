"""Reading and writing puzzles: lines, grids, numbers, CSV, JSON, links of puzzle programs; plain, gzip or zstd."""

from .catalogue import FORMATS, Format
from .reading import Entry, parse, read
from .writing import write

__all__ = ["FORMATS", "Entry", "Format", "parse", "read", "write"]
