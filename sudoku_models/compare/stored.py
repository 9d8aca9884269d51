"""Instances and rows as text in a journal, and back. Nothing that is read is ever executed."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from ..puzzle import Puzzle, Shape
from .plan import Instance


def instance_text(instance: Instance) -> str:
    """Return an instance as JSON: numbers and texts only."""
    puzzle = instance.puzzle
    told = {
        "number": instance.number,
        "source": instance.source,
        "line": instance.line,
        "title": puzzle.title,
        "comment": puzzle.comment,
        "shape": _shape_text(puzzle.shape),
        "givens": puzzle.givens,
        "candidates": puzzle.candidates,
        "stated": puzzle.stated,
    }
    return json.dumps(told)


def instance_of(text: str) -> Instance:
    """Read what ``instance_text`` wrote."""
    told: dict[str, Any] = json.loads(text)
    puzzle = Puzzle(
        _shape(told["shape"]),
        tuple(told["givens"]),
        tuple((cell, tuple(values)) for cell, values in told["candidates"]),
        told["title"],
        told["comment"],
        None if told["stated"] is None else tuple(told["stated"]),
    )
    return Instance(told["number"], puzzle, told["source"], told["line"])


@lru_cache(maxsize=64)
def _shape_text(shape: Shape) -> str:
    return json.dumps([shape.height, shape.width, shape.values, shape.regions, shape.box])


@lru_cache(maxsize=64)
def _shape(text: str) -> Shape:
    """Return the shape, one object for equal texts, so that its model is shared."""
    height, width, values, regions, box = json.loads(text)
    return Shape(height, width, tuple(values), tuple(map(tuple, regions)), None if box is None else (box[0], box[1]))
