"""Rules in words: a sentence for each kind, and the place of each rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rule_base import Rule

LONGEST = 160
"""The largest number of characters for one rule's place."""
MOST = 40
"""The largest number of rules of one kind that are listed individually."""


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
    if (name == "name" and rule.named) or (value == default and (type(value) is not int)):
        return ""
    if name == "wrap":
        return "across the edges"
    if name in ("cells", "cell", "text"):
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
