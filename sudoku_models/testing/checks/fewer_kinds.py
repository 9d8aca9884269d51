"""(g) The backend inside a wrapper that accepts fewer kinds, so that every lowering meets every engine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ...engine.contract import Feature
from ...lowering import REWRITES, Rewrite, Scratch
from ...model import Constraint, Model, Variable, brute_force
from ..gap import Kind, NotApplicable
from ..generators import GENERATORS, random_domains, random_model, random_variables
from ..restricted import Restricted
from ..subject import Subject, require
from .conformance_check import checks

CASES = 3
"""Models of each kind for each restriction."""


def restrictions(kinds: frozenset[type[Constraint]]) -> Iterator[frozenset[type[Constraint]]]:
    """Yield the restrictions of a backend with these kinds: each kind alone, and all but each one."""
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    if len(ordered) > 1:
        yield from (frozenset({kind}) for kind in ordered)
    if len(ordered) > 2:
        yield from (kinds - {kind} for kind in ordered)


def lowered_models(subject: Subject) -> None:
    """Every kind from which rewrites lead to the remaining ones: answers equal to brute force on the stated model."""
    rng, tried, refusals = Random("restricted"), 0, []
    for kinds in subject.part(list(restrictions(subject.selection.capabilities.kinds))):
        inside = Subject.of(Restricted(subject.selection, kinds))
        for kind in GENERATORS:
            for _ in range(0 if kind in kinds else subject.some(CASES)):
                model = random_model(rng, [kind], rng.randint(2, 4), 1)
                refusal = inside.refusal(model)
                if refusal:
                    refusals.append(refusal)
                    continue
                inside.agrees(model, random_domains(rng, model))
                tried += 1
    subject.ran += tried
    if not tried:
        raise refusals[0] if refusals else NotApplicable(Kind.CONSTRAINT, "there is nothing to restrict")


def every_rewrite(subject: Subject) -> None:
    """Each rewrite, applied alone to random constraints: the solutions are the same, apart from auxiliaries."""
    subject.needs(Feature.ENUMERATE, Feature.PROVE)
    refusals, tried = [], 0
    for rewrite in REWRITES:
        for xs, constraint, lowered in _applied(rewrite, subject.some(CASES)):
            refusal = subject.refusal(lowered)
            if refusal:
                refusals.append(refusal)
                continue
            _preserved(subject, rewrite, Model(xs, [constraint]), lowered)
            tried += 1
    if not tried:
        raise refusals[0]


def _applied(rewrite: Rewrite, cases: int) -> Iterator[tuple[list[Variable], Constraint, Model]]:
    """Yield variables, a constraint on them that the rewrite applies to, and the model that it makes."""
    rng, found = Random(rewrite.name), 0
    for _ in range(100):
        xs = random_variables(rng, rng.randint(2, 4))
        scratch = Scratch({x.name: x.domain for x in xs})
        constraint = GENERATORS[rewrite.source](rng, xs)
        if rewrite.cost(constraint, scratch.domains) is None:
            continue
        made = rewrite.apply(constraint, scratch)
        yield xs, constraint, Model([*xs, *scratch.added], made)
        found += 1
        if found == cases:
            return


def _preserved(subject: Subject, rewrite: Rewrite, stated: Model, lowered: Model) -> None:
    truth = set(brute_force(stated))
    for keep in (stated.names, None) if rewrite.functional else (stated.names,):
        found, outcome = subject.all(lowered, keep=keep)
        label = f"{subject.selection}, {rewrite.name}:\n{stated}\nbecame\n{lowered}\n"
        kept = [solution[: len(stated.names)] for solution in found]
        require(len(set(kept)) == len(kept), f"{label}the solutions repeat: {kept[:20]}")
        require(set(kept) == truth, f"{label}lost: {sorted(truth - set(kept))}, won: {sorted(set(kept) - truth)}")
        require(outcome.complete, f"{label}it ended by {outcome.reason}")
    subject.ran += 1


CHECKS = checks(lowered_models, every_rewrite)
