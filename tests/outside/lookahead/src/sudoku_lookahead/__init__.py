"""The backend ``lookahead``: the variable of the fewest values first, each value tried on its constraints one by one.

It takes differences, clauses and tables; everything else reaches it rewritten to these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sudoku_models.engine.base import CompiledBase
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Projection,
    Reason,
    Request,
    Search,
)
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
        self.model, self.step = model, 1 if options.order == "up" else -1
        self.of: dict[str, list[Constraint]] = {name: [] for name in model.names}
        for constraint in model.constraints:
            for name in constraint.scope:
                self.of[name].append(constraint)

    @property
    def native(self) -> Model:
        """The model itself."""
        return self.model

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield the solutions."""
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        projection, count = Projection(self.model, request.keep), 0
        left = self._started(narrowed_domains(self.model.domains, request.domains))
        try:
            for found in self._found(left, {}, clock) if left is not None and request.limit != 0 else ():
                solution = tuple(found[name] for name in self.model.names)
                if projection.new(solution):
                    count += 1
                    yield solution
                if count == request.limit:
                    return Ending(Reason.LIMIT)
        except OutOfTime:
            return Ending(Reason.TIME)
        return Ending(Reason.LIMIT if request.limit == 0 else Reason.EXHAUSTED)

    def _started(self, left: Left) -> Left | None:
        """Return the domains that constraints over one variable leave; None when there is nothing to search."""
        for constraint in self.model.constraints:
            if not constraint.scope and not constraint.holds({}):
                return None
            if len(constraint.scope) == 1:
                x = constraint.scope[0]
                left[x] = tuple(v for v in left[x] if constraint.holds({x: v}))
        return left if all(left.values()) else None

    def _found(self, left: Left, values: dict[str, int], clock: Budget) -> Iterator[dict[str, int]]:
        """Yield every way to give the variables in ``left`` one of their values."""
        if not left:
            yield dict(values)
            return
        if clock.expired:
            raise OutOfTime
        name = min(left, key=lambda x: len(left[x]))
        for value in left[name][:: self.step]:
            values[name] = value
            rest = self._ahead(name, {x: domain for x, domain in left.items() if x != name}, values)
            if rest is not None:
                yield from self._found(rest, values, clock)
            del values[name]

    def _ahead(self, name: str, left: Left, values: dict[str, int]) -> Left | None:
        """Take from the open variables what the new value rules out; None when one of them has nothing left."""
        for constraint in self.of[name]:
            unset = [x for x in constraint.scope if x in left]
            if isinstance(constraint, AllDifferent):
                for x in unset:
                    left[x] = tuple(v for v in left[x] if v != values[name])
            elif len(unset) == 1:
                x = unset[0]
                left[x] = tuple(v for v in left[x] if constraint.holds({**values, x: v}))
            elif not unset and not constraint.holds(values):
                return None
            if not all(left[x] for x in unset):
                return None
        return left


class Lookahead:
    """The backend."""

    name = "lookahead"
    Options = Options
    capabilities = Capabilities(
        kinds=frozenset({AllDifferent, Compare, InDomain, Table}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT}),
    )

    def capabilities_with(self, options: Options) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: Options) -> Compiled:
        """Sort the constraints by their variables."""
        return Compiled(model, options)


BACKEND = Lookahead()
