"""Tiny random models against brute force, on every installed engine and option; `long_search` is the command for it.

A case is one model, asked of one engine with one choice of its options; the engines take turns. Which model it is
depends on the seed and the number of the case alone. The answer is that of the engine itself: nothing confirms it.
Engines that run in a process of their own have every twentieth turn. Each fault is made smaller.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from random import Random

from sudoku_models.engine.contract import Capabilities, Feature, Isolate
from sudoku_models.engine.registry import Selection, listings, select
from sudoku_models.errors import BackendMissing, BadOption, Unsupported
from sudoku_models.model import (
    AllDifferent,
    Constraint,
    Count,
    Domain,
    InDomain,
    Model,
    Objective,
    Or,
    Table,
    Variable,
    brute_force,
)
from sudoku_models.testing.generators import GENERATORS, OPS, random_domains
from sudoku_models.testing.subject import Subject, require

SELDOM = 20
"""An engine in a process of its own has one turn for this number of turns of the others."""


@dataclass(frozen=True)
class Fault:
    """What an engine got wrong: the number of the case, the engine, the smallest model found, and its answer."""

    number: int
    spec: str
    model: Model
    domains: dict[str, Domain]
    finding: str

    def __str__(self) -> str:
        narrowed = f"\nwith the domains {self.domains}" if self.domains else ""
        return f"case {self.number}, {self.spec}: {self.finding}\n{self.model}{narrowed}\n"


def specs() -> list[str]:
    """Return every installed backend by itself and with each other choice of each of its options."""
    found: list[str] = []
    for listing in listings():
        if listing.backend is not None and not listing.problem:
            found += [listing.name, *(f"{listing.name}:{option}" for option in _options(listing.backend.Options))]
    return [spec for spec in found if _is_there(spec)]


def _options(options: type) -> Iterator[str]:
    """Yield ``name=value`` for each choice that is not the default, and with which the backend does not give up."""
    for field in dataclasses.fields(options):
        choices = field.metadata.get("choices", (True, False) if isinstance(field.default, bool) else ())
        for choice in choices:
            if choice != field.default and choice not in field.metadata.get("gives_up", ()):
                yield f"{field.name}={str(choice).lower() if isinstance(choice, bool) else choice}"


def _is_there(spec: str) -> bool:
    try:
        select(spec)
    except (BackendMissing, BadOption):
        return False
    return True


def turns(selections: Sequence[Selection]) -> Iterator[Selection]:
    """Yield engines in turn without end, those in processes of their own more seldom."""
    slow = [s for s in selections if _is_slow(s.capabilities)]
    quick = [s for s in selections if s not in slow]
    if not (slow and quick):
        yield from cycle(selections)
    rare = cycle(slow)
    for number, selection in enumerate(cycle(quick), 1):
        yield selection
        if number % SELDOM == 0:
            yield next(rare)


def _is_slow(declared: Capabilities) -> bool:
    """Return whether an engine answers from another process alone."""
    alone = declared.isolate is Isolate.ALWAYS and Feature.PATIENCE not in declared.features
    return alone or bool(declared.programs)


def question(seed: int, number: int) -> tuple[Model, dict[str, Domain]]:
    """Return the model of a case and the domains that narrow it, the same in every process."""
    rng = Random(f"{seed}:{number}")
    model = tiny_model(rng)
    return model, random_domains(rng, model) if rng.random() < 0.3 else {}


def fault_of(subject: Subject, model: Model, domains: dict[str, Domain]) -> str | None:
    """Return what an engine got wrong about a model, None when nothing; Unsupported if it does not take it."""
    try:
        if model.objective:
            _best(subject, model, domains)
        else:
            subject.agrees(model, domains)
    except Unsupported:
        raise
    except AssertionError as error:
        return str(error).rpartition(": ")[2]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def _best(subject: Subject, model: Model, domains: dict[str, Domain]) -> None:
    """Compare the best value with that of brute force."""
    assert model.objective
    rows = brute_force(model.narrowed(domains))
    values = [model.objective.value(dict(zip(model.names, row, strict=True))) for row in rows]
    best = (min if model.objective.minimizes else max)(values, default=None)
    found, outcome = subject.all(model, domains=domains)
    last = model.objective.value(dict(zip(model.names, found[-1], strict=True))) if found else None
    if subject.has(Feature.PROVE):
        require(outcome.complete and last == best, f"the best value is {best}, it says {last}")


def smaller(subject: Subject, model: Model, domains: dict[str, Domain]) -> tuple[Model, dict[str, Domain]]:
    """Leave out constraints, domains and values as long as there still is a fault."""
    again = True
    while again:
        again = False
        for fewer in _fewer(model, domains):
            try:
                again = fault_of(subject, *fewer) is not None
            except Unsupported:
                continue
            if again:
                model, domains = fewer
                break
    return model, domains


def _fewer(model: Model, domains: dict[str, Domain]) -> Iterator[tuple[Model, dict[str, Domain]]]:
    for name in domains:
        yield model, {x: values for x, values in domains.items() if x != name}
    constraints = model.constraints
    for i in range(len(constraints)):
        yield Model(model.variables, constraints[:i] + constraints[i + 1 :], model.objective), domains
    used = {x for c in constraints for x in c.scope} | set(model.objective.xs if model.objective else ())
    unused = [v for v in model.variables if v.name not in used and v.name not in domains]
    for variable in unused:
        yield Model([v for v in model.variables if v is not variable], constraints, model.objective), domains
    for i, variable in enumerate(model.variables):
        for value in variable.domain if len(variable.domain) > 1 else ():
            less = Variable(variable.name, [v for v in variable.domain if v != value])
            yield Model([*model.variables[:i], less, *model.variables[i + 1 :]], constraints, model.objective), domains


def fuzz(cases: int, seed: int, chosen: Sequence[str], asked: Counter[str]) -> Iterator[Fault]:
    """Ask the cases, yield the faults; ``asked`` counts the answers that were compared, by engine."""
    subjects = {selection: Subject(selection) for selection in map(select, chosen)}
    for number, selection in zip(range(cases), turns(list(subjects)), strict=False):
        subject, (model, domains) = subjects[selection], question(seed, number)
        try:
            finding = fault_of(subject, model, domains)
        except Unsupported:
            continue
        asked[str(selection)] += 1
        if finding is not None:
            yield Fault(number, str(selection), *smaller(subject, model, domains), finding)


_KINDS = tuple(sorted(GENERATORS, key=lambda kind: kind.__name__))


def tiny_model(rng: Random) -> Model:
    """Return a model of one to three variables, with two to five constraints, now and then with an objective."""
    xs = [Variable(f"x{i}", _domain(rng)) for i in range(rng.choice((1, 1, 2, 2, 3)))]
    sharp = rng.random() < 0.5
    kinds = rng.sample(_KINDS, rng.randint(1, 4))
    constraints = [
        rng.choice(_SHARP)(rng, xs) if sharp else GENERATORS[rng.choice(kinds)](rng, xs)
        for _ in range(rng.randint(2, 5))
    ]
    return Model(xs, constraints, _objective(rng, xs) if rng.random() < 0.1 else None)


def _domain(rng: Random) -> Domain:
    """Return two to seven values, an interval or with holes."""
    size = rng.randint(2, 7)
    low = rng.randint(-2, 2)
    return tuple(range(low, low + size)) if rng.random() < 0.5 else tuple(sorted(rng.sample(range(-3, 9), size)))


def _objective(rng: Random, xs: Sequence[Variable]) -> Objective:
    chosen = [rng.choice(xs) for _ in range(rng.randint(1, 3))]
    return Objective(rng.choice(("minimize", "maximize")), [rng.randint(-3, 3) for _ in chosen], chosen)


def _clause(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return an Or of several values of one variable, at times beside some of another."""
    x = rng.choice(xs)
    named = [x if rng.random() < 0.8 else rng.choice(xs) for _ in range(rng.randint(2, 4))]
    return Or([InDomain(y, rng.sample(y.domain, 1 if rng.random() < 0.7 else 2)) for y in named])


def _table(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return a Table of up to three variables, of few tuples or of nearly all."""
    scope = rng.sample(list(xs), rng.randint(1, len(xs)))
    rows = list(product(*(x.domain for x in scope)))
    return Table(scope, rng.sample(rows, rng.randint(1, min(len(rows), 20))), rng.random() < 0.5)


def _count(rng: Random, xs: Sequence[Variable]) -> Constraint:
    """Return a Count that meets the same variable more than once."""
    counted = [rng.choice(xs) for _ in range(rng.randint(1, 4))]
    return Count(counted, rng.sample(counted[0].domain, rng.randint(1, 2)), rng.choice(OPS), rng.randint(0, 3))


def _different(rng: Random, xs: Sequence[Variable]) -> Constraint:
    return AllDifferent(rng.sample(list(xs), rng.randint(1, len(xs))))


def _other(rng: Random, xs: Sequence[Variable]) -> Constraint:
    return GENERATORS[rng.choice(_KINDS)](rng, xs)


_SHARP = (_clause, _clause, _table, _table, _count, _different, _other)
