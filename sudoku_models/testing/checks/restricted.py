"""(g) The backend inside a wrapper that takes fewer kinds, so that every lowering meets every engine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ...model import Constraint
from ..gap import Kind, NotApplicable
from ..generators import GENERATORS, random_domains, random_model
from ..restricted import Restricted
from ..subject import Subject
from .check import checks

CASES = 3
"""Models of each kind for each restriction."""


def restrictions(kinds: frozenset[type[Constraint]]) -> Iterator[frozenset[type[Constraint]]]:
    """Yield what a backend of these kinds is cut down to: each kind alone, and all but each one."""
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    if len(ordered) > 1:
        yield from (frozenset({kind}) for kind in ordered)
    if len(ordered) > 2:
        yield from (kinds - {kind} for kind in ordered)


def lowered_models(subject: Subject) -> None:
    """Every kind from which rewrites lead to what is left: answers equal to brute force on the stated model."""
    rng, tried, refusals = Random("restricted"), 0, []
    for kinds in restrictions(subject.selection.capabilities.kinds):
        inside = Subject.of(Restricted(subject.selection, kinds))
        for kind in GENERATORS:
            for _ in range(0 if kind in kinds else CASES):
                model = random_model(rng, [kind], rng.randint(2, 4), 1)
                refusal = inside.refusal(model)
                if refusal:
                    refusals.append(refusal)
                    continue
                inside.agrees(model, random_domains(rng, model))
                tried += 1
    subject.ran += tried
    if not tried:
        raise refusals[0] if refusals else NotApplicable(Kind.CONSTRAINT, "there is nothing to restrict")


CHECKS = checks(lowered_models)
