"""Models for all formats, and what is known of their solutions by our own hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from random import Random

from sudoku_models import Model, Puzzle, Shape, Variable, solutions
from sudoku_models.collection import variants
from sudoku_models.model import Constraint, brute_force
from sudoku_models.puzzle.rules import Lunchbox
from sudoku_models.testing.generators import GENERATORS, random_model

from . import readers
from .readers import Found

READERS: Mapping[str, Callable[[str, Sequence[str]], Found]] = {
    "dimacs": readers.dimacs,
    "opb": readers.opb,
    "mps": readers.mps,
    "cp-sat-text": readers.cp_sat,
    "minizinc": readers.minizinc,
    "xcsp3": readers.xcsp3,
    "smt-lib": readers.smt_lib,
}
"""What reads each format and enumerates."""

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

HOSTILE = (
    "solve",
    "and",
    "x y",
    'a"b\\',
    "--><x>",
    "; (exit)",
    "%%",
    "*/",
    "ünï",
    "x=1 is x2",
    "v1",
    "R1C1_1",
    "-",
    "0",
    "e" * 300,
    "x is decided",
)
"""Names that a careless writer would let break out of their place in some format."""


def small_models(kind: type[Constraint], seeds: int) -> Iterator[Model]:
    """Yield models of four variables with one or two constraints of a kind."""
    for seed in range(seeds):
        yield random_model(Random(f"{kind.__name__}{seed}"), [kind], 4, 1 + seed % 2)


def every_kind() -> list[type[Constraint]]:
    return list(GENERATORS)


def boards() -> dict[str, Puzzle]:
    """Classic boards and variants, each with one to some hundred solutions."""
    found = {
        "4x4": Puzzle.parse("1..............."),
        "4x4 whole": Puzzle.parse("1234341221434321"),
        "4x4 impossible": Puzzle.parse("123....4........"),
        "9x9": Puzzle.parse(CLASSIC),
        "9x9 several": Puzzle.parse("." * 9 + CLASSIC[9:]),
    }
    found["4x4 lunchbox"] = Puzzle.empty(Shape.square(4)).with_rules(Lunchbox("R1C1 R2C2 R3C3 R4C4", 0))
    names = ("5x5-renban-01", "6x6-between-01")
    return found | {item.name: item.puzzle for item in variants() if item.name in names}


@cache
def own(puzzle: Puzzle) -> Found:
    """Return the solutions of a puzzle by the reference backend, in order."""
    with solutions(puzzle, "backtracking") as grids:
        return sorted(tuple(grid.values) for grid in grids)


def hostile() -> Model:
    """A chain of variables with hostile names; has few solutions."""
    xs = [Variable(name, (-1, 3)) for name in HOSTILE]
    chain = [left <= right for left, right in pairwise(xs)]
    return Model(xs, [*chain, xs[0] != xs[-1], sum(xs[1:], xs[0]) >= 0])  # type: ignore[list-item]


def objectives() -> dict[str, Model]:
    """Small models with objectives: a constant, a name twice, negative values, auxiliary variables, no solution."""
    texts = {
        "least": "minimize([2, -3], [x, y], 5)",
        "greatest": "maximize([1, 1, -1], [x, y, x], -4)",
        "of one": "maximize([-1], [z], 0)",
        "of none": "minimize([], [], 7)",
    }
    variables = "variable x in -2..3\nvariable y in {-1, 2, 4}\nvariable z in 0..4\n"
    stated = "AllDifferent([x, y, z])\nNValue([x, y, z], ==, z)\nElement([x, y, z], x, y)\n"
    loose = "Linear([1, 1, 1], [x, y, z], <=, 5)\n"
    found = {name: Model.parse(variables + loose + text) for name, text in texts.items()}
    found["of three kinds"] = Model.parse(variables + "NValue([x, y, z], ==, z)\n" + texts["least"])
    return found | {"impossible": Model.parse(variables + stated + "Linear([1, 1], [x, y], >, 6)\n" + texts["least"])}


def best(model: Model) -> int | None:
    """Return the best value by brute force; None when there is no solution."""
    assert model.objective
    values = [model.objective.value(dict(zip(model.names, row, strict=True))) for row in brute_force(model)]
    return (min if model.objective.minimizes else max)(values, default=None)


def own_values(model: Model) -> Found:
    """Return the solutions of a bare model by the reference backend."""
    with solutions(model, "backtracking") as found:
        return [tuple(values[name] for name in model.names) for values in found]
