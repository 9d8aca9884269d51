"""Known faults of engines that make them lose solutions, which no check of solutions can detect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..model import Model


@dataclass(frozen=True)
class Quirk:
    """A fault of an engine: ``what`` happens, the ``versions`` in which it was seen, and the workaround (``around``).

    ``touches`` returns whether a model, in the engine's terms, is of the kind for which the fault was seen. What the
    engine then reports as nonexistent (no solution, no other one, no better one) is confirmed by another engine, or by
    this one with the options ``instead``, with which it does not have the fault: see ``confirm``.
    """

    name: str
    what: str
    versions: str
    around: str
    touches: Callable[[Model], bool]
    instead: str = ""
