"""A problem as atoms: houses, rules of few cells, and the single constraints of rules about many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from ..errors import LimitReached
from ..lowering.negation import pushed
from ..model import (
    AllDifferent,
    And,
    Compare,
    Constraint,
    Domain,
    Implies,
    InDomain,
    LexLessWhere,
    Linear,
    Model,
    NoSubsetSum,
    Not,
    Or,
    Table,
    constraints_of,
)
from ..puzzle import Puzzle, Shape
from ..puzzle.rules.board import Board
from ..puzzle.rules.rule_base import Rule
from ..puzzle.rules.words import value_text
from .atoms import (
    READ,
    Atom,
    Either,
    Form,
    Group,
    House,
    Listed,
    Loose,
    Packed,
    Part,
    Word,
    as_words,
    bits,
)
from .explanation import as_run
from .uniqueness import Assumption, Exchange, graves, loops, rectangles

MOST_ROWS = 20_000
"""The most solutions of an atom that are listed."""

SMALL = 10_000
"""Values below this are stored as short integers, which takes a quarter of the time."""

Columns = Mapping[str, Any]
Domains = Mapping[str, Domain]


class TooLargeError(Exception):
    """An atom has too many solutions to be listed."""


def flat(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return constraints with every And replaced by its parts."""
    found: list[Constraint] = []
    for c in constraints:
        found += flat(c.parts) if isinstance(c, And) else [c]
    return found


def in_parts(constraints: Iterable[Constraint], domains: Domains) -> tuple[Constraint, ...]:
    """Return constraints with those that compare or add up many cells replaced by what they say of a few."""
    found = ((*c.parts(domains),) if isinstance(c, LexLessWhere | NoSubsetSum) else (c,) for c in constraints)
    return tuple(chain.from_iterable(found))


def rows_of(
    names: Sequence[str],
    domains: Domains,
    constraints: Iterable[Constraint],
    kept: int,
    check: Callable[[], object] = lambda: None,
) -> Any:
    """Return all solutions of some constraints as an array with a row for each, over the first ``kept`` variables.

    Rows grow variable by variable and are filtered by the constraints settled so far, sums also by their bounds.
    TooLargeError above ``MOST_ROWS`` rows. ``check`` is called repeatedly; an exception from it ends the work.
    """
    left, columns = flat(constraints), dict[str, Any]()
    number = int(all(c.holds({}) for c in left if not c.scope))
    kind = np.int16 if all(v[0] > -SMALL and v[-1] < SMALL for v in map(domains.__getitem__, names) if v) else np.int64
    for x in _order(names, left):
        check()
        values = np.array(domains[x], kind)
        if number * len(values) > MOST_ROWS * 20:
            raise TooLargeError
        columns = {y: np.repeat(column, len(values)) for y, column in columns.items()}
        columns[x] = np.tile(values, number)
        number = len(columns[x])
        for c in sorted((c for c in left if x in c.scope), key=_work):
            keep = _fits(c, x, columns, domains)
            if keep is not None and not keep.all():
                columns = {y: column[keep] for y, column in columns.items()}
        number = len(columns[x])
        if number > MOST_ROWS * 3:
            raise TooLargeError
    found = np.array([columns[x] for x in names[:kept]], np.int64).reshape(kept, number).T
    found = np.unique(found, axis=0) if kept < len(names) else found
    if len(found) > MOST_ROWS:
        raise TooLargeError
    return found


def _work(c: Constraint) -> bool:
    """Order constraints so that those that are quickly evaluated come first."""
    return not isinstance(c, AllDifferent | Linear | Compare | InDomain)


def _fits(c: Constraint, x: str, columns: Columns, domains: Domains) -> Any:
    """Return which rows may still satisfy a constraint, now that ``x`` has a value; None if all may."""
    if isinstance(c, AllDifferent):
        keep = np.ones(len(columns[x]), bool)
        for y in c.scope:
            if y in columns and y != x:
                keep &= columns[y] != columns[x]
        return keep
    if isinstance(c, Linear):
        return _sums(c, len(columns[x]), columns, domains)
    return holds_many(c, columns, len(columns[x]), domains) if columns.keys() >= set(c.scope) else None


