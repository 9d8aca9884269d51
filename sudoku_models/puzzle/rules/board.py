"""The board as rules see it: cells by name, neighbours, houses, extra cells, auxiliary variables; and filled boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain, combinations
from operator import ne
from typing import Any

from ...dataclass import dataclass
from ...model import AllDifferent, Array, Constraint, Domain, Number, Variable, VariableLike
from ...model.expression import StatedVariables, name_of, names_of, variables
from ...model.logic import StatedConstraints
from ..shape import Shape, reached
from .rule_base import Rule, each

Step = tuple[int, int]
ORTHOGONAL: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Step, ...] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_NONE: frozenset[int] = frozenset()
MOST_EXTRA = 2_000
"""The largest number of extra cells in one puzzle."""


@lru_cache(maxsize=64)
def leaps(a: int, b: int) -> tuple[Step, ...]:
    """Return the steps of an (a, b) leaper: a knight is (1, 2), a king is (0, 1) and (1, 1)."""
    return tuple(sorted({(y * s, x * t) for y, x in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)}))


@dataclass(frozen=True)
class Group:
    """Cells in ``height`` rows of ``width`` columns. The grid has the name ""; extra cells are NAME1, NAME2, ...

    A group of one cell is NAME without a number. If ``values`` is None, they are the values of the grid; ``count`` is
    the number of cells if the last row is not full.
    """

    name: str
    height: int
    width: int
    values: Domain | None = None
    count: int | None = None

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return self.height * self.width if self.count is None else self.count

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, row by row."""
        return (self.name,) if self.size == 1 else tuple(f"{self.name}{i}" for i in range(1, self.size + 1))


Auxiliary = tuple[Variable, tuple[Constraint, ...]]
"""An auxiliary variable, and its definition."""
Place = tuple[Group, int, int]
"""The position of a cell: its group, its row and its column."""


