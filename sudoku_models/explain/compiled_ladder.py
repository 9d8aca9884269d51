"""The ladder by compiled kernels: the same stages as in plain Python, many times faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .atom_arrays import Packing
from .kernel import layout
from .machine import machine

if TYPE_CHECKING:
    from .ladder import Ladder

BUDGET = 3_000_000
"""How much work a kernel does between two checks of the clock."""

Facts = frozenset[tuple[int, int]]


class Quick:
    """What follows from the atoms of a ladder, found by kernels. One walk at a time."""

    def __init__(self, ladder: Ladder, bands: Mapping[int, Sequence[int]]) -> None:
        """Pack a ladder; ``bands``: the distinguished rounds, by kind of trial. NotPacked if it cannot be packed."""
        self.ladder = ladder
        if not ladder.packed:
            ladder.packed.append(Packing(ladder.atoms, ladder.full, ladder.low).packed(ladder.users, bands))
        self._bit_of, self.net, size = ladder.packed[0]
        self._back = {to: bit for bit, to in self._bit_of.items()}
        self._plain = all(bit == to for bit, to in self._bit_of.items())
        self.mem = np.zeros(size, np.int64)
        self._bits, self._last = int(self.net[layout.BITS]), None
        first, atoms = int(self.net[layout.START]), len(ladder.atoms)
        self._starts = self.net[first : first + atoms + 1].tolist()
        first = int(self.net[layout.MEMBERS])
        self._members = self.net[first : first + self._starts[-1]]
        self._places = self.net.ctypes.data, self.mem.ctypes.data
        self._part(layout.USE, len(ladder.atoms))[:] = 1

    def _part(self, section: int, size: int) -> Any:
        place = int(self.net[section])
        return self.mem[place : place + size]

    def _put(self, masks: Sequence[int]) -> Any:
        """Write the candidates that kernels start from; return their place in memory. Nothing is queued."""
        self._part(layout.FLAGS, len(self.ladder.atoms))[:] = 0
        self.mem[layout.QUEUED] = 0
        dom = self._part(layout.DOM, len(masks))
        dom[:] = masks if self._plain else [sum(1 << self._bit_of[b] for b in _bits(mask)) for mask in masks]
        return dom

    def _walk(self, masks: Sequence[int]) -> Any:
        """Write candidates as ``_put`` does; if there are new candidates, the results of earlier trials are
        discarded.
        """
        dom = self._put(masks)
        if self._last is None or (dom & ~self._last).any():
            self._part(layout.IS_CLOSED, 2 * len(masks) * self._bits)[:] = 0
            self._nested: dict[int, dict[tuple[int, int], Any]] = {}
        self._last = dom.copy()
        return dom

    def call(self, kernel: str, *more: int) -> int:
        """Call a kernel by name, on the arrays and some numbers."""
        return int(getattr(machine(), kernel)(*self._places, *more))

    def _run(self, kernel: str, *more: int) -> int:
        """Call a kernel until it has finished; LimitReached by the ladder's clock."""
        done = 0
        while not done:
            self.ladder.check_time()
            self.mem[layout.BUDGET] = BUDGET
            done = self.call(kernel, *more)
        return done

    def _begin(self) -> None:
        for number in (layout.AT, layout.CHOOSING, layout.FOUND, layout.SINCE):
            self.mem[number] = 0

    def single(
        self, masks: Sequence[int], dirty: Iterable[int], numbers: Sequence[int], allowed: Callable[[int, int], bool]
    ) -> tuple[int, dict[int, Facts]] | None:
        """Return what single atoms remove at the cheapest level 1.k: k and the facts by atom; None if none removes
        anything.

        ``numbers`` are the values of k to try, the last of them for all cells; ``allowed`` says whether an atom may be
        tried for a k.
        """
        dom, ladder = self._put(masks).copy(), self.ladder
        flags = self._part(layout.FLAGS, len(ladder.atoms))
        flags[np.fromiter(dirty, np.intp)] = 1
        self._begin()
        self._run("find_able")
        able = self._part(layout.ABLE, len(ladder.atoms))
        atoms = np.flatnonzero(able).tolist()
        if not atoms:
            return None
        for k in numbers[:-1]:
            self._begin()
            able[:] = 0
            able[[a for a in atoms if allowed(a, k)]] = 1
            self._run("read_all", k)
            if self.mem[layout.FOUND]:
                return k, self._removed(np.flatnonzero(able == 2).tolist(), dom)
        self._begin()
        flags[:] = 0
        flags[atoms] = 1
        self._run("find_able")
        return numbers[-1], self._removed(atoms, dom)

    def revised(self, number: int, masks: Sequence[int]) -> list[int] | None:
        """Return what an atom leaves of the candidates of its own cells, or None; houses apply everything that
        follows.
        """
        ladder, cells = self.ladder, self.ladder.atoms[number].cells
        if not all(masks):
            return None
        mine = dict(zip(cells, masks, strict=True))
        dom = self._put([mine.get(c, full) for c, full in enumerate(ladder.full)]).copy()
        self._part(layout.FLAGS, len(ladder.atoms))[number] = 1
        self._begin()
        self._run("find_able")
        if self._part(layout.ABLE, len(ladder.atoms))[number]:
            for cell, bit in self._removed([number], dom)[number]:
                mine[cell] &= ~(1 << bit)
        return list(mine.values()) if all(mine.values()) else None

    def _removed(self, atoms: Sequence[int], dom: Any) -> dict[int, Facts]:
        """Return what each of some atoms removes."""
        gone = dom[self._members] & ~self._part(layout.LEFT, len(self._members))
        back, found = self._back, {}
        for a in atoms:
            part = slice(self._starts[a], self._starts[a + 1])
            pairs = zip(self._members[part].tolist(), gone[part].tolist(), strict=True)
            found[a] = frozenset([(c, back[b]) for c, mask in pairs if mask for b in _bits(mask)])
        return found

    def trials(self, masks: Sequence[int], kind: int, bands: Sequence[int]) -> Iterator[tuple[int, Facts]]:
        """Yield the fewest rounds, of those that are distinguished, in which a candidate fails, and all that do."""
        self._walk(masks)
        for highest in dict.fromkeys((bands[0], bands[-1])):
            self._begin()
            self.mem[layout.BEST] = highest
            self._run("trials", int(kind == 3))
            if self.mem[layout.FOUND]:
                best = int(self.mem[layout.BEST])
                out = self._part(layout.OUT, len(masks) * self._bits).reshape(len(masks), self._bits)
                yield best, frozenset((c, self._back[b]) for c, b in np.argwhere(out <= best).tolist())

    def nested(self, masks: Sequence[int], bands: Sequence[int]) -> Iterator[tuple[int, Facts]]:
        """Yield, for each band of inner rounds, what fails by trials of at most that number of rounds within a trial.

        What is left after a candidate that did not fail is kept by band: at a later stage only changes since then are
        applied.
        """
        start = self._walk(masks).copy()
        places = [(c, self._bit_of[b]) for c, mask in enumerate(masks) if mask & (mask - 1) for b in _bits(mask)]
        states = {place: left for place in places if (left := self._closed(start, *place)) is not None}
        failed = {(c, self._back[b]) for c, b in places if (c, b) not in states}
        for inner in bands:
            kept = self._nested.setdefault(inner, {})
            for (cell, bit), state in list(states.items()):
                left = self._swept(state & start, kept.get((cell, bit)), inner)
                if left is None:
                    failed.add((cell, self._back[bit]))
                    del states[cell, bit]
                else:
                    states[cell, bit] = kept[cell, bit] = left
            yield inner, frozenset(failed)

    def _closed(self, start: Any, cell: int, bit: int) -> Any:
        """Return what is left when a candidate is followed to the end; None if nothing is."""
        cells, changed = len(start), [cell]
        place = cell * self._bits + bit
        dom = self._part(layout.DOM, cells)
        dom[:] = start
        dom[cell] = 1 << bit
        if self._part(layout.IS_CLOSED, cells * self._bits)[place]:
            at = int(self.net[layout.CLOSED]) + place * cells
            kept = self.mem[at : at + cells]
            dom &= kept
            changed = np.flatnonzero(dom != kept).tolist()
        return dom.copy() if dom.all() and self._followed(changed, False) else None

    def _swept(self, state: Any, before: Any, inner: int) -> Any:
        """Return what trials of ``inner`` rounds leave of a state, None if nothing; ``before`` is what they left
        earlier.
        """
        self.ladder.check_time()
        if before is not None:
            state = state & before
            if (state == before).all():
                return before
        if not state.all():
            return None
        self._begin()
        dom = self._part(layout.DOM, len(state))
        dom[:] = state
        changed = () if before is None else np.flatnonzero(state != before).tolist()
        if not self._followed(changed, False) or self._run("sweep", inner) == 2:
            return None
        return dom.copy()

    def _followed(self, cells: Iterable[int], strong: bool) -> bool:
        """Apply the consequences of changed cells until nothing changes; False if that fails."""
        for cell in cells:
            self.call("queue_users", cell)
        return bool(self.call("closed", int(self.net[layout.DOM]), int(strong)))

    def fails(self, masks: Sequence[int], strong: bool, using: Iterable[int]) -> bool:
        """Return whether applying some atoms until nothing changes leaves nothing."""
        use = self._part(layout.USE, len(self.ladder.atoms))
        use[:] = 0
        use[list(using)] = 1
        self._put(masks)
        failed = not self._followed(range(len(masks)), strong)
        use[:] = 1
        return failed


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
