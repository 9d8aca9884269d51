"""Why a check does not apply to a backend, and known gaps; each with a kind and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The reasons why a check does not apply to a backend, or fails."""

    FEATURE = "feature"  # the backend does not declare what the check is about
    CONSTRAINT = "constraint"  # it takes no such constraint, nor does a rewrite lead to one that it takes
    FAMILY = "family"  # it takes one family of models only
    PLATFORM = "platform"  # this system does not tell what the check measures
    DEFECT = "defect"  # the backend, or its engine, does it wrongly


class NotApplicable(Exception):
    """A check does not apply, by what the backend declares."""

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(f"not applicable ({kind}): {reason}")
        self.kind, self.reason = kind, reason


@dataclass(frozen=True)
class Gap:
    """A check that a backend is known to fail. Strict: when it passes, the suite is red until the gap is removed."""

    check: str
    kind: Kind
    reason: str
