"""How well time limits are kept: each backend on each puzzle of a file, and how late each run was."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from sudoku_models import Puzzle, solve
from sudoku_models.engine.registry import listings
from sudoku_models.errors import SudokuModelsError

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LOADED_BY_AUTO = ("pycosat", "cp-sat", "native", "backtracking")


def puzzles(file: str) -> Iterator[tuple[str, str]]:
    """Yield the puzzles of a file by their name, as text."""
    for number, line in enumerate(Path(file).read_text().splitlines(), 1):
        if line.startswith("{"):
            record = json.loads(line)
            yield record.get("name", f"line {number}"), record["constraints"]
        elif line.strip():
            yield f"line {number}", line


def timed(puzzle: Puzzle, backend: str, limit: float | None) -> tuple[str, float]:
    """Return the outcome of a run, and its wall seconds."""
    started = time.perf_counter()
    try:
        status = str(solve(puzzle, backend, unique=True, time_limit=limit).status)
    except SudokuModelsError as error:
        status = type(error).__name__
    return status, time.perf_counter() - started


def warm_up(file: str, backend: str) -> None:
    """Load an engine, here and in a child: first an easy board, then the first puzzle of the file."""
    for engine in LOADED_BY_AUTO if backend == "auto" else (backend,):
        for text, limit in ((EASY, None), (next(puzzles(file))[1], 30.0)):
            timed(Puzzle.parse(text), engine, limit)


def measure(file: str, backend: str, limits: list[float]) -> None:
    """Print a line of JSON for each run of one backend."""
    warm_up(file, backend)
    for limit in limits:
        for name, text in puzzles(file):
            status, took = timed(Puzzle.parse(text), backend, limit)
            print(json.dumps([backend, limit, name, status, took]), flush=True)


def measured(file: str, backend: str, limits: str) -> list[Any]:
    """Return the runs of one backend, made in a separate process."""
    command = [sys.executable, "-m", "benchmarks.limits", file, "--limits", limits, "--one", backend]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def printed(runs: list[Any], over: float) -> int:
    """Print a row of the table, and the runs that were late; return how many were."""
    lateness = sorted(took - limit for _, limit, _, _, took in runs)
    late = [run for run in runs if run[4] - run[1] > over]
    answers = sum(status in ("solved", "unsatisfiable") for _, _, _, status, _ in runs)
    backend, limit = runs[0][:2]
    print(
        f"{backend:18} {limit:5g} {len(runs):6} {answers:8} {len(late):6} {median(lateness):8.3f} {lateness[-1]:8.3f}"
    )
    for _, _, name, status, took in late:
        print(f"    {name}: {status} after {took:.2f} s")
    return len(late)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file")
    parser.add_argument("--limits", default="0.2,1", help="seconds, separated by commas")
    parser.add_argument("--backends", help="separated by commas; without it all that are installed, and auto")
    parser.add_argument("--over", type=float, default=0.5, help="seconds beyond which a run is late")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    limits = [float(text) for text in options.limits.split(",")]
    if options.one:
        measure(options.file, options.one, limits)
        return 0
    usable = [*(one.name for one in listings() if not one.problem), "auto"]
    chosen = options.backends.split(",") if options.backends else usable
    late, count = 0, 0
    print(f"{'backend':18} {'limit':>5} {'runs':>6} {'answers':>8} {'late':>6} {'median':>8} {'largest':>8}")
    for backend in chosen:
        runs = measured(options.file, backend, options.limits)
        count += len(runs)
        for limit in limits:
            if mine := [run for run in runs if run[1] == limit]:
                late += printed(mine, options.over)
        if len(runs) < len(limits) * len(list(puzzles(options.file))):
            print(f"{backend}: its process ended early")
            late += 1
    print(f"{count} runs, {late} late by more than {options.over} s")
    return bool(late)


if __name__ == "__main__":
    sys.exit(main())
