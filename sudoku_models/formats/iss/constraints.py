"""Converts the arguments of each type of ISS constraint to rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.rules.regex import regex_automaton
from ...puzzle.rules.relations import BREAK
from ...puzzle.rules.rule_base import Rule
from .bits import bytes_of, pairs_of
from .context import SIGNS, IssContext, Reader, expect_none, groups, is_cell, number, numbers, segments
from .iss_board import BoardText, Box
from .nfa import automaton_of, machine_of

Arguments = tuple[str, ...]
Segments = tuple[tuple[str, ...], ...]
TIES = ("none", "only-unclued", "any")
"""The words of FullRankTies, which say which readings may be equal."""


def _only_cells(kind: Any, least: int = 1) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule about the cells."""
        yield kind(context.cells(arguments, least))

    return read


def _number_then_cells(kind: Any, low: int = 0, least: int = 1) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule for a number followed by cells."""
        value, *cells = arguments or ("",)
        read_value = number(value, low)
        yield kind(context.cells(cells, least), read_value)

    return read


def _no_arguments(*made: Callable[[], Rule]) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rules, which take no arguments."""
        expect_none(arguments)
        yield from (make() for make in made)

    return read


def _given(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    for argument in arguments:
        cell, *values = argument.split("_")
        if cell or values:
            yield r.OneOf(context.cell(cell), tuple(_value(context, text) for text in values))


def _value(context: IssContext, text: str) -> int:
    found = number(text)
    if found not in context.values:
        raise FormatError(f"the value {found}: {context.values[0]} to {context.values[-1]} are possible")
    return found


def _entropic(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    context.need_digits()
    yield r.Entropic(context.cells(arguments))


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


def _cage(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    total, *cells = arguments or ("",)
    yield r.KillerCage(context.cells(cells), number(total or "0") or None)


def _sum(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    head, *cells = arguments or ("",)
    total, *weighted = head.split("_=_")
    if len(weighted) > 1:
        raise FormatError(f"{head[:40]!r}: a sum, or a sum, _=_ and coefficients, is expected")
    weights = numbers(weighted[0], -100, 100) if weighted else []
    yield r.WeightedSum(context.cells(cells), number(total, -1_000_000), tuple(weights))


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


def _contain(kind: Any) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule for values followed by cells."""
        values, *cells = arguments or ("",)
        yield kind(context.cells(cells), tuple(numbers(values)))

    return read


def _look_and_say(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    said, *cells = arguments or ("",)
    if not re.match(r"(?:[0-9][0-9])+\Z", said):
        raise FormatError(f"{said[:20]!r}: pairs of digits, count and value, are expected")
    yield r.LookAndSay(context.cells(cells), tuple(map(int, said)))


def _same_values(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    count, *rest = arguments or ("",)
    cells = context.cells(rest)
    sets = number(count, 1)
    if len(cells) % sets:
        raise FormatError(f"{len(cells)} cells cannot be cut into {sets} equal parts")
    size = len(cells) // sets
    yield r.SameValues(tuple(cells[i : i + size] for i in range(0, len(cells), size)))


def _count_distinct(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, *cells = context.cells(arguments, 2)
    yield r.CountDistinct(control, tuple(cells))


def _quad(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    corner, *values = arguments or ("",)
    start = context.cell(corner)
    square = [context.board.step(start, step) for step in ((0, 0), (0, 1), (1, 0), (1, 1))]
    found = tuple(name for name in square if name is not None)
    if len(found) < 4:
        raise FormatError(f"the four cells from {corner} reach outside its grid")
    if values:
        yield r.Quadruple(found, tuple(_value(context, text) for text in values))


def _indexing(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    which, *cells = arguments or ("",)
    kind = {"C": r.ColumnIndexer, "R": r.RowIndexer}.get(which)
    if kind is None or not cells:
        raise FormatError("C or R, followed by cells, is expected")
    yield from (kind(context.cell(cell)) for cell in cells)


def _diagonal(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if arguments not in (("1",), ("-1",)):
        raise FormatError(f"{'~'.join(arguments)[:20]!r}: 1 or -1 is expected")
    yield r.Diagonal(arguments == ("1",))


def _boxed(kind: Any, box_in: Callable[[BoardText], Box | None]) -> Reader:
    """Read a rule about boxes of a size; it has no effect if such boxes do not tile the grid."""

    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule with its box size if such boxes tile the grid; raise FormatError unless it is square."""
        expect_none(arguments)
        box = box_in(context.text)
        if context.shape.height != context.shape.width:
            raise FormatError(f"a square grid is expected, not {context.shape}")
        if box is not None:
            yield kind(() if context.shape.box == box else box)

    return read


def _digits_only(make: Callable[[], Rule]) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield the rule; raise FormatError unless the values are the digits 1 to 9."""
        context.need_digits()
        yield from _no_arguments(make)(context, arguments)

    return read


def _global_mod(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(context.values) != 9:
        raise FormatError(f"9 values are expected, not {len(context.values)}")
    yield from _no_arguments(r.GlobalMod)(context, arguments)


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


def _pair(context: IssContext, arguments: Arguments, every: bool, old: bool = False) -> Iterator[Rule]:
    key, *rest = arguments or ("",)
    if old:
        key = key.translate({ord("-"): "_", ord("_"): "-"})
    allowed = pairs_of(key, context.values[0], len(context.values))
    if every and set(allowed) != {(b, a) for a, b in allowed}:
        raise FormatError("the relation of a PairX is not symmetric")
    for name, cells in groups(rest):
        yield r.Pair(context.cells(cells), tuple(allowed), every, name)


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


def _equal_sum(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    yield r.EqualSums(tuple(filter(None, segments(context, arguments))))


def _chaos_construction(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    yield from _no_arguments(lambda: r.ChaosConstruction(context.text.region_size))(context, arguments)


def _chaos_arrow(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *arms = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosArrow(context.cell(control), tuple(filter(None, segments(context, arms))), _included(form))


def _chaos_count(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    control, form, *cells = (*arguments, "", "")[: max(2, len(arguments))]
    yield r.ChaosCount(context.cell(control), context.cells(cells, 0), _included(form))


def _included(form: str) -> bool:
    return number(form or "0", 0, 1) == 0


def extra_cells(arguments: Arguments, width: int) -> r.ExtraCells:
    """Parse a Var: its name, label and size."""
    name, label, size = (*arguments, "", "")[:3] if arguments else ("", "", "")
    match = re.match(r"([1-9][0-9]{0,3})(?:[xX]([1-9][0-9]?))?\Z", size or "1")
    if not re.match(r"[A-Z]{1,30}\Z", name) or not match or len(arguments) > 3:
        raise FormatError(f"Var {'~'.join(arguments)[:40]}: capital letters, a label and a size are expected")
    from .tokens import decoded

    count, across = int(match[1]), min(width, int(match[1]))
    if match[2]:
        across = int(match[2])
        count *= across
    if across > len(SIGNS) or count > 1000:
        raise FormatError(f"Var {name}: {size} cells: up to 1000 in up to {len(SIGNS)} columns are possible")
    return r.ExtraCells(f"V{name}", count, across, decoded(label))


IN_BLOCKS: dict[str, Reader] = {
    "Given": _given,
    "Thermo": _only_cells(r.Thermo),
    "Renban": _only_cells(r.Renban),
    "Palindrome": _only_cells(r.Palindrome),
    "Zipper": _only_cells(r.Zipper),
    "Between": _only_cells(r.Between, 2),
    "RegionSumLine": _only_cells(r.RegionSumLine),
    "Arrow": _only_cells(r.Arrow, 2),
    "DoubleArrow": _only_cells(r.DoubleArrow, 2),
    "Entropic": _entropic,
    "Whisper": _whisper,
    "Lockout": _number_then_cells(r.Lockout, least=2),
    "Modular": _number_then_cells(r.Modular, low=1),
    "SumLine": _sum_line,
    "PillArrow": _pill_arrow,
    "Cage": _cage,
    "RellikCage": _number_then_cells(r.RellikCage),
    "EqualityCage": _only_cells(r.EqualityCage),
    "AllDifferent": _only_cells(r.ExtraRegion),
    "CountingCircles": _only_cells(r.CountingCircles),
    "Sum": _sum,
    "Lunchbox": _number_then_cells(r.Lunchbox),
    "WhiteDot": _adjacent(r.Difference),
    "BlackDot": _adjacent(r.Ratio),
    "X": _adjacent(lambda cells: r.XV(cells, 10)),
    "V": _adjacent(lambda cells: r.XV(cells, 5)),
    "GreaterThan": _adjacent(r.Greater),
    "ValueIndexing": _only_cells(r.ValueIndexing, 3),
    "ContainAtLeast": _contain(r.ContainAtLeast),
    "ContainExact": _contain(r.ContainExact),
    "LookAndSay": _look_and_say,
    "SameValues": _same_values,
    "CountDistinct": _count_distinct,
    "Quad": _quad,
    "Indexing": _indexing,
    "Pair": partial(_pair, every=False),
    "PairX": partial(_pair, every=True),
    "Regex": _regex,
    "NFA": _nfa,
    "EqualSum": _equal_sum,
    "ChaosArrow": _chaos_arrow,
    "ChaosCount": _chaos_count,
}
"""The constraints that are allowed in blocks."""

AT_TOP: dict[str, Reader] = {
    "Diagonal": _diagonal,
    "AntiKnight": _no_arguments(r.AntiKnight),
    "AntiKing": _no_arguments(r.AntiKing),
    "AntiConsecutive": _no_arguments(r.NonConsecutive),
    "AntiTaxicab": _no_arguments(r.AntiTaxicab),
    "StrictKropki": _no_arguments(r.StrictKropki),
    "StrictXV": _no_arguments(r.StrictXV),
    "DisjointSets": _boxed(r.DisjointGroups, lambda text: text.box),
    "Windoku": _boxed(r.Windoku, lambda text: text.window),
    "GlobalEntropy": _digits_only(r.GlobalEntropy),
    "DutchFlatmates": _digits_only(r.DutchFlatmates),
    "GlobalMod": _global_mod,
    "FullRankTies": _full_rank_ties,
    "ConnectedValues": _connected_values,
    "RegionSameValues": _no_arguments(r.RegionSameValues),
    "ChaosConstruction": _chaos_construction,
    "Doppelganger": _no_arguments(r.Doppelganger),
    "Binary": partial(_pair, every=False, old=True),
    "BinaryX": partial(_pair, every=True, old=True),
}
"""The constraints that are allowed only at the top level."""

NO_RULE = frozenset({"Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var", "SearchPriority"})
"""The types that describe the board, or that do not affect the solutions."""
