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


def drawing(rows: int = 4, columns: int = 4, **keys: object) -> str:
    return json.dumps({"cells": [[{}] * columns] * rows, "regions": BOXES, **keys})


def cage(cells: list[list[int]], **keys: object) -> Puzzle:
    return parse(drawing(cages=[{"cells": cells, **keys}]))


def test_the_shortened_text_of_a_document_is_read_as_the_document() -> None:
    found = parse(SHORTENED)
    assert found.givens[:3] == (None, 1, None)
    assert found.rules == (r.KillerCage("R3C1 R3C2", 3),)


@pytest.mark.parametrize("text", ["{ce:[[,],[,]", "{ce:[[,],[,]]}}", "{ce:'", "{ce:[[,],[,]],ce2:}"])
def test_a_damaged_shortened_text_is_one_clear_error(text: str) -> None:
    with pytest.raises(FormatError):
        parse(text + " " * 3 + "]")


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