def _sums(c: Linear, number: int, columns: Columns, domains: Domains) -> Any:
    total, low, high = np.zeros(number, np.int64), 0, 0
    for coefficient, y in zip(c.coeffs, c.xs, strict=True):
        if y in columns:
            total += coefficient * columns[y].astype(np.int64)
        else:
            ends = coefficient * domains[y][0], coefficient * domains[y][-1]
            low, high = low + min(ends), high + max(ends)
    strict, keep = int(c.op in ("<", ">")), np.ones(number, bool)
    if c.op in ("==", "<=", "<"):
        keep &= total + low <= c.k - strict
    if c.op in ("==", ">=", ">"):
        keep &= total + high >= c.k + strict
    return keep & (total != c.k) if c.op == "!=" and columns.keys() >= set(c.scope) else keep


def holds_many(c: Constraint, columns: Columns, number: int, domains: Domains) -> Any:
    """Evaluate a constraint on many rows together; TooLargeError for many rows of a kind that must be evaluated
    singly.
    """
    if isinstance(c, And | Or):
        both = isinstance(c, And)
        found = np.full(number, both)
        for part in c.parts:
            held = holds_many(part, columns, number, domains)
            found = found & held if both else found | held
        return found
    if isinstance(c, Not):
        return ~holds_many(c.part, columns, number, domains)
    if isinstance(c, Implies):
        return ~holds_many(c.condition, columns, number, domains) | holds_many(c.result, columns, number, domains)
    if isinstance(c, Table) and c.tuples:
        return _listed(c, columns, domains)
    if type(c).holds_many is Constraint.holds_many:
        if isinstance(c, READ):
            return _accepted(c, columns, number, domains)
        if number > MOST_ROWS:
            raise TooLargeError
    return np.asarray(c.holds_many({y: columns[y] for y in c.scope}), bool)


def _listed(c: Table, columns: Columns, domains: Domains) -> Any:
    """Look up rows in a table, with each row and each tuple as one number."""
    codes: Any = 0
    wanted: Any = np.zeros(len(c.tuples), np.int64)
    inside = np.ones(len(c.tuples), bool)
    for i, x in enumerate(c.xs):
        low, size = domains[x][0], domains[x][-1] - domains[x][0] + 1
        tuples = np.array([row[i] for row in c.tuples], np.int64) - low
        inside &= (tuples >= 0) & (tuples < size)
        codes, wanted = codes * size + (columns[x].astype(np.int64) - low), wanted * size + tuples
    found = np.isin(codes, wanted[inside])
    return found if c.allowed else ~found


def _accepted(c: Constraint, columns: Columns, number: int, domains: Domains) -> Any:
    """Read rows as words of the constraint's automaton, all together."""
    low = min(domains[x][0] for x in c.scope)
    made = as_words(c, domains, low)
    if not isinstance(made, Word):
        raise TooLargeError
    names, state = tuple(dict.fromkeys(c.scope)), np.zeros(number, np.int64)
    for states, place in zip(made.layers, made.places, strict=True):
        table = np.full((len(states) + 1, domains[names[place]][-1] - low + 1), -1)  # the last row: lost before
        for before, ways in enumerate(states):
            for bit, after in ways:
                table[before, bit] = after
        state = table[state, columns[names[place]] - low]
    return state == 0


def _order(names: Sequence[str], constraints: Sequence[Constraint]) -> Iterator[str]:
    """Yield variables in an order in which each one settles as much as it can."""
    mine = {x: [frozenset(c.scope) for c in constraints if x in c.scope] for x in names}
    left, order = list(names), dict[str, None]()
    while left:
        best = max(left, key=lambda x: _worth(x, mine[x], order.keys()))
        yield best
        left.remove(best)
        order[best] = None


def _worth(x: str, mine: Sequence[frozenset[str]], order: Any) -> tuple[int, int, int]:
    return sum(scope - {x} <= order for scope in mine), sum(not scope.isdisjoint(order) for scope in mine), len(mine)