class Board:
    """A shape with its rules; a new one is made for each model that is built.

    ``names`` are the cells of the grid, then the extra cells. ``houses`` are the rows, columns and regions as cell
    names. ``divide`` allows rules to split long sums into auxiliary ones. With ``turnable`` a sum that rows and columns
    would divide equally well is left whole, so that a board and its transpose are stated alike. ``alone``: each rule
    states all that it means, also what the houses say already.
    """

    def __init__(
        self,
        shape: Shape,
        rules: Iterable[Rule] = (),
        *,
        divide: bool = True,
        turnable: bool = False,
        alone: bool = False,
    ) -> None:
        self.divide, self.turnable, self.alone = divide, turnable, alone
        self.shape = shape
        self.rules = tuple(rules)
        self.values: Domain = shape.values
        self.auxiliaries: dict[str, Auxiliary] = {}
        self._definitions: list[Any] = []
        self._every = (*each(self.rules),)
        stated = [group for rule in self._every for group in rule.groups(shape)]
        self.groups, self._places, self._stated = _laid_out(shape, tuple(stated))

    def check(self) -> None:
        """Raise ValueError if a rule names a missing cell or does not fit this board."""
        for rule in self._every:
            if not self._places.keys() >= set(rule.scope):
                missing = next(name for name in rule.scope if name not in self._places)
                raise ValueError(f"{type(rule).__name__}: {missing} is not a cell of the board ({self.shape})")
            try:
                rule.check(self)
            except ValueError as error:
                raise ValueError(f"{type(rule).__name__}: {error}") from None

    @property
    def names(self) -> tuple[str, ...]:
        """The cells of the grid, then the extra cells."""
        return self.cells if len(self.groups) == 1 else tuple(self._places)

    @property
    def low(self) -> int:
        """The smallest value of a cell."""
        return self.values[0]

    @property
    def high(self) -> int:
        """The largest value of a cell."""
        return self.values[-1]

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the grid, row by row."""
        return self.shape.names

    @cached_property
    def variables(self) -> dict[str, Any]:
        """The variable of each cell, by name."""
        return {variable.name: variable for variable in self._stated}

    def __getitem__(self, cells: VariableLike | Iterable[VariableLike] | tuple[int, int]) -> Any:
        """Return the variable of a cell, by name or as (row, column) from 0; for several cells, an Array of variables.

        Raises KeyError for an unknown name and IndexError for a position that is not on the board.
        """
        if isinstance(cells, str | Variable | Number):
            return self.variables[name_of(cells)]
        if isinstance(cells, tuple) and len(cells) == 2 and all(type(number) is int for number in cells):
            found = self.at("", *cells)
            if found is None:
                raise IndexError(f"no cell at row {cells[0]}, column {cells[1]} (from 0) of {self.shape}")
            return self.variables[found]
        return Array(self.variables[name] for name in names_of(cells))  # type: ignore[arg-type]

    def domain(self, cell: VariableLike) -> Domain:
        """Return the values that a cell may take."""
        return self._places[name_of(cell)][0].values or self.values

    def __contains__(self, name: object) -> bool:
        """Return whether this is the name of a cell, of the grid or an extra one."""
        return name in self._places

    def place(self, cell: VariableLike) -> tuple[str, int, int]:
        """Return the name of a cell's group ("" is the grid), its row and its column, from 0."""
        group, row, column = self._places[name_of(cell)]
        return group.name, row, column

    def at(self, group: str, row: int, column: int) -> str | None:
        """Return the cell at a position; None outside the group."""
        found = self.groups[group]
        number = row * found.width + column
        if not (0 <= row < found.height and 0 <= column < found.width and number < found.size):
            return None
        return found.cells[number]

    def step(self, cell: VariableLike, step: Step, wrap: bool = False) -> str | None:
        """Return the cell one step (rows, columns) away in the same group; ``wrap`` joins opposite edges."""
        group, row, column = self.place(cell)
        row, column = row + step[0], column + step[1]
        if wrap:
            row, column = row % self.groups[group].height, column % self.groups[group].width
        return self.at(group, row, column)

    def around(self, cell: VariableLike, steps: Iterable[Step] = ORTHOGONAL, wrap: bool = False) -> list[str]:
        """Return the cells that are one of ``steps`` away, each once, without the cell itself."""
        name = name_of(cell)
        if steps is not ORTHOGONAL:
            steps = tuple([(down, across) for down, across in steps])
        if name in self.shape.places:
            return [*_near(self.shape, name, steps, wrap)]
        return self._around(name, steps, wrap)

    def _around(self, name: str, steps: Iterable[Step], wrap: bool) -> list[str]:
        found = (self.step(name, step, wrap) for step in steps)
        return list(dict.fromkeys(other for other in found if other is not None and other != name))

    def pairs(self, steps: Iterable[Step] = ORTHOGONAL, wrap: bool = False) -> Iterator[tuple[str, str]]:
        """Return all pairs of cells of the grid that are one of ``steps`` apart, once, in the order of the cells."""
        return iter(_steps_apart(self.shape, tuple([(down, across) for down, across in steps]), wrap))

    def edges(self, group: str = "", wrap: bool = False) -> list[tuple[int, int]]:
        """Return the pairs of neighbours in a group, by the cells' numbers; ``wrap`` joins opposite edges."""
        return [*_edges(self.groups[group], wrap)]

    @property
    def houses(self) -> tuple[tuple[str, ...], ...]:
        """The rows, columns and regions, as names of cells."""
        return self.shape.houses_by_name

    def same_house(self, cells: Iterable[VariableLike]) -> bool:
        """Return whether some house contains all of these cells, so that they differ anyway."""
        if self.alone:
            return False
        houses = self.shape.houses_of
        sets = [houses.get(name, _NONE) for name in names_of(cells)]
        if len(sets) == 2:
            return not sets[0].isdisjoint(sets[1])
        return bool(sets) and bool(sets[0].intersection(*sets[1:]))

    @cached_property
    def regions(self) -> tuple[tuple[str, ...], ...]:
        """The boxes or irregular regions, as names of cells."""
        return tuple(tuple(self.cells[i] for i in region) for region in self.shape.regions)

    def region(self, cell: VariableLike) -> int | None:
        """Return the number of a cell's region; None for a cell in none."""
        group, row, column = self.place(cell)
        return self.shape.region_of[row * self.shape.width + column] if not group else None

    def line(self, name: str) -> tuple[str, ...]:
        """Return the cells of a row from the left ("R1") or of a column from the top ("C1")."""
        kind, index = name[:1].upper(), int(name[1:]) - 1 if name[1:].isdecimal() else -1
        shape = self.shape
        if kind == "R" and 0 <= index < shape.height:
            return self.cells[index * shape.width : (index + 1) * shape.width]
        if kind == "C" and 0 <= index < shape.width:
            return self.cells[index :: shape.width]
        raise ValueError(f"{name!r} is not a line: R1 to R{shape.height} and C1 to C{shape.width} are expected")

    def standing(self, kind: type[Rule]) -> Iterator[Rule]:
        """Yield the rules of a kind that must hold: those at the top level and in groups, not in branches of an Or."""
        from .composed import AllOf

        left: list[Rule] = list(self.rules)
        for rule in left:
            if isinstance(rule, AllOf):
                left += rule.parts
            elif isinstance(rule, kind):
                yield rule

    def auxiliary(self, name: str, values: Iterable[int], *definition: Constraint) -> str:
        """State an auxiliary variable and return its name.

        ``definition`` must determine exactly one value for any values of the other variables: it holds whether or not
        the constraint that uses the variable does. The same name with the same definition means the same variable.
        """
        self._define(name, (Variable(name, values), definition))
        return name

    def _define(self, name: str, made: Auxiliary) -> None:
        known = self.auxiliaries.get(name)
        if known is None:
            self.auxiliaries[name] = made
            self._definitions += made[1]
        if name in self._places or (known and (known[0].domain, known[1]) != (made[0].domain, made[1])):
            raise ValueError(f"the auxiliary variable {name} has two different definitions")

    def constraints(self) -> Iterator[Constraint]:
        """Yield the constraints of all rules, then the definitions of the auxiliary variables."""
        return chain.from_iterable([one if isinstance(one, StatedConstraints) else (one,) for one in self._blocks()])

    def _blocks(self) -> list[Constraint | StatedConstraints]:
        """Return the constraints of all rules, then the definitions; shared ones are blocks of their own."""
        found: list[Constraint | StatedConstraints] = []
        for rule in self.rules:
            found.extend(self._shared(rule) if rule._only_shape else rule.constraints(self))  # += asks arrays to add
        return found + self._definitions

    def _shared(self, rule: Rule) -> tuple[StatedConstraints]:
        found, auxiliaries, definitions = _stated_on(self.shape, rule, self.divide, self.turnable, self.alone)
        if auxiliaries.keys().isdisjoint(self.auxiliaries) and auxiliaries.keys().isdisjoint(self._places):
            self.auxiliaries |= auxiliaries
            self._definitions.append(definitions)
        else:
            for name, made in auxiliaries.items():
                self._define(name, made)
        return (found,)

    def extra(self) -> Iterator[Variable]:
        return iter(self._stated[self.shape.cells :])


