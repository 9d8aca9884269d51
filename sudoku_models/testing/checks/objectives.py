"""Objectives: the best value, proved; every solution better than the one before; a correct bound."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from random import Random

from ...engine.budget import Budget
from ...engine.contract import Feature, Outcome, Reason, Request, Run, Solution
from ...engine.record import Record
from ...engine.road import prepare, run
from ...errors import Unsupported
from ...model import AllDifferent, Constraint, Domain, Linear, Model, Objective, Variable, brute_force
from ..examples import independent_set, structure
from ..generators import GENERATORS, random_domains, random_model
from ..subject import Subject, check, raises, require, values_of
from .answers import BITS, large_variables
from .runs import LIMITS, TIME


@check()
def objectives(subject: Subject) -> None:
    """An objective is refused, or its best value is found and proved."""
    xs = [Variable(f"x{i}", range(1, 5)) for i in range(3)]
    model = Model(xs, [AllDifferent(xs), Linear((1, 2, 3), xs, "<=", 16)])
    if not subject.has(Feature.OBJECTIVE):
        for refused in (model.maximise(3 * xs[0] + xs[1] + 2 * xs[2]), Model(xs).minimise(xs[0])):
            raises(Unsupported, "an objective", partial(subject.first, refused))
        return
    for sense in ("minimize", "maximize"):
        _best(subject, subject.takes(model.with_(objective=Objective(sense, (3, 1, 2), xs))))


@check(Feature.OBJECTIVE)
def odd_objectives(subject: Subject) -> None:
    """Constants, repeated variables, coefficients of 0, negative values and gaps in domains, no solution at all."""
    x, y, z = Variable("x", (-7, -2, 3)), Variable("y", (-4, 0, 1, 9)), Variable("z", (0, 1))
    free, tied = Model([x, y, z], []), Model([x, y, z], [AllDifferent([x, y, z])])
    odd = [
        ((1, 1), (x, x)),
        ((1, -1), (y, y)),
        ((0, 2), (x, z)),
        ((-3, 5), (x, y)),
        ((-1, -1, -1), (x, y, z)),
        ((), ()),
    ]
    for sense in ("minimize", "maximize"):
        for coeffs, xs in odd:
            _best(subject, subject.takes(free.with_(objective=Objective(sense, coeffs, xs, 100))))
            _best(subject, tied.with_(objective=Objective(sense, coeffs, xs, -3)), {"x": (-7, 3), "y": (0, 1)})
        _best(subject, tied.with_(objective=Objective(sense, (1,), (x,))), {"x": (1,)})
        _best(subject, Model([], [], Objective(sense, (), (), 5)))


@check(Feature.OBJECTIVE)
def large_objectives(subject: Subject) -> None:
    """The best of a few large values is found and proved exactly, or the objective is refused with the reason."""
    for bits in BITS:
        for sense in ("minimize", "maximize"):
            rng = Random(f"{bits} {sense}")
            xs = large_variables(rng, bits)
            try:
                _best(subject, Model(xs, [], Objective(sense, (3, -1, 2), xs, 2**bits)))
            except Unsupported as error:
                require(str(error), f"{subject.selection} refuses an objective over {xs} without a reason")


@check(Feature.OBJECTIVE)
def best_of_random_models(subject: Subject) -> None:
    """Random models of all kinds that can be lowered, narrowed: the best value is that of brute force."""
    rng, kinds = Random(2026), _kinds(subject)
    for _ in range(subject.some(40)):
        model = random_model(rng, kinds, rng.randint(1, 5), rng.randint(0, 4))
        xs = [rng.choice(model.variables) for _ in range(rng.randint(1, 6))]
        sense = rng.choice(("minimize", "maximize"))
        model = model.with_(objective=Objective(sense, [rng.randint(-4, 4) for _ in xs], xs, rng.randint(-9, 9)))
        if subject.refusal(model) is None:
            _best(subject, model, random_domains(rng, model))


@check(Feature.OBJECTIVE)
def best_of_a_board(subject: Subject) -> None:
    """The 4x4 board with weights on its cells, some of them negative: the best of its 288 fillings, with seeds too."""
    rng, board = Random(4), structure(2, 2)
    model = subject.takes(board.with_(objective=Objective("maximize", _weights(rng, 16), board.names)))
    values = _values_of_fillings(model)
    for seed in (0, 1, 2) if subject.has(Feature.SEED) else (0,):
        _compared(subject, model, values, *subject.all(model, seed=seed))


@check(Feature.OBJECTIVE)
def objectives_cut_short(subject: Subject) -> None:
    """A limit of n gives the first n improving solutions and a bound that the best solution keeps."""
    board = structure(2, 2)
    objective = Objective("minimize", _weights(Random(7), 16), board.names)
    model = subject.takes(board.with_(objective=objective))
    best = min(_values_of_fillings(model))
    for limit in (1, 2, 289):
        found, outcome = subject.all(model, limit=limit)
        cut = limit <= len(found)
        require(len(found) <= limit, f"limit {limit}: {len(found)} solutions came")
        require(cut or outcome.complete, f"limit {limit}: it ended after {len(found)} by {outcome.reason}")
        require(not cut or outcome.reason is Reason.LIMIT, f"limit {limit}: it ended by {outcome.reason}")
        honest = outcome.bound is not None and not objective.improves(best, outcome.bound)
        require(honest, f"limit {limit}: the bound is {outcome.bound}, the best value {best}")
        require(cut or outcome.bound == best, f"limit {limit}: complete with {outcome.bound}, the best value is {best}")


@check(Feature.OBJECTIVE)
def objectives_out_of_time(subject: Subject) -> None:
    """What cannot be settled in time leaves the best so far and a bound, and is not called complete."""
    board = structure(3, 3)
    objective = Objective("maximize", _weights(Random(9), 81), board.names)
    model = subject.takes(board.with_(objective=objective))
    found, outcome = subject.all(model, time_limit=TIME)
    require(outcome.reason in (Reason.TIME, Reason.EXHAUSTED), f"it ended by {outcome.reason}")
    values = values_of(model, found)
    honest = outcome.bound is not None and (not values or outcome.bound >= values[-1])
    require(honest, f"the bound is {outcome.bound}, the values {values[-5:]}")
    settled = values[-1:] == [outcome.bound]
    require(outcome.complete == settled or not outcome.complete, f"complete, with {values[-1:]} below {outcome.bound}")


@check(Feature.OBJECTIVE)
def improvements_as_they_are_found(subject: Subject) -> None:
    """A first improvement arrives long before the best one; a run closed then is not finished."""
    model = subject.takes(independent_set())
    for limit in LIMITS:
        started = time.perf_counter()
        with subject.run(model, limit=None, time_limit=limit) as found:
            first = next(found, None)
            held_back = time.perf_counter() - started >= limit
        if first is not None and not held_back:
            break  # otherwise the machine may be busy
    else:
        raise AssertionError(f"a limit of {limit} s: nothing came before the time was up")
    outcome = found.outcome
    require(outcome.reason is Reason.CLOSED, f"a closed run ended by {outcome.reason}")
    require(outcome.count == 1 and not outcome.complete, f"closed after the first solution: {outcome}")
    require(
        outcome.bound is not None and outcome.bound >= sum(first), f"{sum(first)} was found, {outcome.bound} is proved"
    )


@check(Feature.OBJECTIVE)
def improvements_on_the_compiled_model(subject: Subject) -> None:
    """The compiled model itself, without the road, yields solutions each better than the one before."""
    xs = [Variable(f"x{i}", range(-3, 4)) for i in range(4)]
    for sense in ("minimize", "maximize"):
        objective = Objective(sense, (3, -2, 1, -4), xs)
        model = subject.takes(Model(xs, [AllDifferent(xs)], objective))
        compiled = prepare(model, subject.selection).compiled
        for limit in (1, 2, None):
            with Run(compiled.search(Request(limit=limit), Budget(), Record())) as found:
                values = values_of(model, (row[: len(model.names)] for row in found))
            require(all(objective.improves(b, a) for a, b in pairwise(values)), f"{sense}: {values} do not improve")
            require(limit is None or len(values) <= limit, f"{sense}, limit {limit}: {len(values)} came")


def _best(subject: Subject, model: Model, domains: Mapping[str, Domain] | None = None) -> None:
    values = values_of(model, brute_force(model.narrowed(domains or {})))
    _compared(subject, model, values, *subject.all(model, domains=domains or {}))


def _compared(subject: Subject, model: Model, values: list[int], found: list[Solution], outcome: Outcome) -> None:
    objective = model.objective
    assert objective
    label = f"{subject.selection} on\n{str(model)[:2000]}\n"
    came = values_of(model, found)
    best = (min if objective.minimizes else max)(values) if values else None
    require((came[-1] if came else None) == best, f"{label}the best value is {best}, it found {came}")
    require(all(objective.improves(b, a) for a, b in pairwise(came)), f"{label}{came} do not improve")
    if subject.has(Feature.PROVE):
        require(outcome.complete, f"{label}it ended by {outcome.reason} with the best value found")
        require(outcome.bound == best, f"{label}the bound is {outcome.bound}, the best value {best}")
    subject.ran += 1


def _kinds(subject: Subject) -> list[type[Constraint]]:
    """The kinds that the backend accepts without a rewrite, and a few that it may lower."""
    taken = subject.selection.capabilities.kinds
    return [kind for kind in GENERATORS if kind in taken or kind in (Linear, AllDifferent)]


def _weights(rng: Random, count: int) -> list[int]:
    return [rng.randint(-4, 6) for _ in range(count)]


def _values_of_fillings(model: Model) -> list[int]:
    """The objective's values in all solutions of a 4x4 board, for which brute force would try four billion
    assignments.
    """
    return values_of(model, run(model.without_objective(), "backtracking:strategy=fewest", Request(limit=None)))
