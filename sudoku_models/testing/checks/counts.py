"""(a) Numbers of solutions that are known independently."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.contract import Feature
from ..examples import Known, known
from ..subject import Subject, require
from .conformance_check import checks


def known_counts(subject: Subject) -> None:
    """All solutions are found: the known number, each once, and the search ends complete.

    With a share below 1 the models with the most solutions are left out: those above that share of the largest number.
    """
    subject.needs(Feature.ENUMERATE, Feature.PROVE)
    most = subject.share * max(count for _, _, count in known())
    for name, model, count in _taken(subject):
        if count > most:
            continue
        solutions, outcome = subject.all(model)
        require(len(solutions) == count, f"{name}: {count} solutions exist, {len(solutions)} came")
        require(len(set(solutions)) == count, f"{name}: a solution came twice")
        require(outcome.complete and outcome.count == count, f"{name}: the outcome is {outcome}")
        subject.ran += 1


def known_satisfiability(subject: Subject) -> None:
    """A first solution is found if there is one, and its absence is proved if the backend can prove."""
    for name, model, count in subject.part(list(_taken(subject))):
        first, outcome = subject.first(model)
        if first is None:
            require(count == 0 or not subject.has(Feature.PROVE), f"{name}: {count} solutions exist, none came")
            require(outcome.complete == subject.has(Feature.PROVE), f"{name}: the outcome is {outcome}")
        else:
            require(count > 0, f"{name}: no solution exists, {first} came")
        subject.ran += 1


def _taken(subject: Subject) -> Iterator[Known]:
    """Yield the known models that the backend accepts."""
    cases = list(known())
    cases_of = {id(model): (name, model, count) for name, model, count in cases}
    return (cases_of[id(model)] for model in subject.taken(model for _, model, _ in cases))


CHECKS = checks(known_counts, known_satisfiability)
