"""Solve puzzles by the executors of dask clusters, of processes, and without one.

Usage: executors.py FILE [WORKERS ...]. Each line has the seconds for the whole file, and for the first result.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from sudoku_models import solve_many


@contextmanager
def dask(workers: int) -> Iterator[Executor]:
    """Start a local cluster with processes of one thread each."""
    from distributed import Client

    with Client(n_workers=workers, threads_per_worker=1, dashboard_address=None) as client:  # type: ignore[no-untyped-call]
        yield client.get_executor()


def timed(name: str, lines: list[str], executor: Executor | None) -> None:
    """Print how long the lines take, and how long the first of them."""
    begin, found = perf_counter(), solve_many(lines, unique=True, executor=executor)
    next(found)
    first, solved = perf_counter() - begin, 1 + sum(result.unique is True for result in found)
    print(f"{name:12} {perf_counter() - begin:8.2f} s, the first {first:6.3f} s, {solved} of {len(lines)}", flush=True)


def main() -> None:
    """Measure each number of workers twice: the second time, their engines are loaded."""
    file, *numbers = sys.argv[1:]
    lines = [line.split()[0] for line in Path(file).read_text().splitlines() if line and line[0] != "#"]
    timed("none", lines, None)
    for workers in map(int, numbers or ("1", "2")):
        with dask(workers) as executor:
            for turn in ("", ", again"):
                timed(f"dask {workers}{turn}", lines, executor)
        with ProcessPoolExecutor(workers) as executor:
            timed(f"processes {workers}", lines, executor)


if __name__ == "__main__":
    main()
