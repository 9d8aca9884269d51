"""How quickly grids and puzzles are made, and least forms found; CPU time of one thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from sudoku_models.bulk import solve_arrays
from sudoku_models.collection import variants as shipped
from sudoku_models.make import augment, canonical_arrays, generate, grids, minimise, verify_arrays

from .tables import SPREAD, Sample, Table, command, cpu, in_turn, spread

SIZE = 20_000
BLOCK = 4096
"""Puzzles that the generator makes together: what is measured are whole blocks."""

KINDS = {"KillerCage": 16, "Thermo": 7, "Arrow": 9, "Sandwich": 12}
"""How many rules of a kind are placed on a board."""

WISHES: dict[str, dict[str, Any]] = {
    "a rating of 8.0 to 9.0": {"rating": (8.0, 9.0)},
    "thermos of level 2.2": {"place": {"Thermo": 7}, "level": ("2.2", "2.2")},
    "arrows of level 2.4": {"place": {"Arrow": 9}, "level": ("2.4", "2.4")},
}


def tables(sample: Sample) -> list[Table]:
    """Measure many at once, the yardstick, and one by one."""
    return [rates(sample), yardstick(sample), wishes(sample)]


def rates(sample: Sample) -> Table:
    """Measure how many boards per second each verb makes or processes."""
    n = sample.some(SIZE)
    made, whole = generate(n, seed=1), grids(n, seed=1, fast=True)
    canonical_arrays(np.concatenate([whole[:10], made.values[:10]]))
    grids(10)
    works: dict[str, Callable[[], object]] = {
        "grids, uniform": lambda: grids(n, seed=2),
        "grids, fast": lambda: grids(n, seed=2, fast=True),
        "minimal puzzles": lambda: generate(n, seed=2),
        "least forms of grids": lambda: canonical_arrays(whole),
        "least forms of puzzles": lambda: canonical_arrays(made.values),
        "random symmetries": lambda: augment(made.values, seed=1),
        "answers verified": lambda: verify_arrays(made.values, made.solutions),
        "the same puzzles solved": lambda: solve_arrays(made.values),
    }
    took = in_turn(works, sample.rounds)
    note = f"The minimal puzzles have {(made.values > 0).sum(1).mean():.2f} clues on average."
    rows = [(name, f"{n / seconds:,.0f}") for name, seconds in took.items()]
    return Table("Classic boards made", ("what", "a second"), rows, note)


def yardstick(sample: Sample) -> Table:
    """Measure minimal puzzles beside what a few lines of numpy make with the same solver."""
    n = BLOCK * (1 if sample.short else 4)
    works = {"generate": partial(generate, n, seed=1), "plain numpy": partial(taken_one_by_one, n, seed=1)}
    for make in (generate, taken_one_by_one):
        make(10, seed=0)
    took = in_turn(works, sample.rounds)
    rows = [(name, f"{n / seconds:,.0f}", f"{took['plain numpy'] / seconds:.2f}") for name, seconds in took.items()]
    return Table("Minimal puzzles, two ways", ("way", "a second", "beside numpy"), rows)


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
    """Fill boards whose three boxes on the diagonal are random."""
    boards = np.zeros((n, 9, 9), np.uint8)
    for k in range(3):
        boards[:, 3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = (rng.random((n, 9)).argsort(1) + 1).reshape(n, 3, 3)
    return solve_arrays(boards.reshape(n, 81), limit=1).values


def is_one(boards: Any) -> Any:
    """Return which boards have one solution."""
    return solve_arrays(boards, check=False).count == 1


def wishes(sample: Sample) -> Table:
    """Measure puzzles that are made one by one: variants, a rating, a level; and minimising."""
    seeds, rows = range(2 if sample.short else 5), []
    for kind, amount in KINDS.items():
        rows.append((f"a variant with {amount} {kind}", made(seeds, place={kind: amount})))
    rows += [(name, made(seeds, **wish)) for name, wish in WISHES.items()]
    items = [item.puzzle for item in shipped() if item.solutions == 1][:: 60 if sample.short else 20]
    rows.append(("minimising a variant of the collection", spread([cpu(partial(minimise, p)) for p in items])))
    return Table("One by one", ("what", *SPREAD), [(name, *found) for name, found in rows])


def made(seeds: range, **wish: Any) -> tuple[str, str, str]:
    """Return how long one puzzle takes, over some seeds."""
    return spread([cpu(partial(generate, 1, seed=seed, **wish)) for seed in seeds])


if __name__ == "__main__":
    command(__doc__, tables)
