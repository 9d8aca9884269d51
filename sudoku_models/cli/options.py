"""The options that several commands share, how their values are read, and groups of them that go together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..bulk.shards import Shard
from ..formats import FORMATS
from .parser import Argument, BadValue, Option

if TYPE_CHECKING:
    from .effort import Effort
    from .inputs import Input, Source

INPUT, LIMITS, OUTPUT = "Input", "Limits", "Output"


def listed(names: Iterable[str]) -> str:
    """Return a list of names in words: a, b or c."""
    *others, last = names
    return f"{', '.join(others)} or {last}"


FORMAT_NAMES = listed(name for name, kind in FORMATS.items() if kind.reads)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\Z", re.IGNORECASE)
_BOXES = re.compile(r"(\d{1,3})x(\d{1,3})\Z", re.IGNORECASE)


class Output(StrEnum):
    """How answers are written."""

    LINE = "line"
    GRID = "grid"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    ARROW = "arrow"


class Records(StrEnum):
    """How answers that are not boards are written."""

    LINE = "line"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    ARROW = "arrow"


class Steps(StrEnum):
    """The order of the steps of a path."""

    LEVEL = "level"
    PATTERNS = "patterns"


@dataclass(frozen=True)
class BoxSize:
    """The rows and columns of a box; 0 and 0 mean no boxes."""

    height: int
    width: int


def read_seconds(text: str | float) -> float:
    """Parse a time limit: a positive number of seconds. Defaults pass through here too."""
    try:
        value = float(str(text).removesuffix("s"))
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise BadValue(f"{text!r}: a positive number of seconds is expected")
    return value


def read_size(text: str) -> int:
    """Parse a size of memory: bytes, or a number with k, M, G or T (powers of 1024), in a sensible range."""
    from ..engine.bounds import memory_fault

    match = _SIZE.match(text.strip())
    if not match:
        raise BadValue(f"{text!r}: a size such as 500M or 2G is expected")
    size = float(match[1]) * 1024 ** " kmgt".index(match[2].lower() or " ")  # infinity for hundreds of digits
    fault = memory_fault(size)
    if fault:
        said = text if len(text) < 40 else f"{text[:20]}..."
        raise BadValue(f"{said} is {fault}: a size such as 500M or 2G is expected")
    return int(size)


def read_workers(text: str | int) -> int:
    """Parse a number of threads. Defaults pass through here too."""
    from ..engine.bounds import MOST_WORKERS

    number = str(text)
    if not (number.isascii() and number.isdigit() and len(number) < 20 and 1 <= int(number) <= MOST_WORKERS):
        raise BadValue(f"{number[:20]!r}: a number of threads from 1 to {MOST_WORKERS:,} is expected")
    return int(number)


def read_boxes(text: str) -> BoxSize:
    """Parse ``none`` or ``RxC``."""
    if text.lower() == "none":
        return BoxSize(0, 0)
    match = _BOXES.match(text)
    if not match or not int(match[1]) * int(match[2]):
        raise BadValue(f"{text!r}: none, or the rows x columns of a box such as 2x3, is expected")
    return BoxSize(int(match[1]), int(match[2]))


def read_shard(text: str) -> Shard:
    """Parse a shard such as ``3/8``."""
    try:
        return Shard.parse(text)
    except ValueError as error:
        raise BadValue(str(error)) from None


Files = Annotated[
    list[str] | None,
    Argument(
        metavar="[FILE]...",
        help="Files of puzzles, plain, gzip or zstd; or a puzzle as a link or text; - is standard input.",
        show_default="-",
    ),
]
Backend = Annotated[
    str,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="The backend, with its options; auto chooses one. The command backends lists them all.",
    ),
]
InputFormat = Annotated[
    str | None,
    Option(
        "--input-format",
        metavar="FORMAT",
        help=f"{FORMAT_NAMES}; by default recognised by the content.",
        panel=INPUT,
    ),
]
Alphabet = Annotated[
    str | None,
    Option(
        "--alphabet",
        metavar="SYMBOLS",
        help="The symbols of the values 1, 2, ...: digits, A-P, 1-G, 0-F, or the symbols themselves.",
        panel=INPUT,
    ),
]
Boxes = Annotated[
    BoxSize | None,
    Option(
        "--boxes",
        metavar="none|RxC",
        parser=read_boxes,
        help="Boxes of R rows and C columns, or none (Latin squares); by default as close to square as possible.",
        panel=INPUT,
    ),
]
Strict = Annotated[
    bool,
    Option(
        "--strict",
        help="Treat drawings and keys that are not understood as errors, not as warnings.",
        panel=INPUT,
    ),
]
Guess = Annotated[
    bool,
    Option(
        "--guess",
        help="Interpret drawings without a stated meaning as the rules that they look like, and list them.",
        panel=INPUT,
    ),
]
AssumeUnique = Annotated[
    bool, Option("--assume-unique", help="Allow steps that assume a unique solution; each of them says so.")
]
TimeLimit = Annotated[
    float | None,
    Option(
        "--time-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="Give up on a puzzle after this number of seconds.",
        panel=LIMITS,
    ),
]
MemoryLimit = Annotated[
    int | None,
    Option(
        "--memory-limit",
        metavar="SIZE",
        parser=read_size,
        help="Give up on a puzzle if its engine's process takes more memory than this, such as 500M or 2G.",
        panel=LIMITS,
    ),
]
Seed = Annotated[
    int,
    Option("--seed", min=0, help="The seed of the search, for engines that have one.", panel=LIMITS),
]
Workers = Annotated[
    int,
    Option(
        "--workers",
        metavar="NUMBER",
        parser=read_workers,
        help="The number of threads in the engine, for engines that have them.",
        panel=LIMITS,
    ),
]
Jobs = Annotated[
    int,
    Option(
        "--jobs",
        "-j",
        min=1,
        help="The number of puzzles solved at the same time, each in a separate process.",
        panel=LIMITS,
    ),
]
Column = Annotated[
    str | None,
    Option(
        "--column",
        metavar="NAME",
        help="The column of puzzles in a table (CSV, Parquet, Arrow); by default recognised by its name.",
        panel=INPUT,
    ),
]
ShardOf = Annotated[
    Shard | None,
    Option(
        "--shard",
        metavar="I/N",
        parser=read_shard,
        help="Answer only the I-th of N parts of the file, in a separate file beside --out; the command merge "
        "joins them.",
        panel=INPUT,
    ),
]
Out = Annotated[
    str | None,
    Option(
        "--out",
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file instead of standard output; the file is replaced once everything is done.",
        panel=OUTPUT,
    ),
]
_HOW = "The output format; by default a table if the file's name ends in .parquet, .arrow, .csv or .jsonl."
BoardFormat = Annotated[
    Output | None,
    Option("--format", "-f", help=_HOW, show_default="grid on a terminal, otherwise line", panel=OUTPUT),
]
RecordFormat = Annotated[
    Records | None,
    Option(
        "--format",
        "-f",
        help=_HOW,
        show_default="line",
        panel=OUTPUT,
    ),
]
ModelFile = Annotated[
    Path | None,
    Option(
        "--model",
        metavar="FILE",
        help="Ask about a model in place of puzzles: its text, as the command export writes it.",
        panel=INPUT,
    ),
]
MadeFormat = Annotated[
    Records | None,
    Option(
        "--format",
        "-f",
        help="Write records, not boards; by default a table if the file's name ends in .parquet, .arrow, .csv "
        "or .jsonl.",
        show_default="boards in the format of --to",
        panel=OUTPUT,
    ),
]
Chance = Annotated[
    int, Option("--seed", "-s", help="The seed of all random choices; the same seed gives the same output.")
]
BoardsTo = Annotated[
    str,
    Option("--to", "-t", metavar="FORMAT", help="The output format of boards.", panel=OUTPUT),
]


@dataclass(frozen=True)
class SourceOptions:
    """Where puzzles come from and how they are read."""

    files: Files = None
    input_format: InputFormat = None
    alphabet: Alphabet = None
    boxes: Boxes = None
    strict: Strict = False
    guess: Guess = False

    def input(self) -> Input:
        """Return the input that reads them."""
        from .inputs import Input

        chosen = {field.name: getattr(self, field.name) for field in fields(Input) if hasattr(self, field.name)}
        return Input(**{**chosen, "files": self.files or ["-"]})


@dataclass(frozen=True)
class Tabular(SourceOptions):
    """A source that may be a table."""

    column: Column = None


@dataclass(frozen=True)
class Sharded(Tabular):
    """A source that may be answered in parts."""

    shard: ShardOf = None


@dataclass(frozen=True)
class PuzzlesOrModel(Sharded):
    """A source that may be a table, or a model in place of puzzles."""

    model: ModelFile = None

    def source(self) -> Source:
        """Return the input; raise UsageError for puzzles together with a model, and for a model that cannot be read."""
        if self.model is None:
            return self.input()
        from .effort import refuse
        from .inputs import ModelInput, model_in

        refuse(self.shard is None, "--model and --shard cannot be combined: a model is one row")
        refuse(not self.input().stated, "--model cannot be combined with files of puzzles")
        return ModelInput(self.model, model_in(self.model))


@dataclass(frozen=True)
class ChosenBackend:
    """The backend, its limits, and the number of puzzles solved at the same time."""

    backend: Backend = "auto"
    time_limit: TimeLimit = None
    memory_limit: MemoryLimit = None
    seed: Seed = 0
    workers: Workers = 1
    jobs: Jobs = 1

    def choice(self) -> Effort:
        """Return the choice in the form that batches use."""
        from .effort import Effort

        return Effort(**{field.name: getattr(self, field.name) for field in fields(self)})
