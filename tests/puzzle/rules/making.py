"""Rules of any kind, made from the types of its fields: repeated cells, one cell, both directions, the whole board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice, product
from random import Random
from typing import Any

from sudoku_models.model import OPERATORS, Automaton
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule, known_rules

OURS = {
    name: kind
    for name, kind in known_rules().items()
    if kind.__module__.startswith("sudoku_models.")
    and kind.constraints not in (Rule.constraints, r.CellsRule.constraints)
}
"""Every kind of rule of the package that can be stated, by name."""

BESIDE: dict[type[Rule], tuple[Rule, ...]] = {
    r.ChaosArrow: (r.ChaosConstruction(),),
    r.ChaosCount: (r.ChaosConstruction(),),
}
"""The rules that a kind needs beside it."""


class Untaught(AssertionError):
    """A field whose type this file cannot fill: a new kind of rule needs an entry here."""


TRIES = 12
"""How often fields are filled for each rule that is wanted."""


def rules_of(kind: type[Rule], shape: Shape, rng: Random, most: int) -> Iterator[Rule]:
    """Yield up to ``most`` rules of a kind that fit a board; what the kind or the board refuses is left out."""
    made = (_rule_of(kind, shape, rng) for _ in range(TRIES * most))
    return islice((rule for rule in made if rule is not None), most)


def _rule_of(kind: type[Rule], shape: Shape, rng: Random) -> Rule | None:
    """Return a rule of a kind; None if its fields, filled at random, do not fit each other or the board."""
    try:
        made = kind(**{field.name: _filled(kind, field, shape, rng) for field in fields(kind)})
        Board(shape, [*BESIDE.get(kind, ()), made]).check()
    except ValueError:
        return None
    return made


def suited(rule: Rule, grids: Sequence[Filled], rng: Random) -> Rule:
    """Return the rule with numbers in place of its own that one of these boards keeps, if there are some.

    A clue that no board meets says little: the first number that fits some board is taken, field by field.
    """
    sought = [field.name for field in fields(rule) if field.type in ("int", "int | None")]
    kept = any(rule.judge(grid) for grid in grids)
    for name in () if kept else sought:
        numbers = list(range(-3, 41))
        rng.shuffle(numbers)
        for number in numbers:
            try:
                other = replace(rule, **{name: number})
            except ValueError:
                continue
            if any(other.judge(grid) for grid in grids):
                return other
    return rule


def turned(rule: Rule) -> Rule | None:
    """Return the rule from the other end of its line, as a second clue has it; None without one list of cells."""
    cells = getattr(rule, "cells", None)
    if not isinstance(cells, tuple) or len(cells) < 2:
        return None
    content = {field.name: getattr(rule, field.name) for field in fields(rule)}
    try:
        return type(rule)(**{**content, "cells": cells[::-1]})
    except ValueError:
        return None


def _filled(kind: type[Rule], field: Any, shape: Shape, rng: Random) -> Any:
    make = OF_FIELD.get((kind.__name__, field.name)) or OF_NAME.get(field.name) or OF_TYPE.get(field.type)
    if make is None:
        raise Untaught(f"making.py cannot fill the field {kind.__name__}.{field.name} of the type {field.type}")
    return make(shape, rng)


def _number(shape: Shape, rng: Random) -> int:
    """Return a number that a board may have: a value, a sum of some, their number, now and then something else."""
    values = [rng.choice(shape.values) for _ in range(rng.choice((1, 1, 2, 2, 3, 4)))]
    return rng.choice([sum(values), sum(values), values[0], len(values), rng.randint(-2, 30)])


def _cells(shape: Shape, rng: Random) -> list[str]:
    names, line, least = list(shape.names), _line(shape, rng), rng.randint(1, 3)
    some = rng.sample(names, min(len(names), max(least, rng.randint(1, 5))))
    path = _path(shape, rng)
    way = rng.randrange(11)
    if way < 2:
        return line
    if way < 4:  # a line in which a cell stands twice
        again = list(line)
        again.insert(rng.randrange(len(again) + 1), rng.choice(line))
        return again
    if way == 4:
        return [*path, path[0]]
    if way == 5:
        return [rng.choice(names)] * rng.randint(1, 3)
    if way == 6:
        return names if rng.random() < 0.5 else [rng.choice(names)]
    if way == 7:
        return [rng.choice(some) for _ in range(max(least, rng.randint(2, 6)))]
    return path if way == 8 else some


def _line(shape: Shape, rng: Random) -> list[str]:
    """Return a row or a column, from either end."""
    rows = [list(shape.names[i : i + shape.width]) for i in range(0, shape.cells, shape.width)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return rng.choice(rows + columns)[:: rng.choice((1, -1))]


def _path(shape: Shape, rng: Random) -> list[str]:
    """Return cells side by side, each once."""
    here = rng.randrange(shape.height), rng.randrange(shape.width)
    found = [here]
    for _ in range(rng.randint(1, 5)):
        y, x = found[-1]
        near = [(y + a, x + b) for a, b in product((-1, 0, 1), repeat=2) if abs(a) + abs(b) == 1]
        free = [(a, b) for a, b in near if 0 <= a < shape.height and 0 <= b < shape.width and (a, b) not in found]
        if free:
            found.append(rng.choice(free))
    return [f"R{y + 1}C{x + 1}" for y, x in found]


def _rule(shape: Shape, rng: Random) -> Rule:
    kinds = [kind for kind in OURS.values() if kind not in BESIDE and kind.groups is Rule.groups]
    while True:
        made = _rule_of(rng.choice(kinds), shape, rng)
        if made is not None:
            return made


def _automaton(shape: Shape, rng: Random) -> Automaton:
    states = rng.randint(1, 3)
    arrows = [(s, v, rng.randrange(states)) for s in range(states) for v in shape.values if rng.random() < 0.8]
    return Automaton(states, 0, rng.sample(range(states), rng.randint(1, states)), arrows)


def _machine(shape: Shape, rng: Random) -> Any:
    states = rng.randint(1, 3)
    some = [rng.sample(range(states), rng.randint(1, states)) for _ in range(2)]
    arrows = [(s, v, t) for s in range(states) for v in shape.values for t in range(states) if rng.random() < 0.5]
    return r.Machine(states, *some, arrows)


def _pattern(shape: Shape, rng: Random) -> str:
    def part(depth: int) -> str:
        way = rng.randrange(6 if depth else 2)
        digits = "".join(sorted({str(abs(rng.choice(shape.values)) % 10) for _ in range(2)}))
        ways = [f"[{digits}]", rng.choice([".", digits[0]])]
        if way < 2:
            return ways[way]
        inner = part(depth - 1)
        return [
            f"({inner}|{part(depth - 1)})",
            f"({inner})*",
            f"({inner})?{part(depth - 1)}",
            f"{inner}{part(depth - 1)}",
        ][way - 2]

    return part(3) + rng.choice(["", ".*"])


def _text(shape: Shape, rng: Random) -> str:
    cells = rng.sample(shape.names, min(3, len(shape.names)))

    def number(depth: int) -> str:
        if not depth or rng.random() < 0.3:
            return rng.choice([*cells, *cells, str(rng.randint(0, 4))])
        op = rng.choice(["+", "-", "*", "//", "%", "abs", "min", "max", "truth"])
        if op == "abs":
            return f"abs({number(depth - 1)} - {number(depth - 1)})"
        if op in ("min", "max"):
            return f"{op}({number(depth - 1)}, {number(depth - 1)})"
        return f"({truth(depth - 1)})" if op == "truth" else f"({number(depth - 1)} {op} {number(depth - 1)})"

    def truth(depth: int) -> str:
        way = rng.randrange(6) if depth else 0
        if way < 3:
            return f"{number(depth)} {rng.choice(['==', '!=', '<', '<=', '>', '>='])} {number(depth)}"
        return (
            f"(not {truth(depth - 1)})"
            if way == 3
            else f"({truth(depth - 1)} {('and', 'or')[way - 4]} {truth(depth - 1)})"
        )

    return truth(3)


Make = Callable[[Shape, Random], Any]

OF_TYPE: dict[str, Make] = {
    "f.Cells": _cells,
    "f.Segments": lambda shape, rng: [_cells(shape, rng) for _ in range(rng.randint(1, 4))],
    "int": _number,
    "int | None": lambda shape, rng: None if rng.random() < 0.3 else _number(shape, rng),
    "tuple[int, ...]": lambda shape, rng: [_number(shape, rng) for _ in range(rng.randint(0, 4))],
    "tuple[tuple[int, ...], ...]": lambda shape, rng: [
        [_number(shape, rng) for _ in range(2)] for _ in range(rng.randint(0, 3))
    ],
    "bool": lambda shape, rng: rng.random() < 0.5,
    "tuple[Rule, ...]": lambda shape, rng: [_rule(shape, rng) for _ in range(rng.randint(0, 3))],
    "Automaton": _automaton,
    "Machine": _machine,
}
OF_NAME: dict[str, Make] = {
    **dict.fromkeys(("cell", "control"), lambda shape, rng: rng.choice(shape.names)),
    **dict.fromkeys(("group", "label"), lambda shape, rng: ""),
}
OF_FIELD: dict[tuple[str, str], Make] = {
    ("Condition", "text"): _text,
    ("Regex", "pattern"): _pattern,
    ("CompareSums", "op"): lambda shape, rng: rng.choice(list(OPERATORS)),
    ("Calculation", "op"): lambda shape, rng: rng.choice("+-*/"),
    ("ExtraCells", "name"): lambda shape, rng: "V",
    ("Line", "name"): lambda shape, rng: "",
    ("MachineLine", "name"): lambda shape, rng: "",
    ("Pair", "name"): lambda shape, rng: "",
    ("Relation", "name"): lambda shape, rng: "",
    ("Singles", "numbers"): lambda shape, rng: [rng.choice(shape.values) for _ in shape.names],
    ("ChaosArrow", "arms"): lambda shape, rng: [],
    ("ChaosCount", "cells"): lambda shape, rng: [],
    ("Pair", "allowed"): lambda shape, rng: [c for c in product(shape.values, repeat=2) if rng.random() < 0.5],
    ("FullRank", "cells"): lambda shape, rng: _line(shape, rng),
    ("SubGrid", "corner"): lambda shape, rng: rng.choice(shape.names[: shape.width + 2]),
    ("SubGrid", "height"): lambda shape, rng: rng.randint(1, shape.height),
    ("SubGrid", "width"): lambda shape, rng: rng.randint(1, shape.width),
    ("SubGrid", "box"): lambda shape, rng: rng.choice([(), (), (2, 2), (1, 2)]),
}
"""Fields that are texts, and those whose values hardly ever fit when they are made from their type alone."""
