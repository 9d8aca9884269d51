"""(b) Every kind of constraint alone, on small random domains."""

from __future__ import annotations

from random import Random

from ...model import Constraint
from ..generators import GENERATORS, random_domains, random_model
from ..subject import Subject
from .conformance_check import Check

CASES = 25


def kind_alone(kind: type[Constraint]) -> Check:
    """Return the check of one kind: one or two such constraints, answers equal to brute force over ``holds``."""

    def check(subject: Subject) -> None:
        rng = Random(f"{kind.__name__} alone")
        models = [random_model(rng, [kind], rng.randint(1, 5), rng.randint(1, 2)) for _ in range(subject.some(CASES))]
        for model in subject.taken(models):
            subject.agrees(model, random_domains(rng, model))

    return Check(f"{kind.__name__}_alone", check)


CHECKS = tuple(kind_alone(kind) for kind in GENERATORS)
