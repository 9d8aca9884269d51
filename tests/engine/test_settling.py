"""Boards with at most one solution are answered first by what loads nothing, then by engines that are loaded."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from sudoku_models import candidates, count, solve
from sudoku_models.engine import auto
from sudoku_models.puzzle import Shape

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = CLASSIC[:2] + "1" + CLASSIC[3:]
NATIVE = pytest.mark.skipif(find_spec("llvmlite") is None, reason="not applicable (feature): llvmlite is not installed")


@pytest.fixture(autouse=True)
def boards_not_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what tests before these used and asked of boards: both change the choice."""
    monkeypatch.setattr(auto, "USED", set())
    Shape.square(9).model.memo.clear()


def answers(text: str) -> tuple[object, ...]:
    found = solve(text, unique=True)
    return found.grid, found.unique, solve(text).grid, str(count(text, limit=3)), candidates(text)


def test_a_puzzle_that_is_asked_after_many_has_the_same_answer_from_the_engine_for_many() -> None:
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    model = Shape.square(9).model
    model.memo.clear()
    two = CLASSIC.replace("5", ".", 2).replace("8", ".", 3)
    first = [answers(text) for text in (CLASSIC, two, NONE)]
    for _ in range(auto.OFTEN):
        auto.choose(model)
    assert [answers(text) for text in (CLASSIC, two, NONE)] == first
    assert solve(CLASSIC).record.backend == solve(NONE).record.backend == "bitset"
    several = solve(two).record
    assert several.backend == "pycosat"
    assert "bitset:several=pass gave up" in several.notes
    assert "bitset, loaded for many such puzzles, answers those with one solution or none" in several.choice


@NATIVE
def test_a_board_with_one_solution_is_answered_by_the_first_engine_once_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several, model = "." * 9 + CLASSIC[9:], Shape.square(9).model
    before = [answers(text) for text in (CLASSIC, several, NONE)]
    assert solve(CLASSIC).record.backend == "bitset"
    monkeypatch.setattr(auto, "USED", {"native"})
    model.memo.pop("asked")
    assert [answers(text) for text in (CLASSIC, several, NONE)] == before
    found = solve(CLASSIC).record
    assert (found.backend, found.options) == ("native", {"several": "pass"})
    assert "native, which is loaded already, answers those with one solution or none" in found.choice
    assert "native:several=pass gave up" in solve(several).record.notes


@NATIVE
def test_an_engine_is_in_use_from_its_first_model_on() -> None:
    code = f"""
import sys
from sudoku_models import solve
for text in ({CLASSIC!r}, ".Thermo~R1C1~R1C2", {CLASSIC!r}):
    print(solve(text).record.backend, "sudoku_backends.native.machine" in sys.modules)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.splitlines() == ["bitset False", "native True", "native True"]
