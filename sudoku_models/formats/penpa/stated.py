"""The rules for which penpa-edit has tools: killer cages, thermometers, arrows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...errors import FormatError
from ...puzzle.rules import Arrow, Board, KillerCage, Thermo
from ...puzzle.rules.rule_base import Rule
from ...puzzle.shape import Shape
from ..json_text import short
from ..sudokupad import MOST_CAGES
from .packing import PenpaSheet
from .paper import QUARTER, Paper, Place
from .sheet_board import entries

Names = tuple[str, ...]
_LINES: Mapping[str, tuple[str, Callable[[Names], Rule]]] = {
    "thermo": ("the thermometer", Thermo),
    "arrows": ("the arrow", Arrow),
}


@dataclass
class SheetRules:
    """The rules of a sheet; ``used`` holds the points of numbers that are cages' sums, ``caged`` the cages' cells."""

    sheet: PenpaSheet
    paper: Paper
    shape: Shape
    notes: list[str]
    used: set[str] = field(default_factory=set)
    caged: list[frozenset[Place]] = field(default_factory=list)

    def rules(self) -> tuple[Rule, ...]:
        """Return all rules; items that cannot be rules are noted."""
        return (*self._cages(), *(rule for key in _LINES for rule in self._lines(key)))

    def _cages(self) -> Iterator[Rule]:
        sums = self._sums()
        for cells in self.groups("killercages"):
            self.caged.append(frozenset(cells))
            places = sorted(set(cells))
            total = next((sums[place] for place in places if place in sums), None)
            names = self._names(places)
            self.used.update(total[:1] if total else ())
            make = partial(KillerCage, names, total[1] if total else None)
            yield from self._made(f"the cage of {names[0]}", len(names), make)

    def _lines(self, key: str) -> Iterator[Rule]:
        what, make = _LINES[key]
        for cells in self.groups(key):
            names = self._names(cells)
            yield from self._made(f"{what} of {names[0]}", len(names), partial(make, names))

    def _made(self, name: str, cells: int, make: Callable[[], Rule]) -> Iterator[Rule]:
        try:
            rule = make()
            self._check(cells, rule)
            Board(self.shape, (rule,)).check()
        except ValueError as error:
            self.notes.append(f"{name} is not a rule: {error}"[:200])
        else:
            yield rule

    def _check(self, cells: int, rule: Rule) -> None:
        """Raise ValueError if there are too few cells, or more cells that must differ than values."""
        if cells < 2 and not isinstance(rule, KillerCage):
            raise ValueError("it has one cell")
        if isinstance(rule, KillerCage | Thermo) and cells > len(self.shape.values):
            raise ValueError(f"its {cells} cells cannot differ with {len(self.shape.values)} values")

    def groups(self, key: str) -> Iterator[Sequence[Place]]:
        """Yield the cells of each item under a key; cells outside the board are noted and left out."""
        found = self.sheet.question.get(key) or []
        if not isinstance(found, list) or len(found) > MOST_CAGES:
            raise FormatError(f"penpa-edit's {key}: a list of at most {MOST_CAGES} is expected")
        for item in found:
            if item and not isinstance(item, list):
                raise FormatError(f"penpa-edit's {key}: a list of points is expected, not {short(item)}")
            places = [self.paper.cell(point) for point in item or ()]
            if None in places:
                self.notes.append(f"{key}: cells outside the board are left out")
            inside = [place for place in places if place is not None]
            if inside:
                yield inside

    def _sums(self) -> dict[Place, tuple[str, int]]:
        """Return the small numbers in the upper left corners of cells, each with its point."""
        found: dict[Place, tuple[str, int]] = {}
        for key, item in entries(self.sheet.question, "numberS").items():
            index, text = self.paper.index(key), _text(item).strip()
            if self.paper.kind(index) == QUARTER and index % 4 == 0 and text.isdecimal() and len(text) < 6:
                found[self.paper.place(index)] = key, int(text)
        return found

    def _names(self, places: Sequence[Place]) -> Names:
        return tuple(f"R{row + 1}C{column + 1}" for row, column in places)


def _text(item: Any) -> str:
    text = item[0] if isinstance(item, list) and item else ""
    return str(text) if isinstance(text, str | int) and not isinstance(text, bool) else ""
