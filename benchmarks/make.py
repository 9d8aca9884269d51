"""How quickly grids and puzzles are made, and boards brought into their least form. CPU time of one thread.

    python benchmarks/make.py [--size 20000] [--rounds 3] [--against "COMMAND"]

COMMAND is another generator, in C or C++ say, that writes minimal puzzles of 81 characters, a line each, to standard
output; it is started once and given as much wall time as the generator here took, and its lines are counted. Rates are
the best of some rounds, after a warm-up that compiles. Of two workers the wall time is compared.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from sudoku_models.make import augment, canonical_arrays, generate, generate_variants, grids, minimise, verify_arrays


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against")
    options = parser.parse_args()
    n = options.size
    for warm in (lambda: grids(10), lambda: grids(10, fast=True), lambda: generate(10)):
        warm()
    made, whole = generate(n, seed=1), grids(n, seed=1, fast=True)
    canonical_arrays(np.concatenate([whole[:10], made.values[:10]]))
    print(f"mean clues of {n} minimal puzzles: {(made.values > 0).sum(1).mean():.3f} (known: 24.38)")
    show("grids, uniform", n, options.rounds, lambda: grids(n, seed=2))
    show("grids, fast", n, options.rounds, lambda: grids(n, seed=2, fast=True))
    show("minimal puzzles", n, options.rounds, lambda: generate(n, seed=2))
    show("least forms of grids", n, options.rounds, lambda: canonical_arrays(whole))
    show("least forms of puzzles", n, options.rounds, lambda: canonical_arrays(made.values))
    show("random symmetries", n, options.rounds, lambda: augment(made.values, seed=1))
    show("answers verified", n, options.rounds, lambda: verify_arrays(made.values, made.solutions))
    alone, both = (wall(lambda workers=workers: generate(n, seed=3, workers=workers)) for workers in (1, 2))  # type: ignore[misc]
    print(f"two workers: {alone / both:.2f} times one (wall time)")
    variants()
    if options.against:
        beside(options.against, alone, n)


def show(name: str, n: int, rounds: int, work: Callable[[], object]) -> None:
    """Print how many a second."""
    best = min(cpu(work) for _ in range(rounds))
    print(f"{name:24} {n / best:12,.0f} a second")


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def wall(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def variants() -> None:
    """Print the median of making, and of minimising, some variants."""
    kinds = {"KillerCage": 16, "Thermo": 7, "Arrow": 9, "Sandwich": 12}
    for kind, amount in kinds.items():
        times, puzzles = [], []
        for seed in range(5):
            start = time.perf_counter()
            puzzles.append(generate_variants(1, place={kind: amount}, seed=seed).puzzles[0])
            times.append(time.perf_counter() - start)
        again = median(wall(lambda puzzle=puzzle: minimise(puzzle)) for puzzle in puzzles)  # type: ignore[misc]
        print(f"{kind:24} {median(times):.2f} s to make one, {again:.2f} s to minimise it (medians of 5)")


def beside(command: str, seconds: float, n: int) -> None:
    """Print how many puzzles another generator writes in the time that it took here."""
    with subprocess.Popen(shlex.split(command), stdout=subprocess.PIPE) as process:
        try:
            lines, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            lines, _ = process.communicate()
    written = lines.count(b"\n")
    print(f"{command}: {written / seconds:,.0f} a second, here {n / seconds:,.0f} (wall time)")


if __name__ == "__main__":
    main()
