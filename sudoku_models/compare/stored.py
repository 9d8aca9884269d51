"""Instances and rows as text in a journal, and back. Text that is read is never executed."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import lru_cache
from typing import Any

from ..errors import Unusable
from ..model import Automaton
from ..puzzle import Puzzle, Shape
from ..puzzle import rules as r
from ..puzzle.rules.rule_base import Rule
from .plan import Instance

INSTANCE = "sudoku-models/instance/1"
"""Name and version of a written instance."""


def instance_text(instance: Instance) -> str:
    """Return an instance as JSON: numbers and texts only."""
    puzzle = instance.puzzle
    stored = {
        "schema": INSTANCE,
        "number": instance.number,
        "source": instance.source,
        "line": instance.line,
        "title": puzzle.title,
        "comment": puzzle.comment,
        "shape": _shape_text(puzzle.shape),
        "givens": puzzle.givens,
        "candidates": puzzle.candidates,
        "stated": puzzle.stated,
        "rules": [rule_data(rule) for rule in puzzle.rules],
    }
    return json.dumps(stored)


def instance_of(text: str) -> Instance:
    """Read what ``instance_text`` wrote."""
    stored: dict[str, Any] = json.loads(text)
    puzzle = Puzzle(
        _shape(stored["shape"]),
        tuple(stored["givens"]),
        tuple((cell, tuple(values)) for cell, values in stored["candidates"]),
        stored["title"],
        stored["comment"],
        None if stored["stated"] is None else tuple(stored["stated"]),
        tuple(map(rule_of, stored["rules"])),
    )
    return Instance(stored["number"], puzzle, stored["source"], stored["line"])


@lru_cache(maxsize=64)
def _shape_text(shape: Shape) -> str:
    return json.dumps([shape.height, shape.width, shape.values, shape.regions, shape.box, shape.lines])


@lru_cache(maxsize=64)
def _shape(text: str) -> Shape:
    """Return the shape; equal texts give the same object, so that its model is shared."""
    height, width, values, regions, box, lines = json.loads(text)
    parts = tuple(map(tuple, regions))
    return Shape(height, width, tuple(values), parts, None if box is None else (box[0], box[1]), lines)


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain data; Unusable if it could not be read back."""
    data = _data(rule)
    try:
        same = rule_of(json.loads(json.dumps(data))) == rule
    except (TypeError, ValueError, Unusable):
        same = False
    if not same:
        raise Unusable(f"the rule {rule} cannot be written to a journal: its fields are not plain data")
    return dict(data)


def _data(value: Any) -> Any:
    if isinstance(value, Rule):
        return {"rule": type(value).__name__, **{f.name: _data(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, Automaton):
        return {"automaton": [value.states, value.start, _data(value.accepting), _data(value.arrows)]}
    if isinstance(value, r.Machine):
        return {"machine": [value.states, _data(value.starts), _data(value.accepting), _data(value.arrows)]}
    return [_data(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def rule_of(data: Any) -> Any:
    """Read what ``rule_data`` returned: a rule is made from its class's name, and checks its fields itself."""
    if isinstance(data, dict) and "rule" not in data:
        return r.Machine(*data["machine"]) if "machine" in data else Automaton(*data["automaton"])
    if isinstance(data, dict):
        kind = r.known_rules().get(data["rule"])
        if kind is None:
            raise Unusable(f"the journal has a rule {data['rule']!r}, which this installation does not have")
        return kind(**{name: rule_of(entry) for name, entry in data.items() if name != "rule"})
    return tuple(map(rule_of, data)) if isinstance(data, list) else data
