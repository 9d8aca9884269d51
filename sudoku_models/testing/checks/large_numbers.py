"""(b) Large numbers, as offsets and as spreads: solved exactly, or refused with the reason; never silently wrong."""

from __future__ import annotations

from random import Random

from ...engine.contract import Feature
from ...errors import Unsupported
from ...model import Domain, Model, Objective, Variable, brute_force
from ..gap import Kind, NotApplicable
from ..generators import GENERATORS
from ..subject import Subject, require
from .conformance_check import checks

BITS = (31, 53, 62, 63)
"""Numbers around these powers of two: the limits of 32 bits, floating point, and 64 bits with and without a spare bit.
"""

CASES = 2
"""Models of each kind and size."""


def large_numbers(subject: Subject) -> None:
    """Models of each kind with values around powers of two, all far from 0 or far from each other."""
    before, refused = subject.ran, ""
    for bits in BITS:
        for kind in sorted(GENERATORS, key=lambda kind: kind.__name__):
            for number in range(subject.some(CASES)):
                rng = Random(f"{bits} {kind.__name__} {number}")
                xs = _variables(rng, bits)
                refused = _refused(subject, Model(xs, [GENERATORS[kind](rng, xs) for _ in range(2)])) or refused
    if subject.ran == before:
        raise NotApplicable(Kind.CONSTRAINT, refused)


def large_objectives(subject: Subject) -> None:
    """The best of a few large values is found and proved exactly, or the objective is refused."""
    subject.needs(Feature.OBJECTIVE)
    for bits in BITS:
        for sense in ("minimize", "maximize"):
            rng = Random(f"{bits} {sense}")
            xs = _variables(rng, bits)
            _best(subject, Model(xs, [], Objective(sense, (3, -1, 2), xs, 2**bits)))


def _variables(rng: Random, bits: int) -> list[Variable]:
    """Return two variables with large values and one with small ones, which may be an index or a count."""
    k = 2**bits + rng.choice((-2, -1, 0, 1))
    far: Domain = rng.choice([(k, k + 1, k + 3), (0, 1, k), (-k, 0, k), (-k - 1, -k)])
    return [Variable("x0", far), Variable("x1", far), Variable("x2", (0, 1, 2))]


def _refused(subject: Subject, model: Model) -> str:
    """Compare a model with brute force, or return why it is refused."""
    try:
        subject.agrees(model)
    except Unsupported as error:
        require(str(error), f"{subject.selection} refuses without a reason\n{model}")
        return str(error)
    return ""


def _best(subject: Subject, model: Model) -> None:
    assert model.objective
    values = [model.objective.value(dict(zip(model.names, row, strict=True))) for row in brute_force(model)]
    best = (min if model.objective.minimizes else max)(values)
    try:
        found, outcome = subject.all(model)
    except Unsupported as error:
        require(str(error), f"{subject.selection} refuses without a reason\n{model}")
        return
    last = model.objective.value(dict(zip(model.names, found[-1], strict=True))) if found else None
    require(last == best and outcome.complete, f"the best value is {best}, not {last}\n{model}")
    require(outcome.bound == best, f"the bound is {outcome.bound}, the best value {best}\n{model}")


CHECKS = checks(large_numbers, large_objectives)
