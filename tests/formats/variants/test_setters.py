"""Documents as setters publish them: each is read as its words say, and as its solution shows."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from sudoku_models import Puzzle, Status, inspect, solve
from sudoku_models.formats import parse
from sudoku_models.puzzle import rules as r
from tests.formats.variants.setters import (
    SOLUTION,
    STRANGE,
    VALUED,
    WHOLE,
    Document,
    Page,
    documents,
    holds,
)

DOCUMENTS = {f"{found.name}, {stated}": (found, stated) for stated in (False, True) for found in documents(stated)}
TURNED = (
    *(r.Palindrome, r.Renban, r.Whisper, r.Nabner, r.Between, r.Lockout, r.DoubleArrow, r.RegionSumLine, r.Zipper),
    *(r.Entropic, r.Modular, r.AlternatingParity, r.EqualParity, r.SumLine),
)


def turned(rules: Any) -> set[r.Rule]:
    """Return rules with the cells of lines that may be read both ways in one direction."""
    return {replace(x, cells=min(x.cells, x.cells[::-1])) if isinstance(x, TURNED) else x for x in rules}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_read_as_its_setter_meant_it(name: str) -> None:
    document: Document = DOCUMENTS[name][0]
    found = parse(document.text, guess=True)
    assert turned(found.rules) == turned(document.rules), document.said
    assert (found.left_out, found.unread) == ((), ()), document.said
    assert all(one.reasons for one in found.drawn if one.shapes)


@pytest.mark.parametrize(("rules", "said"), [(rules, one) for rules, wordings in WHOLE for one in wordings])
@pytest.mark.parametrize("before", ["", "Normal sudoku rules apply. "])
def test_a_sentence_about_the_whole_board_is_a_rule(rules: frozenset[r.Rule], said: str, before: str) -> None:
    text = Page(Random(0)).text(before + said, False)
    found = parse(text, guess=True)
    assert (set(found.rules), found.left_out, found.unread) == (rules, (), ())
    plain = parse(text)
    assert (plain.rules, len(plain.left_out)) == ((), len(rules))


@pytest.mark.parametrize(("draw", "said"), STRANGE, ids=[said for _, said in STRANGE])
@pytest.mark.parametrize("stated", [False, True])
def test_a_drawing_with_a_meaning_of_its_own_is_no_rule(draw: Any, said: str, stated: bool) -> None:
    page = Page(Random(3))
    draw(page)
    found = parse(page.text(said, stated), guess=True)
    assert (found.rules, len(found.unread)) == ((), 1)
    assert solve(found).status is Status.WITHOUT_DRAWN


@pytest.mark.parametrize("said", VALUED)
def test_sums_are_not_believed_where_cells_count_otherwise(said: str) -> None:
    page = Page(Random(3))
    page.cages()
    found = parse(page.text(said, False))
    assert (found.rules, len(found.left_out)) == ((), 4)
    assert "cells may not count as their digits" in str(found.left_out[0])


def document(said: str = "", stated: bool = True, **drawings: Any) -> str:
    page = Page(Random(0))
    page.drawings = drawings
    return page.text(said, stated)


def line(colour: str, *cells: tuple[float, float]) -> dict[str, Any]:
    return {"wayPoints": [list(cell) for cell in cells], "color": colour, "thickness": 10}


FIRST = tuple((0.5, column + 0.5) for column in range(3))
NAMES = ("R1C1", "R1C2", "R1C3")


def test_the_stated_solution_shows_that_a_rule_was_misread() -> None:
    wrong = sum(map(int, SOLUTION[:2])) + 1
    found = parse(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}]))
    assert found.rules == ()
    (misread,) = found.left_out
    assert misread.misread
    assert str(misread).endswith(f"(the stated solution breaks it: R1C1={SOLUTION[0]} R1C2={SOLUTION[1]})")
    assert solve(found).status is Status.WITHOUT_DRAWN
    assert inspect(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}])).sections["misread"] == [str(misread)]
    assert not parse(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}]), guess=True).rules


def test_the_stated_solution_chooses_among_readings() -> None:
    assert not holds(r.Renban(NAMES))
    assert holds(r.Whisper(NAMES, 2))
    said = "Each line is a renban, or its neighbours differ by at least 2."
    for colour in ("#F067F0", "#CFCFCF"):
        drawn = {"lines": [line(colour, *FIRST)]}
        assert parse(document(said, **drawn), guess=True).rules == (r.Whisper(NAMES, 2),)
        without = parse(document(said, stated=False, **drawn), guess=True)
        assert without.rules in ((), (r.Renban(NAMES),))


def test_a_solution_that_no_board_can_have_is_no_witness() -> None:
    cage = {"cells": [[0, 0], [0, 1]], "value": 17}
    text = document(cages=[cage]).replace(SOLUTION, "1" * 81)
    found = parse(text)
    assert found.rules == (r.KillerCage("R1C1 R1C2", 17),)
    assert "the stated solution repeats 1 in R1C1 and R1C2" in found.notes[0]


def test_what_words_leave_open_is_said_with_the_answer() -> None:
    clash = [{"cells": [[0, 0], [0, 1]], "value": 3}, {"cells": [[0, 1], [0, 2]], "value": 17}]
    said = "Draw a loop that visits every box."
    assert solve(parse(document("", stated=False, cages=clash))).status is Status.UNSATISFIABLE
    assert solve(parse(document(said, stated=False, cages=clash))).status is Status.UNSATISFIABLE_AS_READ
    assert solve(parse(document(said, stated=False)), unique=True).status is Status.AS_READ
    full = Page(Random(0)).text(said, False, SOLUTION[:78] + "...")
    assert (solve(parse(full), unique=True).status, parse(full).unread[0].sentence) == (Status.SOLVED, said[:-1])
    found = inspect(document(said, stated=False))
    assert found.sections["said, not read"] == [f'the sentence "{said[:-1]}"']
    assert found.to_json()["not_read"] == found.sections["said, not read"]
    assert not found.complete


def test_no_document_with_a_solution_has_none_when_it_is_solved() -> None:
    """Give all but some cells, as the readings were compared with the rules themselves."""
    for found, stated in list(DOCUMENTS.values())[::9]:
        data = json.loads(found.text)
        for i, row in enumerate(data["cells"]):
            for j, cell in enumerate(row):
                cell.update({"value": SOLUTION[9 * i + j]} if (i + j) % 3 else {})
        result = solve(parse(json.dumps(data), guess=True))
        assert result.grid is not None and (not stated or result.grid == Puzzle.parse(SOLUTION).grid)
