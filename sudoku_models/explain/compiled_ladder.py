"""The ladder by compiled kernels: the same stages as in plain Python, many times faster."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.machine_code.language import Kernels, memory_of
from ..engine.machine_code.library import Library, LoadedKernels
from ..errors import LimitReached
from .atom_arrays import Packing, most_logged
from .atoms import bits
from .kernel import layout

if TYPE_CHECKING:
    from .ladder import Counted, Ladder, Stage


ENTRIES = {
    "left_by": "mmi", "walk": "mmii", "sweep": "mmi", "closed": "mmii", "all_closed": "mmi",
    "queue_users": "mmi",
}  # fmt: skip


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


LIBRARY = Library("ladder", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the compiled kernels, loaded from disk if they are there. Raises NoMachineCode where there are none."""
    return LIBRARY.load()


def is_ready() -> bool:
    """Return whether the kernels are loaded, or compiled on disk."""
    return LIBRARY.is_kept


# ----------------------------------------------------------------------------
# The ladder by compiled kernels: the same stages as in plain Python, many times faster.


BUDGET = 3_000_000
"""How much work a kernel does between two checks of the clock."""

EVERY = 1 << 30
"""More stages than there are."""
FULL_LOG = 2
"""What ``walk`` returns if its log is full."""
Facts = frozenset[tuple[int, int]]


