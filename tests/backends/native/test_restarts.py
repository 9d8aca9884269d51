"""A search that begins anew and tries every value at the root can be stopped after each try, and goes on there."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.search import Searching

from .test_twins import no_parity


def searching(without: str = "", seed: int = 0) -> Searching:
    """Return a search of a model without solutions that tries every value at its second restart."""
    compiled = BACKEND.compile(no_parity(), NativeOptions(without=without))
    start = compiled.start({})
    assert start is not None
    return Searching(compiled.network, start, seed)


def probing_places(asked: Searching, nodes: int) -> list[int]:
    """Search to the end, some nodes at a time; return the variables at which a call ended while values were tried."""
    out, found = asked.rows(1), list[int]()
    while not asked.finished:
        before = asked.nodes
        assert asked.within(nodes, out, 0, 1) == 0
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
    whole.within(1 << 40, whole.rows(1), 0, 1)
    assert whole.finished
    for asked, nodes in zip(parts, (1, 3, 64), strict=True):
        probing_places(asked, nodes)
        assert written(asked) == written(whole)
        assert asked.weight.tolist() == whole.weight.tolist()


def test_what_is_left_to_search_between_two_tries_is_the_root() -> None:
    asked = searching()
    while asked.state.probing < 3:
        asked.within(1, asked.rows(1), 0, 1)
    place = asked.state.stack.place
    root = asked.mem[place : place + asked.network.variables]
    assert [row.tolist() for row in asked.open_rows()] == [root.tolist()]


def test_a_search_that_was_stopped_between_two_tries_can_begin_at_another_row() -> None:
    asked = searching()
    while asked.state.probing < 3:
        asked.within(1, asked.rows(1), 0, 1)
    asked.begin(asked.network.start)
    assert asked.narrowed() is not None
    assert asked.state.probing == -1
