"""The backend ``native``: what it takes, and its options. Its engine is loaded when a model is compiled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.contract import Capabilities, Feature
from sudoku_models.engine.machine_code.library import forbidden
from sudoku_models.errors import BadOption
from sudoku_models.model import Constraint, Model
from sudoku_models.model.kinds import *

if TYPE_CHECKING:
    from .compiled import CompiledNative

# ---------------------------------------------------------------- what it takes

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        AllDifferent, And, Compare, Connected, Count, Element, Implies, InDomain, LexLess, LexLessWhere, Linear, MinMax,
        MultisetEqual, NoSubsetSum, Not, NValue, Or, Regular, Table,
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
        case Connected() | LexLessWhere() | MultisetEqual() | NoSubsetSum():
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
    "group-sizes", "joined-relations", "different-letters", "house-sums", "value-sets",
)  # fmt: skip
"""The names of what is derived from several constraints together; see ``network.reductions``."""

REASONING = {
    "locked": 1, "common-peers": 2, "cliques": 4, "hidden": 8, "restarts": 16,
}  # fmt: skip
"""The reasoning that the kernel can leave out, with its SKIP_ bits: values locked in part of a house, common peers of
required values, sums over groups of different cells, the last place of a value, and restarting a search that finds
nothing."""


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
        from .compiled import CompiledNative

        return CompiledNative(model, options)


BACKEND = Native()
if forbidden():  # as plain Python it answers, but too slowly to be chosen by ``auto``
    BACKEND.capabilities = replace(Native.capabilities, preferred=False)
