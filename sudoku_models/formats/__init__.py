"""Reading and writing puzzles: lines, grids, numbers, CSV, JSON, links of puzzle programs; plain, gzip or zstd.

Each name is imported on first use, so that whoever needs the package's own JSON alone does not load every format.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import imported

if TYPE_CHECKING:
    from .catalogue import FORMATS, Format
    from .reading import Entry, parse, read
    from .writing import unwritten, write

_HOMES = {
    "Entry": "reading",
    "FORMATS": "catalogue",
    "Format": "catalogue",
    "parse": "reading",
    "read": "reading",
    "unwritten": "writing",
    "write": "writing",
}

__all__ = ["FORMATS", "Entry", "Format", "parse", "read", "unwritten", "write"]


def __getattr__(name: str) -> Any:
    return imported(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return __all__
