"""Hints, their words and pictures, and the commands ``hint``, ``path`` and ``rate``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sudoku_models import Puzzle, Shape, solve
from sudoku_models.engine.budget import Budget
from sudoku_models.explain import Ladder, hint, path
from sudoku_models.explain.step_words import Teller
from sudoku_models.puzzle.rules import Rule
from sudoku_models.puzzle.rules.chess import AntiKnight
from tests.explain.test_ladder import Proof

EASY = "12.434.2214....."

WINGED = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


def test_the_steps_of_a_stage_are_patterns() -> None:
    way = path(WINGED)
    teller = Teller(way.ladder)
    names = {teller.pattern(step) for stage in way.stages for step in way.steps(stage)}
    assert {"pencil marks", "hidden single", "hidden pair", "pointing", "AIC"} <= names


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


def test_a_house_with_more_cells_than_values_is_no_naked_set() -> None:
    way = path(Puzzle.empty(Shape(4, 4, (1, 2, 3))))
    assert str(way).splitlines()[:2] == ["1. level 1.3", "   In row 1, nothing is left for R1C1, R1C2, R1C3 and R1C4."]


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


def test_cells_a_knights_move_apart_see_each_other_in_every_pattern() -> None:
    board = Puzzle.parse("." * 81).with_rules(AntiKnight())
    rest = tuple(v for v in range(1, 10) if v != 4)
    found = hint(board, {f"R5C{c}": rest for c in range(3, 10)})
    gone = "R3C1, R3C2, R4C1, R4C2, R4C3, R6C1, R6C2, R6C3, R7C1 and R7C2 are not 4, by Anti-knight"
    assert str(found) == f"Claiming: in row 5, 4 is in R5C1 or R5C2, so {gone}."
    assert found.step and {(fact[0] // 9, fact[1]) for fact in found.step.facts} == {(r, 3) for r in (2, 3, 5, 6)}


def test_a_step_is_asked_for_by_the_name_of_its_technique() -> None:
    board = ".2..5.78.4...89...7......6.23...1..5..46...3896...54..3......1...5.1.........3..7"
    assert str(hint(board)).startswith("Hidden single: ")
    found = hint(board, technique="Swordfish")
    assert str(found).startswith("Swordfish: the places of 8 in rows 3, 4 and 6 are in columns 2, 3 and 4, so ")
    assert str(hint(EASY, technique="swordfish")) == "There is no step with the name swordfish."
    assert hint(EASY, technique="swordfish").status == "no step"
    with pytest.raises(ValueError, match=r"'sword fish' is unknown; did you mean swordfish\? .* full house; hidden"):
        hint(board, technique="sword fish")
    with pytest.raises(ValueError, match="cell and technique: only one"):
        hint(board, cell="R1C1", technique="swordfish")
    knights = Puzzle.parse("." * 81).with_rules(AntiKnight())
    assert hint(knights, technique="knight's move").end.startswith("There is no step")
    with pytest.raises(ValueError, match='"knight\'s move" is unknown'):
        hint(board, technique="knight's move")


@pytest.mark.parametrize("name", ["grouped X-chain", "Simple colours, trap", "Siamese sashimi X-wing"])
def test_a_step_has_the_name_that_was_asked_for(name: str) -> None:
    board = ".2..5.78.4...89...7......6.23...1..5..46...3896...54..3......1...5.1.........3..7"
    assert str(hint(board, technique=name)).lower().startswith(f"{name.lower()}: ")
    assert str(hint(board, technique=f" {name} ")) == str(hint(board, technique=name))


@pytest.mark.parametrize(
    ("board", "state"),
    [
        ("1234341221434321", None),
        ("11..............", None),
        (EASY, {"R1C3": 4}),
    ],
    ids=["filled", "unsatisfiable", "wrong entry"],
)
def test_an_unknown_technique_is_refused_before_anything_else_is_said(board: str, state: dict[str, int] | None) -> None:
    for name in ("sword fish", ""):
        with pytest.raises(ValueError, match=f"technique: '{name}' is unknown"):
            hint(board, state, technique=name)
    with pytest.raises(TypeError, match="technique: a name in text is expected, not 5"):
        hint(board, state, technique=5)  # type: ignore[arg-type]
    assert not hint(board, state, technique="naked singles").status.startswith("hinted")


def test_a_hint_by_uniqueness_says_which_option_allows_it() -> None:
    assert "assume_unique allows it" in hint(WINGED, technique="unique rectangle").end
    assert "assume_unique" not in hint(WINGED, technique="jellyfish").end
