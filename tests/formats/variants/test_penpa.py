"""Links to penpa-edit: what is read of a drawn board, what is proposed, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models.formats import parse
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from tests.formats.variants.penpa_made import Paper, link

SMALL = Paper(4)
BOXES = {"lineE": SMALL.boxes()}
CAGE = {
    "killercages": [SMALL.cells("21 31")],
    "numberS": {str(SMALL.quarter(2, 1)): [" 5", 1]},
    "thermo": [SMALL.cells("22 33 34")],
    "arrows": [SMALL.cells("14 13 12")],
}


def givens(**values: int) -> dict[str, Any]:
    return {"number": {str(SMALL.cell(int(name[1]), int(name[2]))): [str(v), 1, "1"] for name, v in values.items()}}


@pytest.mark.parametrize("mode", ["edit", "solve"])
@pytest.mark.parametrize("form", ["{}", "{0}&l=solvedup", "m={1}", "<{}>", "p={2}"])
def test_givens_regions_and_the_rules_of_its_tools_are_read(mode: str, form: str) -> None:
    text = link(SMALL, {**BOXES, **givens(c11=1), **CAGE}, mode, title="A zoo%2C a Z9", rules="Cages%2Dand more")
    tail = text.partition("m=")[2]
    found = parse(form.format(text, tail, text.partition("p=")[2]) if form != "{}" else text)
    assert found.shape == Shape.square(4)
    assert found.givens == (1, *[None] * 15)
    assert found.rules == (r.KillerCage("R2C1 R3C1", 5), r.Thermo("R2C2 R3C3 R3C4"), r.Arrow("R1C4 R1C3 R1C2"))
    assert (found.title, found.comment) == ("A zoo, a Z9", "author: Me\nCages\nand more")
    assert found.left_out == ()


def test_thick_borders_part_irregular_regions() -> None:
    labels = "1112 1222 3334 3444"
    walls = {}
    for i, label in enumerate(labels.replace(" ", "")):
        row, column = divmod(i, 4)
        right, below = labels.replace(" ", "")[i + 1 : i + 2], labels.replace(" ", "")[i + 4 : i + 5]
        if column < 3 and right != label:
            walls[f"{SMALL.cell(row, column + 1, 1)},{SMALL.cell(row + 1, column + 1, 1)}"] = 2
        if below and below != label:
            walls[f"{SMALL.cell(row + 1, column, 1)},{SMALL.cell(row + 1, column + 1, 1)}"] = 21
    assert parse(link(SMALL, {"lineE": walls})).shape == Shape.irregular(labels)


def test_marks_in_cells_are_candidates_and_other_numbers_are_drawings() -> None:
    marks = {str(SMALL.cell(1, 1)): [[1, 0, 1, 0, 0, 0, 0, 0, 0, 0], 1, "7"], str(SMALL.cell(1, 2)): ["12", 1, "1"]}
    found = parse(link(SMALL, {**BOXES, "number": marks}))
    assert found.candidates == ((0, (1, 3)),)
    assert [str(drawn) for drawn in found.left_out] == ["the text '12' in R1C2"]


WIDE = Paper(4, (1, 1, 1, 1))


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ({"symbol": {str(SMALL.cell(1, 1, 3)): [1, "circle_SS", 2]}}, r.Difference("R1C1 R1C2", 1)),
        ({"symbol": {str(SMALL.cell(1, 1, 2)): [2, "circle_SS", 2]}}, r.Ratio("R1C1 R2C1", 2)),
        ({"symbol": {str(SMALL.cell(1, 1, 3)): [1, "inequality", 2]}}, r.Greater("R1C2 R1C1")),
        ({"symbol": {str(SMALL.cell(1, 1, 2)): [4, "inequality", 2]}}, r.Greater("R1C1 R2C1")),
        ({"symbol": {str(SMALL.cell(2, 2)): [3, "circle_L", 1]}}, r.Parity("R2C2", True)),
        ({"symbol": {str(SMALL.cell(2, 2)): [3, "square_L", 1]}}, r.Parity("R2C2", False)),
        ({"number": {str(SMALL.cell(1, 1, 3)): ["X", 1, "6"]}}, r.XV("R1C1 R1C2", 10)),
        ({"number": {str(SMALL.cell(1, 1, 1)): ["124", 6, "4"]}}, r.Quadruple("R1C1 R1C2 R2C1 R2C2", (1, 2, 4))),
        ({"line": {f"{SMALL.cell(1, c)},{SMALL.cell(1, c + 1)}": 5 for c in (2, 1)}}, r.Palindrome("R1C1 R1C2 R1C3")),
        (
            {"freeline": {f"{SMALL.cell(1, 1)},{SMALL.cell(3, 3)}": 3}},
            r.Whisper("R1C1 R2C2 R3C3"),
        ),
        (
            {"lineE": {f"{SMALL.cell(r0, r0, 1)},{SMALL.cell(r0 + 1, r0 + 1, 1)}": 12 for r0 in range(4)}},
            r.Diagonal(False),
        ),
        (
            {
                "direction": [SMALL.cells("12 22 32")],
                "symbol": {str(SMALL.cell(1, 1)): [1, "sudokumore", 1]},
            },
            r.PillArrow("R1C1 R1C2", "R2C2 R3C2"),
        ),
        (
            {
                "cage": {
                    f"{SMALL.quarter(1, 1, 0)},{SMALL.quarter(1, 2, 1)}": 10,
                    f"{SMALL.quarter(1, 2, 1)},{SMALL.quarter(1, 2, 3)}": 10,
                    f"{SMALL.quarter(1, 2, 3)},{SMALL.quarter(1, 1, 2)}": 10,
                },
                "numberS": {str(SMALL.quarter(1, 1)): ["6", 1]},
            },
            r.KillerCage("R1C1 R1C2", 6),
        ),
    ],
)
def test_what_is_drawn_proposes_rules(question: dict[str, Any], rule: r.Rule) -> None:
    text = link(SMALL, {**BOXES, **question, "lineE": {**BOXES["lineE"], **question.get("lineE", {})}})
    (drawn,) = parse(text).drawn
    assert drawn.rule == rule
    assert drawn.reasons
    assert parse(text, guess=True).rules == (rule,)


def test_a_number_with_an_arrow_beside_the_board_is_a_little_killer() -> None:
    (drawn,) = parse(link(WIDE, {"number": {str(WIDE.cell(0, 1)): ["9_7", 1, "2"]}})).drawn
    assert drawn.rule == r.LittleKiller("R1C2 R2C3 R3C4", 9)


def test_what_can_be_no_rule_is_noted() -> None:
    cage = {"killercages": [SMALL.cells("11 12 13 14 21")], "thermo": [SMALL.cells("11")]}
    found = parse(link(SMALL, {**BOXES, **cage}))
    assert found.rules == ()
    names = [note.partition(" is not a rule")[0] for note in found.notes]
    assert names == ["the cage of R1C1", "the thermometer of R1C1"]
