"""Reading and writing puzzles: lines, grids, numbers, CSV, JSON, links of puzzle programs; plain, gzip or zstd.

Each name is imported on first use, so that whoever needs the package's own JSON alone does not load every format.
"""

from typing import TYPE_CHECKING

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .catalogue import FORMATS, Format
    from .reading import Entry, parse, read
    from .writing import unwritten, write

__all__ = ["FORMATS", "Entry", "Format", "parse", "read", "unwritten", "write"]

__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "catalogue": "FORMATS Format",
    "reading": "Entry parse read",
    "writing": "unwritten write",
})  # fmt: skip
