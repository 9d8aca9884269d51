"""Exact covers by Algorithm X on dancing cells, written out in plain Python.

An *option* is a choice of a value for a variable. An *item* is something that options cover: a primary item exactly one
chosen option, a secondary item at most one. A variable is a primary item; so is each value of a house (an AllDifferent
over as many variables as values). A value of any other AllDifferent is a secondary item.

While the problem is searched, an item keeps the options that may still cover it in a list, the first part of which is
alive. An option leaves the list by changing places with the last one alive, and that part shrinks by one; so going
back only means restoring the old lengths.

Donald Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1, and his later note on dancing cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from sudoku_models.engine.base import BackendBase, CompiledBase, NoOptions
from sudoku_models.engine.budget import Budget, Meter
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Projection,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled, until
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
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


def outside(options: Iterable[Option], narrow: Mapping[str, Collection[int]]) -> list[int]:
    """Return the numbers of the options whose value is not in the domain left to their variable."""
    return [number for number, (name, value) in enumerate(options) if name in narrow and value not in narrow[name]]


COVERED = 1 << 60
"""Replaces the length of an item that is covered."""


class CoverPlan:
    """A matrix in numbers, shared by all runs.

    Item ``i`` is primary if ``i < primary``. A *node* is an option's entry in an item: ``nodes[o]`` are those of option
    o, ``item[n]`` and ``option[n]`` are the item and the option of node n. ``lists[i]`` holds the nodes of item i.
    """

    def __init__(self, matrix: CoverMatrix) -> None:
        covers: dict[Option, list[int]] = {option: [] for option in matrix.options}
        items = [*matrix.primary.values(), *matrix.secondary.values()]
        for i, options in enumerate(items):
            for option in options:
                covers[option].append(i)
        self.primary = len(matrix.primary)
        self.options = matrix.options
        self.nodes: list[range] = []
        self.item: list[int] = []
        self.option: list[int] = []
        self.lists: list[list[int]] = [[] for _ in items]
        for o, covered in enumerate(covers.values()):
            start = len(self.item)
            for i in covered:
                self.lists[i].append(len(self.item))
                self.item.append(i)
                self.option.append(o)
            self.nodes.append(range(start, len(self.item)))


class Cells:
    """One search. ``place[n]`` is the position of node n in its item's list, ``length[i]`` the number of nodes of item
    i alive.

    ``forced`` are items that had one option left when they were last examined.
    """

    def __init__(self, plan: CoverPlan, seed: int = 0) -> None:
        self.plan = plan
        self.lists = [row[:] for row in plan.lists]
        if seed:
            rng = Random(seed)
            for row in self.lists:
                rng.shuffle(row)
        self.place = [0] * len(plan.item)
        for row in self.lists:
            for at, node in enumerate(row):
                self.place[node] = at
        self.length = [len(row) for row in self.lists]
        self.forced: list[int] = []
        self.chosen: list[int] = []

    def hide(self, nodes: Iterable[int]) -> bool:
        """Take an option's nodes out of the items that are not covered; return False if a primary item loses its last
        option.
        """
        item, lists, length, place = self.plan.item, self.lists, self.length, self.place
        for node in nodes:
            i = item[node]
            left = length[i]
            if left == COVERED:
                continue
            left -= 1
            row, at = lists[i], place[node]
            last = row[left]
            row[at], row[left] = last, node
            place[last], place[node] = at, left
            length[i] = left
            if left < 2 and i < self.plan.primary:
                if not left:
                    return False
                self.forced.append(i)
        return True

    def choose(self, option: int) -> bool:
        """Add an option to the solution: cover its items; return False if a primary item cannot be covered then."""
        plan, length = self.plan, self.length
        self.chosen.append(option)
        for node in plan.nodes[option]:
            i = plan.item[node]
            rivals = self.lists[i][: length[i]]
            length[i] = COVERED
            for rival in rivals:
                other = plan.option[rival]
                if other != option and not self.hide(plan.nodes[other]):
                    return False
        return True

    def next_item(self) -> int | None:
        """Return the primary item with the fewest options left; None if all are covered."""
        while self.forced:
            i = self.forced.pop()
            if self.length[i] == 1:
                return i
        lengths = self.length[: self.plan.primary]
        fewest = min(lengths, default=COVERED)
        return None if fewest == COVERED else lengths.index(fewest)

    def alive(self, item: int) -> list[int]:
        """Return the options that may still cover an item."""
        return [self.plan.option[node] for node in self.lists[item][: self.length[item]]]

    def solutions(self, meter: Meter) -> Iterator[list[int]]:
        """Yield the chosen options of every exact cover; the list changes afterwards."""
        trail: list[tuple[Iterator[int], list[int], int]] = []
        possible = all(self.length[: self.plan.primary])
        while True:
            item = self.next_item() if possible else None
            if item is None:
                if possible:
                    yield self.chosen
                if not trail:
                    return
            elif self.length[item] > 1:
                trail.append((iter(self.alive(item)), self.length[:], len(self.chosen)))
            else:
                meter.tick()
                possible = self.choose(self.alive(item)[0])
                continue
            possible = self._try_another(trail, meter)

    def _try_another(self, trail: list[tuple[Iterator[int], list[int], int]], meter: Meter) -> bool:
        """Go back to the last item that has an untried option, and choose it; return False if there is none or that
        fails.
        """
        while trail:
            untried, lengths, depth = trail[-1]
            option = next(untried, None)
            if option is not None:
                self.length[:] = lengths
                del self.chosen[depth:]
                self.forced.clear()
                meter.tick()
                return self.choose(option)
            trail.pop()
        return False


OFTEN = 16
"""The number of choices between two readings of the clock."""


class ExactCover(BackendBase):
    name = "exact-cover"
    capabilities = Capabilities(
        kinds=frozenset({AllDifferent, Compare, InDomain, Table}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED}),
        refuses=refuses,
        numbers=Numbers(pairs={Compare: LARGEST, Table: LARGEST}),
    )

    def compile(self, model: Model, options: NoOptions) -> CompiledCover:
        """State a model as items and options; raise Unsupported if it is not an exact cover."""
        self.refuse(model, options)
        return CompiledCover(model)


BACKEND = ExactCover()


class CompiledCover(CompiledBase):
    """A model as an exact cover. Immutable; each run has lists of its own."""

    label = "exact-cover"

    def __init__(self, model: Model) -> None:
        self.model = model
        self._matrix = matrix_of(model)

    @property
    def native(self) -> CoverMatrix:
        """A fresh matrix: items by their meaning, each with the options that cover it."""
        return matrix_of(self.model)

    def of_variable(self, name: str) -> Item:
        """Return the primary item that the options of a variable cover."""
        return "variable", name

    def of_value(self, name: str, value: int) -> Option:
        """Return the option that is chosen exactly when a variable has a value.

        Raise Unsupported if a constraint on that variable alone forbids it.
        """
        if (name, value) not in self._matrix.primary[self.of_variable(name)]:
            raise Unsupported(f"exact-cover has no option for {name} = {value}: a constraint on it forbids that")
        return name, value

    def values_in(self, answer: Iterable[Option]) -> dict[str, int]:
        """Return the values, by name, of the options of an exact cover; options of other items are ignored."""
        known = frozenset(self._matrix.options)
        return dict(option for option in answer if option in known)

    @cached_property
    def _plan(self) -> CoverPlan:
        return CoverPlan(self._matrix)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield the solutions: the values of options that cover all items."""
        watch, meter = record.stopwatch(), Meter(clock, OFTEN)
        record.sizes |= {"items": len(self._plan.lists), "options": len(self._plan.options), "nodes": 0}
        cells = self._cells(request)
        watch.lap("encode")
        if cells is None:
            return Ending(Reason.EXHAUSTED)
        found = until(meter.check, map(self._decoded, cells.solutions(meter)))
        try:
            return (yield from pulled(found, request, watch, Projection(self.model, request.keep).new))
        finally:
            record.sizes["nodes"] = meter.nodes

    def _cells(self, request: Request) -> Cells | None:
        """Return what is to be searched; None if there cannot be a solution."""
        cells = Cells(self._plan, request.seed)
        narrow = {name: frozenset(values) for name, values in request.domains.items()}
        hidden = (cells.hide(self._plan.nodes[option]) for option in outside(self._plan.options, narrow))
        return None if self._matrix.impossible or not all(hidden) else cells

    def _decoded(self, chosen: Iterable[int]) -> Solution:
        values: Mapping[str, int] = dict(map(self._plan.options.__getitem__, chosen))
        return tuple([values[name] for name in self.model.names])
