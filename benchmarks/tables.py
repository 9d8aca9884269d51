"""What all benchmarks share: the sample of puzzles, the clock, and tables in Markdown."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from sudoku_models.collection import puzzles

Work = Callable[[], object]


@dataclass(frozen=True)
class Table:
    """Figures under a title, each row with a name first."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def markdown(self) -> str:
        """Write the table with its title and note."""
        align = ["---", *["---:"] * (len(self.columns) - 1)]
        lines = (" | ".join(row) for row in (self.columns, align, *self.rows))
        note = [f"\n{self.note}"] if self.note else []
        return "\n".join([f"### {self.title}\n", *(f"| {line} |" for line in lines), *note])


@dataclass(frozen=True)
class Sample:
    """The puzzles to measure with, and how often. ``short`` is for a first look: fewer puzzles, one round."""

    file: Path | None = None
    short: bool = False
    rounds: int = field(default=3)

    @cached_property
    def classics(self) -> list[str]:
        """Classic puzzles with one solution, 81 characters each: those of the file, or of the package's collection."""
        if self.file is None:
            own = puzzles(side=9)
            return [item.puzzle.to_line() for item in own if item.puzzle.shape.box == (3, 3) and item.solutions == 1]
        lines = self.file.read_text().splitlines()
        return [line[:81] for line in lines if len(line) >= 81 and line[0] != "#"]

    def lines(self, count: int) -> list[str]:
        """Return that many classic puzzles, a twentieth of them if the run is short; they repeat where they are few."""
        return list(islice(cycle(self.classics), max(1, count // 20) if self.short else count))

    def some(self, count: int) -> int:
        """Return how many of ``count`` to take."""
        return max(1, count // 10) if self.short else count


def cpu(work: Work) -> float:
    """Return the CPU seconds of this process that a call takes, and those of the processes that ended meanwhile."""
    before = _spent()
    work()
    return _spent() - before


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def clock(work: Work) -> float:
    """Return the seconds by the clock that a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_turn(works: Mapping[str, Work], rounds: int, timer: Callable[[Work], float] = cpu) -> dict[str, float]:
    """Return the median time of each work; they take turns, so that the machine's moods meet all alike."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(timer(work))
    return {name: median(found) for name, found in times.items()}


def spread(seconds: Sequence[float]) -> tuple[str, str, str]:
    """Return median, ninetieth percentile and maximum in milliseconds."""
    found = sorted(seconds)
    return tuple(f"{1000 * t:.3g}" for t in (median(found), found[round(0.9 * (len(found) - 1))], found[-1]))  # type: ignore[return-value]


SPREAD = ("median ms", "p90", "most")


def machine() -> str:
    """Say which processor, system and Python the figures are from."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        rows = (line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines())
        model = next((value.strip() for name, _, value in rows if name.strip() == "model name"), model)
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def command(description: str, tables: Callable[[Sample], list[Table]]) -> None:
    """Run a benchmark from the command line, and print its tables."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--file", type=Path, help="classic puzzles, 81 characters a line, instead of the package's own")
    parser.add_argument("--short", action="store_true", help="fewer puzzles and rounds, for a first look")
    options = parser.parse_args()
    sample = Sample(options.file, options.short, 1 if options.short else 3)
    print(machine(), file=sys.stderr)
    print("\n\n".join(table.markdown() for table in tables(sample)))