# ----------------------------------------------------------------------------
# A problem as atoms: houses, rules of few cells, and the single constraints of rules about many cells.


MOST_CELLS = 12
"""Rules with more cells are split into their constraints."""
MOST_TRIED = 4_000
"""A constraint of a larger atom with more combinations than this is not listed if its kind is understood."""
MOST_KEPT = 2_000
"""The most atoms that are kept for similar problems."""

Stated = list[tuple[object, str, Sequence[Constraint]]]
"""Parts, their labels, and their constraints."""
Users = tuple[tuple[int, ...], ...]
KEPT: dict[Any, Part] = {}
"""Atoms made so far, by what they state apart from the names of variables."""
MOST_STATED = 16
"""The most boards with rules whose atoms are kept."""
STATED: dict[tuple[Shape, tuple[Rule, ...], bool], Stating] = {}
"""Atoms of boards with rules, whatever their givens; with those for hints alone or not."""


def stating_of(
    problem: Puzzle | Model, check: Callable[[], object], for_hints: bool = False, assuming: bool = False
) -> Stating:
    """Return the atoms of a problem; puzzles with the same rules share them, unless assumptions will be added."""
    if isinstance(problem, Model) or assuming:
        return Stating(problem, check, for_hints)
    key = problem.shape, problem.rules, for_hints and bool(problem.rules)
    found = STATED.get(key)
    if found is None:
        found = Stating(problem, check, for_hints)
        if found.is_whole:
            if len(STATED) >= MOST_STATED:
                STATED.clear()
            found._check = lambda: None  # what was asked so far belongs to one ladder
            STATED[key] = found
    return found


