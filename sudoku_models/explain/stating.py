"""A problem as atoms: houses, rules of few cells, and the single constraints of rules about many cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import LimitReached
from ..lowering.negation import pushed
from ..model import AllDifferent, And, Constraint, Count, Domain, Element, Linear, Model, Or
from ..puzzle import Puzzle, Shape
from ..puzzle.rules.board import Board
from .atoms import Atom, Either, GroupAtom, HouseAtom, Listed, Loose, Revising, SumAtom
from .automata import MACHINES, automaton_atom
from .counted import counted
from .exchange import Exchange
from .listing import TooLargeError, flat, looked_up, rows_of
from .uniqueness import ASSUMED, Assumption, graves, rectangles

if TYPE_CHECKING:
    from .atom_arrays import Packed

MOST_CELLS = 12
"""Rules with more cells are split into their constraints."""
MOST_TRIED = 4_000
"""A constraint of a larger atom with more combinations than this is not listed if its kind is understood."""
MOST_KEPT = 2_000
"""The most atoms that are kept for similar problems."""

Stated = list[tuple[object, str, Sequence[Constraint]]]
"""Parts, their labels, and their constraints."""
Made = tuple[tuple[int, ...], Revising, int]
"""The positions of the variables among those of the atom, the implementation, and the number of listed solutions."""
Users = tuple[tuple[int, ...], ...]
KEPT: dict[Any, Made] = {}
"""Atoms made so far, by what they state apart from the names of variables."""


@lru_cache(16)
def of_shape(shape: Shape) -> Stating:
    """Return the atoms of a board without rules: its houses, which all puzzles on it share."""
    return Stating(Puzzle(shape, (None,) * shape.cells))


class Stating:
    """Makes the atoms of a problem. ``names`` are its cells, ``full`` their candidates before any given."""

    def __init__(
        self, problem: Puzzle | Model, check: Callable[[], object] = lambda: None, assume_unique: bool = False
    ) -> None:
        """State the houses and the rules of a puzzle, or the constraints of a model one by one.

        ``assume_unique`` adds what holds if there is only one solution; ``assume`` finds more of that later. ``check``
        is called repeatedly; if it raises LimitReached, the rest is left out.
        """
        self.problem, self._check = problem, check
        self.packed: list[Packed] = []
        self._exchange = Exchange((), {})
        self.auxiliary: dict[str, tuple[Domain, tuple[Constraint, ...]]] = {}
        self.atoms: list[Atom] = []
        if isinstance(problem, Model):
            self._begin(problem.names, problem.domains, ())
            stated: Stated = [(c, str(c), [c]) for c in problem.constraints]
        else:
            stated = self._puzzle(problem)
        try:
            for part, name, constraints in stated:
                self.state(part, name, constraints)
            if assume_unique:
                self._exchange = self._exchanging()
                if isinstance(problem, Puzzle):
                    for assumption in rectangles(problem.shape, self._exchange, check):
                        self._assume(assumption)
        except LimitReached:
            pass
        self.users = users_of(self.atoms, len(self.names))

    def _exchanging(self) -> Exchange:
        """Return everything that is stated, with the givens."""
        given = {} if isinstance(self.problem, Model) else self.problem.domains
        every = (c for atom in self.atoms for c in atom.stated)
        return Exchange((c for c in every if not self._is_implied(c)), {**self.domains, **given})

    def _is_implied(self, constraint: Constraint) -> bool:
        """Return whether a house implies a constraint on some of its cells."""
        return isinstance(constraint, AllDifferent) and any(set(constraint.scope) < house for house in self.houses)

    def _assume(self, assumption: Assumption) -> None:
        self.state(ASSUMED, assumption.label, [assumption.stated])

    def assume(self, candidates: Mapping[str, Sequence[int]]) -> bool:
        """Add what uniqueness forbids if open cells have two candidates left; return whether there is any."""
        before, known = len(self.atoms), {atom.stated[0] for atom in self.atoms if atom.part == ASSUMED}
        for assumption in graves(candidates, self._exchange):
            if assumption.stated not in known:
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
        rules = [(rule, list(rule.pieces(board))) for rule in puzzle.rules]
        self.auxiliary = {x: (v.domain, definition) for x, (v, definition) in board.auxiliaries.items()}
        self._begin(board.names, {x: board.domain(x) for x in board.names}, board.houses)
        found: Stated = [(h.name, h.name, [c]) for h, c in zip(shape.houses, shape.constraints(), strict=True)]
        for rule, constraints in rules:
            scope = {x for c in constraints for x in c.scope if x in self.index}
            if len(scope) <= MOST_CELLS:
                found.append((rule, str(rule), constraints))
            else:
                title = str(rule).split(" (")[0]
                found += [(rule, self._label(title, c), [c]) for c in constraints]
        return found

    def _label(self, title: str, constraint: Constraint) -> str:
        cells = [x for x in dict.fromkeys(constraint.scope) if x in self.index]
        return f"{title} ({' '.join(cells[:6])}{' ...' if len(cells) > 6 else ''})" if len(cells) < 20 else title

    def mask(self, values: Iterable[int]) -> int:
        """Return values as a mask."""
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
        places, how, rows = found
        self.atoms.append(Atom(label, tuple(self.index[visible[i]] for i in places), how, tuple(every), part, rows))

    def _made(self, visible: Sequence[str], hidden: Sequence[str], every: Sequence[Constraint]) -> Made:
        """Make the implementation of some constraints: a house, a list of all solutions, or several applied
        together.
        """
        if _differ(every):
            return _places(visible, every[0].scope), self._house(every[0].scope), 0
        own = tuple(range(len(visible)))
        try:
            rows = rows_of([*visible, *hidden], self.domains, every, len(visible), self._check)
        except TooLargeError:
            return own, self._group(visible, hidden, flat(every)), 0
        return own, Listed(rows - self.low, len(visible)), len(rows)

    def _house(self, xs: Sequence[str]) -> HouseAtom:
        values = self.mask({v for x in xs for v in self.domains[x]})
        return HouseAtom(values, values.bit_count() == len(xs))

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

    def _group(self, visible: Sequence[str], hidden: Sequence[str], every: Iterable[Constraint]) -> Revising:
        """Apply several constraints together to their fixpoint."""
        names = [*visible, *hidden]
        inner = [(_places(names, xs), how) for xs, how in map(self._inner, every)]
        if len(inner) == 1 and not hidden and inner[0][0] == tuple(range(len(names))):
            return inner[0][1]
        users: dict[int, tuple[int, ...]] = dict.fromkeys(range(len(names)), ())
        for number, (places, _) in enumerate(inner):
            for i in dict.fromkeys(places):
                users[i] = (*users[i], number)
        masks = tuple(self.mask(self.domains[x]) for x in hidden)
        return GroupAtom(len(visible), masks, tuple(inner), users)

    def _inner(self, constraint: Constraint) -> tuple[tuple[str, ...], Revising]:
        """Return the implementation of one constraint: exact, if its kind or its size allows that."""
        self._check()
        xs, combinations = constraint.scope, 1
        if isinstance(constraint, AllDifferent):
            return xs, self._house(xs)
        if isinstance(constraint, Linear) and len(constraint.xs) == len(xs) > 4:
            return xs, SumAtom(tuple(constraint.coeffs), constraint.op, constraint.k, self.low)
        for x in xs:
            combinations *= len(self.domains[x])
        try:
            if combinations > MOST_TRIED and type(constraint) in (*MACHINES, Or, And, Element):
                raise TooLargeError
            rows = rows_of(xs, self.domains, [constraint], len(xs), self._check)
        except TooLargeError:
            return xs, self._large(xs, pushed(constraint, self.domains))
        return xs, Listed(rows - self.low, len(xs))

    def _large(self, names: Sequence[str], constraint: Constraint) -> Revising:
        """Return the implementation of a constraint with many solutions, by its kind."""
        if isinstance(constraint, Element):
            constraint = looked_up(constraint, self.domains)
        if isinstance(constraint, Or):
            parts = [(_places(names, xs), how) for xs, how in map(self._inner, constraint.parts)]
            return Either(tuple(parts))
        if isinstance(constraint, And):
            return self._group(names, (), constraint.parts)
        if isinstance(constraint, Count) and (number := counted(constraint, self.domains, self.low)):
            return number
        found = automaton_atom(constraint, self.domains, self.low)
        return Loose(constraint, tuple(names), self.low) if found is None else found


def users_of(atoms: Iterable[Atom], cells: int) -> Users:
    """Return the numbers of the atoms of each cell."""
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


__all__ = ["KEPT", "MOST_CELLS", "Stating", "users_of"]
