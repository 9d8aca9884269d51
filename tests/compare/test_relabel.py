"""Relabelled puzzles: other names and places, the same Sudoku."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, Shape, count, solve
from sudoku_models.compare.pool import Relabelling


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Shape.square(4), "1.....2....3...."),
        (Shape.square(6), "1.....2.......3......4......5......6"),
        (Shape.square(6, (3, 2)), "1.....2.......3......4......5......6"),
        (Shape.latin(5), "1.....2.......3.........."),
        (Shape.irregular("1122112233443344"), "1.....2....3...."),
    ],
    ids=str,
)
def test_a_seed_gives_one_puzzle_with_as_many_solutions_and_each_leads_back(shape: Shape, text: str) -> None:
    puzzle = Puzzle.parse(text, shape=shape).with_candidates({shape.names[-1]: shape.values[1:]})
    number, made = count(puzzle, "backtracking", limit=200), set()
    for seed in range(1, 20):
        relabelling = Relabelling.of(puzzle, seed)
        assert relabelling is not None and relabelling == Relabelling.of(puzzle, seed)
        domains = relabelling(puzzle.domains, shape.names)
        empty = Puzzle.empty(shape).with_candidates(domains)
        assert len(domains) == len(puzzle.domains)
        assert count(empty, "backtracking", limit=200) == number
        grid = solve(empty, "backtracking").grid
        assert grid is not None
        back = relabelling.undone([value for value in grid.values if value is not None])
        assert solve(Puzzle(shape, back, puzzle.candidates), "backtracking").status == "solved"
        assert all(given in (None, value) for given, value in zip(puzzle.givens, back, strict=True))
        made.add(str(domains))
    assert len(made) > 10


def test_only_square_boxes_are_transposed() -> None:
    def transposed(shape: Shape) -> bool:
        """In a transposed board cells that stood in one row stand in one column."""
        drawn = (Relabelling.of(Puzzle.empty(shape), seed) for seed in range(1, 20))
        return any(one.places[1] // shape.width != one.places[0] // shape.width for one in drawn if one)

    assert [transposed(shape) for shape in (Shape.square(9), Shape.latin(5), Shape.square(6))] == [True, True, False]
