"""The types of ISS constraints that state rules: one row a type, which reads arguments as rules and writes rules.

A writer returns the arguments of its type, or tokens of other types that mean the same; None for a rule that it cannot
express, of which the meaning is written instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Any
from urllib.parse import unquote

from ...errors import FormatError
from ...model import Domain
from ...puzzle import rules as r
from ...puzzle.rules.regex import regex_automaton
from ...puzzle.rules.relations import BREAK
from ...puzzle.rules.rule_base import Rule
from .board import SIGNS, IssContext, Reader, expect_none, groups, is_cell, number, numbers, segments
from .meaning import Target, nfa, pair, parted
from .notation import Token, automaton_of, bytes_of, code_of, decoded, encoded, machine_of, pairs_of

Arguments = tuple[str, ...]
Segments = tuple[tuple[str, ...], ...]
Tokens = list[Token] | None
Writer = Callable[[Any, Target], Arguments | Tokens]
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


@dataclass(frozen=True)
class Row:
    """A type of constraint, by its name, and the kinds of rules that are written as it."""

    name: str
    read: Reader
    kinds: tuple[type[Rule], ...] = ()
    write: Writer = lambda rule, target: None
    place: str = ANYWHERE

    def tokens(self, rule: Rule, target: Target) -> Tokens:
        """Write a rule; return None if the type cannot express it."""
        found = self.write(rule, target)
        return [Token(self.name, found)] if isinstance(found, tuple) else found


def _any_values(values: Domain) -> str:
    return ""


def _digits(values: Domain) -> str:
    return "" if values == _DIGITS else f"the values 1 to 9 are expected, not {values[0]} to {values[-1]}"


def _nine_values(values: Domain) -> str:
    return "" if len(values) == 9 else f"9 values are expected, not {len(values)}"


def _check(need: Need, context: IssContext) -> None:
    if lacking := need(context.values):
        raise FormatError(lacking)


def _cells(kind: str, rule_kind: Any, least: int = 1, need: Need = _any_values) -> Row:
    """Return a type whose arguments are the cells."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        _check(need, context)
        yield rule_kind(context.cells(arguments, least))

    def write(rule: Any, target: Target) -> Arguments | None:
        return None if need(target.values) else target.cells(rule.cells)

    return Row(kind, read, (rule_kind,), write)


def _headed(kind: str, rule_kind: Any, field: str, value_of: Callable[[str], Any], text_of: Any, least: int = 1) -> Row:
    """Return a type whose arguments are a value in one text, which is a field of the rule, and cells."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        text, *cells = arguments or ("",)
        value = value_of(text)
        yield rule_kind(context.cells(cells, least), value)

    def write(rule: Any, target: Target) -> Arguments | None:
        text = text_of(getattr(rule, field))
        return None if text is None else (text, *target.cells(rule.cells))

    return Row(kind, read, (rule_kind,), write)


def _numbered(kind: str, rule_kind: Any, field: str, low: int = 0, least: int = 1) -> Row:
    """Return a type whose arguments are a number that is not negative, and cells."""
    return _headed(kind, rule_kind, field, lambda text: number(text, low), lambda v: str(v) if v >= 0 else None, least)


def _containing(kind: str, rule_kind: Any) -> Row:
    """Return a type whose arguments are values and cells."""
    return _headed(kind, rule_kind, "values", lambda text: tuple(numbers(text)), _values_text)


def _values_text(values: Domain) -> str | None:
    return "_".join(map(str, values)) if min(values) >= 0 else None


def _bare(kind: str, rule: Rule, need: Need = _any_values) -> Row:
    """Return a type without arguments, which states this rule about the whole grid."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        _check(need, context)
        expect_none(arguments)
        yield rule

    return Row(
        kind, read, (type(rule),), lambda found, target: () if found == rule and not need(target.values) else None, TOP
    )


def _value(context: IssContext, text: str) -> int:
    found = number(text)
    if found not in context.values:
        raise FormatError(f"the value {found}: {context.values[0]} to {context.values[-1]} are possible")
    return found


