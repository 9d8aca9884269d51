"""What has no value (x // 0, a list beyond its ends): a comparison with it does not hold, in every engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from sudoku_models import Model, Variable, count, solve
from sudoku_models.model import Array, Constraint, all_different, brute_force, count_of, maximum, minimum
from sudoku_models.model.phrase import Phrase, phrase
from sudoku_models.prove import certify, check

NAMES = "xyz"
XS = X, Y, Z = [Variable(name, range(-1, 3)) for name in NAMES]
ROWS = list(product(range(-1, 3), repeat=3))

Number = Callable[[Mapping[str, int]], "int | None"]
Truth = Callable[[Mapping[str, int]], bool]
OPERATORS: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else None,
    "%": lambda a, b: a % b if b else None,
    "min": min,
    "max": max,
}
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
}


def a_number(rng: Random, depth: int) -> tuple[str, Number]:
    """Return the text of an expression, and its meaning: None where a part of it has no value."""
    if not depth or rng.random() < 0.2:
        name = rng.choice([*NAMES, *NAMES, "0", "1", "2"])
        return name, (lambda row: row[name]) if name in NAMES else lambda row: int(name)
    if rng.random() < 0.15:
        text, holds = a_truth(rng, depth - 1)
        return f"({text} or 1 == 2)", lambda row: int(holds(row))
    op = rng.choice(["+", "-", "*", "//", "//", "%", "min", "max", "element"])
    (left, a), (right, b) = a_number(rng, depth - 1), a_number(rng, depth - 1)
    if op == "element":
        return f"element([{left}, 2], {right})", lambda row: looked_up([a(row), 2], b(row))

    def value(row: Mapping[str, int]) -> int | None:
        one, other = a(row), b(row)
        return None if one is None or other is None else OPERATORS[op](one, other)

    return f"{op}({left}, {right})" if op.isalpha() else f"({left} {op} {right})", value


def looked_up(listed: list[int | None], index: int | None) -> int | None:
    """Return a member of a list; None unless every member has a value and the index is one of the list."""
    return None if index is None or None in listed or not 0 <= index < len(listed) else listed[index]


def a_truth(rng: Random, depth: int) -> tuple[str, Truth]:
    """Return the text of a condition, and whether it holds."""
    way = rng.randrange(5) if depth > 1 else 0
    if way == 3:
        text, holds = a_truth(rng, depth - 1)
        return f"(not {text})", lambda row: not holds(row)
    if way == 4:
        (left, one), (right, other) = a_truth(rng, depth - 1), a_truth(rng, depth - 1)
        return f"({left} or {right})", lambda row: one(row) or other(row)
    op = rng.choice(list(RELATIONS))
    (left, a), (right, b) = a_number(rng, depth), a_number(rng, depth)

    def compared(row: Mapping[str, int]) -> bool:
        one, two = a(row), b(row)
        return one is not None and two is not None and RELATIONS[op](one, two)

    return f"{left} {op} {right}", compared


def expected(holds: Truth) -> set[tuple[int, ...]]:
    return {row for row in ROWS if holds(dict(zip(NAMES, row, strict=True)))}


@cache
def some_conditions(number: int = 400) -> list[tuple[str, Truth, Constraint]]:
    """Return conditions that name a variable, as texts, with their meaning and their constraints."""
    rng, found = Random(28), []
    while len(found) < number:
        text, holds = a_truth(rng, 3)
        try:
            constraint = Phrase(text).over({x.name: x for x in XS})
        except ValueError:  # 1 // 0, or no variable
            continue
        if constraint.scope:
            found.append((text, holds, constraint))
    return found


def test_a_condition_holds_where_all_its_values_exist_and_python_says_so() -> None:
    without = 0
    for text, holds, constraint in some_conditions():
        assert set(brute_force(Model(XS, [constraint]))) == expected(holds), text
        without += "//" in text or "%" in text or "element" in text
    assert without > 200


@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "native", "pycosat", "python-constraint", "z3"])
def test_every_engine_says_the_same(backend: str) -> None:
    for text, holds, constraint in some_conditions()[:: 40 if backend == "z3" else 10]:
        assert count(Model(XS, [constraint]), backend).value == len(expected(holds)), text


NO_VALUE: dict[str, tuple[Any, Callable[[int, int, int], bool]]] = {
    "the greatest with a number": (maximum(X // Y, 1) >= 1, lambda x, y, z: y != 0),
    "the greatest with a variable": (maximum(X // Y, Z) >= 2, lambda x, y, z: y != 0 and max(x // y, z) >= 2),
    "the least": (minimum(X % Y, Z) <= 0, lambda x, y, z: y != 0 and min(x % y, z) <= 0),
    "an absolute value": (abs(X // Y) >= 0, lambda x, y, z: y != 0),
    "times 0": (0 * (X // Y) == 0, lambda x, y, z: y != 0),
    "minus itself": (X // Y - X // Y == 0, lambda x, y, z: y != 0),
    "by 0": (X // 0 >= -9, lambda x, y, z: False),
    "a list": (maximum(Array([X, Y])[Z], 2) >= 2, lambda x, y, z: z in (0, 1)),
    "one that is all different": (all_different(X // Y), lambda x, y, z: y != 0),
    "some that are all different": (all_different(X // Y, Z), lambda x, y, z: y != 0 and x // y != z),
    "a number of values": (count_of([X // Y, Z], 7) == 0, lambda x, y, z: y != 0),
    "a number of variables": (count_of([X // Y, Z], X + 9) == 0, lambda x, y, z: y != 0),
    "a contrary": (~(X // Y == 1), lambda x, y, z: y == 0 or x // y != 1),
    "an implication": ((X // Y == 1).implies(Z == 1), lambda x, y, z: y == 0 or x // y != 1 or z == 1),
    "a truth": ((X // Y == 1) + 0 == 0, lambda x, y, z: y == 0 or x // y != 1),
}


@pytest.mark.parametrize("name", NO_VALUE)
def test_a_comparison_with_a_part_that_has_no_value_does_not_hold(name: str) -> None:
    constraint, meaning = NO_VALUE[name]
    wanted = {row for row in ROWS if meaning(*row)}
    model = Model(XS, [constraint])
    assert set(brute_force(model)) == wanted
    assert Model.parse(str(model)) == model
    assert set(brute_force(Model(XS, [Phrase(phrase(constraint)).over({x.name: x for x in XS})]))) == wanted
    assert check(certify(model, count=len(wanted)))


def test_where_an_objective_has_no_value_is_no_solution() -> None:
    best = solve(Model(XS).maximize(-abs(X // Y)))
    assert best.values is not None and best.values["y"] != 0 and best.objective == 0
    assert {row[1] for row in brute_force(Model(XS).maximize(0 * (X // Y)))} == {-1, 1, 2}
