"""A puzzle as text, and its rules in words: a sentence for each kind, and the place of each rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ..puzzle import Puzzle
from ..puzzle import rules as r
from ..puzzle.rules.rule_base import Rule

LONGEST = 160
"""The largest number of characters for one rule's place."""
TITLES = {
    "AntiKing": "Anti-king",
    "AntiKnight": "Anti-knight",
    "AntiTaxicab": "Anti-taxicab",
    "DiagonalNonConsecutive": "Diagonally non-consecutive",
    "NonConsecutive": "Non-consecutive",
    "StrictKropki": "Strict Kropki",
    "StrictXV": "Strict XV",
    "SubGrid": "Grid inside the board",
    "XSum": "X-sum",
    "XV": "XV",
}
"""The names of kinds of rules for which the class name in words is unsuitable."""
SAID = {
    "AllOf": "All of these hold.",
    "AnyOf": "At least one of these holds.",
    "Balance": "Rows and columns hold 0 and 1 equally often, never three alike in a row; no two are the same "
    "unless distinct is False.",
    "Black": "Black cells with a value.",
    "Calculation": "The cells of a cage give its number by its operation.",
    "ChaosArrow": "The control cell is 1 + the sum of (run - 1) over the arms; one less if included is False.",
    "ChaosConstruction": "The grid is divided into connected regions of equal size; the cells of a region differ.",
    "ChaosCount": "The control cell is the number of listed cells in the region of the first one, which is "
    "also counted unless included is False.",
    "CompareSums": "The sums of the two sets of cells compare as stated.",
    "ConnectedValues": "The cells that hold one of the values are connected side by side.",
    "ContainAtLeast": "The cells hold the listed values, each at least as often as it is listed.",
    "ContainExact": "The cells hold the listed values, each exactly as often as it is listed.",
    "CountDistinct": "The circled cell is the number of distinct values in the shaded cells.",
    "Diagonal": "All cells of a marked main diagonal differ.",
    "Difference": "Cells with a white dot differ by 1, or by the number in the dot.",
    "DigitalRoot": "All cells differ; the digital root of their sum is the number.",
    "DisjointGroups": "Cells in the same position of every box all differ.",
    "Entropic": "Of every three cells in a row one is low, one middle, one high.",
    "ExtraCells": "Cells outside the grid, with the same possible values as its cells.",
    "FrameSum": "The first three cells, seen from the clue, add up to it.",
    "FullRank": "The reading of the line, beginning at the clue, has this rank among all readings of rows and columns.",
    "GlobalEntropy": "Every 2 x 2 square holds a low, a middle and a high value.",
    "Half": "The cell holds a value of the low half, or of the high half.",
    "HiddenSkyscraper": "The clue is the first value that is not greater than all before it.",
    "KillerCage": "All cells of a cage differ; they add up to its number, if there is one.",
    "Knightmare": "Cells a knight's move apart never add up to 5 or 15, or to one of the listed sums.",
    "Leaper": "Cells an (a, b) leap apart differ.",
    "Line": "The values along the cells form a word that the automaton accepts.",
    "MachineLine": "The values along the cells form a word that the nondeterministic automaton accepts.",
    "LittleKiller": "The values along the arrow add up to the clue; they may repeat.",
    "Lockout": "No inner value lies between the ends or is equal to one; the ends differ by at least the number.",
    "LookAndSay": "The label lists count, value, count, value, ...: each value is in the cells that often.",
    "Lunchbox": "The cells differ; the values between the smallest and the largest of them add up to the number.",
    "Modular": "Consecutive cells have different remainders, modulo 3 unless stated otherwise.",
    "NonConsecutive": "Neighbours never differ by 1 (if dots are spared, pairs with a dot may).",
    "NumberedRoom": "The clue is the value of the k-th cell, where k is the value of the first cell.",
    "NumberPath": "1, 2, 3, ... form a path from neighbour to neighbour.",
    "Pair": "Consecutive cells hold one of the allowed pairs.",
    "Parity": "A circle holds an odd value, a square an even one.",
    "PillArrow": "The pill, read as one number, is the sum of the shaft.",
    "Progression": "The values rise or fall by the same step all along.",
    "Quadruple": "The four cells around hold the listed values.",
    "Ratio": "Of two cells with a black dot one is twice the other, or is the other times the number in the dot.",
    "Relation": "The values of the cells form one of the allowed combinations.",
    "RellikCage": "All cells differ, and no choice of them adds up to the number.",
    "Rossini": "The first three cells strictly rise in the direction of the arrow.",
    "Sandwich": "The values of a row or column between its smallest and its largest add up to the clue.",
    "Singles": "No number is repeated in a row or column except in shaded cells, which do not touch; the rest "
    "is connected.",
    "Skyscraper": "The clue is the number of values that are greater than all before them.",
    "Condition": "The comparison in its text holds.",
    "SumLine": "The line can be cut into consecutive segments that each add up to the number.",
    "SumOneOf": "All cells differ and add up to one of the numbers.",
    "Taxicab": "Equal values are never at this distance, counted in horizontal and vertical steps.",
    "Unused": "Black cells, which are not part of the puzzle.",
    "Vudoku": "The cell at the dot is the sum or the difference of the other two.",
    "WeightedSum": "The cells add up to the number; values may repeat.",
    "Whisper": "Neighbours on the line differ by at least the number, or by half the values, rounded up.",
    "Windoku": "The shaded extra boxes hold no value twice.",
    "XSum": "The first X cells add up to the clue, where X is the first of them.",
    "XV": "X: the two cells add up to 10; V: to 5; otherwise to the number.",
}
"""Sentences for people looking at the board, for kinds whose docstrings mention fields."""
MOST = 40
"""The largest number of rules of one kind that are listed individually."""


