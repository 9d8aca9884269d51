"""The reference backend: backtracking in plain Python, written to be read and trusted.

Here are its options, its capabilities, and the run that all strategies share.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from sudoku_models.engine.base import BackendBase, CompiledBase, StatedAnew
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import (
    Assuming,
    Capabilities,
    Ending,
    Feature,
    Projection,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.pulling import pulled, until
from sudoku_models.engine.record import Record
from sudoku_models.errors import BadOption
from sudoku_models.model import (
    Constraint,
    Domain,
    InDomain,
    Model,
    Square,
    Variable,
    narrowed_domains,
    square_of,
)

from .general import Bound, Order, SearchMeter, SearchState, Stopped, general, network_of
from .square import STRATEGIES as SQUARE
from .square import Allowed, FewestFilling, Filling, Geometry, search

STRATEGIES = ("auto", "general", *SQUARE)
_FEATURES = frozenset(
    {
        Feature.ENUMERATE,
        Feature.PROVE,
        Feature.OBJECTIVE,
        Feature.ASSUME,
        Feature.TIME_LIMIT,
        Feature.SEED,
        Feature.TRACE,
    }
)


@dataclass(frozen=True)
class BacktrackingOptions:
    """``strategy``: ``auto`` is ``fewest`` on a square of houses and ``general`` on every other model.

    ``patience``: the number of nodes and looks at a constraint before it gives up; 0 for no limit.
    """

    strategy: str = field(default="auto", metadata={"choices": STRATEGIES})
    patience: int = 0

    def __post_init__(self) -> None:
        if self.patience < 0:
            raise BadOption(f"backtracking: patience={self.patience} is negative: 0 (no limit) or more is expected")


class Backtracking(BackendBase):
    """The reference backend. A new kind of constraint is accepted as soon as it exists."""

    name = "backtracking"
    Options = BacktrackingOptions

    def capabilities_with(self, options: BacktrackingOptions) -> Capabilities:
        kinds = frozenset(Constraint.kinds.values())
        square = options.strategy in SQUARE
        features = _FEATURES - {Feature.OBJECTIVE, Feature.ASSUME} if square else _FEATURES
        return Capabilities(kinds, features, refuses_model=partial(_refuses, options.strategy))

    def compile(self, model: Model, options: BacktrackingOptions) -> CompiledSearch:
        """Prepare a model for a strategy; Unsupported if that strategy does not take it."""
        self.refuse(model, options)
        square = None if options.strategy == "general" else square_of(model)
        compiled: CompiledSearch = CompiledGeneral(model)
        if square is not None:
            compiled = CompiledSquare(model, square, SQUARE.get(options.strategy, FewestFilling))
            if options.strategy in SQUARE:
                compiled.label, compiled.grows = f"backtracking:strategy={options.strategy}", False
        compiled.patience = options.patience
        return compiled


BACKEND = Backtracking()


def _refuses(strategy: str, model: Model) -> str | None:
    if strategy in SQUARE and square_of(model) is None:
        return f"strategy={strategy} needs a square of houses (rows and columns of AllDifferent, perhaps boxes)"
    return None


class CompiledSearch(CompiledBase, ABC):
    """A model and a way to search it. ``grows``: constraints may be added to it, of any kind.

    ``patience`` is the option of that name.
    """

    label = "backtracking"
    grows = True
    patience = 0

    @property
    def native(self) -> Model:
        """The model itself: this backend has no form of its own."""
        return self.model

    def of_variable(self, name: str) -> Variable:
        return self.model[name]

    def of_value(self, name: str, value: int) -> Constraint:
        """Return the constraint that a variable has a value, to be added or used as a part of another one."""
        return InDomain(name, (value,))

    def values_in(self, answer: Solution) -> dict[str, int]:
        """Return the values by name in a solution of the model, or of one derived from it with ``with_``."""
        return dict(zip(self.model.names, answer, strict=False))

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield what the search finds, until the clock or the trace ends it."""
        meter = SearchMeter(clock, len(self.model.variables), request.trace, self.patience)
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        found = until(meter.check, self.solutions(request, meter, record))
        try:
            return (yield from pulled(found, request, record.stopwatch(), Projection(self.model, request.keep).new))
        except Stopped:
            return Ending(Reason.CLOSED)
        finally:
            record.sizes["nodes"] = meter.nodes

    def assume(self) -> Assuming:
        """Begin with this model; Unsupported for a strategy for squares only."""
        return StatedAnew(self.model, CompiledGeneral) if self.grows else super().assume()

    @abstractmethod
    def solutions(self, request: Request, meter: SearchMeter, record: Record) -> Iterator[Solution]:
        """Yield every solution, or with an objective those that improve."""


class CompiledSquare(CompiledSearch):
    """A square of houses: the strategies see digits on a board."""

    def __init__(self, model: Model, square: Square, filling: Callable[[Geometry, Allowed], Filling]) -> None:
        super().__init__(model)
        self._filling = filling
        self._geometry = Geometry(square)
        self._values = square.values
        self._names = [model.names[position] for position in square.cells]
        cell_of = {position: cell for cell, position in enumerate(square.cells)}
        self._cells = [cell_of[position] for position in range(len(cell_of))]

    def solutions(self, request: Request, meter: SearchMeter, record: Record) -> Iterator[Solution]:
        """Yield every solution on the board; a seed chooses the digits of the values, small ones first."""
        values = _ordered(self._values, request.seed)
        domains = narrowed_domains(self.model.domains, request.domains)
        meter.named = lambda cell, digit: (self._names[int(cell)], values[digit])
        allowed = _digits(values, [domains[name] for name in self._names])
        for digits in search(self._filling(self._geometry, allowed), allowed, meter):
            yield tuple([values[digits[cell]] for cell in self._cells])


class CompiledGeneral(CompiledSearch):
    """Any model."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._network = network_of(model)

    def solutions(self, request: Request, meter: SearchMeter, record: Record) -> Iterator[Solution]:
        """Yield every solution of the network; with an objective those that improve, cheapest values first."""
        domains = narrowed_domains(self.model.domains, request.domains)
        state = SearchState(self.model, self._network, domains, meter.check)
        order = _order(state.domains, request.seed)
        if self.model.objective is None:
            for found in general(state, order, meter):
                yield tuple([found[name][0] for name in self.model.names])
            return
        if not state.possible_at_start():
            return
        record.bound, bound = self.model.objective.best_within(state.domains), Bound(self.model.objective)
        for found in general(state, order if request.seed else bound.tried, meter, bound):
            bound.tighten(found)
            yield tuple([found[name][0] for name in self.model.names])


def _order(domains: Mapping[str, Domain], seed: int) -> Order:
    rank = {value: i for i, value in enumerate(_ordered(sorted(set().union(*domains.values())), seed))}
    return lambda name, values: sorted(values, key=rank.__getitem__)


def _ordered(values: Iterable[int], seed: int) -> list[int]:
    """Return values in the order in which they are tried: ascending for seed 0, shuffled for every other one."""
    order = list(values)
    if seed:
        random.Random(seed).shuffle(order)
    return order


def _digits(values: list[int], domains: Iterable[Domain]) -> list[tuple[int, ...]]:
    """Return domains as ascending digits, a digit being an index into ``values``."""
    digit = {value: i for i, value in enumerate(values)}
    every = tuple(range(len(values)))
    return [every if len(d) == len(values) else tuple(sorted([digit[v] for v in d])) for d in domains]
