"""Arrays on which the kernel runs as plain Python, and which refuse what compiled code would do in silence."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sudoku_backends.native.kernel import layout
from sudoku_backends.native.kernel.search import search
from sudoku_backends.native.network import Network
from sudoku_backends.native.search import Searching

GAP = 40
"""Places between two sections that nobody may touch."""

LARGEST = (1 << 63) - 1


class Guarded(list[int]):
    """A list that refuses negative places, places in a gap, and numbers of more than 64 bits."""

    def __init__(self, values: Iterable[int], gaps: Iterable[int] = (), closed: bool = False) -> None:
        super().__init__(values)
        self.gaps, self.closed = frozenset(gaps), closed

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        assert place >= 0, place
        assert place not in self.gaps, f"place {place} belongs to no section"
        return super().__getitem__(place)

    def __setitem__(self, place, value):  # type: ignore[no-untyped-def]
        assert place >= 0, place
        assert place not in self.gaps, f"place {place} belongs to no section"
        assert not self.closed, "the network is written to"
        assert -LARGEST - 1 <= value <= LARGEST, value
        super().__setitem__(place, int(value))


def plain_solutions(network: Network, start, most_nodes: int = 10_000):  # type: ignore[no-untyped-def]
    """Return all solutions that the kernel finds when it runs as plain Python, over the stated variables."""
    spread = Searching(network, start)
    mem = spread.mem.tolist()
    moved = Guarded(mem[: layout.MEM_HEADER])
    gaps: set[int] = set()
    for section, size in network.sections.items():
        gaps.update(range(len(moved), len(moved) + GAP))
        moved.extend([0] * GAP)
        place = mem[section]
        list.__setitem__(moved, section, len(moved))
        moved.extend(mem[place : place + size])
    moved.gaps = frozenset(gaps)
    moved[layout.CHANGES] = moved[layout.CHANGE_LIST]
    n, found = network.variables, []
    out = Guarded([0] * max(1, n))
    net, weight = Guarded(network.net.tolist(), closed=True), [*spread.weight.tolist()]
    while moved[layout.STATE] != layout.FINISHED:
        if search(net, moved, weight, 1, most_nodes, out, 0, n):
            found += network.values(np.array([list(out)], np.int64))
        assert moved[layout.STATE] != layout.STOPPED, "more nodes than expected"
    return found