class Stating:
    """Makes the atoms of a problem. ``names`` are its cells, ``full`` their candidates before any given."""

    def __init__(
        self, problem: Puzzle | Model, check: Callable[[], object] = lambda: None, for_hints: bool = False
    ) -> None:
        """State the houses and the rules of a puzzle, or the constraints of a model one by one.

        ``for_hints`` adds sums that houses and cages imply. ``check`` is called repeatedly; if it raises LimitReached,
        the rest is left out.
        """
        self.problem, self._check, self.is_whole = problem, check, True
        self.packed: list[Packed] = []
        self._exchange: Exchange | None = None
        self._assumed = set[Constraint]()
        self.auxiliary: dict[str, tuple[Domain, tuple[Constraint, ...]]] = {}
        self.atoms: list[Atom] = []
        if isinstance(problem, Model):
            self._begin(problem.names, problem.domains, ())
            stated: Stated = [(c, str(c), in_parts([c], problem.domains)) for c in problem.constraints]
        else:
            stated = self._puzzle(problem)
        try:
            for part, name, constraints in stated:
                self.state(part, name, constraints)
            if for_hints:
                self._imply_sums()
        except LimitReached:
            self.is_whole = False
        self.users = users_of(self.atoms, len(self.names))

    def _imply_sums(self) -> None:
        """Add the sums that houses and cages imply, as atoms of what is stated about these."""
        exact = [atom for atom in self.atoms if atom.house is not None and atom.house.exact]
        houses = [
            Region(atom.label, frozenset(xs), sum(b + self.low for b in bits(atom.house.values)), atom.stated)
            for atom in exact
            if atom.house is not None and (xs := [self.names[c] for c in atom.cells])
        ]
        for found in region_sums(houses, [c for atom in self.atoms for c in atom.stated]):
            if self.index.keys() >= {*found.sum.xs}:
                self.state(found, found.label, [found.sum])
                self.atoms[-1] = replace(self.atoms[-1], stated=found.stated)

    def _exchanging(self) -> Exchange:
        """Return everything that is stated, with the givens."""
        given = {} if isinstance(self.problem, Model) else self.problem.domains
        every = (c for atom in self.atoms for c in atom.stated)
        return Exchange((c for c in every if not self._is_implied(c)), {**self.domains, **given})

    def _is_implied(self, constraint: Constraint) -> bool:
        return isinstance(constraint, AllDifferent) and any(set(constraint.scope) < house for house in self.houses)

    def _assume(self, assumption: Assumption) -> None:
        if assumption.stated not in self._assumed:
            self._assumed.add(assumption.stated)
            self.state(assumption, assumption.label, [assumption.stated])

    def assume(self, candidates: Mapping[str, Sequence[int]], with_loops: bool) -> bool:
        """Add what holds if there is only one solution; return whether there is any.

        That is what rectangles forbid, when first asked, and what follows if cells have two candidates left.
        """
        before = len(self.atoms)
        if self._exchange is None:
            self._exchange = self._exchanging()
            if isinstance(self.problem, Puzzle):
                for assumption in rectangles(self.problem.shape, self._exchange, self._check):
                    self._assume(assumption)
        for find in (graves, loops) if with_loops else (graves,):
            for assumption in find(candidates, self._exchange):
                self._assume(assumption)
        return len(self.atoms) > before

    def _begin(self, names: Iterable[str], domains: Mapping[str, Domain], houses: Iterable[Iterable[str]]) -> None:
        self.names = tuple(names)
        self.index = {x: i for i, x in enumerate(self.names)}
        self.domains: dict[str, Domain] = {**domains, **{x: values for x, (values, _) in self.auxiliary.items()}}
        self.low = min((values[0] for values in self.domains.values() if values), default=0)
        self.full = [self.mask(self.domains[x]) for x in self.names]
        self.houses = [frozenset(house) for house in houses]

    def _puzzle(self, puzzle: Puzzle) -> Stated:
        """Begin with the cells of a puzzle, and return what it states."""
        shape, board = puzzle.shape, Board(puzzle.shape, puzzle.rules, turnable=True)
        stated = [(rule, constraints_of(rule.pieces(board))) for rule in puzzle.rules]
        own, others = {x: board.domain(x) for x in board.names}, board.auxiliaries
        every = own | {x: v.domain for x, (v, _) in others.items()}
        rules = [(rule, in_parts(constraints, every)) for rule, constraints in stated]
        self.auxiliary = {x: (v.domain, in_parts(definition, every)) for x, (v, definition) in others.items()}
        self._begin(board.names, own, board.houses)
        found: Stated = [(h.name, h.name, [c]) for h, c in zip(shape.houses, shape.constraints(), strict=True)]
        for rule, constraints in rules:
            scope = {x for c in constraints for x in c.scope if x in self.index}
            told = rule.scope or rule.parts or len(constraints) > 1  # a diagonal is told by its cells
            if len(scope) <= MOST_CELLS and told:
                found.append((rule, str(rule), constraints))
            else:
                title = str(rule).split(" (")[0]
                found += [(rule, self._label(title, c), [c]) for c in constraints]
        return found

    def _label(self, title: str, constraint: Constraint) -> str:
        cells = tuple(x for x in dict.fromkeys(constraint.scope) if x in self.index)
        where = value_text(cells)
        where = where if len(where.split()) <= 6 else f"{' '.join(cells[:6])} ..."
        return f"{title} ({where})" if len(cells) < 20 else title

    def mask(self, values: Iterable[int]) -> int:
        return sum(1 << (value - self.low) for value in values)

    def state(self, part: object, label: str, constraints: Sequence[Constraint]) -> None:
        """Make an atom of some constraints, with the definitions that they use and the inequalities from the houses."""
        if not constraints:
            return
        self._check()
        every, names = self._closed(constraints)
        visible = sorted((x for x in names if x in self.index), key=self.index.__getitem__)
        hidden = sorted(x for x in names if x not in self.index)
        visible = visible or [*self.names[:1]]  # what no cell can change is shown at any cell
        if not visible:
            return
        every = [*every, *(self._apart(visible) if len(visible) <= MOST_CELLS and not _differ(every) else ())]
        index = {x: i for i, x in enumerate([*visible, *hidden])}
        key = self.low, len(visible), tuple(self.domains[x] for x in index), _unnamed(every, index)
        found = KEPT.get(key)
        if found is None:
            if len(KEPT) >= MOST_KEPT:
                KEPT.clear()
            found = KEPT[key] = self._made(visible, hidden, every)
        places, how = found
        self.atoms.append(Atom(label, tuple(self.index[visible[i]] for i in places), how, tuple(every), part))

    def _made(self, visible: Sequence[str], hidden: Sequence[str], every: Sequence[Constraint]) -> Part:
        """Make the implementation of some constraints: a house, a list of all solutions, or several applied
        together.
        """
        if _differ(every):
            return _places(visible, every[0].scope), self._house(every[0].scope)
        own = tuple(range(len(visible)))
        try:
            rows = rows_of([*visible, *hidden], self.domains, every, len(visible), self._check)
        except TooLargeError:
            return own, self._group(visible, hidden, flat(every))
        return own, Listed(rows - self.low)

    def _house(self, xs: Sequence[str]) -> House:
        values = self.mask({v for x in xs for v in self.domains[x]})
        return House(values, values.bit_count() == len(xs))

    def _apart(self, visible: Sequence[str]) -> list[Constraint]:
        """Return that those of some cells that share a house differ."""
        sets = {mine for house in self.houses if len(mine := house.intersection(visible)) > 1}
        largest = [mine for mine in sets if not any(mine < other for other in sets)]
        return [AllDifferent(x for x in visible if x in mine) for mine in sorted(largest, key=sorted)]

    def _closed(self, constraints: Sequence[Constraint]) -> tuple[list[Constraint], set[str]]:
        """Add the definitions of the auxiliary variables that are used, and of those that they use in turn."""
        found, names, waiting = dict.fromkeys(constraints), set[str](), list(constraints)
        while waiting:
            for x in waiting.pop().scope:
                if x not in names:
                    names.add(x)
                    more = [c for c in self.auxiliary[x][1] if c not in found] if x in self.auxiliary else []
                    found |= dict.fromkeys(more)
                    waiting += more
        return list(found), names

    def _group(self, visible: Sequence[str], hidden: Sequence[str], every: Iterable[Constraint]) -> Form:
        """Apply several constraints together to their fixpoint."""
        names = [*visible, *hidden]
        inner = [(_places(names, xs), how) for xs, how in map(self._inner, every)]
        if len(inner) == 1 and not hidden and inner[0][0] == tuple(range(len(names))):
            return inner[0][1]
        return Group(len(visible), tuple(self.mask(self.domains[x]) for x in hidden), tuple(inner))

    def _inner(self, constraint: Constraint) -> tuple[tuple[str, ...], Form]:
        """Return the implementation of one constraint: exact, if its kind or its size allows that."""
        self._check()
        xs, combinations = constraint.scope, 1
        if isinstance(constraint, AllDifferent):
            return xs, self._house(xs)
        for x in xs:
            combinations *= len(self.domains[x])
        try:
            if combinations > MOST_TRIED and isinstance(constraint, (*READ, Or, And)):
                raise TooLargeError
            rows = rows_of(xs, self.domains, [constraint], len(xs), self._check)
        except TooLargeError:
            return xs, self._large(xs, pushed(constraint, self.domains))
        return xs, Listed(rows - self.low)

    def _large(self, names: Sequence[str], constraint: Constraint) -> Form:
        """Return the implementation of a constraint with many solutions, by its kind."""
        if isinstance(constraint, Or):
            parts = [(_places(names, xs), how) for xs, how in map(self._inner, constraint.parts)]
            return Either(tuple(parts))
        if isinstance(constraint, And | LexLessWhere | NoSubsetSum):
            return self._group(names, (), in_parts(flat([constraint]), self.domains))
        found = as_words(constraint, self.domains, self.low)
        return Loose(constraint, tuple(names), self.low) if found is None else found


