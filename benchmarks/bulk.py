"""Puzzles per second of the bulk solver, and where its time goes. CPU time, text to values, best of some rounds."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from by_hand import puzzles
from sudoku_backends.bitset.bulk import BulkSolver
from sudoku_backends.bitset.kernels import kernels, parse, propagate, render, settings, split
from sudoku_backends.bitset.layout import WORDS
from sudoku_backends.bitset.solver import sizes_of

from sudoku_models import solve
from sudoku_models.engine.bulk_check import holds_many
from sudoku_models.engine.machine_code.language import Kernels
from sudoku_models.engine.machine_code.library import Library, machine

LEAST = 40_000
"""Puzzles to a run: shorter files are repeated."""

LINES = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * b + 9 * r + 3 * s + c for r in range(3) for c in range(3)] for b in range(3) for s in range(3)]
HOUSES = np.array(LINES + COLUMNS + BOXES)
KERNELS = {"passes": "propagate", "splits": "split", "parses": "parse", "renders": "render"}


def main() -> None:
    """Run the command line."""
    arguments = _arguments()
    other = _other(arguments.against)
    found = [(path.stem, puzzles_of(path)) for path in arguments.files] or [("shipped", puzzles(None, LEAST))]
    single_calls(*found[0])
    costs = kernel_costs()
    print("ns for a vector of states: " + ", ".join(f"{name} {cost:.0f}" for name, cost in costs.items()))
    for name, lines in found:
        measure(name, lines, other, arguments.rounds, costs)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = sorted((Path(__file__).parents[2] / "shared" / "data" / "classic").glob("*.txt"))
    parser.add_argument("files", nargs="*", type=Path, default=default)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    return parser.parse_args()


def single_calls(name: str, lines: list[str]) -> None:
    """Print what a fresh process takes to its first answer, and a warm call."""
    program = "import sys, sudoku_models; sudoku_models.solve(sys.argv[1], backend='bitset')"
    cold = []
    for _ in range(4):  # the first may have to compile
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program, lines[0]], check=True)
        cold.append(time.perf_counter() - start)
    warm = []
    for line in lines[:2000]:
        start = time.perf_counter()
        solve(line, backend="bitset")
        warm.append(time.perf_counter() - start)
    call = 1e6 * median(warm[len(warm) // 10 :])
    print(f"{name}: a fresh process {min(cold[1:]):.2f} s, a warm call {call:.1f} us")


def puzzles_of(path: Path) -> list[str]:
    """Read the puzzles of a file."""
    return [line.strip()[:81] for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]


def _other(folder: Path | None) -> Callable[..., Any] | None:
    if folder is None:
        return None
    sys.path.insert(0, str(folder))
    solver: Callable[..., Any] = import_module("bulk").Solver()
    return solver


def measure(
    name: str, lines: list[str], other: Callable[..., Any] | None, rounds: int, costs: dict[str, float]
) -> None:
    """Print what the puzzles of one file take."""
    lines = lines * max(1, LEAST // len(lines))
    text, n = ("\n".join(lines) + "\n").encode(), len(lines)
    givens = np.frombuffer(text, np.uint8).reshape(n, 82)[:, :81]
    givens = np.where(givens == ord("."), 0, givens - 48).astype(np.uint8)
    solver = BulkSolver()
    for limit in (2, 1):
        runs: dict[str, Callable[[], Any]] = {
            "alone": partial(solver.solve_text, text, limit=limit),
            "checked": partial(checked, solver, text, givens, limit),
        }
        if other:
            runs["other"] = partial(other, text, n, limit)
        times = best_times(runs, rounds)
        threads, machine = gain_of_threads(solver, text * 10, limit, rounds)
        parts = [f"{name} limit {limit}: {n / times['alone']:,.0f}/s, checked {n / times['checked']:,.0f}/s"]
        if other:
            ratios = times["other"] / times["alone"], times["other"] / times["checked"]
            parts.append(f"other {n / times['other']:,.0f}/s, ratios {ratios[0]:.2f} and checked {ratios[1]:.2f}")
        parts.append(f"two threads {threads:.2f} times one, two calls {machine:.2f} times one call")
        print("; ".join(parts), flush=True)
        if limit == 2:
            print("    " + shares(solver, text, n, times, costs))


def checked(solver: BulkSolver, text: bytes, givens: Any, limit: int) -> None:
    """Solve and check every answer; stop at the first wrong one."""
    answers = solver.solve_text(text, limit=limit)
    good = holds_many(answers.values, HOUSES, givens) | (answers.count == 0)
    if not good.all():
        sys.exit(f"puzzle {np.flatnonzero(~good)[0]} has a wrong answer")


def best_times(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Return the least CPU time of each, taken in turn."""
    times = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            run()
            times[name] = min(times[name], time.process_time() - start)
    return times


