"""Calls that take many puzzles, compared with the kernel that they use: how much of its speed is left. And calls for
one.
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

from sudoku_models import Shape, candidates, count, is_unique, solve, solve_many
from sudoku_models.bulk import candidates_arrays, solve_arrays, solve_frame, solve_into

ONES = 2_000
"""Puzzles that are asked one by one."""

TURNS = 200_000

SINGLE: dict[str, Callable[[str], object]] = {
    "solve(text)": solve,
    "count(text, limit=2)": lambda text: count(text, limit=2),
    "is_unique(text)": is_unique,
    "candidates(text)": candidates,
}


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
    one_by_one(lines[:ONES], options.repeats)


def one_by_one(lines: list[str], repeats: int) -> None:
    """Print a line for each call that takes one puzzle."""
    turn = min(timed(a_loop) for _ in range(repeats)) / TURNS
    for name, call in SINGLE.items():
        deque(map(call, lines), 0)
        seconds = min(timed(lambda call=call: deque(map(call, lines), 0)) for _ in range(repeats)) / len(lines)  # type: ignore[misc]
        print(f"{name:34} {seconds * 1e6:9.1f} us {seconds / turn:10,.0f} turns of a loop")


def a_loop() -> None:
    """Do what a plain loop does, ``TURNS`` times."""
    total = 0
    for i in range(TURNS):
        total += i * i % 7


def calls(lines: list[str], target: Path) -> dict[str, Callable[[], object]]:
    """Return the calls by name, the kernel first."""
    text = "".join(f"{line}\n" for line in lines)
    data, cells = text.encode(), text.replace("\n", "").replace(".", "0").encode()
    values = (np.frombuffer(cells, np.uint8) - ord("0")).reshape(-1, 81)
    kernel = BACKEND.compile(Shape.square(9).model, BACKEND.Options()).native
    frame, table = pandas.DataFrame({"puzzle": lines}), pyarrow.table({"puzzle": lines})
    found: dict[str, Callable[[], object]] = {
        "the kernel": lambda: kernel.solve(values),
        "solve_arrays, an array": lambda: solve_arrays(values),
        "solve_arrays, bytes": lambda: solve_arrays(data),
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
