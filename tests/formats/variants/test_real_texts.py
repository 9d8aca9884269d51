"""What strangers' links and documents hold: shortened text, odd boards, cages that are none, words, colours, prose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read
from sudoku_models.formats.fpuzzles import link_of
from sudoku_models.formats.iss import link_of as iss_link_of
from sudoku_models.formats.links import packed
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r

BOXES = [[[r0 + i, c0 + j] for i in (0, 1) for j in (0, 1)] for r0 in (0, 2) for c0 in (0, 2)]
SHORTENED = (
    "{id:'a}[b',cs:50,ce:[[,{v:1},,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
    "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],ca:[{ce:[[2,0],[2,1]],v:3,unique:t}]}"
)
KILLER = Puzzle.empty(Shape.square(4)).with_rules(r.KillerCage("R1C1 R1C2", 3))
F_PUZZLES = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}]})


def drawing(rows: int = 4, columns: int = 4, **keys: object) -> str:
    return json.dumps({"cells": [[{}] * columns] * rows, "regions": BOXES, **keys})


def cage(cells: list[list[int]], **keys: object) -> Puzzle:
    return parse(drawing(cages=[{"cells": cells, **keys}]))


def test_the_shortened_text_of_a_document_is_read_as_the_document() -> None:
    found = parse(SHORTENED)
    assert found.givens[:3] == (None, 1, None)
    assert found.rules == (r.KillerCage("R3C1 R3C2", 3),)


def test_shortened_texts_are_told_apart_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{SHORTENED}\n\n" + SHORTENED.replace("v:1", "v:2") + "\n")
    first, second = read(path)
    assert (first.line, first.puzzle) == (1, parse(SHORTENED))
    assert second.line == 3
    assert second.puzzle is not None
    assert second.puzzle.givens[1] == 2


@pytest.mark.parametrize("text", ["{ce:[[,],[,]", "{ce:[[,],[,]]}}", "{ce:'", "{ce:[[,],[,]],ce2:}"])
def test_a_damaged_shortened_text_is_one_clear_error(text: str) -> None:
    with pytest.raises(FormatError):
        parse(text + " " * 3 + "]")


def test_rows_and_columns_may_repeat_where_norowcol_says_so() -> None:
    found = parse(drawing(metadata={"norowcol": True}))
    assert not found.shape.lines
    assert found.notes == ()
    assert count(found, limit=100).value == 100
    assert parse(drawing(metadata={"norowcol": False})).shape == Shape.square(4)


def test_an_odd_norowcol_is_noted_and_does_nothing() -> None:
    found = parse(drawing(metadata={"norowcol": "perhaps"}))
    assert found.shape == Shape.square(4)
    assert found.notes == ('norowcol: "perhaps" is not understood',)


@pytest.mark.parametrize(
    ("cells", "keys", "rules", "note"),
    [
        ([[i, j] for i in (0, 1) for j in range(4)], {"unique": True}, (), "8 cells cannot all differ"),
        (
            [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0]],
            {"value": "11"},
            (r.WeightedSum("R1C1 R1C2 R1C3 R1C4 R2C1", 11),),
            "may be equal",
        ),
        ([[0, 0], [1, 2]], {"value": "8"}, (r.WeightedSum("R1C1 R2C3", 8),), "may be equal"),
        ([[0, 0], [1, 2]], {"value": "100"}, (), "cannot add up to 100"),
        ([[0, 0], [1, 2]], {"value": "1"}, (), "cannot add up to 1"),
        ([[0, 0], [1, 2]], {"sum": 9, "unique": False}, (), "cannot add up to 9"),
        ([[0, 0], [1, 2]], {"value": "7"}, (r.KillerCage("R1C1 R2C3", 7),), ""),
    ],
)
def test_a_cage_that_cannot_be_one_is_a_sum_or_a_drawing_and_is_noted(
    cells: list[list[int]], keys: dict[str, object], rules: tuple[r.Rule, ...], note: str
) -> None:
    found = cage(cells, **keys)
    assert found.rules == rules
    assert [note in text for text in found.notes] == [True] * bool(note)
    assert count(found, limit=1).value == 1


def test_a_board_that_is_not_square_has_values_up_to_its_longer_side() -> None:
    found = parse(drawing(4, 5))
    assert (found.shape.height, found.shape.width, found.shape.values) == (4, 5, (1, 2, 3, 4, 5))
    assert [len(region) for region in found.shape.regions] == [4, 4, 4, 4]
    assert found.notes == ("the values of a board of 4 x 5 cells are not stated: 1 to 5 are assumed",)


def test_a_region_of_more_cells_than_values_is_no_house() -> None:
    found = parse(drawing(regions=[[*BOXES[0], *BOXES[1]], BOXES[2]]))
    assert found.shape.regions == ((8, 9, 12, 13),)
    assert found.notes == ("the region of R1C1 has 8 cells for 4 values: its cells may be equal",)


@pytest.mark.parametrize(
    ("words", "noted"),
    [("Normal Sudoku rules apply.", False), ("Sudoku", False), ("", False), ("Orange lines are thermometers", True)],
)
def test_rules_in_words_are_noted_unless_they_say_nothing(words: str, noted: bool) -> None:
    for text in (json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "ruleset": words}), drawing(metadata={"rules": words})):
        assert bool(parse(text).unread) == noted
        if noted:
            with pytest.raises(FormatError, match="not read: the sentence"):
                parse(text, strict=True)


def test_coloured_cells_are_noted() -> None:
    grid = [[{"c": "#f00"}, {}, {}, {}], *[[{}] * 4] * 3]
    assert parse(json.dumps({"size": 4, "grid": grid})).notes == ("1 cell is coloured: colours are not read as rules",)


def test_a_payload_is_read_without_its_link() -> None:
    assert parse(packed(F_PUZZLES)) == KILLER
    assert parse(packed(SHORTENED)) == parse(SHORTENED)


PROSE = f"""Two puzzles for you today, hope you like them!
The first: {link_of(KILLER)}. And the next ({iss_link_of(KILLER)}), then <https://sudokupad.app/scl{packed(SHORTENED)}>
"""


def test_links_in_prose_are_found_each_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "post.txt"
    path.write_text(PROSE + "\nThat is all.\n")
    found = list(read(path))
    assert [(entry.line, entry.puzzle) for entry in found] == [(2, KILLER), (2, KILLER), (2, parse(SHORTENED))]


def test_a_link_of_a_server_in_prose_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "post.txt"
    path.write_text(f"See https://sudokupad.app/abc123 and {link_of(KILLER)}\n")
    first, second = read(path)
    assert "kept on a server" in str(first.error)
    assert second.puzzle == KILLER


@pytest.mark.parametrize("behind", [" enjoy", " # enjoy", " by me, with love"])
def test_words_behind_a_link_are_passed_over(behind: str) -> None:
    assert parse(link_of(KILLER) + behind) == KILLER


def test_one_link_in_prose_is_one_puzzle() -> None:
    assert parse(f"here: {link_of(KILLER)} (4x4)") == KILLER
    with pytest.raises(FormatError, match="a second puzzle"):
        parse(PROSE)
