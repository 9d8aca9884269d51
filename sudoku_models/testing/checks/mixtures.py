"""(c) Random mixtures of all kinds, shrunk to a small counterexample by hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from ...model import Constraint
from ..gap import NotApplicable
from ..generators import GENERATORS
from ..strategies import questions
from ..subject import Subject
from .conformance_check import checks

EXAMPLES = 60

SETTINGS = settings(
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


def mixtures(subject: Subject) -> None:
    """Models of all kinds that can be lowered for the backend, narrowed and projected: answers equal to brute force."""
    _mixed(subject, list(GENERATORS))


def _mixed(subject: Subject, kinds: list[type[Constraint]]) -> None:
    taken: list[bool] = []
    refusals: list[NotApplicable] = []

    def ask(question: Any) -> None:
        """Ask one mixture of the subject; record whether it was accepted."""
        model, domains, keep = question
        refusal = subject.refusal(model)
        if refusal:
            refusals.append(refusal)
            return
        taken.append(True)
        subject.agrees(model, domains, keep)

    test: Callable[[], None] = settings(SETTINGS, max_examples=subject.some(EXAMPLES))(given(questions(kinds))(ask))
    test()
    if refusals and not taken:
        raise refusals[0]


CHECKS = checks(mixtures)
