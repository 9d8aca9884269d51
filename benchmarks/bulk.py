"""Puzzles per second of the solver of classic boards, by how hard they are; and a process of its own for one."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

from sudoku_models import solve
from sudoku_models.bulk import solve_arrays
from sudoku_models.make import generate

from .tables import SPREAD, Sample, Table, clock, command, cpu, in_turn, spread

SIZE = 200_000
"""Puzzles to a run: sets that are smaller are repeated."""

BANDS = {"easy (1.0 to 2.5)": (1.0, 2.5), "middling (3.0 to 5.0)": (3.0, 5.0), "hard (6.0 to 8.0)": (6.0, 8.0)}
"""Ratings on the SE-like scale."""

Values = NDArray[np.uint8]


def tables(sample: Sample) -> list[Table]:
    """Measure the rates, then single calls."""
    return [rates(sample), single(sample)]


def sets(sample: Sample) -> dict[str, Values]:
    """Return boards as values (n x 81), by name."""
    listed = np.array([[int(c) for c in line.replace(".", "0")] for line in sample.classics], np.uint8)
    found = {sample.file.stem if sample.file else "the collection": listed}
    found["minimal puzzles"] = generate(4096, seed=1).values
    for name, band in BANDS.items():
        found[name] = generate(sample.some(100), rating=band, seed=1).values
    size = sample.some(SIZE)
    return {name: np.array(list(islice(cycle(values), size)), np.uint8) for name, values in found.items()}


def rates(sample: Sample) -> Table:
    """Measure puzzles per second of CPU time, and what a second thread gains by the clock."""
    rows = []
    for name, values in sets(sample).items():
        works = {
            "first": partial(solve_arrays, values, limit=1),
            "unique": partial(solve_arrays, values),
            "unchecked": partial(solve_arrays, values, check=False),
        }
        works["first"]()
        took = in_turn(works, sample.rounds)
        threads = in_turn({str(n): partial(solve_arrays, values, workers=n) for n in (1, 2)}, sample.rounds, clock)
        gain = f"{threads['1'] / threads['2']:.2f}"
        rows.append((name, *(f"{len(values) / took[key]:,.0f}" for key in works), gain))
    columns = ("puzzles", "first solution/s", "unique or not/s", "the same, unchecked", "two threads")
    return Table("Classic boards in arrays", columns, rows, "Two threads: by the clock, beside one.")


def single(sample: Sample) -> Table:
    """Measure one call, warm, and a fresh process up to its first answer."""
    text, few = sample.classics[0], sample.lines(2_000)
    program = "import sys, sudoku_models; sudoku_models.solve(sys.argv[1], backend='bitset')"
    ask = partial(subprocess.run, [sys.executable, "-c", program, text], check=True)
    ask()  # the first may have to compile
    cold = [cpu(ask) for _ in range(3)]
    warm = [cpu(partial(solve, line, "bitset")) for line in few]
    rows = [("a fresh process", *spread(cold)), ("a call", *spread(warm))]
    return Table("One board by bitset", ("what", *SPREAD), rows)


if __name__ == "__main__":
    command(__doc__, tables)
