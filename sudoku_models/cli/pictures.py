"""Puzzles as pictures: SVG and PNG of one puzzle, PDF with a page for each of many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..display import Picture, picture
from ..display.pdf import joined
from ..errors import LimitReached, SudokuModelsError, Unusable
from ..formats import Entry
from ..verbs.solving import candidates, solve
from .codes import Code, UsageError
from .convert import further
from .outputs import Write
from .terminal import Tally

MOST_PAGES = 2_000
"""The largest number of puzzles in one PDF document, which is built in memory."""


@dataclass(frozen=True)
class PictureOptions:
    """What a picture shows besides the givens: the solution, the candidates of the empty cells."""

    kind: str
    solution: bool = False
    candidates: bool = False


def draw(entries: Iterator[Entry], wanted: PictureOptions, tally: Tally, out: str | None, put: Write) -> None:
    """Write a picture of one puzzle, or a document with a page for each puzzle, followed by pages with solutions."""
    if wanted.kind != "svg" and out in (None, "-") and sys.stdout.isatty():
        raise UsageError(f"--format {wanted.kind} is binary: name a file with --out")
    found = [entry for entry in islice(entries, MOST_PAGES + 1) if entry.puzzle is not None]
    if wanted.kind == "pdf":
        if len(found) > MOST_PAGES:
            raise UsageError(f"--format pdf: up to {MOST_PAGES} puzzles are expected")
        put(_document(found, wanted, tally))
        return
    if len(found) > 1:
        tally.problem(further(found[1], wanted.kind), Code.USAGE)
    if found and (made := _drawn(found[0], wanted, wanted.solution, tally)):
        put(made.alone + "\n" if wanted.kind == "svg" else _converted(made.png))


def _document(entries: Sequence[Entry], wanted: PictureOptions, tally: Tally) -> bytes | str:
    pages = [_drawn(entry, wanted, False, tally) for entry in entries]
    if wanted.solution:
        pages += [_drawn(entry, wanted, True, tally) for entry in entries]
    kept = [_converted(page.pdf) for page in pages if page is not None]
    return joined(kept) if kept else ""


def _drawn(entry: Entry, wanted: PictureOptions, solved: bool, tally: Tally) -> Picture | None:
    """Return the picture of a puzzle; report an error and return None if it has no solution to show."""
    puzzle = entry.puzzle
    assert puzzle is not None
    try:
        if solved:
            result = solve(puzzle)
            if result.values is None:
                tally.problem(f"{entry.place}: {result.status}: there is no solution to draw", Code.NO_SOLUTION)
                return None
            return picture(puzzle, result)
        if wanted.candidates:
            marks = candidates(puzzle)
            names = dict(zip(puzzle.shape.names, puzzle.givens, strict=True))
            puzzle = puzzle.with_candidates({x: values for x, values in marks.items() if names.get(x, 0) is None})
        return picture(puzzle)
    except LimitReached as error:
        tally.problem(f"{entry.place}: {error}", Code.LIMIT)
    except SudokuModelsError as error:
        tally.problem(f"{entry.place}: {error}", Code.USAGE)
    return None


def _converted(write: Callable[[], bytes]) -> bytes:
    """Return a picture in another format; raise Unusable if the program that converts it is not installed."""
    try:
        return write()
    except ImportError as error:
        raise Unusable(str(error)) from error
