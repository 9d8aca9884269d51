"""Every verb that takes a time limit, on every engine that is installed, with problems that are hard for all of them.

Each case may take its limit and half a second of CPU time more, of this process and all that it starts, so that a busy
machine does not decide. The tests run a sample of it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import sudoku_models as sm
from sudoku_models import explain as why
from sudoku_models import make, prove
from sudoku_models.engine import Budget, listings
from sudoku_models.errors import SudokuModelsError
from sudoku_models.model import (
    And,
    Compare,
    Connected,
    InDomain,
    Linear,
    Model,
    Not,
    Objective,
    Or,
    Table,
    Variable,
)
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import WeightedSum
from sudoku_models.testing.examples import independent_set, parity, solved
from sudoku_models.testing.processes import cpu_time, pace

MORE = 0.5
"""CPU seconds, at the machine's pace, that a case may take beyond its limit."""

HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def board(side: int, givens: float = 0.0) -> Puzzle:
    """Return a board with some of the givens of a random grid."""
    shape, root = Shape.square(side), round(side**0.5)
    rng = Random(side)
    whole = solved(rng, root, root)
    return Puzzle(shape, tuple(value if rng.random() < givens else None for value in whole))


def sums(terms: int) -> Puzzle:
    """Return an empty board with sums of many cells, each with weights of its own."""
    shape = Shape.square(16)
    rng = Random(terms)
    cells = [rng.sample(shape.names, terms) for _ in range(6)]
    grid = dict(zip(shape.names, solved(rng, 4, 4), strict=True))
    rules = []
    for chosen in cells:
        weights = [rng.randint(1, 9) for _ in chosen]
        total = sum(w * grid[x] for w, x in zip(weights, chosen, strict=True))
        rules.append(WeightedSum(tuple(chosen), total, tuple(weights)))
    return Puzzle(shape, (None,) * 256, rules=tuple(rules))


def sum_model(terms: int) -> Model:
    """Return the same kind of sums over variables alone."""
    rng = Random(terms)
    xs = [Variable(f"x{i}", range(1, 10)) for i in range(terms)]
    return Model(xs, [Linear([rng.randint(-20, 20) for _ in xs], xs, "==", 7 + i) for i in range(8)])


def wide_tables() -> Model:
    """Return tables with tens of thousands of tuples."""
    rng = Random(5)
    xs = [Variable(f"x{i}", range(1, 13)) for i in range(24)]
    rows = {tuple(rng.randint(1, 12) for _ in range(8)) for _ in range(30_000)}
    return Model(xs, [Table(rng.sample(xs, 8), rows) for _ in range(5)])


def disjunctions() -> Model:
    """Return large disjunctions of conjunctions, some of them negated."""
    rng = Random(6)
    xs = [Variable(f"x{i}", range(1, 10)) for i in range(60)]

    def some() -> Any:
        x, y, z = rng.sample(xs, 3)
        return And(
            Compare(x, "<", y, rng.randint(-2, 2)),
            Linear((1, 2), (y, z), ">", rng.randint(5, 20)),
            Not(InDomain(z, (1, 5))),
        )

    return Model(xs, [Or([some() for _ in range(60)]) for _ in range(120)])


def pigeons(n: int) -> Model:
    """Return n + 1 pigeons in n holes, without a constraint that says so at once."""
    xs = [Variable(f"x{i}", range(n)) for i in range(n + 1)]
    return Model(xs, [Compare(a, "!=", b) for i, a in enumerate(xs) for b in xs[:i]])


