"""What commands share: the types of options, groups of them, and puzzles from files, one after the other.

A puzzle's text or link may be given in place of a file.
"""

from __future__ import annotations

import io
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

from ..bulk.blocks import blocks_of
from ..bulk.questions import Asking
from ..bulk.rows import Block
from ..bulk.shards import Shard
from ..dataclass import dataclass
from ..engine.budget import MOST_WORKERS, memory_fault
from ..engine.contract import Request
from ..engine.registry import select
from ..engine.road import refuse_undeclared
from ..errors import FormatError
from ..formats import Entry
from ..formats.arrow import rows_of
from ..formats.cells import Options, symbols_of
from ..formats.reading import check_input_format, entries_of, parse_with
from ..model import Model, TextError
from ..model.instances import ENDINGS, ending
from ..puzzle import Shape
from .codes import Code, UsageError, refuse
from .parser import whole
from .terminal import Tally, say

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\Z", re.IGNORECASE)
_BOXES = re.compile(r"(\d{1,3})x(\d{1,3})\Z", re.IGNORECASE)


def read_boxes(text: str) -> tuple[int, int]:
    """Parse ``none`` or ``RxC``: the rows and columns of a box; 0 and 0 mean no boxes."""
    if text.lower() == "none":
        return 0, 0
    match = _BOXES.match(text)
    if not match or not int(match[1]) * int(match[2]):
        raise ValueError(f"{text!r}: none, or the rows x columns of a box such as 2x3, is expected")
    return int(match[1]), int(match[2])


