"""A puzzle: a shape, givens, perhaps candidates and rules. What it means is its model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..model import Domain, Model, domain
from .drawing import board_html, board_text
from .grid import Cell, Grid
from .shape import Shape
from .symbols import line_of


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A Sudoku as data. Immutable.

    ``givens`` holds a value for each cell, None where it is open. ``candidates`` narrows single cells to some values:
    pairs of a cell's number and a domain. ``title`` and ``comment`` are text found beside the puzzle; ``stated`` is a
    solution that came with it (by its author, unchecked).
    """

    shape: Shape
    givens: tuple[Cell, ...]
    candidates: tuple[tuple[int, Domain], ...] = ()
    title: str = ""
    comment: str = ""
    stated: tuple[Cell, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.givens) != self.shape.cells:
            raise ValueError(f"{len(self.givens)} cells for a board of {self.shape}: {self.shape.cells} are expected")
        if not self.shape.contents.issuperset(self.givens):
            self._refuse()

    def _refuse(self) -> None:
        for cell, given in enumerate(self.givens):
            if given not in self.shape.contents:
                span = _span(self.shape.values)
                raise ValueError(f"{self.shape.names[cell]}: {given} is out of range: {span} are possible")

    @staticmethod
    def parse(
        text: str, *, input_format: str | None = None, alphabet: str | None = None, shape: Shape | None = None
    ) -> Puzzle:
        """Read one puzzle from text in any known format; FormatError says what, where and what was expected.

        ``input_format``, ``alphabet`` and ``shape`` choose where the text has several readings (see
        ``sudoku_models.formats``).
        """
        from ..formats import parse

        return parse(text, input_format=input_format, alphabet=alphabet, shape=shape)

    @classmethod
    def of(cls, grid: Grid, **fields: Any) -> Puzzle:
        """Make a puzzle whose givens are the values of a grid."""
        return cls(grid.shape, grid.values, **fields)

    @classmethod
    def empty(cls, shape: Shape) -> Puzzle:
        """Make the puzzle without givens."""
        return cls(shape, (None,) * shape.cells)

    @property
    def structure(self) -> Model:
        """The model of everything but the givens and candidates: one object shared by all puzzles of the shape."""
        return self.shape.model

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """The givens (domains of one) and candidates (domains of some), by the cell's name."""
        names = self.shape.names
        found: dict[str, Domain] = {names[i]: (given,) for i, given in enumerate(self.givens) if given is not None}
        for cell, values in self.candidates:
            given = found.get(names[cell])
            found[names[cell]] = values if given is None else tuple(v for v in given if v in values)
        return found

    @property
    def model(self) -> Model:
        """The whole model, with givens and candidates in the domains."""
        return self.structure.narrowed(self.domains)

    @property
    def grid(self) -> Grid:
        """The givens as a grid."""
        return Grid(self.shape, self.givens)

    @property
    def clues(self) -> int:
        """The number of givens."""
        return sum(given is not None for given in self.givens)

    def with_candidates(self, candidates: Mapping[str, Iterable[int]]) -> Puzzle:
        """Return the puzzle with cells, by name, narrowed to some values."""
        added = tuple((self.shape.cell(name), domain(values)) for name, values in candidates.items())
        return replace(self, candidates=(*self.candidates, *added))

    def to_line(self, alphabet: str | None = None) -> str:
        """Return the givens in one line, '.' for open cells."""
        return line_of(self.givens, self.shape, alphabet)

    def __repr__(self) -> str:
        return f"<Puzzle of {self.shape}: {self.to_line()}>"

    def __str__(self) -> str:
        return board_text(self.shape, self.givens)

    def _repr_html_(self) -> str:
        return board_html(self.shape, self.givens)

    def __getstate__(self) -> dict[str, object]:
        return {key: self.__dict__[key] for key in self.__dataclass_fields__}


def _span(values: Domain) -> str:
    return f"{values[0]} to {values[-1]}"
