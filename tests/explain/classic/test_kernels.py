"""The kernels find exactly what a second, slow and plain writing of the same definitions finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sudoku_models.explain.classic.board import NAMES, KernelMachine, state_of
from sudoku_models.explain.classic.chains import (
    ANY,
    BIG,
    LAST_ANY,
    MOST_COST,
    ONE_VALUE,
    ONE_VALUE_ANY,
    PAIRS,
    WORK,
)
from tests.explain.techniques import TECHNIQUES

from .reference import (
    CHAINS,
    ESCARGOT,
    HARD,
    MACHINES,
    cycles,
    excluded_pairs,
    excluded_triples,
    inner_trials,
    machine,
    masks,
    number,
    removed,
    run_marking,
    sizes,
    solution,
    states,
)

PATTERNS = [name for name in NAMES if name in TECHNIQUES] + ["aligned pair exclusion"]

MODES: dict[int, Callable[[int, list[Any], int], bool]] = {
    ANY: lambda w, some, left: True,
    PAIRS: lambda w, some, left: w < 0 or len(some) <= 2,
    LAST_ANY: lambda w, some, left: w < 0 or left == 0 or len(some) <= 2,
    ONE_VALUE: lambda w, some, left: some[0][1] == some[1][1] if w < 0 else w >= 81 and len(some) <= 2,
    ONE_VALUE_ANY: lambda w, some, left: some[0][1] == some[1][1] if w < 0 else w >= 81,
}


@pytest.mark.parametrize("on", MACHINES)
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_removes_exactly_what_its_definition_removes(name: str, on: Callable[[], KernelMachine]) -> None:
    some = 0
    for state in states(80 if on().compiled else 9):
        found = run_marking(on(), "mark_technique", state, NAMES.index(name), on().empty(81), memory=WORK)
        assert found == (removed(state, name) if name in TECHNIQUES else excluded_pairs(state))
        some += len(found)
    assert some or not on().compiled, "no case has the pattern"


@pytest.mark.parametrize("on", MACHINES)
@pytest.mark.parametrize("mode", MODES)
def test_the_size_of_a_tree_is_the_smallest(mode: int, on: Callable[[], KernelMachine]) -> None:
    work, seen = on().empty(WORK), set[int]()
    for i, state in enumerate(states(9 if on().compiled else 3, seed=5)):
        memory = on().memory(state_of(masks(state)))
        some = [(c, v) for c in range(81) for v in sorted(state[c]) if len(state[c]) > 1]
        for literal in some[i % 7 :: 7]:
            extra = (lambda k: k - 2) if mode == LAST_ANY else lambda k: 0
            size = sizes(state, literal, MODES[mode], extra)
            found = on().run("tree_size", memory, number(literal), 1000, mode, work)
            assert found == size or (found == BIG and size > 1000)
            seen.add(found)
    assert len(seen) > (2 if on().compiled else 1)


@pytest.mark.parametrize("on", MACHINES)
def test_what_holds_whatever_a_base_variable_is_has_the_smallest_tree(on: Callable[[], KernelMachine]) -> None:
    work, seen = on().empty(WORK), set[int]()
    for i, state in enumerate(states(9, seed=5)):
        memory, right = on().memory(state_of(masks(state))), solution((CHAINS, HARD, ESCARGOT)[i % 3])
        for literal in [(c, right[c]) for c in range(81) if len(state[c]) > 1][i % 2 :: 2]:
            size = sizes(state, literal, MODES[LAST_ANY], lambda k: (k - 3) // 2, holds=False)
            found = on().run("placing_size", memory, number(literal), 500, work)
            assert found == size or (found == BIG and size > 500)
            seen.add(found)
    assert len(seen) > 1


@pytest.mark.parametrize("on", MACHINES)
def test_cycles_remove_what_sees_both_ends(on: Callable[[], KernelMachine]) -> None:
    some = 0
    for state in states(30 if on().compiled else 6, seed=3):
        for links, limit in ((0, 6), (1, 3), (1, 5)):
            found = run_marking(on(), "cycles", state, links, limit, 1, memory=WORK)
            assert found == cycles(state, links == 1, limit)
            shortest = [n for n in range(1, limit + 1) if cycles(state, links == 1, n)] if found else [BIG]
            memory, marked, work = on().memory(state_of(masks(state))), on().empty(729), on().empty(WORK)
            assert on().run("cycles", memory, links, limit, 0, marked, work) == shortest[0]
            some += len(found)
    assert some


@pytest.mark.parametrize("on", MACHINES)
def test_excluded_triples_are_those_that_no_combination_has(on: Callable[[], KernelMachine]) -> None:
    some = 0
    for state in states(12 if on().compiled else 3, seed=8):
        found = run_marking(on(), "mark_excluded_triples", state, memory=WORK)
        assert found == excluded_triples(state)
        some += len(found)
    assert some


def test_trials_within_a_trial_have_the_smallest_trees() -> None:
    on, seen = machine(), set[bool]()
    state = states(9, seed=11)[2]
    memory, no_more = on.memory(state_of(masks(state))), lambda k: 0
    modes = [(MODES[ANY], no_more), (MODES[PAIRS], no_more), (MODES[LAST_ANY], lambda k: k - 2), (MODES[ANY], no_more)]
    for literal, kinds in (((22, 1), 4), ((15, 6), 2), ((16, 4), 1), ((16, 4), 2)):
        size = inner_trials(state, literal, kinds, modes)
        memories = on.empty(WORK), on.empty(729), on.empty(WORK)
        found = on.run("nested_size", memory, number(literal), kinds, MOST_COST, *memories)
        assert found == size or (found == BIG and size > MOST_COST)
        seen.add(found == BIG)
    assert seen == {True, False}


@pytest.mark.parametrize("on", MACHINES)
def test_a_limit_hides_larger_trees_only(on: Callable[[], KernelMachine]) -> None:
    work = on().empty(WORK)
    for state in states(9, seed=5)[:4]:
        memory = on().memory(state_of(masks(state)))
        for literal in [(c, v) for c in range(81) for v in state[c] if len(state[c]) > 1][::11]:
            whole = on().run("tree_size", memory, number(literal), 1000, ANY, work)
            for limit in (1, 3, 6):
                found = on().run("tree_size", memory, number(literal), limit, ANY, work)
                assert found == (whole if whole <= limit else BIG)


@pytest.mark.parametrize("on", MACHINES)
def test_singles_and_locked_candidates_are_the_trees_of_size_one(on: Callable[[], KernelMachine]) -> None:
    for state in states(9, seed=5)[: 9 if on().compiled else 3]:
        found = run_marking(on(), "mark_singles", state)
        trees = run_marking(on(), "mark_refuted", state, 1, ANY, 0, memory=WORK)
        assert trees <= found
        assert all(len(state[c]) > 1 for c, _ in found)
        assert found == {(c, v) for c, v in found if sizes(state, (c, v), MODES[ANY]) == 1}
