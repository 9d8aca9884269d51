"""(i) A suite in which nothing runs must not pass."""

from __future__ import annotations

from ..subject import Subject, require
from .conformance_check import checks

LEAST = 200


def enough_cases(subject: Subject) -> None:
    """At least two hundred cases were actually compared."""
    require(subject.ran >= LEAST, f"{subject.selection}: only {subject.ran} cases were compared (at least {LEAST})")


CHECKS = checks(enough_cases)
