"""The checks of the suite: plain functions of a Subject that raise AssertionError (or an error of the library).

A check raises NotApplicable if it concerns something that the backend does not declare.
"""

from __future__ import annotations

from ..check import Check, check
from ..subject import Subject, require
from . import answers, declared, objectives, runs, sessions

LEAST = 200


@check()
def enough_cases(subject: Subject) -> None:
    """At least two hundred cases were actually compared: a suite in which nothing runs must not pass."""
    require(subject.ran >= LEAST, f"{subject.selection}: only {subject.ran} cases were compared (at least {LEAST})")


_MODULES = (answers, runs, declared, objectives, sessions)

CHECKS: tuple[Check, ...] = (
    *answers.KINDS_ALONE,
    *(found for module in _MODULES for found in vars(module).values() if isinstance(found, Check)),
    enough_cases,
)
"""All checks, in the order in which they run; the last one checks how many cases the others compared."""

__all__ = ["CHECKS", "Check"]
