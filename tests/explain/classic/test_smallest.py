"""The size of a tree against the smallest reason there is, found by SAT and hitting sets (an oracle, slow)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from pysat.examples.hitman import Hitman
from pysat.solvers import Solver

from sudoku_models.explain.classic.board import BITS, LITERALS, VARIABLES, machine, state_of, table
from sudoku_models.explain.classic.chains import ANY, WORK
from sudoku_models.explain.classic.patterns import FISH, HIDDEN, NAKED

from .reference import masks, number, states

SWITCH = 730
BOARD = table()


class Oracle:
    """One solver with a switch for each base variable: on, it takes at least one of its literals."""

    def __init__(self) -> None:
        self.solver = Solver("glucose4")
        members = [[BOARD[LITERALS + 9 * w + i] for i in range(9)] for w in range(324)]
        pairs = {(a, b) for some in members for a in some for b in some if a < b}
        self.solver.append_formula([[-a - 1, -b - 1] for a, b in pairs])
        self.solver.append_formula([[-SWITCH - w, *(x + 1 for x in members[w])] for w in range(324)])
        self.members = members

    def holds(self, supposed: int, gone: Sequence[int], some: Sequence[int]) -> set[int] | None:
        """Return the base variables that take a literal when some have to; None where that cannot be."""
        if not self.solver.solve([supposed + 1, *gone, *(SWITCH + w for w in some)]):
            return None
        true = {x - 1 for x in self.solver.get_model() if 0 < x <= 729}
        return {w for w in range(324) if true.intersection(self.members[w])}

    def smallest(self, supposed: int, gone: Sequence[int], every: Sequence[int], enough: int) -> int:
        """Return the number of base variables in a smallest reason; ``enough`` where none is smaller than that."""
        with Hitman(solver="m22", htype="sorted", bootstrap_with=[list(every)]) as hitting:
            while True:
                some = hitting.get()
                if len(some) >= enough:
                    return enough
                kept = self.holds(supposed, gone, some)
                if kept is None:
                    return len(some)
                for w in every:
                    if w not in kept:
                        more = self.holds(supposed, gone, [*(v for v in every if v in kept), w])
                        kept = kept if more is None else more
                hitting.hit([w for w in every if w not in kept])


def least(oracle: Oracle, state: Sequence[int], literal: int, enough: int) -> int:
    """Return the size of a smallest reason against a candidate of a state; ``enough`` where none is smaller."""
    gone = [-x - 1 for x in range(729) if not state[BOARD[VARIABLES + 4 * x]] & BOARD[BITS + 4 * x]]
    return oracle.smallest(literal, gone, [w for w in range(324) if int(state[w]).bit_count() > 1], enough)


def compared(seeds: Sequence[tuple[int, int]], number_of: int = 8, each_size: bool = False) -> list[tuple[int, int]]:
    """Return the sizes of trees beside those of smallest reasons, on boards (count, seed).

    Of each board a number of the smallest trees, those that a path would take; or as many of each size.
    """
    oracle, on, found = Oracle(), machine(), list[tuple[int, int]]()
    for state in chain.from_iterable(states(count, seed=seed) for count, seed in seeds):
        memory, sets, work = on.memory(state_of(masks(state))), on.empty(729), on.empty(WORK)
        on.run("all_sets", memory, 3, NAKED + HIDDEN + FISH, sets, work)
        some = [number((c, v)) for c in range(81) for v in sorted(state[c]) if len(state[c]) > 1]
        sizes = {x: min(on.run("tree_size", memory, x, 5, ANY, work), 3 if sets[x] else 6) for x in some}
        small = [x for x in some if sizes[x] <= 5]
        chosen = sorted(small, key=sizes.__getitem__)[:number_of]
        if each_size:
            chosen = [x for size in range(1, 6) for x in [y for y in small if sizes[y] == size][:number_of]]
        found += [(sizes[x], least(oracle, memory, x, sizes[x])) for x in chosen]
    return found


def test_nine_trees_in_ten_of_size_up_to_five_are_smallest_reasons() -> None:
    pairs = compared([(9, 5), (12, 6)])
    assert len(pairs) >= 24
    assert sum(tree == smallest for tree, smallest in pairs) >= 0.9 * len(pairs)
