from __future__ import annotations

import pytest
from sudoku_backends.cnf.encoding.dimacs import read_dimacs, to_dimacs
from sudoku_backends.cnf.solvers.pycosat import BACKEND

from sudoku_models.errors import FormatError
from sudoku_models.model import Model, Variable
from sudoku_models.puzzle.shape import Shape

from .helpers import compiled, domains_of, random_domains, random_model


def test_what_is_written_is_read_back_with_its_map() -> None:
    for seed in range(60):
        model = random_model(seed)
        native = compiled(model, amo="product").native_for(random_domains(seed, model))
        assert read_dimacs("".join(to_dimacs(native))) == native


def test_the_export_streams_the_reduced_formula() -> None:
    import pycosat

    shape = Shape.square(4)
    form = compiled(shape.model)
    domains = domains_of(shape, "1...............")
    lines = BACKEND.capabilities.exports["dimacs"](form, domains)
    text = "".join(lines)
    assert "c R1C1=1 is decided\n" in text
    native = read_dimacs(text)
    assert native == form.native_for(domains)
    values = native.solution(pycosat.solve(native.clauses))
    assert shape.model.holds(values)
    assert values["R1C1"] == 1


def test_names_with_blanks_and_quotes_survive() -> None:
    model = Model([Variable('a "b" = 3 is 4', (1, 2)), Variable("=", (-1, 2))])
    native = compiled(model).native
    assert read_dimacs("".join(to_dimacs(native))) == native


def test_a_model_without_solution_is_one_empty_clause() -> None:
    shape = Shape.square(4)
    native = compiled(shape.model).native_for({"R1C1": (1,), "R1C2": (1,)})
    assert native.clauses == [[]]
    assert read_dimacs("".join(to_dimacs(native))).clauses == [[]]


def test_literals_and_meanings_are_each_others_inverse() -> None:
    shape = Shape.square(4)
    native = compiled(shape.model, amo="sequential").native_for({"R1C1": (1,)})
    for name, value in native.candidates:
        assert native.meaning(native.literal(name, value)) == (name, value)
        assert native.meaning(-native.literal(name, value)) == (name, value)
    with pytest.raises(KeyError, match="it is 1"):
        native.literal("R1C1", 2)
    with pytest.raises(KeyError, match="not a literal"):
        native.meaning(native.variables + 1)


def test_the_native_clauses_are_a_copy_of_plain_integers_to_be_extended() -> None:
    form = compiled(Shape.square(4).model)
    native = form.native
    native.clauses.append([native.literal("R1C1", 1)])
    assert len(form.native.clauses) == len(native.clauses) - 1
    assert {type(literal) for clause in native.clauses for literal in clause} == {int}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no 'p cnf VARIABLES CLAUSES' line"),
        ("1 2 0\n", "line 1: 'p cnf VARIABLES CLAUSES' is expected before"),
        ("p cnf 2\n", "line 1: 'p cnf VARIABLES CLAUSES' is expected, not"),
        ("p cnf 2 1\np cnf 2 1\n", "line 2: there is a second"),
        ("p cnf 2 1\n1 x 0\n", "line 2: a literal or 0 is expected, not 'x'"),
        ("p cnf 2 1\n3 0\n", "line 2: the literal 3 is beyond the 2 variables"),
        ("p cnf 2 1\n1 2\n", "the last clause does not end with 0"),
        ("p cnf 2 2\n1 2 0\n", "1 clauses where the 'p cnf' line says 2"),
        ("c a=1 is 2\np cnf 2 1\n1 0\n", "does not name the literals 1 to 1"),
        ("p cnf " + "9" * 5000 + " 1\n1 0\n", "line 1: 'p cnf VARIABLES CLAUSES' is expected"),
        ('c "a\\2"=1 is 1\np cnf 1 1\n1 0\n', "line 1: the name"),
        ('c "a\\ud800"=1 is 1\np cnf 1 1\n1 0\n', "line 1: the name"),
        ("c a=1 is 1\nc a=2 is 1\np cnf 2 1\n1 0\n", "line 2: literal 1 has two meanings"),
    ],
)
def test_a_file_that_is_no_dimacs_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_dimacs(text)
    assert message in str(caught.value)


def test_a_file_of_another_program_is_read_without_a_map() -> None:
    native = read_dimacs("c made elsewhere\nc x = 3\np cnf 3 2\n1 -2\n 0 3 0\n")
    assert (native.clauses, native.candidates) == ([[1, -2], [3]], [])
