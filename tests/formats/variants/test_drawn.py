"""Drawings that state no rule: what they look like, what speaks for it, and that nothing is taken unasked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sudoku_models import Puzzle, inspect
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.drawn import Drawn

GREY, GREEN, PURPLE, BLUE, RED = "#cfcfcf", "#67f067", "#f067f0", "#2e9bff", "#e6261f"
DOT = {"width": 0.3, "height": 0.3, "rounded": True}


def document(side: int = 9, rules: str = "", **keys: Any) -> str:
    blank = [[{} for _ in range(side)] for _ in range(side)]
    return json.dumps({"cells": blank, "regions": [], "metadata": {"rules": rules}, **keys})


def line(*points: tuple[float, float], color: str = GREY) -> dict[str, Any]:
    return {"wayPoints": [list(point) for point in points], "color": color, "thickness": 10}


def circle(row: float, column: float, size: float = 0.8, **more: Any) -> dict[str, Any]:
    return {"center": [row, column], "width": size, "height": size, "rounded": True, **more}


def looked_at(rules: str = "", **keys: Any) -> tuple[Drawn, ...]:
    return parse(document(rules=rules, **keys)).drawn


def proposals(rules: str = "", **keys: Any) -> list[Any]:
    return [drawn.rule for drawn in looked_at(rules, **keys) if not drawn.sentence]


ROW = ((0.5, 0.5), (0.5, 2.5))
CELLS = "R1C1 R1C2 R1C3"


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"lines": [line(*ROW)], "underlays": [circle(0.5, 0.5)]}, r.Thermo(CELLS)),
        ({"lines": [line(*ROW)], "underlays": [circle(0.5, 2.5)]}, r.Thermo("R1C3 R1C2 R1C1")),
        ({"lines": [line(*ROW)], "overlays": [circle(0.5, 0.5), circle(0.5, 2.5)]}, r.Between(CELLS)),
        ({"lines": [line(*ROW, color=GREEN)]}, r.Whisper(CELLS)),
        ({"lines": [line(*ROW, color="#ff9a00")]}, r.Whisper(CELLS, 4)),
        ({"lines": [line(*ROW, color=PURPLE)]}, r.Renban(CELLS)),
        ({"lines": [line(*ROW, color=BLUE)]}, r.RegionSumLine(CELLS)),
        ({"lines": [line(*ROW)]}, r.Palindrome(CELLS)),
        ({"lines": [line((0, 0), (9, 9), color=BLUE)]}, r.Diagonal(False)),
        ({"lines": [line((9, 0), (0, 9), color=BLUE)]}, r.Diagonal(True)),
        ({"arrows": [line((0.5, 0.9), (0.5, 2.5))], "overlays": [circle(0.5, 0.5)]}, r.Arrow(CELLS)),
        (
            {
                "arrows": [line((0.5, 1.5), (1.5, 1.5))],
                "overlays": [{"center": [0.5, 1], "width": 1.7, "height": 0.7, "rounded": True}],
            },
            r.PillArrow("R1C1 R1C2", "R2C2"),
        ),
        (
            {"arrows": [line((-0.4, 6.6), (-0.05, 6.95))], "overlays": [{"center": [-0.5, 6.5], "text": "12"}]},
            r.LittleKiller("R1C8 R2C9", 12),
        ),
        ({"overlays": [{"center": [0.5, 1], **DOT, "backgroundColor": "#FFFFFF"}]}, r.Difference("R1C1 R1C2", 1)),
        ({"overlays": [{"center": [1, 0.5], **DOT, "backgroundColor": "#000"}]}, r.Ratio("R1C1 R2C1", 2)),
        ({"overlays": [{"center": [1, 0.5], "text": "X"}]}, r.XV("R1C1 R2C1", 10)),
        ({"overlays": [{"center": [1, 0.5], "text": "∧"}]}, r.Greater("R2C1 R1C1")),
        ({"overlays": [circle(1, 1, 0.5, text="1 1 4")]}, r.Quadruple("R1C1 R1C2 R2C1 R2C2", (1, 1, 4))),
        ({"underlays": [circle(0.5, 0.5, backgroundColor=GREY)]}, r.Parity("R1C1", True)),
        (
            {"underlays": [{"center": [0.5, 0.5], "width": 0.8, "height": 0.8, "backgroundColor": GREY}]},
            r.Parity("R1C1", False),
        ),
    ],
)
def test_shapes_and_colours_propose_rules(keys: dict[str, Any], rule: r.Rule) -> None:
    assert proposals(**keys) == [rule]
    (drawn,) = looked_at(**keys)
    assert drawn.reasons


@pytest.mark.parametrize(
    ("rules", "color", "rule"),
    [
        ("Renban: each green line holds consecutive digits.", GREEN, r.Renban(CELLS)),
        ("Along green whispers neighbours differ by at least 5. Purple lines are renbans.", GREEN, r.Whisper(CELLS)),
        ("Red lines are palindromes.", RED, r.Palindrome(CELLS)),
        ("Lines are zippers.", RED, r.Zipper(CELLS)),
        ("Cages show their sums.", GREEN, None),
        ("Red lines are palindromes.", GREEN, None),
        ("", RED, None),
    ],
)
def test_the_text_of_the_rules_speaks_for_kinds_and_against_others(rules: str, color: str, rule: r.Rule | None) -> None:
    assert proposals(rules, lines=[line(*ROW, color=color)]) == [rule]


def test_a_number_beside_the_board_means_what_the_text_names() -> None:
    clue = [{"center": [0.5, -0.5], "text": "17"}]
    assert proposals(overlays=clue) == [None]
    row = " ".join(f"R1C{column}" for column in range(1, 10))
    assert proposals("Sandwich sums are outside.", overlays=clue) == [r.Sandwich(row, 17)]
    assert proposals("Sandwiches or skyscrapers.", overlays=clue) == [None]


@pytest.mark.parametrize(
    "broken",
    [
        {"lines": ["x", {}, {"wayPoints": 3}, {"wayPoints": [[1e99, 0], ["a", None]]}, line((0.5, 0.5), (2.5, 1.5))]},
        {"arrows": [{}, line((-3, -3), (-2, -2)), line((0.5, 0.5))]},
        {"overlays": ["x", {"center": [1]}, {"center": [99, 99], "text": True}, {"center": [4, 4], "width": "wide"}]},
    ],
)
def test_drawings_of_any_form_are_listed(broken: dict[str, list[Any]]) -> None:
    found = looked_at(**broken)
    assert found
    assert all(drawn.rule is None for drawn in found)
    assert all(str(drawn) for drawn in found)


def test_nothing_is_taken_unless_it_is_asked_for() -> None:
    text = document(4, lines=[line(*ROW, color=GREY)], underlays=[circle(0.5, 0.5)])
    plain, guessed = parse(text), parse(text, guess=True)
    assert (plain.rules, len(plain.left_out)) == ((), 1)
    assert (guessed.rules, guessed.left_out) == ((r.Thermo(CELLS),), ())
    assert guessed == Puzzle.empty(plain.shape).with_rules(r.Thermo(CELLS))
    with pytest.raises(FormatError, match="drawn, not understood"):
        parse(text, strict=True)


def test_cosmetic_keys_of_f_puzzles_are_looked_at_as_well() -> None:
    grid = [[{} for _ in range(4)] for _ in range(4)]
    drawn = {
        "line": [{"lines": [["R1C1", "R1C2", "R1C3"]], "outlineC": PURPLE, "width": 0.2}],
        "circle": [{"cells": ["R3C3", "R3C4"], "baseC": "#000000", "width": 0.3, "height": 0.3}],
        "text": [{"cells": ["R4C1", "R4C2"], "value": "V"}],
        "cage": [{"cells": ["R2C1", "R2C2"], "value": "4"}],
    }
    found = parse(json.dumps({"size": 4, "grid": grid, **drawn}), guess=True)
    assert found.rules == (
        r.Renban(CELLS), r.Ratio("R3C3 R3C4", 2), r.XV("R4C1 R4C2", 5), r.KillerCage("R2C1 R2C2", 4),
    )  # fmt: skip


def test_an_inspection_tells_what_was_read_guessed_and_left_out() -> None:
    text = document(4, "Thermometers rise.", lines=[line(*ROW), line((3.5, 0.5), (3.5, 3.5), color=RED)],
                    underlays=[circle(0.5, 0.5)], cages=[{"cells": [[1, 0], [1, 1]], "sum": 5}])  # fmt: skip
    found = inspect(text, guess=True)
    assert found.sections["read"] == ["Killer cage (R2C1 R2C2, total 5)"]
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


def ipuz(cages: list[dict[str, Any]], **keys: Any) -> str:
    blank = [[0] * 4 for _ in range(4)]
    return json.dumps({"kind": ["http://ipuz.org/sudoku#1"], "puzzle": blank, "boxes": True, "cages": cages, **keys})


def test_cages_of_ipuz_are_proposals_where_it_is_clear_from_where_cells_count() -> None:
    cages = [{"cells": [[0, 0], [1, 0]], "value": 3}, {"rect": [2, 2, 2, 3], "value": 2, "operator": "/"}]
    found = parse(ipuz(cages), guess=True)
    assert found.rules == (r.KillerCage("R1C1 R1C2", 3), r.Calculation("R3C3 R4C3", "/", 2))
    assert parse(ipuz(cages)).rules == ()
    from_one = parse(ipuz([{"cells": [[1, 1], [2, 1]], "value": 3}], zones=[{"cells": [[4, 1], [4, 4]]}]), guess=True)
    assert from_one.rules == (r.KillerCage("R1C1 R1C2", 3), r.ExtraRegion("R1C4 R4C4"))
    (unclear,) = parse(ipuz([{"cells": [[1, 1], [2, 1]]}])).drawn
    assert (unclear.rule, unclear.reasons) == (None, ("its cells may count from 0 or from 1",))
