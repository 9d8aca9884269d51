"""Describe a certificate's problem in words, for comparison with the puzzle that you asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..model import Model
from ..puzzle import Puzzle, Shape
from .certificate import amount

FEW = 20
"""If there are more values than this and they have gaps, only some are listed."""


def in_words(puzzle: Puzzle) -> str:
    """Return everything that a puzzle states beyond its givens: cells, values, houses, candidates, rules by name."""
    shape, cells = puzzle.shape, len(puzzle.candidates)
    parts = [f"{shape.height} x {shape.width} cells", f"values {_values(shape.values)}", _regions(shape)]
    if not shape.lines:
        parts.append("rows and columns may repeat a value")
    if cells:
        parts.append(f"{amount(cells, 'cell')} with candidates of {'its' if cells == 1 else 'their'} own")
    return ", ".join([*parts, _rules(puzzle)])


def model_in_words(model: Model) -> str:
    """Return the size of a model, and whether it has an objective."""
    sizes = f"{amount(len(model.names), 'variable')}, {amount(len(model.constraints), 'constraint')}"
    return sizes if model.objective is None else f"{sizes}, an objective to {model.objective.sense}"


def _values(values: Sequence[int]) -> str:
    if len(values) > 1 and list(values) == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return " ".join(map(str, values[:FEW])) + (" ..." if len(values) > FEW else "")


def _regions(shape: Shape) -> str:
    if not shape.regions:
        return "no boxes"
    if shape.box and set(shape.regions) == set(_boxes(shape, *shape.box)):
        return f"boxes of {shape.box[0]} x {shape.box[1]}"
    return f"{amount(len(shape.regions), 'region')} of its own"


def _boxes(shape: Shape, height: int, width: int) -> list[tuple[int, ...]]:
    corners = [r * shape.width + c for r in range(0, shape.height, height) for c in range(0, shape.width, width)]
    inside = [r * shape.width + c for r in range(height) for c in range(width)]
    return [tuple(corner + k for k in inside) for corner in corners]


def _rules(puzzle: Puzzle) -> str:
    named = Counter(type(rule).__name__ for rule in puzzle.rules)
    listed = [f"{number} {name}" if number > 1 else name for name, number in named.items()]
    return f"{amount(len(puzzle.rules), 'rule')} ({', '.join(listed)})" if listed else "no rules"
