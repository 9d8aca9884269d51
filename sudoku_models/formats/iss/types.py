"""The writers of rules that have an ISS type. They return None for a rule that its type cannot express."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .context import SIGNS
from .diagonals import diagonals
from .meaning import Target, machine_segments, nfa_segments, pair, parted
from .tokens import Token, encoded

Tokens = list[Token] | None
Writer = Callable[[Any, Target], Tokens]


def _cells(kind: str) -> Writer:
    return lambda rule, target: [Token(kind, target.cells(rule.cells))]


def _number_cells(kind: str, field: str) -> Writer:
    return lambda rule, target: [Token(kind, (str(getattr(rule, field)), *target.cells(rule.cells)))]


def _natural(kind: str, field: str) -> Writer:
    """Write a number and cells, if the number is not negative."""
    write = _number_cells(kind, field)
    return lambda rule, target: write(rule, target) if getattr(rule, field) >= 0 else None


def _bare(kind: str) -> Writer:
    return lambda rule, target: [Token(kind)]


def _unwrapped(kind: str) -> Writer:
    return lambda rule, target: None if rule.wrap else [Token(kind)]


def _digits(write: Writer) -> Writer:
    return lambda rule, target: write(rule, target) if target.values == tuple(range(1, 10)) else None


def _given(rule: Any, target: Target) -> Tokens:
    values = [str(v) for v in rule.values if v in target.board.domain(rule.cell)]
    return [Token("Given", ("_".join([target.cell(rule.cell), *values]),))]


def _only(rule: Any, target: Target) -> Tokens:
    values = [str(v) for v in rule.values if v in target.values]
    return [Token("Given", tuple("_".join([cell, *values]) for cell in target.cells(target.board.cells)))]


def _cage(rule: Any, target: Target) -> Tokens:
    cells = target.cells(rule.cells)
    if rule.total is None or rule.total > 0:
        return [Token("Cage", (str(rule.total or 0), *cells))]
    return [Token("AllDifferent", cells), Token("Sum", (str(rule.total), *cells))]


def _sum(rule: Any, target: Target) -> Tokens:
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


def _diagonal(rule: Any, target: Target) -> Tokens:
    return [Token("Diagonal", ("1" if rule.rising else "-1",))]


def _boxed(kind: str, written: str) -> Writer:
    def write(rule: Any, target: Target) -> Tokens:
        return [Token(kind)] if (rule.box or target.board.shape.box) == getattr(target, written) else None

    return write


def _adjacent(kind: str, fits: Callable[[Any], bool] = lambda rule: True) -> Writer:
    """Write a mark between two neighbours."""

    def write(rule: Any, target: Target) -> Tokens:
        a, b = rule.cells
        return [Token(kind, target.cells((a, b)))] if fits(rule) and b in target.board.around(a) else None

    return write


def _whisper(rule: Any, target: Target) -> Tokens:
    return [Token("Whisper", (str(rule.least(target.board)), *target.cells(rule.cells)))]


def _sum_line(rule: Any, target: Target) -> Tokens:
    if rule.total < 0:
        return None
    return [Token("SumLine", (str(rule.total), *target.cells(rule.cells), *(["LOOP"] if rule.loop else [])))]


def _pill(rule: Any, target: Target) -> Tokens:
    places = sorted(map(target.board.place, rule.pill))
    steps = [(b[1] - a[1], b[2] - a[2]) for a, b in pairwise(places) if a[0] == b[0]]
    if len(steps) < len(places) - 1 or any(step not in ((0, 1), (1, 0), (1, 1)) for step in steps):
        return None
    return [Token("PillArrow", (str(len(rule.pill)), *target.cells((*rule.pill, *rule.shaft))))]


def _equal_sums(rule: Any, target: Target) -> Tokens:
    return [Token("EqualSum", parted(rule.segments, target))]


def _two_ended(kind: str, field: str, low: int = 1) -> Writer:
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


def _sandwich(rule: Any, target: Target) -> Tokens:
    found = _line_of(rule.cells, target)
    if rule.total < 0:
        return None
    if found is None or not target.board.shape.lines:
        return [Token("Lunchbox", (str(rule.total), *target.cells(rule.cells)))]
    return [Token("Sandwich", (str(rule.total), found[0]))]


def _little_killer(rule: Any, target: Target) -> Tokens:
    shape = target.board.shape
    for start, cells in diagonals(shape.height, shape.width).items():
        if rule.cells in (cells, cells[::-1]) and rule.total >= 0:
            return [Token("LittleKiller", (str(rule.total), target.cell(start)))]
    return [Token("Sum", (str(rule.total), *target.cells(rule.cells)))]


def _full_rank(rule: Any, target: Target) -> Tokens:
    found = _two_ended("FullRank", "rank")(rule, target)
    if found is None or rule.rank > 4 * target.board.shape.width:
        return [Token("Given", (target.cell(rule.cells[0]),))]
    return found


def _contain(kind: str) -> Writer:
    return lambda rule, target: (
        [Token(kind, ("_".join(map(str, rule.values)), *target.cells(rule.cells)))] if (min(rule.values) >= 0) else None
    )


def _quad(rule: Any, target: Target) -> Tokens:
    corner = min(rule.cells, key=target.board.place)
    steps = ((0, 0), (0, 1), (1, 0), (1, 1))
    square = {target.board.step(corner, step) for step in steps}
    if square != set(rule.cells) or not set(rule.values) <= set(target.values):
        return _contain("ContainAtLeast")(rule, target)
    return [Token("Quad", (target.cell(corner), *map(str, rule.values)))]


def _look_and_say(rule: Any, target: Target) -> Tokens:
    if not all(0 <= number <= 9 for number in rule.said):
        return None
    return [Token("LookAndSay", ("".join(map(str, rule.said)), *target.cells(rule.cells)))]


def _same_values(rule: Any, target: Target) -> Tokens:
    names = [name for part in rule.sets for name in part]
    return [Token("SameValues", (str(len(rule.sets)), *target.cells(names)))]


def _clone(rule: Any, target: Target) -> Tokens:
    return [Token("Palindrome", target.cells(couple)) for couple in zip(rule.cells, rule.clones, strict=True)]


def _count_distinct(rule: Any, target: Target) -> Tokens:
    return [Token("CountDistinct", target.cells((rule.control, *rule.cells)))]


def _indexer(which: str) -> Writer:
    return lambda rule, target: (
        [Token("Indexing", (which, target.cell(rule.cell)))] if target.board.shape.lines else None
    )


def _connected(rule: Any, target: Target) -> Tokens:
    if rule.wrap:
        return None
    values = "_".join(map(str, rule.values))
    return [Token("ConnectedValues", (rule.group, values, *([] if rule.size is None else [str(rule.size)])))]


def _pair(rule: Any, target: Target) -> Tokens:
    name = "_" + encoded(rule.name)
    low, high = target.values[0], target.values[-1]
    rows = [(a, b) for a, b in rule.allowed if low <= a <= high and low <= b <= high]
    found = pair(rule.cells, rows, target, name)
    if not rule.every:
        return [found]
    return [Token("PairX", found.arguments)] if set(rows) == {(b, a) for a, b in rows} else None


def _line(rule: Any, target: Target) -> Tokens:
    return [nfa_segments(rule.segments, rule.automaton, target, "_" + encoded(rule.name))]


def _machine(rule: Any, target: Target) -> Tokens:
    return [machine_segments(rule.segments, rule.machine, target, "_" + encoded(rule.name))]


def _regex(rule: Any, target: Target) -> Tokens:
    if not rule.pattern.isascii():
        return None
    code = base64.urlsafe_b64encode(rule.pattern.encode("ascii")).decode().rstrip("=")
    return [Token("Regex", (code, *target.cells(rule.cells)))]


def _var(rule: Any, target: Target) -> Tokens:
    target.cells(target.board.groups[rule.name].cells)
    group = target.board.groups[rule.name]
    natural = min(target.board.shape.width, rule.count)
    size = str(rule.count) if group.width == natural else f"{group.height}x{group.width}"
    return [Token("Var", (rule.name[1:], encoded(rule.label), size))]


def _chaos_arrow(rule: Any, target: Target) -> Tokens:
    arms = parted(rule.arms, target)
    form = () if rule.included and not arms else ("0" if rule.included else "1",)
    return [Token("ChaosArrow", (target.cell(rule.control), *form, *arms))]


def _chaos_count(rule: Any, target: Target) -> Tokens:
    if rule.wrap and not rule.cells:
        return None
    form = () if rule.included and not rule.cells else ("0" if rule.included else "1",)
    return [Token("ChaosCount", (target.cell(rule.control), *form, *target.cells(rule.cells)))]


def _ties(rule: Any, target: Target) -> Tokens:
    return [Token("FullRankTies", ("none",))]


_ANYWHERE: Mapping[str, Writer] = {
    "OneOf": _given,
    "KillerCage": _cage,
    "WeightedSum": _sum,
    "SumOneOf": _sums(lambda rule, target: rule.totals),
    "DigitalRoot": _sums(_totals_of_root),
    "RellikCage": _natural("RellikCage", "total"),
    "EqualityCage": _cells("EqualityCage"),
    "ExtraRegion": _cells("AllDifferent"),
    "Thermo": _cells("Thermo"),
    "Palindrome": _cells("Palindrome"),
    "Renban": lambda rule, target: [Token("Renban", target.cells(dict.fromkeys(rule.cells)))],
    "Whisper": _whisper,
    "Between": _cells("Between"),
    "Lockout": _number_cells("Lockout", "difference"),
    "Entropic": _digits(_cells("Entropic")),
    "Modular": _number_cells("Modular", "modulus"),
    "RegionSumLine": _cells("RegionSumLine"),
    "EqualSums": _equal_sums,
    "SumLine": _sum_line,
    "Zipper": _cells("Zipper"),
    "Arrow": _cells("Arrow"),
    "PillArrow": _pill,
    "DoubleArrow": _cells("DoubleArrow"),
    "Difference": _adjacent("WhiteDot", lambda rule: rule.value == 1),
    "Ratio": _adjacent("BlackDot", lambda rule: rule.value == 2),
    "Greater": _adjacent("GreaterThan"),
    "Lunchbox": _natural("Lunchbox", "total"),
    "Sandwich": _sandwich,
    "LittleKiller": _little_killer,
    "XSum": _two_ended("XSum", "total"),
    "Skyscraper": _two_ended("Skyscraper", "count"),
    "HiddenSkyscraper": _two_ended("HiddenSkyscraper", "value", 0),
    "NumberedRoom": _two_ended("NumberedRoom", "value", 0),
    "FullRank": _full_rank,
    "ContainAtLeast": _contain("ContainAtLeast"),
    "ContainExact": _contain("ContainExact"),
    "Quadruple": _quad,
    "LookAndSay": _look_and_say,
    "CountingCircles": _cells("CountingCircles"),
    "CountDistinct": _count_distinct,
    "SameValues": _same_values,
    "Clone": _clone,
    "ColumnIndexer": _indexer("C"),
    "RowIndexer": _indexer("R"),
    "ValueIndexing": _cells("ValueIndexing"),
    "Pair": _pair,
    "Line": _line,
    "MachineLine": _machine,
    "Regex": _regex,
    "ChaosArrow": _chaos_arrow,
    "ChaosCount": _chaos_count,
}
_AT_TOP: Mapping[str, Writer] = {
    "Diagonal": _diagonal,
    "Windoku": _boxed("Windoku", "window"),
    "DisjointGroups": _boxed("DisjointSets", "box"),
    "RegionSameValues": _bare("RegionSameValues"),
    "AntiKnight": _unwrapped("AntiKnight"),
    "AntiKing": _unwrapped("AntiKing"),
    "NonConsecutive": lambda rule, target: None if rule.spare_dots or rule.wrap else [Token("AntiConsecutive")],
    "AntiTaxicab": _unwrapped("AntiTaxicab"),
    "StrictKropki": _unwrapped("StrictKropki"),
    "StrictXV": _unwrapped("StrictXV"),
    "GlobalEntropy": _digits(_unwrapped("GlobalEntropy")),
    "GlobalMod": lambda rule, target: _unwrapped("GlobalMod")(rule, target) if len(target.values) == 9 else None,
    "DutchFlatmates": _digits(_unwrapped("DutchFlatmates")),
    "ConnectedValues": _connected,
    "NoRankTies": _ties,
    "ExtraCells": _var,
    "OnlyValues": _only,
    "ChaosConstruction": _unwrapped("ChaosConstruction"),
    "Doppelganger": _bare("Doppelganger"),
}


def _xv(rule: Any, target: Target) -> Tokens:
    kind = {10: "X", 5: "V", None: ""}.get(rule.total)
    if kind == "":
        return []
    found = None if kind is None else _adjacent(kind)(rule, target)
    return found or [Token("Sum", (str(rule.total), *target.cells(rule.cells)))]


WRITERS: Mapping[str, Sequence[tuple[str, Writer]]] = {
    **{name: (("anywhere", write),) for name, write in _ANYWHERE.items()},
    **{name: (("top", write),) for name, write in _AT_TOP.items()},
    "XV": (("anywhere", _xv),),
}
"""The writers by rule name, with the places where the tokens are allowed."""
