"""What single rules remove: cage combinations, bounds of thermometers, and whatever else a rule's solutions show."""

from __future__ import annotations

from ...puzzle.rules.rule_base import Rule
from ..ladder import ALL, LARGE, Stage
from .board import Found, Pattern, State

KINDS = {
    "KillerCage": "cage combinations",
    "Thermo": "bounds of a thermometer",
    "SlowThermo": "bounds of a slow thermometer",
    "Arrow": "sum of an arrow",
    "DoubleArrow": "sum of a double arrow",
    "LittleKiller": "sum along a diagonal",
    "Renban": "values in a row on a Renban line",
    "Whisper": "distances on a whisper line",
    "Palindrome": "mirrored cells of a palindrome",
    "Between": "bounds between two ends",
    "Lockout": "values outside two ends",
    "RegionSumLine": "equal sums on a line",
    "Zipper": "pairs of a zipper line",
    "Difference": "pairs of a dot",
    "Ratio": "pairs of a dot",
    "XV": "pairs of a sum",
    "Greater": "bounds of an inequality",
    "Sandwich": "sum between two values",
    "Skyscraper": "visible skyscrapers",
    "XSum": "sum of the number of cells in the first one",
    "Quadruple": "values around a corner",
    "AntiKnight": "knight's move",
    "AntiKing": "king's move",
    "NonConsecutive": "neighbours that are not consecutive",
}
"""The names of steps of single rules, by the kind of rule."""
COST = {0: 1.9, 1: 2.1, 2: 2.5, 3: 3.0, ALL: 3.5}
"""The cost of a step by one rule, by the number of its cells that are read."""


def stage_of(state: State) -> Stage | None:
    """Return what single rules remove with the fewest cells read."""
    numbers = [number for number, _ in state.board.rules]
    return state.once("rules of one atom", lambda: state.board.ladder.single(state.masks, numbers) if numbers else None)


def rules(state: State) -> Found:
    """Yield what each rule removes on its own, at the cheapest level at which any does."""
    stage = stage_of(state)
    if stage is None:
        return
    number, extra = stage.level[1], {True: 0.4, False: 0.0}
    for a, facts in stage.by.items():
        atom = state.board.ladder.atoms[a]
        out = sum(1 << state.board.literal(c, b) for c, b in facts)
        cost = COST[number] + extra[len(atom.cells) >= LARGE]
        yield Pattern(rule_name(atom.part, number), cost, out, "", atoms=(a,))


def rule_name(part: object, number: int) -> str:
    """Return the name of a step by one rule; ``number`` is that of the level 1.k."""
    kind = KINDS.get(type(part).__name__, "") if isinstance(part, Rule) else ""
    return f"{kind}, all candidates read" if kind and number == ALL else kind
