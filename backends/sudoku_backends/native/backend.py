"""The backend ``native`` on the contract: a model becomes a network, and its runs differ only in their domains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.base import BackendBase, CompiledBase, StatedAnew
from sudoku_models.engine.budget import Budget, Interruption
from sudoku_models.engine.contract import (
    Batch,
    Capabilities,
    Derived,
    Ending,
    Feature,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.machine_code.library import forbidden
from sudoku_models.engine.record import Record, Stopwatch
from sudoku_models.errors import BackendMissing, BadOption, Unsupported
from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Connected,
    Constraint,
    Count,
    Domain,
    Element,
    Implies,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    Model,
    MultisetEqual,
    Not,
    NValue,
    Or,
    Regular,
    Table,
)

if TYPE_CHECKING:
    from .network import Network
    from .network.draft import Ints
    from .search import Searching

# ---------------------------------------------------------------- what it takes

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        AllDifferent, And, Compare, Connected, Count, Element, Implies, InDomain, LexLess, Linear, MinMax,
        MultisetEqual, Not, NValue, Or, Regular, Table,
    }
)  # fmt: skip

DOUBTED: frozenset[type[Constraint]] = frozenset({And, Implies, Linear, Not, Or})
"""The kinds of which some constraints are refused; see ``refuses``."""

MOST_VALUES = 62
"""The number of consecutive values that are the bits of a word: a model whose values span more is refused."""

MOST_VARIABLES = 20_000
"""A search keeps a row of domains for every depth: for this number of variables, three gigabytes."""

BEYOND = 1 << 62
"""Values must stay below this in size, so that the difference of two fits into 64 bits."""

LARGEST = 1 << 50
"""The coefficients of a sum, added up, must stay below this."""


def refuses(constraint: Constraint, negated: bool = False) -> str | None:
    """Return why a constraint is not taken: large coefficients, or the negation of a kind that has none here."""
    match constraint:
        case Linear():
            if sum(map(abs, constraint.coeffs)) >= LARGEST:
                return f"coefficients add up to {LARGEST} or more"
        case Connected() | MultisetEqual():
            return f"a {type(constraint).__name__} cannot be negated" if negated else None
        case Not():
            return refuses(constraint.part, not negated)
        case Implies():
            return refuses(constraint.condition, not negated) or refuses(constraint.result, negated)
        case And() | Or():
            return next((reason for part in constraint.parts if (reason := refuses(part, negated))), None)
    return None if type(constraint) in KINDS else f"it has no form for {type(constraint).__name__}"


def refuses_model(model: Model) -> str | None:
    """Return why a model is not taken: values too far apart, too many variables, too large an objective."""
    filled = [values for values in model.variables.unlike if values]
    least, most = min([values[0] for values in filled], default=0), max([values[-1] for values in filled], default=0)
    if most - least >= MOST_VALUES:
        return f"it has values from {least} to {most}, which is more than {MOST_VALUES} numbers"
    if not -BEYOND < least <= most < BEYOND:
        return f"it has values of {BEYOND} (2^62) or more"
    if len(model.variables) > MOST_VARIABLES:
        return f"it has more than {MOST_VARIABLES:,} variables"
    objective = model.objective
    if objective and sum(map(abs, objective.coeffs)) >= LARGEST:
        return f"the coefficients of its objective add up to {LARGEST} or more"
    return None


# ---------------------------------------------------------------- options

REDUCTIONS = (
    "group-sizes", "joined-relations", "counts-together", "different-letters", "house-sums",
    "value-sets",
)  # fmt: skip
"""The names of what is derived from several constraints together; see ``network.reductions``."""

REASONING = {
    "locked": 1, "common-peers": 2, "cliques": 4, "hidden": 8, "sleep": 16, "restarts": 32,
}  # fmt: skip
"""The reasoning that the kernel can leave out, with its SKIP_ bits: values locked in part of a house, common peers of
required values, sums over groups of different cells, the last place of a value, letting reasoning that removes nothing
sleep, and restarting a search that finds nothing."""


@dataclass(frozen=True)
class NativeOptions:
    """``without``: the reductions and reasoning to leave out, joined by ``+``, to measure what each is worth.

    ``patience``: the number of times that the search may examine a constraint before it
    gives up; each solution found allows the same number again. A search with patience 0, or with a thousand
    solutions found, goes on to the end.
    """

    without: str = ""
    patience: int = 0

    def __post_init__(self) -> None:
        if self.patience < 0:
            raise BadOption(f"native: patience={self.patience} is negative: 0 (no end) or more is expected")
        known = (*REDUCTIONS, *REASONING)
        unknown = sorted(self.names - set(known))
        if unknown:
            raise BadOption(
                f"native: without={unknown[0]} is not a reduction that can be left out: {', '.join(known)} are known"
            )

    @property
    def names(self) -> frozenset[str]:
        """The names of what is left out."""
        return frozenset(filter(None, self.without.split("+")))

    @property
    def skipped(self) -> int:
        """The reasoning that is left out, as bits."""
        return sum(bit for name, bit in REASONING.items() if name in self.names) if self.without else 0


# ---------------------------------------------------------------- the backend


class Native(BackendBase):
    """The backend ``native``."""

    name = "native"
    Options = NativeOptions
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset(
            {
                Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED, Feature.WORKERS,
                Feature.BATCH, Feature.ASSUME, Feature.TRACE, Feature.PATIENCE,
            }
        ),
        requires=("llvmlite",),
        install="sudoku-models[fast]",
        refuses=refuses,
        doubted=DOUBTED,
        refuses_model=refuses_model,
        derives=True,
    )  # fmt: skip

    def compile(self, model: Model, options: NativeOptions) -> CompiledNative:
        """Build the network of a model; load the kernel, or compile it (two seconds, once)."""
        return CompiledNative(model, options)


BACKEND = Native()
if forbidden():  # as plain Python it answers, but too slowly to be chosen by ``auto``
    BACKEND.capabilities = replace(Native.capabilities, preferred=False)


class CompiledNative(CompiledBase):
    """A model as a network of constraints."""

    label = "native"

    def __init__(self, model: Model, options: NativeOptions) -> None:
        if reason := refuses_model(model):
            raise Unsupported(f"native: {reason}")
        from .machine import NoMachineCode, machine
        from .network import network_of

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
        from .network.reductions import derived

        return derived(self.network.done)

    def assume(self) -> StatedAnew:
        """Begin with this model; its network is built again with what a search assumes."""
        return StatedAnew(self.model, lambda model: CompiledNative(model, self.options))

    def start(self, domains: Mapping[str, Domain]) -> Ints | None:
        """Return the masks for narrower domains; None if one of the masks is empty."""
        from .network.draft import known_mask, numbers

        index, base = self.model.index, self.network.base
        start = self.network.start.tolist()
        for name, values in domains.items():
            start[index[name]] &= known_mask(values, base)
        return numbers(start) if all(start) else None

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search, in one thread."""
        from .search import Searching

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
        try:
            ending = yield from self._searched(searching, request, clock, watch)
            while request.turns and ending.reason is Reason.GAVE_UP:
                yield []  # another engine's turn
                watch.restart()
                searching.wait_longer()
                ending = yield from self._searched(searching, request, clock, watch)
        finally:
            record.sizes = self._sizes(searching)
        if searching.stopped_by_trace:
            return Ending(Reason.CLOSED)
        return ending

    def _searched(self, searching: Searching, request: Request, clock: Budget, watch: Stopwatch) -> Search:
        """Search on, up to the limit or the end of patience, timed as the run."""
        blocks = searching.blocks if request.trace is None else partial(searching.traced, request.trace)
        try:
            for block in blocks(request.limit, clock):
                watch.lap("run")
                yield block
                watch.restart()
            ending = Ending(Reason.LIMIT if searching.found == request.limit else Reason.EXHAUSTED)
        except Interruption as stop:
            ending = Ending.at(stop)
        watch.lap("run")
        return ending

    def _sizes(self, searching: Searching) -> dict[str, int]:
        """Return what is known about a search: the size of the network, and how much was examined."""
        network = self.network
        sizes = {"variables": network.variables, "constraints": network.constraints, **network.done}
        return {**sizes, "nodes": searching.state.nodes, "propagations": searching.state.runs}

    def propagated(self, domains: Mapping[str, Domain]) -> dict[str, Domain]:
        """Return what the first propagation leaves of the domains; all are empty if there is no solution."""
        from .search import Searching

        start, names = self.start(domains), self.model.names
        left = None if start is None else Searching(self.network, start).narrowed()
        if left is None:
            return dict.fromkeys(names, ())
        stated, base = self.model.domains, self.network.base
        return {
            x: tuple([value for value in stated[x] if mask >> (value - base) & 1])
            for x, mask in zip(names, left, strict=False)
        }

    def rows(self, grids: Any, request: Request) -> Batch:
        """Answer many puzzles; see the contract. Raise Unsupported for ``keep``, ``memory_limit`` and an objective."""
        from .batches import run_many

        self._take_batch(grids, request)
        return run_many(self, grids, request)

    def _take_batch(self, grids: Any, request: Request) -> None:
        """Raise Unsupported if the request or the model has something that a batch does not take."""
        if request.keep is not None or request.memory_limit is not None or self.model.objective:
            raise Unsupported("native: a batch takes neither keep nor a limit on memory nor an objective")
        if self.options.patience:
            raise Unsupported("native: a batch takes no patience: each of its rows is answered")
        if grids.shape[1] != len(self.model.variables):
            raise Unsupported("native: a batch takes no model that has further variables when it is lowered")


@dataclass(frozen=True)
class NativeModel:
    """A network, and the masks of its variables: bit b is the value b above ``network.base``."""

    network: Network
    masks: Ints

    def solve(self) -> Solution | None:
        """Return a solution within the masks, None if there is none."""
        from .search import Searching

        if not all(self.masks):
            return None
        for found in Searching(self.network, self.masks).blocks(1, Budget()):
            solution: Solution = found[0]
            return solution
        return None
