"""Time and peak memory by the side of the board, by phase, for every backend that can solve it."""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from math import isqrt
from typing import Any

from sudoku_models import Puzzle, Shape, solve
from sudoku_models.engine import listings, workers

SIDES = (9, 16, 25, 36, 49, 64, 81, 100, 144)
PHASES = ("parse", "lower", "compile", "encode", "run", "decode", "check")


def board(n: int, candidates: float, seed: int) -> Puzzle:
    """Return an n x n puzzle with about that many candidates an open cell; n is a square.

    Where a share s of the cells is open, a value is missing from a row, a column and a box with probability s each.
    """
    k, source = isqrt(n), random.Random(seed)
    share = 1 - (candidates / n) ** (1 / 3)

    def lines() -> list[int]:
        groups = source.sample(range(k), k)
        return [g * k + i for g in groups for i in source.sample(range(k), k)]

    rows, columns, values = lines(), lines(), source.sample(range(1, n + 1), n)
    full = [values[(k * (r % k) + r // k + c) % n] for r in rows for c in columns]
    return Puzzle(Shape.square(n), tuple(v if source.random() < share else None for v in full))


def measured(n: int, backend: str, candidates: float, limit: float) -> dict[str, Any]:
    """Solve one board in this process; return seconds by phase and in all, and peak bytes."""
    text = board(n, candidates, seed=n).to_line() if n <= 25 else str(_numbers(board(n, candidates, seed=n)))
    start = time.perf_counter()
    result = solve(Puzzle.parse(text), backend, time_limit=limit)
    seconds = time.perf_counter() - start
    workers.close_idle()  # a child's memory is known once it has ended
    phases = {name: phase.wall for name, phase in result.record.phases.items()}
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    scale = 1 if sys.platform == "darwin" else 1024
    return {"status": result.status, "seconds": seconds, "phases": phases, "peak": scale * max(peaks)}


def _numbers(puzzle: Puzzle) -> str:
    return "\n".join(" ".join(str(v or ".") for v in row) for row in puzzle.grid.rows())


def row(n: int, backend: str, candidates: float, limit: float) -> dict[str, Any] | None:
    """Measure in a separate process; None if it fails or takes too long."""
    command = [
        sys.executable,
        __file__,
        "--one",
        str(n),
        backend,
        "--candidates",
        str(candidates),
        "--limit",
        str(limit),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * limit + 30, check=True)
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip().splitlines() or ["it failed"])[-1]
        return {"refused": last.partition(": ")[2] or last}
    found: dict[str, Any] = json.loads(done.stdout)
    return found if found["status"] == "solved" else None  # None: not in time


def scale(backend: str, sides: list[int], candidates: float, limit: float) -> list[tuple[int, dict[str, Any]]]:
    """Print and return the rows of a backend, up to the first side that it does not reach."""
    rows = []
    for n in sides:
        found = row(n, backend, candidates, limit)
        if found is None or "refused" in found:
            reason = f"not within {limit:g} s" if found is None else found["refused"]
            print(f"{backend:24}{n:6}   {reason}", flush=True)
            break
        cells = "".join(f"{found['phases'].get(phase, 0.0):10.4f}" for phase in PHASES)
        print(f"{backend:24}{n:6}{cells}{found['seconds']:10.3f}{found['peak'] / 1e6:10.0f}", flush=True)
        rows.append((n, found))
    return rows


def plot(figures: dict[str, list[tuple[int, dict[str, Any]]]], path: str) -> None:
    """Draw seconds and peak megabytes against the side."""
    import altair

    rows = [
        {"side": n, "backend": backend, "seconds": found["seconds"], "peak MB": found["peak"] / 1e6}
        for backend, found_rows in figures.items()
        for n, found in found_rows
    ]
    data: Any = {"values": rows}
    base = altair.Chart(data).mark_line(point=True).properties(width=420, height=320)
    side = altair.X("side:Q", scale=altair.Scale(type="log"))
    charts = [
        base.encode(side, altair.Y(f"{name}:Q", scale=altair.Scale(type="log")), altair.Color("backend:N"))
        for name in ("seconds", "peak MB")
    ]
    altair.hconcat(*charts).save(path)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sides", nargs="+", type=int, default=list(SIDES))
    parser.add_argument("--candidates", type=float, default=2.5, help="for an open cell (default 2.5)")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a run (default 20)")
    parser.add_argument("--backend", action="append", help="a specification; default: all that are installed")
    parser.add_argument("--plot", metavar="FILE", help="draw a picture")
    parser.add_argument("--one", nargs=2, metavar=("SIDE", "BACKEND"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(int(options.one[0]), options.one[1], options.candidates, options.limit)))
        return
    print(f"{'backend':24}{'side':>6}" + "".join(f"{phase:>10}" for phase in (*PHASES, "seconds", "peak MB")))
    backends = options.backend or [listing.name for listing in listings() if not listing.problem]
    figures = {backend: scale(backend, options.sides, options.candidates, options.limit) for backend in backends}
    if options.plot:
        plot({backend: rows for backend, rows in figures.items() if rows}, options.plot)


if __name__ == "__main__":
    main()
