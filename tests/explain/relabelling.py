"""Other names of values: any for rules that only compare or list values, greatest for least for those that count on.

A kind of rule that is not named here keeps its values as they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sudoku_models import Puzzle
from sudoku_models.model import Automaton
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Machine, Rule

Labels = Mapping[int, int]


def kinds(text: str) -> frozenset[str]:
    """Return names of kinds of rules as a set."""
    return frozenset(text.split())


ALIKE = kinds(
    "AntiKing AntiKnight Black ChaosConstruction Clone Diagonal DisjointGroups Doppelganger ExtraCells ExtraRegion "
    "NoRankTies Palindrome RegionSameValues SameValues SubGrid Taxicab Windoku"
)
"""Kinds that notice no more of values than whether they are equal (Doppelganger knows 0, which keeps its name)."""

LISTING = kinds(
    "ConnectedValues ContainAtLeast ContainExact Leaper Line MachineLine OneOf OnlyValues Pair Quadruple Relation"
)
"""Kinds that list values, or words of values: the lists follow any other names."""

UPSIDE_DOWN = kinds(
    "AlternatingParity Balance Between DiagonalNonConsecutive Difference Entropic EqualParity EqualityCage "
    "GlobalEntropy GlobalMod Lockout Modular Nabner NonConsecutive Renban Whisper"
)
"""Kinds that say the same when the greatest value is called the least, and so on."""


@dataclass(frozen=True)
class Scale:
    """The least and the greatest value, which change their places, as all between them."""

    low: int
    high: int

    def total(self, total: int, weights: float) -> int:
        """Return what a sum of so many values becomes."""
        return int(weights * (self.low + self.high)) - total


def _parity(rule: Any, scale: Scale) -> Rule:
    return replace(rule, odd=rule.odd != bool((scale.low + scale.high) % 2))


def _cage(rule: Any, scale: Scale) -> Rule:
    return rule if rule.total is None else replace(rule, total=scale.total(rule.total, len(rule.cells)))


def _weighted(rule: Any, scale: Scale) -> Rule:
    return replace(rule, total=scale.total(rule.total, sum(rule.weights or (1,) * len(rule.cells))))


def _compared(rule: Any, _: Scale) -> Rule | None:
    flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    return replace(rule, op=flipped.get(rule.op, rule.op)) if len(rule.left) == len(rule.right) else None


REVERSED: dict[str, Callable[[Any, Scale], Rule | None]] = {
    **dict.fromkeys(("Thermo", "SlowThermo", "Greater"), lambda rule, _: replace(rule, cells=rule.cells[::-1])),
    **dict.fromkeys(("KillerCage", "LittleKiller"), _cage),
    "CompareSums": _compared,
    "EqualSums": lambda rule, _: rule if len(set(map(len, rule.segments))) == 1 else None,
    "FrameSum": lambda rule, scale: replace(rule, total=scale.total(rule.total, 3)),
    "Half": lambda rule, _: replace(rule, low=not rule.low),
    "Knightmare": lambda rule, scale: replace(rule, sums=tuple(scale.total(x, 2) for x in rule.sums)),
    "Maximum": lambda rule, _: r.Minimum(rule.cell),
    "Minimum": lambda rule, _: r.Maximum(rule.cell),
    "Parity": _parity,
    "Progression": lambda rule, _: rule if rule.step is None else replace(rule, step=-rule.step),
    "Rossini": lambda rule, _: replace(rule, rising=not rule.rising),
    "SumOneOf": lambda rule, scale: replace(rule, totals=tuple(scale.total(x, len(rule.cells)) for x in rule.totals)),
    "WeightedSum": _weighted,
}
"""How other kinds are said of values upside down."""


def relabelled_rules(puzzle: Puzzle, rng: random.Random) -> tuple[dict[str, Labels], tuple[Rule, ...]]:
    """Return other names of the values of each cell, as free as the rules allow, and the rules in these terms."""
    values = puzzle.shape.values
    free = [v for v in values if v or not any(isinstance(rule, r.Doppelganger) for rule in puzzle.rules)]
    any_names: Labels = dict(zip(free, rng.sample(free, len(free)), strict=True))
    scale = Scale(values[0], values[-1])
    downwards: Labels = {v: scale.low + scale.high - v for v in values}
    for labels, said in ((any_names, _listed), (downwards, lambda rule, of: _reversed(rule, of, scale))):
        every = {x: {} if x.startswith("CC") else labels for x in puzzle.names}
        found = [said(rule, every) for rule in puzzle.rules]
        if None not in found and set(labels.values()) <= set(values):
            return every, tuple(rule for rule in found if rule)
    return {x: {} for x in puzzle.names}, puzzle.rules


def _reversed(rule: Rule, labels: Mapping[str, Labels], scale: Scale) -> Rule | None:
    kind = type(rule).__name__
    if rule.parts:
        parts = [_reversed(part, labels, scale) for part in rule.parts]
        return None if None in parts else replace(rule, rules=tuple(parts))  # type: ignore[call-arg]
    if kind in UPSIDE_DOWN:
        return rule
    return REVERSED[kind](rule, scale) if kind in REVERSED else _listed(rule, labels)


def _listed(rule: Rule, labels: Mapping[str, Labels]) -> Rule | None:
    """Return a rule with the values that it lists under other names; None for kinds that know more of values."""
    kind = type(rule).__name__
    if rule.parts:
        parts = [_listed(part, labels) for part in rule.parts]
        return None if None in parts else replace(rule, rules=tuple(parts))  # type: ignore[call-arg]
    if kind in ALIKE:
        return rule
    if kind not in LISTING:
        return None
    of = labels[rule.scope[0]] if rule.scope else next(iter(labels.values()))
    return replace(rule, **{f.name: _named(getattr(rule, f.name), of) for f in fields(rule) if f.init})


def _named(value: Any, labels: Labels, listed: bool = False) -> Any:
    """Rename the numbers in tuples, and the symbols that automata read."""
    if isinstance(value, Automaton):
        return Automaton(value.states, value.start, value.accepting, _arrows(value.arrows, labels))
    if isinstance(value, Machine):
        return Machine(value.states, value.starts, value.accepting, _arrows(value.arrows, labels))
    if isinstance(value, tuple):
        return tuple(_named(item, labels, True) for item in value)
    return labels.get(value, value) if listed and isinstance(value, int) else value


def _arrows(arrows: Any, labels: Labels) -> list[tuple[int, int, int]]:
    return [(a, labels.get(v, v), b) for a, v, b in arrows]
