"""The generator: the same seed, the same puzzles, each as its group wants it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from benchmarks.collection import make
from benchmarks.collection.dig import dig, loosen, spoil
from benchmarks.collection.full import full_grid
from benchmarks.collection.program import prove
from sudoku_models import Grid, Puzzle, Shape, WrongAnswer, count, is_unique, validate
from sudoku_models.collection import Item, puzzles
from sudoku_models.collection.measure import rate
from sudoku_models.make.jigsaws import exchanged

SMALL = ["4x4-easy", "6x6-several", "9x9-medium-01", "9x9-hard-01", "irregular-6-easy-01", "latin-5"]


def made(path: Path, seed: int) -> bytes:
    assert make.main(["--seed", str(seed), "--out", str(path), "--only", *SMALL]) == 0
    return path.read_bytes()


def test_the_same_seed_makes_the_same_file_and_another_seed_another(tmp_path: Path) -> None:
    first = made(tmp_path / "a", 11)
    assert first == made(tmp_path / "b", 11)
    assert first != made(tmp_path / "c", 12)
    assert [Item.from_json(line).seed for line in first.decode().splitlines()] == [11] * first.count(b"\n")


def test_shipped_puzzles_are_made_again_from_their_names() -> None:
    names = [
        "4x4-several-02",
        "8x8-easy-03",
        "9x9-easy-05",
        "9x9-hard-04",
        "9x9-none-02",
        "latin-7-easy-01",
        "irregular-6-hard-01",
    ]
    again = {item.name: item.to_json() for item in make.make(make.SEED, names)}
    assert again == {name: puzzles(name)[0].to_json() for name in names}


def test_the_shipped_file_holds_what_the_generator_plans() -> None:
    assert [name for _, name in make.chosen(())] == [item.name for item in puzzles()]


def test_an_unknown_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        make.main(["--out", str(tmp_path / "x"), "--only", "5x5"])
    assert stopped.value.code == 2
    assert "5x5: no puzzle is called so" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "shape",
    [Shape.square(4), Shape.square(6, (2, 3)), Shape.square(9), Shape.square(12, (4, 3)), Shape.latin(7)],
    ids=str,
)
def test_full_grids_are_solutions_and_vary(shape: Shape) -> None:
    grids = {tuple(full_grid(shape, Random(seed))) for seed in range(10)}
    assert len(grids) == 10
    for grid in grids:
        assert shape.model.holds(dict(zip(shape.names, grid, strict=True)))


@pytest.mark.parametrize("side", [6, 8, 9])
def test_irregular_regions_are_connected_and_not_boxes(side: int) -> None:
    for seed in range(5):
        shape = exchanged(side, Random(seed))
        assert len(shape.regions) == side
        assert set(shape.regions) != set(Shape.square(side).regions)
        for region in shape.regions:
            assert len(region) == side
            assert _connected(set(region), side)


def _connected(cells: set[int], side: int) -> bool:
    places = {divmod(cell, side) for cell in cells}
    reached = {min(places)}
    for _ in places:
        reached |= {(r, c) for r, c in places if reached & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}}
    return reached == places


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_digging_keeps_one_solution_and_the_difficulty(difficulty: str) -> None:
    rng = Random(difficulty)
    puzzle = dig(full_puzzle(rng), difficulty, rng)
    assert is_unique(puzzle, "cp-sat")
    order = ("easy", "medium", "hard")
    assert order.index(rate(puzzle).difficulty) <= order.index(difficulty)
    assert puzzle.clues < 40


def test_loosening_gives_several_solutions() -> None:
    rng = Random(2)
    puzzle = loosen(dig(full_puzzle(rng), "hard", rng), rng, 1)
    assert puzzle is not None
    assert 1 < count(puzzle, "backtracking").value <= 3000


def test_spoiling_hides_that_there_is_no_solution() -> None:
    rng = Random(3)
    full = full_puzzle(rng)
    values = [value for value in full.givens if value is not None]
    puzzle = spoil(dig(full, "hard", rng), values, rng)
    assert puzzle is not None
    assert validate(puzzle).legal
    assert count(puzzle, "backtracking").value == 0


def test_a_number_that_backends_cannot_settle_is_not_written() -> None:
    with pytest.raises(WrongAnswer, match="not proved: pycosat at least 100: the empty board"):
        prove(Puzzle.empty(Shape.square(9)), ["pycosat"], 100, "the empty board")


def full_puzzle(rng: Random) -> Puzzle:
    shape = Shape.square(9)
    return Puzzle.of(Grid(shape, tuple(full_grid(shape, rng))))
