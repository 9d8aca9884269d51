"""Long search for disagreements: random models, all installed engines, and certificates that are checked.

    python -m tests.testing.long_search --minutes 60 [--seed N] [--case N]

A case is a tiny random model of any kinds of constraints; brute force knows its solutions. In each case one engine
(they take turns, with each of their options) has to agree with brute force by itself, and one refuter (in turns, too)
has to prove what is true: that there is no solution, one, just those that there are, or none better; the certificate
has to pass the check, with hints and without, and every independent checker that is installed. Of a model with several
solutions it must not prove that there is one. Each disagreement is printed with the words that repeat its case alone;
a table ends the run, and the exit code is 1 when there was a disagreement.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random

from sudoku_models.engine.contract import Feature, Isolate
from sudoku_models.engine.refutation import GROUP, installed
from sudoku_models.engine.registry import entries_of, listings, select
from sudoku_models.errors import BackendMissing, BadOption, LimitReached, Unsupported
from sudoku_models.model import Domain, Model, Objective, brute_force
from sudoku_models.prove import Claim, ClaimFalse, TooLarge, certificate_of, certify, check
from sudoku_models.prove.outside import outside_opinions
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model
from sudoku_models.testing.subject import Subject, require

PATIENCE = 60.0
"""Seconds for one certificate, and for its check; beyond it the case counts as declined."""

MOST = 40
"""Of more solutions than this a count is not certified."""

Asked = tuple[str, str | None]
"""What was asked, and what is wrong with the answer; None where there was no answer."""


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


def question(seed: int, number: int) -> tuple[Model, dict[str, Domain]]:
    """Return the model of a case and the domains that narrow it, the same in every process."""
    rng = Random(f"{seed}:{number}")
    kinds = rng.sample(sorted(GENERATORS, key=lambda kind: kind.__name__), rng.randint(1, 4))
    model = random_model(rng, kinds, rng.choice((1, 1, 2, 2, 3)), rng.randint(2, 5))
    if rng.random() < 0.1:
        chosen = [rng.choice(model.variables) for _ in range(rng.randint(1, 3))]
        sense = rng.choice(("minimize", "maximize"))
        model = model.with_(objective=Objective(sense, [rng.randint(-3, 3) for _ in chosen], chosen))
    return model, random_domains(rng, model) if rng.random() < 0.3 else {}


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


def asked(seed: int, number: int, engines: Sequence[Subject], refuters: Sequence[str]) -> Iterator[Asked]:
    """Ask those whose turn it is in a case."""
    model, domains = question(seed, number)
    if engines:
        yield engine_on(engines[number % len(engines)], model, domains)
    if refuters:
        yield from refuter_on(refuters[number % len(refuters)], model.narrowed(domains))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.testing.long_search", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long new cases are begun")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="by default another one each time")
    parser.add_argument("--case", type=int, help="the number of one case to run alone")
    chosen = parser.parse_args(arguments)
    engines, refuters, began = (
        [Subject.of(spec) for spec in specs()],
        [*installed(sorted(entries_of(GROUP)))],
        time.monotonic(),
    )
    print(f"seed {chosen.seed}, engines with their options: {len(engines)}, {chosen.minutes:g} minutes", flush=True)
    table = {what: Counter[str]() for what in ("agree", "declined", "disagree")}
    for number in count() if chosen.case is None else [chosen.case]:
        if time.monotonic() - began > 60 * chosen.minutes:
            break
        for name, doubt in asked(chosen.seed, number, engines, refuters):
            table["declined" if doubt is None else "disagree" if doubt else "agree"][name] += 1
            if doubt:
                again = f"again: python -m tests.testing.long_search --seed {chosen.seed} --case {number}"
                print(f"case {number}, {name}: {doubt}\n{question(chosen.seed, number)}\n{again}\n", flush=True)
    for name in sorted(set().union(*table.values())):
        print(f"{name:60}", *(f"{counter[name]:7} {what}" for what, counter in table.items()))
    print(f"seed {chosen.seed}: {table['disagree'].total()} disagreements in {time.monotonic() - began:.0f} s")
    sys.exit(1 if table["disagree"] else 0)


if __name__ == "__main__":
    main()
