"""The native engine: counts that are known, its reductions, its options and what it refuses."""

from __future__ import annotations

import re
from itertools import product

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import REASONING
from sudoku_backends.native.backend import REDUCTIONS as NAMES
from sudoku_backends.native.network.reductions import REDUCTIONS

from sudoku_models import Puzzle
from sudoku_models.engine.contract import Request, TraceStep
from sudoku_models.engine.registry import Selection
from sudoku_models.engine.road import plan, run
from sudoku_models.model import Automaton, Connected, Count, Model, Not, Regular, Table, Variable
from tests.formats.iss.examples import EXAMPLES

RULES = (
    ".Shape~4x4.Cage~5~R1C1~R1C2.Cage~7~R2C1~R2C2~R1C3.Cage~5~R3C3~R3C4.Cage~3~R4C1~R4C2.Cage~6~R1C4~R2C4",
    ".Shape~4x4.Whisper~2~R1C1~R1C2~R2C2~R2C3",
    ".Shape~4x4.Renban~R1C1~R1C2~R1C3.WhiteDot~R2C2~R2C3",
    ".Shape~4x4.Skyscraper~R3~~2.Skyscraper~C1~3~",
    ".Shape~4x4.Thermo~R1C1~R1C2.WhiteDot~R1C1~R1C2.Whisper~2~R3C1~R3C2",
    ".Shape~4x4.Palindrome~R1C1~R2C2~R3C3.Quad~R2C2~1~3",
    ".Shape~4x4.Or.Arrow~R2C1~R1C2~R2C2.Thermo~R3C4~R2C3~R1C3.End",
)
"""Puzzles on which each reduction has something to do, or several have together."""


def count(puzzle: Puzzle, options: NativeOptions | None = None) -> int:
    selection = Selection(BACKEND, options or NativeOptions())
    return sum(1 for _ in run(puzzle.structure, selection, Request(puzzle.domains, None)))


def test_counts_that_are_known() -> None:
    assert [(text, known) for text, known in EXAMPLES if count(Puzzle.parse(text)) != known] == []


@pytest.mark.parametrize("text", RULES)
def test_the_solutions_stay_the_same_whatever_is_left_out(text: str) -> None:
    puzzle = Puzzle.parse(text)
    names = (*NAMES, *REASONING)
    counts = {name: count(puzzle, NativeOptions(without=name)) for name in ("", *names, "+".join(names))}
    assert len(set(counts.values())) == 1, counts


JOINED = Model((xs := [Variable(f"x{i}", (1, 2)) for i in range(3)]), [
    Connected(xs, [(0, 1), (1, 2)], (1,)), Count(xs, (1,), "==", 2),
])  # fmt: skip
"""A connected group whose cells are counted."""

LINKED = Model([Variable("place", (0, 1)), *(Variable(f"y{i}", (1, 2)) for i in range(3))], [
    Table(("place", "y0", f"y{1 + v}"), [(v, 1, 2), (v, 2, 1)], allowed=False) for v in (0, 1)
])  # fmt: skip
"""A variable that has the value of the one of two others that a third chooses."""


def test_a_plan_says_what_each_reduction_found_how_often_and_what_that_means() -> None:
    models = JOINED, LINKED, *(Puzzle.parse(text).structure for text in RULES)
    plans = [str(plan(model, "native")) for model in models]
    found = {
        name: int(times) for text in plans for times, name in re.findall(r"native derives (\d+) x ([a-z-]+):", text)
    }
    assert found.keys() == {*NAMES}
    assert min(found.values()) > 0
    meanings = {reduction.name: reduction.meaning for reduction in REDUCTIONS}
    assert tuple(meanings) == NAMES
    assert all(f" x {name}: {meanings[name]}" in "".join(plans) for name in NAMES)


def test_the_trace_tells_every_decision_and_what_is_taken_back() -> None:
    puzzle = Puzzle.parse(".Shape~4x4")
    steps: list[TraceStep] = []
    found = run(puzzle.structure, "native", Request(limit=2, trace=lambda step: steps.append(step)))
    solution = dict(zip(puzzle.structure.names, next(found), strict=True))
    held: dict[str, int] = {}
    for step in steps:
        if step.value is None:
            del held[step.variable]
        else:
            assert step.variable not in held
            held[step.variable] = step.value
    assert held
    assert held.items() <= solution.items()


def test_the_words_that_the_largest_automaton_does_not_read() -> None:
    """It has as many states as one may have, and its complement needs one more."""
    arrows = [(0, 1, 99_999), (0, 2, 1), (1, 1, 2), (99_999, 2, 3)]
    automaton, xs = Automaton(100_000, 0, (3,), arrows), [Variable(name, (1, 2)) for name in "xy"]
    found = Model(xs, [Not(Regular(xs, automaton))])
    with run(found, "native", Request(limit=None)) as solutions:
        assert sorted(solutions) == [(1, 1), (2, 1), (2, 2)]


@pytest.mark.parametrize("spec", ["native", "native:without=restarts"])
def test_a_search_that_begins_anew_proves_that_there_is_no_solution(spec: str) -> None:
    """A board of 3 by 3 points, joined around its edges, that want an even number of lines each, but for one."""
    at = list(product(range(3), repeat=2))
    lines = [(p, q) for p in at for q in (((p[0] + 1) % 3, p[1]), (p[0], (p[1] + 1) % 3))]
    words: list[list[tuple[int, ...]]] = [[], []]
    for word in product((0, 1), repeat=4):
        words[sum(word) % 2].append(word)
    ends = [[f"x{i}" for i, line in enumerate(lines) if point in line] for point in at]
    tables = [Table(xs, words[point == (0, 0)]) for point, xs in zip(at, ends, strict=True)]
    found = run(Model([Variable(f"x{i}", (0, 1)) for i in range(len(lines))], tables), spec, Request(limit=None))
    assert list(found) == []
    assert found.outcome.record.sizes["nodes"] > 100
