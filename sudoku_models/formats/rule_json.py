"""Rules as JSON: ``{"rule": name, field: value, ...}``; lists for tuples, objects for rules and automata inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from ..errors import FormatError, meant
from ..model import Automaton
from ..puzzle.rules import Condition, FullRank, Line, Machine, MachineLine, Regex, known_rules
from ..puzzle.rules.regex import regex_automaton
from ..puzzle.rules.rule_base import Rule
from ..puzzle.rules.steps import Steps
from ..puzzle.shape import Shape
from .json_text import short

MOST_RULES = 20_000
DEEPEST = 40
"""The deepest nesting of rules and lists."""
_MOST_PLAIN, _MOST_RANKED = 200, 200_000
_ARROW = 5
"""The cost, in steps, of reading one transition."""
_PARTS: dict[type[Automaton | Machine], tuple[str, ...]] = {
    Automaton: ("states", "start", "accepting", "arrows"),
    Machine: ("states", "starts", "accepting", "arrows"),
}


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return a rule as JSON data; fields with their default are left out."""
    found: dict[str, Any] = {"rule": type(rule).__name__}
    for one in fields(rule):
        value = getattr(rule, one.name)
        if one.default is MISSING or value != one.default:
            found[one.name] = _plain(value)
    return found


def _plain(value: object) -> Any:
    if isinstance(value, Rule):
        return rule_data(value)
    if isinstance(value, Automaton | Machine):
        return {name: _plain(getattr(value, name)) for name in _PARTS[type(value)]}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | bool):
        return value
    raise FormatError(f"{value!r:.60} in a rule cannot be written as JSON")


@dataclass
class _Bounds:
    """Limits expensive checks: the number of rules, and of kinds that examine the whole board or build automata."""

    shape: Shape
    counts: Counter[str] = field(default_factory=Counter)
    steps: Steps = field(default_factory=Steps)

    def count(self, rule: Rule) -> None:
        """Count a rule; raise FormatError if there are too many."""
        counts, ranked = self.counts, isinstance(rule, FullRank)
        counts["rules"] += 1
        counts["rules about the whole board"] += not rule.scope
        counts["rules about ranks, multiplied by cells"] += self.shape.cells * ranked
        for (name, count), most in zip(counts.items(), (MOST_RULES, _MOST_PLAIN, _MOST_RANKED), strict=True):
            if count > most:
                raise FormatError(f"more than {most} {name}")
        try:
            self.pay(rule)
        except ValueError as error:
            raise FormatError(f"{type(rule).__name__}: {error}") from None

    def pay(self, rule: Rule) -> None:
        """Build a pattern or an automaton; raise ValueError if the budget is used up."""
        if isinstance(rule, Regex):
            regex_automaton(rule.pattern, self.shape.values, len(rule.cells), self.steps)
        elif isinstance(rule, Line):
            self.steps.spend(_ARROW * len(rule.automaton.arrows))
            rule.whole(self.shape.values, self.steps)
        elif isinstance(rule, MachineLine):
            self.steps.spend(_ARROW * len(rule.machine.arrows))
            self.steps.spend(_ARROW * rule.ways(self.shape.values))
        elif isinstance(rule, Condition):
            self.steps.spend(rule.read.steps)


def rules_of(value: object, shape: Shape) -> tuple[Rule, ...]:
    """Make the rules of a board from a list of JSON data; a FormatError names the wrong rule."""
    if not isinstance(value, list):
        raise FormatError(f"rules: a list is expected, not {short(value)}")
    bounds = _Bounds(shape)
    found = []
    for number, item in enumerate(value, start=1):
        try:
            found.append(_rule(item, bounds, 0))
        except FormatError as error:
            raise FormatError(f"rule {number}: {error.message}") from None
        except (ValueError, TypeError) as error:
            raise FormatError(f"rule {number}: {error}") from None
    return tuple(found)


def _rule(data: object, bounds: _Bounds, depth: int) -> Rule:
    if not isinstance(data, dict) or not isinstance(data.get("rule"), str):
        raise FormatError(f'an object such as {{"rule": "Thermo", ...}} is expected, not {short(data)}')
    kind = _kind(data["rule"])
    known = {one.name: one for one in fields(kind)}
    strange = next((key for key in data if key != "rule" and key not in known), None)
    if strange is not None:
        raise FormatError(f"{kind.__name__} has no field {strange[:40]!r}{meant(strange, known)}")
    missing = next((name for name, one in known.items() if one.default is MISSING and name not in data), None)
    if missing is not None:
        raise FormatError(f"{kind.__name__}: the field {missing} is missing")
    values = {key: _value(data[key], bounds, depth + 1) for key in data if key != "rule"}
    made = kind(**values)
    bounds.count(made)
    return made


def _kind(name: str) -> type[Rule]:
    kind = known_rules().get(name)
    if kind is None or not is_known(kind):
        near = meant(name, (known for known, found in known_rules().items() if is_known(found)))
        raise FormatError(f"the rule {name[:40]!r} is not known{near}")
    return kind


def is_known(kind: type[Rule]) -> bool:
    """Return whether documents may name a class of rules: concrete classes, not bases."""
    return not kind.__name__.startswith("_") and kind.constraints is not Rule.constraints


def _value(value: object, bounds: _Bounds, depth: int) -> Any:
    if depth > DEEPEST:
        raise FormatError(f"the rules are nested deeper than {DEEPEST}")
    if isinstance(value, list):
        return tuple(_value(item, bounds, depth + 1) for item in value)
    if isinstance(value, Mapping):
        return _automaton(value) if "states" in value else _rule(value, bounds, depth + 1)
    return value


def _automaton(data: Mapping[str, Any]) -> Automaton | Machine:
    kind = Machine if "starts" in data else Automaton
    if set(data) != set(_PARTS[kind]):
        raise FormatError(f"an automaton has {', '.join(_PARTS[kind])}")
    for key in {"starts", "accepting", "arrows"} & set(data):
        if not isinstance(data[key], list):
            raise FormatError(f"an automaton: {key}: a list is expected")
    if not all(isinstance(arrow, list) and len(arrow) == 3 for arrow in data["arrows"]):
        raise FormatError("an automaton: arrows [state, value, next state] are expected")
    return kind(**data)
