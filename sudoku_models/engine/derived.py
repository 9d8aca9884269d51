"""What an engine derives from several constraints together when it compiles a model, for the plan that is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Derived(NamedTuple):
    """Something derived: its name, how often it was found in the model, and what it means in plain words."""

    name: str
    times: int
    meaning: str

    def line(self, backend: str) -> str:
        """Return this as a line of a plan."""
        return f"{backend} derives {self.times} x {self.name}: {self.meaning}"


@runtime_checkable
class CompiledWithDerived(Protocol):
    """A compiled form that says what was derived. Its backend declares ``derives`` in its capabilities."""

    def derived(self) -> Sequence[Derived]:
        """Return what was derived, in the order in which it was."""
