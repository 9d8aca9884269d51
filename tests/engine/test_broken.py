"""Engines of others that end a search or name a core in no way that is declared: their error names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sudoku_models import BackendFailed, candidates, core, count, is_unique, solutions, solve
from sudoku_models.engine.registry import Selection
from sudoku_models.model import Compare, Model, Variable

from .broken import CORES, ENDINGS, Broken, BrokenOptions

X, Y = Variable("x", (0, 1, 2)), Variable("y", (0, 1, 2))
STATED = Model([X, Y], [Compare(X, "<", Y)])
BEST = STATED.minimise(X + Y)
WITHOUT = Model([X, Y], [Compare(X, "<", Y), Compare(Y, "<", X), Compare(X, "!=", Y)])
VERBS: dict[str, Callable[[Selection], object]] = {
    "solve": lambda engine: solve(STATED, engine),
    "unique": lambda engine: solve(STATED, engine, unique=True),
    "in a child": lambda engine: solve(STATED, engine, unique=True, memory_limit=1 << 30),
    "objective": lambda engine: solve(BEST, engine),
    "count": lambda engine: count(STATED, engine),
    "is_unique": lambda engine: is_unique(STATED, engine),
    "solutions": lambda engine: list(solutions(STATED, engine)),
    "candidates": lambda engine: candidates(STATED, engine),
    "core": lambda engine: core(WITHOUT, engine),
}


def broken(**how: object) -> Selection:
    return Selection(Broken(), BrokenOptions(**how))  # type: ignore[arg-type]


def endings() -> Iterator[tuple[str, int, str]]:
    """Yield verbs that meet the end of the search: what is told to end after a solution, and verbs that ask for two."""
    for verb in VERBS:
        yield from ((ending, 0, verb) for ending in ENDINGS)
        yield from ((ending, 1, verb) for ending in ENDINGS if verb not in ("solve", "core"))


@pytest.mark.parametrize(("ending", "after", "verb"), list(endings()))
def test_an_ending_that_is_none_is_the_fault_of_its_engine(ending: str, after: int, verb: str) -> None:
    with pytest.raises(BackendFailed, match=r"^broken:.* failed: TypeError: its search ended with .* is expected"):
        VERBS[verb](broken(ending=ending, solutions=after))


@pytest.mark.parametrize("named", CORES)
def test_a_core_that_is_none_is_the_fault_of_its_engine(named: str) -> None:
    with pytest.raises(
        BackendFailed, match=r"broken:core=.* returned the core .*: switches that it was given are expected"
    ):
        core(WITHOUT, broken(core=named))


def test_the_same_engine_unbroken_answers() -> None:
    found = core(WITHOUT, broken())
    assert count(STATED, broken()).value == 3 and found is not None and len(found) == 2
