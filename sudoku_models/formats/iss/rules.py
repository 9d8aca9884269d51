"""The types of ISS constraints that state rules: one row a type, which reads arguments as rules and writes rules.

A writer returns the arguments of its type, or tokens of other types that mean the same; None for a rule that it cannot
express, of which the meaning is written instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, pairwise
from operator import methodcaller
from typing import Any
from urllib.parse import unquote

from ...dataclass import dataclass
from ...errors import FormatError
from ...model import Domain
from ...puzzle import rules as r
from ...puzzle.rules.rule_base import Rule
from ..regions import outside, ray
from .board import SIGNS, IssBoard, groups, is_cell, number, numbers, segments
from .meaning import nfa, pair, parted
from .notation import Token, automaton_of, bytes_of, code_of, decoded, encoded, machine_of, pairs_of

Arguments = tuple[str, ...]
Segments = tuple[tuple[str, ...], ...]
Tokens = list[Token] | None
Reader = Callable[[IssBoard, Arguments], Iterable[Rule]]
HeadReader = Callable[[IssBoard, str, Arguments], Iterable[Rule]]
"""Reads the first argument, "" if there is none, and the others."""
Writer = Callable[[Any, IssBoard], Arguments | Tokens]
Need = Callable[[Domain], str]
"""Says which values a type needs; "" if it can be used with these."""
ANYWHERE, TOP, OUTSIDE = "anywhere", "top", "outside"
"""Where a type is allowed: in blocks too, only at the top level, or as a clue outside the grid.