def gain_of_threads(solver: BulkSolver, text: bytes, limit: int, rounds: int) -> tuple[float, float]:
    """Return the speed-up of two threads over one, and of two parallel calls over two in sequence."""
    gains, most = [], []
    for _ in range(max(3, rounds)):
        one, two = (wall_time(partial(solver.solve_text, text, limit=limit, workers=n)) for n in (1, 2))
        both = wall_time(partial(side_by_side, partial(solver.solve_text, text, limit=limit)))
        gains.append(one / two)
        most.append(2 * one / both)
    return median(gains), median(most)


def side_by_side(call: Callable[[], Any]) -> None:
    """Make a call twice in parallel."""
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda _: call(), range(2)))


def wall_time(step: Callable[[], Any]) -> float:
    """Return the wall seconds of a step."""
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def shares(solver: BulkSolver, text: bytes, n: int, times: dict[str, float], costs: dict[str, float]) -> str:
    """Print the guesses per puzzle and the shares of the parts."""
    with solver.pool.borrowed() as one:
        before = {name: getattr(one.search, name) for name in KERNELS}
    solver.solve_text(text)
    with solver.pool.borrowed() as one:
        used = {name: getattr(one.search, name) - before[name] for name in KERNELS}
    spent = {name: used[name] * costs[kernel] / 1e9 for name, kernel in KERNELS.items()}
    spent["splits"] /= one.lanes
    spent["search"] = times["alone"] - sum(spent.values())
    spent["check"] = times["checked"] - times["alone"]
    text_shares = ", ".join(f"{name} {value / times['checked']:.0%}" for name, value in spent.items())
    passes = used["passes"] * one.lanes / n
    return f"{used['splits'] / n:.2f} guesses and {passes:.1f} passes a puzzle; about {text_shares}"


def kernel_costs() -> dict[str, float]:
    """Return the nanoseconds that a call of each kernel takes alone, on a vector of states."""
    width = machine()
    sizes = sizes_of(width.lanes)
    entries = {f"repeat_{name}": "iiii" for name in KERNELS.values()}
    library = Library(
        "bench",
        entries,
        [Path(__file__)],
        lambda: {**kernels(width), **REPEATED},
        lambda: settings(width, sizes),
    )
    loaded = library.load()
    store, other = (_aligned(WORDS * sizes["SHORT"]) for _ in range(2))
    rows = np.full((width.lanes, 192), ord("."), np.uint8)
    table = np.array([row.ctypes.data for row in rows])
    places = store.ctypes.data, other.ctypes.data, table.ctypes.data
    costs = {}
    for name in KERNELS.values():
        store[:] = 0xFF >> 3
        costs[name] = _nanoseconds(getattr(loaded, f"repeat_{name}"), places)
    return costs


REPEATED = Kernels()


@REPEATED.mark
def repeat_propagate(n: int, store: int, other: int, table: int) -> None:
    for _ in range(n):
        propagate(store)


@REPEATED.mark
def repeat_split(n: int, store: int, other: int, table: int) -> None:
    for _ in range(n):
        split(store, table, other)


@REPEATED.mark
def repeat_parse(n: int, store: int, other: int, table: int) -> None:
    for _ in range(n):
        parse(table, other)


@REPEATED.mark
def repeat_render(n: int, store: int, other: int, table: int) -> None:
    for _ in range(n):
        render(store, table)


def _nanoseconds(loop: Callable[..., Any], arguments: tuple[int, ...], calls: int = 20_000) -> float:
    loop(1, *arguments)
    best = float("inf")
    for _ in range(7):
        start = time.process_time()
        loop(calls, *arguments)
        best = min(best, time.process_time() - start)
    return best / calls * 1e9


def _aligned(size: int) -> Any:
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


if __name__ == "__main__":
    main()
