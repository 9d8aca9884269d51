"""A puzzle: a shape, givens, and optionally candidates and rules. Its model defines its meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ..dataclass import dataclass
from ..errors import meant
from ..lazy import Loaded, hook
from ..model import Constraint, Domain, Givens, Model, domain
from ..model.domain import fields_only, integer
from .drawing import board_html, board_text, puzzle_text
from .drawn import Drawn
from .grid import Cell, Grid, values_of
from .shape import Shape
from .symbols import line_of

if TYPE_CHECKING:
    from .rules.board import Board, SentenceJudge
    from .rules.rule_base import Rule

_BOARDS, _RULES = (Loaded(f"{__package__}.rules.{name}") for name in ("board", "rule_base"))


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A Sudoku as data. Immutable.

    ``givens`` holds a value for each cell, None if it is open. ``candidates`` narrows single cells to some values:
    pairs of a cell's number and a domain. ``title`` and ``comment`` are text found with the puzzle; ``stated`` is a
    solution that came with it (from its author, unchecked). ``rules`` make it a variant; they may add extra cells.
    ``notes`` list what was not understood when reading (unknown keys, ...); ``drawn`` lists drawings without a stated
    meaning, each with the rule that it looks like, sentences of the rules in words that are not in ``rules``, and rules
    that the stated solution breaks.
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
            cell = next(cell for cell, given in enumerate(self.givens) if given not in self.shape.contents)
            self._need_values(cell, (self.givens[cell],))
        if self.rules:
            _ = self._board  # raises ValueError for a rule that does not fit

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
        """Read one puzzle from text in any known format; a FormatError says what is wrong and what was expected.

        ``input_format``, ``alphabet`` and ``shape`` decide if the text has several interpretations (see
        ``sudoku_models.formats``). What is not understood is kept in ``notes`` and ``drawn``; with ``strict`` it is a
        FormatError. ``guess`` reads drawings as the rules that they look like.
        """
        read: Callable[..., Puzzle] = hook("parse")
        return read(text, input_format=input_format, alphabet=alphabet, shape=shape, strict=strict, guess=guess)

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
        """Make a puzzle whose givens are the values of a grid; raise TypeError for anything else."""
        if not isinstance(grid, Grid):
            raise TypeError(f"{grid!r:.60} is not a grid: a Grid is expected (Puzzle.parse reads text)")
        return cls(grid.shape, grid.values, candidates, title, comment, stated, rules)

    @classmethod
    def empty(cls, shape: Shape | int) -> Puzzle:
        """Make a puzzle without givens; a number is the side of a board with the usual boxes."""
        if isinstance(shape, int) and not isinstance(shape, bool):
            shape = Shape.square(shape)
        if not isinstance(shape, Shape):
            raise TypeError(f"{shape!r:.60} is not a shape: a Shape, or the side of a board, is expected")
        return cls(shape, (None,) * shape.cells)

    @property
    def structure(self) -> Model:
        """The model without the givens and candidates: one object shared by all puzzles with the same rules.

        Its variables are the cells of the grid, the extra cells, then auxiliary variables.
        """
        return self._with_rules if self.rules else self.shape.model

    @cached_property
    def _with_rules(self) -> Model:
        return structure_of(self._board)

    @cached_property
    def _board(self) -> Board:
        return board_of(self.shape, self.rules)

    @property
    def names(self) -> tuple[str, ...]:
        """The cells of the grid, then the extra cells of the rules."""
        return self._board.names if self.rules else self.shape.names

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """The givens (domains of one value) and candidates (domains of several), by cell name."""
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
        """List the rules that a filled board breaks, judged by each rule's own sentence, without the constraints.

        ``values`` is a grid, its values, or a mapping from names that also covers the extra cells.
        """
        if not isinstance(values, Mapping):
            values = self._by_name(filled(values))
        return RulesJudge(self.shape, self.rules, self.rules).violated(values)

    def with_rules(self, *rules: Rule) -> Puzzle:
        """Return a copy of the puzzle with additional rules."""
        if any(isinstance(rule, list | tuple) for rule in rules):
            raise TypeError("pass rules as separate arguments, with_rules(*rules), not as a list")
        return replace(self, rules=(*self.rules, *rules))

    @property
    def left_out(self) -> tuple[Drawn, ...]:
        """The drawings, and sentences that are rules, that were not accepted, and so are not part of the puzzle."""
        return tuple(drawn for drawn in self.drawn if not drawn.taken and not drawn.is_unread)

    @property
    def unread(self) -> tuple[Drawn, ...]:
        """The sentences of the rules in words that were not read."""
        return tuple(drawn for drawn in self.drawn if drawn.is_unread)

    def guessed(self) -> Puzzle:
        """Return a copy of the puzzle with its rules and, each once, the rules that its drawings look like."""
        accepted = tuple(drawn.accepted() for drawn in self.drawn)
        found = dict.fromkeys(drawn.rule for drawn in accepted if drawn.rule is not None and drawn.taken)
        return replace(self, rules=(*self.rules, *(x for x in found if x not in self.rules)), drawn=accepted)

    def with_title(self, title: str, *, author: str = "", words: str = "", solution: Grid | None = None) -> Puzzle:
        """Return a copy of the puzzle with a title, an author, the rules in words, and its solution, to publish it.

        What is not given stays as it is. Raises ValueError for a solution of another board.
        """
        by, said = author_and_words(self.comment)
        comment = comment_of(author or by, words or said)
        stated = self.stated
        if solution is not None:
            stated = filled(solution)
            self._by_name(filled(solution))
        return replace(self, title=title, comment=comment, stated=stated)

    def with_(self, *constraints: Constraint | str) -> Puzzle:
        """Return a copy of the puzzle with core constraints over its cells, by name, as additional rules.

        A constraint may be a text: ``puzzle.with_("R1C1 + R1C2 == 5")`` (see the rule ``Condition``). ``solve``
        still finds a grid. Raises ValueError for a name that is not a cell and for a text that states no constraint.
        """
        from .rules.stated import Condition

        return self.with_rules(*map(Condition.of, constraints))

    def __add__(self, other: Rule | Constraint) -> Puzzle:
        """Return a copy of the puzzle with another rule, or with a core constraint over its cells."""
        from .rules.rule_base import Rule

        if isinstance(other, Rule):
            return self.with_rules(other)
        if isinstance(other, str | type):
            raise TypeError(_no_rule(other))
        return self.with_(other) if isinstance(other, Constraint) else NotImplemented

    def with_givens(self, givens: Mapping[str, int]) -> Puzzle:
        """Return a copy of the puzzle with values in cells, by name; they replace earlier givens.

        Raises ValueError for a name that is not a cell and for a value that the board does not have, and TypeError for
        anything but a mapping.
        """
        _need_mapping(givens, 'a value for each cell: {"R1C1": 5}')
        values = list(self.givens)
        for name, value in givens.items():
            cell = self.shape.cell(name)
            values[cell] = integer(value, f"the value of {name}")
        return replace(self, givens=tuple(values), stated=None)

    def without(self, *parts: str | Rule) -> Puzzle:
        """Return a copy of the puzzle without the givens and candidates of some cells, by name, and without some rules.

        Raises ValueError for a name that is not a cell, for a cell that has neither, and for a rule that is not in the
        puzzle.
        """
        cells = {self.shape.cell(part) for part in parts if isinstance(part, str)}
        narrowed = {cell for cell, _ in self.candidates}
        bare = next((cell for cell in sorted(cells) if self.givens[cell] is None and cell not in narrowed), None)
        if bare is not None:
            raise ValueError(f"{self.shape.names[bare]} has neither a given nor candidates to remove")
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
        """Return a copy of the puzzle with cells, by name, narrowed to some values; repeated narrowing intersects them.

        Raises ValueError for a name that is not a cell and for a value that the board does not have.
        """
        _need_mapping(candidates, 'values for each cell: {"R1C1": [1, 2]}')
        added = tuple((self.shape.cell(name), _values(name, values)) for name, values in candidates.items())
        for cell, values in added:
            self._need_values(cell, values)
        return replace(self, candidates=(*self.candidates, *added))

    def _need_values(self, cell: int, values: Iterable[Cell]) -> None:
        wrong = next((value for value in values if value not in self.shape.contents), None)
        if wrong is not None:
            span = _span(self.shape.values)
            raise ValueError(f"{self.shape.names[cell]}: {wrong} is out of range: {span} are possible")

    def _by_name(self, values: Sequence[int]) -> dict[str, int]:
        if len(values) != self.shape.cells:
            raise ValueError(f"{len(values)} values for a board of {self.shape.cells} cells")
        return dict(zip(self.shape.names, values, strict=True))

    def to_line(self, alphabet: str | None = None) -> str:
        """Return the givens on one line, with '.' for open cells."""
        return line_of(self.givens, self.shape, alphabet)

    def __repr__(self) -> str:
        return f"<Puzzle of {self.shape}: {self.to_line()}>"

    def __str__(self) -> str:
        if not self.rules and not self.candidates:
            return board_text(self.shape, self.givens)
        return puzzle_text(self)

    def _repr_html_(self) -> str:
        if not self.rules and not self.candidates:
            return board_html(self.shape, self.givens)
        return str(hook("picture")(self)._repr_html_())

    __getstate__ = fields_only


@dataclass(frozen=True)
class RulesJudge:
    """Checks solutions against the rules of a board, each by its own sentence; ``judged`` lists these rules."""

    shape: Shape
    rules: tuple[Rule, ...]
    judged: tuple[Rule, ...]

    @cached_property
    def _board(self) -> Board:
        return board_of(self.shape, self.rules)

    def of(self, rules: Iterable[Rule]) -> RulesJudge:
        """Return the judge for some of the rules, on the same board."""
        return replace(self, judged=tuple(rules))

    def each(self) -> tuple[SentenceJudge, ...]:
        from .rules.board import judges_of

        return judges_of(self._board, self.judged)

    def broken(self, values: Mapping[str, int]) -> str | None:
        """Return the first rule that a solution breaks, in words; None if it breaks none."""
        found = self.violated(values)
        return f"the rule {found[0]}" if found else None

    def violated(self, values: Mapping[str, int]) -> list[Rule]:
        """List the rules that a filled board breaks; raise ValueError for a cell without a value.

        Names are looked up first; a value is read only when a rule needs it.
        """
        from .rules.board import Filled

        names = self._board.names
        if not all(map(values.__contains__, names)):
            raise ValueError(f"{next(name for name in names if name not in values)} has no value")
        grid = Filled(self._board, values)
        return [rule for rule in self.judged if not rule.judge(grid)]

    __getstate__ = fields_only


def dark_cells(shape: Shape, rules: tuple[Rule, ...]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the cells of the grid, by number, that rules mark as unused, and those that are black with a value."""
    if not rules:
        return frozenset(), frozenset()
    from .rules import loaded

    kinds = loaded("Unused"), loaded("Black"), loaded("AllOf")
    found = any(isinstance(rule, kinds) for rule in rules)  # faster than the hash of all rules
    return _marked(shape, rules) if found else (frozenset(), frozenset())