Clues outside are allowed in Or and And, not in Replicate; at the top level the last clue at an end wins.
"""
_DIGITS = tuple(range(1, 10))
TIES = ("none", "only-unclued", "any")
"""The words of FullRankTies, which say which readings may be equal."""
NO_RULE = frozenset({"Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var", "SearchPriority"})
"""The types that describe the board, or that do not affect the solutions."""


def _digits(values: Domain) -> str:
    return "" if values == _DIGITS else f"the values 1 to 9 are expected, not {values[0]} to {values[-1]}"


@dataclass(frozen=True)
class Row:
    """A type of constraint, by its name, and the kinds of rules that are written as it."""

    name: str
    read: Reader
    kinds: tuple[str, ...] = ()
    write: Writer = lambda rule, board: None
    place: str = ANYWHERE
    need: Need | None = None

    def tokens(self, rule: Rule, board: IssBoard) -> Tokens:
        """Write a rule; return None if the type cannot express it."""
        found = None if self.need and self.need(board.values) else self.write(rule, board)
        return [Token(self.name, found)] if isinstance(found, tuple) else found


def _cells(kind: str, rule_kind: str, least: int = 1, need: Need | None = None) -> Row:
    return Row(
        kind,
        lambda board, arguments: [getattr(r, rule_kind)(board.cells(arguments, least))],
        (rule_kind,),
        lambda rule, board: board.write(rule.cells),
        need=need,
    )


def _headed(
    kind: str, kinds: Any, read: HeadReader, write: Writer = lambda rule, board: None, place: str = ANYWHERE
) -> Row:
    """Return a type whose first argument differs from the others."""
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    return Row(kind, lambda board, arguments: read(board, "".join(arguments[:1]), arguments[1:]), kinds, write, place)


def _valued(kind: str, rule_kind: str, field: str, value_of: Callable[[str], Any], text_of: Any, least: int = 1) -> Row:
    """Return a type whose arguments are a value in one text, which is a field of the rule, and cells."""

    def read(board: IssBoard, text: str, cells: Arguments) -> Iterator[Rule]:
        value = value_of(text)
        yield getattr(r, rule_kind)(board.cells(cells, least), value)

    def write(rule: Any, board: IssBoard) -> Arguments | None:
        text = text_of(getattr(rule, field))
        return None if text is None else (text, *board.write(rule.cells))

    return _headed(kind, rule_kind, read, write)


def _numbered(kind: str, rule_kind: str, field: str, low: int = 0, least: int = 1) -> Row:
    """Return a type whose arguments are a number that is not negative, and cells."""
    return _valued(kind, rule_kind, field, lambda text: number(text, low), lambda v: str(v) if v >= 0 else None, least)


def _listed(values: Domain) -> str | None:
    return "_".join(map(str, values)) if min(values) >= 0 else None


def _bare(
    kind: str,
    rule_kind: str,
    rules: Callable[[IssBoard], Iterable[Rule]],
    fits: Callable[[Any, IssBoard], bool],
    need: Need | None = None,
) -> Row:
    """Return a type without arguments about the whole grid, and which of its rules it can state."""

    def read(board: IssBoard, arguments: Arguments) -> Iterable[Rule]:
        if any(arguments):
            raise FormatError(f"no arguments are expected, not {'~'.join(arguments)[:30]}")
        return rules(board)

    return Row(kind, read, (rule_kind,), lambda rule, board: () if fits(rule, board) else None, TOP, need)


def _whole(kind: str, rule_kind: str, need: Need | None = None) -> Row:
    """Return a type without arguments, which states a rule with its usual fields."""
    usual = methodcaller(rule_kind)
    return _bare(kind, rule_kind, lambda board: [usual(r)], lambda found, board: bool(found == usual(r)), need)


def _boxed(kind: str, rule_kind: str, which: str) -> Row:
    """Return a type about boxes of one size (``box`` or ``window``); without effect if they do not tile the grid."""

    def rules(board: IssBoard) -> Iterator[Rule]:
        box = getattr(board, which)
        if board.shape.height != board.shape.width:
            raise FormatError(f"a square grid is expected, not {board.shape}")
        if box is not None:
            yield getattr(r, rule_kind)(() if board.shape.box == box else box)

    return _bare(kind, rule_kind, rules, lambda rule, board: (rule.box or board.shape.box) == getattr(board, which))


def _value(board: IssBoard, text: str) -> int:
    found = number(text)
    if found not in board.values:
        raise FormatError(f"the value {found}: {board.values[0]} to {board.values[-1]} are possible")
    return found


def _given(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    for argument in filter(None, arguments):
        cell, values = _cell_and_values(argument, board.values)
        name = board.known[cell]
        yield _one_of(
            name, tuple([_value(board, text) for text in argument.split("_")[1:]]) if values is None else values
        )


@lru_cache(maxsize=4096)
def _cell_and_values(argument: str, possible: Domain) -> tuple[str, Domain | None]:
    """Return the two parts of a given, with None for values that are not all possible."""
    cell, *texts = argument.split("_")
    known = {str(value): value for value in possible}
    return cell, tuple([known[text] for text in texts]) if known.keys() >= set(texts) else None


@lru_cache(maxsize=4096)
def _one_of(cell: str, values: tuple[int, ...]) -> Rule:
    """Return the rule of a given or of candidates: puzzles share most of them."""
    return r.OneOf(cell, values)


def _given_cell(rule: Any, board: IssBoard) -> Arguments:
    values = [str(v) for v in rule.values if v in board.board.domain(rule.cell)]
    return ("_".join([board.written(rule.cell), *values]),)


# ---- lines


def _whisper(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    difference = 5
    if arguments and not is_cell(arguments[0]):
        difference, arguments = number(arguments[0]), arguments[1:]
    yield r.Whisper(board.cells(arguments), difference)


def _sum_line(board: IssBoard, total: str, cells: Arguments) -> Iterator[Rule]:
    loop = cells[-1:] == ("LOOP",)
    if loop and board.move is not None:
        raise FormatError("a closed line is not allowed in Replicate")
    yield r.SumLine(board.cells(cells[:-1] if loop else cells), number(total), loop)


def _sum_line_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    return (str(rule.total), *board.write(rule.cells), *(["LOOP"] * rule.loop)) if rule.total >= 0 else None


def _pill_arrow(board: IssBoard, size: str, cells: Arguments) -> Iterator[Rule]:
    count = number(size, 2, 3)
    names = board.cells(cells, count + 1)
    pill = sorted(names[:count], key=board.board.place)
    if not all(_is_step(a, b) for a, b in pairwise(map(board.board.place, pill))):
        raise FormatError(f"{' '.join(pill)} is not a pill: each cell is right of or below the one before, or both")
    yield r.PillArrow(tuple(pill), names[count:])


def _pill_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    places = sorted(map(board.board.place, rule.pill))
    if any(not _is_step(a, b) for a, b in pairwise(places)):
        return None
    return (str(len(rule.pill)), *board.write((*rule.pill, *rule.shaft)))


def _is_step(a: tuple[str, int, int], b: tuple[str, int, int]) -> bool:
    """Return whether a cell of a pill is right of or below the one before, or both."""
    return a[0] == b[0] and (b[1] - a[1], b[2] - a[2]) in ((0, 1), (1, 0), (1, 1))


# ---- cages and sums


def _cage_tokens(rule: Any, board: IssBoard) -> Arguments | Tokens:
    cells = board.write(rule.cells)
    if rule.total is None or rule.total > 0:
        return (str(rule.total or 0), *cells)
    return [Token("AllDifferent", cells), Token("Sum", (str(rule.total), *cells))]


def _sum(board: IssBoard, head: str, cells: Arguments) -> Iterator[Rule]:
    total, *weighted = head.split("_=_")
    if len(weighted) > 1:
        raise FormatError(f"{head[:40]!r}: a sum, or a sum, _=_ and coefficients, is expected")
    weights = numbers(weighted[0], -100, 100) if weighted else []
    yield r.WeightedSum(board.cells(cells), number(total, -1_000_000), tuple(weights))


def _sum_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    if any(abs(weight) > 100 for weight in rule.weights):
        return None
    weights = "_=_" + "_".join(map(str, rule.weights)) if rule.weights else ""
    return (f"{rule.total}{weights}", *board.write(rule.cells))


def _sums(totals: Callable[[Any, IssBoard], Iterable[int]]) -> Callable[[Any, IssBoard], Tokens]:
    def write(rule: Any, board: IssBoard) -> Tokens:
        cells = board.write(rule.cells)
        branches = [Token("Sum", (str(total), *cells)) for total in totals(rule, board)]
        return [Token("AllDifferent", cells), Token("Or", (), tuple(branches))]

    return write


def _totals_of_root(rule: Any, board: IssBoard) -> list[int]:
    most = board.values[-1] * len(rule.cells)
    return [t for t in range(most + 1) if (0 if t == 0 else 1 + (t - 1) % 9) == rule.root]


# ---- marks and values of cells


def _adjacent(make: Callable[[tuple[str, str]], Rule]) -> Reader:
    """Make a rule for every two neighbours among the cells; the cell listed first comes first."""

    def read(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
        """Yield a rule for every two neighbours among the cells; raise FormatError if there are none."""
        names = tuple(dict.fromkeys(board.cells(arguments, 2)))
        order = {name: i for i, name in enumerate(names)}
        found = [(a, b) for a in names[:-1] for b in board.board.around(a) if order.get(b, -1) > order[a]]
        if not found:
            raise FormatError(f"no two of {' '.join(names)[:60]} are neighbours")
        yield from map(make, found)

    return read


def _adjacent_cells(rule: Any, board: IssBoard) -> Arguments | None:
    a, b = rule.cells
    return board.write((a, b)) if b in board.board.around(a) else None


def _xv_tokens(rule: Any, board: IssBoard) -> Tokens:
    if rule.total is None:
        return []
    kind, cells = {10: "X", 5: "V"}.get(rule.total), _adjacent_cells(rule, board)
    return [Token(kind, cells)] if kind and cells else [Token("Sum", (str(rule.total), *board.write(rule.cells)))]


def _said(text: str) -> Domain:
    if not re.match(r"(?:[0-9][0-9])+\Z", text):
        raise FormatError(f"{text[:20]!r}: pairs of digits, count and value, are expected")
    return tuple(map(int, text))


def _said_text(said: Domain) -> str | None:
    return "".join(map(str, said)) if all(0 <= number <= 9 for number in said) else None


def _same_values(board: IssBoard, count: str, names: Arguments) -> Iterator[Rule]:
    cells = board.cells(names)
    sets = number(count, 1)
    if len(cells) % sets:
        raise FormatError(f"{len(cells)} cells cannot be cut into {sets} equal parts")
    size = len(cells) // sets
    yield r.SameValues(tuple(cells[i : i + size] for i in range(0, len(cells), size)))


def _count_distinct(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    control, *cells = board.cells(arguments, 2)
    yield r.CountDistinct(control, tuple(cells))


_SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))


def _quad(board: IssBoard, corner: str, values: Arguments) -> Iterator[Rule]:
    start = board.known[corner]
    square = [board.board.step(start, step) for step in _SQUARE]
    found = tuple(name for name in square if name is not None)
    if len(found) < 4:
        raise FormatError(f"the four cells from {corner} reach outside its grid")
    if values:
        yield r.Quadruple(found, tuple(_value(board, text) for text in values))


def _quad_tokens(rule: Any, board: IssBoard) -> Arguments | Tokens:
    corner = min(rule.cells, key=board.board.place)
    square = {board.board.step(corner, step) for step in _SQUARE}
    if square != set(rule.cells) or not set(rule.values) <= set(board.values):
        return ROWS["ContainAtLeast"].tokens(rule, board)
    return (board.written(corner), *map(str, rule.values))


def _indexing(board: IssBoard, which: str, cells: Arguments) -> Iterator[Rule]:
    kind = {"C": r.ColumnIndexer, "R": r.RowIndexer}.get(which)
    if kind is None or not cells:
        raise FormatError("C or R, followed by cells, is expected")
    yield from (kind(board.known[cell]) for cell in cells)


def _indexing_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    which = "C" if isinstance(rule, r.ColumnIndexer) else "R"
    return (which, board.written(rule.cell)) if board.shape.lines else None


# ---- clues outside the grid


def _line_of(cells: tuple[str, ...], board: IssBoard) -> tuple[str, bool] | None:
    """Return the line that cells form, and whether they are read from the left or top."""
    for (row, column), line in outside(board.shape.height, board.shape.width).items():
        if line == cells:
            name = f"R{SIGNS[row - 1]}" if column in (0, board.shape.width + 1) else f"C{SIGNS[column - 1]}"
            return name, 0 in (row, column)
    return None


def _clue(kind: str, rule_kind: str, field: str, low: int = 1) -> Row:
    """Return a type of clues at the two ends of lines."""

    def read(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
        if not 1 <= len(arguments) <= 3:
            raise FormatError("a line and clues at its ends are expected")
        cells = board.line(arguments[0])
        for clue, line in zip(arguments[1:], (cells, cells[::-1]), strict=False):
            if clue:
                yield getattr(r, rule_kind)(line, number(clue, low))

    def write(rule: Any, board: IssBoard) -> Arguments | Tokens:
        """Write a rule as a clue at the end of its line; return None if that is impossible."""
        found, value = _line_of(rule.cells, board), getattr(rule, field)
        if found is None or value < low:
            return None
        return (found[0], str(value), "") if found[1] else (found[0], "", str(value))

    return Row(kind, read, (rule_kind,), write, OUTSIDE)


_RANKS = _clue("FullRank", "FullRank", "rank")


def _full_rank(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    for rule in _RANKS.read(board, arguments):
        assert isinstance(rule, r.FullRank)
        if rule.rank > 4 * board.shape.width:
            raise FormatError(f"the rank {rule.rank}: 1 to {4 * board.shape.width} are possible")
        yield replace(rule, ties=board.ties)


def _full_rank_tokens(rule: Any, board: IssBoard) -> Arguments | Tokens:
    found = _RANKS.write(rule, board)
    if found is None or rule.rank > 4 * board.shape.width:
        return [Token("Given", (board.written(rule.cells[0]),))]
    return found


def _summed(
    kind: str,
    rule_kind: str,
    what: str,
    cells_of: Callable[[IssBoard, str], tuple[str, ...]],
    start_of: Callable[[tuple[str, ...], IssBoard], str | None],
    otherwise: str,
) -> Row:
    """Return a type whose arguments are a sum and where its cells start; ``otherwise`` is the type of other cells."""

    def read(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
        if len(arguments) != 2:
            raise FormatError(f"a sum and a {what} are expected")
        yield getattr(r, rule_kind)(cells_of(board, arguments[1]), number(arguments[0]))

    def write(rule: Any, board: IssBoard) -> Arguments | Tokens:
        start = start_of(rule.cells, board)
        if rule.total >= 0 and start is not None:
            return str(rule.total), start
        possible = rule.total >= 0 or otherwise == "Sum"
        return [Token(otherwise, (str(rule.total), *board.write(rule.cells)))] if possible else None

    return Row(kind, read, (rule_kind,), write, OUTSIDE)


def _whole_line(cells: tuple[str, ...], board: IssBoard) -> str | None:
    found = _line_of(cells, board) if board.shape.lines else None
    return found and found[0]


def _diagonal_from(board: IssBoard, text: str) -> tuple[str, ...]:
    cell = board.known[text]
    if board.board.place(cell)[0]:
        raise FormatError(f"{text} is not a cell of the grid")
    found = diagonals(board.shape.height, board.shape.width).get(cell)
    if found is None:
        raise FormatError(f"no diagonal starts at {text}")
    return found


def _start_of_diagonal(cells: tuple[str, ...], board: IssBoard) -> str | None:
    known = diagonals(board.shape.height, board.shape.width).items()
    return next((board.written(start) for start, found in known if cells in (found, found[::-1])), None)


@lru_cache(maxsize=64)
def diagonals(height: int, width: int) -> dict[str, tuple[str, ...]]:
    """Return every diagonal of two or more cells, by its only legal start."""
    starts = [(i, 1, 1, 1) for i in range(1, height)]
    starts += [(i, width, -1, -1) for i in range(2, height)]
    starts += [(1, i, 1, -1) for i in range(2, width + 1)]
    starts += [(height, i, -1, 1) for i in range(2, width)]
    found: dict[str, tuple[str, ...]] = {}
    known: set[frozenset[str]] = set()
    for row, column, down, right in starts:
        cells = ray(height, width, (row, column), (down, right))
        if len(cells) > 1 and frozenset(cells) not in known and cells[0] not in found:
            known.add(frozenset(cells))
            found[cells[0]] = cells
    return found


# ---- the whole grid


def _diagonal(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    if arguments not in (("1",), ("-1",)):
        raise FormatError(f"{'~'.join(arguments)[:20]!r}: 1 or -1 is expected")
    yield r.Diagonal(arguments == ("1",))


def _full_rank_ties(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    mode = "~".join(arguments)
    if mode not in ("", *TIES):
        raise FormatError(f"{mode[:20]!r}: none, only-unclued or any is expected")
    if mode == "none":
        yield r.NoRankTies()


def _connected_values(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) not in (2, 3):
        raise FormatError("a group, values and optionally a size are expected")
    size = number(arguments[2]) if arguments[2:] and arguments[2] else None
    yield r.ConnectedValues(tuple(numbers(arguments[1])), size, arguments[0])


def _connected_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    size = () if rule.size is None else (str(rule.size),)
    return None if rule.wrap else (rule.group, "_".join(map(str, rule.values)), *size)


def _only_tokens(rule: Any, board: IssBoard) -> Tokens:
    values = [str(v) for v in rule.values if v in board.values]
    return [Token("Given", tuple("_".join([cell, *values]) for cell in board.write(board.board.cells)))]


# ---- relations and automata


def _pair(board: IssBoard, key: str, rest: Arguments, every: bool, old: bool = False) -> Iterator[Rule]:
    if old:
        key = key.translate({ord("-"): "_", ord("_"): "-"})
    allowed = pairs_of(key, board.values[0], len(board.values))
    if every and set(allowed) != {(b, a) for a, b in allowed}:
        raise FormatError("the relation of a PairX is not symmetric")
    for name, cells in groups(rest):
        yield r.Pair(board.cells(cells), allowed, every, name)


def _pair_tokens(rule: Any, board: IssBoard) -> Tokens:
    name = "_" + encoded(rule.name)
    low, high = board.values[0], board.values[-1]
    rows = [(a, b) for a, b in rule.allowed if low <= a <= high and low <= b <= high]
    found = pair(rule.cells, rows, board, name)
    if not rule.every:
        return [found]
    return [Token("PairX", found.arguments)] if set(rows) == {(b, a) for a, b in rows} else None


def _regex(board: IssBoard, code: str, rest: Arguments) -> Iterator[Rule]:
    from ...puzzle.rules.regex import regex_automaton

    try:
        pattern = unquote(code, errors="strict") if "%" in code else bytes_of(code).decode("ascii")
    except UnicodeDecodeError:
        raise FormatError("the pattern is not ASCII text") from None
    for _, cells in groups(rest):
        rule = r.Regex(board.cells(cells), pattern)
        regex_automaton(pattern, board.values, len(rule.cells), board.steps)
        yield rule


def _regex_arguments(rule: Any, board: IssBoard) -> Arguments | None:
    if not rule.pattern.isascii():
        return None
    return (code_of(rule.pattern.encode("ascii")), *board.write(rule.cells))


def _nfa(board: IssBoard, code: str, rest: Arguments) -> Iterator[Rule]:
    for name, cells in groups(rest):
        parts = segments(board, cells)
        if any(parts):
            yield _line(board, code, parts, name)
            continue
        from ...puzzle.rules.relations import BREAK

        word = [board.values[-1] + BREAK] * (len(parts) - 1)
        if not automaton_of(code, board.values[0], len(word), board.steps).accepts(word):
            yield r.AnyOf(())  # never holds


def _line(board: IssBoard, code: str, parts: Segments, name: str) -> Rule:
    """Make the rule of an automaton along a line; an automaton too large to make deterministic is used unchanged."""
    length = sum(map(len, parts)) + len(parts) - 1
    try:
        rule = r.Line(parts, automaton_of(code, board.values[0], length, board.steps), name)
        rule.whole(board.values, board.steps)
        return rule
    except FormatError:
        raise
    except ValueError as error:
        machine = r.MachineLine(parts, machine_of(code, board.values[0]), name)
        try:
            board.ways.spend(machine.ways(board.values))
        except ValueError:
            raise error from None
        return machine


def _nfa_tokens(rule: Any, board: IssBoard) -> Tokens:
    machine = rule.automaton if isinstance(rule, r.Line) else rule.machine
    return [nfa(rule.segments, machine, board, "_" + encoded(rule.name))]


# ---- extra cells


def extra_cells(arguments: Arguments, width: int) -> r.ExtraCells:
    """Parse a Var: its name, label and size."""
    name, label, size = (*arguments, "", "")[:3] if arguments else ("", "", "")
    match = re.match(r"([1-9][0-9]{0,3})(?:[xX]([1-9][0-9]?))?\Z", size or "1")
    if not re.match(r"[A-Z]{1,30}\Z", name) or not match or len(arguments) > 3:
        raise FormatError(f"Var {'~'.join(arguments)[:40]}: capital letters, a label and a size are expected")
    count, across = int(match[1]), min(width, int(match[1]))
    if match[2]:
        across = int(match[2])
        count *= across
    if across > len(SIGNS) or count > 1000:
        raise FormatError(f"Var {name}: {size} cells: up to 1000 in up to {len(SIGNS)} columns are possible")
    return r.ExtraCells(f"V{name}", count, across, decoded(label))


def _var_tokens(rule: Any, board: IssBoard) -> Tokens:
    board.write(board.board.groups[rule.name].cells)
    group = board.board.groups[rule.name]
    natural = min(board.shape.width, rule.count)
    size = str(rule.count) if group.width == natural else f"{group.height}x{group.width}"
    return [Token("Var", (rule.name[1:], encoded(rule.label), size))]


def _filled_segments(board: IssBoard, arguments: Arguments) -> Segments:
    return tuple(filter(None, segments(board, arguments)))


def _chaos(kind: str, rule_kind: str, field: str, cells_of: Callable[[IssBoard, Any], Any], text_of: Any) -> Row:
    """Return a type about the regions of a chaos construction: a cell, whether it is counted, and other cells."""

    def read(board: IssBoard, arguments: Arguments) -> Iterator[Rule]:
        control, form, *cells = (*arguments, "", "")[: max(2, len(arguments))]
        yield getattr(r, rule_kind)(board.known[control], cells_of(board, cells), number(form or "0", 0, 1) == 0)

    def write(rule: Any, board: IssBoard) -> Arguments | None:
        listed = text_of(getattr(rule, field), board)
        if getattr(rule, "wrap", False) and not listed:
            return None
        form = () if rule.included and not listed else ("0" if rule.included else "1",)
        return (board.written(rule.control), *form, *listed)

    return Row(kind, read, (rule_kind,), write)


def _dot(kind: str, rule_kind: str, usual: int) -> Row:
    """Return a type that marks neighbours, of which the number is the usual one."""

    def write(rule: Any, board: IssBoard) -> Arguments | None:
        return _adjacent_cells(rule, board) if rule.value == usual else None

    return Row(kind, _adjacent(lambda cells: getattr(r, rule_kind)(cells)), (rule_kind,), write)


_ROWS = (
    Row("Given", _given, ("OneOf",), _given_cell),
    _cells("Thermo", "Thermo"),
    Row("Renban", _cells("", "Renban").read, ("Renban",), lambda rule, on: on.write(dict.fromkeys(rule.cells))),
    _cells("Palindrome", "Palindrome"),
    _cells("Zipper", "Zipper"),
    _cells("Between", "Between", 2),
    _cells("RegionSumLine", "RegionSumLine"),
    _cells("Arrow", "Arrow", 2),
    _cells("DoubleArrow", "DoubleArrow", 2),
    _cells("Entropic", "Entropic", need=_digits),
    Row("Whisper", _whisper, ("Whisper",), lambda rule, on: (str(rule.least(on.board)), *on.write(rule.cells))),
    _numbered("Lockout", "Lockout", "difference", least=2),
    _numbered("Modular", "Modular", "modulus", low=1),
    _headed("SumLine", "SumLine", _sum_line, _sum_line_arguments),
    Row(
        "EqualSum",
        lambda on, arguments: [r.EqualSums(_filled_segments(on, arguments))],
        ("EqualSums",),
        lambda rule, on: parted(rule.segments, on),
    ),
    _headed("PillArrow", "PillArrow", _pill_arrow, _pill_arguments),
    _headed(
        "Cage",
        "KillerCage",
        lambda on, total, cells: [r.KillerCage(on.cells(cells), number(total or "0") or None)],
        _cage_tokens,
    ),
    _numbered("RellikCage", "RellikCage", "total"),
    _cells("EqualityCage", "EqualityCage"),
    _cells("AllDifferent", "ExtraRegion"),
    _headed("Sum", "WeightedSum", _sum, _sum_arguments),
    _numbered("Lunchbox", "Lunchbox", "total"),
    _cells("CountingCircles", "CountingCircles"),
    _dot("WhiteDot", "Difference", 1),
    _dot("BlackDot", "Ratio", 2),
    Row("X", _adjacent(lambda cells: r.XV(cells, 10)), ("XV",), _xv_tokens),
    Row("V", _adjacent(lambda cells: r.XV(cells, 5))),
    Row("GreaterThan", _adjacent(lambda cells: r.Greater(cells)), ("Greater",), _adjacent_cells),
    _cells("ValueIndexing", "ValueIndexing", 3),
    _valued("ContainAtLeast", "ContainAtLeast", "values", lambda text: tuple(numbers(text)), _listed),
    _valued("ContainExact", "ContainExact", "values", lambda text: tuple(numbers(text)), _listed),
    _valued("LookAndSay", "LookAndSay", "said", _said, _said_text),
    _headed(
        "SameValues",
        "SameValues",
        _same_values,
        lambda rule, on: (str(len(rule.sets)), *on.write(chain.from_iterable(rule.sets))),
    ),
    Row(
        "CountDistinct",
        _count_distinct,
        ("CountDistinct",),
        lambda rule, on: on.write((rule.control, *rule.cells)),
    ),
    _headed("Quad", "Quadruple", _quad, _quad_tokens),
    _headed("Indexing", ("ColumnIndexer", "RowIndexer"), _indexing, _indexing_arguments),
    _headed("Pair", "Pair", partial(_pair, every=False), _pair_tokens),
    _headed("PairX", (), partial(_pair, every=True)),
    _headed("Regex", "Regex", _regex, _regex_arguments),
    _headed("NFA", ("Line", "MachineLine"), _nfa, _nfa_tokens),
    _chaos("ChaosArrow", "ChaosArrow", "arms", _filled_segments, parted),
    _chaos(
        "ChaosCount",
        "ChaosCount",
        "cells",
        lambda on, cells: on.cells(cells, 0),
        lambda cells, on: on.write(cells),
    ),
    _clue("XSum", "XSum", "total"),
    _clue("Skyscraper", "Skyscraper", "count"),
    Row("FullRank", _full_rank, ("FullRank",), _full_rank_tokens, OUTSIDE),
    _clue("HiddenSkyscraper", "HiddenSkyscraper", "value", 0),
    _clue("NumberedRoom", "NumberedRoom", "value", 0),
    _summed("Sandwich", "Sandwich", "line", IssBoard.line, _whole_line, "Lunchbox"),
    _summed("LittleKiller", "LittleKiller", "cell", _diagonal_from, _start_of_diagonal, "Sum"),
    Row("Diagonal", _diagonal, ("Diagonal",), lambda rule, _: ("1" if rule.rising else "-1",), TOP),
    _whole("AntiKnight", "AntiKnight"),
    _whole("AntiKing", "AntiKing"),
    _whole("AntiConsecutive", "NonConsecutive"),
    _whole("AntiTaxicab", "AntiTaxicab"),
    _whole("StrictKropki", "StrictKropki"),
    _whole("StrictXV", "StrictXV"),
    _boxed("DisjointSets", "DisjointGroups", "box"),
    _boxed("Windoku", "Windoku", "window"),
    _whole("GlobalEntropy", "GlobalEntropy", _digits),
    _whole("DutchFlatmates", "DutchFlatmates", _digits),
    _whole("GlobalMod", "GlobalMod", lambda v: "" if len(v) == 9 else f"9 values are expected, not {len(v)}"),
    Row("FullRankTies", _full_rank_ties, ("NoRankTies",), lambda *_: ("none",), TOP),
    Row("ConnectedValues", _connected_values, ("ConnectedValues",), _connected_arguments, TOP),
    _whole("RegionSameValues", "RegionSameValues"),
    _bare(
        "ChaosConstruction",
        "ChaosConstruction",
        lambda board: [r.ChaosConstruction(board.region_size)],
        lambda rule, board: not rule.wrap,
    ),
    _whole("Doppelganger", "Doppelganger"),
    _headed("Binary", (), partial(_pair, every=False, old=True), place=TOP),
    _headed("BinaryX", (), partial(_pair, every=True, old=True), place=TOP),
)
ROWS: Mapping[str, Row] = {row.name: row for row in _ROWS}
"""The types that state rules, by name."""

WRITERS: Mapping[str, tuple[Callable[[Any, IssBoard], Tokens], str]] = {
    **{kind: (row.tokens, TOP if row.place == TOP else ANYWHERE) for row in _ROWS for kind in row.kinds},
    "SumOneOf": (_sums(lambda rule, board: rule.totals), ANYWHERE),
    "DigitalRoot": (_sums(_totals_of_root), ANYWHERE),
    "Clone": (
        lambda rule, on: [Token("Palindrome", on.write(two)) for two in zip(rule.cells, rule.clones, strict=True)],
        ANYWHERE,
    ),
    "ExtraCells": (_var_tokens, TOP),
    "OnlyValues": (_only_tokens, TOP),
}
"""The writers of rules by their kinds, with the places where their tokens are allowed. Some have no own type."""
