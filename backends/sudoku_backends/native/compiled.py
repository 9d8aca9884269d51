"""A model as a network: its runs differ only in their domains."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.base import CompiledBase, StatedAnew
from sudoku_models.engine.budget import Budget, Interruption
from sudoku_models.engine.contract import Batch, Derived, Ending, Reason, Request, Search, Solution
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendMissing, Unsupported
from sudoku_models.model import Domain, Model

from .backend import NativeOptions, refuses_model
from .machine import NoMachineCode, machine
from .network import Network, network_of
from .network.draft import Ints, known_mask, numbers
from .network.reductions import derived
from .search import Searching


class CompiledNative(CompiledBase):
    """A model as a network of constraints."""

    label = "native"

    def __init__(self, model: Model, options: NativeOptions) -> None:
        if reason := refuses_model(model):
            raise Unsupported(f"native: {reason}")
        try:
            machine()
        except NoMachineCode as error:
            raise BackendMissing(f"native: {error}") from error
        self.model, self.options = model, options
        self.network: Network = network_of(model, options.names, options.skipped)

    @property
    def native(self) -> NativeModel:
        """The network with a row of masks that may be narrowed by hand, and a method that solves it."""
        return NativeModel(self.network, self.network.start[:])

    def of_variable(self, name: str) -> int:
        """Return the place of a variable in the masks of ``native``."""
        return self.model.index[name]

    def of_value(self, name: str, value: int) -> tuple[int, int]:
        """Return a place and the bit of its mask that stands for a value."""
        return self.model.index[name], 1 << (value - self.network.base)

    def values_in(self, answer: Solution) -> dict[str, int]:
        """Return the values by name of a solution that ``native`` found."""
        return dict(zip(self.model.names, answer, strict=True))

    def derived(self) -> tuple[Derived, ...]:
        """Return what was derived from several constraints together; see ``network.reductions``."""
        return derived(self.network.done)

    def assume(self) -> StatedAnew:
        """Begin with this model; its network is built again with what a search assumes."""
        return StatedAnew(self.model, lambda model: CompiledNative(model, self.options))

    def start(self, domains: Mapping[str, Domain]) -> Ints | None:
        """Return the masks for narrower domains; None if one of the masks is empty."""
        index, base = self.model.index, self.network.base
        start = self.network.start.tolist()
        for name, values in domains.items():
            start[index[name]] &= known_mask(values, base)
        return numbers(start) if all(start) else None

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search, in one thread."""
        watch = record.stopwatch()
        if request.workers > 1:
            record.notes.append("one thread: workers share only the rows of a batch")
        start = self.start(request.domains)
        if start is None:
            watch.lap("encode")
            return Ending(Reason.EXHAUSTED)
        keep = None if request.keep is None else [self.model.index[name] for name in request.keep]
        searching = Searching(self.network, start, request.seed, keep, request.patience or self.options.patience)
        watch.lap("encode")
        blocks = searching.blocks if request.trace is None else partial(searching.traced, request.trace)
        try:
            while True:
                try:
                    for block in blocks(request.limit, clock):
                        watch.lap("run")
                        yield block
                        watch.restart()
                    ending = Ending(Reason.LIMIT if searching.found == request.limit else Reason.EXHAUSTED)
                except Interruption as stop:
                    ending = Ending.at(stop)
                watch.lap("run")
                if not (request.turns and ending.reason is Reason.GAVE_UP):
                    return Ending(Reason.CLOSED) if searching.stopped_by_trace else ending
                yield []  # another engine's turn
                watch.restart()
                searching.wait_longer()
        finally:
            record.sizes = self._sizes(searching)

    def _sizes(self, searching: Searching) -> dict[str, int]:
        """Return what is known about a search: the size of the network, and how much was examined."""
        network = self.network
        sizes = {"variables": network.variables, "constraints": network.constraints, **network.done}
        return {**sizes, "nodes": searching.state.nodes, "propagations": searching.state.runs}

    def rows(self, grids: Any, request: Request) -> Batch:
        """Answer many puzzles; see the contract. Raise Unsupported for ``keep``, ``memory_limit`` and an objective."""
        from .batches import run_many

        if request.keep is not None or request.memory_limit is not None or self.model.objective:
            raise Unsupported("native: a batch takes neither keep nor a limit on memory nor an objective")
        if self.options.patience:
            raise Unsupported("native: a batch takes no patience: each of its rows is answered")
        if grids.shape[1] != len(self.model.variables):
            raise Unsupported("native: a batch takes no model that has further variables when it is lowered")
        return run_many(self, grids, request)


@dataclass(frozen=True)
class NativeModel:
    """A network, and the masks of its variables: bit b is the value b above ``network.base``."""

    network: Network
    masks: Ints

    def solve(self) -> Solution | None:
        """Return a solution within the masks, None if there is none."""
        if not all(self.masks):
            return None
        for found in Searching(self.network, self.masks).blocks(1, Budget()):
            solution: Solution = found[0]
            return solution
        return None