class Quick:
    """What follows from the atoms of a ladder, found by kernels. One walk at a time."""

    def __init__(self, ladder: Ladder, bands: Mapping[int, Sequence[int]]) -> None:
        """Pack a ladder; ``bands``: the distinguished rounds, by kind of trial. NotPacked if it cannot be packed."""
        self.ladder = weakref.proxy(ladder)  # which refers to this object: together they would wait for the collector
        if not ladder.packed:
            packing, reads = Packing(ladder.atoms, ladder.full, ladder.low), ladder.most_read
            ladder.packed.append(packing.packed(ladder.users, bands, reads))
        self._bit_of, net, sections, spare = ladder.packed[0]
        self._back = {to: bit for bit, to in self._bit_of.items()}
        self._plain = all(bit == to for bit, to in self._bit_of.items())
        memory = spare.pop() if spare else memory_of(layout.Mem, **sections)
        weakref.finalize(self, spare.append, memory).atexit = False
        self.mem, words, self._last = layout.Mem(memory), np.frombuffer(memory, np.int64), None
        self._addresses, self._words = (net.ctypes.data, words.ctypes.data), (net, words)
        self._dom, self._flags, self._dirty, self._use, self._left, self._log, self._is_closed = (
            words[(place := getattr(self.mem, name).place) : place + sections[name]]
            for name in ("dom", "flags", "dirty", "use", "left", "log", "is_closed")
        )
        self._starts = [0, *accumulate(len(atom.cells) for atom in ladder.atoms)]
        self._members = np.array([cell for atom in ladder.atoms for cell in atom.cells], np.int64)
        self._use[:] = 1
        self._entry = 1 + len(ladder.full) + len(self._members)
        self._room = most_logged(len(ladder.full), len(self._members))

    def _known(self, masks: Sequence[int]) -> Any:
        """Return the ladder's masks as the kernel's."""
        own = masks if self._plain else [sum(1 << self._bit_of[b] for b in bits(mask)) for mask in masks]
        return np.array(own, np.int64)

    def _put(self, masks: Any) -> Any:
        """Write the candidates that kernels start from; return where they lie. Nothing is queued."""
        self._flags[:] = 0
        self.mem.queued = 0
        self._dom[:] = masks
        return self._dom

    def call(self, kernel: str, *more: int) -> int:
        """Call a kernel by name, on the arrays and some numbers."""
        return int(getattr(machine(), kernel)(*self._addresses, *more))

    def _run(self, kernel: str, *more: int) -> int:
        """Call a kernel until it has finished; LimitReached by the ladder's clock."""
        done = 0
        while not done:
            self.ladder.check_time()
            self.mem.budget = BUDGET
            done = self.call(kernel, *more)
        return done

    def _begin(self) -> None:
        self.mem.at = self.mem.choosing = self.mem.found = self.mem.since = 0

    def _logs(
        self, masks: Any, dirty: Iterable[int], last: int, most: int, phase: int = 0
    ) -> Iterator[tuple[Any, Any]]:
        """Walk from some masks of the kernel by rungs up to ``last``, for at most some stages; yield logs.

        A log has an entry a stage: its rung, the candidates after it, what atoms left of their cells. With each log
        come the candidates before it. Stages before a limit are yielded before LimitReached is raised.
        """
        waiting: Any = np.zeros(len(self.ladder.atoms), np.int64)
        waiting[np.fromiter(dirty, np.intp)] = 1
        while most > 0:
            before = self._put(masks).copy()
            if self._last is None or (before & ~self._last).any():  # it holds for fewer ones
                self._is_closed[:] = 0
            self._last = before
            self._dirty[:] = waiting
            self._begin()
            self.mem.phase, self.mem.logged = phase, 0
            stopped = None
            try:
                full = self._run("walk", last, min(most, self._room)) == FULL_LOG
            except LimitReached as limit:
                full, stopped = False, limit
            logged = self.mem.logged
            most -= logged if full else most
            waiting = self._dirty.copy()
            if logged:
                log = self._log[: logged * self._entry].reshape(logged, self._entry).copy()
                masks = log[-1, 1 : 1 + len(before)]
                yield before, log
            if stopped is not None:
                raise stopped

    def stages(
        self, masks: Sequence[int], dirty: Iterable[int], last: int, most: int = EVERY, phase: int = 0
    ) -> Iterator[Stage]:
        """Yield the stages from some candidates on, of rungs up to ``last``, until there are no more or ``most``.

        ``dirty`` are the atoms that may remove something on their own; ``phase`` is that of trials to leave them out.
        """
        from .ladder import RUNGS, Stage

        cells = len(masks)
        for before, log in self._logs(self._known(masks), dirty, last, most, phase):
            old = before
            for rung, entry in zip(log[:, 0].tolist(), log, strict=True):
                by = partial(self._by, old, entry[1 + cells :]) if rung < layout.WEAK_RUNG else dict
                yield Stage(RUNGS[rung], self._own(old), self._own(entry[1 : 1 + cells]), by)
                old = entry[1 : 1 + cells]

    def counted(self, masks: Sequence[int], last: int) -> Counted:
        """Return how many stages there are of each rung, up to ``last``, and what they leave of the candidates."""
        from .ladder import Counted

        counts: Any = np.zeros(layout.RUNGS, np.int64)
        left, limit = self._known(masks), ""
        try:
            for _, log in self._logs(left, range(len(self.ladder.atoms)), last, EVERY):
                counts += np.bincount(log[:, 0], minlength=layout.RUNGS)
                left = log[-1, 1 : 1 + len(masks)]
        except LimitReached as stopped:
            limit = str(stopped)
        return Counted(counts.tolist(), self._own(left), limit)

    def _by(self, before: Any, left: Any) -> dict[int, Facts]:
        """Return what each atom of a stage removes."""
        gone = before[self._members] & ~left
        back, found = self._back, {}
        for a in sorted(set(np.searchsorted(self._starts, np.flatnonzero(gone), "right").tolist())):
            part = slice(self._starts[a - 1], self._starts[a])
            pairs = zip(self._members[part].tolist(), gone[part].tolist(), strict=True)
            found[a - 1] = frozenset([(c, back[b]) for c, mask in pairs if mask for b in bits(mask)])
        return found

    def _own(self, masks: Any) -> tuple[int, ...]:
        """Return the kernel's masks as the ladder's."""
        if self._plain:
            return tuple(masks.tolist())
        return tuple(sum(1 << self._back[b] for b in bits(mask)) for mask in masks.tolist())

    def revised(self, number: int, masks: Sequence[int]) -> list[int] | None:
        """Return what an atom leaves of the candidates of its own cells, or None; houses apply everything that
        follows.
        """
        cells = self.ladder.atoms[number].cells
        if not all(masks):
            return None
        mine = dict(zip(cells, masks, strict=True))
        self._put(self._known([mine.get(c, full) for c, full in enumerate(self.ladder.full)]))
        self.mem.budget = BUDGET
        self.call("left_by", number)
        left = self._left[self._starts[number] : self._starts[number + 1]]
        return list(self._own(left)) if left.all() else None

    def nested(self, masks: Sequence[int], bands: Sequence[int]) -> Iterator[tuple[int, Facts]]:
        """Yield, for each band of inner rounds, what fails by trials of at most that many rounds within a trial."""
        start = self._known(masks)
        places = [(c, self._bit_of[b]) for c, mask in enumerate(masks) if mask & (mask - 1) for b in bits(mask)]
        states = {place: left for place in places if (left := self._closed(start, *place)) is not None}
        failed = {(c, self._back[b]) for c, b in places if (c, b) not in states}
        for inner in bands:
            for (cell, bit), state in list(states.items()):
                left = self._swept(state, inner)
                if left is None:
                    failed.add((cell, self._back[bit]))
                    del states[cell, bit]
                else:
                    states[cell, bit] = left
            yield inner, frozenset(failed)

    def _closed(self, start: Any, cell: int, bit: int) -> Any:
        """Return what is left when a candidate is followed to the end; None if nothing is."""
        dom = self._put(start)
        dom[cell] = 1 << bit
        self.call("queue_users", cell)
        return dom.copy() if self.call("closed", self.mem.dom.place, 0) else None

    def _swept(self, state: Any, inner: int) -> Any:
        """Return what trials of ``inner`` rounds leave of a state, None if nothing."""
        self._begin()
        dom = self._put(state)
        return None if self._run("sweep", inner) == 2 else dom.copy()

    def fails(self, masks: Sequence[int], strong: bool, using: Iterable[int]) -> bool:
        """Return whether applying some atoms until nothing changes leaves nothing."""
        self._use[:] = 0
        self._use[list(using)] = 1
        self._put(self._known(masks))
        failed = not self.call("all_closed", int(strong))
        self._use[:] = 1
        return failed
