from __future__ import annotations

import json
import re

import pytest
from sudoku_backends.cnf.native import NativeClauses, to_dimacs
from sudoku_backends.cnf.pycosat import BACKEND

from sudoku_models.model import Model, Variable
from sudoku_models.puzzle.shape import Shape

from .helpers import compiled, domains_of, random_domains, random_model

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
    import pycosat

    shape = Shape.square(4)
    form = compiled(shape.model)
    domains = domains_of(shape, "1...............")
    lines = BACKEND.capabilities.exports["dimacs"](form, domains)
    text = "".join(lines)
    assert "c R1C1=1 is decided\n" in text
    native = read_back(text)
    assert native == form.native_for(domains)
    values = native.solution(pycosat.solve(native.clauses))
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
