"""Relabelled puzzles: other names and places, the same Sudoku."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, Shape, count, solve
from sudoku_models.compare.relabel import Relabelling

BOXES = {
    "4 x 4": (Shape.square(4), "1.....2....3...."),
    "6 x 6, boxes 2 x 3": (Shape.square(6), "1.....2.......3......4......5......6"),
    "6 x 6, boxes 3 x 2": (Shape.square(6, (3, 2)), "1.....2.......3......4......5......6"),
    "Latin square": (Shape.latin(5), "1.....2.......3.........."),
    "irregular": (Shape.irregular("1122112233443344"), "1.....2....3...."),
}


@pytest.fixture(params=BOXES, ids=str)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    shape, text = BOXES[request.param]
    return Puzzle.parse(text, shape=shape)


def test_a_seed_gives_the_same_puzzle_each_time_and_seeds_differ(puzzle: Puzzle) -> None:
    made = [Relabelling.of(puzzle.shape, seed)(puzzle).givens for seed in range(1, 30)]
    assert made == [Relabelling.of(puzzle.shape, seed)(puzzle).givens for seed in range(1, 30)]
    assert len(set(made)) > 15


def test_as_many_solutions_and_each_leads_back_to_one_of_the_puzzle(puzzle: Puzzle) -> None:
    number = count(puzzle, "backtracking", limit=200)
    for seed in range(1, 9):
        relabelling = Relabelling.of(puzzle.shape, seed)
        relabelled = relabelling(puzzle)
        assert relabelled.clues == puzzle.clues
        assert count(relabelled, "backtracking", limit=200) == number
        grid = solve(relabelled, "backtracking").grid
        assert grid is not None
        back = relabelling.undone([value for value in grid.values if value is not None])
        assert solve(Puzzle(puzzle.shape, back), "backtracking").status == "solved"
        assert all(given in (None, value) for given, value in zip(puzzle.givens, back, strict=True))


def test_candidates_and_the_stated_solution_move_along() -> None:
    puzzle = Puzzle.parse("1.....2....3....")
    stated = solve(puzzle, "backtracking").grid
    assert stated is not None
    second, last = stated.values[1] or 0, stated.values[-1] or 0
    puzzle = puzzle.with_candidates({"R1C2": (second, second % 4 + 1), "R4C4": (last,)})
    puzzle = Puzzle(puzzle.shape, puzzle.givens, puzzle.candidates, stated=stated.values)
    number = count(puzzle, "backtracking")
    for seed in range(1, 9):
        relabelling = Relabelling.of(puzzle.shape, seed)
        relabelled = relabelling(puzzle)
        assert count(relabelled, "backtracking") == number
        assert relabelled.stated is not None
        assert relabelling.undone([v for v in relabelled.stated if v is not None]) == stated.values
        assert solve(Puzzle(puzzle.shape, relabelled.stated), "backtracking").status == "solved"


def test_only_square_boxes_are_transposed() -> None:
    def transposed(shape: Shape) -> bool:
        """In a transposed board cells that stood in one row stand in one column."""
        return any(
            Relabelling.of(shape, seed).places[1] // shape.width != Relabelling.of(shape, seed).places[0] // shape.width
            for seed in range(1, 20)
        )

    assert transposed(Shape.square(9))
    assert transposed(Shape.latin(5))
    assert not transposed(Shape.square(6))