def users_of(atoms: Iterable[Atom], cells: int) -> Users:
    users: list[list[int]] = [[] for _ in range(cells)]
    for number, atom in enumerate(atoms):
        for cell in atom.cells:
            users[cell].append(number)
    return tuple(map(tuple, users))


def _differ(constraints: Sequence[Constraint]) -> bool:
    """Return whether constraints only state that some variables differ."""
    return len(constraints) == 1 and isinstance(constraints[0], AllDifferent)


def _places(names: Sequence[str], xs: Iterable[str]) -> tuple[int, ...]:
    place = {x: i for i, x in enumerate(names)}
    return tuple(place[x] for x in xs)


def _unnamed(what: Any, index: Mapping[str, int]) -> Any:
    """Return constraints with the names of variables replaced by their numbers."""
    if isinstance(what, str):
        return ("", index[what]) if what in index else what
    if isinstance(what, Constraint) and is_dataclass(what):
        return (type(what), *(_unnamed(getattr(what, field.name), index) for field in fields(what)))
    return tuple(_unnamed(part, index) for part in what) if isinstance(what, tuple | list) else what


# ----------------------------------------------------------------------------
# Sums that houses and cages imply together: of the cells that the cages leave of a house, and of those that stick out.
# Players call them innies and outies. They serve hints alone: no level needs them, so ratings do not depend on them.