@lru_cache(maxsize=64)
def _marked(shape: Shape, rules: tuple[Rule, ...]) -> tuple[frozenset[int], frozenset[int]]:
    from .rules import loaded
    from .rules.composed import flat

    kinds = loaded("Unused"), loaded("Black")
    listed = list(flat(rules))
    found = ({x for rule in listed if isinstance(rule, kind) for x in rule.scope} for kind in kinds)
    unused, black = (frozenset(shape.places[x] for x in names if x in shape.places) for names in found)
    return unused, black - unused


@lru_cache(maxsize=64)
def board_of(shape: Shape, rules: tuple[Rule, ...]) -> Board:
    """Return the board with its rules, checked; raise ValueError for a rule that does not fit the board."""
    for rule in rules:
        if not isinstance(rule, _RULES.Rule):
            raise ValueError(_no_rule(rule))
    board: Board = _BOARDS.Board(shape, rules)
    board.check()
    return board


@lru_cache(maxsize=64)
def structure_of(board: Board) -> Model:
    """Return the model of a board with its rules: one object for each board of ``board_of``."""
    shape, rules = board.shape, board.rules
    constraints = (shape.constraints(), *board._blocks())
    beside = [variable for variable, _ in board.auxiliaries.values()]
    stated = (*board._stated, *beside) if beside else board._stated
    judge = RulesJudge(shape, rules, rules)
    vars(judge)["_board"] = board  # it need not look for it
    return Model(stated, constraints, None, rules, judge, shape)


