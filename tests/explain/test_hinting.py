"""Hints, their words and pictures, and the commands ``hint``, ``path`` and ``rate``."""

from __future__ import annotations

import json
import re
from pathlib import Path as File
from typing import Any

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.engine.budget import Budget
from sudoku_models.explain import Ladder, hint, path
from sudoku_models.explain.step_pictures import step_picture
from sudoku_models.explain.step_words import Teller
from tests.explain.test_ladder import Proof

EASY = "12.434.2214....."
POINTING = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

WINGED = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


def test_a_hint_settles_a_cell_where_the_cheapest_stage_does() -> None:
    found = hint(POINTING)
    assert found.level == "1.1" and found.step and found.step.placed
    assert str(found) == "Hidden single: R6C2 is 4, the only 4 in box 4."
    right = solve(POINTING).grid
    assert right and all(right.values[c] == b + 1 for c, b in found.step.placed.items())


def test_a_hint_for_a_cell_has_the_steps_that_lead_there_and_no_others() -> None:
    found, right = hint(POINTING, cell="R1C2"), solve(POINTING).values
    assert right and found.steps and found.step
    cell = Puzzle.parse(POINTING).shape.cell("R1C2")
    assert any(fact[0] == cell for fact in found.step.facts)
    settled = sum(1 << b for c, b in {f for s in found.steps for f in s.facts} if c == cell)
    assert not settled >> right["R1C2"] - 1 & 1
    for i, step in enumerate(found.steps[:-1]):
        used = {c for later in found.steps[i + 1 :] for c in later.reads} | {cell}
        assert used & {c for c, _ in step.facts}, "a step that nothing needs"


def test_a_wrong_entry_is_named_first_with_the_reason() -> None:
    right = solve(POINTING).values
    assert right
    wrong = right["R1C2"] % 9 + 1
    found = hint(POINTING, {"R1C2": wrong, "R1C3": right["R1C3"]})
    assert found.wrong == (("R1C2", (wrong,)),) and found.reason
    assert str(found).startswith(f"R1C2 = {wrong} is wrong. ") and "cannot hold together" in str(found)
    assert not hint(POINTING, {"R1C2": right["R1C2"]}).wrong
    struck = hint(POINTING, {"R1C2": [v for v in range(1, 10) if v != right["R1C2"]]})
    assert struck.wrong[0][0] == "R1C2"


def test_of_several_solutions_an_entry_is_wrong_when_none_has_it() -> None:
    assert hint("12..............", {"R1C3": 1}).wrong == (("R1C3", (1,)),)
    assert not hint("12..............", {"R1C3": 3}).wrong


def test_a_state_may_be_a_text_a_grid_or_by_name() -> None:
    text = "1234" + EASY[4:]
    assert str(hint(EASY, text)) == str(hint(EASY, {"R1C3": 3, "R1C4": 4})) == str(hint(EASY, Puzzle.parse(text).grid))
    with pytest.raises(ValueError, match="'R9C9' is not a cell"):
        hint(EASY, {"R9C9": 1})
    with pytest.raises(ValueError, match="'X' is not a cell"):
        hint(EASY, cell="X")


def test_what_is_settled_or_stuck_is_said() -> None:
    assert str(hint("1234341221434321")) == "Every cell is settled."
    assert "several solutions" in str(hint("." * 16))
    assert str(hint("123...4.........")).startswith("There is no solution")


def test_a_limit_of_time_is_said_in_a_hint() -> None:
    assert "time limit" in hint(POINTING, time_limit=1e-9).end


def test_the_steps_of_a_stage_are_patterns() -> None:
    way = path(WINGED)
    teller = Teller(way.ladder)
    names = {teller.pattern(step) for stage in way.stages for step in way.steps(stage)}
    assert {"naked singles", "hidden single", "hidden pair", "pointing", "AIC"} <= names


def test_a_step_is_drawn_with_what_is_read_and_what_goes() -> None:
    svg = hint(POINTING).picture().svg
    assert svg.count("#d1495b") >= 1 and "#3a9d5d" in svg
    assert "<svg" in hint(POINTING)._repr_html_()
    way = path(WINGED, order="patterns")
    assert way.taken
    step = next(step for step in way.taken if step.pattern and step.pattern.name == "W-wing")
    svg = step_picture(Puzzle.parse(WINGED), way.ladder, step).svg
    assert svg.count("stroke-dasharray") == 2 and svg.count('stroke-opacity="0.8"') == 5


