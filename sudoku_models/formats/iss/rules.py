"""The types of ISS constraints that state rules: one row a type, which reads arguments as rules and writes rules.

A writer returns None for a rule that its type cannot express: its meaning is written instead.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.rules.regex import regex_automaton
from ...puzzle.rules.relations import BREAK
from ...puzzle.rules.rule_base import Rule
from .board import SIGNS, IssContext, Reader, expect_none, groups, is_cell, number, numbers, segments
from .meaning import Target, machine_segments, nfa_segments, pair, parted
from .notation import Token, automaton_of, bytes_of, decoded, encoded, machine_of, pairs_of

Arguments = tuple[str, ...]
Segments = tuple[tuple[str, ...], ...]
Tokens = list[Token] | None
Writer = Callable[[Any, Target], Tokens]
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


def _cells(kind: str, rule_kind: Any, least: int = 1) -> Row:
    """Return a type whose arguments are the cells."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        yield rule_kind(context.cells(arguments, least))

    return Row(kind, read, (rule_kind,), lambda rule, target: [Token(kind, target.cells(rule.cells))])


def _number_and_cells(kind: str, rule_kind: Any, field: str, low: int = 0, least: int = 1) -> Row:
    """Return a type whose arguments are a number that is not negative, and cells."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        text, *cells = arguments or ("",)
        value = number(text, low)
        yield rule_kind(context.cells(cells, least), value)

    def write(rule: Any, target: Target) -> Tokens:
        value = getattr(rule, field)
        return [Token(kind, (str(value), *target.cells(rule.cells)))] if value >= 0 else None

    return Row(kind, read, (rule_kind,), write)


def _bare(kind: str, rule: Rule, *, digits: bool = False) -> Row:
    """Return a type without arguments, which states this rule about the whole grid, perhaps only for the digits."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        if digits:
            context.need_digits()
        expect_none(arguments)
        yield rule

    def write(found: Any, target: Target) -> Tokens:
        return [Token(kind)] if found == rule and (not digits or target.values == _DIGITS) else None

    return Row(kind, read, (type(rule),), write, TOP)


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


def _given_tokens(rule: Any, target: Target) -> Tokens:
    values = [str(v) for v in rule.values if v in target.board.domain(rule.cell)]
    return [Token("Given", ("_".join([target.cell(rule.cell), *values]),))]


# ---- lines


