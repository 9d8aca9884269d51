"""``explain``: reasons and repairs, clues that distinguish solutions, parts that could be left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sudoku_models import Model, Puzzle, Variable, count, solve
from sudoku_models.explain import Conflict, NoSolution, OneSolution, Repair, SeveralSolutions, explain
from sudoku_models.explain.explanation import Stated, apart
from sudoku_models.model import AllDifferent, Linear
from sudoku_models.puzzle.rules.cages import KillerCage
from sudoku_models.puzzle.rules.chess import AntiKing, AntiKnight
from sudoku_models.puzzle.rules.lines import Thermo
from sudoku_models.puzzle.rules.regions import Diagonal, DisjointGroups

FULL = "1234341221434321"
CLASSIC = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def without(parts: tuple[Any, ...], puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without some givens and rules."""
    cells = {part.what for part in parts if part.kind == "given"}
    rules = tuple(rule for rule in puzzle.rules if all(part.what is not rule for part in parts))
    pairs = zip(puzzle.shape.names, puzzle.givens, strict=True)
    return Puzzle(puzzle.shape, tuple(None if x in cells else v for x, v in pairs), rules=rules)


def test_a_wrong_given_is_the_smallest_repair_and_each_reason_names_it() -> None:
    right = solve(CLASSIC).grid
    assert right
    wrong = CLASSIC[:1] + str(right.values[1] % 9 + 1) + CLASSIC[2:]
    found = explain(wrong)
    assert isinstance(found, NoSolution) and found.repair and found.reason
    assert [part.what for part in found.repair.parts] in (["R1C2"], ["R1C1"], ["R1C7"])
    assert count(without(found.repair.parts, Puzzle.parse(wrong)), limit=1).value == 1
    assert str(found.reason).endswith("cannot hold together.") and "Without given" in str(found)


def test_more_yields_what_is_not_known_yet_until_all_is_found() -> None:
    found = explain("11..............")
    assert isinstance(found, NoSolution)
    more = list(found.more())
    texts = [str(found.repair), *(str(one) for one in more if isinstance(one, Repair))]
    assert len(set(texts)) == len(texts) and any(isinstance(one, Conflict) for one in more)
    assert "Without given R1C1 = 1 there is a solution, for example with R1C1 = " in " ".join(texts)


def test_clues_that_leave_one_solution_do_so_and_all_of_them_are_found() -> None:
    puzzle = Puzzle.parse("123434..2.......")
    found = explain(puzzle)
    assert isinstance(found, SeveralSolutions)
    every = {(x, v) for x in puzzle.shape.names for v in puzzle.shape.values}
    single = {(x, v) for x, v in every if count(puzzle.with_candidates({x: (v,)})).value == 1}
    assert set(found.clues) == single
    first, second = found.solutions
    assert {x for x, a, b in zip(puzzle.shape.names, first.values, second.values, strict=True) if a != b} == {
        *found.differ
    }


def test_where_no_single_clue_is_enough_some_are_together() -> None:
    empty = Puzzle.parse("." * 16)
    found = explain(empty)
    assert isinstance(found, SeveralSolutions) and not found.clues
    assert count(empty.with_candidates({x: (v,) for x, v in found.together})).value == 1


def test_what_is_redundant_can_be_left_out_and_the_rest_cannot() -> None:
    puzzle = Puzzle.parse("1234341221......").with_rules(Thermo(("R1C1", "R1C2")))
    found = explain(puzzle)
    assert isinstance(found, OneSolution) and not found.open
    parts = apart(puzzle).stated
    for part in (part for part in parts if part.kind != "house"):
        assert (count(without((part,), puzzle)).value == 1) is (part in found.redundant), part
    assert Thermo(("R1C1", "R1C2")) in [part.what for part in found.redundant]


def test_a_model_is_explained_by_its_constraints() -> None:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    above = x > y
    model = Model([x, y], [AllDifferent([x, y]), above, Linear((1, 1), (x, y), "==", 0)])
    found = explain(model)
    assert isinstance(found, NoSolution) and found.repair and len(found.repair) == 1
    only = explain(Model([x, y], [above, Linear((1, 1), (x, y), "==", 1)]))
    assert isinstance(only, OneSolution) and only.solution == {"x": 1, "y": 0}


def test_a_limit_of_time_is_said() -> None:
    found = explain(CLASSIC.replace("4", "."), time_limit=1e-6)
    assert found.status == "unknown" and "time limit" in str(found)


def test_an_explanation_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="status"):
        bool(explain(FULL))


def test_the_command_line_explains(program: Any) -> None:
    done = program("explain", "-", input="11..............")
    assert done.exit_code == 1
    assert done.stdout.startswith("There is no solution. Given R1C1 = 1, given R1C2 = 1 and ")
    done = program("explain", "--format", "jsonl", "--more", "2", "-", input="11..............")
    record = json.loads(done.stdout)
    assert record["schema"] == "sudoku-models/explain/1" and record["status"] == "no solution"
    assert [part["kind"] for part in record["conflict"]["parts"]] == ["given", "given", "house"]
    assert len(record["more"]) == 2 and record["repair"]["parts"][0]["values"] == [1]


def test_a_rule_without_which_there_is_a_solution_is_found_where_reasons_are_hard_to_cut_down() -> None:
    """Whole-board rules on an empty 9x9 board: little work settles the repair, and the limit ends the rest."""
    rules = (AntiKing(), AntiKnight(), DisjointGroups(), Diagonal(), Diagonal(False))
    found = explain(Puzzle.parse("." * 81).with_rules(*rules))
    assert isinstance(found, NoSolution) and found.repair and found.reason
    assert [part.what for part in found.repair.parts] == [AntiKing()]
    assert found.reason.minimal or "(some of these may not be needed)" in str(found.reason)


def test_a_cage_within_a_row_that_cannot_hold_is_named_without_the_row() -> None:
    found = explain(Puzzle.empty(4).with_rules(KillerCage(("R1C1", "R1C2"), 2)))
    assert isinstance(found, NoSolution) and found.reason
    assert [part.kind for part in found.reason.parts] == ["rule"]


def test_many_givens_of_a_reason_that_is_not_minimal_are_counted_in_its_text() -> None:
    parts = (*(Stated("given", f"R1C{i}", (i,)) for i in range(1, 15)), Stated("house", "row 1"))
    text = "14 of the givens and row 1 cannot hold together (some of these may not be needed)."
    assert str(Conflict(parts, minimal=False)) == text and len(Conflict(parts, minimal=False).to_json()["parts"]) == 15
    assert str(Conflict(parts)).startswith("Given R1C1 = 1, given R1C2 = 2, ")