def test_a_path_as_json_lines_ends_with_what_is_left() -> None:
    records = [json.loads(line) for line in path(EASY).to_jsonl().splitlines()]
    assert {record["schema"] for record in records} == {"sudoku-models/path/1"}
    assert records[-1]["end"] == path(EASY).end and set(records[-1]["left"]) == set(Puzzle.parse(EASY).shape.names)
    assert {"stage", "level", "removed", "placed", "atoms", "reads", "trial", "pattern", "text"} <= set(records[0])


def test_the_commands(program: Any, tmp_path: File) -> None:
    done = program("hint", "-", input=POINTING)
    assert done.exit_code == 0 and done.stdout == f"{hint(POINTING)}\n"
    record = json.loads(program("hint", "-f", "jsonl", "-c", "R6C2", "-", input=POINTING).stdout)
    assert record["schema"] == "sudoku-models/hint/1" and record["steps"][-1]["placed"] == [
        {"cell": "R6C2", "value": 4}
    ]
    lines = program("path", "-", input=EASY).stdout.splitlines()
    assert lines == list(path(EASY).lines())
    assert json.loads(program("path", "-f", "jsonl", "-", input=EASY).stdout.splitlines()[0])["number"] == 1
    done = program("rate", "-f", "csv", "-", input=f"{POINTING}\n{EASY}\n")
    assert done.exit_code == 0 and [row.split(",")[4] for row in done.stdout.splitlines()] == ["level", "1.2", "1.1"]
    table = tmp_path / "rated.csv"
    assert program("rate", "-o", str(table), "-", input=f"{POINTING}\nbad\n").exit_code == 2
    assert "1.2,true,1.1:" in table.read_text() and "bad input" in table.read_text()


def test_a_cell_that_sees_all_other_values_is_said_and_not_taken_for_filled() -> None:
    found = hint(".123456.." + "." * 18 + "7........8........" + "." * 36)
    assert str(found) == "Naked single: R1C1 is 9, the only value that is left there." and found.step
    proof, step = Proof(Ladder(found.problem)), found.step
    assert all(proof.follows(step, fact) for fact in step.facts)
    for spare in step.atoms:
        assert not all(proof.follows(step, fact, without=spare) for fact in step.facts)
    for spare in step.reads:
        assert not all(proof.follows(step, fact, unread=spare) for fact in step.facts)
    assert str(hint("123434122143432.", cell="R4C4")).startswith("Naked single: R4C4 is 1, ")


def test_a_value_with_one_place_in_a_house_comes_before_a_cell_that_sees_all_other_values() -> None:
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert str(hint(board, cell="R5C5")).startswith("Naked single: R5C5 is 5, ")
    found = hint(board)
    assert str(found).startswith("Hidden single: ") and found.step
    sole = {"R1C1": (1,), "R2C3": (1, 2)}
    assert str(hint("." * 16, sole)).startswith("Naked single: R1C1 is 1, ")  # one candidate is no entry
    assert all(board[c] != "." or found.step.before[c].bit_count() > 1 for c in found.step.reads)


def test_a_pattern_that_leaves_a_single_comes_first_and_says_which() -> None:
    board = "49....8.617.9..2....3.......8.23.5..........956.4.9..1...61.4.3.......7....5....."
    found = hint(board)
    assert found.step and found.step.pattern and found.step.pattern.then and found.step.pattern.cost < 2.6
    text = str(found)
    house = text.rpartition(" in ")[2].strip(".")
    left, value = text.split("; then ")[1].split(" is the only place of ")
    assert str(solve(board).values[left]) == value.split()[0] and house.split()[0] in ("row", "column", "box")


def test_a_forcing_chain_names_each_value_and_why() -> None:
    way = path(WINGED)
    told = [Teller(way.ladder).text(step) for stage in way.stages for step in way.steps(stage) if step.trial]
    assert told and all(re.search("the only [1-9] in |its only value", text) for text in told)
    assert all(re.search("has no (place in|value)", text) for text in told)


def test_the_limit_of_time_covers_the_text_of_a_path_too() -> None:
    way = path(WINGED)
    way.ladder.budget = Budget(0).start()
    text = str(way)
    assert "the reason was not found within the time limit" in text and text.endswith(
        "solved; the highest level is 2.3"
    )
    assert all({fact for step in way.steps(stage) for fact in step.facts} == stage.facts for stage in way.stages)


def test_a_sum_of_any_coefficients_narrows_its_cells() -> None:
    terms = "10007*R1C1 + 20011*R2C4 + 30013*R3C7 + 40009*R4C2 + 50021*R5C5 + 60037*R6C8 + 70001*R7C3"
    board = Puzzle.empty(9).with_(f"{terms} == 1790593").with_givens({"R8C8": 2})
    assert str(hint(board)) == "in Condition (7 cells), R6C8 is not 1 and R7C3 is not 1, 2, 3, 4 or 5."
