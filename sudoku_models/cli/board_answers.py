"""The answers of the verbs that work on boards: records, tables, or boards in any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import FormatError, SudokuModelsError
from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle
from .answers import wants_table
from .codes import Code, UsageError, code_of
from .each import Question, ask_each
from .effort import refuse
from .inputs import Input
from .options import Records
from .outputs import output
from .records import writer
from .terminal import Tally
from .why import Reported

PLACE = ("number", "source", "line", "puzzle")
Answer = tuple[dict[str, Any], str, Code]


def _fields(entry: Entry, found: Reported) -> Answer:
    return found.fields, found.text, found.code


@dataclass(frozen=True)
class BoardVerb:
    """A verb about boards: its name, the function that answers, and the fields of its record.

    These answers are not rows of a table. ``tell`` also receives the place of the board.
    """

    name: str
    by: str
    ask: Callable[[Puzzle], Answer]
    fields: Sequence[str]
    tell: Callable[[Entry, Reported], Answer] = _fields

    def each(self, source: Input, format: Records | None, out: str | None) -> Code:
        """Answer each board in turn, with one record for each."""
        refuse(not wants_table(format, out), f"{self.name} writes no tables: choose line, json, jsonl or csv")
        columns = (*PLACE, *self.fields, "seconds")
        question = Question(self.name, self._timed, self.tell, dict.fromkeys(self.fields))
        written = writer(format or Records.LINE, f"sudoku-models/{self.name}/1", columns)
        return ask_each(source, question, 1, written, out)

    def _timed(self, puzzle: Puzzle) -> Reported:
        try:
            return Reported.timed(lambda: self.ask(puzzle), self.by)
        except ValueError as error:
            raise error if isinstance(error, SudokuModelsError) else UsageError(str(error)) from None


def each_board(source: Input, work: Callable[[Puzzle], Iterable[Puzzle]], to: str, out: str | None) -> Code:
    """Write the boards made from each board; an error in one is reported, and the others are still written."""
    tally = Tally()

    def boards() -> Iterator[Puzzle]:
        for entry in source.entries(tally):
            if entry.puzzle is not None:
                yield from _of(entry, entry.puzzle)

    def _of(entry: Entry, puzzle: Puzzle) -> Iterator[Puzzle]:
        try:
            for found in work(puzzle):
                check(found, to)
                yield found
        except (SudokuModelsError, ValueError) as error:
            code = code_of(error) if isinstance(error, SudokuModelsError) else Code.USAGE
            tally.problem(f"{entry.place}: {error}", code)

    written(boards(), to, out)
    return tally.code


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
