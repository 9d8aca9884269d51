"""Calls from Python: those for many puzzles beside the kernel that they use, and those for one puzzle."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas
import pyarrow

from sudoku_models import Puzzle, candidates, count, is_unique, solve, solve_many
from sudoku_models.bulk import candidates_arrays, solve_arrays, solve_frame, solve_into
from sudoku_models.collection import variants
from sudoku_models.explain import hint

from .tables import SPREAD, Sample, Table, command, cpu, in_turn, spread

MANY, ONES = 200_000, 2_000

SINGLE: dict[str, Callable[[str], object]] = {
    "solve(text)": solve,
    "solve(text, unique=True)": partial(solve, unique=True),
    "count(text, limit=2)": partial(count, limit=2),
    "is_unique(text)": is_unique,
    "candidates(text)": candidates,
    "hint(Puzzle.parse(text))": lambda text: hint(Puzzle.parse(text)),
}


def tables(sample: Sample) -> list[Table]:
    """Measure both."""
    return [many(sample), *one(sample)]


def many(sample: Sample) -> Table:
    """Measure calls that take many classic puzzles."""
    lines = sample.lines(MANY)
    data = "".join(f"{line}\n" for line in lines).encode()
    cells = "".join(lines).replace(".", "0").encode()
    values = (np.frombuffer(cells, np.uint8) - ord("0")).reshape(-1, 81)
    frame, table = pandas.DataFrame({"puzzle": lines}), pyarrow.table({"puzzle": lines})
    works: dict[str, Callable[[], object]] = {
        "solve_arrays, unchecked": lambda: solve_arrays(values, check=False),
        "solve_arrays": lambda: solve_arrays(values),
        "solve_arrays, bytes": lambda: solve_arrays(data),
        "solve_arrays, a list": lambda: solve_arrays(lines),
        "solve_many, not looked at": lambda: deque(solve_many(lines), 0),
        "solve_many, all looked at": lambda: [result.grid for result in solve_many(lines)],
        "solve_frame, pandas": lambda: solve_frame(frame),
        "solve_frame, Arrow": lambda: solve_frame(table),
        "candidates_arrays": lambda: candidates_arrays(values),
    }
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("arrow", "csv", "parquet", "jsonl"):
            works[f"solve_into, .{ending}"] = partial(solve_into, values, Path(folder, f"answers.{ending}"))
        for work in works.values():
            work()
        took = in_turn(works, sample.rounds)
    base = next(iter(took.values()))
    found = [(name, f"{len(lines) / time:,.0f}", f"{base / time:.2f}") for name, time in took.items()]
    return Table("Calls for many classic puzzles", ("call", "puzzles/s", "share of the kernel's rate"), found)


def one(sample: Sample) -> list[Table]:
    """Measure calls for one puzzle, on classic puzzles and on the package's variants."""
    classics = list(dict.fromkeys(sample.lines(ONES)))
    others = [item.text for item in variants() if item.solutions == 1][:: 40 if sample.short else 4]
    return [
        Table(f"One {kind}", ("call", *SPREAD), [(name, *spread(times(call, texts))) for name, call in SINGLE.items()])
        for kind, texts in (("classic puzzle", classics), ("variant", others))
    ]


def times(call: Callable[[str], object], texts: list[str]) -> list[float]:
    """Return the CPU seconds of a call for each puzzle, when others were asked before."""
    for text in texts[:5]:
        call(text)
    return [cpu(partial(call, text)) for text in texts]


if __name__ == "__main__":
    command(__doc__, tables)
