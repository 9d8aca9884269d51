"""Cores of puzzles and models: what contradicts each other, in the words of the puzzle, and nothing in vain."""

from __future__ import annotations

import pytest

from sudoku_models import Core, LimitReached, Model, Puzzle, Unsupported, Variable, core
from sudoku_models.model import AllDifferent, Linear
from sudoku_models.puzzle.rules.lines import Thermo

STUCK = "123........4...."
ENGINES = ("backtracking", "cp-sat", "pycosat", "python-constraint")


@pytest.mark.parametrize("backend", ["auto", *ENGINES])
def test_a_cell_without_a_value_left_is_explained_by_what_takes_them(backend: str) -> None:
    found = core(Puzzle.parse("123...4........."), backend)
    assert found is not None and found.minimal
    assert dict(found.givens).keys() <= {"R1C1", "R1C2", "R1C3", "R2C3"}
    assert len(found.givens) == 3 and ("R2C3", (4,)) in found.givens
    assert len(found.houses) == 2
    assert str(found) == ", ".join(found.parts)


def test_a_puzzle_with_a_solution_has_no_core() -> None:
    assert core("1...............") is None


def test_rules_are_named_as_they_were_authored() -> None:
    long = Thermo(("R1C1", "R1C2", "R1C3", "R1C4"))
    puzzle = Puzzle.parse("...1............").with_rules(Thermo(("R4C1", "R3C1")), long)
    found = core(puzzle)
    assert found is not None and found.rules == (long,)
    assert found.givens == (("R1C4", (1,)),) and len(found) == 2
    assert str(long) in str(found)
    assert "Thermo (R1C1 R1C2 R1C3 R1C4)" in found.parts


def test_the_constraints_of_a_model_and_narrowed_domains_are_asked_one_by_one() -> None:
    x, y, z = (Variable(name, range(4)) for name in "xyz")
    above, sums = x > y, Linear((1, 1, 1), (x, y, z), "<=", 6)
    model = Model([x, y, z], [AllDifferent([x, y, z]), above, sums]).minimise(x)
    for backend in ENGINES:
        found = core(model, backend, domains={x: (0, 1), y: (1, 2), z: (2, 3)})
        assert found is not None and bool(found)
        assert (found.constraints, dict(found.givens)) == ((above,), {"x": (0, 1), "y": (1, 2)})
        assert core(model, backend, domains={x: (3,)}) is None
    impossible = core(Model([Variable("nothing", ())]))
    assert impossible == Core((), (), (), (), True) and len(impossible) == 0


def test_a_limit_tells_what_is_known_and_a_backend_without_proofs_is_refused() -> None:
    with pytest.raises(LimitReached, match="not known") as stopped:
        core(STUCK, "backtracking", time_limit=1e-9)
    assert stopped.value.known is None
    with pytest.raises(Unsupported, match="prove"):
        core(STUCK, "python-constraint:solver=minconflicts")
