"""The backend ``lookahead``: the variable of the fewest values first, each value tried on its constraints one by one.

It takes differences, clauses and tables; everything else reaches it rewritten to these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sudoku_models.engine.base import BackendBase, CompiledBase
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Capabilities, Feature, Request, Search, wanted_of
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import AllDifferent, Compare, Constraint, Domain, InDomain, Model, Table, narrowed_domains

Left = dict[str, Domain]


@dataclass(frozen=True)
class Options:
    """``order`` is that in which values are tried."""

    order: str = field(default="up", metadata={"choices": ("up", "down")})


class Compiled(CompiledBase):
    """A model with the constraints of each variable."""

    label = "lookahead"

    def __init__(self, model: Model, options: Options) -> None:
        super().__init__(model, options)
        self.step = 1 if options.order == "up" else -1
        self.of = {name: [c for c in model.constraints if name in c.scope] for name in model.names}

    @property
    def native(self) -> Model:
        """The model itself."""
        return self.model

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Yield the solutions."""
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        left = dict(narrowed_domains(self.model.domains, request.domains))
        possible = all(self._narrow(c, left, {}) for c in self.model.constraints if len(c.scope) < 2)
        found = self._found(left, {}, budget) if possible and all(left.values()) else ()
        return pulled(found, request, record.stopwatch(), wanted_of(self.model, request.keep))

    def _found(self, left: Left, values: dict[str, int], budget: Budget) -> Iterator[tuple[int, ...]]:
        """Yield every way to give the variables in ``left`` one of their values."""
        if budget.expired:
            raise OutOfTime
        name = min(left, key=lambda x: len(left[x]), default=None)
        if name is None:
            yield tuple(values[x] for x in self.model.names)
            return
        for value in left[name][:: self.step]:
            rest = {x: domain for x, domain in left.items() if x != name}
            more = {**values, name: value}
            if all(self._narrow(constraint, rest, more) for constraint in self.of[name]):
                yield from self._found(rest, more, budget)

    def _narrow(self, constraint: Constraint, left: Left, values: dict[str, int]) -> bool:
        """Take from the open variables what a constraint rules out; tell whether each has something left."""
        unset = [x for x in constraint.scope if x in left]
        if isinstance(constraint, AllDifferent):
            taken = {values[x] for x in constraint.scope if x in values}
            left.update((x, tuple(v for v in left[x] if v not in taken)) for x in unset)
        elif len(unset) == 1:
            x = unset[0]
            left[x] = tuple(v for v in left[x] if constraint.holds({**values, x: v}))
        elif not unset:
            return constraint.holds(values)
        return all(left[x] for x in unset)


class Lookahead(BackendBase):
    """The backend."""

    name = "lookahead"
    Options = Options
    capabilities = Capabilities(
        kinds=frozenset({AllDifferent, Compare, InDomain, Table}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT}),
    )

    def compile(self, model: Model, options: Options) -> Compiled:
        """Sort the constraints by their variables."""
        return Compiled(model, options)


BACKEND = Lookahead()
