"""A running search: its memory, and calls of the kernel for some nodes at a time, so that a clock can end it."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence

from sudoku_models.engine.budget import Budget, GaveUp, OutOfTime
from sudoku_models.engine.contract import Block, TraceStep

from .kernel import layout
from .machine import address, machine
from .network import Network
from .network.draft import Ints

SLICE = 64
"""The initial number of nodes between two checks of the clock and for signals, if the network is not large."""

LARGE = 1 << 17
"""The length of a network from which a single node may take long."""

LONG, SHORT = 0.02, 0.005
"""Seconds: a slice that takes longer is halved, one that takes less is doubled."""

READY = 0.05
"""Seconds after which solutions are handed on, even if they are fewer than were asked for."""

LONGEST = 4_096
"""The largest number of solutions to find before the first of them is handed on, unless that takes too long."""

STEADY = 1_000
"""A search that has found this number of solutions no longer gives up."""

NEVER = 1 << 60


class Searching:
    """The memory of a search of one network, which begins at a row of domains."""

    def __init__(
        self, network: Network, start: Ints, seed: int = 0, keep: Sequence[int] | None = None, patience: int = 0
    ) -> None:
        """Begin a search; with ``patience`` it gives up when it has examined constraints that often per solution."""
        self.network, n = network, network.variables
        self.patience, self.found = patience, 0
        self.stopped_by_trace, self.slice = False, SLICE if len(network.net) < LARGE else 1
        self.mem = network.memory()
        self.state = layout.Mem(self.mem)
        self._root[:] = start
        self.state.last_run = min(patience or NEVER, NEVER)
        self.weight = network.weights[:]
        if seed:
            self.state.seed = 1 + seed % 0x7FFFFFFE
            self._vary(seed)
        self._places = network.address, address(self.mem), address(self.weight)
        kept = range(network.stated) if keep is None else {*keep}
        if len(kept) < n:
            self.state.partly = 1
            for x in kept:
                self.state.kept[x] = 1

    def _vary(self, seed: int) -> None:
        """Let the weights depend on a seed."""
        import numpy as np

        for x, factor in enumerate(np.random.default_rng(seed % (1 << 63)).uniform(1.0, 2.0, self.network.variables)):
            self.weight[x] *= factor

    @property
    def _root(self) -> memoryview:
        """The domains before any decision."""
        begin = self.state.stack.place
        return self.mem[begin : begin + self.network.variables]

    def _room(self, solutions: int) -> Ints:
        return array("q", bytes(8 * solutions * max(1, self.network.variables)))

    @property
    def finished(self) -> bool:
        """Return whether there are no further solutions."""
        return self.state.state == layout.FINISHED

    def blocks(self, limit: int | None, clock: Budget) -> Iterator[Block]:
        """Yield blocks of solutions up to a limit, short blocks first; may raise OutOfTime or GaveUp."""
        largest = 1 if self.network.improves else LONGEST
        most = min(largest, 2) if limit == 2 else 1
        while not self.finished and (limit is None or self.found < limit):
            wanted = most if limit is None else min(most, limit - self.found)
            out = self._room(wanted)
            come = self._some(wanted, out, clock)
            if come:
                yield self.network.block(out, come)
            most = min(largest, 2 * most)

    def narrowed(self) -> Ints | None:
        """Return the masks that the first propagation leaves, before any decision; None if there is no solution."""
        self.go_on(1, 0, self._room(1), 0)
        return None if self.finished else array("q", self._root)

    def traced(self, trace: Callable[[TraceStep], object], limit: int | None, clock: Budget) -> Iterator[Block]:
        """Yield solutions one by one, and report each decision and each one taken back; see the contract's trace."""
        shown: list[tuple[int, int]] = []
        out = self._room(1)
        while not self.finished and (limit is None or self.found < limit):
            if clock.expired:
                raise OutOfTime
            if self.spent:
                raise GaveUp
            come = self.go_on(1, 1, out, 0)
            for step in self._steps(shown):
                if trace(step):
                    self.stopped_by_trace = True
                    return
            if come:
                yield self.network.block(out, come)

    def _steps(self, shown: list[tuple[int, int]]) -> Iterator[TraceStep]:
        """Yield what has changed since ``shown``, decisions taken back first, and bring it up to date."""
        state = self.state
        pairs = [(state.decided[i], state.decision[i]) for i in range(state.depth)]
        now = [(x, mask.bit_length() - 1 + self.network.base) for x, mask in pairs]
        same = next((i for i, (a, b) in enumerate(zip(shown, now, strict=False)) if a != b), min(len(shown), len(now)))
        gone, come = shown[same:], now[same:]
        shown[:] = now
        names = self.network.names
        yield from (TraceStep(names[x], None) for x, _ in reversed(gone) if x < len(names))
        yield from (TraceStep(names[x], value) for x, value in come if x < len(names))

    def go_on(self, wanted: int, nodes: int, out: Ints, found: int) -> int:
        """Let the kernel search on; return the number of solutions that it has written after those found before."""
        n = self.network.variables
        come = machine().search(*self._places, wanted - found, nodes, address(out), found * n, n)
        self.found += come
        if self.patience:
            steady = self.found >= STEADY  # another engine would have to find all of these again
            self.state.last_run = NEVER if steady else min(NEVER, (1 + self.found) * self.patience)
        return come

    def wait_longer(self) -> None:
        """Have twice the patience from now on."""
        self.patience *= 2
        self.state.last_run = min(NEVER, (1 + self.found) * self.patience)

    @property
    def spent(self) -> bool:
        """Return whether the search has used up its patience."""
        return self.state.runs >= self.state.last_run

    def _some(self, wanted: int, out: Ints, clock: Budget) -> int:
        """Search until enough solutions are found, some are found after a while, none is left, or the clock ends it."""
        found, first = 0, time.perf_counter()
        while True:
            if clock.expired or self.spent:
                if found:
                    return found
                raise OutOfTime if clock.expired else GaveUp
            began = time.perf_counter()
            found += self.go_on(wanted, self.slice, out, found)
            if found == wanted or self.finished:
                return found
            ended = time.perf_counter()
            if found and ended - first > READY:
                return found
            self.adapt(ended - began)

    def adapt(self, took: float) -> None:
        """Change the number of nodes between two checks according to the seconds that the last ones took."""
        if took > LONG:
            self.slice = max(1, self.slice // 2)
        elif took < SHORT:
            self.slice *= 2
