"""A picture of a puzzle, for a notebook, a page or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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
        """Write the picture to a file: SVG, PNG, PDF or HTML, as its name ends.

        Raises ValueError for another ending; ImportError, with the command that installs it, where PNG or PDF need what
        is not there (the package vl-convert-python of the extra ``plot``).
        """
        write = _WAYS.get(Path(path).suffix.lower())
        if write is None:
            raise ValueError(f"{path}: a name that ends in {', '.join(_WAYS)} is expected")
        Path(path).write_bytes(write(self))

    def png(self, scale: float = 2) -> bytes:
        """Return the picture as PNG, ``scale`` pixels a unit of the SVG. ImportError as for ``save``."""
        return bytes(_converter().svg_to_png(self._on_white(), scale=scale))

    def pdf(self) -> bytes:
        """Return the picture as a PDF of one page. ImportError as for ``save``."""
        return bytes(_converter().svg_to_pdf(self._on_white()))

    def _on_white(self) -> str:
        """Return the file with a white sheet behind: those who convert it pass over its background."""
        sheet = '<rect x="-50%" y="-50%" width="200%" height="200%" fill="#fff"/>'
        return self.alone.replace("</style>", f"</style>{sheet}", 1)

    def page(self) -> str:
        """Return an HTML page that shows the picture."""
        return f'<!doctype html>\n<meta charset="utf-8">\n<title>Sudoku</title>\n{self.alone}\n'

    def _repr_html_(self) -> str:
        return f'<div class="sudoku-models">{self.svg}</div>'

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise ImportError("PNG and PDF need vl-convert-python: pip install 'sudoku-models[plot]'") from error
    return vl_convert


_WAYS: Mapping[str, Callable[[Picture], bytes]] = {
    ".svg": lambda made: made.alone.encode(),
    ".png": lambda made: made.png(),
    ".pdf": lambda made: made.pdf(),
    ".html": lambda made: made.page().encode(),
}
"""How a picture is written, by the ending of the file's name."""


class HasValues(Protocol):
    """What has the values of an answer by name, as a Result has; None where there is no answer."""

    @property
    def values(self) -> Mapping[str, int] | None:
        """The values by name."""


def picture(
    puzzle: Puzzle | Grid,
    values: Grid | HasValues | Mapping[str, int] | Iterable[int | None] | None = None,
    *,
    legend: bool = True,
    marked: Callable[[Canvas], None] | None = None,
) -> Picture:
    """Draw a puzzle with its rules, candidates and givens; the rules are written under the board.

    ``values`` fills the open cells in lighter digits: a grid, its values, a Result (nothing where it has no solution),
    or a mapping by name that may cover extra cells and unknown regions too (``Result.values``). Without ``legend`` the
    text under the board is left out. ``marked`` draws more on the finished board. Raises ValueError for values of
    another board, TypeError for what is not a puzzle (a grid is taken for one whose givens are its values).
    """
    from .svg import puzzle_svg

    if isinstance(puzzle, Grid):
        puzzle = Puzzle.of(puzzle)
    if not isinstance(puzzle, Puzzle):
        example = (
            "picture(puzzle, result) draws a result in its puzzle" if hasattr(puzzle, "values") else "see Puzzle.parse"
        )
        raise TypeError(f"{type(puzzle).__name__} is not a puzzle, which is expected first: {example}")
    filling = _filling(values)
    drawn, alone = (puzzle_svg(puzzle, filling, legend=legend, alone=alone, marked=marked) for alone in (False, True))
    return Picture(drawn, alone)


def _filling(
    values: Grid | HasValues | Mapping[str, int] | Iterable[int | None] | None,
) -> Grid | Mapping[str, int] | tuple[int | None, ...] | None:
    if values is None or isinstance(values, Grid | Mapping):
        return values
    return tuple(values) if isinstance(values, Iterable) else values.values
