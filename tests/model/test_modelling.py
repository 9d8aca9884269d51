"""What a modeller writes: arrays of variables, Boolean variables, powers, and global constraints."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from sudoku_models import BadOption, Model, Puzzle, Unsupported, count, solve
from sudoku_models.engine.registry import select
from sudoku_models.model import (
    Boolean,
    Circuit,
    Compare,
    Cumulative,
    Element,
    GlobalCardinality,
    InDomain,
    Inverse,
    Linear,
    MinMax,
    NoOverlap,
    Table,
    Variable,
    all_different,
    booleans,
    brute_force,
    count_of,
    maximum,
    variables,
)  # fmt: skip


def test_a_board_is_an_array() -> None:
    x, g = variables((4, 4), 1, 4), np.zeros((4, 4), int)
    g[0, 0], g[1, 2] = 3, 1
    boxes = [all_different(x[i : i + 2, j : j + 2]) for i in (0, 2) for j in (0, 2)]
    model = Model(x, [*map(all_different, x), *map(all_different, x.T), *boxes, x[g > 0] == g[g > 0]])
    assert model.names[:2] == ("x_0_0", "x_0_1") and len(model.constraints) == 14
    found = x.read(solve(model, unique=False).values or {})
    assert found[0, 0] == 3 and found[1, 2] == 1 and (found.sum(axis=0) == 10).all()
    assert count(model).value == count(Puzzle.parse("3.....1.........")).value > 1


def test_operators_of_arrays_work_cell_by_cell() -> None:
    x = variables((2, 3), 0, 5)
    a, b = x[0, 0], x[0, 1]
    assert list(x[0] != x[1]) == [Compare(p, "!=", q) for p, q in zip(x[0], x[1], strict=True)]
    assert (x.sum(axis=0) <= 4)[1] == Linear((1, 1), ("x_0_1", "x_1_1"), "<=", 4)
    assert (x[0].sum() == 7) == Linear((1, 1, 1), ("x_0_0", "x_0_1", "x_0_2"), "==", 7)
    assert (np.maximum(x[0], x[1])[0] == 3) == (x[:, 0].max() == 3) == MinMax(("x_0_0", "x_1_0"), None, 3)
    assert (x[0, a] == 2) == Element(("x_0_0", "x_0_1", "x_0_2"), "x_0_0", 2)
    assert (x[0] > 1).all().holds(dict.fromkeys(["x_0_0", "x_0_1", "x_0_2"], 2))
    plain = np.array([a, b])
    assert list(plain == x[1, 0]) == list(x[1, 0] == plain) == [Compare(p, "==", "x_1_0") for p in (a, b)]
    assert (maximum(plain) == 3) == MinMax(("x_0_0", "x_0_1"), None, 3)
    assert [(found - 1).constant for found in 2 + plain] == [1, 1]
    assert list(((a == 1) + np.array([1, 2])) <= 2) == [(a == 1) + 1 <= 2, (a == 1) + 2 <= 2]
    rows = list(brute_force(Model(x[0], [x[0, :2][a] == x[0, 2], count_of(x[0], 5) == 0])))
    assert rows and all(row[row[0]] == row[2] and row[0] < 2 for row in rows)


def test_boolean_variables_are_constraints_and_numbers() -> None:
    p, q, r = booleans("pqr")
    x = Variable("x", range(4))
    model = Model([p, q, r, x], [p | q, ~p | ~q, p.implies(x > 2), (x == 1) | q, r == (x < 2), p ^ r, p + q + r <= 2])
    expected = [
        (a, b, c, v) for a in (0, 1) for b in (0, 1) for c in (0, 1) for v in range(4)
        if a != b and (not a or v > 2) and (v == 1 or b) and c == (v < 2) and a != c and a + b + c <= 2
    ]  # fmt: skip
    assert list(brute_force(model)) == expected != []
    assert count(model).value == len(expected)
    assert Model([p], [p]) == Model([p], [InDomain("p", (1,))]) and isinstance(booleans(2)[0], Boolean)
    grid = booleans((3, 3), "q")
    assert count(Model(grid, [grid.sum(axis=0) == 1, grid.sum(axis=1) == 1])).value == 6


def test_powers_are_tables() -> None:
    x, y = Variable("x", range(-2, 5)), Variable("y", range(-1, 4))
    for stated, holds in ((x**y == 8, lambda a, b: b >= 0 and a**b == 8), (2**y > x, lambda a, b: b >= 0 and 2**b > a)):
        assert isinstance(stated, Table)
        assert list(brute_force(Model([x, y], [stated]))) == [(a, b) for a in x.domain for b in y.domain if holds(a, b)]
    with pytest.raises(ValueError, match="up to 64"):
        _ = x**65 == 1


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        (lambda x: x / 2, "x // y"),
        (lambda x: 2 / x, "x // y"),
        (lambda x: bool(x == 1), r"&, \|, ~ and \.implies"),
        (lambda x: 1 < x < 3, r"&, \|, ~ and \.implies"),
        (lambda x: bool(Boolean("p")), r"&, \|, ~ and \.implies"),
    ],
)
def test_what_cannot_be_is_refused_with_advice(wrong: object, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        wrong(Variable("x", range(4)))  # type: ignore[operator]


def test_global_constraints_hold_where_their_words_say() -> None:
    xs = tuple(f"x{i}" for i in range(4))

    def held(constraint: object, *row: int) -> bool:
        return constraint.holds(dict(zip(xs, row, strict=False)))  # type: ignore[attr-defined, no-any-return]

    assert held(Circuit(xs), 2, 3, 1, 0) and not held(Circuit(xs), 1, 0, 3, 2) and not held(Circuit(xs), 1, 2, 3, 4)
    assert held(Inverse(xs[:2], xs[2:]), 1, 0, 1, 0) and not held(Inverse(xs[:2], xs[2:]), 0, 0, 0, 0)
    assert held(GlobalCardinality(xs, (1, 2), (2, 1)), 1, 2, 1, 5)
    assert not held(GlobalCardinality(xs, (1,), (4,)), 1, 1, 1, 2)
    assert not held(GlobalCardinality(xs, (1, 2), (2, 1), True), 1, 2, 1, 5)
    assert held(NoOverlap(xs, (1, 2, 1, 1)), 0, 1, 3, 4) and not held(NoOverlap(xs, (1, 2, 1, 1)), 0, 1, 2, 4)
    assert held(Cumulative(xs, (2, 2, 1, 1), (1, 1, 2, 1), 2), 0, 1, 3, 2)
    assert not held(Cumulative(xs, (2, 2, 1, 1), (1, 1, 2, 1), 2), 0, 1, 2, 4)
    for wrong in (lambda: NoOverlap(xs, (1, 2)), lambda: NoOverlap(xs, (0, 1, 1, 1)), lambda: Circuit([]),
                  lambda: Cumulative(xs, (1, 1, 1, 1), (1, 1, 1, -1), 1)):  # fmt: skip
        with pytest.raises(ValueError, match=r"expected|at least one"):
            wrong()


def test_stating_models_does_not_load_numpy() -> None:
    code = "import sudoku_models.model as m, sys; m.booleans('pq'); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("backend", ["auto", "pysat", "cp-sat", "pycosat"])
def test_assumptions_hold_for_one_call_and_those_that_fail_are_named(backend: str) -> None:
    x, y, z = variables("xyz", range(1, 5))
    model = Model([x, y, z], [x < y])
    assert solve(model, backend, assuming=[y < z, x > 1]).values == {"x": 2, "y": 3, "z": 4}
    found = solve(model, backend, assuming=[z > 2, y < z, z == 2, y != 1, x == 1, z < 4])
    assert found.status == "unsatisfiable" and found.failed in ((z > 2, z == 2), (y < z, z == 2))
    assert solve(model, backend).failed == ()
    assert solve(model.with_(z > 9), backend, assuming=[x == 1]).failed == ()
    puzzle = Puzzle.parse("1...............")
    one = puzzle.model["R1C2"] == 1
    assert solve(puzzle, backend, assuming=[one]).failed == (one,)
    grid = solve(puzzle, backend, assuming=[puzzle.model["R1C2"] == 3]).grid
    assert grid is not None and grid.to_line()[:2] == "13"


def test_parameters_of_an_engine_go_by_their_names() -> None:
    spec = "cp-sat:presolve=false,symmetry_level=0,search_branching=PORTFOLIO_SEARCH,linearization_level=2"
    assert str(select(spec)) == spec and select(str(select(spec))) == select(spec)
    assert count("1...............", spec).value == 72
    for wrong, said in {"symetry_level=1": "did you mean symmetry_level", "symmetry_level=x": "takes no such value",
                        "random_seed=1": "set by other means", "symmetry_level=1,symmetry_level=2": "twice",
                        "parameters=1": "neither an option"}.items():  # fmt: skip
        with pytest.raises(BadOption, match=said):
            select(f"cp-sat:{wrong}")


def test_a_hint_is_tried_first_where_a_backend_takes_hints() -> None:
    xs = variables("abcdef", range(1, 30))
    model, hint = Model(xs, [all_different(xs), xs[0] + xs[1] >= 3]), {x: i + 11 for i, x in enumerate(xs)}
    for backend in ("auto", "cp-sat", "pysat", "pysat:solver=cadical153"):
        assert solve(model, backend, hint=hint).values == {x.name: i + 11 for i, x in enumerate(xs)}
        assert solve(model, backend, hint={xs[0]: 99}).status == "solved"
    with pytest.raises(Unsupported, match="hint"):
        solve(model, "native", hint=hint)
    with pytest.raises(ValueError, match="zz is not a variable"):
        solve(model, "cp-sat", hint={"zz": 1})
    with pytest.raises(TypeError, match="hint is 5: a dict"):
        solve(model, "cp-sat", hint=5)  # type: ignore[arg-type]
