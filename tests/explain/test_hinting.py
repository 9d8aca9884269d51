"""Hints, their words and pictures, and the commands ``hint``, ``path`` and ``rate``."""

from __future__ import annotations

import re
from pathlib import Path

from sudoku_models import Puzzle, solve
from sudoku_models.engine.budget import Budget
from sudoku_models.explain import Ladder, hint, path
from sudoku_models.explain.step_words import Teller
from sudoku_models.puzzle.rules import Rule
from tests.explain.test_ladder import Proof

EASY = "12.434.2214....."

WINGED = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


def test_the_steps_of_a_stage_are_patterns() -> None:
    way = path(WINGED)
    teller = Teller(way.ladder)
    names = {teller.pattern(step) for stage in way.stages for step in way.steps(stage)}
    assert {"naked singles", "hidden single", "hidden pair", "pointing", "AIC"} <= names


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


def test_a_step_of_a_rule_has_the_name_that_its_class_states() -> None:
    kinds = dict(Rule.kinds)
    page = (Path(__file__).parents[2] / "docs" / "write_a_rule.md").read_text("utf-8")
    try:
        exec(page.split("```python\n")[1].split("\n```")[0], place := {"__name__": __name__, "print": lambda *_: None})

        class Arrow(place["Leaping"]):  # type: ignore[misc,name-defined]  # states no name, nor is it the package's arrow
            """The values leap."""

    finally:
        Rule.kinds.clear()
        Rule.kinds.update(kinds)
    board = Puzzle.empty(4)
    named, unnamed = (hint(board.with_rules(kind("R1C1 R1C2"))) for kind in (place["Leaping"], Arrow))
    where = "in Leaping line (R1C1 R1C2, step 2), R1C1 is 1 or 2 and R1C2 is 3 or 4."
    assert (str(named), named.steps[0].pattern.name) == (
        f"Bounds of a leaping line: {where}",
        "bounds of a leaping line",
    )
    assert str(unnamed) == "In Arrow (R1C1 R1C2, step 2), R1C1 is 1 or 2 and R1C2 is 3 or 4."
