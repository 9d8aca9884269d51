"""The two encoders: written apart from the same description, and an error in one of them is seen."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sudoku_models import Model, Puzzle
from sudoku_models import prove as package
from sudoku_models.engine.refutation import refute
from sudoku_models.model import AllDifferent, Compare, Connected, Constraint, Linear, Not, Objective, Variable
from sudoku_models.prove import Certificate, Claim, Statement, certify, check
from sudoku_models.prove import encoding as first
from sudoku_models.prove.certify import cnf_of, hinted
from sudoku_models.prove.encoding import claim_formula
from sudoku_models.prove.formula import FlatFormula
from sudoku_models.prove.kinds import ENCODERS
from sudoku_models.prove.plain import PlainClauses, clauses, restated, word_clauses
from sudoku_models.prove.plain import kinds as second
from sudoku_models.testing.generators import GENERATORS, random_model

from .boards import SMALL, knapsack, ruled

FIRST = ("encoding", "kinds", "sum_clauses", "group", "diagram", "formula_place", "formula")
"""The files of the first encoder."""


def same(problem: Puzzle | Model, claim: Claim = Claim.COUNT, found: tuple[tuple[int, ...], ...] = ()) -> bool:
    """Tell whether both encoders write the same formula and the same map."""
    statement = Statement.of(problem)
    one = first.claim_formula(statement, claim, found)
    other = restated(statement, claim, found, lambda: None)
    return (one.numbers, one.variables, one.literals) == (other.numbers, other.variables, other.map)


@pytest.mark.parametrize("kind", list(GENERATORS), ids=lambda kind: kind.__name__)
def test_both_encoders_write_each_kind_and_its_contrary_alike(kind: type[Constraint]) -> None:
    for seed in range(12):
        rng = Random(f"plain {kind.__name__} {seed}")
        model = random_model(rng, [kind], rng.randint(1, 4), 1)
        assert same(model), str(model)
        assert same(Model(model.variables, [Not(c) for c in model.constraints])), str(model)


def test_both_encoders_write_random_mixtures_alike() -> None:
    for seed in range(60):
        rng = Random(f"plain mixture {seed}")
        assert same(random_model(rng, list(GENERATORS), rng.randint(2, 4), rng.randint(2, 3))), seed


@pytest.mark.parametrize("problem", [SMALL, ruled(), knapsack()], ids=["unique", "rules", "objective"])
def test_both_encoders_write_claims_alike(problem: Any) -> None:
    stated = Puzzle.parse(problem) if isinstance(problem, str) else problem
    made = certify(stated, None if isinstance(stated, Model) else "count")
    assert same(stated, made.claim, made.solutions)


def test_both_encoders_write_wide_domains_and_groups_alike() -> None:
    wide = [Variable("x", range(60)), Variable("y", range(50))]
    assert same(Model(wide, [Compare(*wide[:1], "<", wide[1])]))
    cells = [Variable(name, (1, 2)) for name in "abcd"]
    joined = Connected(cells, [(0, 1), (1, 2), (2, 2), (2, 3)], (2,))
    assert same(Model(cells, [joined])) and same(Model(cells, [Not(joined)]))
    again = Connected(["a", "b", "a", "c"], [(0, 1), (1, 0), (1, 1), (0, 3), (0, 2)], (2,))
    assert same(Model(cells, [again])) and same(Model(cells, [Not(again)]))


def test_the_second_encoder_knows_every_kind() -> None:
    known = {*second.WRITERS, "Not", "And", "Or", "Implies"}
    assert known == {kind.__name__ for kind in ENCODERS}


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports from, dots and all."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def test_the_encoders_share_no_code() -> None:
    folder = Path(package.__file__).parent
    ours = {path.stem for path in (folder / "plain").glob("*.py")} - {"__init__"}
    for path in (folder / "plain").glob("*.py"):
        theirs = {name for name in imported(path) if name.startswith(".") and name[1:] not in ours}
        assert theirs <= {"...model", "...errors", "..statement"}, path.name
    first = {folder / f"{name}.py" for name in FIRST}
    for path in (folder / "plain").glob("*.py"):
        assert not reached(path) & first, path.name
    for path in first:
        assert not any(other.parent.name == "plain" for other in reached(path)), path.name
    assert folder / "statement.py" in reached(folder / "plain" / "claims.py")
    assert folder / "formula.py" in reached(folder / "certificate.py") & first


def reached(path: Path) -> set[Path]:
    """Return the files of the folder of certificates to which imports lead from a file, over any number of others."""
    found, left = {path}, [path]
    while left:
        here = left.pop()
        for module in imported(here):
            dots = len(module) - len(module.lstrip("."))
            if dots:
                target = here.parents[dots - 1].joinpath(*module.lstrip(".").split(".")).with_suffix(".py")
                if target.exists() and target not in found:
                    found.add(target)
                    left.append(target)
    return found


def dropping(writer: Callable[..., None], add: Any, say: str) -> Callable[..., None]:
    """Return a writer that leaves out the last clause that it should write."""

    def faulty(*arguments: Any) -> None:
        written: list[tuple[int, ...]] = []
        kept = getattr(add, say)

        def note(self: Any, *clause: Any) -> None:
            written.append(tuple(clause[0]) if say == "add" else clause)

        setattr(add, say, note)
        try:
            writer(*arguments)
        finally:
            setattr(add, say, kept)
        book = arguments[0].formula if say == "add" else arguments[0]
        for clause in written[:-1]:
            kept(book, clause) if say == "add" else kept(book, *clause)

    return faulty


PLANTED = [
    AllDifferent(("a", "b", "c")),
    Compare("a", "<", "b"),
    Linear((1, 2, 1), ("a", "b", "c"), "<=", 7),
    Linear((1, 1, 1), ("a", "b", "c"), "!=", 6),
]


@pytest.mark.parametrize("constraint", PLANTED, ids=lambda c: f"{type(c).__name__} {getattr(c, 'op', '')}")
@pytest.mark.parametrize("which", ["first", "second"])
def test_a_clause_left_out_by_one_encoder_is_seen(
    which: str, constraint: Constraint, monkeypatch: pytest.MonkeyPatch
) -> None:
    xs = [Variable(name, (1, 2, 3)) for name in "abc"]
    honest = certify(Model(xs, [constraint]), "count")
    assert check(honest)
    kind = type(constraint)
    if which == "first":
        monkeypatch.setitem(ENCODERS, kind, dropping(ENCODERS[kind], FlatFormula, "add"))
    else:
        name = kind.__name__
        monkeypatch.setitem(second.WRITERS, name, dropping(second.WRITERS[name], PlainClauses, "say"))
    fresh = Model(xs, [constraint])
    made = certify(fresh, "count") if which == "second" else made_with_all(fresh, honest.solutions)
    found = check(made)
    assert not found
    assert "stated again by a second encoder, and differs" in found.problem


def made_with_all(model: Model, found: tuple[tuple[int, ...], ...]) -> Any:
    """Return a certificate of the first encoder's formula as it is now; its proof does not matter."""
    from sudoku_models.prove import Certificate

    statement = Statement.of(model)
    return Certificate(statement, Claim.COUNT, found, first.claim_formula(statement, Claim.COUNT, found), ())