def filled(values: Grid | Iterable[Cell]) -> tuple[int, ...]:
    """Return the values of a complete grid; raise ValueError if a cell is open."""
    found = values_of(values)
    kept = tuple(value for value in found if value is not None)
    if len(kept) < len(found):
        raise ValueError(f"{len(found) - len(kept)} cells are open: a filled board is expected")
    return kept


def comment_of(author: str, words: str) -> str:
    """Return the comment of a puzzle: its author, and its rules in words."""
    return "\n".join([f"author: {author}"] * bool(author) + [words] * bool(words))


def author_and_words(comment: str) -> tuple[str, str]:
    """Divide what ``comment_of`` returns."""
    first, _, rest = comment.partition("\n")
    return (first.removeprefix("author: "), rest) if first.startswith("author: ") else ("", comment)


def _span(values: Domain) -> str:
    whole = len(values) > 12 or values[-1] - values[0] == len(values) - 1
    return f"{values[0]} to {values[-1]}" if whole else ", ".join(map(str, values))


def _need_mapping(given: object, what: str) -> None:
    if not isinstance(given, Mapping):
        raise TypeError(f"{given!r:.60} is not a mapping from cell names to {what}")


def _values(name: str, values: Iterable[int]) -> Domain:
    try:
        return domain(values)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _no_rule(found: object) -> str:
    """Return the error for something that is not a rule, with advice if it is a class of rules or the name of one."""
    from .rules import known_rules

    name = found if isinstance(found, str) else getattr(found, "__name__", "")
    if name in known_rules():
        return f"{name} is a kind of rule, imported from sudoku_models.puzzle.rules: {name}(...) makes such a rule"
    near = meant(name, known_rules()) if isinstance(found, str) else ""
    return f"{found!r:.60} is not a rule{near}"
