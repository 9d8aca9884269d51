"""Calls that take many puzzles, beside the kernel that they use: how much of its speed is left.

    python benchmarks/calls.py FILE [--lines 200000] [--repeats 3]

FILE holds classic puzzles, 81 characters a line; they are repeated up to ``--lines``. Everything is called in one
process, warm, on one thread; times are CPU seconds, and of the repeats the quickest counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pandas
import pyarrow
from programs import puzzles, timed
from sudoku_backends.bitset import BACKEND

from sudoku_models import Shape, solve_many
from sudoku_models.bulk import candidates_arrays, solve_arrays, solve_frame, solve_into


def main() -> None:
    """Print a line for each call."""
    parser = argparse.ArgumentParser(description="Calls for many puzzles beside their kernel.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--lines", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    lines = [line.strip() for line in islice(cycle(puzzles(options.file)), options.lines)]
    with tempfile.TemporaryDirectory() as folder:
        base = 0.0
        for name, call in calls(lines, Path(folder) / "answers").items():
            call()
            seconds = min(timed(call) for _ in range(options.repeats))
            base = base or seconds
            print(f"{name:34} {len(lines) / seconds:12,.0f} {base / seconds:6.2f}")


def calls(lines: list[str], target: Path) -> dict[str, Callable[[], object]]:
    """Return the calls by name, the kernel first."""
    text = "".join(f"{line}\n" for line in lines)
    cells = text.replace("\n", "").replace(".", "0").encode()
    values = (np.frombuffer(cells, np.uint8) - ord("0")).reshape(-1, 81)
    kernel = BACKEND.compile(Shape.square(9).model, BACKEND.Options()).native
    frame, table = pandas.DataFrame({"puzzle": lines}), pyarrow.table({"puzzle": lines})
    found: dict[str, Callable[[], object]] = {
        "the kernel": lambda: kernel.solve(values),
        "solve_arrays, an array": lambda: solve_arrays(values),
        "solve_arrays, bytes": lambda: solve_arrays(text.encode()),
        "solve_arrays, a list": lambda: solve_arrays(lines),
        "solve_many, Results not looked at": lambda: deque(solve_many(lines), 0),
        "solve_many, all looked at": lambda: [result.grid for result in solve_many(lines)],
        "solve_frame, pandas": lambda: solve_frame(frame),
        "solve_frame, Arrow": lambda: solve_frame(table),
        "candidates_arrays": lambda: candidates_arrays(values),
    }
    for ending in ("arrow", "csv", "parquet", "jsonl"):
        found[f"solve_into, .{ending}"] = partial(solve_into, values, target.with_suffix(f".{ending}"))
    return found


if __name__ == "__main__":
    main()
