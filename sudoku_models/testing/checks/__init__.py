"""The checks of the suite: plain functions of a Subject that raise AssertionError (or an error of the library).

A check raises NotApplicable if it concerns something that the backend does not declare.
"""

from __future__ import annotations

from types import ModuleType

from ..subject import Check, Subject, check, require
from . import answers, declared, objectives, runs, sessions

LEAST = 200


@check()
def enough_cases(subject: Subject) -> None:
    """At least two hundred cases were actually compared: a suite in which nothing runs must not pass."""
    require(subject.ran >= LEAST, f"{subject.selection}: only {subject.ran} cases were compared (at least {LEAST})")


def _checks(module: ModuleType) -> list[Check]:
    return [found for found in vars(module).values() if isinstance(found, Check)]


CHECKS: tuple[Check, ...] = (
    *_checks(answers),
    *answers.KINDS_ALONE,
    *(found for module in (runs, declared, objectives, sessions) for found in _checks(module)),
    enough_cases,
)
"""All checks, in the order in which they run; the last one checks how many cases the others compared."""

__all__ = ["CHECKS", "Check"]
