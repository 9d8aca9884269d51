"""A problem as atoms: houses, rules of few cells, and the single constraints of rules about many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ..model import AllDifferent, And, Compare, Constraint, Domain, Linear, Model, Regular
from ..puzzle import Puzzle
from ..puzzle.rules.board import Board
from .atoms import Atom, Group, House, Listed, Loose, Revising, Sum, Word

MOST_CELLS = 12
"""Rules of more cells are taken constraint by constraint."""
MOST_ROWS = 20_000
"""The most solutions of an atom that are listed."""


class TooLargeError(Exception):
    """An atom has too many solutions to be listed."""


class Stating:
    """Makes the atoms of a problem. ``names`` are its cells, ``full`` their candidates before any given."""

    def __init__(self, problem: Puzzle | Model, late: Callable[[], bool] = lambda: False) -> None:
        """State the houses and the rules of a puzzle, or the constraints of a model one by one.

        What is not stated when it gets ``late`` is left out.
        """
        self.problem, self._late = problem, late
        self.auxiliary: dict[str, tuple[Domain, tuple[Constraint, ...]]] = {}
        self.atoms: list[Atom] = []
        if isinstance(problem, Model):
            self._begin(problem.names, problem.domains, ())
            for constraint in problem.constraints:
                self.state(constraint, str(constraint), [constraint])
        else:
            self._puzzle(problem)

    def _begin(self, names: Iterable[str], domains: Mapping[str, Domain], houses: Iterable[Iterable[str]]) -> None:
        self.names = tuple(names)
        self.index = {x: i for i, x in enumerate(self.names)}
        self.domains: dict[str, Domain] = {**domains, **{x: values for x, (values, _) in self.auxiliary.items()}}
        self.low = min((values[0] for values in self.domains.values() if values), default=0)
        self.full = [self.mask(self.domains[x]) for x in self.names]
        self.houses = [frozenset(house) for house in houses]

    def _puzzle(self, puzzle: Puzzle) -> None:
        shape, board = puzzle.shape, Board(puzzle.shape, puzzle.rules)
        stated = [(rule, list(rule.constraints(board))) for rule in puzzle.rules]
        self.auxiliary = {x: (v.domain, definition) for x, (v, definition) in board.auxiliaries.items()}
        self._begin(board.names, {x: board.domain(x) for x in board.names}, board.houses)
        for house, constraint in zip(shape.houses, shape.constraints(), strict=True):
            self.state(house.name, house.name, [constraint])
        for rule, constraints in stated:
            scope = {x for c in constraints for x in c.scope if x in self.index}
            if len(scope) <= MOST_CELLS:
                self.state(rule, str(rule), constraints)
            else:
                for c in constraints:
                    self.state(rule, self._label(str(rule).split(" (")[0], c), [c])

    def _label(self, title: str, constraint: Constraint) -> str:
        cells = [x for x in dict.fromkeys(constraint.scope) if x in self.index]
        return f"{title} ({' '.join(cells[:6])}{' ...' if len(cells) > 6 else ''})" if len(cells) < 20 else title

    def mask(self, values: Iterable[int]) -> int:
        """Return values as a mask."""
        return sum(1 << (value - self.low) for value in values)

    def state(self, part: object, label: str, constraints: Sequence[Constraint]) -> None:
        """Make an atom of some constraints; several where they are too many to be taken together."""
        if not constraints or self._late():
            return
        every, names = self._closed(constraints)
        visible = sorted((x for x in names if x in self.index), key=self.index.__getitem__)
        hidden = sorted(x for x in names if x not in self.index)
        if len(every) == 1 and not hidden and (single := self._single(every[0])) is not None:
            xs, how = single
            self._add(part, label, xs, how, every)
            return
        apart = self._apart(visible) if len(visible) <= MOST_CELLS else []
        try:
            rows = rows_of([*visible, *hidden], self.domains, [*every, *apart], len(visible))
        except TooLargeError:
            self._grouped(part, label, visible, hidden, [*every, *apart])
            return
        how = Listed((rows - self.low).tolist(), len(visible))
        self._add(part, label, visible, how, [*every, *apart], len(rows))

    def _add(
        self, part: object, label: str, xs: Sequence[str], how: Revising, stated: Iterable[Constraint], rows: int = 0
    ) -> None:
        self.atoms.append(Atom(label, tuple(self.index[x] for x in xs), how, tuple(stated), part, rows))

    def _apart(self, visible: Sequence[str]) -> list[Constraint]:
        """Return that those of some cells differ that share a house."""
        pairs = combinations(visible, 2)
        return [Compare(a, "!=", b) for a, b in pairs if any(a in house and b in house for house in self.houses)]

    def _closed(self, constraints: Sequence[Constraint]) -> tuple[list[Constraint], set[str]]:
        """Add the definitions of the auxiliary variables that are used, and those that they use."""
        found, names, waiting = list(constraints), set[str](), list(constraints)
        while waiting:
            for x in waiting.pop().scope:
                if x not in names:
                    names.add(x)
                    more = [c for c in self.auxiliary[x][1] if c not in found] if x in self.auxiliary else []
                    found += more
                    waiting += more
        return found, names

    def _single(self, constraint: Constraint) -> tuple[tuple[str, ...], Revising] | None:
        """Return what works on one constraint exactly, by its kind; None for other kinds."""
        xs = constraint.scope
        if len(set(xs)) < len(xs):
            return None
        if isinstance(constraint, AllDifferent):
            values = self.mask({v for x in xs for v in self.domains[x]})
            return xs, House(values, values.bit_count() == len(xs))
        if isinstance(constraint, Linear) and len(constraint.xs) == len(xs) and len(xs) > 4:
            names = tuple(constraint.scope)
            return names, Sum(tuple(constraint.coeffs), constraint.op, constraint.k, self.low)
        if isinstance(constraint, Regular) and len(xs) > 4:
            return xs, Word(constraint, self.low)
        return None

    def _grouped(
        self, part: object, label: str, visible: Sequence[str], hidden: Sequence[str], every: Sequence[Constraint]
    ) -> None:
        """Keep constraints that have too many solutions together as one atom, followed to its fixpoint."""
        names = [*visible, *hidden]
        place = {x: i for i, x in enumerate(names)}
        inner = [(tuple(place[x] for x in xs), how) for xs, how in map(self._inner, _flat(every))]
        users: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(names)), ())
        for number, (places, _) in enumerate(inner):
            for i in dict.fromkeys(places):
                users[i] = (*users[i], number)
        masks = tuple(self.mask(self.domains[x]) for x in hidden)
        self._add(part, label, visible, Group(len(visible), masks, tuple(inner), users), every)

    def _inner(self, constraint: Constraint) -> tuple[tuple[str, ...], Revising]:
        if (single := self._single(constraint)) is not None:
            return single
        names = tuple(dict.fromkeys(constraint.scope))
        try:
            rows = rows_of(names, self.domains, [constraint], len(names))
        except TooLargeError:
            return names, Loose(constraint, names, self.low)
        return names, Listed((rows - self.low).tolist(), len(names))


def _flat(constraints: Iterable[Constraint]) -> list[Constraint]:
    found: list[Constraint] = []
    for c in constraints:
        found += _flat(c.parts) if isinstance(c, And) else [c]
    return found


def rows_of(names: Sequence[str], domains: Mapping[str, Domain], constraints: Iterable[Constraint], kept: int) -> Any:
    """Return all solutions of some constraints as an array of values, a row each: of the first ``kept`` variables.

    Grown variable by variable and filtered by what is settled by then, sums also by their bounds. TooLargeError above
    ``MOST_ROWS`` rows.
    """
    left, found = _flat(constraints), np.zeros((1, 0), np.int64)
    place: dict[str, int] = {}
    for x in _order(names, left):
        values = np.array(domains[x], np.int64)
        if len(found) * len(values) > MOST_ROWS * 20:
            raise TooLargeError
        found = np.hstack([np.repeat(found, len(values), 0), np.tile(values, len(found))[:, None]])
        place[x] = len(place)
        for c in left:
            if x in c.scope:
                found = found[_fits(c, x, found, place, domains)]
        if len(found) > MOST_ROWS * 3:
            raise TooLargeError
    result = found[:, [place[x] for x in names[:kept]]]
    result = np.unique(result, axis=0) if kept < len(names) else result
    if len(result) > MOST_ROWS:
        raise TooLargeError
    return result


def _fits(c: Constraint, x: str, rows: Any, place: Mapping[str, int], domains: Mapping[str, Domain]) -> Any:
    """Tell of each row whether it may still satisfy a constraint, now that ``x`` has a value."""
    if isinstance(c, AllDifferent):
        keep = np.ones(len(rows), bool)
        for y in c.scope:
            if y in place and y != x:
                keep &= rows[:, place[y]] != rows[:, place[x]]
        return keep
    if isinstance(c, Linear):
        return _sums(c, rows, place, domains)
    if set(c.scope) <= place.keys():
        if len(rows) > MOST_ROWS * 5:
            raise TooLargeError
        return np.asarray(c.holds_many({y: rows[:, place[y]] for y in c.scope}), bool)
    return np.ones(len(rows), bool)


def _sums(c: Linear, rows: Any, place: Mapping[str, int], domains: Mapping[str, Domain]) -> Any:
    total, low, high = np.zeros(len(rows), np.int64), 0, 0
    for coefficient, y in zip(c.coeffs, c.xs, strict=True):
        name = y if isinstance(y, str) else y.name
        if name in place:
            total += coefficient * rows[:, place[name]]
        else:
            ends = coefficient * domains[name][0], coefficient * domains[name][-1]
            low, high = low + min(ends), high + max(ends)
    strict, keep = int(c.op in ("<", ">")), np.ones(len(rows), bool)
    if c.op in ("==", "<=", "<"):
        keep &= total + low <= c.k - strict
    if c.op in ("==", ">=", ">"):
        keep &= total + high >= c.k + strict
    return keep & (total != c.k) if c.op == "!=" and set(c.scope) <= place.keys() else keep


def _order(names: Sequence[str], constraints: Sequence[Constraint]) -> list[str]:
    """Order variables so that each next one settles as much as it can."""
    scopes, left, order = [frozenset(c.scope) for c in constraints], list(names), set[str]()
    found: list[str] = []
    while left:
        best = max(left, key=lambda x: _worth(x, scopes, order))
        left.remove(best)
        order.add(best)
        found.append(best)
    return found


def _worth(x: str, scopes: Sequence[frozenset[str]], order: set[str]) -> tuple[int, int, int]:
    mine = [scope for scope in scopes if x in scope]
    return sum(scope <= order | {x} for scope in mine), sum(bool(scope & order) for scope in mine), len(mine)
