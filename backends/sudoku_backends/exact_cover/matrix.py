"""The items and options of a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sudoku_models.model import AllDifferent, Compare, Constraint, Domain, InDomain, Model, Table

Option = tuple[str, int]
"""A variable's name and a value for it."""

Item = tuple[object, ...]
"""The meaning of an item: ``("variable", name)``, ``("house", number, value)``, ``("group", number, value)`` for
another AllDifferent, ``("pair", number, value)`` for a constraint on two variables; numbers are those of the
constraints.
"""

LARGEST = 2_000_000
"""The largest number of pairs of values of a constraint on two variables."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint cannot be stated as items; None if it can."""
    if isinstance(constraint, Table) and len(constraint.scope) > 2:
        return f"a Table over {len(constraint.scope)} variables is not an exact cover: at most two are"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for constraint in model.constraints:
        if isinstance(constraint, Compare | Table) and len(constraint.scope) == 2:
            x, y = (model.domains[name] for name in constraint.scope)
            if len(x) * len(y) > LARGEST:
                return f"{len(x) * len(y)} pairs of values of one constraint are too many: {LARGEST} are taken"
    return None


@dataclass
class CoverMatrix:
    """The options of a model, and for each item the options that cover it.

    ``options`` are in the order of the variables, then of the values. ``impossible`` is true if the model was found to
    have no solution while it was stated.
    """

    options: list[Option] = field(default_factory=list)
    primary: dict[Item, list[Option]] = field(default_factory=dict)
    secondary: dict[Item, list[Option]] = field(default_factory=dict)
    impossible: bool = False


def matrix_of(model: Model) -> CoverMatrix:
    """State a model as items and options."""
    domains = _domains(model)
    found = CoverMatrix([(name, value) for name, values in domains.items() for value in values])
    for name, values in domains.items():
        found.primary["variable", name] = [(name, value) for value in values]
    for number, constraint in enumerate(model.constraints):
        if isinstance(constraint, AllDifferent):
            _different(found, number, constraint.xs, domains)
        elif len(constraint.scope) == 2:
            _pairs(found, number, constraint, domains)
        elif not constraint.scope:
            found.impossible |= not constraint.holds({})
    return found


def _domains(model: Model) -> dict[str, Domain]:
    """Return the domains, narrowed by the constraints on one variable."""
    domains = dict(model.domains)
    for constraint in model.constraints:
        if len(constraint.scope) == 1 and isinstance(constraint, InDomain | Compare | Table):
            x = constraint.scope[0]
            domains[x] = tuple(v for v in domains[x] if constraint.holds({x: v}))
    return domains


def _different(found: CoverMatrix, number: int, xs: Sequence[str], domains: Mapping[str, Domain]) -> None:
    places: dict[int, list[Option]] = {}
    for x in xs:
        for value in domains[x]:
            places.setdefault(value, []).append((x, value))
    found.impossible |= len(places) < len(xs)
    house = len(places) == len(xs)
    for value, options in places.items():
        if house:
            found.primary["house", number, value] = options
        elif len(options) > 1:
            found.secondary["group", number, value] = options


def _pairs(found: CoverMatrix, number: int, constraint: Constraint, domains: Mapping[str, Domain]) -> None:
    """Make one item for each value of the first variable, covered by that option and by all that it excludes.

    These exclude each other anyway, being values of one variable.
    """
    x, y = constraint.scope
    for a in domains[x]:
        excluded = [(y, b) for b in domains[y] if not constraint.holds({x: a, y: b})]
        if excluded:
            found.secondary["pair", number, a] = [(x, a), *excluded]


def items_of(matrix: CoverMatrix) -> dict[Option, list[Item]]:
    """Return the items that each option covers."""
    found: dict[Option, list[Item]] = {option: [] for option in matrix.options}
    for items in (matrix.primary, matrix.secondary):
        for item, options in items.items():
            for option in options:
                found[option].append(item)
    return found


def outside(options: Iterable[Option], narrow: Mapping[str, Collection[int]]) -> list[int]:
    """Return the numbers of the options whose value is not in the domain left to their variable."""
    return [number for number, (name, value) in enumerate(options) if name in narrow and value not in narrow[name]]