def title_of(rule: Rule) -> str:
    """Return the name of a kind of rule: its own name, or its class name in words."""
    name = getattr(rule, "name", "") if is_named(rule) else ""
    kind = type(rule).__name__
    return name or TITLES.get(kind) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).capitalize()


def is_named(rule: Rule) -> bool:
    """Return whether a rule's name is used as its title."""
    return isinstance(rule, r.Pair | r.Relation | r.Line | r.MachineLine)


def sentence_of(rule: Rule) -> str:
    """Return the sentence of a kind of rule: the first paragraph of its docstring."""
    if type(rule).__name__ in SAID and type(rule).__module__.startswith(__package__.partition(".")[0] + ".puzzle."):
        return SAID[type(rule).__name__]
    text = type(rule).__dict__.get("__doc__") or ""
    if text.startswith(f"{type(rule).__name__}("):
        return ""
    first = re.split(r"\n\s*\n", text.strip())[0]
    return re.sub(r"\s+", " ", first.replace("``", ""))


def place_of(rule: Rule) -> str:
    """Return a rule's place and its numbers; "" for a rule about the whole grid."""
    if rule.parts:
        found = "; ".join(map(rule_text, rule.parts))
    else:
        found = ", ".join(filter(None, (_field(rule, field.name, field.default) for field in fields(rule))))
    return found if len(found) <= LONGEST else found[: LONGEST - 4] + " ..."


def rule_text(rule: Rule) -> str:
    """Return the title of a single rule, with its place in brackets."""
    where = place_of(rule)
    return f"{title_of(rule)} ({where})" if where else title_of(rule)


def _field(rule: Rule, name: str, default: Any) -> str:
    value = getattr(rule, name)
    if (name == "name" and is_named(rule)) or (value == default and (type(value) is not int)):
        return ""
    if name == "wrap":
        return "across the edges"
    if name in ("cells", "cell") or isinstance(rule, r.Condition):
        return _listed(value)
    if name in ("tuples", "allowed"):
        return f"{len(value)} {'pairs' if name == 'allowed' else 'combinations'}"
    if name == "automaton":
        return f"an automaton of {len({a for a, _, _ in value.arrows} | {value.start})} states"
    if name == "machine":
        return f"an automaton of {value.states} states"
    if name == "segments" and len(value) == 1:
        return _listed(value[0])
    return f"{name} {_listed(value)}"


def _listed(value: object) -> str:
    if isinstance(value, tuple):
        inner = (" - ".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in value)
        return (" | " if any(isinstance(part, tuple) for part in value) else " ").join(inner)
    return str(value)


def by_kind(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """Group rules by title, in order of first occurrence."""
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(title_of(rule), []).append(rule)
    return found


def rules_text(rules: Iterable[Rule]) -> list[str]:
    """Return the rules as lines of text: each kind with its sentence, followed by the places."""
    lines = []
    for title, kind in by_kind(rules).items():
        sentence = sentence_of(kind[0])
        lines.append(f"{title}: {sentence}" if sentence else title)
        places = [where for rule in kind if (where := place_of(rule))]
        lines += [f"  {where}" for where in places[:MOST]]
        lines += [f"  ... and {len(places) - MOST} more"] if len(places) > MOST else []
    return lines


def puzzle_text(puzzle: Puzzle) -> str:
    """Draw the givens of a puzzle as text, followed by every rule and every cell with candidates."""
    parts = [str(puzzle.grid)]
    parts += rules_text(puzzle.rules)
    if puzzle.candidates:
        parts.append("Candidates")
        parts += [f"  {puzzle.shape.names[cell]}: {' '.join(map(str, values))}" for cell, values in puzzle.candidates]
    return "\n".join(parts)
