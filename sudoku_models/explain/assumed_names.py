"""Names of steps that assume a unique solution: the usual types of unique rectangles, and BUG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from .atoms import Atom
from .ladder import Ladder
from .uniqueness import ASSUMED

if TYPE_CHECKING:
    from .steps import Step


def assumed_name(ladder: Ladder, step: Step) -> str:
    """Return the usual name of a step that uses uniqueness; "" if it does not."""
    atoms = [ladder.atoms[a] for a in step.atoms]
    assumed = [atom for atom in atoms if atom.part == ASSUMED]
    others = [atom for atom in atoms if atom.part != ASSUMED]
    if not assumed:
        return ""
    if len(assumed) > 1:
        return "deadly patterns" if any(map(_is_grave, assumed)) else "unique rectangles"
    if _is_grave(assumed[0]):
        return "BUG with a chain" if others else "BUG+1"
    if step.trial is None:
        return "unique rectangle, type 1"
    kind = _kind(step, assumed[0].cells, others)
    return f"unique rectangle, type {kind}" if kind else "unique rectangle with a chain"


def _is_grave(atom: Atom) -> bool:
    return atom.label.endswith("open cells)")


def _kind(step: Step, corners: Sequence[int], others: Sequence[Atom]) -> int:
    """Return the number of the type, from what is left of the corners and where the candidate lies; 0 for none."""
    assert step.trial is not None
    cell, bit = step.trial
    for first, second in combinations(corners, 2):
        pair = step.before[first]
        roof = [c for c in corners if c not in (first, second)]
        alike = pair == step.before[second] and pair.bit_count() == 2
        if not alike or any(pair & ~step.before[c] for c in roof) or not all(atom.house for atom in others):
            continue
        apart = {first, second} in ({corners[0], corners[3]}, {corners[1], corners[2]})
        more = (step.before[roof[0]] | step.before[roof[1]]) & ~pair
        if cell in roof:
            return (6 if apart else 4 if len(others) == 1 else 0) if pair >> bit & 1 else 0
        if more == 1 << bit:
            return 5 if apart else 2
        return 3 if len(others) == 1 and set(roof) <= set(others[0].cells) and more & (more - 1) else 0
    return 0
