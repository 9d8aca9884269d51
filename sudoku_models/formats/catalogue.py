"""The catalogue of formats, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..errors import FormatError, meant
from .format import Format as Format
from .kinds import annotated, grid, ipuz, iss, line, nine, programs
from .table import CSV as TABLE

_ALL: tuple[Format, ...] = (
    *(line.LINE, grid.GRID, grid.NUMBERS, TABLE, grid.SDK, line.SDM, iss.ISS, *programs.FORMATS, programs.GRIDS),
    *(nine.KILLER_FORMAT, nine.KILLER_SHORT_FORMAT, annotated.JIGSAW, annotated.PENCILMARKS),
    *(nine.SS_FORMAT, nine.SDX_FORMAT, ipuz.IPUZ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({kind.name: kind for kind in _ALL})
"""All formats by name. To add a format, add it to a file of ``kinds`` and to the list here."""


def format_named(name: str, what: str, able: Callable[[Format], bool]) -> Format:
    """Return a format that is able to do something; raise FormatError for any other name."""
    known = [kind.name for kind in _ALL if able(kind)]
    if name not in known:
        raise FormatError(f"the {what} {name!r}: one of {', '.join(known)} is expected{meant(name, known)}")
    return FORMATS[name]


LINE, GRID, NUMBERS, CSV, SDK, SDX = "line", "grid", "numbers", "csv", "sdk", "sdx"
ISS, JIGSAW, KILLER = "iss", "jigsaw", "killer"
"""The names of formats between which the readers decide."""