def read_seconds(text: str) -> float:
    """Parse a time limit: a positive number of seconds."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{text!r}: a positive number of seconds is expected")
    return value


def read_size(text: str) -> int:
    """Parse a size of memory: bytes, or a number with k, M, G or T (powers of 1024), in a sensible range."""
    match = _SIZE.match(text.strip())
    if not match:
        raise ValueError(f"{text!r}: a size such as 500M or 2G is expected")
    size = float(match[1]) * 1024 ** " kmgt".index(match[2].lower() or " ")  # infinity for hundreds of digits
    fault = memory_fault(size)
    if fault:
        said = text if len(text) < 40 else f"{text[:20]}..."
        raise ValueError(f"{said} is {fault}: a size such as 500M or 2G is expected")
    return int(size)


Records = Literal["line", "json", "jsonl", "csv", "parquet", "arrow"]
"""How answers that are not boards are written."""
Output = Literal["line", "grid", "json", "jsonl", "csv", "parquet", "arrow"]
"""How boards are written."""
Number = Annotated[int, whole(0)]
Positive = Annotated[int, whole(1)]
Seconds = Annotated[float, read_seconds]
Size = Annotated[int, read_size]
Threads = Annotated[int, whole(1, MOST_WORKERS)]
Boxes = Annotated[tuple[int, int], read_boxes]


@dataclass(frozen=True)
class ChosenBackend:
    """The backend, its limits, and the number of puzzles solved at the same time.

    Limits:
    --seed NUMBER  The seed of the search, for engines that have one.
    --workers NUMBER  The number of threads in the engine, for engines that have them.
    """

    backend: str = "auto"
    time_limit: Seconds | None = None
    memory_limit: Size | None = None
    seed: Number = 0
    workers: Threads = 1
    jobs: Positive = 1

    @property
    def limits(self) -> dict[str, Any]:
        """The keyword arguments that all verbs share."""
        names = ("time_limit", "memory_limit", "seed", "workers")
        return {name: getattr(self, name) for name in names}

    def logging(self) -> ChosenBackend:
        """Return the choice with a backend that logs its search; Unsupported if its engine has no log."""
        from ..engine.registry import with_log

        return replace(self, backend=with_log(self.backend))

    def checked(self, solutions: int | None = 1) -> ChosenBackend:
        """Refuse options that the backend does not declare, once rather than for each puzzle.

        Raises BadOption, BackendMissing or Unsupported.
        """
        Asking(self.backend, self.limits, jobs=self.jobs)  # which checks them
        if self.backend != "auto":
            refuse_undeclared(select(self.backend), Request(limit=solutions, **self.limits))
        return self


@dataclass(frozen=True)
class Written:
    """How answers are written.

    Output:
    --format -f  The output format; by default that of the file's ending (.parquet, .arrow, .csv, .jsonl, .json).
        [default: line]
    """

    format: Records | None = None
    out: str | None = None


@dataclass(frozen=True)
class Drawn:
    """How answers that are boards are written.

    Output:
    --format -f  The output format; by default that of the file's ending (.parquet, .arrow, .csv, .jsonl, .json).
        [default: grid on a terminal, otherwise line]
    """

    format: Output | None = None
    out: str | None = None


@dataclass(frozen=True)
class Made:
    """How boards that are made are written: as boards, or as records.

    Output:
    --format -f  Write records, not boards; by default a table if the file's name ends in .parquet, .arrow, .csv or
        .jsonl. [default: boards in the format of --to]
    """

    to: str | None = None
    format: Records | None = None
    out: str | None = None


COUNTED = 20_000_000
"""Bytes. Larger files are not read in advance just to find the total for the progress bar."""

LISTED = 20
"""The largest number of ignored drawings that are listed for one puzzle."""

_DOCUMENT = re.compile(r"\s*\{|[0-9.*_?-]{16,}\Z|[0-9._]{8,}\Z|\s*\.[A-Za-z]*~[^/]*\Z|[^?]*\?(\S*&)?(load|q|puzzleid)=")
"""JSON, what can only be the cells of a board, constraints, the query of a link: what is wrong in them is reported."""


class Pasted(io.BytesIO):
    """A puzzle given on the command line itself, with its name in messages."""

    name = "the command line"


def source_of(argument: str, options: Options) -> str | Pasted:
    """Return what an argument names: a file, standard input, or the argument itself as a puzzle.

    An argument that looks like a link or a document, or can be read as a puzzle, is one if no file has that name.
    """
    if not argument:
        raise FormatError("an empty text ('') is neither a file name nor a puzzle; use - for standard input")
    if options.input_format is None and is_instance(argument):
        raise FormatError(
            f"is a model by its name ({ending(Path(argument))}), not puzzles: the command compare takes it, "
            "explain and certify with --model, and in Python solve(Model.read(name))",
            source=argument,
        )
    if argument == "-" or os.path.lexists(argument):
        return argument
    is_document = "://" in argument or "\n" in argument or bool(_DOCUMENT.match(argument))
    if is_document or _is_puzzle(argument, options) or _is_nearly_cells(argument):
        return Pasted(argument.encode("utf-8", "replace"))
    return argument


def is_instance(argument: str) -> bool:
    """Return whether an argument names a file of a solver competition: DIMACS, OPB, MPS, XCSP3, FlatZinc."""
    return ending(Path(argument)) in ENDINGS and os.path.lexists(argument)


def _is_nearly_cells(argument: str) -> bool:
    """Return whether a text consists of cells except for a few characters: no file has such a name."""
    cells = sum(c.isdigit() or c in ".*_?-" for c in argument)
    return cells >= 16 and cells > 0.9 * len(argument) and not {"/", os.sep}.intersection(argument)


def _is_puzzle(argument: str, options: Options) -> bool:
    try:
        return bool(parse_with(argument, replace(options, strict=False)))
    except FormatError:
        return False


@dataclass(frozen=True)
class SourceOptions:
    """Where puzzles come from and how they are read.

    Input:
    --input-format FORMAT  {readable}; by default recognised by the content.
    --alphabet SYMBOLS  The symbols of the values 1, 2, ...: digits, A-P, 1-G, 0-F, or the symbols themselves.
    --boxes none|RxC  Boxes of R rows and C columns, or none (Latin squares); by default as close to square as possible.
    --strict  Treat drawings and keys that are not understood as errors, not as warnings.
    --guess  Interpret drawings without a stated meaning as the rules that they look like, and list them.
    """

    files: list[str] | None = None
    input_format: str | None = None
    alphabet: str | None = None
    boxes: Boxes | None = None
    strict: bool = False
    guess: bool = False

    @property
    def column(self) -> str | None:
        """The column of puzzles, where the source may be a table."""
        return None

    @property
    def shard(self) -> Shard | None:
        """The part to answer, where that may be chosen."""
        return None

    @property
    def stated(self) -> Sequence[str]:
        """The named files; empty if puzzles come from standard input."""
        return [name for name in self.files or () if name != "-"]

    @property
    def options(self) -> Options:
        """The reading options, in the form that the formats take."""
        return Options(
            self.input_format, symbols_of(self.alphabet), self._shape(), self.strict, self.column, self.guess
        )

    def entries(self, tally: Tally, only: int | None = None) -> Iterator[Entry]:
        """Yield every entry of every file, and report what cannot be read, including bad entries.

        ``only`` is the number, from 1 over all files, of the one entry that is wanted: nothing is reported about
        others.
        """
        numbers = count(1)
        for name in self._sources():
            try:
                for entry in self._read(name):
                    if only is not None and next(numbers) != only:
                        continue
                    mention(entry, tally)
                    yield entry
            except FormatError as error:
                tally.problem(str(error), Code.USAGE)

    def quiet_entries(self) -> Iterator[Entry]:
        """Yield every entry of every file, without reports; raise FormatError for a file that cannot be read."""
        for name in self._sources():
            yield from self._read(name)

    def stream(self, tally: Tally, many: int) -> Iterator[Block]:
        """Yield the puzzles of every file: single rows, and larger blocks for tables and after ``many`` classic lines.

        Report what cannot be read, including bad entries; raise FormatError if the only file cannot be read.
        """
        for name in self._sources():
            try:
                check_input_format(self.input_format)
                for block in blocks_of(source_of(name, self.options), self.options, self.shard, singly=many):
                    for row in sorted(block.rows.others):
                        mention(block.entry(row), tally)
                    yield block
            except FormatError as error:
                if len(self.files or ()) < 2:
                    raise
                tally.problem(str(error), Code.USAGE)

    def count(self) -> int | None:
        """Return the number of entries if that is quick to find, else None."""
        paths = [Path(name) for name in self.files or ("-",)]  # a text is not a file
        try:
            if not all(path.is_file() for path in paths) or sum(path.stat().st_size for path in paths) > COUNTED:
                return None
            found = ((path, rows_of(path)) for path in paths)
            return sum(sum(1 for _ in self._read(str(path))) if rows is None else rows for path, rows in found)
        except (OSError, FormatError):
            return None

    def _sources(self) -> Iterator[str]:
        """Yield what to read, and say that puzzles are read from the terminal."""
        for name in self.files or ("-",):
            if name == "-" and sys.stdin is not None and sys.stdin.isatty():
                say("reading puzzles from the terminal (end with Ctrl-D)")
            yield name

    def _read(self, name: str) -> Iterator[Entry]:
        check_input_format(self.input_format)
        return entries_of(source_of(name, self.options), self.options)

    def _shape(self) -> Shape | Callable[[int], Shape] | None:
        if self.boxes is None:
            return None
        height, width = self.boxes
        if not height:
            return Shape.latin
        try:
            return Shape.square(height * width, self.boxes)
        except ValueError as error:
            raise FormatError(f"--boxes: {error}") from error


@dataclass(frozen=True)
class Tabular(SourceOptions):
    """A source that may be a table.

    Input:
    --column NAME  The column of puzzles in a table (CSV, Parquet, Arrow); by default recognised by its name.
    """

    column: str | None = None


@dataclass(frozen=True)
class Sharded(Tabular):
    """A source that may be answered in parts.

    Input:
    --shard I/N  Answer only the I-th of N parts of the file, in a separate file beside --out; the command merge joins
        them.
    """

    shard: Annotated[Shard, Shard.parse] | None = None


@dataclass(frozen=True)
class PuzzlesOrModel(Sharded):
    """A source that may be a table, or a model in place of puzzles.

    Input:
    --model FILE  Ask about a model in place of puzzles: its text, as the command export writes it, or an instance
        (.cnf, .opb, .mps, .xml, .fzn).
    """

    model: Path | None = None

    def __post_init__(self) -> None:
        """Read the model at once: what is wrong with it is said before anything else."""
        _ = self.stated_model

    @cached_property
    def stated_model(self) -> Model | None:
        """The model, if there is one; UsageError for puzzles together with it, and for one that cannot be read."""
        if self.model is None:
            return None
        refuse(self.shard is None, "--model and --shard cannot be combined: a model is one row")
        refuse(not self.stated, "--model cannot be combined with files of puzzles")
        return model_in(self.model)

    def stream(self, tally: Tally, many: int) -> Iterator[Block]:
        """Yield the puzzles as usual, or the model as one row, which has a place and no cells."""
        if self.stated_model is None:
            yield from super().stream(tally, many)
        else:
            yield Block.of_entry(Entry(1, 1, None, None, str(self.model)), self.stated_model)

    def count(self) -> int | None:
        """Return the number of rows if that is quick to find, else None."""
        return super().count() if self.model is None else 1


def mention(entry: Entry, tally: Tally) -> None:
    """Report what is wrong with an entry, and what was not understood in it."""
    if entry.error:
        tally.problem(str(entry.error), Code.USAGE)
    for note in entry.notes:
        say(f"{entry.place}: warning: {note[:300]}")
    for text in drawing_notes(entry):
        say(f"{entry.place}: {text[:300]}")


def drawing_notes(entry: Entry) -> Iterator[str]:
    """Yield the notes on the drawings of a puzzle: ignored ones first, then guessed ones."""
    drawn = entry.puzzle.drawn if entry.puzzle else ()
    left = [one for one in drawn if not one.taken]
    how = {True: "misread", False: "drawn, not understood"}
    yield from (f"warning: {'not read' if x.sentence else how[x.misread]}: {x}" for x in left[:LISTED])
    if len(left) > LISTED:
        yield f"warning: {len(left) - LISTED} more are drawn and not understood (the command inspect lists all)"
    if any(one.rule and not one.misread for one in left):
        yield "warning: --guess takes drawings for the rules that they look like"
    yield from (f"guessed: {one}" for one in drawn if one.taken)


def model_in(path: Path) -> Model:
    """Return the model whose text, or instance, is in a file; raise UsageError if it cannot be read."""
    try:
        return Model.read(path) if is_instance(str(path)) else Model.parse(path.read_text("utf-8"))
    except FormatError as error:
        raise UsageError(f"--model {error}") from error
    except (TextError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"--model {path}: {str(error)[:500]}") from error


def chosen(source: SourceOptions, number: int | None, tally: Tally) -> Entry | None:
    """Return the puzzle with that number, or the only one; None if it cannot be read, which has been reported."""
    entries = source.entries(tally, number)
    entry = next(entries, None)
    if number is None and entry is not None and next(entries, None) is not None:
        raise UsageError("there are several puzzles: choose one with --number (1 is the first)")
    if entry is None and number is not None and tally.code is Code.SOLVED:
        raise UsageError(f"--number {number}: the file has fewer puzzles")
    return entry
