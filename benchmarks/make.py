"""How quickly grids and puzzles are made, and least forms found. CPU time of one thread."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from sudoku_models.bulk import solve_arrays
from sudoku_models.collection import variants as shipped
from sudoku_models.make import augment, canonical_arrays, generate, grids, minimise, verify_arrays

PARTS = ("rates", "plain", "workers", "climb", "variants", "levels", "minimise")
BLOCK = 4096
"""Puzzles that the generator makes together: what is measured are whole blocks."""

PLAIN = 16_384
"""Puzzles that are made for the yardstick at most."""

KINDS = {"KillerCage": 16, "Thermo": 7, "Arrow": 9, "Sandwich": 12}

BANDS = (("1.0", "1.3"), ("2.2", "2.2"), ("2.3", "2.3"), ("2.4", "2.4"), ("2.5", "2.6"), ("2.8", "2.any"))
"""Levels from the lowest to the highest that puzzles of these kinds have."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seeds", type=int, default=5, help="of the climb, and of each kind of variants")
    parser.add_argument("--every", type=int, default=10, help="minimise each shipped variant of this many")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*KINDS], help="of the variants of wished levels")
    parser.add_argument("--against")
    options = parser.parse_args()
    for part in options.parts:
        {
            "rates": rates,
            "plain": plain,
            "workers": workers,
            "climb": climb,
            "variants": variants,
            "levels": levels,
            "minimise": minimised,
        }[part](options)
    if options.against:
        beside(options.against)


def rates(options: Any) -> None:
    """Print how many boards per second each verb makes or processes."""
    n = options.size
    for warm in (lambda: grids(10), lambda: grids(10, fast=True), lambda: generate(10)):
        warm()
    made, whole = generate(n, seed=1), grids(n, seed=1, fast=True)
    canonical_arrays(np.concatenate([whole[:10], made.values[:10]]))
    print(f"mean clues of {n:,} minimal puzzles: {(made.values > 0).sum(1).mean():.3f} (known: 24.38)")
    asked: Any = options.reference.read_bytes() if options.reference else made.values
    works: dict[str, Callable[[], object]] = {
        "grids, uniform": lambda: grids(n, seed=2),
        "grids, fast": lambda: grids(n, seed=2, fast=True),
        "minimal puzzles": lambda: generate(n, seed=2),
        "least forms of grids": lambda: canonical_arrays(whole),
        "least forms of puzzles": lambda: canonical_arrays(made.values),
        "random symmetries": lambda: augment(made.values, seed=1),
        "answers verified": lambda: verify_arrays(made.values, made.solutions),
    }
    solved = len(solve_arrays(asked).values)
    fastest = 0.0
    for name, work in works.items():
        pairs = [(solved / cpu(partial(solve_arrays, asked)), n / cpu(work)) for _ in range(options.rounds)]
        share = median(rate / kernel for kernel, rate in pairs)
        fastest = max(fastest, *(kernel for kernel, _ in pairs))
        print(f"{name:24} {max(rate for _, rate in pairs):12,.0f} a second {share:10.3f} of the kernel's")
    print(f"{'kernel':24} {fastest:12,.0f} a second")


def workers(options: Any) -> None:
    """Print the speed with two threads: of the kernel alone, and of the generator."""
    size, puzzles = 16 * 4096, np.tile(generate(4096).values, (64, 1))
    works: dict[str, Callable[[int], object]] = {
        "kernel": lambda number: solve_arrays(puzzles, workers=number),
        "minimal puzzles": lambda number: generate(size, seed=3, workers=number),
    }
    for name, work in works.items():
        ratios = []
        for _ in range(options.rounds):
            alone, both = (wall(partial(work, number)) for number in (1, 2))
            ratios.append(alone / both)
        low, high = min(ratios), max(ratios)
        print(f"two workers, {name}: {median(ratios):.2f} times one (wall time, median; {low:.2f} to {high:.2f})")


def climb(options: Any) -> None:
    """Print how long puzzles with a wanted rating take."""
    for rating in ((8.0, 9.0), 10.0):
        times = [cpu(partial(generate, 1, rating=rating, seed=seed)) for seed in range(options.seeds)]
        wish = rating if isinstance(rating, tuple) else f"{rating} or more"
        found = f"{median(times):.1f} s of CPU at the median, {max(times):.1f} s at most ({len(times)} seeds)"
        print(f"SE-like {wish}: {found}")


def variants(options: Any) -> None:
    """Print the median of making, and of minimising, some variants."""
    for kind, amount in KINDS.items():
        times, puzzles = [], []
        for seed in range(options.seeds):
            start = time.process_time()
            puzzles.append(generate(1, place={kind: amount}, seed=seed).puzzles[0])
            times.append(time.process_time() - start)
        again = median(cpu(partial(minimise, puzzle)) for puzzle in puzzles)
        print(f"{kind:24} {median(times):.2f} s to make one, {again:.2f} s to minimise it (medians of {len(times)})")


