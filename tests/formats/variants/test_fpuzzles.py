import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import JSON, PACKED, RULES, SOLUTION, with_rules


def puzzle(size: int = 4, **keys: Any) -> Puzzle:
    return parse(text(size, **keys))


def text(size: int = 4, **keys: Any) -> str:
    return json.dumps({"size": size, "grid": [[{}] * size] * size, **keys})


def fault(source: str, **options: Any) -> str:
    with pytest.raises(FormatError) as caught:
        parse(source, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        JSON,
        f"https://f-puzzles.com/?load={PACKED}",
        f"https://www.f-puzzles.com/?load={PACKED.replace('+', ' ').rstrip('=')}",
        f"https://f-puzzles.com/?load={PACKED.replace('+', '%2B').replace('/', '%2F').replace('=', '%3D')}",
        f"https://sudokupad.app/fpuzzles{PACKED}",
        f"https://sudokupad.app/fpuz{PACKED}?setting-x=1",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{PACKED}",
        f"fpuzzles{PACKED}",
        f"<HTTP://WWW.F-Puzzles.COM?x=1&load={PACKED}&y=2#z>",
        f'"https://SudokuPad.app/puzzle/fpuzzles{PACKED}"',
        f"https://f-puzzles.com/?load={quote(quote(PACKED, safe=''))}",
        f"\ufeff  f-puzzles.com/?load={PACKED}  # from a friend\r\n",
        json.dumps(json.loads(JSON), indent=2),
    ],
)
def test_the_example_of_the_notation_is_read_from_json_and_links(source: str) -> None:
    found = parse(source)
    assert found.rules == (r.Thermo("R2C2 R3C3 R3C4"), r.KillerCage("R2C1 R3C1", 5), r.Difference("R1C3 R1C4"))
    assert found.givens == (1, *[None] * 15)
    assert found.notes == ()
    assert found.violated(map(int, SOLUTION)) == []


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_is_read_back(rule: r.Rule) -> None:
    board = with_rules(rule)
    assert parse("".join(write([board], "f-puzzles-json"))) == board


def test_a_link_holds_the_packed_json() -> None:
    assert "".join(write([parse(JSON)], "f-puzzles")) == f"https://f-puzzles.com/?load={quote(PACKED, safe='')}\n"


@given(st.one_of(st.text(max_size=300), st.text("ab", max_size=400), st.text("aé€𝄞", max_size=200)))
@settings(max_examples=60)
def test_any_text_comes_back_from_a_link(title: str) -> None:
    board = replace(Puzzle.empty(4), title=title)
    assert parse("".join(write([board], "sudokupad"))) == board


@pytest.mark.parametrize(
    "shape",
    [Shape.square(9), Shape.latin(5), Shape.square(6, (3, 2)), Shape.irregular("1112122233343444"), Shape.square(8)],
    ids=str,
)
@pytest.mark.parametrize("name", ["f-puzzles", "json"])
def test_boards_are_read_back(shape: Shape, name: str) -> None:
    givens = (1, *[None] * (shape.cells - 1))
    board = Puzzle(shape, givens, ((3, (1, 2)),), "A title", "author: Me\nIn words.", (1,) * shape.cells)
    assert parse("".join(write([board], name))) == board


@pytest.mark.parametrize(
    "board",
    [
        with_rules(r.Taxicab()),
        with_rules(r.XV("R1C1 R1C2", 7)),
        with_rules(r.NonConsecutive(), r.Difference("R1C1 R1C2")),
        with_rules(r.Sandwich("R1C1 R1C2", 3)),
        with_rules(r.ExtraCells("X"), r.Thermo("R1C1 X")),
        Puzzle.empty(Shape(3, 4, (1, 2, 3, 4))),
        Puzzle.empty(Shape(3, 3, (0, 1, 2))),
        Puzzle.empty(Shape(3, 3, (1, 2, 3), ((0, 1), (1, 2)))),
    ],
    ids=str,
)
def test_what_the_format_cannot_hold_is_refused(board: Puzzle) -> None:
    with pytest.raises(FormatError, match="cannot be written"):
        list(write([board], "f-puzzles"))


