"""Rules made of rules: at least one of several, or all of several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import Constraint
from . import fields as f
from .board import Board, Filled, Sentence
from .rule_base import Rule
from .traits import Split
from .words import own
from .yields import one_of

DEEPEST = 50
"""The deepest nesting of rules."""


def _rules(value: object) -> tuple[Rule, ...]:
    if isinstance(value, Rule | str) or not isinstance(value, Iterable):
        raise ValueError("a list of rules is expected")
    found = tuple(value)
    for item in found:
        if not isinstance(item, Rule):
            raise ValueError(f"{item!r:.60} is not a rule")
    if max(map(depth, found), default=0) >= DEEPEST:
        raise ValueError(f"rules nested deeper than {DEEPEST}")
    return found


class AnyOf(Rule):
    """At least one of the rules holds; without rules, this never holds."""

    sentence = "At least one of these holds."
    rules: tuple[Rule, ...] = f.stated(_rules)

    @property
    def parts(self) -> tuple[Rule, ...]:
        return self.rules

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield one_of(rule.constraints(board) for rule in self.rules)

    def judge(self, grid: Filled) -> bool:
        return any(rule.judge(grid) for rule in self.rules)


class AllOf(Rule):
    """All of the rules hold: a group that can be one alternative of an ``AnyOf``."""

    sentence = "All of these hold."
    rules: tuple[Rule, ...] = f.stated(_rules)

    @property
    def parts(self) -> tuple[Rule, ...]:
        return self.rules

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for rule in self.rules:
            yield from rule.constraints(board)

    def judge(self, grid: Filled) -> bool:
        return all(rule.judge(grid) for rule in self.rules)

    def split(self) -> Iterator[Rule]:
        return iter(pieces(self.rules))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        return (sentence for rule in self.rules for sentence in rule.sentences(board))


def flat(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules in order, with each ``AllOf`` replaced by its rules."""
    for rule in rules:
        if isinstance(rule, AllOf):
            yield from flat(rule.rules)
        else:
            yield rule


def depth(rule: Rule) -> int:
    """Return the nesting depth of a rule: 0 for a rule without parts."""
    known: dict[int, int] = {}
    left = [rule]
    while left:
        top = left[-1]
        waiting = [part for part in top.parts if id(part) not in known]
        if waiting:
            left += waiting
        else:
            known[id(top)] = 1 + max((known[id(part)] for part in top.parts), default=-1)
            left.pop()
    return known[id(rule)]


def pieces(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules with each divisible one replaced by weaker ones that together say the same (``split``).

    A group is split into its rules, a line about neighbours (thermometers, whispers, alternating parity) into its
    steps, one about pairs or inner cells (palindromes, between lines, zippers) into these, a cage with a sum into the
    sum and the difference of its cells, a set of values that some cells have into single values. Other rules stay
    whole: those of one sum, count or set (arrows, renbans), of one cell or pair, and of the whole board.
    """
    return tuple(piece for rule in rules for piece in (_split(rule) or (rule,)))


def _split(rule: Rule) -> tuple[Rule, ...]:
    split: Split | None = own(rule, "split")
    return () if split is None else tuple(split(rule))
