"""Drawings of SudokuPad: whole and shortened, odd cages, statements, and links among other words."""

import json
import re
from pathlib import Path

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read, write
from sudoku_models.formats.iss import link_of
from sudoku_models.formats.links import packed
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r

BOXES = [[[r0 + i, c0 + j] for i in (0, 1) for j in (0, 1)] for r0 in (0, 2) for c0 in (0, 2)]
DRAWING = {
    "id": "x",
    "cellSize": 64,
    "cells": [[{"value": 1}, {}, {}, {}], [{}, {"value": "2"}, {}, {}], [{}] * 4, [{}] * 4],
    "regions": BOXES,
    "cages": [
        {"cells": [[0, 1], [0, 2]], "value": "6"},
        {"cells": [[2, 0], [2, 1]], "unique": True},
        {"cells": [[3, 0], [3, 1]], "sum": 7, "unique": False},
        {"cells": [[1, 0], [1, 1], [1, 2], [1, 3]], "unique": True, "type": "rowcol"},
        {"value": "author: Someone"},
    ],
    "lines": [{"wayPoints": [[0, 0], [1, 1]], "color": "#ff0000"}],
    "metadata": {"title": "It's a title", "rules": "Lines: secret.", "solution": "1423324121344312"},
}
SHORTENED = (
    "{id:'x',cs:64,ce:[[{v:1},,,],[,{v:2},,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
    "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],ca:[{ce:[[0,1],[0,2]],v:6},{ce:[[2,0],[2,1]],unique:t},"
    "{ce:[[3,0],[3,1]],sum:7,unique:f},{ce:[[1,0],[1,1],[1,2],[1,3]],unique:t,type:'rowcol'},"
    "{v:'author: Someone'}],l:[{wp:[[0,0],[1,1]],c:ff0000}],"
    "metadata:{t:'It\\'s a title',rules:'Lines: secret.',solution:'1423324121344312'}}"
)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(DRAWING),
        f"https://sudokupad.app/scl{packed(json.dumps(DRAWING))}",
        f"https://sudokupad.app/scl{packed(SHORTENED)}?setting-nogrid=1",
        f"https://beta.sudokupad.app/?puzzleid=scl{packed(SHORTENED)}",
        f"https://app.crackingthecryptic.com/sudoku/ctc{packed(SHORTENED)}",
    ],
    ids=["json", "plain", "shortened", "puzzleid", "ctc"],
)
def test_givens_regions_cages_and_the_solution_are_read_from_a_drawing(text: str) -> None:
    found = parse(text)
    assert found.shape == Shape.square(4)
    assert found.givens == (1, None, None, None, None, 2, *[None] * 10)
    assert found.rules == (
        r.KillerCage("R1C2 R1C3", 6),
        r.KillerCage("R3C1 R3C2"),
        r.WeightedSum("R4C1 R4C2", 7),
    )
    assert (found.title, found.comment) == ("It's a title", "author: Someone\nLines: secret.")
    assert found.stated is not None and found.stated[:4] == (1, 4, 2, 3)
    assert [drawn.look for drawn in found.unread] == ['the sentence "Lines: secret"']
    assert [drawn.look for drawn in found.left_out] == ["a red line R1C1 R2C2"]
    with pytest.raises(FormatError, match="drawn, not understood: a red line"):
        parse(text, strict=True)


def drawing(**keys: object) -> str:
    return json.dumps({"cells": [[{}] * 4] * 4, "regions": BOXES, **keys})


@pytest.mark.parametrize(
    "keys",
    [
        {"metadata": {"antiknight": True, "antiking": "true"}},
        {"settings": {"antiknight": 1}, "cages": [{"value": "antiking: true"}]},
        {"metadata": {"antiknight": False}, "cages": [{"value": "antiknight: true"}, {"value": "antiking:t"}]},
    ],
)
def test_antiknight_and_antiking_are_rules_wherever_they_are_stated(keys: dict[str, object]) -> None:
    found = parse(drawing(**keys), strict=True)
    assert found.rules == (r.AntiKnight(), r.AntiKing())


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ({"metadata": {"antiknight": "often"}}, 'antiknight: "often" is not understood'),
        ({"metadata": {"nonconsecutive": True}}, "nonconsecutive: true is not understood"),
        ({"metadata": "antiknight"}, 'metadata: "antiknight" is not understood'),
        ({"settings": {"diagonal": True}}, "diagonal: true is not understood"),
        ({"cages": [{"value": "foo: bar"}]}, 'foo: "bar" is not understood'),
        ({"cages": [{"value": "antiknight"}]}, 'a cage without cells: "antiknight" is not understood'),
        ({"cages": [{"cells": [[0, 0]], "value": 1, "odd": True}]}, "a cage: odd is not understood"),
    ],
)
def test_what_is_stated_but_not_understood_is_noted(keys: dict[str, object], note: str) -> None:
    assert parse(drawing(**keys)).notes == (note,)
    with pytest.raises(FormatError, match=re.escape(note.split(":")[0])):
        parse(drawing(**keys), strict=True)


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
    found = parse(drawing(cages=[{"cells": cells, **keys}]))
    assert found.rules == rules
    assert [note in text for text in found.notes] == [True] * bool(note)
    assert count(found, limit=1).value == 1


KILLER = Puzzle.empty(Shape.square(4)).with_rules(r.KillerCage("R1C1 R1C2", 3))
LINK, LINK_OF_STRING = "".join(write([KILLER], "f-puzzles")).strip(), link_of(KILLER)
PROSE = f"""Two puzzles for you today, hope you like them!
The first: {LINK}. And the next ({LINK_OF_STRING}), then <https://sudokupad.app/scl{packed(SHORTENED)}>
"""


def test_links_in_prose_are_found_each_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "post.txt"
    path.write_text(PROSE + "\nThat is all.\n")
    found = list(read(path))
    assert [(entry.line, entry.puzzle) for entry in found] == [(2, KILLER), (2, KILLER), (2, parse(SHORTENED))]


def test_a_link_of_a_server_in_prose_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "post.txt"
    path.write_text(f"See https://sudokupad.app/abc123 and {LINK}\n")
    first, second = read(path)
    assert "kept on a server" in str(first.error)
    assert second.puzzle == KILLER
