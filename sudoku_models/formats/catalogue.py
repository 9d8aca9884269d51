"""The catalogue of formats, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .format import Format as Format
from .kinds import (
    csv,
    grid,
    grids,
    ipuz,
    iss,
    jigsaw,
    json,
    line,
    links,
    nine,
    numbers,
    pencilmarks,
    programs,
    sdk,
    sdm,
)

_ALL = (
    *(line.FORMAT, grid.FORMAT, numbers.FORMAT, csv.FORMAT, sdk.FORMAT, sdm.FORMAT, iss.FORMAT, json.FORMAT),
    *(programs.F_PUZZLES_LINKS, programs.F_PUZZLES_JSON, programs.SUDOKUPAD_LINKS, programs.PENPA_LINKS),
    *(links.FORMAT, grids.FORMAT, nine.KILLER_FORMAT, nine.KILLER_SHORT_FORMAT, jigsaw.FORMAT, pencilmarks.FORMAT),
    *(nine.SS_FORMAT, nine.SDX_FORMAT, ipuz.FORMAT),
)

FORMATS: Mapping[str, Format] = MappingProxyType({kind.name: kind for kind in _ALL})
"""All formats by name. To add a format, add it to a file of ``kinds`` and to the list here."""

LINE, GRID, NUMBERS, CSV = line.FORMAT.name, grid.FORMAT.name, numbers.FORMAT.name, csv.FORMAT.name
SDK, SDX, ISS, JIGSAW = sdk.FORMAT.name, nine.SDX_FORMAT.name, iss.FORMAT.name, jigsaw.FORMAT.name
KILLER = nine.KILLER_FORMAT.name
"""The names of formats between which the readers decide."""