def test_a_missing_region_is_the_usual_one_and_null_is_none() -> None:
    grid: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    assert parse(json.dumps({"size": 4, "grid": grid})).shape == Shape.square(4)
    grid[0][0]["region"] = None
    assert parse(json.dumps({"size": 4, "grid": grid})).shape.region_of[:2] == (None, 0)
    grid[0][0]["region"] = 1
    large = parse(json.dumps({"size": 4, "grid": grid}))
    assert large.notes == ("region 1 has 5 cells for 4 values: its cells may be equal",)
    assert len(large.shape.regions) == 3


def test_only_marked_values_are_given_and_only_the_setters_marks_are_candidates() -> None:
    cells = [{"value": 3}, {"value": 2, "given": True}, {"givenPencilMarks": [2, 1]}, {"centerPencilMarks": [1]}]
    found = parse(json.dumps({"size": 4, "grid": [cells, *[[{}] * 4] * 3]}))
    assert found.givens[:4] == (None, 2, None, None)
    assert found.candidates == ((2, (1, 2)),)


def test_the_circle_that_begins_an_arrow_is_skipped_and_every_line_is_one_arrow() -> None:
    lines = [["R1C1", "R1C2"], ["R1C1", "R2C1", "R3C1"]]
    assert puzzle(arrow=[{"cells": ["R1C1"], "lines": lines}]).rules == (
        r.Arrow("R1C1 R1C2"),
        r.Arrow("R1C1 R2C1 R3C1"),
    )
    pill = puzzle(arrow=[{"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R2C2", "R3C3"]]}])
    assert pill.rules == (r.PillArrow("R1C1 R1C2", "R2C2 R3C3"),)


@pytest.mark.parametrize(
    ("keys", "rules", "note"),
    [
        ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"]]}]}, (), "arrow: the line R1C1 consists of a single end"),
        ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"], ["R1C1", "R1C2"]]}]}, (r.Arrow("R1C1 R1C2"),), "arrow: "),
        ({"betweenline": [{"lines": [["R2C2"]]}]}, (), "betweenline: the line R2C2 consists of a single end"),
        ({"killercage": [{"value": "5"}]}, (), "killercage 1: it has no cells and is left out"),
        ({"thermometer": [{"lines": None}]}, (), "thermometer 1: it has no cells"),
    ],
)
def test_what_binds_no_cells_is_left_out_and_reported(
    keys: dict[str, Any], rules: tuple[r.Rule, ...], note: str
) -> None:
    found = puzzle(**keys)
    assert found.rules == rules
    assert [said.startswith(note) for said in found.notes] == [True]
    assert note in fault(text(**keys), strict=True)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Renban", "renban"),
        ("Region Sum Line", "regionsumline"),
        ("German Whispers", "whispers"),
        ("Slow Thermometer", "slowthermometer"),
        ("Thermometer", "thermometer"),
    ],
)
def test_a_drawing_of_a_rule_is_noted_only_where_the_rule_is_not_in_the_file(name: str, key: str) -> None:
    drawing = {"lines": [["R1C1", "R1C2"]], "fromConstraint": name}
    rule = {"lines": [["R1C1", "R1C2"]]}
    assert puzzle(line=[drawing], **{key: [rule]}).notes == ()
    other = "palindrome" if key != "slowthermometer" else "thermometer"
    source = text(line=[drawing, drawing], **{other: [rule]})
    assert parse(source).notes == (f"a drawing belongs to {name!r}: there is no such rule in the file",)
    assert "no such rule" in fault(source, strict=True)


def test_unknown_fields_of_items_are_reported_and_empty_ones_and_colours_are_not() -> None:
    line = {"lines": [["R1C1", "R1C2"]], "tolerance": 2}
    source = text(thermometer=[line, line], renban=[{"lines": [["R1C1", "R1C2"]], "value": "3", "width": 1, "x": []}])
    assert parse(source).notes == (
        "thermometer: the field 'tolerance' is not known",
        "renban: the field 'value' is not known",
    )
    assert "'tolerance'" in fault(source, strict=True)
