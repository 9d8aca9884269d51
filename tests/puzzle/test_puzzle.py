import pickle

import pytest

from sudoku_models.puzzle import Grid, Puzzle, Shape

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


def test_givens_must_fit_the_shape() -> None:
    with pytest.raises(ValueError, match="15 cells for a board of 4 x 4, boxes 2 x 2: 16 are expected"):
        Puzzle(Shape.square(4), (None,) * 15)
    with pytest.raises(ValueError, match="R1C2: 5 is out of range: 1 to 4"):
        Puzzle(Shape.square(4), (None, 5, *[None] * 14))
    with pytest.raises(ValueError, match="R4C4: 0 is out of range"):
        Puzzle(Shape.square(4), (*[None] * 15, 0))


def test_candidates_must_be_of_the_board() -> None:
    with pytest.raises(ValueError, match="R10C1"):
        Puzzle.parse(LINE).with_candidates({"R10C1": [1]})


def test_a_puzzle_is_made_of_a_grid_and_gives_it_back() -> None:
    puzzle = Puzzle.parse(LINE)
    assert Puzzle.of(puzzle.grid) == puzzle
    assert Puzzle.of(puzzle.grid, title="x").title == "x"
    assert puzzle.grid == Grid(puzzle.shape, puzzle.givens)
    assert Puzzle.empty(Shape.square(9)).clues == 0


def test_puzzles_are_values() -> None:
    puzzle = Puzzle.parse(LINE)
    assert puzzle.domains
    copy = pickle.loads(pickle.dumps(puzzle))
    assert copy == puzzle
    assert hash(copy) == hash(puzzle)
    assert {puzzle, copy} == {puzzle}
    assert puzzle.to_line() == LINE
