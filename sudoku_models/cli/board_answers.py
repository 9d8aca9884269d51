"""Answers of the verbs about making that are boards, in any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors import FormatError, SudokuModelsError
from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle
from .answers import wants_table
from .codes import Code, UsageError, code_of
from .effort import refuse
from .inputs import Input
from .outputs import output
from .terminal import Tally


def as_boards(source: Input, to: str, format: str | None, out: str | None) -> bool:
    """Return whether boards are to be written in the format ``to``, not rows; a shard always has rows."""
    if format is not None or wants_table(format, out):
        return False
    refuse(
        source.shard is None or to == "line",
        f"--shard and --to {to} cannot be combined: choose line, or --format csv, jsonl or parquet",
    )
    return source.shard is None


def each_board(source: Input, work: Callable[[Entry, Puzzle], Iterable[Puzzle]], to: str, out: str | None) -> Code:
    """Write the boards made from each entry; an error in one is reported, and the others are still written."""
    tally = Tally()

    def boards() -> Iterator[Puzzle]:
        for entry in source.entries(tally):
            if entry.puzzle is not None:
                yield from _of(entry, entry.puzzle)

    def _of(entry: Entry, puzzle: Puzzle) -> Iterator[Puzzle]:
        try:
            for found in work(entry, puzzle):
                check(found, to)
                yield found
        except (SudokuModelsError, ValueError) as error:
            code = code_of(error) if isinstance(error, SudokuModelsError) else Code.USAGE
            tally.problem(f"{entry.place}: {error}", code)

    written(boards(), to, out)
    return tally.code


def refused(puzzle: Puzzle, to: str) -> FormatError | None:
    """Return the error of a format that cannot hold the puzzle; None if it can."""
    try:
        check(puzzle, to)
    except FormatError as error:
        return error
    return None


def check(puzzle: Puzzle, to: str) -> None:
    """Raise FormatError if a format cannot hold the puzzle."""
    if puzzle.rules or puzzle.candidates:
        for _ in write([puzzle], to):
            pass


def writable(to: str) -> None:
    """Raise UsageError for a format that cannot be written."""
    names = [name for name, format in FORMATS.items() if format.writes]
    refuse(to in names, f"--to {to}: one of {', '.join(names)} is expected")


def written(puzzles: Iterator[Puzzle], to: str, out: str | None) -> None:
    """Write puzzles in a format."""
    writable(to)
    with output(out) as put:
        for piece in write(puzzles, to):
            put(piece)


def used(work: Callable[[], Any]) -> Any:
    """Turn errors caused by wrong options into UsageError."""
    try:
        return work()
    except FormatError:
        raise
    except (ValueError, FileExistsError) as error:
        raise UsageError(str(error)) from None
