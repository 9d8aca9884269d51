"""One compiled model and many threads; what is pickled; the same numbers in every process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sudoku_models import Grid, Model, Puzzle, Shape, Variable, cross_check, solutions, solve, validate
from sudoku_models.collection import puzzles, variants
from sudoku_models.engine import Request, run
from sudoku_models.explain import Hint, Path, hint, path
from sudoku_models.model import AllDifferent

from .running import fresh

LINES = [item.puzzle.to_line() for item in puzzles(side=9) if item.puzzle.shape is Shape.square(9)][:16]
THREADS = 8


@pytest.mark.parametrize("backend", ["cp-sat", "pycosat", "bitset", "backtracking"])
def test_threads_that_compile_first_at_once_get_one_compiled_form(backend: str) -> None:
    model = Model(Shape.square(9).model.variables, Shape.square(9).model.constraints)
    domains = dict(Puzzle.parse(LINES[0]).domains)

    def work(_: int) -> tuple[int, ...]:
        return next(run(model, backend, Request(domains)))

    with ThreadPoolExecutor(THREADS) as pool:
        assert len(set(pool.map(work, range(THREADS)))) == 1


def some() -> Any:
    with solutions("." * 16, limit=3) as found:
        list(found)
    return found.outcome


PUZZLE = Puzzle.parse(LINES[0])
THINGS: dict[str, Callable[[], Any]] = {
    "model": lambda: Model(xs := [Variable(name, (1, 2)) for name in "xy"], [AllDifferent(xs)]),
    "large model": lambda: Shape.square(9).model,
    "shape": lambda: Shape.irregular("1122 1122 3344 3344"),
    "grid": lambda: Grid.from_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]),
    "puzzle": lambda: PUZZLE,
    "puzzle with candidates": lambda: PUZZLE.with_candidates({"R1C1": (1, 2, 3, 4, 5, 6, 7, 8, 9)}),
    "variant": lambda: variants()[0].puzzle,
    "result": lambda: solve(PUZZLE, unique=True),
    "unsatisfiable": lambda: solve("11" + "." * 79, unique=True),
    "outcome": some,
    "validation": lambda: validate("11" + "." * 79),
    "hint": lambda: hint(variants()[0].puzzle),
    "hint from uniqueness": lambda: hint(variants()[0].puzzle, assume_unique=True),
    "path": lambda: path(variants()[0].puzzle, order="patterns"),
    "cross check": lambda: cross_check("1" + "." * 15, ["backtracking", "pycosat"]),
}


@pytest.mark.parametrize("name", THINGS)
def test_what_the_verbs_take_and_return_is_pickled(name: str) -> None:
    thing = THINGS[name]()
    copy = pickle.loads(pickle.dumps(thing))
    assert type(copy) is type(thing)
    if name not in ("cross check", "path"):
        assert copy == thing
    if isinstance(thing, Hint | Path):
        assert str(copy) == str(thing)
    if isinstance(thing, Puzzle):
        assert copy.structure == thing.structure
        assert solve(copy).grid == solve(thing).grid
    if isinstance(thing, Model):
        assert str(copy) == str(thing)


NUMBERS = """
import hashlib, sys
from sudoku_models import Puzzle, Shape, solve
from sudoku_models.collection import variants
from sudoku_models.engine import prepare, plan
from sudoku_models.model import Model

def show(*things):
    print(hashlib.sha256(repr(things).encode()).hexdigest()[:16])

puzzles = [Puzzle.empty(Shape.square(9)), *(item.puzzle for item in variants()[::54])]
for puzzle in puzzles:
    model = puzzle.structure
    show(str(model), model.names, list(puzzle.domains.items()))
    for backend in ("pycosat", "cp-sat", "backtracking"):
        show(str(plan(model, backend).model))
model = puzzles[0].structure
native = prepare(model, "pycosat").compiled.native
show(native.clauses, native.candidates)
show(str(prepare(model, "cp-sat").compiled.native.model.proto))
show(solve("1" + "." * 80, "pycosat").grid, solve("1" + "." * 80, "backtracking").grid)
"""


def test_every_process_numbers_alike_whatever_its_hash_seed() -> None:
    said = set()
    for seed in ("0", "4711"):
        said.add(fresh(NUMBERS, PYTHONHASHSEED=seed))
    assert len(said) == 1
    assert len(said.pop().splitlines()) > 15
