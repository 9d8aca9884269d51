"""(f) Kept variables: of the solutions that agree on them, one is yielded in full."""

from __future__ import annotations

from random import Random

from ...engine.contract import Feature
from ...model import Compare, Model, Variable
from ..generators import GENERATORS, random_domains, random_model
from ..random_boards import structure
from ..subject import Subject, require
from .conformance_check import checks


def kept_variables(subject: Subject) -> None:
    """Random models, random kept variables: each projected solution once."""
    subject.needs(Feature.ENUMERATE)
    rng, kinds = Random("kept"), list(GENERATORS)
    models = [random_model(rng, kinds, rng.randint(1, 5), rng.randint(0, 3)) for _ in range(subject.some(25))]
    for model in subject.taken(models):
        names = rng.sample(model.names, rng.randint(1, len(model.names)))
        subject.agrees(model, random_domains(rng, model), tuple(names))


def kept_with_limits(subject: Subject) -> None:
    """The limit counts the yielded solutions, after the projection."""
    subject.needs(Feature.ENUMERATE)
    xs = [Variable(f"x{i}", range(1, 5)) for i in range(3)]
    model = subject.takes(Model(xs, [Compare(xs[0], "<=", xs[1])]))
    for limit in (1, 2, 3, 4, 5, None):
        found, outcome = subject.all(model, limit=limit, keep=("x0",))
        expected = 4 if limit is None else min(4, limit)
        label = f"limit {limit}: {found}"
        require(len({row[0] for row in found}) == len(found) == expected, label)
        require(all(len(row) == 3 for row in found), label)
        require(outcome.complete or (limit or 5) <= 4, f"{label}, ended by {outcome.reason}")


def kept_cells(subject: Subject) -> None:
    """Kept cells of a board: the first row of the 4x4 Sudoku has 24 values, its first cell 4."""
    subject.needs(Feature.ENUMERATE, Feature.PROVE)
    model = subject.takes(structure(2, 2))
    for names, count in ((("R1C1",), 4), (model.names[:4], 24), (model.names[:2], 12)):
        found, outcome = subject.all(model, keep=names)
        require(len(found) == count and outcome.complete, f"keep {names}: {len(found)} of {count}, {outcome.reason}")
        subject.ran += 1


CHECKS = checks(kept_variables, kept_with_limits, kept_cells)
