"""(f) The same seed gives the same answer."""

from __future__ import annotations

from itertools import islice

from ...engine.contract import Feature, Solution
from ...model import Model
from ..subject import Subject, require
from .conformance_check import checks
from .limits import classic, small

SEEDS = (0, 1, 2, 3, 12345, 2**40)


def same_seed_same_answer(subject: Subject) -> None:
    """Called twice with the same seed, a backend gives the same answers in the same order."""
    model, _ = small(subject)
    for seed in SEEDS if subject.has(Feature.SEED) else (0,):
        answers = {_answers(subject, _again(model), seed) for _ in range(3)}
        require(len(answers) == 1, f"seed {seed}: {len(answers)} different answers")
        subject.ran += 1


def another_seed_another_search(subject: Subject) -> None:
    """Some of several seeds give different solutions; a backend that may miss them is asked a small question."""
    subject.needs(Feature.SEED)
    model = subject.takes(classic()) if subject.has(Feature.PROVE) else small(subject)[0]
    answers = {subject.first(model, seed=seed)[0] for seed in range(1, 9)} - {None}
    require(len(answers) > 1, f"eight seeds lead to {len(answers)} solutions of a model that has many")


def _again(model: Model) -> Model:
    """Return an equal model on which nothing is compiled yet."""
    return Model(model.variables, model.constraints)


def _answers(subject: Subject, model: Model, seed: int) -> tuple[Solution, ...]:
    limit = 5 if subject.has(Feature.ENUMERATE) else 1
    with subject.run(model, seed=seed, limit=limit) as found:
        return tuple(islice(found, limit))


CHECKS = checks(same_seed_same_answer, another_seed_another_search)