MOST_LEFT = 3
"""The most cells whose sum is told."""

MOST_HOUSES = 3
"""The most neighbouring houses that are taken together."""


@dataclass(frozen=True)
class Region:
    """A house, or neighbouring ones: each value of ``total`` is in it, so its sum is known."""

    label: str
    cells: frozenset[str]
    total: int
    stated: tuple[Constraint, ...]


@dataclass(frozen=True)
class RegionSum:
    """The ``sum`` of some cells, which follows from what is ``stated``; ``technique`` is what players call it."""

    technique: str
    label: str
    sum: Linear
    stated: tuple[Constraint, ...]


def region_sums(houses: Sequence[Region], constraints: Iterable[Constraint]) -> Iterator[RegionSum]:
    """Yield the sums of at most ``MOST_LEFT`` cells that follow from houses and from sums among the constraints."""
    cages = [c for c in constraints if isinstance(c, Linear) and c.op == "==" and {*c.coeffs} == {1}]
    found: list[Set[str]] = []
    for region in _together(houses):
        for technique, cells, total, used in _around(region, cages):
            if 0 < len(cells) <= MOST_LEFT and not any(other <= cells for other in found):
                found.append(cells)
                xs, caged = sorted(cells), sum(cage.k for cage in used)
                its, it = ("its", "it") if region in houses else ("their", "them")
                what, known = f"{region.label} without {its} cages", f"{region.total} - {caged}"
                if technique == "outies":
                    what, known = f"the cages of {region.label} outside {it}", f"{caged} - {region.total}"
                label = f"{what} ({' '.join(xs)}: {known.replace('- -', '+ ')} = {total})"
                yield RegionSum(technique, label, Linear([1] * len(xs), xs, "==", total), (*region.stated, *used))


def _around(region: Region, cages: Iterable[Linear]) -> Iterator[tuple[str, Set[str], int, list[Linear]]]:
    """Yield the cells that cages inside of a region leave, and those that cages which cover it have outside."""
    inside, covering = list[Linear](), list[Linear]()
    taken, covered = set[str](), set[str]()
    for cage in cages:
        cells = {*cage.xs}
        if cells <= region.cells and taken.isdisjoint(cells):
            inside.append(cage)
            taken |= cells
        if not region.cells.isdisjoint(cells) and covered.isdisjoint(cells):
            covering.append(cage)
            covered |= cells
    if inside:
        yield "innies", region.cells - taken, region.total - sum(cage.k for cage in inside), inside
    if covered > region.cells:
        yield "outies", covered - region.cells, sum(cage.k for cage in covering) - region.total, covering


def _together(houses: Sequence[Region]) -> Iterator[Region]:
    """Yield each house, then neighbouring houses of one kind together."""
    yield from houses
    for number in range(2, MOST_HOUSES + 1):
        for some in zip(*(houses[i:] for i in range(number)), strict=False):
            kinds = {house.label.rpartition(" ")[0] for house in some}
            cells = frozenset().union(*(house.cells for house in some))
            if len(kinds) == 1 and len(cells) == sum(len(house.cells) for house in some):  # no cell in two of them
                stated = tuple(c for house in some for c in house.stated)
                yield Region(as_run([house.label for house in some]), cells, sum(house.total for house in some), stated)
