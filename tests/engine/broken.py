"""A backend that answers each question with whatever it is told to; child processes import it by this module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sudoku_models.engine.base import StatedAnew
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request
from sudoku_models.engine.record import Record
from sudoku_models.model import AllDifferent, Compare, InDomain, Linear, Model, brute_force


class Strange(Ending):
    """An ending with fields of other types."""


ENDINGS: dict[str, Any] = {
    "nothing": None,
    "a reason": Reason.EXHAUSTED,
    "an unknown reason": Strange("finished"),  # type: ignore[arg-type]
    "a bound that is a text": Strange(Reason.EXHAUSTED, "7"),  # type: ignore[arg-type]
    "a bound that is a fraction": Strange(Reason.TIME, 0.5),  # type: ignore[arg-type]
}
CORES: dict[str, Any] = {
    "a number": 7,
    "a list": [1],
    "numbers beyond the parts": (1, 99),
    "fractions": (1.0, 1.5),
    "truths": (True, False),
}


FEATURES = frozenset([Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.OBJECTIVE, Feature.ASSUME])


@dataclass(frozen=True)
class BrokenOptions:
    """The answers, by their names, and the number of solutions that come before the end."""

    ending: str = ""
    core: str = ""
    solutions: int = 0


class Broken:
    """Declares everything."""

    name = "broken"
    Options = BrokenOptions
    capabilities = Capabilities(frozenset({AllDifferent, Compare, InDomain, Linear}), FEATURES)

    def capabilities_with(self, options: BrokenOptions) -> Capabilities:
        return self.capabilities

    def compile(self, model: Model, options: BrokenOptions) -> BrokenCompiled:
        return BrokenCompiled(model, options)


class BrokenCompiled:
    native = None

    def __init__(self, model: Model, options: BrokenOptions) -> None:
        self.model, self.options = model, options

    def search(self, request: Request, budget: Budget, record: Record) -> Any:
        narrowed = self.model.narrowed(request.domains)
        for number, row in enumerate(brute_force(narrowed)):
            if self.options.ending and number >= self.options.solutions:
                break
            if number == request.limit:
                return Ending(Reason.LIMIT)
            yield row
        return ENDINGS.get(self.options.ending, Ending(Reason.EXHAUSTED))

    def assume(self) -> Any:
        return BrokenParts(self.model, self.options)


class BrokenParts(StatedAnew):
    """Names a core in no way that is declared."""

    def __init__(self, model: Model, options: BrokenOptions) -> None:
        super().__init__(model, lambda stated: BrokenCompiled(stated, options))
        self.core = CORES.get(options.core)

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Any:
        stated = self.model.with_(*(c for number in switches for c in self._parts[number - 1]))
        ending = yield from self._state(stated).search(request, budget, record)
        if type(ending) is Ending and self.core is None:
            return replace(ending, failed=tuple(switches))
        return ending if self.core is None else Strange(ending.reason, failed=self.core)


BACKEND = Broken()
