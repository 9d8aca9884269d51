"""Relations defined by the user: on pairs, on lists of cells, along lines. Functions are tabulated immediately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, combinations, pairwise, product
from math import prod
from typing import Any, ClassVar, TypeVar

from ...model import Automaton, Constraint, Domain, Regular, Table, domain
from . import fields as f
from .board import Board, Filled
from .regex import python_pattern, regex_automaton
from .rule_base import Rule, _OfCells
from .steps import AutomatonKey, Made, Steps
from .yields import pairs

MOST_TUPLES = 1_000_000
"""The largest number of combinations of values on which a predicate is tried."""
MOST_PAIRS = 100_000
"""The largest number of pairs of values in one relation."""
DIGITS = range(1, 10)
BREAK = 1
"""The symbol read between two segments is the greatest value of the board plus this number."""
_STEP = 3
"""The cost, in steps, of each transition of an automaton that is unrolled along its segments."""


T = TypeVar("T", bound="_Asked")
Rows = tuple[tuple[int, ...], ...]


def _is_listed(a: int, b: int, members: frozenset[tuple[int, int]]) -> bool:
    return (a, b) in members


class _Asked(Rule):
    """Base of rules made from a function, which was called with some values that may not be those of the board."""

    _usual: ClassVar[bool] = False
    """Whether the function was called with the default values."""

    def check(self, board: Board) -> None:
        others = {v for x in self.scope for v in board.domain(x)}.difference(DIGITS) if self._usual else ()
        if others:
            raise ValueError(
                f"its function was called with the values 1 to 9, but the board has {min(others)}: "
                "name the values, as in of(..., values=shape.values)"
            )


def _stated(rule: T, values: Iterable[int] | None) -> T:
    object.__setattr__(rule, "_usual", values is None)
    return rule


def _are_plain(rows: tuple[Any, ...], size: int) -> bool:
    """Return whether rows are tuples of ``size`` integers in range, without a step of Python for each."""
    if {*map(type, rows)} != {tuple} or {*map(len, rows)} != {size}:
        return False
    numbers = [*chain.from_iterable(rows)]
    return {*map(type, numbers)} == {int} and min(numbers) >= -f.LARGEST_NUMBER and max(numbers) <= f.LARGEST_NUMBER


_IN_ORDER: dict[int, tuple[Rows, Rows]] = {}
"""Rows that were looked through, by ``id``, and the same in order: the rules of a relation are read with one object."""


@lru_cache(maxsize=256)
def _members(allowed: tuple[tuple[int, int], ...]) -> frozenset[tuple[int, int]]:
    return frozenset(allowed)  # one object for a relation, whose hash is then computed once


def _rows(value: Any, size: int | None, otherwise: str, most: int) -> Rows:
    """Return rows of ``size`` integers in ascending order, each once."""
    known = _IN_ORDER.get(id(value))
    if known is not None and known[0] is value:
        return known[1]
    what = "tuple of values" if size is None else "pair of values"
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"a list is expected, each item a {what} ({otherwise})")
    if size and type(value) is tuple and _are_plain(value, size) and len(value) <= most:
        if len(_IN_ORDER) > 256:
            _IN_ORDER.clear()
        ordered = tuple(sorted({*value}))
        _IN_ORDER[id(value)] = value, ordered
        return ordered
    found = set()
    for item in value:
        if not isinstance(item, tuple | list) or len(item) != (size or len(item)):
            raise ValueError(f"{item!r:.60} is not a {what}")
        found.add(tuple(map(f.whole, item)))
        if len(found) > most:
            raise ValueError(f"more than {most} rows")
    return tuple(sorted(found))


class Pair(_Asked):
    """Consecutive cells (a, b) hold one of the pairs ``allowed``; with ``every``, any two cells, in the listed order.

    ``name`` is for display. ``Pair.of(cells, function)`` tabulates a function of two values.
    """

    sentence = "Consecutive cells hold one of the allowed pairs."
    named = True
    drawing = "own line", ""
    cells: f.Cells = f.cells()
    allowed: tuple[tuple[int, int], ...] = f.stated(
        lambda value: _rows(value, 2, "Pair.of takes a function", MOST_PAIRS)
    )
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
        """Make a relation from a function, which is called now for every pair of ``values`` and not stored.

        ``values`` are 1 to 9 by default; the rule is then refused on a board that has others.
        """
        numbers = domain(DIGITS if values is None else values)
        if len(numbers) ** 2 > MOST_PAIRS:
            raise ValueError(f"{len(numbers) ** 2} pairs of values: at most {MOST_PAIRS} are possible")
        couples = [(a, b) for a in numbers for b in numbers if relation(a, b)]
        return _stated(cls(cells, couples, every, name), values)  # type: ignore[arg-type]

    def constraints(self, board: Board) -> Iterable[Constraint]:
        members = _members(self.allowed)
        couples = combinations(self.cells, 2) if self.every else pairwise(self.cells)
        return pairs(board, dict.fromkeys(couples), _is_listed, members)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        after = len(v) if self.every else 1
        return all((a, b) in self.allowed for i, a in enumerate(v) for b in v[i + 1 : i + 1 + after])


class Relation(_Asked):
    """The values of the cells form one of ``tuples``. ``Relation.of(cells, predicate)`` tabulates a predicate."""

    sentence = "The values of the cells form one of the allowed combinations."
    named = True
    drawing = "own line", ""
    cells: f.Cells = f.cells()
    tuples: tuple[tuple[int, ...], ...] = f.stated(
        lambda value: _rows(value, None, "Relation.of takes a predicate", MOST_TUPLES)
    )
    name: str = f.text()

    def validate(self) -> None:
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
        """Make a relation from a predicate with one argument for each cell; it is called now and not stored.

        Raises ValueError above a million combinations. ``values`` are 1 to 9 by default; the rule is then refused on a
        board that has others.
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
        domains = [frozenset(board.domain(x)) for x in self.cells]
        names = tuple(dict.fromkeys(self.cells))
        first = [self.cells.index(x) for x in names]
        rows = [row for row in self.tuples if all(v in d for v, d in zip(row, domains, strict=True))]
        if len(names) < len(self.cells):
            back = [names.index(x) for x in self.cells]
            rows = [row for row in rows if all(row[i] == row[first[back[i]]] for i in range(len(row)))]
        yield Table(names, [[row[i] for i in first] for row in rows])

    def judge(self, grid: Filled) -> bool:
        return tuple(grid.along(self.cells)) in self.tuples


