"""Each kernel compiled and as plain Python: the same search, step by step, and no place outside of its arrays.

After a search of some nodes everything that it has written is the same: domains, queues, weights, solutions. The plain
one runs on arrays that refuse a place outside of their sections.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.kernel import layout
from sudoku_backends.native.kernel.layout import KERNELS
from sudoku_backends.native.kernel.search import search
from sudoku_backends.native.search import Searching

from sudoku_models import Puzzle
from sudoku_models.model import AllDifferent, Constraint, Count, Domain, Model, Objective, Table, Variable

from .guarded import Guarded, net_of, spread_out
from .test_propagators import FAMILIES, FOUR, stated
from .test_random import case

ELSEWHERE = ("lists", "word_diagrams")
"""Modules of kernels that do not search: see test_lists and test_diagrams."""


@dataclass
class Case:
    """A model, and how it is searched: for how many nodes, under which domains and seed, and so on."""

    model: Model
    nodes: int = 25
    domains: Mapping[str, Domain] = field(default_factory=dict)
    seed: int = 0
    bump: float = 1.0
    without: str = ""
    keep: list[int] | None = None


def numbers(size: int, top: int, *constraints: Constraint) -> Model:
    return Model([Variable(f"x{i}", range(1, top + 1)) for i in range(size)], constraints)


def names(*places: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in places)


def board(rules: str, size: int = 6) -> Model:
    return Puzzle.parse(f".Shape~{size}x{size}.{rules}").structure


def no_parity() -> Model:
    """Return a board of 3 by 3 points, joined around its edges, that want an even number of lines each, but for one."""
    at = list(product(range(3), repeat=2))
    lines = [(p, q) for p in at for q in (((p[0] + 1) % 3, p[1]), (p[0], (p[1] + 1) % 3))]
    ends = [[i for i, line in enumerate(lines) if point in line] for point in at]
    words = [row for row in product((0, 1), repeat=4) if sum(row) % 2 == 0]
    odd = [row for row in product((0, 1), repeat=4) if sum(row) % 2]
    tables = [Table(names(*some), odd if point == (0, 0) else words) for point, some in zip(at, ends, strict=True)]
    return Model([Variable(f"x{i}", (0, 1)) for i in range(len(lines))], tables)


def at_random(number: int) -> tuple[Model, int, Mapping[str, Domain]]:
    """Return a random model with the nodes to search and narrower domains."""
    model, domains = case(number)
    return model, 30, domains


SEVERAL = (0, 9, 10, 11, 20, 21, 32, 49, 162, 225, 342, 799, 1160, 1805, 5004)
"""Of 6,000 random models those that take ways through the kernels which no other case takes."""

BEST = Objective("minimize", (3, -2, 1), names(0, 1, 2))
CASES = {
    "sets of values": Case(board("Renban~R1C1~R1C2~R2C2~R2C3.Renban~R5C1~R5C2~R5C3"), 25),
    "sums": Case(board("Cage~9~R1C1~R1C2~R2C1.Cage~14~R5C4~R5C5~R5C6~R6C6.Arrow~R3C3~R3C4~R4C4.Cage~7~R1C5~R1C6"), 25),
    "sums without cliques": Case(board("Cage~9~R1C1~R1C2~R2C1.Cage~7~R1C5~R1C6"), 15, without="cliques"),
    "an objective": Case(Model((m := numbers(4, 6, AllDifferent(names(0, 1, 2)))).variables, m.constraints, BEST), 200),
    "chance": Case(board("Thermo~R1C1~R2C2~R3C3"), 15, seed=7),
    "weights that grow too large": Case(board("Cage~9~R1C1~R1C2~R2C1"), 15, bump=1e100),
    "beginning anew": Case(no_parity(), 340),
    "groups that are needed": Case(
        numbers(
            8, 4, AllDifferent(names(0, 1, 2)), AllDifferent(names(3, 4, 5)), Count(names(*range(6)), (2,), ">=", 2)
        )
    ),
    "what is kept": Case(numbers(5, 4, AllDifferent(names(0, 1, 2, 3))), 60, keep=[0, 2]),
    **{
        f"{family} {number}": Case(stated(constraints, size), 20)
        for families, size in ((FAMILIES, 3), (FOUR, 4))
        for family, listed in families.items()
        for number, constraints in enumerate(listed)
    },
    **{
        f"random {n}": Case(*at_random(n)) for n in (0, 9, 10, 11, 20, 21, 32, 49, 162, 225, 342, 799, 1160, 1805, 5004)
    },
}


CODES = {kernel.__code__: name for name, kernel in KERNELS.items()}


@lru_cache
def seen(name: str) -> set[str]:
    """Compare both searches of a case; return the kernels that were called as plain Python."""
    found, before = set[str](), sys.gettrace()
    sys.settrace(lambda frame, event, _: found.add(CODES[frame.f_code]) if frame.f_code in CODES else None)
    try:
        compare(CASES[name])
    finally:
        sys.settrace(before)
    return found


def compare(asked: Case) -> None:
    """Search with the compiled kernel and with the plain one; hold all that they wrote to each other."""
    compiled = BACKEND.compile(asked.model, NativeOptions(without=asked.without))
    start = compiled.start(asked.domains)
    assert start is not None
    searching = Searching(compiled.network, start, asked.seed, asked.keep)
    searching.weight[-1] *= asked.bump
    moved, weight = spread_out(searching)
    n, most = searching.network.variables, 1 + asked.nodes
    out, plain_out = np.empty((most, n), np.int64), Guarded([0] * (most * n))
    found = searching.go_on(most, asked.nodes, out, 0)
    assert search(net_of(searching.network), layout.Mem(moved), weight, most, asked.nodes, plain_out, 0, n) == found
    assert plain_out[: found * n] == out[:found].reshape(-1).tolist()
    assert weight == searching.weight.tolist()
    assert_same(searching, moved)


def assert_same(searching: Searching, moved: Guarded) -> None:
    """Hold the memory of a search to that of the plain one, which has its sections elsewhere."""
    sections = searching.network.sections
    plain, numbers = layout.Mem(moved), layout.Mem.__annotations__.keys() - sections.keys() - {"changes"}
    assert {name: getattr(plain, name) for name in numbers} == {
        name: getattr(searching.state, name) for name in numbers
    }
    for name, size in sections.items():
        there, here = getattr(plain, name), getattr(searching.state, name)
        assert [there[i] for i in range(size)] == [here[i] for i in range(size)], name


@pytest.mark.parametrize("name", CASES)
def test_a_search_writes_the_same_compiled_and_as_plain_python(name: str) -> None:
    assert seen(name)


def test_every_kernel_of_the_search_has_run_as_plain_python() -> None:
    every = {name for name, kernel in KERNELS.items() if kernel.__module__.rpartition(".")[2] not in ELSEWHERE}
    in_a_batch = {"count_many", "begin_row"}  # see test_batches
    assert every - set().union(*map(seen, CASES)) == in_a_batch
