"""Long search for disagreements: random models, all installed engines, and certificates that are checked.

    python -m tests.testing.long_search --minutes 60 [--seed N] [--case N] [--backend SPEC]... [--refuter NAME]...

A case is a tiny random model of any kinds of constraints; brute force knows its solutions. In each case one engine
(they take turns, with each of their options) has to agree with brute force by itself, and one refuter (in turns, too)
has to prove what is true: that there is no solution, one, just those that there are, or none better; the certificate
has to pass the check, with hints and without, and every independent checker that is installed. Of a model with several
solutions it must not prove that there is one. Each disagreement is printed with the options that repeat it alone; a
table ends the run, and the exit code is 1 when there was a disagreement.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, cycle, islice, product
from random import Random

from sudoku_models.engine.contract import Feature, Isolate
from sudoku_models.engine.refutation import installed
from sudoku_models.engine.registry import BackendLike, listings, select
from sudoku_models.errors import BackendMissing, BadOption, LimitReached, Unsupported
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
from sudoku_models.prove import Claim, ClaimFalse, TooLarge, certificate_of, certify, check
from sudoku_models.prove.outside import outside_opinions
from sudoku_models.testing.generators import GENERATORS, OPS, random_domains
from sudoku_models.testing.subject import Subject, require

PATIENCE = 60.0
"""Seconds for one certificate, and for its check; beyond it the case counts as declined."""

MOST = 40
"""Of more solutions than this a count is not certified."""


def specs(quick: bool = False) -> list[str]:
    """Return every installed backend by itself and with each other choice of each of its options.

    Those that answer from another process alone are left out of the ``quick`` ones.
    """
    found = []
    for listing in listings():
        if listing.backend is None or listing.problem:
            continue
        for option in ("", *_options(listing.backend.Options)):
            try:
                able = select(listing.name + option).capabilities
            except (BackendMissing, BadOption):
                continue
            alone = able.isolate is Isolate.ALWAYS and Feature.PATIENCE not in able.features
            found += [] if quick and (alone or able.programs) else [listing.name + option]
    return found


def _options(options: type) -> Iterator[str]:
    """Yield ``:name=value`` for each choice that is not the default, and with which the backend does not give up."""
    for field in dataclasses.fields(options):
        choices = field.metadata.get("choices", (True, False) if isinstance(field.default, bool) else ())
        for choice in choices:
            if choice != field.default and choice not in field.metadata.get("gives_up", ()):
                yield f":{field.name}={str(choice).lower() if isinstance(choice, bool) else choice}"


# ---- the cases


def question(seed: int, number: int) -> tuple[Model, dict[str, Domain]]:
    """Return the model of a case and the domains that narrow it, the same in every process."""
    rng = Random(f"{seed}:{number}")
    xs = [Variable(f"x{i}", _domain(rng)) for i in range(rng.choice((1, 1, 2, 2, 3)))]
    kinds = sorted(GENERATORS, key=lambda kind: kind.__name__)
    among = _SHARP if rng.random() < 0.5 else [GENERATORS[kind] for kind in rng.sample(kinds, rng.randint(1, 4))]
    model = Model(xs, [rng.choice(among)(rng, xs) for _ in range(rng.randint(2, 5))])
    if rng.random() < 0.1:
        chosen = [rng.choice(xs) for _ in range(rng.randint(1, 3))]
        sense = rng.choice(("minimize", "maximize"))
        model = model.with_(objective=Objective(sense, [rng.randint(-3, 3) for _ in chosen], chosen))
    return model, random_domains(rng, model) if rng.random() < 0.3 else {}


def _domain(rng: Random) -> Domain:
    """Return two to seven values, an interval or with holes."""
    size, low = rng.randint(2, 7), rng.randint(-2, 2)
    return tuple(range(low, low + size)) if rng.random() < 0.5 else tuple(sorted(rng.sample(range(-3, 9), size)))


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


_SHARP = (_clause, _table, _count, GENERATORS[AllDifferent])


# ---- what comes of asking: (what was asked, what is wrong with the answer; None: there was no answer)

Asked = tuple[str, str | None]


def engine_on(subject: Subject, model: Model, domains: dict[str, Domain]) -> Asked:
    """Ask an engine for all solutions, or for the best one; nothing confirms its answer."""
    name = str(subject.selection)
    try:
        if model.objective:
            rows = brute_force(model.narrowed(domains))
            values = [model.objective.value(dict(zip(model.names, row, strict=True))) for row in rows]
            best = (min if model.objective.minimizes else max)(values, default=None)
            found, outcome = subject.all(model, domains=domains)
            last = model.objective.value(dict(zip(model.names, found[-1], strict=True))) if found else None
            proves = outcome.complete and last == best
            require(proves or not subject.has(Feature.PROVE), f"the best value is {best}, it says {last}")
        else:
            subject.agrees(model, domains)
    except Unsupported:
        return name, None
    except AssertionError as error:
        return name, str(error).rpartition(": ")[2]
    except Exception as error:
        return name, f"{type(error).__name__}: {error}"
    return name, ""


def refuter_on(refuter: str, model: Model) -> Iterator[Asked]:
    """Ask a refuter for a proof of what is true, have it checked, and ask for one of what is not true."""
    name = f"certificates of {refuter}: "
    rows = list(islice(brute_force(model), MOST + 1))
    if len(rows) > 1 and model.objective is None:
        try:
            certificate_of(model, Claim.UNIQUE, (rows[0],), refuter, time_limit=PATIENCE)
            yield f"{name}what is false", "it proves that there is one solution, and there are several"
        except ClaimFalse:
            yield f"{name}what is false", ""
        except (Unsupported, TooLarge, LimitReached):
            yield f"{name}what is false", None
    if len(rows) > MOST and model.objective is None:
        return
    claim = {0: Claim.UNSATISFIABLE, 1: Claim.UNIQUE}.get(len(rows), Claim.COUNT)
    claim = Claim.OPTIMAL if model.objective and rows else claim
    number = len(rows) if claim is Claim.COUNT else None
    try:
        made = certify(model, claim, "backtracking", count=number, refuter=refuter, time_limit=PATIENCE)
        bare = dataclasses.replace(made, proof=(), drat=tuple(made.steps))
        for what, certificate in ((claim.value, made), ("without hints", bare)):
            found = check(certificate, time_limit=PATIENCE)
            yield f"{name}{what}", "" if found else f"{claim.value} is true, and refused is its proof: {found.problem}"
    except (Unsupported, TooLarge, LimitReached):
        yield f"{name}{claim.value}", None
        return
    except Exception as error:
        yield f"{name}{claim.value}", f"{claim.value} is true: {type(error).__name__}: {error}"
        return
    for opinion in outside_opinions(made, time_limit=PATIENCE):
        doubt = {True: "", False: f"it refuses the proof of {claim.value}: {opinion.said}", None: None}
        yield f"{name}by {opinion.checker}", doubt[opinion.accepted]


class Truth:
    """Asks case after case; the counters say by name how many were compared, declined, in disagreement."""

    def __init__(self, seed: int, engines: Sequence[BackendLike], refuters: Sequence[str]) -> None:
        self.seed = seed
        self.compared, self.declined, self.disagreed = Counter[str](), Counter[str](), Counter[str]()
        self._engines = cycle([Subject.of(engine) for engine in engines])
        self._refuters = cycle(refuters)

    def run(self, numbers: Iterable[int], go_on: Callable[[], bool] = lambda: True) -> Iterator[str]:
        """Ask the cases of these numbers as long as wanted; yield what to print of each disagreement."""
        for number in numbers:
            if not go_on():
                return
            model, domains = question(self.seed, number)
            for subject in islice(self._engines, 1):
                found = [engine_on(subject, model, domains)]
                yield from self._reported(number, f"--backend '{subject.selection}'", model, domains, found)
            for refuter in islice(self._refuters, 1):
                asked = refuter_on(refuter, model.narrowed(domains))
                yield from self._reported(number, f"--refuter {refuter}", model, domains, asked)

    def _reported(
        self, number: int, whom: str, model: Model, domains: dict[str, Domain], asked: Iterable[Asked]
    ) -> Iterator[str]:
        for name, doubt in asked:
            (self.declined if doubt is None else self.compared)[name] += 1
            if doubt:
                self.disagreed[name] += 1
                again = f"again: python -m tests.testing.long_search --seed {self.seed} --case {number} {whom}"
                yield f"case {number}, {name}: {doubt}\n{model}\nwith the domains {domains}\n{again}\n"

    def __str__(self) -> str:
        names = [*sorted({*self.compared, *self.declined}), "all"]
        counters = (self.compared, self.declined, self.disagreed)
        lines = [f"{'engine or refuter':60}     cases  declined  disagreements"]
        for name in names:
            numbers = [each.total() if name == "all" else each[name] for each in counters]
            lines.append(f"{name:60}  {numbers[0]:8}  {numbers[1]:8}  {numbers[2]:13}")
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.testing.long_search", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long new cases are begun")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="by default another one each time")
    parser.add_argument("--case", type=int, help="the number of one case to run alone")
    parser.add_argument("--backend", action="append", help="an engine with its options; by default all that are there")
    parser.add_argument("--refuter", action="append", help="a refuter; by default all that are there")
    chosen = parser.parse_args(arguments)
    alone = chosen.backend or chosen.refuter  # what is named is asked, and nothing else
    engines = chosen.backend or ([] if alone else specs())
    truth = Truth(chosen.seed, engines, chosen.refuter or ([] if alone else installed()))
    began = time.monotonic()
    print(f"seed {chosen.seed}, engines with their options: {len(engines)}, {chosen.minutes:g} minutes", flush=True)
    numbers = count() if chosen.case is None else [chosen.case]
    for report in truth.run(numbers, lambda: time.monotonic() - began < 60 * chosen.minutes):
        print(report, flush=True)
    print(truth)
    print(f"seed {chosen.seed}: {truth.disagreed.total()} disagreements in {time.monotonic() - began:.0f} s")
    sys.exit(1 if truth.disagreed else 0)


if __name__ == "__main__":
    main()