def levels(options: Any) -> None:
    """Print how long a variant with a wanted level takes, over the whole scale."""
    for kind, amount in ((kind, KINDS[kind]) for kind in options.kinds):
        for band in BANDS:
            times, tried = [], 0
            for seed in range(options.seeds):
                start = time.process_time()
                tried += generate(1, place={kind: amount}, level=band, seed=seed).tried
                times.append(time.process_time() - start)
            spread = f"{median(times):.1f} s of CPU at the median, {max(times):.1f} s at most"
            print(f"{kind:12} {band[0]:>4} to {band[1]:5} {spread}, {tried / len(times):.0f} candidates", flush=True)


def minimised(options: Any) -> None:
    """Print the median of minimising the variants of the collection."""
    times = [cpu(partial(minimise, item.puzzle)) for item in shipped()[:: options.every] if item.solutions == 1]
    found = f"{median(times):.2f} s to minimise one (median), {max(times):.2f} s at most"
    print(f"{len(times)} variants of the collection: {found}")


def plain(options: Any) -> None:
    """Print how many minimal puzzles a second a few lines of numpy make, and how many the generator here."""
    n = BLOCK * -(-min(options.size, PLAIN) // BLOCK)
    for work in (taken_one_by_one, generate):
        work(10, seed=0)
    makers = (partial(taken_one_by_one, n), partial(generate, n))
    pairs = [[n / cpu(partial(make, seed=seed)) for make in makers] for seed in range(options.rounds)]
    ratio = median(ours / theirs for theirs, ours in pairs)
    theirs, ours = (max(rates) for rates in zip(*pairs, strict=True))
    print(f"minimal puzzles: {theirs:,.0f} a second by plain numpy, {ours:,.0f} here: {ratio:.1f} times as many")


def taken_one_by_one(n: int, seed: int) -> Any:
    """Make minimal puzzles simply: remove 24 clues together if possible, all others one by one."""
    rng = np.random.default_rng(seed)
    boards = random_grids(n, rng)
    orders = rng.random((n, 81)).argsort(1)
    trial = boards.copy()
    np.put_along_axis(trial, orders[:, :24], 0, 1)
    good = is_one(trial)
    boards[good] = trial[good]
    for number in range(81):
        rows = np.flatnonzero(~good | (number >= 24))
        cells = orders[rows, number]
        trial = boards[rows]
        trial[np.arange(len(rows)), cells] = 0
        gone = is_one(trial)
        boards[rows[gone], cells[gone]] = 0
    return boards


def random_grids(n: int, rng: np.random.Generator) -> Any:
    """Fill boards whose three boxes on the diagonal are random, and rename their digits."""
    boards = np.zeros((n, 9, 9), np.uint8)
    for k in range(3):
        boards[:, 3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = (rng.random((n, 9)).argsort(1) + 1).reshape(n, 3, 3)
    return solve_arrays(boards.reshape(n, 81), limit=1).values


def is_one(boards: Any) -> Any:
    """Return which boards have one solution."""
    return solve_arrays(boards, check=False).count == 1


def beside(command: str) -> None:
    """Print how many puzzles another generator makes in a second, their properties, and how many are made here."""
    before = children()
    done = subprocess.run(shlex.split(command), stdout=subprocess.PIPE, check=True)
    theirs = children() - before
    boards = boards_of(done.stdout)
    n = len(boards)
    one = is_one(boards)
    generate(10)
    ours = cpu(lambda: generate(BLOCK * -(-n // BLOCK), seed=3)) / (BLOCK * -(-n // BLOCK))
    print(f"{command}: {n:,} puzzles, {n / theirs:,.0f} a second; {one.sum():,} have one solution, ", end="")
    print(f"{sum(map(is_minimal, boards[one])):,} of these are minimal, {(boards[one] > 0).sum(1).mean():.2f} clues")
    print(f"here: {1 / ours:,.0f} a second, {theirs / n / ours:,.0f} times as many (CPU time)")


def boards_of(text: bytes) -> Any:
    """Return the lines of 81 characters of a text as boards; an error where it has none, or other lines."""
    lines = text.split()
    wrong = next((line for line in lines if len(line) != 81 or set(line) - set(b".0123456789")), None)
    if wrong is not None or not lines:
        raise SystemExit(f"{wrong!r}: puzzles of 81 characters, a line each, are expected of the other generator")
    return np.array([list(line.replace(b".", b"0")) for line in lines], np.uint8) - ord("0")


def is_minimal(board: Any) -> bool:
    """Return whether no clue of a puzzle can be removed."""
    clues = np.flatnonzero(board)
    without = np.tile(board, (len(clues), 1))
    without[np.arange(len(clues)), clues] = 0
    return not is_one(without).any()


def children() -> float:
    """Return the CPU time of the programs that were run so far."""
    times = os.times()
    return times.children_user + times.children_system


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU time of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def wall(work: Callable[[], object]) -> float:
    """Return the wall time."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