def areas() -> Model:
    """Return connected cells of a grid with an unlikely number of them."""
    n = 14
    xs = [Variable(f"x{i}", (0, 1)) for i in range(n * n)]
    edges = [(i, i + 1) for i in range(n * n) if i % n < n - 1] + [(i, i + n) for i in range(n * n - n)]
    return Model(
        xs,
        [
            Connected(xs, edges, (1,)),
            Linear([1] * len(xs), xs, "==", n * n // 2),
            Linear([i % 7 for i in range(n * n)], xs, "==", 311),
        ],
    )


def weighted(side: int) -> Model:
    """Return a board with an objective over its cells."""
    model, rng = Shape.square(side).model, Random(side)
    return model.with_(objective=Objective("maximize", [rng.randint(-9, 9) for _ in model.names], model.names))


PROBLEMS: dict[str, Callable[[], Puzzle | Model]] = {
    "empty 9x9": lambda: board(9),
    "hardest 9x9": lambda: Puzzle.parse(HARDEST),
    "empty 16x16": lambda: board(16),
    "16x16": lambda: board(16, 0.4),
    "25x25": lambda: board(25, 0.45),
    "empty 25x25": lambda: board(25),
    "empty 36x36": lambda: board(36),
    "36x36": lambda: board(36, 0.5),
    "49x49": lambda: board(49, 0.7),
    "full 25x25": lambda: board(25, 2),
    "full 49x49": lambda: board(49, 2),
    "sums of 60": lambda: sums(60),
    "sums of 100": lambda: sums(100),
    "sums of 200": lambda: sums(200),
    "sum model of 60": lambda: sum_model(60),
    "sum model of 200": lambda: sum_model(200),
    "wide tables": wide_tables,
    "disjunctions": disjunctions,
    "pigeons": lambda: pigeons(40),
    "areas": areas,
    "parity": lambda: parity(200),
    "independent set": lambda: independent_set(400, 30),
    "weighted 16x16": lambda: weighted(16),
}


@cache
def problem(name: str) -> Puzzle | Model:
    """Return a problem with its structure, which is not part of what is measured."""
    made = PROBLEMS[name]()
    if isinstance(made, Puzzle):
        _ = made.structure
    return made


@dataclass(frozen=True)
class Verb:
    """A verb: ``ask(problem, engine, limit)``, whether it takes an engine, and which problems it is for."""

    ask: Callable[[Any, Any, float], object]
    engines: bool = True
    puzzles: bool = False
    """Whether it takes no models."""
    full: bool = False
    """Whether it takes full boards, and no others."""
    objective: bool = True


def smallest(puzzle: Puzzle, engine: Any, limit: float) -> None:
    with Budget(limit) as budget:
        make.minimise(puzzle, engine, budget=budget).smallest(budget.left)


def searched(puzzle: Puzzle, engine: Any, limit: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        make.search([puzzle], folder, time_limit=limit, backend=engine)


VERBS: dict[str, Verb] = {
    "solve": Verb(lambda p, e, t: sm.solve(p, e, time_limit=t)),
    "unique": Verb(lambda p, e, t: sm.solve(p, e, unique=True, time_limit=t), objective=False),
    "count": Verb(lambda p, e, t: sm.count(p, e, time_limit=t), objective=False),
    "solutions": Verb(lambda p, e, t: sum(1 for _ in sm.solutions(p, e, time_limit=t)), objective=False),
    "candidates": Verb(lambda p, e, t: sm.candidates(p, e, time_limit=t), objective=False),
    "core": Verb(lambda p, e, t: sm.core(p, e, time_limit=t), objective=False),
    "cross_check": Verb(lambda p, e, t: sm.cross_check(p, time_limit=t), engines=False, objective=False),
    "explain": Verb(lambda p, e, t: why.explain(p, e, time_limit=t), objective=False),
    "hint": Verb(lambda p, e, t: why.hint(p, time_limit=t), engines=False, objective=False),
    "path": Verb(lambda p, e, t: why.path(p, time_limit=t), engines=False, objective=False),
    "rate": Verb(lambda p, e, t: why.rate(p, time_limit=t), engines=False, objective=False),
    "certify": Verb(lambda p, e, t: prove.certify(p, backend=e, time_limit=t)),
    "certify a count": Verb(lambda p, e, t: prove.certify(p, "count", e, time_limit=t), objective=False),
    "judge": Verb(lambda p, e, t: prove.judgement_of(p, time_limit=t), engines=False, objective=False),
    "complete": Verb(lambda p, e, t: make.complete(p, backend=e, time_limit=t), puzzles=True),
    "minimise": Verb(lambda p, e, t: make.minimise(p, e, time_limit=t), puzzles=True),
    "smallest": Verb(smallest, puzzles=True),
    "redundant": Verb(lambda p, e, t: make.redundant(p, e, time_limit=t), puzzles=True),
    "clues_needed": Verb(lambda p, e, t: make.clues_needed(p, time_limit=t), engines=False, puzzles=True, full=True),
    "search": Verb(searched, puzzles=True),
    "generate": Verb(
        lambda p, e, t: make.generate(1, shape=p.shape, rules=p.rules, backend=e, time_limit=t), puzzles=True
    ),
    "trace": Verb(lambda p, e, t: make.trace(p, time_limit=t), engines=False, puzzles=True),
}


@dataclass(frozen=True)
class Case:
    """A verb on a problem, with an engine ("auto" where it takes none)."""

    verb: str
    problem: str
    engine: str = "auto"

    def __str__(self) -> str:
        return f"{self.verb}, {self.problem}, {self.engine}"

    @property
    def applies(self) -> bool:
        """Return whether the verb takes the problem and the engine."""
        verb, asked = VERBS[self.verb], problem(self.problem)
        if isinstance(asked, Model):
            return not verb.puzzles and (verb.objective or asked.objective is None)
        return verb.full == (None not in asked.givens) or not verb.full

    def late(self, limit: float) -> tuple[float, str]:
        """Return by how many seconds of CPU time, at the machine's pace, the case is late, and how it ends."""
        asked = problem(self.problem)
        began = cpu_time()
        try:
            said = type(VERBS[self.verb].ask(asked, self.engine, limit)).__name__
        except SudokuModelsError as error:
            said = f"{type(error).__name__}: {error}"
        except Exception as error:
            said = f"!! {type(error).__name__}: {error}"
        return (cpu_time() - began - limit) / pace(), said


def engines() -> list[str]:
    """Return what is installed, and ``auto``."""
    return ["auto", *(listing.name for listing in listings() if listing.backend and not listing.problem)]
