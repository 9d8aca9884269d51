from __future__ import annotations

import random

import pytest
from sudoku_backends.cnf import propagation
from sudoku_backends.cnf.compiled import AT_MOST_ONE, HOUSE

from sudoku_models.engine.contract import Request
from sudoku_models.errors import BadOption
from sudoku_models.model import AllDifferent, Compare, InDomain, Model, Table, Variable, brute_force
from sudoku_models.puzzle import Puzzle, Shape

from .helpers import attempt, candidates_left, compiled, domains_of, fixpoint, random_domains, random_model, solutions

X, Y, Z = (Variable(name, (1, 2, 3)) for name in "xyz")


@pytest.mark.parametrize("seed", range(400))
def test_random_models_have_the_solutions_that_brute_force_finds(seed: int) -> None:
    model = random_model(seed)
    assert sorted(solutions(model)) == sorted(solutions(model, propagate="none")) == list(brute_force(model))


@pytest.mark.parametrize("seed", range(200))
def test_random_models_narrowed_by_a_request_have_the_solutions_of_the_narrowed_model(seed: int) -> None:
    model = random_model(seed)
    domains = random_domains(seed, model)
    assert sorted(solutions(model, domains)) == list(brute_force(model.narrowed(domains)))


@pytest.fixture(params=["machine code", "plain Python"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Propagate by the kernels as machine code, or as plain Python."""
    if request.param == "machine code":
        pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")
    else:
        monkeypatch.setattr(propagation, "kernels", propagation.LIBRARY.plain)
    return str(request.param)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("propagate", ["singles", "locked"])
def test_propagation_keeps_every_solution(propagate: str) -> None:
    for seed in range(400):
        model = random_model(seed)
        domains = random_domains(seed, model) if seed % 2 else {}
        found = solutions(model, domains, propagate=propagate)
        assert sorted(found) == list(brute_force(model.narrowed(domains))), str(model)
    for shape, count in ((Shape.square(4), 288), (Shape.latin(4), 576)):
        for house in HOUSE:
            assert len(set(solutions(shape.model, propagate=propagate, house=house, amo="product"))) == count
            assert len(set(solutions(shape.model, propagate=propagate, house=house))) == count


@pytest.mark.usefixtures("kernels")
def test_propagation_removes_exactly_what_singles_and_locked_candidates_exclude() -> None:
    models = [Shape.square(4).model, Shape.square(6).model, _diagonal(4), Shape.irregular("AABBAABBCCDDCCDD").model]
    for seed in range(60):
        model = models[seed % len(models)]
        rng = random.Random(seed)
        givens = {x: (rng.choice(model[x].domain),) for x in rng.sample(model.names, 4)}
        for level in ("none", "singles", "locked"):
            problem = compiled(model, propagate=level).problem(givens)
            expected = fixpoint(model, givens, level)
            assert problem.impossible == (expected is None)
            if expected is not None:
                assert candidates_left(problem) == expected


def _diagonal(n: int) -> Model:
    down = [f"R{i}C{i}" for i in range(1, n + 1)]
    up = [f"R{i}C{n + 1 - i}" for i in range(1, n + 1)]
    return Shape.square(n).model.with_(AllDifferent(down), AllDifferent(up))


def test_what_propagation_did_is_in_the_record() -> None:
    for level in ("none", "singles", "locked"):
        run = attempt(compiled(Shape.square(9).model, propagate=level), Request(limit=1))
        assert run is not None
        assert run.record.notes == [f"propagation before the encoding: {level}"]


@pytest.mark.parametrize("machine_code", [True, False])
def test_automatic_propagation_goes_by_whether_there_can_be_machine_code(
    machine_code: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(propagation, "has_machine_code", lambda: machine_code)
    run = attempt(compiled(Shape.square(4).model), Request(limit=1))
    assert run is not None
    assert run.record.notes[0].partition(": ")[2] == ("locked" if machine_code else "none")


SEVERAL = {
    "9 x 9": Puzzle.parse("8.........95.......76.........426798...571243...893165......916....3.487....1.532"),
    "10 x 10": Puzzle.empty(Shape.square(10, (2, 5))).with_givens({"R1C1": 1, "R5C2": 7}),
    "16 x 16": Puzzle.empty(16).with_givens({f"R{i}C{i}": i for i in range(1, 17)}),
    "jigsaw": Puzzle.empty(Shape.irregular("1122 1122 3344 3344")),
}


@pytest.mark.parametrize("house", HOUSE)
@pytest.mark.parametrize("size", SEVERAL)
def test_the_formula_depends_on_the_puzzle_alone(size: str, house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, formulas = SEVERAL[size], []
    for plain in (False, True, False):
        with monkeypatch.context() as patch:
            if plain:
                patch.setattr(propagation, "kernels", propagation.LIBRARY.plain)
            form = compiled(puzzle.structure, house=house, propagate="locked")
            formulas.append(form.native_for(puzzle.domains).clauses)
    assert formulas[0] == formulas[1] == formulas[2] != []


@pytest.mark.parametrize("reduction", ["givens", "none"])
@pytest.mark.parametrize("amo", AT_MOST_ONE)
@pytest.mark.parametrize("house", HOUSE)
def test_every_way_of_encoding_has_the_same_solutions(house: str, amo: str, reduction: str) -> None:
    for seed in range(60):
        model = random_model(seed)
        domains = random_domains(seed, model)
        found = solutions(model, domains, house=house, amo=amo, reduction=reduction, propagate="none")
        assert sorted(found) == list(brute_force(model.narrowed(domains))), str(model)


@pytest.mark.parametrize("amo", AT_MOST_ONE)
@pytest.mark.parametrize("house", HOUSE)
def test_small_squares_have_their_known_numbers_of_solutions(house: str, amo: str) -> None:
    for shape, count in ((Shape.square(4), 288), (Shape.latin(4), 576)):
        found = solutions(shape.model, house=house, amo=amo, propagate="none")
        assert len(found) == len(set(found)) == count


@pytest.mark.parametrize("amo", AT_MOST_ONE)
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


def test_clauses_grow_as_the_closed_form_of_each_at_most_one_says() -> None:
    n, lists = 9, 4 * 81
    per_list = {
        "pairwise": (0, n * (n - 1) // 2),
        "sequential": (n - 1, 3 * n - 4),
        "product": (6, 2 * n + 3 + 3),
        "commander": (3, 3 * 3 + 3 + n + 3),
        "bimander": (3, 4 + 3 * n),
    }
    for amo, (auxiliaries, clauses) in per_list.items():
        sizes = compiled(Shape.square(n).model, amo=amo, propagate="none").problem({}).formula.sizes
        assert sizes["variables"] == 729 + lists * auxiliaries
        assert sizes["clauses"] == lists + lists * clauses


def test_the_reduction_leaves_what_kwon_and_jain_leave() -> None:
    shape = Shape.square(4)
    problem = compiled(shape.model, propagate="none").problem(domains_of(shape, "1...............") | {"R4C4": (2, 3)})
    names = {shape.names[c] for c in problem.reduced.cell.tolist()}
    assert names == set(shape.names) - {"R1C1"}
    assert len(problem.reduced.open) == 15 * 4 - 7 - 2


def test_two_equal_givens_in_a_house_leave_no_solution() -> None:
    shape = Shape.square(9)
    for other in ("R1C9", "R9C1", "R2C2"):
        problem = compiled(shape.model).problem({"R1C1": (5,), other: (5,)})
        assert problem.impossible
        assert solutions(shape.model, {"R1C1": (5,), other: (5,)}) == []


def test_a_value_without_a_place_and_a_cell_without_a_value_are_found_before_the_search() -> None:
    shape = Shape.square(9)
    domains = dict.fromkeys(("R5C5", "R5C6", "R5C7"), (1, 2))
    assert solutions(shape.model, domains) == []
    no_value = {f"R1C{i}": (i,) for i in range(1, 9)} | {"R2C9": (9,)}
    assert compiled(shape.model).problem(no_value).impossible
    nowhere = {f"R1C{i}": tuple(range(1, 9)) for i in range(1, 10)}
    assert compiled(shape.model).problem(nowhere).impossible


def test_more_variables_than_values_are_impossible_at_once() -> None:
    pigeons = [Variable(f"p{i}", range(14)) for i in range(15)]
    assert compiled(Model(pigeons, [AllDifferent(pigeons)])).problem({}).impossible


def test_pencil_marks_narrow_houses_and_other_models_alike() -> None:
    shape = Shape.latin(4)
    domains = {"R1C1": (1, 3), "R2C2": (2, 4), "R3C1": (2,)}
    expected = list(brute_force(_first_two_rows().narrowed({k: v for k, v in domains.items() if k != "R3C1"})))
    found = {s[:8] for s in solutions(shape.model, domains)}
    assert found == {row for row in expected if 2 not in (row[0], row[4])}


def _first_two_rows() -> Model:
    shape = Shape.latin(4)
    names = shape.names[:8]
    columns = [AllDifferent([names[c], names[c + 4]]) for c in range(4)]
    return Model(
        [Variable(x, range(1, 5)) for x in names], [AllDifferent(names[:4]), AllDifferent(names[4:]), *columns]
    )


def test_overlapping_houses_and_cells_outside_all_of_them_are_encoded() -> None:
    cells = [Variable(f"c{i}", (1, 2, 3)) for i in range(6)]
    model = Model(
        cells, [AllDifferent(cells[:3]), AllDifferent(cells[1:4]), AllDifferent([cells[0], cells[2], cells[4]])]
    )
    for house in HOUSE:
        assert sorted(solutions(model, house=house)) == list(brute_force(model))


def test_a_table_that_names_a_variable_twice_is_read_by_its_meaning() -> None:
    for allowed in (True, False):
        model = Model([X, Y], [Table(["x", "y", "x"], [(1, 2, 1), (1, 2, 3), (2, 2, 2)], allowed)])
        assert sorted(solutions(model)) == list(brute_force(model))


def test_a_comparison_of_a_variable_with_itself_is_true_or_impossible() -> None:
    assert len(solutions(Model([X], [Compare("x", "<", "x", 1)]))) == 3
    assert solutions(Model([X], [Compare("x", "<", "x")])) == []


def test_wide_domains_beside_narrow_ones_have_no_more_literals_than_values() -> None:
    total = Variable("total", range(0, 2001, 5))
    model = Model([X, Y, total], [Compare("x", "<=", "total"), InDomain(Y, [2])])
    assert len(compiled(model).native.candidates) == 3 + 401
    model = Model([X, Y, total], [Compare("x", "<=", "total", -4)])
    assert sorted(solutions(model)) == list(brute_force(model))


def test_an_unknown_name_in_a_request_is_an_error() -> None:
    for reduction in ("givens", "none"):
        with pytest.raises(ValueError, match="R9C9 is not a variable"):
            solutions(Shape.square(4).model, {"R9C9": (1,)}, reduction=reduction)


def test_unknown_and_contradicting_options_are_errors() -> None:
    with pytest.raises(BadOption, match="pairwise, sequential"):
        compiled(Shape.square(4).model, amo="cleverest")
    with pytest.raises(BadOption, match="reduction=none"):
        compiled(Shape.square(4).model, propagate="singles", reduction="none")
    with pytest.raises(BadOption, match="prop_limit=0"):
        compiled(Shape.square(4).model, prop_limit=0)
