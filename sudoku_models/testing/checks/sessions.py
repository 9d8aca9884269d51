"""Sessions: after each added constraint the answers are those of the whole model, stated from the start."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from ...engine.contract import Feature, Request
from ...engine.road import prepare
from ...engine.switches import Session
from ...errors import Unsupported
from ...model import AllDifferent, Constraint, Count, InDomain, Linear, Model, Variable, brute_force
from ..examples import structure
from ..generators import GENERATORS, random_domains, random_model
from ..subject import Subject, check, raises, require, values_of


@check()
def sessions_refused(subject: Subject) -> None:
    """If the feature is not declared, a session is refused with the reason."""
    if subject.has(Feature.ASSUME):
        return
    one = Model([Variable("x", (1, 2))])
    said = raises(Unsupported, "an undeclared session", lambda: Session(one, subject.selection))
    require("'assume'" in said, f"the message does not name the feature: {said}")
    model, _ = subject.small()
    compiled: Any = prepare(model, subject.selection).compiled
    if hasattr(compiled, "assume"):  # CompiledBase refuses it with the reason
        said = raises(Unsupported, "an undeclared session of the compiled model", compiled.assume)
        require("'assume'" in said, f"the compiled model's message does not name the feature: {said}")


@check(Feature.ASSUME)
def sessions_grow(subject: Subject) -> None:
    """Constraints of every kind, added one by one, with other domains in every run: equal to brute force."""
    rng = Random(77)
    for _ in range(subject.some(15)):
        whole = _growing(rng)
        at = rng.randint(0, len(whole.constraints) - 2)
        begun = Model(whole.variables, whole.constraints[:at])
        if subject.refusal(whole) or subject.refusal(begun):
            continue
        with Session(begun, subject.selection) as session:
            subject.agrees(session.model, ask=session.run)
            for constraint in whole.constraints[at:]:
                session.add(constraint)
                subject.agrees(session.model, random_domains(rng, whole), ask=session.run)
            subject.agrees(session.model, ask=session.run)


def _growing(rng: Random) -> Model:
    """Return a random model with several solutions, each constraint of which removes some: none may be forgotten."""
    while True:
        whole = random_model(rng, list(GENERATORS), rng.randint(2, 4), rng.randint(2, 4))
        parts = [Model(whole.variables, whole.constraints[:i]) for i in range(len(whole.constraints) + 1)]
        left = [sum(1 for _ in brute_force(part)) for part in parts]
        if left[-1] > 1 and left == sorted({*left}, reverse=True):
            return whole


@check(Feature.ASSUME, Feature.OBJECTIVE)
def sessions_improve(subject: Subject) -> None:
    """With an objective each run leads to the best value under what was added so far."""
    xs = [Variable(f"x{i}", range(-3, 4)) for i in range(4)]
    model = subject.takes(Model(xs, [AllDifferent(xs)]).maximise(2 * xs[0] - xs[1] + 3 * xs[2] + xs[3]))
    added = [Linear((1, 1), xs[1:3], "<=", 1), xs[0] != xs[1] + 4, InDomain(xs[2], (-2, 0, 1)), xs[3] < xs[2]]
    with Session(model, subject.selection) as session:
        for constraint in added:
            session.add(constraint)
            best = max(values_of(session.model, brute_force(session.model)))
            with session.run(Request(limit=None)) as found:
                came = values_of(session.model, found)
            require(came[-1:] == [best], f"under {constraint}: {came}, the best value is {best}")
            subject.ran += 1


@check(Feature.ASSUME)
def sessions_end(subject: Subject) -> None:
    """An open run ends when something is added; a closed session, an unknown name, another thread are errors."""
    board = subject.takes(structure(2, 2))
    session = Session(board, subject.selection)
    run = session.run()
    first = next(run)
    session.add(InDomain(board.names[0], [v for v in range(1, 5) if v != first[0]]))
    require(next(run, None) is None, "a run goes on after a constraint was added")
    second = next(session.run(), None)
    require(second is not None and second[0] != first[0], f"{second} came after {first} was forbidden")
    raises(ValueError, "a session", lambda: session.add(InDomain("nowhere", (1,))))
    raises(RuntimeError, "a session", lambda: _in_another_thread(session.run))
    session.close()
    session.close()
    raises(RuntimeError, "a session", session.run)


@check(Feature.ASSUME)
def sessions_belong_to_a_thread(subject: Subject) -> None:
    """An open run of a session can be neither advanced nor closed from another thread, and continues in its own."""
    with Session(subject.takes(structure(2, 2)), subject.selection) as session:
        run = session.run(Request(limit=None))
        first = next(run)
        for step in (lambda: next(run), run.close, lambda: session.add(InDomain(session.model.names[0], (1,)))):
            raises(RuntimeError, "a session", lambda: _in_another_thread(step))  # noqa: B023
        others = list(run)
        require(len({first, *others}) == 1 + len(others) == 288, f"{1 + len(others)} solutions of 288 came")
        _in_another_thread(lambda: run.outcome)
    subject.ran += 1


@check(Feature.ASSUME)
def sessions_outlive_refusals(subject: Subject) -> None:
    """After a refusal of any kind a session continues as before; constraints that it accepted are kept."""
    xs = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
    with Session(subject.takes(Model(xs, [AllDifferent(xs)])), subject.selection) as session:
        for constraints in _odd(xs):
            before = session.model
            run = session.run(Request(limit=None))
            first = next(run)
            try:
                session.add(*constraints)
            except (Unsupported, ValueError) as error:
                require(str(error), f"{constraints} is refused without a reason")
                require(session.model == before, f"{constraints} was refused, and is stated: {session.model}")
                require(first not in (rest := list(run)), f"{first} came again: {rest}")
            subject.agrees(session.model, ask=session.run)
        session.add(xs[0] < xs[1])
        subject.agrees(session.model, ask=session.run)


def _odd(xs: Sequence[Variable]) -> Iterator[list[Constraint]]:
    """Yield lists of constraints; at least the last one of each list must be refused by some or all engines."""
    taken, huge = xs[0] != 2, 2**61
    yield [taken, InDomain("nowhere", (1,))]
    yield [taken, Linear((huge, huge, huge), xs, ">=", huge)]
    yield [Linear((huge, -huge, huge - 1), xs, "!=", 0)]
    yield [taken, Linear((2**70, 1, 1), xs, ">=", 3)]
    yield [Count(xs, (1,), "<=", 2), Linear((huge, huge, 5), xs, ">", -huge)]


def _in_another_thread(step: Callable[[], object]) -> None:
    raised: list[Exception] = []

    def ask() -> None:
        try:
            step()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
