"""The candidates of problems with many solutions are the values of all solutions, whichever engine is asked."""

from __future__ import annotations

from math import inf

import pytest

from sudoku_models import Puzzle, candidates, solutions
from sudoku_models.puzzle.rules import KillerCage, Thermo
from sudoku_models.verbs.task import Task

PUZZLES = {
    "values that are seen soon": Puzzle.empty(4) + Thermo("R1C1 R2C1"),
    "values of few solutions": Puzzle.empty(6).with_givens({"R1C1": 1})
    + KillerCage("R3C1 R3C2 R4C1", 6)
    + Thermo("R4C5 R3C5 R2C5 R1C6"),
}


@pytest.fixture(scope="module")
def every() -> dict[str, list[set[int]]]:
    """Return for each puzzle the values that each cell has in some solution, by listing all solutions."""
    return {
        name: [set(cell) for cell in zip(*[grid.values for grid in solutions(puzzle)], strict=True)]
        for name, puzzle in PUZZLES.items()
    }


@pytest.mark.parametrize("backend", ["auto", "native", "cp-sat", "pysat", "pycosat"])
@pytest.mark.parametrize("name", PUZZLES)
def test_they_are_the_values_of_all_solutions(name: str, backend: str, every: dict[str, list[set[int]]]) -> None:
    found = candidates(PUZZLES[name], backend)
    assert found.complete
    assert [set(found[cell]) for cell in PUZZLES[name].shape.names] == every[name]


@pytest.mark.parametrize("finding", [-inf, inf], ids=["together", "one by one"])
@pytest.mark.parametrize("backend", ["native", "cp-sat", "pysat"])
def test_cells_are_asked_about_one_by_one_or_together_within_the_limit(
    backend: str, finding: float, every: dict[str, list[set[int]]]
) -> None:
    for name, puzzle in PUZZLES.items():
        task = Task.of(puzzle, backend, {"time_limit": 1000.0}).of_all("candidates")
        met: dict[str, set[int]] = {cell: set() for cell in puzzle.shape.names}
        assert task._meet_each(met, finding) == ""
        assert [*met.values()] == every[name]
        assert task.budget.left is not None and task.budget.left < 1000