def test_the_order_in_which_states_are_found_makes_no_difference() -> None:
    """A state that holds more than it needs is the same state as far as the word goes on in the same ways."""
    xs = [Variable(name, (1, 2, 3)) for name in "abcd"]
    domains = {x.name: x.domain for x in xs}
    written = []
    for reading in (lambda _, s, v: (s + v) % 2, lambda _, s, v: s + v):
        book = PlainClauses(domains, lambda: None)
        letters = [book.values(x.name) for x in xs]
        word_clauses.read(book, letters, 0, reading, lambda s: s % 2 == 1, True, ())
        written.append(book.all)
    assert written[0] == written[1]


def test_a_model_too_large_to_be_stated_again_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = certify(Model([Variable(x, range(9)) for x in "abc"], [Linear((1, 2, 3), ("a", "b", "c"), "==", 0)]))
    again = replace(made, statement=Statement(Model.parse(str(made.statement.model)), {}))
    monkeypatch.setattr(word_clauses, "MANY", 3)
    assert "more than 3 states" in check(again).problem
    monkeypatch.setattr(clauses, "MOST", 50)
    assert "more than 50 literals" in check(again).problem
    monkeypatch.undo()
    assert check(again)


def test_an_objective_is_stated_again_too() -> None:
    model = knapsack()
    assert model.objective
    other = Model(model.variables, model.constraints, Objective("maximize", (1, 6, 8), model.variables))
    made = certify(model)
    mixed = Statement(other, {})
    assert not check(replace(made, statement=mixed))


@pytest.mark.parametrize("narrowed", [{"x": ()}, {"x": (1,), "y": (1,)}, {"x": (1, 2, 3)}])
def test_variables_that_are_narrowed_without_a_puzzle_are_refused(narrowed: dict[str, tuple[int, ...]]) -> None:
    """What is certified of a model is the model alone: its own text says what its variables may be."""
    xs = [Variable(name, (1, 2, 3)) for name in "xy"]
    statement = Statement(Model(xs, [AllDifferent(xs)]), narrowed)
    formula = claim_formula(statement, Claim.UNSATISFIABLE, ())
    _, lemmas = refute(cnf_of(formula), "cdcl", None)
    lines = () if lemmas is None else tuple(hinted(formula, lemmas, None))
    found = check(Certificate(statement, Claim.UNSATISFIABLE, (), formula, lines, "cdcl"))
    assert (found.accepted, "narrows variables of its model" in found.problem) == (False, True)
