"""Verbs end by their time limit, on problems that are hard for every engine.

Each case may take its limit and two seconds of CPU time more, of this process and all that it starts: a verb that does
not look at its limit takes far more on these problems, and neither a slow nor a busy machine decides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import sudoku_models as sm
from sudoku_models import explain as why
from sudoku_models import make, prove
from sudoku_models.engine import Budget, listings
from sudoku_models.errors import SudokuModelsError
from sudoku_models.model import Model, Table, Variable
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import WeightedSum
from sudoku_models.testing.examples import parity, solved
from sudoku_models.testing.processes import cpu_time
from tests.pace import pace

HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
LIMIT, MORE = 0.1, 2.0
"""The time limit of a case, and the CPU seconds, at the machine's pace, that it may take beyond it."""


def board(side: int, givens: float = 0.0) -> Puzzle:
    """Return a board with some of the givens of a random grid."""
    shape, root, rng = Shape.square(side), round(side**0.5), Random(side)
    whole = solved(rng, root, root)
    return Puzzle(shape, tuple(value if rng.random() < givens else None for value in whole))


def sums(terms: int) -> Puzzle:
    """Return an empty board with sums of many cells, each with weights of its own."""
    shape, rng = Shape.square(16), Random(terms)
    cells = [rng.sample(shape.names, terms) for _ in range(6)]
    grid = dict(zip(shape.names, solved(rng, 4, 4), strict=True))
    rules = []
    for chosen in cells:
        weights = [rng.randint(1, 9) for _ in chosen]
        total = sum(w * grid[x] for w, x in zip(weights, chosen, strict=True))
        rules.append(WeightedSum(tuple(chosen), total, tuple(weights)))
    return Puzzle(shape, (None,) * 256, rules=tuple(rules))


def wide_tables() -> Model:
    """Return tables with tens of thousands of tuples."""
    rng = Random(5)
    xs = [Variable(f"x{i}", range(1, 13)) for i in range(24)]
    rows = {tuple(rng.randint(1, 12) for _ in range(8)) for _ in range(30_000)}
    return Model(xs, [Table(rng.sample(xs, 8), rows) for _ in range(5)])


def chain() -> Model:
    """Return comparisons of variables with many values, of which clauses state every pair."""
    xs = [Variable(f"x{i}", range(1_000)) for i in range(20)]
    return Model(xs, [x < y for x, y in pairwise(xs)])


PROBLEMS: dict[str, Callable[[], Puzzle | Model]] = {
    "empty 9x9": lambda: board(9),
    "hardest 9x9": lambda: Puzzle.parse(HARDEST),
    "empty 16x16": lambda: board(16),
    "25x25": lambda: board(25, 0.45),
    "empty 36x36": lambda: board(36),
    "36x36": lambda: board(36, 0.5),
    "49x49": lambda: board(49, 0.7),
    "full 25x25": lambda: board(25, 2),
    "full 49x49": lambda: board(49, 2),
    "sums of 60": lambda: sums(60),
    "sums of 200": lambda: sums(200),
    "wide tables": wide_tables,
    "parity": lambda: parity(200),
    "chain": chain,
}


@cache
def problem(name: str) -> Puzzle | Model:
    """Return a problem with its structure, which is not part of what is measured."""
    made = PROBLEMS[name]()
    if isinstance(made, Puzzle):
        _ = made.structure
    return made


def smallest(puzzle: Puzzle, engine: Any, limit: float) -> None:
    with Budget(limit) as budget:
        make.minimise(puzzle, engine, budget=budget).smallest(budget.left)


Ask = Callable[[Any, Any, float], object]
VERBS: dict[str, tuple[Ask, tuple[str, ...]]] = {
    "solve": (
        lambda p, e, t: sm.solve(p, e, time_limit=t),
        ("empty 36x36", "sums of 200", "wide tables"),
    ),
    "unique": (lambda p, e, t: sm.solve(p, e, unique=True, time_limit=t), ("49x49", "parity")),
    "count": (lambda p, e, t: sm.count(p, e, time_limit=t), ("empty 9x9", "empty 36x36")),
    "solutions": (lambda p, e, t: sum(1 for _ in sm.solutions(p, e, time_limit=t)), ("empty 16x16",)),
    "candidates": (lambda p, e, t: sm.candidates(p, e, time_limit=t), ("25x25",)),
    "core": (lambda p, e, t: sm.core(p, e, time_limit=t), ("full 25x25",)),
    "cross_check": (lambda p, e, t: sm.cross_check(p, time_limit=t), ("36x36",)),
    "explain": (lambda p, e, t: why.explain(p, e, time_limit=t), ("empty 16x16", "full 49x49")),
    "hint": (lambda p, e, t: why.hint(p, time_limit=t), ("49x49", "sums of 200")),
    "path": (lambda p, e, t: why.path(p, time_limit=t), ("25x25", "wide tables")),
    "rate": (lambda p, e, t: why.rate(p, time_limit=t), ("hardest 9x9",)),
    "certify": (lambda p, e, t: prove.certify(p, backend=e, time_limit=t), ("25x25", "parity")),
    "certify a count": (lambda p, e, t: prove.certify(p, "count", e, time_limit=t), ("empty 9x9", "sums of 60")),
    "judge": (lambda p, e, t: prove.judgement_of(p, time_limit=t), ("25x25",)),
    "complete": (lambda p, e, t: make.complete(p, backend=e, time_limit=t), ("36x36",)),
    "minimise": (lambda p, e, t: make.minimise(p, e, time_limit=t), ("49x49",)),
    "smallest": (smallest, ("49x49",)),
    "redundant": (lambda p, e, t: make.redundant(p, e, time_limit=t), ("sums of 60",)),
    "clues_needed": (lambda p, e, t: make.clues_needed(p, time_limit=t), ("full 49x49",)),
    "generate": (
        lambda p, e, t: make.generate(1, shape=p.shape, rules=p.rules, backend=e, time_limit=t),
        ("empty 16x16", "sums of 60"),
    ),
    "trace": (lambda p, e, t: make.trace(p, time_limit=t), ("36x36",)),
}
ENGINES = [listing.name for listing in listings() if listing.backend and not listing.problem]
CASES = [
    *((verb, name, "auto") for verb, (_, names) in VERBS.items() for name in names),
    *(("unique", "empty 16x16", engine) for engine in ENGINES),
    *(("count", "wide tables", engine) for engine in ENGINES),
    *(("count", "chain", engine) for engine in ENGINES if engine in ("cp-sat", "highs", "pycosat", "pysat")),
]


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    """Compile and load what is compiled or loaded once: no limit interrupts that."""
    for spec in ("auto", "bitset", "pysat", "cp-sat"):
        sm.solve(HARDEST, spec)
    for puzzle in (".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.~R2C1_3", HARDEST):
        sm.solve(puzzle, "native")
        why.rate(puzzle)
    why.hint(problem("49x49"))
    prove.certify(HARDEST)


@pytest.mark.parametrize(("verb", "name", "engine"), CASES)
def test_a_verb_ends_by_its_limit(verb: str, name: str, engine: str) -> None:
    asked, began = problem(name), cpu_time()
    try:
        VERBS[verb][0](asked, engine, LIMIT)
    except SudokuModelsError as error:
        assert str(error)
    assert (cpu_time() - began - LIMIT) / pace() <= MORE
