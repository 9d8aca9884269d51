"""Drawings that state no rule: what they look like, what speaks for it, and that nothing is taken unasked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sudoku_models import Puzzle, inspect
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse
from sudoku_models.puzzle import rules as r

GREY, RED = "#cfcfcf", "#e6261f"


def document(side: int = 9, rules: str = "", **keys: Any) -> str:
    blank = [[{} for _ in range(side)] for _ in range(side)]
    return json.dumps({"cells": blank, "regions": [], "metadata": {"rules": rules}, **keys})


def line(*points: tuple[float, float], color: str = GREY) -> dict[str, Any]:
    return {"wayPoints": [list(point) for point in points], "color": color, "thickness": 10}


def circle(row: float, column: float, size: float = 0.8, **more: Any) -> dict[str, Any]:
    return {"center": [row, column], "width": size, "height": size, "rounded": True, **more}


ROW = ((0.5, 0.5), (0.5, 2.5))
CELLS = "R1C1 R1C2 R1C3"


def test_nothing_is_taken_unless_it_is_asked_for() -> None:
    text = document(4, lines=[line(*ROW, color=GREY)], underlays=[circle(0.5, 0.5)])
    plain, guessed = parse(text), parse(text, guess=True)
    assert (plain.rules, len(plain.left_out)) == ((), 1)
    assert (guessed.rules, guessed.left_out) == ((r.Thermo(CELLS),), ())
    assert guessed == Puzzle.empty(plain.shape).with_rules(r.Thermo(CELLS))
    with pytest.raises(FormatError, match="drawn, not understood"):
        parse(text, strict=True)


def test_an_inspection_tells_what_was_read_guessed_and_left_out() -> None:
    text = document(4, "Thermometers rise.", lines=[line(*ROW), line((3.5, 0.5), (3.5, 3.5), color=RED)],
                    underlays=[circle(0.5, 0.5)], cages=[{"cells": [[1, 0], [1, 1]], "sum": 5}])  # fmt: skip
    found = inspect(text, guess=True)
    assert found.sections["read"] == ["Killer cage 5 (R2C1 R2C2)"]
    assert found.sections["guessed"][0].startswith("a grey line R1C1 R1C2 R1C3: taken as Thermo")
    assert found.sections["drawn, not understood"] == ["a red line R4C1 R4C2 R4C3 R4C4"]
    assert found.sections["in words"] == ["Thermometers rise."]
    assert found.to_json()["left_out"] == ["a red line R4C1 R4C2 R4C3 R4C4"]
    assert found.picture is not None
    assert RED in found.picture.svg
    assert "guessed" in str(found) and "<svg" in found._repr_html_()


def test_an_inspection_of_what_cannot_be_read_says_why() -> None:
    found = inspect("no puzzle at all")
    assert found.puzzle is None and not found.complete
    assert "is not the beginning of a puzzle" in str(found)
