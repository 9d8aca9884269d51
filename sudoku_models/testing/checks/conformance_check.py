"""The class of a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..subject import Subject


@dataclass(frozen=True)
class Check:
    """A named check; calling it runs it on a subject."""

    name: str
    function: Callable[[Subject], None]

    def __call__(self, subject: Subject) -> None:
        """Run the check, and record that the subject passed it; an exception says what is wrong."""
        self.function(subject)
        subject.passed.add(self.name)


def checks(*functions: Callable[[Subject], None]) -> tuple[Check, ...]:
    """Return functions as checks, named after them."""
    return tuple(Check(function.__name__, function) for function in functions)
