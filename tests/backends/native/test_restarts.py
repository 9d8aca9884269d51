"""A search that begins anew is the same whatever the slices are in which it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.search import Searching

from .test_twins import no_parity


def finished(seed: int, nodes: int) -> Searching:
    """Search a model without solutions to the end, some nodes at a time."""
    compiled = BACKEND.compile(no_parity(), NativeOptions())
    start = compiled.start({})
    assert start is not None
    asked = Searching(compiled.network, start, seed)
    while not asked.finished:
        assert asked.go_on(1, nodes, np.empty((1, asked.network.variables), np.int64), 0) == 0
    return asked


def written(asked: Searching) -> list[int]:
    """Return the memory of a search without the rows above its depth, which need not be written."""
    stack, row = asked.state.stack.place, asked.network.variables
    above = stack + row * (1 + asked.state.depth)
    return [*asked.mem[:above].tolist(), *asked.mem[stack + asked.network.sections["stack"] :].tolist()]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_search_is_the_same_whatever_its_slices_are(seed: int) -> None:
    whole = finished(seed, 1 << 40)
    assert whole.state.starts > 1
    for nodes in (1, 64):
        asked = finished(seed, nodes)
        assert written(asked) == written(whole)
        assert asked.weight.tolist() == whole.weight.tolist()
