"""A puzzle is data: givens, candidates, rules and constraints come and go, clashes are named, and it stays."""

from __future__ import annotations

import pickle

import pytest

from sudoku_models import Grid, Puzzle, Shape, count, solutions, solve
from sudoku_models.model import AllDifferent, Compare, Model, Variable
from sudoku_models.puzzle import clashes
from sudoku_models.puzzle.rules import KillerCage, Rule, Thermo

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_givens_are_domains_of_one() -> None:
    puzzle = Puzzle.parse(LINE)
    assert puzzle.clues == 30
    assert puzzle.domains["R1C1"] == (5,)
    assert len(puzzle.domains) == 30
    assert puzzle.structure is Shape.square(9).model
    assert puzzle.model == puzzle.structure.narrowed(puzzle.domains)


def test_candidates_narrow_cells_and_givens() -> None:
    puzzle = Puzzle.parse(LINE).with_candidates({"R1C3": [4, 1], "R1C1": [5, 6]})
    assert puzzle.domains["R1C3"] == (1, 4)
    assert puzzle.domains["R1C1"] == (5,)
    assert Puzzle.parse(LINE).with_candidates({"R1C1": [6]}).domains["R1C1"] == ()
    twice = Puzzle.parse(LINE).with_candidates({"R1C3": [1, 2]}).with_candidates({"R1C3": [2, 4]})
    assert twice.domains["R1C3"] == (2,)


def texts(line: str, shape: Shape) -> list[str]:
    return [str(clash) for clash in clashes(shape, Puzzle.parse(line, shape=shape).givens)]


def test_every_house_is_looked_at_rows_first() -> None:
    assert texts("1..1............", Shape.square(4)) == ["row 1 holds 1 in R1C1 and R1C4"]
    assert texts("1...........1...", Shape.square(4)) == ["column 1 holds 1 in R1C1 and R4C1"]
    assert texts("1....1..........", Shape.square(4)) == ["box 1 holds 1 in R1C1 and R2C2"]
    assert texts("1....1..........", Shape.latin(4)) == []


def fits(grid: Grid, diagonal: list[str]) -> bool:
    return len({grid[name] for name in diagonal}) == 4 and (grid["R1C1"], grid["R1C2"]) == (4, 1)


EMPTY = Puzzle.empty(Shape.square(4))
CAGE = KillerCage("R1C1 R1C2", 3)


def test_givens_come_are_replaced_and_go() -> None:
    one = EMPTY.with_givens({"R1C1": 1, "R4C4": 2})
    assert (one.clues, one.domains) == (2, {"R1C1": (1,), "R4C4": (2,)})
    assert one.with_givens({"R1C1": 3}).domains["R1C1"] == (3,)
    assert one.without("R1C1", "R4C4") == EMPTY
    assert EMPTY.clues == 0


def test_rules_and_constraints_are_added_and_taken_away() -> None:
    both = EMPTY + CAGE + Thermo("R2C1 R3C2")
    assert both == EMPTY.with_rules(CAGE, Thermo("R2C1 R3C2"))
    assert both.without(CAGE).rules == (Thermo("R2C1 R3C2"),)
    assert both.with_givens({"R1C1": 1}).without("R1C1", *both.rules) == EMPTY


@pytest.mark.parametrize("backend", ["backtracking", "pycosat", "cp-sat"])
def test_a_board_with_extra_constraints_is_solved_as_a_grid(backend: str) -> None:
    diagonal = [f"R{i}C{i}" for i in range(1, 5)]
    puzzle = EMPTY.with_(AllDifferent(diagonal), Compare("R1C1", ">", "R1C2", 2))
    grid = solve(puzzle, backend).grid
    assert grid is not None
    assert (grid["R1C1"], grid["R1C2"]) == (4, 1)
    assert len({grid[name] for name in diagonal}) == 4
    whole = list(solutions(EMPTY, "backtracking"))
    assert len(whole) == 288
    assert count(puzzle, backend).value == sum(fits(found, diagonal) for found in whole)


def test_a_constraint_is_shown_and_judged_like_a_rule() -> None:
    puzzle = EMPTY + Compare("R1C1", "<", "R1C2")
    assert "R1C1" in str(puzzle.rules[0])
    assert puzzle.violated((2, 1, 3, 4, 3, 4, 1, 2, 1, 2, 4, 3, 4, 3, 2, 1)) == [puzzle.rules[0]]
    assert str(puzzle)
    assert "svg" in puzzle._repr_html_()


@pytest.mark.parametrize("rules", [(), (CAGE,)])
def test_a_model_made_of_a_board_has_solutions_as_grids(rules: tuple[Rule, ...]) -> None:
    puzzle = EMPTY.with_rules(*rules).with_givens({"R4C4": 4})
    x = puzzle.model
    model = x.with_(x["R1C1"] < x["R1C2"], variables=[extra := Variable("extra", (1, 2))]).maximise(extra + x["R1C3"])
    result = solve(pickle.loads(pickle.dumps(model)), "backtracking")
    assert result.grid is not None and result.values is not None
    assert result.grid.shape == puzzle.shape
    assert (result.grid["R1C1"], result.grid["R1C2"]) == (1, 2) or not rules
    assert (result.grid["R4C4"], result.values["extra"], result.objective) == (4, 2, 6)
    assert result.grid["R1C1"] < result.grid["R1C2"]
    assert solve(Model([extra]), "backtracking").grid is None