def _given(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    for argument in arguments:
        cell, *values = argument.split("_")
        if cell or values:
            yield r.OneOf(context.cell(cell), tuple(_value(context, text) for text in values))


def _given_cell(rule: Any, target: Target) -> Arguments:
    values = [str(v) for v in rule.values if v in target.board.domain(rule.cell)]
    return ("_".join([target.cell(rule.cell), *values]),)


# ---- lines


def _whisper(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    difference = 5
    if arguments and not is_cell(arguments[0]):
        difference, arguments = number(arguments[0]), arguments[1:]
    yield r.Whisper(context.cells(arguments), difference)


def _sum_line(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    loop = arguments[-1:] == ("LOOP",)
    if loop and context.move is not None:
        raise FormatError("a closed line is not allowed in Replicate")
    total, *cells = (arguments[:-1] if loop else arguments) or ("",)
    yield r.SumLine(context.cells(cells), number(total), loop)


def _sum_line_arguments(rule: Any, target: Target) -> Arguments | None:
    return (str(rule.total), *target.cells(rule.cells), *(["LOOP"] * rule.loop)) if rule.total >= 0 else None


def _pill_arrow(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    size, *cells = arguments or ("",)
    count = number(size, 2, 3)
    names = context.cells(cells, count + 1)
    pill = sorted(names[:count], key=context.board.place)
    if not all(_is_step(a, b) for a, b in pairwise(map(context.board.place, pill))):
        raise FormatError(f"{' '.join(pill)} is not a pill: each cell is right of or below the one before, or both")
    yield r.PillArrow(tuple(pill), names[count:])


def _pill_arguments(rule: Any, target: Target) -> Arguments | None:
    places = sorted(map(target.board.place, rule.pill))
    if any(not _is_step(a, b) for a, b in pairwise(places)):
        return None
    return (str(len(rule.pill)), *target.cells((*rule.pill, *rule.shaft)))


def _is_step(a: tuple[str, int, int], b: tuple[str, int, int]) -> bool:
    """Return whether a cell of a pill is right of or below the one before, or both."""
    return a[0] == b[0] and (b[1] - a[1], b[2] - a[2]) in ((0, 1), (1, 0), (1, 1))


# ---- cages and sums


def _cage(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    total, *cells = arguments or ("",)
    yield r.KillerCage(context.cells(cells), number(total or "0") or None)


def _cage_tokens(rule: Any, target: Target) -> Arguments | Tokens:
    cells = target.cells(rule.cells)
    if rule.total is None or rule.total > 0:
        return (str(rule.total or 0), *cells)
    return [Token("AllDifferent", cells), Token("Sum", (str(rule.total), *cells))]


def _sum(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    head, *cells = arguments or ("",)
    total, *weighted = head.split("_=_")
    if len(weighted) > 1:
        raise FormatError(f"{head[:40]!r}: a sum, or a sum, _=_ and coefficients, is expected")
    weights = numbers(weighted[0], -100, 100) if weighted else []
    yield r.WeightedSum(context.cells(cells), number(total, -1_000_000), tuple(weights))


def _sum_arguments(rule: Any, target: Target) -> Arguments | None:
    if any(abs(weight) > 100 for weight in rule.weights):
        return None
    weights = "_=_" + "_".join(map(str, rule.weights)) if rule.weights else ""
    return (f"{rule.total}{weights}", *target.cells(rule.cells))


def _sums(totals: Callable[[Any, Target], Iterable[int]]) -> Callable[[Any, Target], Tokens]:
    def write(rule: Any, target: Target) -> Tokens:
        cells = target.cells(rule.cells)
        branches = [Token("Sum", (str(total), *cells)) for total in totals(rule, target)]
        return [Token("AllDifferent", cells), Token("Or", (), tuple(branches))]

    return write


def _totals_of_root(rule: Any, target: Target) -> list[int]:
    most = target.values[-1] * len(rule.cells)
    return [t for t in range(most + 1) if (0 if t == 0 else 1 + (t - 1) % 9) == rule.root]


# ---- marks and values of cells


def _adjacent(make: Callable[[tuple[str, str]], Rule]) -> Reader:
    """Make a rule for every two neighbours among the cells; the cell listed first comes first."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield a rule for every two neighbours among the cells; raise FormatError if there are none."""
        names = tuple(dict.fromkeys(context.cells(arguments, 2)))
        order = {name: i for i, name in enumerate(names)}
        found = [(a, b) for a in names for b in context.board.around(a) if order.get(b, -1) > order[a]]
        if not found:
            raise FormatError(f"no two of {' '.join(names)[:60]} are neighbours")
        yield from map(make, found)

    return read


def _adjacent_cells(rule: Any, target: Target) -> Arguments | None:
    """Write a mark between two neighbours."""
    a, b = rule.cells
    return target.cells((a, b)) if b in target.board.around(a) else None


def _xv_tokens(rule: Any, target: Target) -> Tokens:
    if rule.total is None:
        return []
    kind, cells = {10: "X", 5: "V"}.get(rule.total), _adjacent_cells(rule, target)
    return [Token(kind, cells)] if kind and cells else [Token("Sum", (str(rule.total), *target.cells(rule.cells)))]


def _said(text: str) -> Domain:
    if not re.match(r"(?:[0-9][0-9])+\Z", text):
        raise FormatError(f"{text[:20]!r}: pairs of digits, count and value, are expected")
    return tuple(map(int, text))


def _said_text(said: Domain) -> str | None:
    return "".join(map(str, said)) if all(0 <= number <= 9 for number in said) else None


def _same_values(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    count, *rest = arguments or ("",)
    cells = context.cells(rest)
    sets = number(count, 1)
    if len(cells) % sets:
        raise FormatError(f"{len(cells)} cells cannot be cut into {sets} equal parts")
    size = len(cells) // sets
    yield r.SameValues(tuple(cells[i : i + size] for i in range(0, len(cells), size)))


def _clone_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Palindrome", target.cells(couple)) for couple in zip(rule.cells, rule.clones, strict=True)]


def _count_distinct(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, *cells = context.cells(arguments, 2)
    yield r.CountDistinct(control, tuple(cells))


_SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))


def _quad(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    corner, *values = arguments or ("",)
    start = context.cell(corner)
    square = [context.board.step(start, step) for step in _SQUARE]
    found = tuple(name for name in square if name is not None)
    if len(found) < 4:
        raise FormatError(f"the four cells from {corner} reach outside its grid")
    if values:
        yield r.Quadruple(found, tuple(_value(context, text) for text in values))


def _quad_tokens(rule: Any, target: Target) -> Arguments | Tokens:
    corner = min(rule.cells, key=target.board.place)
    square = {target.board.step(corner, step) for step in _SQUARE}
    if square != set(rule.cells) or not set(rule.values) <= set(target.values):
        return ROWS["ContainAtLeast"].tokens(rule, target)
    return (target.cell(corner), *map(str, rule.values))


def _indexing(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    which, *cells = arguments or ("",)
    kind = {"C": r.ColumnIndexer, "R": r.RowIndexer}.get(which)
    if kind is None or not cells:
        raise FormatError("C or R, followed by cells, is expected")
    yield from (kind(context.cell(cell)) for cell in cells)


def _indexing_arguments(rule: Any, target: Target) -> Arguments | None:
    which = "C" if isinstance(rule, r.ColumnIndexer) else "R"
    return (which, target.cell(rule.cell)) if target.board.shape.lines else None


# ---- clues outside the grid


def _two_ended(kind: Any, low: int = 1) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield a rule for each end of a line that has a clue."""
        if not 1 <= len(arguments) <= 3:
            raise FormatError("a line and clues at its ends are expected")
        cells = context.line(arguments[0])
        for clue, line in zip(arguments[1:], (cells, cells[::-1]), strict=False):
            if clue:
                yield kind(context, line, number(clue, low))

    return read


def _two_ended_arguments(field: str, low: int = 1) -> Callable[[Any, Target], Arguments | None]:
    def write(rule: Any, target: Target) -> Arguments | None:
        """Write a rule as a clue at the end of its line; return None if that is impossible."""
        found = _line_of(rule.cells, target)
        value = getattr(rule, field)
        if found is None or value < low:
            return None
        line, ahead = found
        return (line, str(value), "") if ahead else (line, "", str(value))

    return write


def _line_of(cells: tuple[str, ...], target: Target) -> tuple[str, bool] | None:
    """Return the line that cells form, and whether they are read from the left or top."""
    shape = target.board.shape
    names = [f"R{i + 1}" for i in range(shape.height)] + [f"C{i + 1}" for i in range(shape.width)]
    for name in names:
        line = target.board.line(name)
        if cells in (line, line[::-1]):
            return name[0] + SIGNS[int(name[1:]) - 1], cells == line
    return None


def _full_rank(context: IssContext, cells: tuple[str, ...], clue: int) -> Rule:
    if clue > 4 * context.shape.width:
        raise FormatError(f"the rank {clue}: 1 to {4 * context.shape.width} are possible")
    return r.FullRank(cells, clue, context.ties)


def _full_rank_tokens(rule: Any, target: Target) -> Arguments | Tokens:
    found = _two_ended_arguments("rank")(rule, target)
    if found is None or rule.rank > 4 * target.board.shape.width:
        return [Token("Given", (target.cell(rule.cells[0]),))]
    return found


def _sandwich(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a line are expected")
    yield r.Sandwich(context.line(arguments[1]), number(arguments[0]))


def _sandwich_tokens(rule: Any, target: Target) -> Arguments | Tokens:
    found = _line_of(rule.cells, target)
    if rule.total < 0:
        return None
    if found is None or not target.board.shape.lines:
        return [Token("Lunchbox", (str(rule.total), *target.cells(rule.cells)))]
    return str(rule.total), found[0]


def _little_killer(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a cell are expected")
    found = diagonals(context.shape.height, context.shape.width).get(context.grid_cell(arguments[1]))
    if found is None:
        raise FormatError(f"no diagonal starts at {arguments[1]}")
    yield r.LittleKiller(found, number(arguments[0]))


def _little_killer_tokens(rule: Any, target: Target) -> Arguments | Tokens:
    shape = target.board.shape
    for start, cells in diagonals(shape.height, shape.width).items():
        if rule.cells in (cells, cells[::-1]) and rule.total >= 0:
            return str(rule.total), target.cell(start)
    return [Token("Sum", (str(rule.total), *target.cells(rule.cells)))]


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
        cells = []
        while 1 <= row <= height and 1 <= column <= width:
            cells.append(f"R{row}C{column}")
            row, column = row + down, column + right
        if len(cells) > 1 and frozenset(cells) not in known and cells[0] not in found:
            known.add(frozenset(cells))
            found[cells[0]] = tuple(cells)
    return found


# ---- the whole grid


def _diagonal(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if arguments not in (("1",), ("-1",)):
        raise FormatError(f"{'~'.join(arguments)[:20]!r}: 1 or -1 is expected")
    yield r.Diagonal(arguments == ("1",))


def _boxed(kind: str, rule_kind: Any, which: str) -> Row:
    """Return a type about boxes of one size (``box`` or ``window``); without effect if they do not tile the grid."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule with its box size if such boxes tile the grid; raise FormatError unless it is square."""
        expect_none(arguments)
        box = getattr(context.text, which)
        if context.shape.height != context.shape.width:
            raise FormatError(f"a square grid is expected, not {context.shape}")
        if box is not None:
            yield rule_kind(() if context.shape.box == box else box)

    def write(rule: Any, target: Target) -> Arguments | None:
        return () if (rule.box or target.board.shape.box) == getattr(target, which) else None

    return Row(kind, read, (rule_kind,), write, TOP)


def _full_rank_ties(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    mode = "~".join(arguments)
    if mode not in ("", *TIES):
        raise FormatError(f"{mode[:20]!r}: none, only-unclued or any is expected")
    if mode == "none":
        yield r.NoRankTies()


def _connected_values(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) not in (2, 3):
        raise FormatError("a group, values and optionally a size are expected")
    size = number(arguments[2]) if arguments[2:] and arguments[2] else None
    yield r.ConnectedValues(tuple(numbers(arguments[1])), size, arguments[0])


def _connected_arguments(rule: Any, target: Target) -> Arguments | None:
    size = () if rule.size is None else (str(rule.size),)
    return None if rule.wrap else (rule.group, "_".join(map(str, rule.values)), *size)


def _only_tokens(rule: Any, target: Target) -> Tokens:
    values = [str(v) for v in rule.values if v in target.values]
    return [Token("Given", tuple("_".join([cell, *values]) for cell in target.cells(target.board.cells)))]


# ---- relations and automata


def _pair(context: IssContext, arguments: Arguments, every: bool, old: bool = False) -> Iterator[Rule]:
    key, *rest = arguments or ("",)
    if old:
        key = key.translate({ord("-"): "_", ord("_"): "-"})
    allowed = pairs_of(key, context.values[0], len(context.values))
    if every and set(allowed) != {(b, a) for a, b in allowed}:
        raise FormatError("the relation of a PairX is not symmetric")
    for name, cells in groups(rest):
        yield r.Pair(context.cells(cells), tuple(allowed), every, name)


def _pair_tokens(rule: Any, target: Target) -> Tokens:
    name = "_" + encoded(rule.name)
    low, high = target.values[0], target.values[-1]
    rows = [(a, b) for a, b in rule.allowed if low <= a <= high and low <= b <= high]
    found = pair(rule.cells, rows, target, name)
    if not rule.every:
        return [found]
    return [Token("PairX", found.arguments)] if set(rows) == {(b, a) for a, b in rows} else None


def _regex(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    code, *rest = arguments or ("",)
    try:
        pattern = unquote(code, errors="strict") if "%" in code else bytes_of(code).decode("ascii")
    except UnicodeDecodeError:
        raise FormatError("the pattern is not ASCII text") from None
    for _, cells in groups(rest):
        rule = r.Regex(context.cells(cells), pattern)
        regex_automaton(pattern, context.values, len(rule.cells), context.steps)
        yield rule


def _regex_arguments(rule: Any, target: Target) -> Arguments | None:
    if not rule.pattern.isascii():
        return None
    return (code_of(rule.pattern.encode("ascii")), *target.cells(rule.cells))


def _nfa(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    code, *rest = arguments or ("",)
    for name, cells in groups(rest):
        parts = segments(context, cells)
        if any(parts):
            yield _line(context, code, parts, name)
        else:
            yield from _without_cells(context, code, len(parts) - 1)


def _line(context: IssContext, code: str, parts: Segments, name: str) -> Rule:
    """Make the rule of an automaton along a line; an automaton too large to make deterministic is used unchanged."""
    length = sum(map(len, parts)) + len(parts) - 1
    try:
        rule = r.Line(parts, automaton_of(code, context.values[0], length, context.steps), name)
        rule.whole(context.values, context.steps)
        return rule
    except FormatError:
        raise
    except ValueError as error:
        machine = r.MachineLine(parts, machine_of(code, context.values[0]), name)
        try:
            context.ways.spend(machine.ways(context.values))
        except ValueError:
            raise error from None
        return machine


def _without_cells(context: IssContext, code: str, breaks: int) -> Iterator[Rule]:
    """Yield a rule that never holds, unless the automaton accepts a word of this number of breaks and nothing else."""
    mark = context.values[-1] + BREAK
    automaton = automaton_of(code, context.values[0], breaks, context.steps)
    if not automaton.accepts([mark] * breaks):
        yield r.AnyOf(())


def _nfa_tokens(rule: Any, target: Target) -> Tokens:
    machine = rule.automaton if isinstance(rule, r.Line) else rule.machine
    return [nfa(rule.segments, machine, target, "_" + encoded(rule.name))]


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


def _var_tokens(rule: Any, target: Target) -> Tokens:
    target.cells(target.board.groups[rule.name].cells)
    group = target.board.groups[rule.name]
    natural = min(target.board.shape.width, rule.count)
    size = str(rule.count) if group.width == natural else f"{group.height}x{group.width}"
    return [Token("Var", (rule.name[1:], encoded(rule.label), size))]


def _chaos(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    expect_none(arguments)
    yield r.ChaosConstruction(context.text.region_size)


def _chaos_arrow(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *arms = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosArrow(context.cell(control), tuple(filter(None, segments(context, arms))), _included(form))


def _chaos_arrow_arguments(rule: Any, target: Target) -> Arguments:
    arms = parted(rule.arms, target)
    return (target.cell(rule.control), *_form(rule, bool(arms)), *arms)


def _chaos_count(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *cells = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosCount(context.cell(control), context.cells(cells, 0), _included(form))


def _chaos_count_arguments(rule: Any, target: Target) -> Arguments | None:
    if rule.wrap and not rule.cells:
        return None
    return (target.cell(rule.control), *_form(rule, bool(rule.cells)), *target.cells(rule.cells))


def _form(rule: Any, listed: bool) -> Arguments:
    return () if rule.included and not listed else ("0" if rule.included else "1",)


def _included(form: str) -> bool:
    return number(form or "0", 0, 1) == 0


def _dot(kind: str, rule_kind: Any, usual: int) -> Row:
    """Return a type that marks neighbours, of which the number is the usual one."""

    def write(rule: Any, target: Target) -> Arguments | None:
        return _adjacent_cells(rule, target) if rule.value == usual else None

    return Row(kind, _adjacent(rule_kind), (rule_kind,), write)


def _clue(kind: str, rule_kind: Any, field: str, low: int = 1) -> Row:
    """Return a type of clues at the two ends of lines."""
    read = _two_ended(lambda context, cells, clue: rule_kind(cells, clue), low)
    return Row(kind, read, (rule_kind,), _two_ended_arguments(field, low), OUTSIDE)


_ROWS = (
    Row("Given", _given, (r.OneOf,), _given_cell),
    _cells("Thermo", r.Thermo),
    Row("Renban", _cells("", r.Renban).read, (r.Renban,), lambda rule, on: on.cells(dict.fromkeys(rule.cells))),
    _cells("Palindrome", r.Palindrome),
    _cells("Zipper", r.Zipper),
    _cells("Between", r.Between, 2),
    _cells("RegionSumLine", r.RegionSumLine),
    _cells("Arrow", r.Arrow, 2),
    _cells("DoubleArrow", r.DoubleArrow, 2),
    _cells("Entropic", r.Entropic, need=_digits),
    Row("Whisper", _whisper, (r.Whisper,), lambda rule, on: (str(rule.least(on.board)), *on.cells(rule.cells))),
    _numbered("Lockout", r.Lockout, "difference", least=2),
    _numbered("Modular", r.Modular, "modulus", low=1),
    Row("SumLine", _sum_line, (r.SumLine,), _sum_line_arguments),
    Row(
        "EqualSum",
        lambda context, arguments: [r.EqualSums(tuple(filter(None, segments(context, arguments))))],
        (r.EqualSums,),
        lambda rule, on: parted(rule.segments, on),
    ),
    Row("PillArrow", _pill_arrow, (r.PillArrow,), _pill_arguments),
    Row("Cage", _cage, (r.KillerCage,), _cage_tokens),
    _numbered("RellikCage", r.RellikCage, "total"),
    _cells("EqualityCage", r.EqualityCage),
    _cells("AllDifferent", r.ExtraRegion),
    Row("Sum", _sum, (r.WeightedSum,), _sum_arguments),
    _numbered("Lunchbox", r.Lunchbox, "total"),
    _cells("CountingCircles", r.CountingCircles),
    _dot("WhiteDot", r.Difference, 1),
    _dot("BlackDot", r.Ratio, 2),
    Row("X", _adjacent(lambda cells: r.XV(cells, 10)), (r.XV,), _xv_tokens),
    Row("V", _adjacent(lambda cells: r.XV(cells, 5))),
    Row("GreaterThan", _adjacent(r.Greater), (r.Greater,), _adjacent_cells),
    _cells("ValueIndexing", r.ValueIndexing, 3),
    _containing("ContainAtLeast", r.ContainAtLeast),
    _containing("ContainExact", r.ContainExact),
    _headed("LookAndSay", r.LookAndSay, "said", _said, _said_text),
    Row(
        "SameValues",
        _same_values,
        (r.SameValues,),
        lambda rule, on: (str(len(rule.sets)), *on.cells(chain.from_iterable(rule.sets))),
    ),
    Row("CountDistinct", _count_distinct, (r.CountDistinct,), lambda rule, on: on.cells((rule.control, *rule.cells))),
    Row("Quad", _quad, (r.Quadruple,), _quad_tokens),
    Row("Indexing", _indexing, (r.ColumnIndexer, r.RowIndexer), _indexing_arguments),
    Row("Pair", partial(_pair, every=False), (r.Pair,), _pair_tokens),
    Row("PairX", partial(_pair, every=True)),
    Row("Regex", _regex, (r.Regex,), _regex_arguments),
    Row("NFA", _nfa, (r.Line, r.MachineLine), _nfa_tokens),
    Row("ChaosArrow", _chaos_arrow, (r.ChaosArrow,), _chaos_arrow_arguments),
    Row("ChaosCount", _chaos_count, (r.ChaosCount,), _chaos_count_arguments),
    _clue("XSum", r.XSum, "total"),
    _clue("Skyscraper", r.Skyscraper, "count"),
    Row("FullRank", _two_ended(_full_rank), (r.FullRank,), _full_rank_tokens, OUTSIDE),
    _clue("HiddenSkyscraper", r.HiddenSkyscraper, "value", 0),
    _clue("NumberedRoom", r.NumberedRoom, "value", 0),
    Row("Sandwich", _sandwich, (r.Sandwich,), _sandwich_tokens, OUTSIDE),
    Row("LittleKiller", _little_killer, (r.LittleKiller,), _little_killer_tokens, OUTSIDE),
    Row("Diagonal", _diagonal, (r.Diagonal,), lambda rule, _: ("1" if rule.rising else "-1",), TOP),
    _bare("AntiKnight", r.AntiKnight()),
    _bare("AntiKing", r.AntiKing()),
    _bare("AntiConsecutive", r.NonConsecutive()),
    _bare("AntiTaxicab", r.AntiTaxicab()),
    _bare("StrictKropki", r.StrictKropki()),
    _bare("StrictXV", r.StrictXV()),
    _boxed("DisjointSets", r.DisjointGroups, "box"),
    _boxed("Windoku", r.Windoku, "window"),
    _bare("GlobalEntropy", r.GlobalEntropy(), _digits),
    _bare("DutchFlatmates", r.DutchFlatmates(), _digits),
    _bare("GlobalMod", r.GlobalMod(), _nine_values),
    Row("FullRankTies", _full_rank_ties, (r.NoRankTies,), lambda *_: ("none",), TOP),
    Row("ConnectedValues", _connected_values, (r.ConnectedValues,), _connected_arguments, TOP),
    _bare("RegionSameValues", r.RegionSameValues()),
    Row("ChaosConstruction", _chaos, (r.ChaosConstruction,), lambda rule, _: None if rule.wrap else (), TOP),
    _bare("Doppelganger", r.Doppelganger()),
    Row("Binary", partial(_pair, every=False, old=True), place=TOP),
    Row("BinaryX", partial(_pair, every=True, old=True), place=TOP),
)
ROWS: Mapping[str, Row] = {row.name: row for row in _ROWS}
"""The types that state rules, by name."""

WRITERS: Mapping[type[Rule], tuple[Callable[[Any, Target], Tokens], str]] = {
    **{kind: (row.tokens, TOP if row.place == TOP else ANYWHERE) for row in _ROWS for kind in row.kinds},
    r.SumOneOf: (_sums(lambda rule, target: rule.totals), ANYWHERE),
    r.DigitalRoot: (_sums(_totals_of_root), ANYWHERE),
    r.Clone: (_clone_tokens, ANYWHERE),
    r.ExtraCells: (_var_tokens, TOP),
    r.OnlyValues: (_only_tokens, TOP),
}
"""The writers of kinds of rules, with the places where their tokens are allowed. Some have no type of their own."""