def _entropic(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    context.need_digits()
    yield r.Entropic(context.cells(arguments))


def _entropic_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Entropic", target.cells(rule.cells))] if target.values == _DIGITS else None


def _whisper(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    difference = 5
    if arguments and not is_cell(arguments[0]):
        difference, arguments = number(arguments[0]), arguments[1:]
    yield r.Whisper(context.cells(arguments), difference)


def _whisper_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Whisper", (str(rule.least(target.board)), *target.cells(rule.cells)))]


def _sum_line(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    loop = arguments[-1:] == ("LOOP",)
    if loop and context.move is not None:
        raise FormatError("a closed line is not allowed in Replicate")
    total, *cells = (arguments[:-1] if loop else arguments) or ("",)
    yield r.SumLine(context.cells(cells), number(total), loop)


def _sum_line_tokens(rule: Any, target: Target) -> Tokens:
    if rule.total < 0:
        return None
    return [Token("SumLine", (str(rule.total), *target.cells(rule.cells), *(["LOOP"] if rule.loop else [])))]


def _pill_arrow(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    size, *cells = arguments or ("",)
    count = number(size, 2, 3)
    names = context.cells(cells, count + 1)
    pill = sorted(names[:count], key=context.board.place)
    places = [context.board.place(name) for name in pill]
    for (group, row, column), (other, below, right) in pairwise(places):
        if group != other or (below - row, right - column) not in ((0, 1), (1, 0), (1, 1)):
            raise FormatError(f"{' '.join(pill)} is not a pill: each cell is right of or below the one before, or both")
    yield r.PillArrow(tuple(pill), names[count:])


def _pill_tokens(rule: Any, target: Target) -> Tokens:
    places = sorted(map(target.board.place, rule.pill))
    steps = [(b[1] - a[1], b[2] - a[2]) for a, b in pairwise(places) if a[0] == b[0]]
    if len(steps) < len(places) - 1 or any(step not in ((0, 1), (1, 0), (1, 1)) for step in steps):
        return None
    return [Token("PillArrow", (str(len(rule.pill)), *target.cells((*rule.pill, *rule.shaft))))]


def _equal_sum(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    yield r.EqualSums(tuple(filter(None, segments(context, arguments))))


def _equal_sum_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("EqualSum", parted(rule.segments, target))]


# ---- cages and sums


def _cage(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    total, *cells = arguments or ("",)
    yield r.KillerCage(context.cells(cells), number(total or "0") or None)


def _cage_tokens(rule: Any, target: Target) -> Tokens:
    cells = target.cells(rule.cells)
    if rule.total is None or rule.total > 0:
        return [Token("Cage", (str(rule.total or 0), *cells))]
    return [Token("AllDifferent", cells), Token("Sum", (str(rule.total), *cells))]


def _sum(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    head, *cells = arguments or ("",)
    total, *weighted = head.split("_=_")
    if len(weighted) > 1:
        raise FormatError(f"{head[:40]!r}: a sum, or a sum, _=_ and coefficients, is expected")
    weights = numbers(weighted[0], -100, 100) if weighted else []
    yield r.WeightedSum(context.cells(cells), number(total, -1_000_000), tuple(weights))


def _sum_tokens(rule: Any, target: Target) -> Tokens:
    if any(abs(weight) > 100 for weight in rule.weights):
        return None
    weights = "_=_" + "_".join(map(str, rule.weights)) if rule.weights else ""
    return [Token("Sum", (f"{rule.total}{weights}", *target.cells(rule.cells)))]


def _sums(totals: Callable[[Any, Target], Iterable[int]]) -> Writer:
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


def _adjacent_tokens(kind: str, fits: Callable[[Any], bool] = lambda rule: True) -> Writer:
    """Write a mark between two neighbours."""

    def write(rule: Any, target: Target) -> Tokens:
        a, b = rule.cells
        return [Token(kind, target.cells((a, b)))] if fits(rule) and b in target.board.around(a) else None

    return write


def _xv_tokens(rule: Any, target: Target) -> Tokens:
    kind = {10: "X", 5: "V", None: ""}.get(rule.total)
    if kind == "":
        return []
    found = None if kind is None else _adjacent_tokens(kind)(rule, target)
    return found or [Token("Sum", (str(rule.total), *target.cells(rule.cells)))]


def _contain(kind: Any) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule for values followed by cells."""
        values, *cells = arguments or ("",)
        yield kind(context.cells(cells), tuple(numbers(values)))

    return read


def _contain_tokens(kind: str) -> Writer:
    return lambda rule, target: (
        [Token(kind, ("_".join(map(str, rule.values)), *target.cells(rule.cells)))] if (min(rule.values) >= 0) else None
    )


def _look_and_say(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    said, *cells = arguments or ("",)
    if not re.match(r"(?:[0-9][0-9])+\Z", said):
        raise FormatError(f"{said[:20]!r}: pairs of digits, count and value, are expected")
    yield r.LookAndSay(context.cells(cells), tuple(map(int, said)))


def _look_and_say_tokens(rule: Any, target: Target) -> Tokens:
    if not all(0 <= number <= 9 for number in rule.said):
        return None
    return [Token("LookAndSay", ("".join(map(str, rule.said)), *target.cells(rule.cells)))]


def _same_values(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    count, *rest = arguments or ("",)
    cells = context.cells(rest)
    sets = number(count, 1)
    if len(cells) % sets:
        raise FormatError(f"{len(cells)} cells cannot be cut into {sets} equal parts")
    size = len(cells) // sets
    yield r.SameValues(tuple(cells[i : i + size] for i in range(0, len(cells), size)))


def _same_values_tokens(rule: Any, target: Target) -> Tokens:
    names = [name for part in rule.sets for name in part]
    return [Token("SameValues", (str(len(rule.sets)), *target.cells(names)))]


def _clone_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Palindrome", target.cells(couple)) for couple in zip(rule.cells, rule.clones, strict=True)]


def _count_distinct(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, *cells = context.cells(arguments, 2)
    yield r.CountDistinct(control, tuple(cells))


def _count_distinct_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("CountDistinct", target.cells((rule.control, *rule.cells)))]


def _quad(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    corner, *values = arguments or ("",)
    start = context.cell(corner)
    square = [context.board.step(start, step) for step in ((0, 0), (0, 1), (1, 0), (1, 1))]
    found = tuple(name for name in square if name is not None)
    if len(found) < 4:
        raise FormatError(f"the four cells from {corner} reach outside its grid")
    if values:
        yield r.Quadruple(found, tuple(_value(context, text) for text in values))


def _quad_tokens(rule: Any, target: Target) -> Tokens:
    corner = min(rule.cells, key=target.board.place)
    steps = ((0, 0), (0, 1), (1, 0), (1, 1))
    square = {target.board.step(corner, step) for step in steps}
    if square != set(rule.cells) or not set(rule.values) <= set(target.values):
        return _contain_tokens("ContainAtLeast")(rule, target)
    return [Token("Quad", (target.cell(corner), *map(str, rule.values)))]


def _indexing(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    which, *cells = arguments or ("",)
    kind = {"C": r.ColumnIndexer, "R": r.RowIndexer}.get(which)
    if kind is None or not cells:
        raise FormatError("C or R, followed by cells, is expected")
    yield from (kind(context.cell(cell)) for cell in cells)


def _indexing_tokens(rule: Any, target: Target) -> Tokens:
    which = "C" if isinstance(rule, r.ColumnIndexer) else "R"
    return [Token("Indexing", (which, target.cell(rule.cell)))] if target.board.shape.lines else None


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


def _two_ended_tokens(kind: str, field: str, low: int = 1) -> Writer:
    def write(rule: Any, target: Target) -> Tokens:
        """Write a rule as a clue at the end of its line; return None if that is impossible."""
        found = _line_of(rule.cells, target)
        value = getattr(rule, field)
        if found is None or value < low:
            return None
        line, ahead = found
        return [Token(kind, (line, str(value), "") if ahead else (line, "", str(value)))]

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


def _plain(kind: Any) -> Callable[[IssContext, tuple[str, ...], int], Rule]:
    def make(context: IssContext, cells: tuple[str, ...], clue: int) -> Rule:
        found: Rule = kind(cells, clue)
        return found

    return make


def _full_rank(context: IssContext, cells: tuple[str, ...], clue: int) -> Rule:
    if clue > 4 * context.shape.width:
        raise FormatError(f"the rank {clue}: 1 to {4 * context.shape.width} are possible")
    return r.FullRank(cells, clue, context.ties)


def _full_rank_tokens(rule: Any, target: Target) -> Tokens:
    found = _two_ended_tokens("FullRank", "rank")(rule, target)
    if found is None or rule.rank > 4 * target.board.shape.width:
        return [Token("Given", (target.cell(rule.cells[0]),))]
    return found


def _sandwich(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a line are expected")
    yield r.Sandwich(context.line(arguments[1]), number(arguments[0]))


def _sandwich_tokens(rule: Any, target: Target) -> Tokens:
    found = _line_of(rule.cells, target)
    if rule.total < 0:
        return None
    if found is None or not target.board.shape.lines:
        return [Token("Lunchbox", (str(rule.total), *target.cells(rule.cells)))]
    return [Token("Sandwich", (str(rule.total), found[0]))]


def _little_killer(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a cell are expected")
    found = diagonals(context.shape.height, context.shape.width).get(context.grid_cell(arguments[1]))
    if found is None:
        raise FormatError(f"no diagonal starts at {arguments[1]}")
    yield r.LittleKiller(found, number(arguments[0]))


def _little_killer_tokens(rule: Any, target: Target) -> Tokens:
    shape = target.board.shape
    for start, cells in diagonals(shape.height, shape.width).items():
        if rule.cells in (cells, cells[::-1]) and rule.total >= 0:
            return [Token("LittleKiller", (str(rule.total), target.cell(start)))]
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


def _diagonal_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Diagonal", ("1" if rule.rising else "-1",))]


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

    def write(rule: Any, target: Target) -> Tokens:
        return [Token(kind)] if (rule.box or target.board.shape.box) == getattr(target, which) else None

    return Row(kind, read, (rule_kind,), write, TOP)


def _global_mod(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(context.values) != 9:
        raise FormatError(f"9 values are expected, not {len(context.values)}")
    yield from _MOD.read(context, arguments)


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


def _connected_tokens(rule: Any, target: Target) -> Tokens:
    if rule.wrap:
        return None
    values = "_".join(map(str, rule.values))
    return [Token("ConnectedValues", (rule.group, values, *([] if rule.size is None else [str(rule.size)])))]


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


def _regex_tokens(rule: Any, target: Target) -> Tokens:
    if not rule.pattern.isascii():
        return None
    code = base64.urlsafe_b64encode(rule.pattern.encode("ascii")).decode().rstrip("=")
    return [Token("Regex", (code, *target.cells(rule.cells)))]


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
    name = "_" + encoded(rule.name)
    if isinstance(rule, r.Line):
        return [nfa_segments(rule.segments, rule.automaton, target, name)]
    return [machine_segments(rule.segments, rule.machine, target, name)]


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


def _chaos_construction(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    expect_none(arguments)
    yield r.ChaosConstruction(context.text.region_size)


def _chaos_construction_tokens(rule: Any, target: Target) -> Tokens:
    return None if rule.wrap else [Token("ChaosConstruction")]


def _chaos_arrow(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *arms = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosArrow(context.cell(control), tuple(filter(None, segments(context, arms))), _included(form))


def _chaos_arrow_tokens(rule: Any, target: Target) -> Tokens:
    arms = parted(rule.arms, target)
    form = () if rule.included and not arms else ("0" if rule.included else "1",)
    return [Token("ChaosArrow", (target.cell(rule.control), *form, *arms))]


def _chaos_count(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *cells = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosCount(context.cell(control), context.cells(cells, 0), _included(form))


def _chaos_count_tokens(rule: Any, target: Target) -> Tokens:
    if rule.wrap and not rule.cells:
        return None
    form = () if rule.included and not rule.cells else ("0" if rule.included else "1",)
    return [Token("ChaosCount", (target.cell(rule.control), *form, *target.cells(rule.cells)))]


def _included(form: str) -> bool:
    return number(form or "0", 0, 1) == 0


def _renban_tokens(rule: Any, target: Target) -> Tokens:
    return [Token("Renban", target.cells(dict.fromkeys(rule.cells)))]


def _dot(kind: str, rule_kind: Any, usual: int) -> Row:
    """Return a type that marks neighbours, of which the number is the usual one."""
    write = _adjacent_tokens(kind, lambda rule: rule.value == usual)
    return Row(kind, _adjacent(rule_kind), (rule_kind,), write)


def _clue(kind: str, rule_kind: Any, field: str, low: int = 1) -> Row:
    """Return a type of clues at the two ends of lines."""
    read, write = _two_ended(_plain(rule_kind), low), _two_ended_tokens(kind, field, low)
    return Row(kind, read, (rule_kind,), write, OUTSIDE)


def _global_mod_tokens(rule: Any, target: Target) -> Tokens:
    return _MOD.write(rule, target) if len(target.values) == 9 else None


_MOD = _bare("GlobalMod", r.GlobalMod())
_ROWS = (
    Row("Given", _given, (r.OneOf,), _given_tokens),
    _cells("Thermo", r.Thermo),
    Row("Renban", _cells("Renban", r.Renban).read, (r.Renban,), _renban_tokens),
    _cells("Palindrome", r.Palindrome),
    _cells("Zipper", r.Zipper),
    _cells("Between", r.Between, 2),
    _cells("RegionSumLine", r.RegionSumLine),
    _cells("Arrow", r.Arrow, 2),
    _cells("DoubleArrow", r.DoubleArrow, 2),
    Row("Entropic", _entropic, (r.Entropic,), _entropic_tokens),
    Row("Whisper", _whisper, (r.Whisper,), _whisper_tokens),
    _number_and_cells("Lockout", r.Lockout, "difference", least=2),
    _number_and_cells("Modular", r.Modular, "modulus", low=1),
    Row("SumLine", _sum_line, (r.SumLine,), _sum_line_tokens),
    Row("EqualSum", _equal_sum, (r.EqualSums,), _equal_sum_tokens),
    Row("PillArrow", _pill_arrow, (r.PillArrow,), _pill_tokens),
    Row("Cage", _cage, (r.KillerCage,), _cage_tokens),
    _number_and_cells("RellikCage", r.RellikCage, "total"),
    _cells("EqualityCage", r.EqualityCage),
    _cells("AllDifferent", r.ExtraRegion),
    Row("Sum", _sum, (r.WeightedSum,), _sum_tokens),
    _number_and_cells("Lunchbox", r.Lunchbox, "total"),
    _cells("CountingCircles", r.CountingCircles),
    _dot("WhiteDot", r.Difference, 1),
    _dot("BlackDot", r.Ratio, 2),
    Row("X", _adjacent(lambda cells: r.XV(cells, 10)), (r.XV,), _xv_tokens),
    Row("V", _adjacent(lambda cells: r.XV(cells, 5))),
    Row("GreaterThan", _adjacent(r.Greater), (r.Greater,), _adjacent_tokens("GreaterThan")),
    _cells("ValueIndexing", r.ValueIndexing, 3),
    Row("ContainAtLeast", _contain(r.ContainAtLeast), (r.ContainAtLeast,), _contain_tokens("ContainAtLeast")),
    Row("ContainExact", _contain(r.ContainExact), (r.ContainExact,), _contain_tokens("ContainExact")),
    Row("LookAndSay", _look_and_say, (r.LookAndSay,), _look_and_say_tokens),
    Row("SameValues", _same_values, (r.SameValues,), _same_values_tokens),
    Row("CountDistinct", _count_distinct, (r.CountDistinct,), _count_distinct_tokens),
    Row("Quad", _quad, (r.Quadruple,), _quad_tokens),
    Row("Indexing", _indexing, (r.ColumnIndexer, r.RowIndexer), _indexing_tokens),
    Row("Pair", partial(_pair, every=False), (r.Pair,), _pair_tokens),
    Row("PairX", partial(_pair, every=True)),
    Row("Regex", _regex, (r.Regex,), _regex_tokens),
    Row("NFA", _nfa, (r.Line, r.MachineLine), _nfa_tokens),
    Row("ChaosArrow", _chaos_arrow, (r.ChaosArrow,), _chaos_arrow_tokens),
    Row("ChaosCount", _chaos_count, (r.ChaosCount,), _chaos_count_tokens),
    _clue("XSum", r.XSum, "total"),
    _clue("Skyscraper", r.Skyscraper, "count"),
    Row("FullRank", _two_ended(_full_rank), (r.FullRank,), _full_rank_tokens, OUTSIDE),
    _clue("HiddenSkyscraper", r.HiddenSkyscraper, "value", 0),
    _clue("NumberedRoom", r.NumberedRoom, "value", 0),
    Row("Sandwich", _sandwich, (r.Sandwich,), _sandwich_tokens, OUTSIDE),
    Row("LittleKiller", _little_killer, (r.LittleKiller,), _little_killer_tokens, OUTSIDE),
    Row("Diagonal", _diagonal, (r.Diagonal,), _diagonal_tokens, TOP),
    _bare("AntiKnight", r.AntiKnight()),
    _bare("AntiKing", r.AntiKing()),
    _bare("AntiConsecutive", r.NonConsecutive()),
    _bare("AntiTaxicab", r.AntiTaxicab()),
    _bare("StrictKropki", r.StrictKropki()),
    _bare("StrictXV", r.StrictXV()),
    _boxed("DisjointSets", r.DisjointGroups, "box"),
    _boxed("Windoku", r.Windoku, "window"),
    _bare("GlobalEntropy", r.GlobalEntropy(), digits=True),
    _bare("DutchFlatmates", r.DutchFlatmates(), digits=True),
    Row("GlobalMod", _global_mod, (r.GlobalMod,), _global_mod_tokens, TOP),
    Row("FullRankTies", _full_rank_ties, (r.NoRankTies,), lambda *_: [Token("FullRankTies", ("none",))], TOP),
    Row("ConnectedValues", _connected_values, (r.ConnectedValues,), _connected_tokens, TOP),
    _bare("RegionSameValues", r.RegionSameValues()),
    Row("ChaosConstruction", _chaos_construction, (r.ChaosConstruction,), _chaos_construction_tokens, TOP),
    _bare("Doppelganger", r.Doppelganger()),
    Row("Binary", partial(_pair, every=False, old=True), place=TOP),
    Row("BinaryX", partial(_pair, every=True, old=True), place=TOP),
)
ROWS: Mapping[str, Row] = {row.name: row for row in _ROWS}
"""The types that state rules, by name."""

WRITERS: Mapping[type[Rule], tuple[Writer, str]] = {
    **{kind: (row.write, TOP if row.place == TOP else ANYWHERE) for row in _ROWS for kind in row.kinds},
    r.SumOneOf: (_sums(lambda rule, target: rule.totals), ANYWHERE),
    r.DigitalRoot: (_sums(_totals_of_root), ANYWHERE),
    r.Clone: (_clone_tokens, ANYWHERE),
    r.ExtraCells: (_var_tokens, TOP),
    r.OnlyValues: (_only_tokens, TOP),
}
"""The writers of kinds of rules, with the places where their tokens are allowed. Some have no type of their own."""
