"""The rewrites of the kinds that look up, count, read and join: small texts, and every way down."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

import pytest

from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import plan, run
from sudoku_models.lowering import Scratch
from sudoku_models.lowering.opening import opened
from sudoku_models.model import (
    AllDifferent,
    Compare,
    Connected,
    Constraint,
    Count,
    Element,
    InDomain,
    Linear,
    Model,
    NValue,
    Or,
    Regular,
    Table,
    Variable,
    brute_force,
)
from sudoku_models.testing import Restricted
from sudoku_models.testing.generators import GENERATORS, random_model, random_variables

EIGHT = (AllDifferent, Linear, Compare, Table, Element, Regular, Count, Or)
TARGETS = [(Table,), (Linear, Or, Table), EIGHT]


def board(n: int) -> tuple[list[Variable], list[tuple[int, int]]]:
    """The n * n cells of a board, row by row, and which of them are neighbours."""
    beside = [(n * r + c, n * r + c + 1) for r in range(n) for c in range(n - 1)]
    below = [(cell, cell + n) for cell in range(n * n - n)]
    return [Variable(f"r{r}c{c}", range(1, n + 1)) for r, c in product(range(n), repeat=2)], beside + below


BOARD, NEXT = board(9)


@pytest.mark.parametrize("kinds", TARGETS, ids=lambda kinds: "-".join(kind.__name__ for kind in kinds))
@pytest.mark.parametrize("kind", GENERATORS, ids=lambda kind: kind.__name__)
def test_every_kind_leads_down_to_every_set_of_targets(
    kind: type[Constraint], kinds: tuple[type[Constraint], ...]
) -> None:
    rng, backend = Random(f"{kind.__name__} down"), Restricted("cp-sat", kinds)
    native = Restricted("backtracking", kinds)
    for _ in range(4):
        model = random_model(rng, [kind], rng.randint(1, 4), rng.randint(1, 2))
        with run(model, backend if Regular not in kinds else native, Request(limit=None)) as found:
            solutions = list(found)
        assert sorted(solutions) == list(brute_force(model)), str(model)


@pytest.mark.parametrize("kind", GENERATORS, ids=lambda kind: kind.__name__)
def test_definitions_hold_in_any_case_and_leave_nothing_open(kind: type[Constraint]) -> None:
    rng = Random(f"{kind.__name__} opened")
    for _ in range(15):
        xs = random_variables(rng, 3)
        constraint = GENERATORS[kind](rng, xs)
        scratch = Scratch({x.name: x.domain for x in xs})
        both = opened(constraint, scratch)
        if both is None:
            return
        assert _extensions(Model([*xs, *scratch.added], both[0]), len(xs)) == list(brute_force(Model(xs)))
        assert _extensions(Model([*xs, *scratch.added], [*both[0], both[1]]), len(xs)) == list(
            brute_force(Model(xs, [constraint]))
        )


def _extensions(model: Model, stated: int) -> list[tuple[int, ...]]:
    """The stated parts of all solutions, each as often as it can be extended."""
    with run(model, "backtracking", Request(limit=None)) as found:
        return sorted(solution[:stated] for solution in found)


def large_parts(n: int) -> tuple[Model, Connected]:
    """A model of n * n cells with parts of which no table could be made, and the part that is denied."""
    cells, neighbours = board(n)
    rows = [cells[n * r : n * r + n] for r in range(n)]
    inside, half = Connected(cells, neighbours, [1, 2]), n // 2 + 1
    low = sum(range(1, half + 1))
    constraints = [
        *map(AllDifferent, rows),
        Or(sum(rows[0][:half]) == low, sum(rows[1][:half]) == low + 5),
        Or(AllDifferent([row[0] for row in rows]), NValue([row[0] for row in rows], "<", 3)),
        ~inside,
        Or(AllDifferent(rows[2] + rows[3]), Count(rows[4] + rows[5], [n], "==", 2)),
    ]
    return Model(cells, constraints), inside


@pytest.mark.parametrize("backend", ["cp-sat", "pycosat"])
def test_large_parts_of_an_or_need_no_table(backend: str) -> None:
    assert plan(large_parts(9)[0], backend).model.variables
    model, inside = large_parts(6)
    with run(model, backend, Request(time_limit=60)) as found:
        values = dict(zip(model.names, next(found), strict=True))
    assert model.holds(values)
    assert not inside.holds(values)


@dataclass(frozen=True)
class Product(Constraint):
    """A kind of someone else's: ``x * y == z``."""

    x: str
    y: str
    z: str

    def variables(self) -> tuple[str, ...]:
        return self.x, self.y, self.z

    def holds(self, values: object) -> bool:
        return bool(values[self.x] * values[self.y] == values[self.z])  # type: ignore[index]


del Constraint.kinds["Product"]  # known only where a test asks for it


@pytest.mark.parametrize("backend", ["cp-sat", "pycosat", "backtracking", "python-constraint"])
def test_a_kind_from_elsewhere_is_tabulated(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Constraint.kinds, "Product", Product)
    model = Model(BOARD[:3], [Or(Product("r0c0", "r0c1", "r0c2"), InDomain("r0c0", [7]))])
    with run(model, backend, Request(limit=None)) as found:
        assert sorted(found) == list(brute_force(model))
