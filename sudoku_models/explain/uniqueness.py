"""Arguments from uniqueness: they hold only if the author guarantees that there is one solution.

A *deadly pattern* is a set of cells with two candidates each, such that no constraint is sensitive to exchanging all of
them together: a solution inside the pattern would have a twin. So in a puzzle with one solution some cell of the
pattern has another value. A unique rectangle is the pattern of four cells in two rows and two columns, a loop that of
more cells with the same two candidates; another is what is left of a board when each open cell has two candidates (BUG,
"bivalue universal grave"). Each constraint itself is tested for this sensitivity, so the patterns hold for every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod

from ..model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    Domain,
    InDomain,
    Linear,
    MultisetEqual,
    NValue,
    Or,
    Table,
)
from ..model.logic import parts_of
from ..puzzle import Shape

MOST_MORE = 3
"""The most cells with more than two candidates around which open cells may be a deadly pattern."""

LONGEST_LOOP = 14
"""The most cells of a loop."""

MOST_CHAINS = 20_000
"""The most chains that are tried for the loops of two values; boards with more have easier steps."""

RECTANGLE, LOOP, GRAVE = "unique rectangle", "unique loop", "BUG"

Pairs = Mapping[str, tuple[int, int]]
"""Two values for each of some cells."""


@dataclass(frozen=True)
class Assumption:
    """A deadly pattern: its ``name``, ``where`` it is in words, and what uniqueness says of it (``stated``).

    ``cells`` are the two values of each cell of a loop or a grave, ``crosswise`` the pairs of values that the corners
    of a rectangle do not have crosswise.
    """

    name: str
    where: str
    stated: Constraint
    cells: Pairs = field(default_factory=dict, compare=False)
    crosswise: frozenset[tuple[int, int]] = frozenset()

    @property
    def label(self) -> str:
        """Say that it is assumed, and where."""
        return f"the assumption of one solution ({self.where})"


def rectangles(shape: Shape, exchange: Exchange, check: Callable[[], object] = lambda: None) -> Iterator[Assumption]:
    """Yield what the rectangles with exchangeable values forbid. ``check`` is called repeatedly."""
    wide = shape.width
    houses = [frozenset(shape.names[c] for c in house.cells) for house in shape.houses]
    plain = {c for c in exchange.differing if frozenset(c.scope) in houses}
    of = {x: sum(1 << i for i, house in enumerate(houses) if x in house) for x in shape.names}
    for upper, lower in combinations(range(0, shape.cells, wide), 2):
        check()
        for i, j in combinations(range(wide), 2):
            corners = tuple(shape.names[cell] for cell in (upper + i, upper + j, lower + i, lower + j))
            a, b, c, d = corners
            if of[a] | of[d] == of[b] | of[c] and not of[a] & of[d] | of[b] & of[c]:  # no house loses a value
                alone = plain.issuperset(exchange.touching(corners))
                if pairs := list(_exchangeable(corners, exchange, alone)):
                    yield _rectangle(corners, pairs, exchange)


def _exchangeable(corners: Sequence[str], exchange: Exchange, alone: bool) -> Iterator[tuple[int, int]]:
    """Yield the pairs of values that no constraint distinguishes; ``alone``: there are only houses, which do not."""
    a, b, c, d = corners
    common = set(exchange.domains[a]).intersection(*(exchange.domains[x] for x in (b, c, d)))
    for x, y in combinations(sorted(common), 2):
        if alone or exchange.goes_unnoticed({a: x, b: y, c: y, d: x}, {a: y, b: x, c: x, d: y}):
            yield x, y


def _rectangle(corners: Sequence[str], pairs: Sequence[tuple[int, int]], exchange: Exchange) -> Assumption:
    """Return a constraint that the values at the corners are not two of ``pairs``, crosswise."""
    a, b, c, d = corners
    values = {v for x in corners for v in exchange.domains[x]}
    if len(pairs) == len(values) * (len(values) - 1) // 2:
        forbidden: Constraint = Or(Compare(a, "!=", d), Compare(b, "!=", c))
    else:
        forbidden = Table(tuple(corners), [way for x, y in pairs for way in ((x, y, y, x), (y, x, x, y))], False)
    return Assumption(RECTANGLE, " ".join(corners), forbidden, crosswise=frozenset(pairs))


def graves(candidates: Mapping[str, Sequence[int]], exchange: Exchange) -> Iterator[Assumption]:
    """Yield what follows if all open cells but a few have two exchangeable candidates left."""
    left = {x: tuple(values) for x, values in candidates.items() if len(values) > 1}
    more = [x for x, values in left.items() if len(values) > 2]
    if not 1 <= len(more) <= MOST_MORE or any(len(left[x]) > 3 for x in more[1:]):
        return
    for kept in product(*(combinations(left[x], 2) for x in more)):
        pairs = {x: (values[0], values[1]) for x, values in left.items()} | dict(zip(more, kept, strict=True))
        cells, ways = two_ways(more[0], pairs, exchange.differing)
        if set(more) <= cells and (ways is None or exchange.goes_unnoticed(*ways)):
            inside = {x: pairs[x] for x in pairs if x in cells}
            yield Assumption(GRAVE, f"all {len(cells)} open cells", _not_all_in(inside, exchange), inside)


def loops(candidates: Mapping[str, Sequence[int]], exchange: Exchange) -> Iterator[Assumption]:
    """Yield what follows if all cells of a loop but a few have the same two candidates left, which are exchangeable.

    Cells with other candidates are at most two, or all have the same one.
    """
    for low, high in sorted({(v[0], v[1]) for v in candidates.values() if len(v) == 2}):
        known = set[frozenset[frozenset[str]]]()
        more = {x: {*v} - {low, high} for x, v in candidates.items() if low in v and high in v}
        for cells in _loops(more, exchange.differing):
            halves = frozenset((frozenset(cells[::2]), frozenset(cells[1::2])))
            first, second = ({x: (low, high)[(i + odd) % 2] for i, x in enumerate(cells)} for odd in (0, 1))
            if halves not in known and exchange.goes_unnoticed(first, second):
                inside = dict.fromkeys(cells, (low, high))
                yield Assumption(LOOP, " ".join(cells), _not_all_in(inside, exchange), inside)
            known.add(halves)


def _loops(more: Mapping[str, Set[int]], differing: Sequence[AllDifferent]) -> Iterator[tuple[str, ...]]:
    """Yield closed chains of more than four cells, each of which differs from the next.

    ``more`` are the other candidates of the cells. Cells that differ are none of a loop or two: one at an even and one
    at an odd place.
    """
    groups: dict[str, list[int]] = {x: [] for x in more}
    for number, constraint in enumerate(differing):
        for x in constraint.scope:
            if x in groups:
                groups[x].append(number)
    inside = [[x for x in constraint.scope if x in more] for constraint in differing]
    near = {x: dict.fromkeys(y for g in numbers for y in inside[g] if y != x) for x, numbers in groups.items()}
    begun, left = set[str](), MOST_CHAINS
    for start in (x for x, others in more.items() if not others):
        begun.add(start)
        first = frozenset((g, 0) for g in groups[start])
        waiting: list[tuple[tuple[str, ...], frozenset[tuple[int, int]], list[Set[int]]]] = [((start,), first, [])]
        while waiting and left:
            cells, used, others = waiting.pop()
            odd, left = len(cells) % 2, left - 1
            if not odd and len(cells) > 4 and start in near[cells[-1]] and all((g, 1 - at) in used for g, at in used):
                yield cells
            for y in near[cells[-1]] if len(cells) < LONGEST_LOOP else ():
                places, wider = {(g, odd) for g in groups[y]}, others + [more[y]] * bool(more[y])
                few = len(wider) < 3 or len(set().union(*wider)) == 1
                if y not in begun and few and y not in cells and used.isdisjoint(places):
                    waiting.append(((*cells, y), used | places, wider))


def two_ways(
    start: str, pairs: Pairs, differing: Sequence[AllDifferent]
) -> tuple[Set[str], tuple[Values, Values] | None]:
    """Return the cells that depend on the start cell, and the two ways to fill them; None if there is no way at all.

    Cells that differ and have each value exactly twice among their pairs contain each of these values once: the value
    of one of two cells determines the other.
    """
    links = _links(pairs, differing)
    first, waiting, possible = {start: pairs[start][0]}, [start], True
    while waiting:
        x = waiting.pop()
        for y, value in links[x]:
            found = _other(pairs[y], value) if first[x] == value else value
            if y not in first:
                first[y] = found
                waiting.append(y)
            possible = possible and first[y] == found
    return first.keys(), (first, {x: _other(pairs[x], value) for x, value in first.items()}) if possible else None


def _links(pairs: Pairs, differing: Sequence[AllDifferent]) -> dict[str, list[tuple[str, int]]]:
    """Return for each cell the others that must have a value if it does not, and the other way round."""
    links: dict[str, list[tuple[str, int]]] = {x: [] for x in pairs}
    for constraint in differing:
        where: dict[int, list[str]] = {}
        for x in constraint.scope:
            for value in pairs.get(x, ()):
                where.setdefault(value, []).append(x)
        if all(len(cells) == 2 for cells in where.values()):
            for value, (x, y) in where.items():
                links[x].append((y, value))
                links[y].append((x, value))
    return links


def _other(pair: tuple[int, int], value: int) -> int:
    return pair[1] if pair[0] == value else pair[0]


def _not_all_in(pairs: Pairs, exchange: Exchange) -> Constraint:
    """Return a constraint that some cells do not all have one of their two values."""
    others = ((x, [v for v in exchange.domains[x] if v not in pair]) for x, pair in pairs.items())
    return Or(*(InDomain(x, other) for x, other in others if other))


# ----------------------------------------------------------------------------
# Exchangeable values: whether a solution with some values is still one with others in their place.


MOST_TRIED = 1_000
"""A constraint for which more combinations of other values would have to be tried counts as sensitive."""

Values = Mapping[str, int]


class Exchange:
    """The constraints of a problem, which are tested for sensitivity to an exchange of values."""

    def __init__(self, constraints: Iterable[Constraint], domains: Mapping[str, Domain]) -> None:
        """Store constraints and the values that their variables can have."""
        self.domains = domains
        self.users: dict[str, list[Constraint]] = {}
        self.differing: list[AllDifferent] = []
        for constraint in dict.fromkeys(constraints):
            for x in dict.fromkeys(constraint.scope):
                self.users.setdefault(x, []).append(constraint)
            if isinstance(constraint, AllDifferent):
                self.differing.append(constraint)
        self._known: dict[tuple[Constraint, tuple[tuple[str, int, int], ...]], bool] = {}

    def goes_unnoticed(self, first: Values, second: Values) -> bool:
        """Return whether each solution with the ``first`` values is one with the ``second`` in their place, and vice
        versa.
        """
        possible = all(first[x] in self.domains[x] and second[x] in self.domains[x] for x in first)
        return possible and all(self._keeps(c, first, second) for c in self.touching(first))

    def touching(self, cells: Iterable[str]) -> list[Constraint]:
        return list(dict.fromkeys(c for x in cells for c in self.users.get(x, ())))

    def _keeps(self, constraint: Constraint, first: Values, second: Values) -> bool:
        key = constraint, tuple((x, first[x], second[x]) for x in dict.fromkeys(constraint.scope) if x in first)
        if key not in self._known:
            mine, others = ({x: values[x] for x, _, _ in key[1]} for values in (first, second))
            self._known[key] = _is_balanced(constraint, mine, others) or self._is_alike(constraint, mine, others)
        return self._known[key]

    def _is_alike(self, constraint: Constraint, first: Values, second: Values) -> bool:
        """Try all values of the other variables; return whether the constraint always gives the same result."""
        if isinstance(constraint, AllDifferent | Count):
            return False
        free = [x for x in dict.fromkeys(constraint.scope) if x not in first]
        if prod(len(self.domains[x]) for x in free) > MOST_TRIED:
            return False
        for chosen in product(*(self.domains[x] for x in free)):
            rest = dict(zip(free, chosen, strict=True))
            if constraint.holds({**rest, **first}) != constraint.holds({**rest, **second}):
                return False
        return True


def _is_balanced(constraint: Constraint, first: Values, second: Values) -> bool:
    """Return whether a constraint is insensitive by its kind: it has the same values in both cases, or the same sum."""
    if parts := parts_of(constraint):
        return all(_is_balanced(part, first, second) for part in parts)
    if isinstance(constraint, Linear):
        terms = [(k, x) for k, x in zip(constraint.coeffs, constraint.xs, strict=True) if x in first]
        return sum(k * first[x] for k, x in terms) == sum(k * second[x] for k, x in terms)
    if isinstance(constraint, Count):
        counted = [sum(v[x] in constraint.values for x in constraint.xs if x in first) for v in (first, second)]
        return constraint.y not in first and counted[0] == counted[1]
    if isinstance(constraint, NValue):
        return constraint.y not in first and _same(constraint.xs, first, second)
    if isinstance(constraint, MultisetEqual):
        return _same(constraint.xs, first, second) and _same(constraint.ys, first, second)
    if isinstance(constraint, AllDifferent):
        return _same(constraint.xs, first, second)
    return not any(x in first for x in constraint.scope)


def _same(xs: Iterable[str], first: Values, second: Values) -> bool:
    """Return whether variables have the same values in both cases, in any order."""
    mine = [x for x in xs if x in first]
    return sorted(first[x] for x in mine) == sorted(second[x] for x in mine)
