"""A search that begins anew and tries every value at the root can be stopped after each try, and goes on there."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.kernel import layout
from sudoku_backends.native.search import Searching

from .test_twins import no_parity


def searching(without: str = "", seed: int = 0) -> Searching:
    """Return a search of a model without solutions that tries every value at its second restart."""
    compiled = BACKEND.compile(no_parity(), NativeOptions(without=without))
    start = compiled.start({})
    assert start is not None
    return Searching(compiled.network, start, seed)


def go_on(asked: Searching, nodes: int) -> int:
    """Search on for a number of nodes; return how many solutions were found, at most one."""
    return asked.go_on(1, nodes, np.empty((1, asked.network.variables), np.int64), 0)


def probing_places(asked: Searching, nodes: int) -> list[int]:
    """Search to the end, some nodes at a time; return the variables at which a call ended while values were tried."""
    found = list[int]()
    while not asked.finished:
        before = asked.nodes
        assert go_on(asked, nodes) == 0
        assert asked.nodes <= before + nodes
        found.append(asked.state.probing)
    return [x for x in found if x >= 0]


@pytest.mark.parametrize("without", ["", "restarts"])
def test_trying_every_value_makes_no_more_nodes_in_a_call_than_it_was_asked_for(without: str) -> None:
    asked = searching(without)
    places = probing_places(asked, 1)
    assert places == sorted(places)
    assert set(places) == set(range(asked.network.variables))


def written(asked: Searching) -> list[int]:
    """Return the memory of a search without the rows above its depth, which need not be written."""
    stack, row = asked.state.stack.place, asked.network.variables
    above = stack + row * (1 + asked.state.depth)
    return [*asked.mem[:above].tolist(), *asked.mem[stack + asked.network.sections["stack"] :].tolist()]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_search_is_the_same_whatever_its_slices_are(seed: int) -> None:
    whole, parts = searching(seed=seed), [searching(seed=seed) for _ in (1, 3, 64)]
    go_on(whole, 1 << 40)
    assert whole.finished
    for asked, nodes in zip(parts, (1, 3, 64), strict=True):
        probing_places(asked, nodes)
        assert written(asked) == written(whole)
        assert asked.weight.tolist() == whole.weight.tolist()


def test_a_search_that_was_stopped_between_two_tries_can_begin_at_another_row() -> None:
    asked = searching()
    while asked.state.probing < 3:
        go_on(asked, 1)
    place = asked.state.stack.place
    asked.mem[place : place + asked.network.variables] = asked.network.start
    asked.state.state = layout.BEGIN
    assert asked.narrowed() is not None
    assert asked.state.probing == -1
