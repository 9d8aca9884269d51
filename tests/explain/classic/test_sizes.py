"""The size of a tree that refutes a candidate is the smallest one, by relaxing all costs until none gets smaller."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from sudoku_models.explain.classic.board import machine
from sudoku_models.explain.classic.chains import ANY, BIG, LAST_ANY, ONE_VALUE, ONE_VALUE_ANY, PAIRS, WORK

from ..techniques import HOUSES, SEEN
from .reference import CHAINS, ESCARGOT, HARD, masks_of, solution

Literal = tuple[int, int]
Candidates = dict[int, set[int]]
NEVER = 1 << 20


def places(state: Candidates, house: int, value: int) -> set[int]:
    return {c for c in HOUSES[house] if value in state[c]}


def closed(state: Candidates) -> Candidates:
    """Follow hidden singles, and remove what settled cells see, until nothing changes."""
    found = {c: set(values) for c, values in state.items()}
    again = True
    while again:
        again = False
        for h, v in product(range(27), range(1, 10)):
            where = places(found, h, v)
            if len(where) == 1 and found[min(where)] != {v}:
                found[min(where)] = {v}
                again = True
        for c, values in found.items():
            if len(values) == 1:
                for other in SEEN[c]:
                    if values <= found[other]:
                        found[other] -= values
                        again = True
    return found


@cache
def states(count: int, seed: int = 1) -> list[Candidates]:
    """Return candidates of hard puzzles from which wrong ones were removed by chance, and what settled cells see."""
    rng, found = random.Random(seed), list[Candidates]()
    for i in range(count):
        line = (CHAINS, HARD, ESCARGOT)[i % 3]
        state = closed({c: {v for v in range(1, 10) if m >> v - 1 & 1} for c, m in enumerate(masks_of(line))})
        loose = [(c, v) for c in state for v in state[c] if v != solution(line)[c]]
        for c, v in rng.sample(loose, rng.randrange(len(loose) * 2 // 5)):
            state[c].discard(v)
        found.append(closed(state))
    return found


def base_variables(state: Candidates) -> list[list[Literal]]:
    found = [[(c, v) for v in sorted(state[c])] for c in range(81)]
    return found + [[(c, v) for c in sorted(places(state, h, v))] for h in range(27) for v in range(1, 10)]


def sizes(
    state: Candidates,
    supposed: Literal,
    able: Callable[[int, list[Literal], int], bool],
    extra: Callable[[int], int] = lambda k: 0,
) -> int:
    """Return the size of the smallest tree, by relaxing all costs until none gets smaller.

    ``able`` says whether a base variable (number, candidates, how many may be left) may be used, ``extra`` what the
    last one adds by its number of candidates.
    """
    variables = base_variables(state)
    true, false = {supposed: 0}, dict[Literal, int]()
    best = NEVER
    again = True
    while again:
        again = False
        for (c, v), cost in list(true.items()):
            seen = [(c, u) for u in state[c] if u != v] + [(d, v) for d in SEEN[c] if v in state[d]]
            for other in seen:
                if able(-1, [(c, v), other], 0) and cost < false.get(other, NEVER):
                    false[other], again = cost, True
        for w, members in enumerate(variables):
            gone = [false.get(m, NEVER) for m in members]
            if sum(gone) < NEVER and able(w, members, 0):
                best = min(best, 1 + sum(gone) + extra(len(members)))
            for i, member in enumerate(members):
                cost = 1 + sum(gone) - gone[i]
                if cost < true.get(member, NEVER) and able(w, members, 1):
                    true[member], again = cost, True
    return best


MODES: dict[int, Callable[[int, list[Any], int], bool]] = {
    ANY: lambda w, some, left: True,
    PAIRS: lambda w, some, left: w < 0 or len(some) <= 2,
    LAST_ANY: lambda w, some, left: w < 0 or left == 0 or len(some) <= 2,
    ONE_VALUE: lambda w, some, left: some[0][1] == some[1][1] if w < 0 else w >= 81 and len(some) <= 2,
    ONE_VALUE_ANY: lambda w, some, left: some[0][1] == some[1][1] if w < 0 else w >= 81,
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_the_size_of_a_tree_is_the_smallest(mode: int, compiled: bool) -> None:
    on, seen = machine(compiled), set[int]()
    work = on.memory(WORK)
    for i, state in enumerate(states(9 if compiled else 3, seed=5)):
        memory = on.memory(324)
        for w, members in enumerate(base_variables(state)):
            places = [v - 1 if w < 81 else HOUSES[w // 9 - 9].index(c) for c, v in members]
            memory[w] = sum(1 << place for place in places)
        some = [(c, v) for c in range(81) for v in sorted(state[c]) if len(state[c]) > 1]
        for literal in some[i % 7 :: 7]:
            extra = (lambda k: k - 2) if mode == LAST_ANY else lambda k: 0
            size = sizes(state, literal, MODES[mode], extra)
            found = on.run("tree_size", memory, 9 * literal[0] + literal[1] - 1, 1000, mode, work)
            assert found == size or (found == BIG and size > 1000)
            seen.add(found)
    assert len(seen) > (2 if compiled else 1)
