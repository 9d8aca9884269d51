"""The types of options, how their values are read, and groups of options that several commands share."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Annotated, Any, Literal

from ..bulk.questions import Asking, refuse_for_all
from ..dataclass import dataclass
from ..engine.budget import MOST_WORKERS, memory_fault
from .parser import whole

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
        refuse_for_all(Asking(self.backend, self.limits, jobs=self.jobs), solutions)
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
