"""Writing puzzles and grids as text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ..errors import FormatError, meant
from ..puzzle.drawing import board_text
from ..puzzle.grid import Cell, Grid
from ..puzzle.puzzle import Puzzle
from ..puzzle.shape import Shape
from ..puzzle.symbols import line_of
from .catalogue import FORMATS
from .jigsaw import write_jigsaw
from .options import symbols_of
from .refusals import refuse_candidates, refuse_regions, refuse_rules

Board = Puzzle | Grid
Writer = Callable[[Iterable[Puzzle], str | None], Iterator[str]]
_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")


def write(puzzles: Iterable[Board], format: str, *, alphabet: str | None = None) -> Iterator[str]:
    """Write puzzles, or grids, as pieces of text; each piece ends with a line.

    ``format`` is a name in ``FORMATS``, ``alphabet`` a name in ``ALPHABETS`` or the symbols of 1, 2, ... (by default
    digits, then letters up to side 25, else numbers). Raises FormatError for what the format cannot hold: candidates
    and rules but in the formats of variants (``json`` holds all, ``iss`` and ``f-puzzles`` most), irregular regions
    but in those and ``jigsaw``, other boards than 9 x 9 in ``sdm``, a second puzzle in ``sdk``, symbols that are too
    few. What a reader has to be told, boxes of another shape or none, is not stated by formats of cells alone.
    """
    if format not in _WRITERS:
        raise FormatError(f"the format {format!r}: one of {', '.join(_WRITERS)} is expected{meant(format, _WRITERS)}")
    symbols = symbols_of(alphabet)
    checked = (_as_puzzle(board) if format in _VARIANTS else _plain(board, format) for board in puzzles)
    return _WRITERS[format](checked, symbols)


def _as_puzzle(board: Board) -> Puzzle:
    return Puzzle.of(board) if isinstance(board, Grid) else board


def _plain(board: Board, name: str) -> Puzzle:
    """Return a puzzle that is no more than a board and its givens."""
    puzzle = _as_puzzle(board)
    refuse_candidates(puzzle, name)
    refuse_rules(puzzle, name)
    if name != "jigsaw":
        refuse_regions(puzzle, name)
    return puzzle


def _cells(values: Sequence[Cell], shape: Shape, symbols: str | None) -> str:
    if symbols is not None:
        _check_symbols(symbols, shape)
    return line_of(values, shape, symbols)


def _check_symbols(symbols: str, shape: Shape) -> None:
    if shape.values[0] < 1 or shape.values[-1] > len(symbols):
        raise FormatError(f"{len(symbols)} symbols: {shape.values[-1]} are expected for {shape}")
    if "." in symbols[: shape.values[-1]]:
        raise FormatError("the alphabet holds '.', which stands for open cells")


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text.strip())


def _lines(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    for puzzle in puzzles:
        comment = _one_line(puzzle.comment or puzzle.title)
        yield _cells(puzzle.givens, puzzle.shape, symbols) + (f" # {comment}" if comment else "") + "\n"


def _sdm(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    for puzzle in puzzles:
        if puzzle.shape.cells != 81:
            raise FormatError(f"sdm holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        yield _cells(puzzle.givens, puzzle.shape, symbols) + "\n"


def _notes(puzzle: Puzzle) -> str:
    """Write the title and the comment as # lines."""
    comments = puzzle.comment.strip().splitlines()
    if not puzzle.title and not comments:
        return ""
    return "".join(f"# {_one_line(line)}".rstrip() + "\n" for line in (puzzle.title, *comments))