def joined(board: Board, cells: Iterable[str], wrap: bool = False) -> bool:
    """Return whether some cells, at least one, are connected side by side; ``wrap`` joins opposite edges."""
    names = set(cells)
    first = next(iter(names), None)
    return first is not None and names == reached(first, lambda x: names.intersection(board.around(x, wrap=wrap)))


@lru_cache(maxsize=32)
def _edges(group: Group, wrap: bool) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbours in a group; with ``wrap``, those at opposite edges last."""
    height, width, size = group.height, group.width, group.size
    inside = [(i, i + 1) for i in range(size - 1) if (i + 1) % width] + [(i, i + width) for i in range(size - width)]
    rows = [(i * width, (i + 1) * width - 1) for i in range(height)]
    columns = [(i, i + (height - 1) * width) for i in range(width)]
    seams = {(a, b) for a, b in (*rows, *columns) if a < b < size}.difference(inside) if wrap else ()
    return (*inside, *sorted(seams))


@lru_cache(maxsize=32)
def _stated_on(
    shape: Shape, rule: Rule, divide: bool, turnable: bool, alone: bool
) -> tuple[StatedConstraints, dict[str, Auxiliary], StatedConstraints]:
    """Return what a rule states on any board of a shape: constraints, auxiliary variables, and their definitions."""
    board = Board(shape, (rule,), divide=divide, turnable=turnable, alone=alone)
    found, definitions = StatedConstraints(rule.constraints(board)), StatedConstraints(board._definitions)
    for block in (found, definitions):
        block.known = frozenset(x for one in block for x in one.variables())
        block.is_block = any(type(one) is not AllDifferent for one in block)
    return found, board.auxiliaries, definitions


@lru_cache(maxsize=16)
def _steps_apart(shape: Shape, steps: tuple[Step, ...], wrap: bool) -> tuple[tuple[str, str], ...]:
    """Return all pairs of cells that are one of some steps apart, once, in the order of the cells."""
    height, width, names = shape.height, shape.width, shape.names
    ahead = steps if wrap else tuple(step for step in steps if step > (0, 0))
    found: list[tuple[str, str]] = []
    for i, name in enumerate(names):
        places = ((i // width + down, i % width + right) for down, right in ahead)
        if wrap:
            near = dict.fromkeys(row % height * width + column % width for row, column in places)
            found += [(name, names[other]) for other in near if other > i]
        else:
            inside = ((row, column) for row, column in places if row < height and 0 <= column < width)
            found += [(name, names[row * width + column]) for row, column in inside]
    return tuple(found)


@lru_cache(maxsize=4096)
def _near(shape: Shape, name: str, steps: tuple[Step, ...], wrap: bool) -> list[str]:
    return Board(shape)._around(name, steps, wrap)


@lru_cache(maxsize=64)
def _laid_out(shape: Shape, stated: tuple[Group, ...]) -> tuple[dict[str, Group], dict[str, Place], StatedVariables]:
    """Return the grid and the stated groups by name, the place of each cell, and the variables of all cells.

    Raises ValueError for groups that clash.
    """
    grid = Group("", shape.height, shape.width, shape.values)
    vars(grid)["cells"] = shape.names
    found = {"": grid}
    for group in stated:
        if found.setdefault(group.name, group) != group:
            raise ValueError(f"{group.name} names two groups of extra cells")
        if group.size > MOST_EXTRA:
            raise ValueError(f"{group.name} has {group.size} cells: at most {MOST_EXTRA}")
    taken: set[str] = set()
    for group in [*found.values()][1:]:
        if not taken.isdisjoint(group.cells):
            raise ValueError(f"{group.name}: two extra cells have the same name")
        taken.update(group.cells)
    if len(taken) > MOST_EXTRA:
        raise ValueError(f"{len(taken)} extra cells: at most {MOST_EXTRA} are possible")
    places = ((x, (group, *divmod(i, group.width))) for group in found.values() for i, x in enumerate(group.cells))
    beside = [x for group in [*found.values()][1:] for x in variables(group.cells, group.values or shape.values)]
    cells = shape.model.variables
    return found, dict(places), StatedVariables.of((*cells, *beside)) if beside else cells


@dataclass(frozen=True)
class Filled:
    """A board with a value in every cell, including extra cells; rules judge it."""

    board: Board
    values: Mapping[str, int]

    def __getitem__(self, name: str) -> int:
        return self.values[name]

    def along(self, names: Iterable[str]) -> list[int]:
        """Return the values of some cells, in order."""
        return [self.values[name] for name in names]

    def satisfies(self, build: Callable[[Board], Iterable[Constraint]]) -> bool:
        """Evaluate constraints; auxiliary variables get the values that their definitions determine."""
        board = Board(self.board.shape, self.board.rules)
        found = list(build(board))
        stated = (*found, *(c for _, definition in board.auxiliaries.values() for c in definition))
        cells = {x: None for c in stated for x in c.variables() if x not in board.auxiliaries}
        values = {x: self.values[x] for x in cells}
        for name, (variable, definition) in board.auxiliaries.items():
            fitting = [v for v in variable.domain if all(c.holds({**values, name: v}) for c in definition)]
            if len(fitting) != 1:
                raise ValueError(f"the auxiliary variable {name} has {len(fitting)} possible values: one is expected")
            values[name] = fitting[0]
        return all(c.holds(values) for c in found)


Sentence = Callable[[Filled], bool]
"""Returns whether a filled board satisfies a part of a rule."""


@dataclass(frozen=True)
class SentenceJudge:
    """Judges solutions by one sentence of a rule."""

    board: Board
    rule: Rule
    sentence: Sentence

    def broken(self, values: Mapping[str, int]) -> str | None:
        """Return the rule, in words, if a solution breaks the sentence."""
        return None if self.sentence(Filled(self.board, values)) else f"the rule {self.rule}"


def judges_of(board: Board, rules: Iterable[Rule]) -> tuple[SentenceJudge, ...]:
    return tuple(SentenceJudge(board, rule, sentence) for rule in rules for sentence in _sentences(board, rule))


def _sentences(board: Board, rule: Rule) -> Iterable[Sentence]:
    """Return the sentences of a rule, or its judge if a subclass overrides the judge but not the sentences."""
    kind = next(kind for kind in type(rule).__mro__ if "judge" in vars(kind) or "sentences" in vars(kind))
    return rule.sentences(board) if "sentences" in vars(kind) else (rule.judge,)


def about(cells: Iterable[str], keeps: Callable[..., bool]) -> Sentence:
    """Return the sentence that a function of the values of some cells is true."""
    names = tuple(cells)
    return lambda grid: keeps(*grid.along(names))


def differ(grid: Filled, names: Iterable[str]) -> bool:
    """Return whether no two of some cells, each looked at once, have the same value."""
    found = grid.along(dict.fromkeys(names))
    return len(set(found)) == len(found)


class _Judged(Rule):
    """A rule whose judge evaluates its sentences."""

    def judge(self, grid: Filled) -> bool:
        return all(sentence(grid) for sentence in self.sentences(grid.board))


def differing(cells: Iterable[str]) -> Iterator[Sentence]:
    """Yield for every two of some cells the sentence that they differ."""
    return (about(couple, ne) for couple in combinations(cells, 2))
