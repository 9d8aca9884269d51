"""Models as clauses, and PicoSAT: encodings, propagation, attempts, enumeration, objectives, DIMACS."""

from __future__ import annotations

import json
import re

import pycosat as binding
import pytest
from sudoku_backends.cnf import propagation
from sudoku_backends.cnf.at_most_one import ENCODINGS
from sudoku_backends.cnf.compiled import NativeClauses, to_dimacs
from sudoku_backends.cnf.formula import NONE, Formula
from sudoku_backends.cnf.pycosat import BACKEND

from sudoku_models.engine.contract import Reason, Request
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.puzzle import Puzzle, Shape

from .helpers import (
    attempt,
    compiled,
    domains_of,
    random_domains,
    random_model,
    solutions,
)

X, Y, Z = (Variable(name, (1, 2, 3)) for name in "xyz")


@pytest.fixture(params=["machine code", "plain Python"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Propagate by the kernels as machine code, or as plain Python."""
    if request.param == "machine code":
        pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")
    else:
        monkeypatch.setattr(propagation, "machine", propagation.LIBRARY.plain)
    return str(request.param)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("propagate", ["singles", "locked"])
def test_propagation_keeps_every_solution(propagate: str) -> None:
    for seed in range(30):
        model = random_model(seed)
        domains = random_domains(seed, model) if seed % 2 else {}
        found = solutions(model, domains, propagate=propagate)
        assert sorted(found) == list(brute_force(model.narrowed(domains))), str(model)
    for shape, count in ((Shape.square(4), 288), (Shape.latin(4), 576)):
        for house in ("extended", "efficient", "minimal"):
            assert len(set(solutions(shape.model, propagate=propagate, house=house, amo="product"))) == count
            assert len(set(solutions(shape.model, propagate=propagate, house=house))) == count


SEVERAL = {
    "9 x 9": Puzzle.parse("8.........95.......76.........426798...571243...893165......916....3.487....1.532"),
    "10 x 10": Puzzle.empty(Shape.square(10, (2, 5))).with_givens({"R1C1": 1, "R5C2": 7}),
    "16 x 16": Puzzle.empty(16).with_givens({f"R{i}C{i}": i for i in range(1, 17)}),
    "jigsaw": Puzzle.empty(Shape.irregular("1122 1122 3344 3344")),
}


@pytest.mark.parametrize(
    ("size", "house"), [*zip(SEVERAL, ("extended", "efficient", "minimal", "minimal"), strict=True)]
)
def test_the_formula_depends_on_the_puzzle_alone(size: str, house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, formulas = SEVERAL[size], []
    for plain in (False, True, False):
        with monkeypatch.context() as patch:
            if plain:
                patch.setattr(propagation, "machine", propagation.LIBRARY.plain)
            form = compiled(puzzle.structure, house=house, propagate="locked")
            formulas.append(form.native_for(puzzle.domains).clauses)
    assert formulas[0] == formulas[1] == formulas[2] != []


@pytest.mark.parametrize("reduction", ["givens", "none"])
@pytest.mark.parametrize("amo", ENCODINGS)
@pytest.mark.parametrize("house", ("extended", "efficient", "minimal"))
def test_every_way_of_encoding_has_the_same_solutions(house: str, amo: str, reduction: str) -> None:
    for seed in range(8):
        model = random_model(seed)
        domains = random_domains(seed, model)
        found = solutions(model, domains, house=house, amo=amo, reduction=reduction, propagate="none")
        assert sorted(found) == list(brute_force(model.narrowed(domains))), str(model)


@pytest.mark.parametrize("amo", ENCODINGS)
def test_an_alldifferent_of_fewer_variables_than_values_keeps_its_count_under_every_at_most_one(amo: str) -> None:
    names = [Variable(f"v{i}", range(1, 7)) for i in range(5)]
    assert len(set(solutions(Model(names, [AllDifferent(names)]), amo=amo))) == 720


@pytest.mark.parametrize("n", [4, 9, 16])
@pytest.mark.parametrize("givens", [0, 3])
def test_the_unreduced_formula_has_the_closed_form_of_clauses(n: int, givens: int) -> None:
    shape = Shape.square(n)
    pairs = n * (n - 1) // 2
    domains = {name: (i + 1,) for i, name in enumerate(shape.names[:givens])}
    forms = {
        "minimal": n**2 + 3 * n**2 * pairs,
        "efficient": n**2 + 4 * n**2 * pairs,
        "extended": 4 * n**2 + 4 * n**2 * pairs,
    }
    for house, clauses in forms.items():
        native = compiled(shape.model, house=house, reduction="none").native_for(domains)
        assert (native.variables, len(native.clauses)) == (n**3, clauses + givens)


# ---------------------------------------------------------------- PicoSAT

NINE = Shape.square(9)
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_an_attempt_that_reaches_its_propagations_is_not_settled() -> None:
    hole = _pigeons(11, 10)
    for limit in (1, 2):
        assert attempt(compiled(hole, prop_limit=3000), Request(limit=limit)) is None
    small = attempt(compiled(_pigeons(5, 4), prop_limit=1_000_000), Request(limit=2))
    assert small is not None
    assert (list(small), small.outcome.complete) == ([], True)


def _pigeons(pigeons: int, holes: int) -> Model:
    """Pairwise different, said pair by pair, so that no counting finds the contradiction."""
    birds = [Variable(f"p{i}", range(holes)) for i in range(pigeons)]
    return Model(birds, [AllDifferent([x, y]) for i, x in enumerate(birds) for y in birds[:i]])


@pytest.mark.parametrize("prop_limit", [1, 10, 100, 300, 1000, 3000, 10_000, 1_000_000])
def test_whatever_the_bound_an_attempt_is_right_or_gives_up(prop_limit: int) -> None:
    for seed in range(12):
        model = random_model(seed)
        expected = len(list(brute_force(model)))
        run = attempt(compiled(model, prop_limit=prop_limit), Request(limit=60))
        if run is not None:
            assert len(set(run)) == min(60, expected)
            assert run.outcome.complete == (expected < 60 or run.outcome.reason is Reason.EXHAUSTED)


def test_no_literal_reaches_the_bound_at_which_picosat_aborts() -> None:
    with pytest.raises(OverflowError, match="2\\^31"):
        Formula(2**31 - 1, NONE, NONE, NONE, NONE)


def test_a_puzzle_that_propagation_decides_is_settled_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the solver was called")

    form = compiled(Shape.square(9).model, propagate="singles")
    form.problem({})
    monkeypatch.setattr("pycosat.solve", never)
    monkeypatch.setattr("pycosat.itersolve", never)
    domains = domains_of(Shape.square(9), PUZZLE)
    run = attempt(form, Request(domains=domains, limit=2))
    assert run is not None
    assert ["".join(map(str, s)) for s in run] == [ANSWER]
    assert run.outcome.complete
    assert len(list(form.run(Request(domains=domains, limit=None)))) == 1


# ---------------------------------------------------------------- DIMACS

MEANING = re.compile(r'c ("(?:[^"\\]|\\.)*"|[^\s"]+)=(-?[0-9]+) is ([0-9]+|decided)')


def read_back(text: str) -> NativeClauses:
    """Return the clauses of a file, and what its comment lines say of the literals, which come in order."""
    lines = text.splitlines()
    (header,) = (line.split() for line in lines if line.startswith("p"))
    clauses: list[list[int]] = [[]]
    for word in " ".join(line for line in lines if line[0] not in "cp").split():
        clauses += [[]] if word == "0" else []
        clauses[-1] += [int(word)] if word != "0" else []
    assert clauses.pop() == [] and len(clauses) == int(header[3])
    found = [match.groups() for line in lines if (match := MEANING.fullmatch(line))]
    named = [(json.loads(name) if name.startswith('"') else name, int(value), means) for name, value, means in found]
    candidates = [(name, value) for name, value, means in named if means != "decided"]
    assert [means for _, _, means in named if means != "decided"] == [str(i + 1) for i in range(len(candidates))]
    decided = {name: value for name, value, means in named if means == "decided"}
    return NativeClauses(clauses, int(header[2]), candidates, decided)


def test_what_is_written_is_read_back_with_its_map() -> None:
    for seed in range(60):
        model = random_model(seed)
        native = compiled(model, amo="product").native_for(random_domains(seed, model))
        assert read_back("".join(to_dimacs(native))) == native


def test_the_export_streams_the_reduced_formula() -> None:
    shape = Shape.square(4)
    form = compiled(shape.model)
    domains = domains_of(shape, "1...............")
    lines = BACKEND.capabilities.exports["dimacs"](form, domains)
    text = "".join(lines)
    assert "c R1C1=1 is decided\n" in text
    native = read_back(text)
    assert native == form.native_for(domains)
    values = native.solution(binding.solve(native.clauses))
    assert shape.model.holds(values)
    assert values["R1C1"] == 1


def test_names_with_blanks_and_quotes_survive() -> None:
    model = Model([Variable('a "b" = 3 is 4', (1, 2)), Variable("=", (-1, 2))])
    native = compiled(model).native
    assert read_back("".join(to_dimacs(native))) == native


def test_a_model_without_solution_is_one_empty_clause() -> None:
    shape = Shape.square(4)
    native = compiled(shape.model).native_for({"R1C1": (1,), "R1C2": (1,)})
    assert native.clauses == [[]]
    assert read_back("".join(to_dimacs(native))).clauses == [[]]


# ---------------------------------------------------------------- objectives


def test_improvements_are_attempted_in_process() -> None:
    xs = [Variable(f"x{i}", range(6)) for i in range(6)]
    model = Model(xs, [xs[0] != xs[1], xs[1] != xs[2]]).maximise(sum(xs[1:], start=xs[0] * 1))
    settled = attempt(BACKEND.compile(model), Request(limit=None))
    assert settled is not None
    values = list(map(sum, settled))
    assert values == sorted(set(values)) and values[-1] == 29
    assert settled.outcome.complete and settled.record.bound == 30
