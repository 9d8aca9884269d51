"""The catalogue of formats, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .format import Format as Format
from .kinds import (
    csv,
    f_puzzles,
    f_puzzles_json,
    grid,
    grids,
    ipuz,
    iss,
    jigsaw,
    json,
    killer,
    killer_short,
    line,
    links,
    numbers,
    pencilmarks,
    penpa,
    sdk,
    sdm,
    sdx,
    ss,
    sudokupad,
)

_ALL = (
    line,
    grid,
    numbers,
    csv,
    sdk,
    sdm,
    iss,
    json,
    f_puzzles,
    f_puzzles_json,
    sudokupad,
    penpa,
    links,
    grids,
    killer,
    killer_short,
    jigsaw,
    pencilmarks,
    ss,
    sdx,
    ipuz,
)

FORMATS: Mapping[str, Format] = MappingProxyType({kind.FORMAT.name: kind.FORMAT for kind in _ALL})
"""All formats by name. To add a format, add a file to ``kinds`` and a line here."""

LINE, GRID, NUMBERS, CSV = line.FORMAT.name, grid.FORMAT.name, numbers.FORMAT.name, csv.FORMAT.name
SDK, SDX, ISS, JIGSAW = sdk.FORMAT.name, sdx.FORMAT.name, iss.FORMAT.name, jigsaw.FORMAT.name
KILLER = killer.FORMAT.name
"""The names of formats between which the readers decide."""
