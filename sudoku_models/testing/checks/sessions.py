"""Sessions: after each added constraint the answers are those of the whole model, stated at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from random import Random

from ...engine.contract import Feature, Request
from ...engine.session import Session
from ...errors import Unsupported
from ...model import AllDifferent, Domain, InDomain, Linear, Model, Variable, brute_force
from ..boards import structure
from ..generators import GENERATORS, random_domains, random_model
from ..subject import Subject, require
from .check import checks

CASES = 15
"""Random sessions to compare with brute force."""


def sessions_refused(subject: Subject) -> None:
    """Where the feature is not declared a session is refused, with the reason."""
    if subject.has(Feature.INCREMENTAL):
        return
    try:
        Session(Model([Variable("x", (1, 2))]), subject.selection)
    except Unsupported as error:
        require("incremental" in str(error), f"the message does not name the feature: {error}")
    else:
        raise AssertionError(f"{subject.selection} begins a session, which it does not declare")


def sessions_grow(subject: Subject) -> None:
    """Constraints of every kind, added one by one, with other domains in every run: equal to brute force."""
    subject.needs(Feature.INCREMENTAL)
    rng, kinds = Random(77), list(GENERATORS)
    for _ in range(subject.some(CASES)):
        whole = random_model(rng, kinds, rng.randint(1, 4), rng.randint(1, 5))
        at = rng.randint(0, len(whole.constraints))
        begun = Model(whole.variables, whole.constraints[:at])
        if subject.refusal(whole) or subject.refusal(begun):
            continue
        with Session(begun, subject.selection) as session:
            _agrees(subject, session)
            for constraint in whole.constraints[at:]:
                session.add(constraint)
                _agrees(subject, session, random_domains(rng, whole))
            _agrees(subject, session)


def sessions_improve(subject: Subject) -> None:
    """With an objective each run leads to the best value under what was added so far."""
    subject.needs(Feature.INCREMENTAL, Feature.OBJECTIVE)
    xs = [Variable(f"x{i}", range(-3, 4)) for i in range(4)]
    model = subject.takes(Model(xs, [AllDifferent(xs)]).maximise(2 * xs[0] - xs[1] + 3 * xs[2] + xs[3]))
    added = [Linear((1, 1), xs[1:3], "<=", 1), xs[0] != xs[1] + 4, InDomain(xs[2], (-2, 0, 1)), xs[3] < xs[2]]
    with Session(model, subject.selection) as session:
        for constraint in added:
            session.add(constraint)
            objective = session.model.objective
            assert objective
            values = [objective.value(dict(zip(model.names, row, strict=True))) for row in brute_force(session.model)]
            with session.run(Request(limit=None)) as found:
                came = [objective.value(dict(zip(model.names, row, strict=True))) for row in found]
            require(came[-1:] == [max(values)], f"under {constraint}: {came}, the best value is {max(values)}")
            subject.ran += 1


def sessions_end(subject: Subject) -> None:
    """An open run ends when something is added; a closed session, an unknown name, another thread are errors."""
    subject.needs(Feature.INCREMENTAL)
    board = subject.takes(structure(2, 2))
    session = Session(board, subject.selection)
    run = session.run()
    first = next(run)
    session.add(InDomain(board.names[0], [v for v in range(1, 5) if v != first[0]]))
    require(next(run, None) is None, "a run goes on after a constraint was added")
    second = next(session.run(), None)
    require(second is not None and second[0] != first[0], f"{second} came after {first} was forbidden")
    _raises(ValueError, lambda: session.add(InDomain("nowhere", (1,))))
    _raises(RuntimeError, lambda: _in_another_thread(session))
    session.close()
    session.close()
    _raises(RuntimeError, session.run)


def _agrees(subject: Subject, session: Session, domains: Mapping[str, Domain] | None = None) -> None:
    """Compare the solutions of a run with brute force on what was stated and added."""
    domains = domains or {}
    truth = set(brute_force(session.model.narrowed(domains)))
    told = f"{subject.selection} on\n{session.model}\nwith domains {dict(domains)}: "
    limit = None if subject.has(Feature.ENUMERATE) else 1
    with session.run(Request(domains, limit=limit)) as run:
        found = list(run)
    if limit is None:
        require(sorted(found) == sorted(truth), f"{told}{len(found)} came of {len(truth)}")
        require(run.outcome.complete, f"{told}it ended by {run.outcome.reason}")
    else:
        require(set(found) <= truth and bool(found) == bool(truth), f"{told}{found} came of {len(truth)}")
    subject.ran += 1


def _raises(error: type[Exception], step: Callable[[], object]) -> None:
    try:
        step()
    except error:
        return
    raise AssertionError(f"{error.__name__} is not raised")


def _in_another_thread(session: Session) -> None:
    raised: list[Exception] = []

    def ask() -> None:
        try:
            session.run()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


CHECKS = checks(sessions_refused, sessions_grow, sessions_improve, sessions_end)
