"""A picture of a puzzle, for a notebook, a page or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..puzzle import Grid, Puzzle

if TYPE_CHECKING:
    from .svg.canvas import Canvas


@dataclass(frozen=True)
class Picture:
    """An SVG picture: ``svg`` takes its colours from the page around it. A notebook shows it."""

    svg: str
    alone: str
    """The same as a file of its own, which looks for itself whether the background is dark."""

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.alone, encoding="utf-8")

    def _repr_html_(self) -> str:
        return f'<div class="sudoku-models">{self.svg}</div>'

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"


def picture(
    puzzle: Puzzle,
    values: Grid | Mapping[str, int] | Iterable[int | None] | None = None,
    *,
    legend: bool = True,
    marked: Callable[[Canvas], None] | None = None,
) -> Picture:
    """Draw a puzzle with its rules, candidates and givens; under the board the rules are told.

    ``values`` fills the open cells in lighter digits: a grid, its values, or a mapping by name that may cover extra
    cells and unknown regions too (``Result.values``). Without ``legend`` the text under the board is left out.
    ``marked`` draws more on the finished board. ValueError for values of another board.
    """
    from .svg import puzzle_svg

    if values is not None and not isinstance(values, Grid | Mapping):
        values = tuple(values)
    drawn, alone = (puzzle_svg(puzzle, values, legend=legend, alone=alone, marked=marked) for alone in (False, True))
    return Picture(drawn, alone)