def _automaton(value: object) -> Automaton:
    if not isinstance(value, Automaton):
        raise ValueError(f"{value!r:.60} is not an automaton (Line.of takes a step function, Regex a pattern)")
    return value


class Line(_Asked):
    """The values along the cells form a word that ``automaton`` accepts.

    Between two segments, even empty ones, the automaton reads another symbol: the greatest value of the board plus 1.
    ``Line.of(cells, step, start, accept)`` tabulates a step function.
    """

    sentence = "The values along the cells form a word that the automaton accepts."
    named = True
    drawing = "own line", ""
    segments: f.Segments = f.segments(shortest=0)
    automaton: Automaton = f.stated(_automaton)
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
        """Make a line from a step function: ``step(state, value)`` is the next state; None is a dead end.

        It is tabulated now and not stored. Raises ValueError above 100,000 states. ``values`` are 1 to 9 by default;
        the rule is then refused on a board that has others.
        """
        listed = cells.replace(",", " ").split() if isinstance(cells, str) else list(cells)
        automaton = Automaton.from_step(step, start, DIGITS if values is None else values, accept, len(listed))
        return _stated(cls((listed,), automaton, name), values)

    def check(self, board: Board) -> None:
        super().check(board)
        self.whole(board.values)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield Regular([x for segment in self.segments for x in segment], self.whole(board.values))

    def whole(self, values: Domain, steps: Steps | None = None) -> Automaton:
        """Return the automaton that reads all segments in turn; ``steps`` limits the work.

        Raises ValueError if it becomes too large.
        """
        lengths = tuple(map(len, self.segments))
        if len(lengths) == 1:
            return self.automaton
        return (steps or Steps()).made(_unrolled, (self.automaton, lengths), values, sum(lengths))

    def judge(self, grid: Filled) -> bool:
        mark, first = grid.board.high + BREAK, self.segments[0]
        word = [*grid.along(first), *(v for part in self.segments[1:] for v in (mark, *grid.along(part)))]
        return self.automaton.accepts(word)


class Regex(_OfCells):
    """The values along the cells form a word that the pattern matches as a whole.

    Each cell is one character: 0-9 are 0 to 9, A-Z and a-z are 10 to 35. The pattern may use ``.``, ``[..]``,
    ``[^..]``, ``( )``, ``|``, ``* + ?`` and ``{n}``, ``{n,}``, ``{n,m}``.
    """

    drawing = "own line", ""
    pattern: str = f.text()

    def check(self, board: Board) -> None:
        regex_automaton(self.pattern, board.values, len(self.cells))

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield Regular(self.cells, regex_automaton(self.pattern, board.values, len(self.cells)))

    def judge(self, grid: Filled) -> bool:
        import re

        letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        word = (letters[v] if 0 <= v < len(letters) else "\ue000" for v in grid.along(self.cells))  # in no pattern
        return re.fullmatch(python_pattern(self.pattern), "".join(word), re.IGNORECASE) is not None


@lru_cache(maxsize=256)
def _unrolled(asked: AutomatonKey) -> Made:
    """Return the automaton that reads the segments without a symbol between them. Its states are (position, state)."""
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
