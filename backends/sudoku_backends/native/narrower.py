"""The model from which the network is built: one in which all values lie within the numbers of a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from sudoku_models.model import AllDifferent, Constraint, Domain, InDomain, Model, Objective, Variable

from .numbered import Numbered, without_numbers

if TYPE_CHECKING:
    from .digits import Parted
    from .narrowing import Narrowing

Places = tuple[tuple[int, int], ...]
"""The places of the variables of pairs that are all different."""


@dataclass(frozen=True)
class Narrower:
    """An equivalent model within a word, and how the values of wide variables follow from its solutions.

    Its variables are those of the stated model, in which wide ones have a single value, followed by hidden ones.
    ``reason`` says why there is no such model.
    """

    model: Model
    pairs: tuple[Places, ...] = ()
    numbered: tuple[Numbered, ...] = ()
    parted: tuple[Parted, ...] = ()
    reason: str | None = None


def narrower(model: Model, most: int) -> Narrower:
    """Return an equivalent model whose values lie within ``most`` consecutive numbers; it is kept on the model."""
    key = ("native", "narrower", most)
    found = model.memo.get(key)
    if not isinstance(found, Narrower):
        found = model.memo[key] = Narrower(model) if _span(model) < most else _narrower(model, most)
    return found


def _span(model: Model) -> int:
    """Return how far apart the values of a model lie."""
    filled = [values for values in model.variables.unlike if values]
    return max([values[-1] for values in filled], default=0) - min([values[0] for values in filled], default=0)


def _narrower(model: Model, most: int) -> Narrower:
    rest, groups = without_numbers(model, most)
    if _span(rest) < most:
        pairs = tuple(tuple((one.a, one.b) for one in group) for group in groups)
        return Narrower(rest, pairs, tuple(chain.from_iterable(groups)))
    return _in_digits(model, most)


def _in_digits(model: Model, most: int) -> Narrower:
    """Return a model with the digits of wide variables, and other hidden variables, as further variables."""
    from .digits import Parted, TooWide, digits_of
    from .narrowing import Narrowing

    named, beside = _allowed(model)
    groups, constraints = list[Sequence[str]](), list[Constraint]()
    try:
        digits, wide = digits_of(named, most)
        to = Narrowing(named, wide, digits)
        for c in beside:
            if isinstance(c, AllDifferent) and _are_pairs(c, to):
                groups.append(c.xs)
            else:
                constraints.append(to(c))
        objective = _objective(model, to)
    except TooWide as reason:
        return Narrower(model, reason=str(reason))
    stated = [Variable(x, (digits.zero,) if x in wide else d) for x, d in named.items()]
    made = Model([*stated, *to.variables()], [*constraints, *to.stated], objective)
    places = {x: tuple(made.index[part] for part in parts) for x, parts in to.parts.items()}
    parted = tuple(Parted(model.index[x], found, digits) for x, found in places.items())
    return Narrower(made, tuple(tuple((places[x][0], places[x][1]) for x in group) for group in groups), parted=parted)


def _allowed(model: Model) -> tuple[dict[str, Domain], list[Constraint]]:
    """Return the domains that constraints on single variables leave, and the constraints that are not in them."""
    left = dict(model.domains)
    beside: list[Constraint] = []
    for c in model.constraints:
        allowed = frozenset(c.values) if isinstance(c, InDomain) else frozenset[int]()
        if isinstance(c, InDomain) and (both := tuple(filter(allowed.__contains__, left[c.x]))):
            left[c.x] = both
        else:
            beside.append(c)
    return left, beside


def _are_pairs(c: AllDifferent, to: Narrowing) -> bool:
    """Return whether variables that all differ are pairs of digits."""
    return len(to.digits.weights) == 2 and to.parts.keys() >= {*c.xs} and 1 < len({*c.xs}) == len(c.xs)


def _objective(model: Model, to: Narrowing) -> Objective | None:
    if model.objective is None:
        return None
    coeffs, xs, beside = to.terms(model.objective.coeffs, model.objective.xs)
    return Objective(model.objective.sense, coeffs, xs, model.objective.constant + beside)
