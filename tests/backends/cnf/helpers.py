"""What the tests of the CNF backends share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from sudoku_backends.cnf.formula import Problem
from sudoku_backends.cnf.pycosat import BACKEND, PycosatCompiled, PycosatOptions

from sudoku_models.engine.contract import Reason, Request, Run, Search, Solution
from sudoku_models.model import AllDifferent, Compare, Constraint, InDomain, Model, Table, Variable
from sudoku_models.puzzle.shape import Shape


def compiled(model: Model, **options: object) -> PycosatCompiled:
    return BACKEND.compile(model, PycosatOptions(**options))


def solutions(model: Model, domains: Mapping[str, tuple[int, ...]] | None = None, **options: object) -> list[Solution]:
    return list(compiled(model, **options).run(Request(domains=domains or {}, limit=None)))


def domains_of(shape: Shape, line: str) -> dict[str, tuple[int, ...]]:
    values = [shape.values[int(c) - 1] if c.isdigit() and c != "0" else None for c in line]
    return {name: (value,) for name, value in zip(shape.names, values, strict=True) if value is not None}


def legal(model: Model, solution: Solution, domains: Mapping[str, tuple[int, ...]]) -> bool:
    values = dict(zip(model.names, solution, strict=True))
    return model.narrowed(domains).holds(values)


def shared_lines(folder: Path, name: str, count: int) -> list[str]:
    text = (folder / "classic" / name).read_text().splitlines()
    return [line.strip() for line in text if not line.startswith("#")][:count]


def random_model(seed: int) -> Model:
    """A small model of random domains with a random mixture of the kinds that have a direct encoding."""
    rng = random.Random(seed)
    names = [f"x{i}" for i in range(rng.randint(1, 5))]
    if rng.random() < 0.5:
        size = rng.randint(1, 4)
        domains = {name: tuple(range(1, size + 1)) for name in names}
    else:
        domains = {name: tuple(rng.sample(range(-3, 9), rng.randint(1, 5))) for name in names}
    constraints = [_random_constraint(rng, names) for _ in range(rng.randint(0, 4))]
    return Model([Variable(name, values) for name, values in domains.items()], constraints)


def _random_constraint(rng: random.Random, names: list[str]) -> Constraint:
    kind = rng.choice([AllDifferent, AllDifferent, Compare, InDomain, Table])
    if kind is AllDifferent:
        return AllDifferent(rng.sample(names, rng.randint(0, len(names))))
    if kind is Compare:
        operator = rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return Compare(rng.choice(names), operator, rng.choice(names), rng.randint(-2, 2))
    if kind is InDomain:
        return InDomain(rng.choice(names), rng.sample(range(-3, 9), rng.randint(0, 10)))
    xs = rng.choices(names, k=rng.randint(0, 3))
    every = list(product(range(-1, 5), repeat=len(xs)))
    share = rng.choice([0.05, 0.3, 0.97])
    return Table(xs, [row for row in every if rng.random() < share], rng.random() < 0.6)


def random_domains(seed: int, model: Model) -> dict[str, tuple[int, ...]]:
    """Pencil marks and givens for some variables, some of them outside the model's domains."""
    rng = random.Random(seed)
    chosen = [v for v in model.variables if rng.random() < 0.4]
    return {v.name: tuple(sorted(set(rng.choices([*v.domain, 99], k=rng.randint(1, 3))))) for v in chosen}


def candidates_left(problem: Problem) -> dict[str, set[int]]:
    """The values left of each variable, decided ones included."""
    space, reduced = problem.structure, problem.reduced
    fixed = zip(space.names, reduced.fixed.tolist(), strict=True)
    left = {name: {int(space.table[column])} for name, column in fixed if column >= 0}
    for cell, column in zip(reduced.cell.tolist(), reduced.column.tolist(), strict=True):
        left.setdefault(space.names[cell], set()).add(int(space.table[column]))
    return left


def fixpoint(model: Model, givens: Mapping[str, tuple[int, ...]], level: str) -> dict[str, set[int]] | None:
    """What singles and locked candidates leave, by the rules' words alone; None at a contradiction.

    With ``none`` only the givens themselves exclude.
    """
    houses = [frozenset(c.xs) for c in model.constraints if isinstance(c, AllDifferent)]
    left = {x: set(givens.get(x, model[x].domain)) for x in model.names}
    if level == "none":
        for x, values in givens.items():
            for y in {y for h in houses if x in h for y in h} - {x}:
                left[y] -= set(values)
        return left if _sound(houses, left) else None
    changed = True
    while changed:
        before = {x: set(values) for x, values in left.items()}
        _singles(houses, left)
        if not _sound(houses, left):
            return None
        if level == "locked" and before == left:
            _locked(houses, left)
        changed = before != left
    return left


def _sound(houses: list[frozenset[str]], left: dict[str, set[int]]) -> bool:
    return all(left.values()) and all(len(set().union(*(left[x] for x in h))) >= len(h) for h in houses)


def _singles(houses: list[frozenset[str]], left: dict[str, set[int]]) -> None:
    for house in houses:
        for x in house:
            if len(left[x]) == 1:
                for y in house - {x}:
                    left[y] -= left[x]
        for value in set().union(*(left[x] for x in house)):
            places = [x for x in house if value in left[x]]
            if len(places) == 1:
                left[places[0]] = {value}


def _locked(houses: list[frozenset[str]], left: dict[str, set[int]]) -> None:
    for house in houses:
        for value in set().union(*(left[x] for x in house)):
            places = {x for x in house if value in left[x]}
            for other in houses:
                if other != house and places <= other:
                    for y in other - house:
                        left[y].discard(value)


def attempt(form: Any, request: Request) -> Run | None:
    """Return a run of what a search with patience finds; None if it gives up."""
    found = form.run(replace(request, patience=20_000_000))
    solutions = list(found)
    if found.ending.reason is Reason.GAVE_UP:
        return None

    def again() -> Search:
        yield solutions
        return found.ending

    return Run(again(), None, found.record)


# A checker of DRUP proofs, by the words of the format alone: every line follows by unit propagation. As all checkers of
# the format do, it keeps the literals that are sure once they are: solvers drop the clauses that made them so.


def propagated(clauses: Iterable[Sequence[int]], true: set[int]) -> bool:
    """Add to ``true`` what follows by unit propagation; say whether a clause has all its literals false."""
    waiting, changed = list(clauses), True
    while changed:
        changed = False
        for clause in waiting:
            if not true.isdisjoint(clause):
                continue
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                true |= left
                changed = True
    return False


def first_fault(clauses: Iterable[Sequence[int]], proof: Iterable[str]) -> str | None:
    """Return the first line of a proof that does not follow, or what is missing at its end; None for a proof."""
    known, sure = Counter(tuple(sorted(clause)) for clause in clauses), set[int]()
    for number, line in enumerate(proof, 1):
        words = line.removeprefix("d ").split()
        assert words[-1] == "0", line
        literals = tuple(sorted(map(int, words[:-1])))
        if line.startswith("d "):
            propagated(+known, sure)
            known[literals] -= 1
        elif not propagated(+known, sure | {-literal for literal in literals}):
            return f"line {number} does not follow: {line}"
        elif not literals:
            return None
        else:
            known[literals] += 1
    return "the proof does not end with the empty clause"
