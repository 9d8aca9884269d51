"""One search shared by threads: the open parts of its tree are searched in parallel.

A search begins alone. What is open after some nodes is cut into parts, each with the weights of that moment; a part
that takes long is cut again. How parts are cut depends only on what was found, and solutions come in the order
of the parts, so any number of threads gives the same solutions in the same order.

Two workers take as much CPU time as one beyond a million solutions, and a third more for some hundred thousand: a part
knows the weights of what came before it, and not those that others find. Without the checks of solutions they were 1.1
to 1.5 times as fast by the clock where two processes, each with the whole search, did 1.4 to 1.8 times as much as one
(``benchmarks/variants.py --threads``): solutions come in the order of the parts, and parts are of unequal length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from itertools import chain
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.budget import Budget, GaveUp, OutOfTime

from .network import Network
from .search import STEADY, Searching

Ints = NDArray[np.int64]

ALONE = 20_000
"""Nodes of a search before it is shared: after 2,000, the weights say little, and parts had up to 3 times the nodes."""

BUDGET = 8_192
"""Nodes of a part before it is cut again."""

LOOK = 1_024
"""Nodes between two checks of whether the search has ended."""

BLOCK = 2_048
"""The largest number of solutions in one block of a part."""

AHEAD = 4
"""Parts begun for each thread, beyond which the search waits for solutions to be taken."""

SINGLE = 2
"""The number of open rows that become parts of their own: most work is left under the first decisions."""

PATIENT = 0.05
"""Seconds between two checks of the clock."""


class OpenPart(NamedTuple):
    """Rows of domains to search one after the other, and the weights and the seed to begin with."""

    rows: Sequence[Ints]
    weight: NDArray[np.float64]
    seed: int


class PartDone(NamedTuple):
    """The result of a part: blocks of solutions, what is open, and how much was done."""

    blocks: list[Ints]
    open: list[OpenPart]
    nodes: int
    propagations: int


class SharedSearch:
    """A search that begins as a given search, and goes on in several threads."""

    def __init__(self, searching: Searching, workers: int) -> None:
        self.searching, self.workers = searching, workers
        self.network: Network = searching.network
        self.nodes = self.propagations = self.found = 0
        self._ended = Event()
        self._spare: deque[Ints] = deque()

    def blocks(self, limit: int | None, clock: Budget) -> Iterator[Ints]:
        """Yield blocks of solutions as rows of bit numbers, up to a limit; may raise OutOfTime or GaveUp.

        The first solution is the one that the search finds alone. A block is overwritten when the next is asked for.
        """
        most = limit or int(np.iinfo(np.int64).max)
        for block in self._whole(most, clock):
            wanted = block[: most - self.found]
            self.found += len(wanted)
            yield wanted
            if self.found == most:
                return

    def _whole(self, most: int, clock: Budget) -> Iterator[Ints]:
        yield from self._alone(most, clock)
        if self.searching.finished or self.found >= most:
            self._count(self.searching.nodes, self.searching.propagations)
            return
        shared = self._shared(clock)
        try:
            if not self.found:
                yield from self._same_first(shared, clock)
            yield from shared
        finally:
            shared.close()
            self._count(self.searching.nodes, self.searching.propagations)

    def _count(self, nodes: int, propagations: int) -> None:
        self.nodes += nodes
        self.propagations += propagations

    def _alone(self, most: int, clock: Budget) -> Iterator[Ints]:
        searching, size = self.searching, 1
        while not searching.finished and searching.nodes < ALONE and self.found < most:
            _look(clock)
            if searching.spent:
                raise GaveUp
            wanted = min(size, most - self.found)
            out = searching.rows(wanted)
            come = searching.within(min(LOOK, ALONE - searching.nodes), out, 0, wanted)
            if come:
                yield out[:come]
                size = min(BLOCK, 2 * size)

    def _same_first(self, shared: Iterator[Ints], clock: Budget) -> Iterator[Ints]:
        """Yield first the solution that the search finds alone, for which it goes on only if there are several.

        If time or patience ends before that, yield the solutions found so far as they are, and raise.
        """
        come: list[Ints] = []
        try:
            first = self._first(come, shared, clock)
        except (OutOfTime, GaveUp):
            yield from come
            raise
        if first is None:
            yield from come
            return
        yield first[None, :]
        for block in chain(come, shared):
            yield block[(block != first)[:, self.searching.kept].any(axis=1)]

    def _first(self, come: list[Ints], shared: Iterator[Ints], clock: Budget) -> Ints | None:
        """Add blocks to ``come`` until there are two solutions, then return the one that the search finds alone."""
        while sum(map(len, come)) < 2:
            block = next(shared, None)
            if block is None:
                return None
            come.append(block.copy())
        (first,) = next(self.searching.blocks(1, clock, 1))
        return np.asarray(first)

    def _shared(self, clock: Budget) -> Generator[Ints, None, None]:
        """Yield the solutions of all open parts, in their order."""
        searching = self.searching
        line: deque[OpenPart | Future[PartDone]] = deque(_parts(searching, searching.open_rows()))
        pool = ThreadPoolExecutor(self.workers, "native")
        try:
            while line:
                for i in range(min(AHEAD * self.workers, len(line))):
                    part = line[i]
                    if isinstance(part, OpenPart):
                        line[i] = pool.submit(self._search, part)
                head = line.popleft()
                assert isinstance(head, Future)
                found = self._waited(head, clock)
                self._count(found.nodes, found.propagations)
                for block in found.blocks:
                    yield block
                    self._spare.append(block if block.base is None else block.base)  # touching new memory is slow
                self._may_go_on()
                line.extendleft(reversed(found.open))
        finally:
            self._ended.set()
            pool.shutdown(cancel_futures=True)

    def _waited(self, head: Future[PartDone], clock: Budget) -> PartDone:
        while True:
            _look(clock)
            try:
                return head.result(PATIENT)
            except NotYet:
                continue

    def _may_go_on(self) -> None:
        """Raise GaveUp if all parts together have used up the patience of the search."""
        patience, done = self.searching.patience, self.searching.propagations + self.propagations
        if patience and self.found < STEADY and done >= (1 + self.found) * patience:
            raise GaveUp

    def _search(self, part: OpenPart) -> PartDone:
        """Search a part, in a thread of its own, until it is done or the budget is used up."""
        one = self.searching.begun_at(part.rows[0], part.weight, part.seed)
        blocks, found = [self._room(one)], 0
        for number, row in enumerate(part.rows):
            if number:
                one.begin(row)
            while not (one.finished or self._ended.is_set()):
                left = BUDGET - one.nodes
                if left <= 0 and one.may_be_cut:
                    break
                wanted = BLOCK if left > 0 else found + 1
                found = one.within(min(LOOK, left) if left > 0 else LOOK, blocks[-1], found, wanted)
                if found == BLOCK:
                    blocks.append(self._room(one))
                    found = 0
            if one.nodes >= BUDGET or self._ended.is_set():
                rest = _parts(one, [*one.open_rows(), *part.rows[number + 1 :]])
                break
        else:
            rest = []
        come = [*blocks[:-1], blocks[-1][:found]]
        return PartDone([block for block in come if len(block)], rest, one.nodes, one.propagations)

    def _room(self, one: Searching) -> Ints:
        """Return an array for solutions, if possible one whose solutions have already been taken."""
        try:
            return self._spare.pop()
        except IndexError:
            return one.rows(BLOCK)


def _look(clock: Budget) -> None:
    if clock.expired:
        raise OutOfTime


def _parts(searching: Searching, rows: Sequence[Ints]) -> list[OpenPart]:
    """Cut open rows into parts: the last rows, under the first decisions, are the largest, and each is a part alone."""
    weight, seed = searching.weight.copy(), searching.state.seed
    cut = max(1, len(rows) - SINGLE)
    together = [rows[:cut], *([row] for row in rows[cut:])]
    return [OpenPart(some, weight, seed) for some in together if some]
