"""Relations that a user states: on pairs, on lists of cells, along lines. Functions are tabulated when stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations, pairwise, product
from math import prod
from typing import Any, ClassVar, TypeVar

from ...model import Automaton, Constraint, Domain, Regular, Table, domain
from . import fields as f
from .board import Board, Filled
from .regex import regex_automaton
from .rule_base import Rule
from .steps import AutomatonKey, Made, Steps
from .yields import pairs

MOST_TUPLES = 1_000_000
"""The most combinations of values that a predicate is tried on."""
MOST_PAIRS = 100_000
"""The most pairs of values in one relation."""
DIGITS = range(1, 10)
BREAK = 1
"""The symbol read between two segments is the greatest value of the board plus this."""
_STEP = 3
"""What an arrow of an automaton that is written out along its segments costs, in steps of the purse."""
_PAIRS = {"type": "array", "items": {"type": "array", "items": f.NUMBER, "minItems": 2, "maxItems": 2}}
_TUPLES = {"type": "array", "items": {"type": "array", "items": f.NUMBER}}


T = TypeVar("T", bound="_Asked")


@dataclass(frozen=True)
class _Asked(Rule):
    """Base of rules that may come from a function, which was asked about some values and not about those of a board."""

    _usual: ClassVar[bool] = False
    """Was the function asked about the usual values, since none were named?"""

    def check(self, board: Board) -> None:
        """Raise ValueError where the board has values that the function was not asked about."""
        others = {value for x in self.scope for value in board.domain(x)}.difference(DIGITS)
        if self._usual and others:
            raise ValueError(
                f"its function was asked about the values 1 to 9, and the board has {min(others)}: "
                "name the values, as in of(..., values=shape.values)"
            )


def _stated(rule: T, values: Iterable[int] | None) -> T:
    object.__setattr__(rule, "_usual", values is None)
    return rule


def _pairs(value: object) -> tuple[tuple[int, int], ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError("a list of allowed pairs of values is expected (Pair.of takes a function)")
    found = set()
    for item in value:
        row = tuple(map(f.whole, item)) if isinstance(item, tuple | list) else ()
        if len(row) != 2:
            raise ValueError(f"{item!r:.60} is not a pair of values")
        found.add(row)
        if len(found) > MOST_PAIRS:
            raise ValueError(f"more than {MOST_PAIRS} pairs of values")
    return tuple(sorted(found))


@dataclass(frozen=True)
class Pair(_Asked):
    """Consecutive cells (a, b) hold one of the pairs ``allowed``; with ``every`` any two cells, in the order listed.

    ``name`` is for people. ``Pair.of(cells, function)`` tabulates a function of two values.
    """

    cells: tuple[str, ...] = f.cells()
    allowed: tuple[tuple[int, int], ...] = f.stated(_pairs, _PAIRS)
    every: bool = f.flag(False)
    name: str = f.text()

    @classmethod
    def of(
        cls,
        cells: Sequence[str] | str,
        relation: Callable[[int, int], Any],
        values: Iterable[int] | None = None,
        *,
        every: bool = False,
        name: str = "",
    ) -> Pair:
        """State a relation by a function, which is asked now about every pair of ``values`` and not kept.

        Without ``values`` these are 1 to 9, and the rule is refused on a board that has others.
        """
        numbers = domain(DIGITS if values is None else values)
        if len(numbers) ** 2 > MOST_PAIRS:
            raise ValueError(f"{len(numbers) ** 2} pairs of values: at most {MOST_PAIRS} are possible")
        couples = [(a, b) for a in numbers for b in numbers if relation(a, b)]
        return _stated(cls(cells, couples, every, name), values)  # type: ignore[arg-type]

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield a table for each pair of cells."""
        members = frozenset(self.allowed)
        couples = combinations(self.cells, 2) if self.every else pairwise(self.cells)
        return pairs(board, dict.fromkeys(couples), lambda a, b: (a, b) in members)

    def judge(self, grid: Filled) -> bool:
        """Look up every pair of values."""
        v = grid.along(self.cells)
        for i, a in enumerate(v):
            if any((a, b) not in self.allowed for b in (v[i + 1 :] if self.every else v[i + 1 : i + 2])):
                return False
        return True


