"""Constraints over cells are rules like the others: shown, judged, written to files and read back."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import pytest

from sudoku_models import FormatError, Puzzle, count
from sudoku_models.formats import FORMATS, parse, write
from sudoku_models.model import AllDifferent, Constraint, InDomain
from sudoku_models.puzzle.rules import Condition, KillerCage

EMPTY = Puzzle.empty(4)
X = EMPTY.model
SNAKE = [X[f"R{r}C{c}"] for r, columns in ((1, (1, 2, 3, 4)), (2, (4, 3, 2, 1)), (3, (1, 2, 3, 4))) for c in columns]
STEPS = sum(abs(a - b) for a, b in pairwise(SNAKE)) >= 18
"""Twelve cells: more combinations than a table may list."""

STATED: list[Constraint | str] = [
    X["R1C1"] < X["R2C3"],
    X["R1C1"] * X["R2C2"] + X["R1C2"] == 9,
    (X["R1C1"] < X["R1C2"]) + (X["R1C2"] < X["R1C3"]) == 1,
    AllDifferent(["R1C1", "R2C2", "R3C3", "R4C4"]),
    InDomain("R1C1", [1, 3]) & (X["R4C4"] != 2),
    "R1C1 + R2C3 == R3C3 + 1",
    STEPS,
]


@pytest.mark.parametrize("stated", STATED, ids=str)
def test_a_puzzle_with_a_constraint_survives_a_file(stated: Constraint | str) -> None:
    puzzle = EMPTY.with_(stated).with_givens({"R4C1": 1})
    text = "".join(write([puzzle], "json"))
    again = parse(text)
    assert again == puzzle == pickle.loads(pickle.dumps(puzzle)) and not again.notes
    assert "".join(write([again], "json")) == text
    assert count(again, "backtracking").value == count(puzzle, "cp-sat").value > 0


def test_the_text_of_a_condition_is_what_was_stated() -> None:
    puzzle = EMPTY.with_(STATED[1], "R1C1  <  R1C2")
    assert [rule.text for rule in puzzle.rules if isinstance(rule, Condition)] == [
        "R1C2 + (R1C1 * R2C2) == 9",
        "R1C1 < R1C2",
    ]
    assert str(puzzle.rules[1]) == "Condition (R1C1 < R1C2)"
    assert "  R1C2 + (R1C1 * R2C2) == 9" in str(puzzle)
    assert puzzle == EMPTY + Condition("R1C2 + (R1C1 * R2C2) == 9") + Condition("R1C1 < R1C2")


def test_formats_that_cannot_hold_a_condition_say_so_by_name() -> None:
    puzzle = EMPTY + KillerCage("R1C1 R1C2", 3) + Condition("R1C1 < R2C3")
    held = []
    for name, kind in FORMATS.items():
        if kind.writes:
            try:
                held.append((name, "".join(write([puzzle], name))))
            except FormatError as error:
                assert "Condition" in str(error) or "4 x 4" in str(error)
    assert [name for name, _ in held] == ["iss", "json"]
    assert parse(held[0][1]).structure != puzzle.structure and count(parse(held[0][1])) == count(puzzle)


def test_a_document_of_many_long_conditions_is_refused_before_they_are_made() -> None:
    long = " + ".join(f"R{i % 16 + 1}C{j % 16 + 1}" for i in range(30) for j in range(30)) + " == 1"
    data = {"schema": "sudoku-models/puzzle", "version": 1, "height": 16, "width": 16, "givens": "." * 256}
    data["rules"] = [{"rule": "Condition", "text": long}] * 150
    with pytest.raises(FormatError, match="steps in total"):
        parse(json.dumps(data))
