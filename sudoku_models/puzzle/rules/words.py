"""Rules in words: a sentence for each kind, and the place of each rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import Field, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rule_base import Rule

LONGEST = 160
"""The largest number of characters for one rule's place."""
MOST = 40
"""The largest number of rules of one kind that are listed individually."""
LONGEST_CLUE = 24
"""The largest number of characters of a clue after a title: longer ones are told with the place."""
MANY = 6
"""So many cells in a straight line, or more, are told by the first and the last."""
MEANING = ("allowed", "tuples", "automaton", "machine")
"""Fields that hold what a rule with a name of its own means."""


def own(rule: Rule, name: str) -> Any:
    """Return what a kind of rule itself says about it (see ``Rule``); None if it says nothing.

    Nothing is inherited, since a kind that is derived from another one has another meaning. A field may have the name.
    """
    kind = type(rule)
    return None if any(field.name == name for field in fields(kind)) else vars(kind).get(name)


def title_of(rule: Rule) -> str:
    """Return the name of a kind of rule: its own name, or its class name in words."""
    name = getattr(rule, "name", "") if rule.named else ""
    kind = type(rule).__name__
    return name or own(rule, "title") or re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", kind).strip().capitalize()


def sentence_of(rule: Rule) -> str:
    """Return the sentence of a kind of rule: the first paragraph of its docstring, unless it has one for people."""
    if sentence := own(rule, "sentence"):
        return str(sentence)
    text = type(rule).__dict__.get("__doc__") or ""
    if text.startswith(f"{type(rule).__name__}("):
        return ""
    first = re.split(r"\n\s*\n", text.strip())[0]
    return re.sub(r"\s+", " ", first.replace("``", ""))


def place_of(rule: Rule) -> str:
    """Return a rule's place and its numbers; "" for a rule about the whole grid."""
    return _place(rule, [field for field in fields(rule) if not (rule.named and field.name == "name")])


def rule_text(rule: Rule) -> str:
    """Return the name of a single rule: its title, its clue, and its place in brackets.

    A clue may give it another name (White dot). The name that its author gave says what the rule means: its pairs or
    its automaton are left out.
    """
    title, clues, left = title_of(rule), [], []
    for field in fields(rule):
        value, name = getattr(rule, field.name), field.metadata.get("name")
        is_clue = field.metadata.get("clue") and value is not None and not own(rule, "told")
        if name and value is not None:
            title = name(value)
        elif is_clue and len(value_text(value)) <= LONGEST_CLUE:
            clues.append(value_text(value))
        elif not (rule.named and (field.name == "name" or (vars(rule).get("name") and field.name in MEANING))):
            left.append(field)
    where = _place(rule, left)
    return " ".join([title, *clues, *([f"({where})"] if where else [])])


def _place(rule: Rule, told: Iterable[Field[Any]]) -> str:
    if rule.parts:
        found = "; ".join(map(rule_text, rule.parts))
    elif form := own(rule, "told"):
        found = form.format(**{field.name: value_text(getattr(rule, field.name)) for field in told})
    else:
        found = ", ".join(filter(None, (_told(field, getattr(rule, field.name)) for field in told)))
    return found if len(found) <= LONGEST else found[: LONGEST - 4] + " ..."


def _told(field: Field[Any], value: Any) -> str:
    """Return what a field tells; "" for one that says nothing beyond the usual."""
    name, words = field.name.replace("_", " "), field.metadata.get("words", ("", ""))
    if type(value) is bool and words[value]:
        return str(words[value])
    if value == field.default and type(value) is not int:
        return ""
    if type(value) is bool:
        return {"wrap": "across the edges", "every": "any two"}.get(name, name) if value else f"not {name}"
    if name in ("cells", "cell", "text", "segments", "sets"):
        return value_text(value)
    if name in ("tuples", "allowed"):
        kind = "pair" if name == "allowed" else "combination"
        few = " or ".join("-".join(map(str, row)) for row in value)
        return few if value and len(few) <= LONGEST_CLUE else f"{len(value)} {kind}{'s' if len(value) != 1 else ''}"
    if name == "automaton":
        return f"an automaton of {len({a for a, _, _ in value.arrows} | {value.start})} states"
    if name == "machine":
        return f"an automaton of {value.states} states"
    return f"{name} {value_text(value)}"


def value_text(value: object) -> str:
    """Return a value, several values or names of cells, or several lists of them, as text.

    Of six cells or more in a straight line, the first and the last are named.
    """
    if not isinstance(value, tuple):
        return str(value)
    if any(isinstance(part, tuple) for part in value):
        return " | ".join(map(value_text, value))
    return f"{value[0]} to {value[-1]}" if len(value) >= MANY and _is_straight(value) else " ".join(map(str, value))


def _is_straight(names: tuple[object, ...]) -> bool:
    """Return whether cells follow each other along a row, a column or a diagonal."""
    places = [re.fullmatch(r"R(\d+)C(\d+)", str(name)) for name in names]
    at = [(int(place[1]), int(place[2])) for place in places if place]
    steps = {(c - a, d - b) for (a, b), (c, d) in pairwise(at)}
    return len(at) == len(names) and len(steps) == 1 and steps <= {(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)}


def by_kind(rules: Iterable[Rule]) -> dict[tuple[str, type[Rule]], list[Rule]]:
    """Group rules by title and class, in order of first occurrence: two rules of a user may have the same title."""
    found: dict[tuple[str, type[Rule]], list[Rule]] = {}
    for rule in rules:
        found.setdefault((title_of(rule), type(rule)), []).append(rule)
    return found


def rules_text(rules: Iterable[Rule]) -> list[str]:
    """Return the rules as lines of text: each kind with its sentence, followed by the places."""
    lines = []
    for (title, _), kind in by_kind(rules).items():
        sentence = sentence_of(kind[0])
        lines.append(f"{title}: {sentence}" if sentence else title)
        places = [where for rule in kind if (where := place_of(rule))]
        lines += [f"  {where}" for where in places[:MOST]]
        lines += [f"  ... and {len(places) - MOST} more"] if len(places) > MOST else []
    return lines
