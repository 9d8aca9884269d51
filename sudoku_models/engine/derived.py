"""Facts that an engine derives from several constraints together when it compiles a model, for the printed plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Derived(NamedTuple):
    """A derived fact: its name, the number of times it was found in the model, and its meaning in plain words."""

    name: str
    times: int
    meaning: str

    def line(self, backend: str) -> str:
        """Return the fact as a line of a plan."""
        return f"{backend} derives {self.times} x {self.name}: {self.meaning}"


@runtime_checkable
class CompiledWithDerived(Protocol):
    """A compiled form that reports what was derived. Its backend declares ``derives`` in its capabilities."""

    def derived(self) -> Sequence[Derived]:
        """Return the derived facts in the order in which they were found."""
