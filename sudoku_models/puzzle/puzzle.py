"""A puzzle: a shape, givens, perhaps candidates and rules. What it means is its model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ..errors import meant
from ..model import Constraint, Domain, Givens, Model, domain
from ..model.domain import integer
from .drawing import board_html, board_text
from .drawn import Drawn
from .grid import Cell, Grid, values_of
from .shape import Shape
from .symbols import line_of

if TYPE_CHECKING:
    from .rules.board import Board
    from .rules.rule_base import Rule
    from .rules.sentences import SentenceJudge


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A Sudoku as data. Immutable.

    ``givens`` holds a value for each cell, None where it is open. ``candidates`` narrows single cells to some values:
    pairs of a cell's number and a domain. ``title`` and ``comment`` are text found beside the puzzle; ``stated`` is a
    solution that came with it (by its author, unchecked). ``rules`` are what makes it a variant; they may bring extra
    cells along. ``notes`` say what a reader met and did not understand (unknown keys, rules in words); ``drawn`` is
    what a document draws without saying what it means, each with the rule that it looks like.
    """

    shape: Shape
    givens: tuple[Cell, ...]
    candidates: tuple[tuple[int, Domain], ...] = ()
    title: str = ""
    comment: str = ""
    stated: tuple[Cell, ...] | None = None
    rules: tuple[Rule, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    drawn: tuple[Drawn, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if len(self.givens) != self.shape.cells:
            raise ValueError(f"{len(self.givens)} cells for a board of {self.shape}: {self.shape.cells} are expected")
        if not self.shape.contents.issuperset(self.givens):
            self._refuse()
        if self.rules:
            board_of(self.shape, self.rules)

    def _refuse(self) -> None:
        for cell, given in enumerate(self.givens):
            if given not in self.shape.contents:
                span = _span(self.shape.values)
                raise ValueError(f"{self.shape.names[cell]}: {given} is out of range: {span} are possible")

    @staticmethod
    def parse(
        text: str,
        *,
        input_format: str | None = None,
        alphabet: str | None = None,
        shape: Shape | None = None,
        strict: bool = False,
        guess: bool = False,
    ) -> Puzzle:
        """Read one puzzle from text in any known format; FormatError says what, where and what was expected.

        ``input_format``, ``alphabet`` and ``shape`` choose where the text has several readings (see
        ``sudoku_models.formats``). What is not understood is kept in ``notes`` and ``drawn``; ``strict`` makes it a
        FormatError. ``guess`` takes the rules that drawings look like.
        """
        from ..formats import parse

        return parse(text, input_format=input_format, alphabet=alphabet, shape=shape, strict=strict, guess=guess)

    @classmethod
    def of(
        cls,
        grid: Grid,
        *,
        candidates: tuple[tuple[int, Domain], ...] = (),
        title: str = "",
        comment: str = "",
        stated: tuple[Cell, ...] | None = None,
        rules: tuple[Rule, ...] = (),
    ) -> Puzzle:
        """Make a puzzle whose givens are the values of a grid; TypeError for anything else."""
        if not isinstance(grid, Grid):
            raise TypeError(f"{grid!r:.60} is not a grid: a Grid is expected; Puzzle.parse reads a text")
        return cls(grid.shape, grid.values, candidates, title, comment, stated, rules)

    @classmethod
    def empty(cls, shape: Shape | int) -> Puzzle:
        """Make the puzzle without givens; a number is the side of a board with the usual boxes."""
        if isinstance(shape, int) and not isinstance(shape, bool):
            shape = Shape.square(shape)
        if not isinstance(shape, Shape):
            raise TypeError(f"{shape!r:.60} is not a shape: a Shape, or the side of a board, is expected")
        return cls(shape, (None,) * shape.cells)

    @property
    def structure(self) -> Model:
        """The model of everything but the givens and candidates: one object shared by all puzzles with these rules.

        Its variables are the cells of the grid, the extra cells, then auxiliary variables.
        """
        return self._with_rules if self.rules else self.shape.model

    @cached_property
    def _with_rules(self) -> Model:
        return structure_of(self.shape, self.rules)

    @property
    def names(self) -> tuple[str, ...]:
        """The cells of the grid, then the extra cells of the rules."""
        return board_of(self.shape, self.rules).names if self.rules else self.shape.names

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """The givens (domains of one) and candidates (domains of some), by the cell's name."""
        names = self.shape.names
        givens = Givens(names, self.givens)
        if not self.candidates:
            return givens
        found = dict(givens)
        for cell, values in self.candidates:
            given = found.get(names[cell])
            found[names[cell]] = values if given is None else tuple(v for v in given if v in values)
        return found

    @property
    def model(self) -> Model:
        """The whole model, with givens and candidates in the domains."""
        return self.structure.narrowed(self.domains)

    def violated(self, values: Grid | Iterable[Cell] | Mapping[str, int]) -> list[Rule]:
        """List the rules that a filled board breaks, as they judge it: each by its own sentence, no constraint asked.

        ``values`` is a grid, its values, or a mapping from names that covers the extra cells too.
        """
        if not isinstance(values, Mapping):
            values = self._by_name(filled(values))
        return RulesJudge(self.shape, self.rules, self.rules).violated(values)

    def with_rules(self, *rules: Rule) -> Puzzle:
        """Return the puzzle with more rules."""
        if any(isinstance(rule, list | tuple) for rule in rules):
            raise TypeError("rules are expected one by one: with_rules(*rules), not a list of them")
        return replace(self, rules=(*self.rules, *rules))

    @property
    def left_out(self) -> tuple[Drawn, ...]:
        """What is drawn and was not taken for a rule: the puzzle is stated without it."""
        return tuple(drawn for drawn in self.drawn if not drawn.taken)

    def guessed(self) -> Puzzle:
        """Return the puzzle with the rules that its drawings look like, each once, beside those that it has."""
        accepted = tuple(drawn.accepted() for drawn in self.drawn)
        found = dict.fromkeys(drawn.rule for drawn in accepted if drawn.rule is not None)
        return replace(self, rules=(*self.rules, *(x for x in found if x not in self.rules)), drawn=accepted)

    def with_(self, *constraints: Constraint | str) -> Puzzle:
        """Return the puzzle with core constraints over its cells, by their names, as rules beside the others.

        A constraint may be a text: ``puzzle.with_("R1C1 + R1C2 == 5")`` (see the rule ``Condition``). What ``solve``
        finds is a grid as before. ValueError for a name that is not a cell and for a text that states no constraint.
        """
        from .rules.condition import Condition

        return self.with_rules(*map(Condition.of, constraints))

    def __add__(self, other: Rule | Constraint) -> Puzzle:
        """Return the puzzle with one more rule, or with a core constraint over its cells."""
        from .rules.rule_base import Rule

        if isinstance(other, Rule):
            return self.with_rules(other)
        if isinstance(other, str | type):
            raise TypeError(_no_rule(other))
        return self.with_(other) if isinstance(other, Constraint) else NotImplemented

    def with_givens(self, givens: Mapping[str, int]) -> Puzzle:
        """Return the puzzle with values in cells, by their names; what was given there before is replaced.

        ValueError for a name that is not a cell and for a value the board has not, TypeError for what is not a mapping.
        """
        _need_mapping(givens, 'a value for each cell: {"R1C1": 5}')
        values = list(self.givens)
        for name, value in givens.items():
            cell = self.shape.cell(name)
            values[cell] = integer(value, f"the value of {name}")
        return replace(self, givens=tuple(values), stated=None)

    def without(self, *parts: str | Rule) -> Puzzle:
        """Return the puzzle without the givens and candidates of some cells, by name, and without some of its rules.

        ValueError for a name that is not a cell, for a cell that has neither, and for a rule that the puzzle has not.
        """
        cells = {self.shape.cell(part) for part in parts if isinstance(part, str)}
        narrowed = {cell for cell, _ in self.candidates}
        bare = next((cell for cell in sorted(cells) if self.givens[cell] is None and cell not in narrowed), None)
        if bare is not None:
            raise ValueError(f"{self.shape.names[bare]} has no given and no candidates that could be taken away")
        rules = list(self.rules)
        for part in parts:
            if not isinstance(part, str):
                if part not in rules:
                    raise ValueError(f"the puzzle has no rule {part!s:.100}: its {len(rules)} rules are in .rules")
                rules.remove(part)
        givens = tuple(None if cell in cells else given for cell, given in enumerate(self.givens))
        kept = tuple(entry for entry in self.candidates if entry[0] not in cells)
        return replace(self, givens=givens, candidates=kept, rules=tuple(rules), stated=None)

    @property
    def grid(self) -> Grid:
        """The givens as a grid."""
        return Grid(self.shape, self.givens, *dark_cells(self.shape, self.rules))

    @property
    def clues(self) -> int:
        """The number of givens."""
        return sum(given is not None for given in self.givens)

    def with_candidates(self, candidates: Mapping[str, Iterable[int]]) -> Puzzle:
        """Return the puzzle with cells, by name, narrowed to some values; a cell narrowed twice keeps what both allow.

        ValueError for a name that is not a cell and for a value that the board has not.
        """
        _need_mapping(candidates, 'values for each cell: {"R1C1": [1, 2]}')
        added = tuple((self.shape.cell(name), _values(name, values)) for name, values in candidates.items())
        for cell, values in added:
            self._need_values(cell, values)
        return replace(self, candidates=(*self.candidates, *added))

    def _need_values(self, cell: int, values: Domain) -> None:
        wrong = next((value for value in values if value not in self.shape.contents), None)
        if wrong is not None:
            span = _span(self.shape.values)
            raise ValueError(f"{self.shape.names[cell]}: {wrong} is out of range: {span} are possible")

    def _by_name(self, values: Sequence[int]) -> dict[str, int]:
        if len(values) != self.shape.cells:
            raise ValueError(f"{len(values)} values for a board of {self.shape.cells} cells")
        return dict(zip(self.shape.names, values, strict=True))

    def to_line(self, alphabet: str | None = None) -> str:
        """Return the givens in one line, '.' for open cells."""
        return line_of(self.givens, self.shape, alphabet)

    def __repr__(self) -> str:
        return f"<Puzzle of {self.shape}: {self.to_line()}>"

    def __str__(self) -> str:
        if not self.rules and not self.candidates:
            return board_text(self.shape, self.givens)
        from ..display import puzzle_text

        return puzzle_text(self)

    def _repr_html_(self) -> str:
        if not self.rules and not self.candidates:
            return board_html(self.shape, self.givens)
        from ..display import picture

        return picture(self)._repr_html_()

    def __getstate__(self) -> dict[str, object]:
        return {key: self.__dict__[key] for key in self.__dataclass_fields__}


@dataclass(frozen=True)
class RulesJudge:
    """Holds solutions to the rules of a board, each judged by its own sentence; ``judged`` are those that count."""

    shape: Shape
    rules: tuple[Rule, ...]
    judged: tuple[Rule, ...]

    @cached_property
    def _board(self) -> Board:
        return board_of(self.shape, self.rules)

    def of(self, rules: Iterable[Rule]) -> RulesJudge:
        """Return the judge of some of the rules, on the same board."""
        return replace(self, judged=tuple(rules))

    def each(self) -> tuple[SentenceJudge, ...]:
        """Return a judge for each sentence of each rule that counts."""
        from .rules.sentences import judges_of

        return judges_of(self._board, self.judged)

    def broken(self, values: Mapping[str, int]) -> str | None:
        """Return the first rule that a solution breaks, in words; None when it breaks none."""
        found = self.violated(values)
        return f"the rule {found[0]}" if found else None

    def violated(self, values: Mapping[str, int]) -> list[Rule]:
        """List the rules that a filled board breaks; ValueError for a cell without a value.

        Names are looked up first; a value is read where a rule looks at it.
        """
        from .rules.board import Filled

        missing = next((name for name in self._board.names if name not in values), None)
        if missing is not None:
            raise ValueError(f"{missing} has no value")
        grid = Filled(self._board, values)
        return [rule for rule in self.judged if not rule.judge(grid)]

    def __getstate__(self) -> dict[str, object]:
        return {key: self.__dict__[key] for key in self.__dataclass_fields__}


@lru_cache(maxsize=64)
def board_of(shape: Shape, rules: tuple[Rule, ...]) -> Board:
    """Return the board with its rules, checked; ValueError for a rule that cannot stand there."""
    from .rules.board import Board
    from .rules.rule_base import Rule

    for rule in rules:
        if not isinstance(rule, Rule):
            raise ValueError(_no_rule(rule))
    board = Board(shape, rules)
    board.check()
    return board


def dark_cells(shape: Shape, rules: tuple[Rule, ...]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the cells of the grid, by number, that are unused by the rules, and those that are black with a value."""
    return _dark(shape, rules) if rules else (frozenset(), frozenset())


@lru_cache(maxsize=64)
def _dark(shape: Shape, rules: tuple[Rule, ...]) -> tuple[frozenset[int], frozenset[int]]:
    from .rules.composed import flat
    from .rules.regions import Black, Unused

    listed = list(flat(rules))
    found = ({x for rule in listed if isinstance(rule, kind) for x in rule.scope} for kind in (Unused, Black))
    numbers = {name: cell for cell, name in enumerate(shape.names)}
    unused, black = (frozenset(numbers[x] for x in names if x in numbers) for names in found)
    return unused, black - unused


@lru_cache(maxsize=64)
def structure_of(shape: Shape, rules: tuple[Rule, ...]) -> Model:
    """Return the model of a shape with its rules: one object for equal arguments."""
    from .rules.board import Board

    board = Board(shape, rules)
    constraints = (*shape.constraints(), *board.constraints())
    beside = [*board.extra(), *(variable for variable, _ in board.auxiliaries.values())]
    cells = shape.model.variables
    stated = (*cells, *beside) if beside else cells
    return Model(stated, constraints, None, rules, RulesJudge(shape, rules, rules), shape)


def filled(values: Grid | Iterable[Cell]) -> tuple[int, ...]:
    """Return the values of a complete grid; ValueError when a cell is open."""
    found = values_of(values)
    kept = tuple(value for value in found if value is not None)
    if len(kept) < len(found):
        raise ValueError(f"{len(found) - len(kept)} cells are open: a filled board is expected")
    return kept


def _span(values: Domain) -> str:
    whole = len(values) > 12 or values[-1] - values[0] == len(values) - 1
    return f"{values[0]} to {values[-1]}" if whole else ", ".join(map(str, values))


def _need_mapping(given: object, what: str) -> None:
    if not isinstance(given, Mapping):
        raise TypeError(f"{given!r:.60} is not a mapping by the names of cells, with {what}")


def _values(name: str, values: Iterable[int]) -> Domain:
    try:
        return domain(values)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _no_rule(found: object) -> str:
    """Say that something is not a rule, and what to write where it is the kind of one, or its name."""
    from .rules import known_rules

    name = found if isinstance(found, str) else getattr(found, "__name__", "")
    if name in known_rules():
        return f"{name} is a kind of rule, imported from sudoku_models.puzzle.rules: {name}(...) makes a rule of it"
    near = meant(name, known_rules()) if isinstance(found, str) else ""
    return f"{found!r:.60} is not a rule{near}"
