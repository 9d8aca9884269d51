"""The road through clauses: what propagation before the SAT solver is worth, on small boards and on large ones."""

from __future__ import annotations

import random
from functools import partial
from math import isqrt

from sudoku_models import Puzzle, Shape, count, solve

from .tables import SPREAD, Sample, Table, command, cpu, spread

WAYS = {
    "pycosat, clauses as stated": "pycosat:propagate=none",
    "pycosat, singles first": "pycosat:propagate=singles",
    "pycosat, locked candidates first": "pycosat:propagate=locked",
    "cadical153": "pysat:solver=cadical153",
}

SIDES = {16: 0.6, 25: 0.6, 36: 0.7, 64: 0.75, 100: 0.75}
"""The share of given cells on boards by their side."""


def pattern(n: int, share: float, seed: int) -> Puzzle:
    """Return a board from a shifted pattern, its values, rows and columns shuffled, with a share of the cells given."""
    rng, k = random.Random(seed), isqrt(n)
    values = rng.sample(range(1, n + 1), n)
    rows, columns = (
        [band * k + line for band in rng.sample(range(k), k) for line in rng.sample(range(k), k)] for _ in range(2)
    )
    full = [values[(r % k * k + r // k + c) % n] for r in rows for c in columns]
    return Puzzle(Shape.square(n), tuple(v if rng.random() < share else None for v in full))


def proved(text: str, spec: str) -> None:
    """Go from text to the proof of uniqueness."""
    assert count(Puzzle.parse(text), spec, limit=2).value == 1, f"{spec}: {text} has one solution"


def solved(text: str, spec: str) -> None:
    """Go from text to a checked grid."""
    assert solve(Puzzle.parse(text), spec).grid is not None, f"{spec} does not solve a board"


def tables(sample: Sample) -> list[Table]:
    """Measure classic puzzles and large boards."""
    return [small(sample), large(sample)]


def small(sample: Sample) -> Table:
    """Measure proofs of uniqueness of classic puzzles, each way in turn on each puzzle."""
    times: dict[str, list[float]] = {spec: [] for spec in WAYS.values()}
    lines = sample.lines(400)
    for spec in times:
        proved(lines[0], spec)
    for line in lines:
        for spec, found in times.items():
            found.append(cpu(partial(proved, line, spec)))
    rows = [(name, *spread(times[spec])) for name, spec in WAYS.items()]
    return Table("Classic puzzles by clauses, proved unique", ("way", *SPREAD), rows)


def large(sample: Sample) -> Table:
    """Measure large boards from text to a checked grid, when one of their side was solved before."""
    sides = [side for side in SIDES if not sample.short or side < 50]
    texts = {side: str(pattern(side, SIDES[side], side)) for side in sides}
    rows = []
    for name, spec in WAYS.items():
        for text in texts.values():
            solved(text, spec)
        rows.append((name, *(f"{cpu(partial(solved, text, spec)):.3f}" for text in texts.values())))
    return Table("Large boards by clauses, seconds", ("way", *(f"{side} x {side}" for side in sides)), rows)


if __name__ == "__main__":
    command(__doc__, tables)