def _tuples(value: object) -> tuple[tuple[int, ...], ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError("a list of tuples is expected (Relation.of takes a predicate)")
    found = set()
    for item in value:
        if not isinstance(item, tuple | list):
            raise ValueError(f"{item!r:.60} is not a tuple of values")
        found.add(tuple(map(f.whole, item)))
        if len(found) > MOST_TUPLES:
            raise ValueError(f"more than {MOST_TUPLES} tuples")
    return tuple(sorted(found))


@dataclass(frozen=True)
class Relation(_Asked):
    """The values of the cells form one of ``tuples``. ``Relation.of(cells, predicate)`` tabulates a predicate."""

    cells: tuple[str, ...] = f.cells()
    tuples: tuple[tuple[int, ...], ...] = f.stated(_tuples, _TUPLES)
    name: str = f.text()

    def validate(self) -> None:
        """Raise ValueError for a tuple of another length than the list of cells."""
        wrong = next((row for row in self.tuples if len(row) != len(self.cells)), None)
        if wrong is not None:
            raise ValueError(f"the tuple {wrong} has {len(wrong)} values for {len(self.cells)} cells")

    @classmethod
    def of(
        cls,
        cells: Sequence[str] | str,
        predicate: Callable[..., Any],
        values: Iterable[int] | None = None,
        *,
        name: str = "",
    ) -> Relation:
        """State a relation by a predicate of as many values as there are cells; it is asked now and not kept.

        ValueError above a million combinations. Without ``values`` these are 1 to 9, and the rule is refused on a board
        that has others.
        """
        listed = cells.replace(",", " ").split() if isinstance(cells, str) else list(cells)
        numbers = domain(DIGITS if values is None else values)
        combinations_ = prod(len(numbers) for _ in listed)
        if combinations_ > MOST_TUPLES:
            raise ValueError(
                f"{len(listed)} cells of {len(numbers)} values have {combinations_} combinations: "
                f"at most {MOST_TUPLES} can be tabulated"
            )
        rows = [row for row in product(numbers, repeat=len(listed)) if predicate(*row)]
        return _stated(cls(listed, rows, name), values)  # type: ignore[arg-type]

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield one table of the tuples that the board allows."""
        domains = [frozenset(board.domain(x)) for x in self.cells]
        names = tuple(dict.fromkeys(self.cells))
        first = [self.cells.index(x) for x in names]
        rows = [row for row in self.tuples if all(v in d for v, d in zip(row, domains, strict=True))]
        if len(names) < len(self.cells):
            back = [names.index(x) for x in self.cells]
            rows = [row for row in rows if all(row[i] == row[first[back[i]]] for i in range(len(row)))]
        yield Table(names, [[row[i] for i in first] for row in rows])

    def judge(self, grid: Filled) -> bool:
        """Look the values up among the tuples."""
        return tuple(grid.along(self.cells)) in self.tuples


def _automaton(value: object) -> Automaton:
    if not isinstance(value, Automaton):
        raise ValueError(f"{value!r:.60} is not an automaton (Line.of takes a step function, Regex a pattern)")
    return value


@dataclass(frozen=True)
class Line(_Asked):
    """The values along the cells form a word that ``automaton`` accepts.

    With several segments the automaton reads one more symbol, the greatest value of the board plus 1, between two; so
    it does beside a segment without cells. ``Line.of(cells, step, start, accept)`` tabulates a step function.
    """

    segments: tuple[tuple[str, ...], ...] = f.segments(shortest=0)
    automaton: Automaton = f.stated(_automaton, {"$ref": "#/$defs/automaton"})  # noqa: RUF009
    name: str = f.text()

    @classmethod
    def of(
        cls,
        cells: Sequence[str] | str,
        step: Callable[[Any, int], Any],
        start: Hashable,
        accept: Callable[[Any], bool],
        values: Iterable[int] | None = None,
        *,
        name: str = "",
    ) -> Line:
        """State a line by a step function: ``step(state, value)`` is the next state, None a dead end.

        It is tabulated now and not kept; ValueError above 100,000 states. Without ``values`` these are 1 to 9, and the
        rule is refused on a board that has others.
        """
        listed = cells.replace(",", " ").split() if isinstance(cells, str) else list(cells)
        automaton = Automaton.from_step(step, start, DIGITS if values is None else values, accept, len(listed))
        return _stated(cls((listed,), automaton, name), values)  # type: ignore[arg-type]

    def check(self, board: Board) -> None:
        """Raise ValueError where the automaton of all segments becomes too large, or was not asked about all values."""
        super().check(board)
        self.whole(board.values)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield one Regular over all segments, the symbol between them taken into its states."""
        yield Regular([x for segment in self.segments for x in segment], self.whole(board.values))

    def whole(self, values: Domain, steps: Steps | None = None) -> Automaton:
        """Return the automaton that reads all segments one behind the other; ``steps`` pays for making it.

        ValueError for one that becomes too large.
        """
        lengths = tuple(map(len, self.segments))
        if len(lengths) == 1:
            return self.automaton
        return (steps or Steps()).made(_unrolled, (self.automaton, lengths), values, sum(lengths))

    def judge(self, grid: Filled) -> bool:
        """Walk through the automaton, the symbol between segments included."""
        mark, first = grid.board.high + BREAK, self.segments[0]
        word = [*grid.along(first), *(v for part in self.segments[1:] for v in (mark, *grid.along(part)))]
        state: int | None = self.automaton.start
        for value in word:
            state = next((b for a, v, b in self.automaton.arrows if a == state and v == value), None)
        return state in self.automaton.accepting


@dataclass(frozen=True)
class Regex(Rule):
    """The values along the cells form a word that the pattern matches as a whole.

    One character a cell: 0-9 are 0 to 9, A-Z and a-z are 10 to 35. Understood are ``.``, ``[..]``, ``[^..]``, ``( )``,
    ``|``, ``* + ?`` and ``{n}``, ``{n,}``, ``{n,m}``.
    """

    cells: tuple[str, ...] = f.cells()
    pattern: str = f.text()

    def check(self, board: Board) -> None:
        """Raise ValueError for a pattern that is not understood or needs too large an automaton."""
        regex_automaton(self.pattern, board.values, len(self.cells))

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield one Regular."""
        yield Regular(self.cells, regex_automaton(self.pattern, board.values, len(self.cells)))

    def judge(self, grid: Filled) -> bool:
        """Write the values as characters, and let Python's ``re`` match them."""
        import re

        word = "".join(map(_letter, grid.along(self.cells)))
        return re.fullmatch(_stacked(self.pattern), word, re.IGNORECASE) is not None


def _letter(value: int) -> str:
    """Return the character of a value; one that no pattern names where there is none."""
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[value] if 0 <= value < len(letters) else "\ue000"


def _stacked(pattern: str) -> str:
    """Write a pattern for Python's ``re``: a quantifier on a quantifier gets its own group."""
    from .regex import python_pattern

    return python_pattern(pattern)


@lru_cache(maxsize=256)
def _unrolled(asked: AutomatonKey) -> Made:
    """Return the automaton that reads the segments without a symbol between them. State: (place, state)."""
    (automaton, lengths), values, total = asked.source, asked.values, asked.length
    before = asked.steps.left
    breaks = Counter(accumulate(lengths[:-1]))
    arrows, mark = automaton.next, values[-1] + BREAK

    def past_breaks(place: int, state: int | None) -> tuple[int, int] | None:
        for _ in range(breaks[place]):
            state = arrows.get((state, mark)) if state is not None else None
        return None if state is None else (place, state)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        asked.steps.spend(_STEP)
        return past_breaks(state[0] + 1, arrows.get((state[1], value)))

    accepting = frozenset(automaton.accepting)
    start = past_breaks(0, automaton.start)
    if start is None:
        return Made(Automaton(1, 0, (), ()), before - asked.steps.left)
    made = Automaton.from_step(step, start, values, lambda s: s[0] == total and s[1] in accepting, total)
    return Made(made, before - asked.steps.left)
