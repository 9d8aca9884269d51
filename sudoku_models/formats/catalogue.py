"""The catalogue of formats, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .format import Format as Format
from .kinds import grid, ipuz, iss, jigsaw, line, nine, pencilmarks, programs
from .table import CSV as TABLE

_ALL: tuple[Format, ...] = (
    *(line.LINE, grid.GRID, grid.NUMBERS, TABLE, grid.SDK, line.SDM, iss.ISS, *programs.FORMATS, programs.GRIDS),
    *(nine.KILLER_FORMAT, nine.KILLER_SHORT_FORMAT, jigsaw.JIGSAW, pencilmarks.PENCILMARKS),
    *(nine.SS_FORMAT, nine.SDX_FORMAT, ipuz.IPUZ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({kind.name: kind for kind in _ALL})
"""All formats by name. To add a format, add it to a file of ``kinds`` and to the list here."""

LINE, GRID, NUMBERS, CSV, SDK, SDX = "line", "grid", "numbers", "csv", "sdk", "sdx"
ISS, JIGSAW, KILLER = "iss", "jigsaw", "killer"
"""The names of formats between which the readers decide."""
