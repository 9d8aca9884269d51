"""Paths of single boards: the kernels go as far as they can without nested trials, which are then made one by one.

So a time limit and Ctrl-C take effect between trials, the longest of which take some milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .basics import BROKEN, STUCK
from .chains import threshold
from .inner import CHAIN, DYNAMIC_CHAIN, EVERY, PATTERN
from .literals import NAMES, state_of
from .machine import KernelMachine, machine
from .nesting import TRIAL
from .rungs import NESTED_RUNG, RUNGS
from .size import MOST_STAGES
from .trees import MOST_COST, WORK

NESTED = 10_000
"""A nested trial with inner trees of size p counts as p times this on the scale of sizes."""

INNER = (*((p, p * NESTED) for p in range(1, 15)), (1024, 15 * NESTED))
"""The sizes of the trees within nested trials, and the level of each; the last one is for any size."""

SE_INNER = tuple((kinds, 85 + 5 * kinds) for kinds in (PATTERN, CHAIN, EVERY, DYNAMIC_CHAIN))
"""The kinds of inner steps on the SE-like scale, and the number from which their trials count, in tenths."""

PATTERNED = NAMES.index("dynamic forcing chain with patterns")


@dataclass(frozen=True)
class Staged:
    """A stage of a path: its ``level`` on the scale, the ``removed`` literals, the name of the ``technique``."""

    level: int
    removed: frozenset[int]
    technique: str = ""


@dataclass(frozen=True)
class Walk:
    """A path in stages; ``end`` is solved, stuck, contradiction or "time limit"."""

    stages: tuple[Staged, ...] = field(repr=False)
    end: str

    @property
    def level(self) -> int:
        """The greatest level of a stage; 0 without any."""
        return max((stage.level for stage in self.stages), default=0)


class Walker:
    """Walks from masks of candidates (81, bit v for v + 1) on one scale. ``late`` returns whether time is up.

    Nested trials above ``highest`` are not made.
    """

    inner = INNER

    def __init__(
        self, cells: Sequence[int], late: Callable[[], bool], machine: KernelMachine, highest: int | None = None
    ) -> None:
        self.machine, self.late = machine, late
        self.highest = highest
        self.inner = tuple(pair for pair in self.inner if highest is None or self.value(pair[1]) <= highest)
        self.state = machine.memory(state_of(cells))
        self.levels, self.when = machine.empty(2 * MOST_STAGES), machine.empty(729)
        self.marked, self.work, self.trial = machine.empty(729), machine.empty(WORK), machine.empty(TRIAL)
        self.placed, self.inside = machine.empty(81), machine.empty(WORK)
        self.stage = 0

    def walk(self) -> Walk:
        """Walk to the end."""
        end = self.simple()
        while end == "stuck":
            if not self.nested():
                break
            end = self.simple()
        else:
            return self.result(end)
        return self.result("time limit" if self.late() else "stuck")

    def simple(self) -> str:
        """Walk without nested trials; return how that ends."""
        code = self.run()
        self.stage = code & (STUCK - 1)
        return "contradiction" if code & BROKEN else "stuck" if code & STUCK else "solved"

    def run(self) -> int:
        """Run the kernel of the scale."""
        return self.machine.run("size_path", self.state, self.stage, self.levels, self.when, self.marked, self.work)

    def nested(self) -> bool:
        """Make one stage of nested trials; return whether there is one."""
        for inner, level in self.inner:
            failed = [x for x in self.open_literals() if not self.late() and self.fails(x, inner)]
            if self.late():
                return False
            if failed:
                self.remove(failed, level, PATTERNED if inner == 1 else PATTERNED + 1)
                return True
        return False

    def fails(self, literal: int, inner: int) -> int:
        """Return whether a candidate fails in a nested trial."""
        return self.machine.run("fails_nested", self.state, literal, inner, self.trial, self.marked, self.work)

    def open_literals(self) -> list[int]:
        """Return the candidates of open cells."""
        cells = [int(mask) for mask in self.state[:81]]
        return [9 * cell + v for cell, mask in enumerate(cells) if mask & (mask - 1) for v in range(9) if mask >> v & 1]

    def remove(self, literals: Iterable[int], level: int, technique: int = 0) -> None:
        """Remove candidates as one stage."""
        self.stage += 1
        self.levels[self.stage], self.levels[MOST_STAGES + self.stage] = level, technique
        for literal in literals:
            self.marked[literal] = 1
        self.machine.run("drop_marked", self.state, self.marked, self.when, self.stage)

    def result(self, end: str) -> Walk:
        """Return the path so far."""
        removed: list[set[int]] = [set() for _ in range(self.stage + 1)]
        left = [int(mask) for mask in self.state[:81]]
        for literal, stage in enumerate(self.when):
            if stage and not left[literal // 9] >> literal % 9 & 1:
                removed[int(stage)].add(literal)
        return Walk(tuple(self.staged(i, removed[i]) for i in range(1, self.stage + 1)), end)

    def value(self, level: int) -> int:
        """Return the value on the scale for a level in the log."""
        return level

    def staged(self, i: int, removed: Iterable[int]) -> Staged:
        """Return a stage from the log."""
        return Staged(self.value(int(self.levels[i])), frozenset(removed))


def added(kinds: int, size: int) -> int:
    """Return the tenths that a tree with some kinds of inner steps adds to its number.

    It counts as long as one without them, and half as long if there are chains inside: these share most premises, which
    the tree counts for each of them.
    """
    found = 0
    while size > longest(kinds, found):
        found += 1
    return found


def longest(kinds: int, tenths: int) -> int:
    """Return the greatest size that adds no more than the given tenths."""
    return (threshold(tenths) - 1) // 2 if kinds == PATTERN else threshold(tenths)


class RungWalker(Walker):
    """Walks on the uniform ladder; levels are positions in RUNGS, from 1."""

    inner = tuple((rounds, NESTED_RUNG + i) for i, (_, rounds) in enumerate(RUNGS[NESTED_RUNG - 1 :]))

    def run(self) -> int:
        """Run the kernel of the scale."""
        return self.machine.run("rung_path", self.state, self.stage, self.levels, self.when, self.marked, self.work)

    def fails(self, literal: int, inner: int) -> int:
        """Return whether a candidate fails in a nested trial."""
        return self.machine.run("fails_in_rounds", self.state, literal, inner, self.trial, self.work)

    def value(self, level: int) -> int:
        """Return the value on the scale for a position in RUNGS."""
        kind, number = RUNGS[level - 1]
        return kind * NESTED + number


class SeWalker(Walker):
    """Walks on the SE-like scale; nested trials are counted by everything that they need."""

    inner = SE_INNER

    def nested(self) -> bool:
        """Make one stage of nested trials: the first kind that finds any, with the lowest number."""
        for kinds, first in self.inner:
            sizes = self.sizes(kinds)
            if self.late():
                return False
            if sizes:
                tenths = added(kinds, min(sizes.values()))
                if self.highest is not None and first + tenths > self.highest:
                    return False
                chosen = (x for x, size in sizes.items() if size <= longest(kinds, tenths))
                self.remove(chosen, first + tenths, PATTERNED + (kinds > PATTERN))
                return True
        return False

    def sizes(self, kinds: int) -> dict[int, int]:
        """Return the candidates that trees with some kinds of inner steps refute, and the sizes of these trees."""
        memory, found = (self.inside, self.marked, self.work), dict[int, int]()
        for literal in self.open_literals():
            if self.late():
                break
            size = self.machine.run("nested_size", self.state, literal, kinds, MOST_COST, *memory)
            if size <= MOST_COST:
                found[literal] = size
        return found

    def run(self) -> int:
        """Run the kernel of the scale."""
        arguments: Any = (self.stage, self.levels, self.when, self.marked, self.work)
        return self.machine.run("se_path", self.state, self.placed, *arguments)

    def staged(self, i: int, removed: Iterable[int]) -> Staged:
        """Return a stage from the log, with the name of its technique."""
        return Staged(int(self.levels[i]), frozenset(removed), NAMES[int(self.levels[MOST_STAGES + i])])


WALKERS: dict[str, type[Walker]] = {"level": RungWalker, "size": Walker, "se": SeWalker}


def walked(
    cells: Sequence[int],
    scale: str,
    seconds: float | None = None,
    on: KernelMachine | None = None,
    highest: int | None = None,
) -> Walk:
    """Walk from 81 masks of candidates (bit v for the value v + 1) on the scale "level", "size" or "se".

    ``seconds`` limits the nested trials, as does their ``highest`` level; the kernels before them take a fraction of a
    second.
    """
    end = None if seconds is None else time.monotonic() + seconds
    kind = WALKERS[scale]
    return kind(cells, lambda: end is not None and time.monotonic() > end, on or machine(), highest).walk()
