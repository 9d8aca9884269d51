"""Known faults of engines that no check of solutions can catch: they lose some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..model import Model


@dataclass(frozen=True)
class Quirk:
    """A fault of an engine: ``what`` it does, in which ``versions`` it was seen, and the way ``around`` it.

    ``touches`` tells of a model, in the terms that the engine is given, whether it is of the sort where the fault was
    seen. What the engine then says does not exist (no solution, no other one, no better one) is confirmed by another
    engine: see ``confirm``.
    """

    name: str
    what: str
    versions: str
    around: str
    touches: Callable[[Model], bool]
