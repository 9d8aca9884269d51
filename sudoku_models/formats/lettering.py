"""Pieces of text that several formats write: cells, comments, one puzzle after another; and their refusals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ..errors import FormatError
from ..puzzle.grid import Cell
from ..puzzle.puzzle import Puzzle
from ..puzzle.shape import Shape
from ..puzzle.symbols import line_of
from .format import CANDIDATES, REGIONS, RULES, Writer


def cells_text(values: Sequence[Cell], shape: Shape, symbols: str | None) -> str:
    """Write cells, with one symbol each if there are enough; raise FormatError if they do not fit the shape."""
    if symbols is not None:
        check_symbols(symbols, shape)
    return line_of(values, shape, symbols)


def check_symbols(symbols: str, shape: Shape) -> None:
    """Raise FormatError if an alphabet is too short for a shape, or contains the sign for open cells."""
    if shape.values[0] < 1 or shape.values[-1] > len(symbols):
        raise FormatError(f"{len(symbols)} symbols: {shape.values[-1]} are expected for {shape}")
    if "." in symbols[: shape.values[-1]]:
        raise FormatError("the alphabet contains '.', which stands for open cells")


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def notes_text(puzzle: Puzzle) -> str:
    """Write the title and the comment as # lines."""
    comments = puzzle.comment.strip().splitlines()
    if not puzzle.title and not comments:
        return ""
    return "".join(f"# {one_line(line)}".rstrip() + "\n" for line in (puzzle.title, *comments))


def each(
    name: str, write_one: Callable[[Puzzle], str], apart: Callable[[str], bool] = lambda text: "\n" in text
) -> Writer:
    """Make the writer of a format without an alphabet from a function that writes one puzzle.

    A blank line precedes each puzzle whose text is to stand apart from the one before: by default one of several lines.
    """

    def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
        """Write one puzzle after another."""
        if symbols is not None:
            raise FormatError(f"the format {name} uses no alphabet: leave out the alphabet")
        for i, puzzle in enumerate(puzzles):
            text = write_one(puzzle)
            yield ("\n" if i and apart(text) else "") + text.removesuffix("\n") + "\n"

    return write_all


def refuse(puzzle: Puzzle, name: str, parts: Collection[str]) -> None:
    """Raise a FormatError that names the kinds of rules, candidates or irregular regions that a format would lose."""
    if CANDIDATES in parts and puzzle.candidates:
        raise FormatError(f"a puzzle with candidates cannot be written in the format {name}: json can hold them")
    if RULES in parts and puzzle.rules:
        kinds = ", ".join(sorted({type(rule).__name__ for rule in puzzle.rules}))
        raise FormatError(f"a puzzle with rules ({kinds}) cannot be written in the format {name}: json can hold them")
    if REGIONS in parts and puzzle.shape.regions and puzzle.shape.box is None:
        raise FormatError(f"{puzzle.shape} cannot be written in the format {name}: jigsaw and json hold the regions")