def _grids(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    for i, puzzle in enumerate(puzzles):
        if symbols is not None:
            _check_symbols(symbols, puzzle.shape)
        drawn = board_text(puzzle.shape, puzzle.givens, symbols)
        yield ("\n" if i else "") + _notes(puzzle) + drawn + "\n"


def _numbers(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    if symbols is not None:
        raise FormatError("an alphabet was given: the format numbers has none")
    for i, puzzle in enumerate(puzzles):
        width = max(len(str(value)) for value in puzzle.shape.values)
        words = ["." if value is None else str(value) for value in puzzle.givens]
        rows = [words[r : r + puzzle.shape.width] for r in range(0, len(words), puzzle.shape.width)]
        text = "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)
        yield ("\n" if i else "") + _notes(puzzle) + text


def _sdk(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    for i, puzzle in enumerate(puzzles):
        if i:
            raise FormatError("sdk holds one puzzle: a second cannot be written")
        line = _cells(puzzle.givens, puzzle.shape, symbols)
        if len(line) != puzzle.shape.cells:
            raise FormatError(f"sdk holds one symbol a cell: {puzzle.shape} cannot be written")
        width = puzzle.shape.width
        rows = [line[i : i + width] + "\n" for i in range(0, len(line), width)]
        title = [f"#D{_one_line(puzzle.title)}\n"] if puzzle.title.strip() else []
        comments = [f"#C{_one_line(text)}\n" for text in puzzle.comment.strip().splitlines()]
        yield "".join([*title, *comments, "[Puzzle]\n", *rows])


def _table(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write a table; the first puzzle decides whether it has a column for solutions."""
    boards = iter(puzzles)
    first = next(boards, None)
    if first is None:
        return
    solved = first.stated is not None
    yield "puzzle,solution\n" if solved else "puzzle\n"
    for puzzle in chain([first], boards):
        if puzzle.stated is not None and not solved:
            raise FormatError("a puzzle with its solution behind one without: the table has no column for it")
        fields = [_cells(puzzle.givens, puzzle.shape, symbols)]
        if solved:
            fields.append("" if puzzle.stated is None else _cells(puzzle.stated, puzzle.shape, symbols))
        yield _csv_line(fields)


def _csv_line(fields: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def _iss(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    from .iss.writing import write_iss

    if symbols is not None:
        raise FormatError("an alphabet was given: the format iss has none")
    for puzzle in puzzles:
        yield write_iss(puzzle) + "\n"


def _jigsaws(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    for puzzle in puzzles:
        yield write_jigsaw(puzzle, _cells(puzzle.givens, puzzle.shape, symbols))


def _simple(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write boards of nine lines between bars and dashes."""
    for i, puzzle in enumerate(puzzles):
        if puzzle.shape != Shape.square(9):
            raise FormatError(f"ss holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        line = _cells(puzzle.givens, puzzle.shape, symbols)
        rows = ["|" + "|".join(line[j : j + 3] for j in range(r, r + 9, 3)) + "|" for r in range(0, 81, 9)]
        bands = "\n|---+---+---|\n".join("\n".join(rows[r : r + 3]) for r in (0, 3, 6))
        yield ("\n" if i else "") + f"*-----------*\n{bands}\n*-----------*\n"


def _each(name: str, of_one: Callable[[str], Callable[[Puzzle], str]]) -> Writer:
    """Return the writer of a format that has no alphabet to choose; ``of_one`` loads what writes one puzzle."""

    def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
        """Write one puzzle after the other, a blank line before each of several lines; among grids before each."""
        if symbols is not None:
            raise FormatError(f"an alphabet was given: the format {name} has none")
        write_one = of_one(name)
        for i, puzzle in enumerate(puzzles):
            text = write_one(puzzle)
            yield ("\n" if i and ("\n" in text or name == "grids") else "") + text.removesuffix("\n") + "\n"

    return write_all


def _writer_of(name: str) -> Callable[[Puzzle], str]:
    from . import fpuzzles, headed, ipuz, killer, own_json, pencilmarks, sdx

    found: Mapping[str, Callable[[Puzzle], str]] = {
        "json": own_json.write_own,
        "f-puzzles": fpuzzles.link_of,
        "f-puzzles-json": fpuzzles.json_of,
        "sudokupad": fpuzzles.sudokupad_link_of,
        "grids": headed.write_headed,
        "killer": killer.write_killer_long,
        "killer-short": killer.write_killer_short,
        "pencilmarks": pencilmarks.write_marks,
        "sdx": sdx.write_sdx,
        "ipuz": ipuz.write_ipuz,
    }
    return found[name]


_LINKS = ("f-puzzles", "f-puzzles-json", "sudokupad")
_PLAIN = ("json", *_LINKS, "grids", "killer", "killer-short", "pencilmarks", "sdx", "ipuz")
_VARIANTS = frozenset(["iss", *_PLAIN]) - {"sdx"}
"""Formats that hold candidates or rules, or refuse them by themselves."""
_WRITERS: Mapping[str, Writer] = {
    "line": _lines,
    "grid": _grids,
    "numbers": _numbers,
    "csv": _table,
    "sdk": _sdk,
    "sdm": _sdm,
    "iss": _iss,
    **{name: _each(name, _writer_of) for name in _PLAIN},
    "jigsaw": _jigsaws,
    "ss": _simple,
}
assert set(_WRITERS) == {name for name, kind in FORMATS.items() if kind.writes}
