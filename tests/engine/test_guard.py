"""What leaves the road: whole numbers, each solution once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_models.engine import Request, run
from sudoku_models.engine.check import SeenSolutions
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable, brute_force

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
MODEL = Model(XS, [AllDifferent(XS)])
WIDE = Model([Variable(f"y{i}", range(10)) for i in range(4)])


class Gives(planted.Planted):
    """Yields what it was made with."""

    def __init__(self, *found: Any) -> None:
        self.found = found

    def solutions(self, model: Model) -> Iterator[Any]:
        yield from self.found


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((1, 2.0, 3), "x1 is 2.0 of type float, where an int is expected"),
        ((True, 2, 3), "x0 is True of type bool"),
        ([1, 2, 3], "it is a int, where a tuple of values is expected"),
        (None, "it is a NoneType"),
    ],
)
def test_what_is_no_tuple_of_whole_numbers_is_a_wrong_answer_of_its_engine(found: Any, expected: str) -> None:
    with pytest.raises(WrongAnswer, match=expected):
        next(run(MODEL, Gives(found)))


def test_a_solution_that_comes_twice_is_noticed_without_a_limit_and_beyond_a_thousand() -> None:
    found = list(brute_force(WIDE))[:3000]
    with pytest.raises(WrongAnswer, match="returned before"):
        list(run(WIDE, Gives(*found, found[17]), Request(limit=None)))
    assert len(list(run(WIDE, Gives(*found), Request(limit=None)))) == 3000


def knows(memory: SeenSolutions, solution: tuple[int, ...]) -> bool:
    return memory.repeats(memory.numbers_of([solution]))


def test_the_memory_is_bounded_and_says_what_it_knows() -> None:
    memory = SeenSolutions(2, most=64)
    assert not any(knows(memory, (i, -i)) for i in range(5000))
    assert memory.share <= 1 / 64
    assert len(memory.numbers) <= 64
    again = sum(knows(memory, (i, -i)) for i in range(5000))
    assert again == len(memory.numbers)  # each that is remembered is noticed, and no other


def test_values_of_any_size_are_told_apart() -> None:
    far = [-(1 << 64), -(1 << 63), 0, 1 << 63, 1 << 64]
    xs = [Variable(f"z{i}", far) for i in range(2)]
    model = Model(xs)
    assert len(list(run(model, "backtracking", Request(limit=None)))) == 25
    found = list(brute_force(model))
    with pytest.raises(WrongAnswer, match="returned before"):
        list(run(model, Gives(*found, found[3]), Request(limit=None)))
