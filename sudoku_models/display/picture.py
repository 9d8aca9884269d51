"""A picture of a puzzle, for a notebook, a page or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..dataclass import dataclass
from ..puzzle import Grid, Puzzle

if TYPE_CHECKING:
    from .svg.canvas import Canvas

STYLE = (
    "<style>svg{color:#1d1d1f;background:#fff}"
    "@media (prefers-color-scheme:dark){svg{color:#e8e8ea;background:#17181c}}</style>"
)
"""For separate files, which include their background: browsers show SVG files on white, to those who
prefer the dark too. In a page pictures take the colour of the text around them."""


@dataclass(frozen=True)
class Picture:
    """An SVG picture that notebooks show: ``svg`` takes its colours from the page around it."""

    svg: str

    @property
    def alone(self) -> str:
        """The same picture as a separate file, which adapts itself to a dark background."""
        return self.svg.replace(">", f">{STYLE}", 1)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG, PNG, PDF or HTML, according to its suffix.

        Raises ValueError for another suffix, and ImportError, with the command that installs it, if PNG or PDF
        need the missing package vl-convert-python (extra ``plot``).
        """
        write = _WAYS.get(Path(path).suffix.lower())
        if write is None:
            raise ValueError(f"{path}: a name ending in {', '.join(_WAYS)} is expected")
        Path(path).write_bytes(write(self))

    def png(self, scale: float = 2) -> bytes:
        """Return the picture as PNG, with ``scale`` pixels for each SVG unit. Raises ImportError as ``save`` does."""
        return bytes(_converter().svg_to_png(self._on_white(), scale=scale))

    def pdf(self) -> bytes:
        """Return the picture as a one-page PDF. Raises ImportError as ``save`` does."""
        return bytes(_converter().svg_to_pdf(self._on_white()))

    def _on_white(self) -> str:
        """Return the file with a white rectangle behind, as converters ignore its background."""
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
"""The writers of pictures, by suffix."""


class HasValues(Protocol):
    """An object with the values of an answer by name, such as a Result; None if there is no answer."""

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

    ``values`` fills the open cells with lighter digits: a grid, its values, a Result (no digits if it has no solution),
    or a mapping by name that may also cover extra cells and unknown regions (``Result.values``). Without ``legend``,
    the text under the board is left out. ``marked`` draws more on the finished board. Raises ValueError for values of
    another board, and TypeError for anything but a puzzle (a grid counts as a puzzle with its values as givens).
    """
    from .svg import puzzle_svg

    if isinstance(puzzle, Grid):
        puzzle = Puzzle.of(puzzle)
    if not isinstance(puzzle, Puzzle):
        example = (
            "picture(puzzle, result) draws a result in its puzzle"
            if hasattr(puzzle, "values")
            else "Puzzle.parse(text) makes one"
        )
        raise TypeError(f"the first argument is {type(puzzle).__name__}, where a puzzle is expected: {example}")
    filling = values if values is None or isinstance(values, Grid | Mapping | Iterable) else values.values
    return Picture(puzzle_svg(puzzle, filling, legend=legend, marked=marked))
