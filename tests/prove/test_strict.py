"""Formulas and proofs are such that the strictest checkers read them: no variable twice in a clause."""

from __future__ import annotations

from random import Random

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models import Model, Puzzle, Variable
from sudoku_models.collection import Variant, variants
from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Connected,
    Constraint,
    Count,
    Element,
    InDomain,
    Linear,
    MinMax,
    MultisetEqual,
    Not,
    NValue,
    Or,
    Regular,
    Table,
)
from sudoku_models.model.regular import Automaton
from sudoku_models.prove import certify, check
from sudoku_models.prove.files import texts
from sudoku_models.puzzle.rules import NumberedRoom

from .strict import Malformed, read_formula, read_strictly


@pytest.mark.parametrize("variant", variants()[::6], ids=lambda variant: variant.name)
def test_each_shipped_variant_has_a_certificate_that_strict_checkers_read(variant: Variant) -> None:
    one = variant.solutions == 1
    made = certify(variant.puzzle, "unique" if one else "count", count=None if one else variant.solutions)
    read_strictly(texts(made))


def test_a_cell_that_is_index_and_value_stands_once_in_a_clause() -> None:
    made = certify(Puzzle.empty(4).with_rules(NumberedRoom("R1C1 R1C2 R1C3 R1C4", 2)), count=48)
    read_strictly(texts(made))
    assert check(made)
    assert check_proof(parse_dimacs(made.formula.dimacs), texts(made)["proof.drat"]).ok


EVEN = Automaton(2, 0, [0], [(s, v, (s + v) % 2) for s in (0, 1) for v in range(4)])
REPEATED: list[Constraint] = [
    Element(("a", "b", "a"), "a", "a"),
    Element(("b", "c", "c"), "b", "c"),
    Element(("a", "a", "a"), "a", 1),
    Compare("a", "<", "a"),
    Compare("a", "<=", "a"),
    Table(("a", "b", "a"), [(1, 2, 1), (1, 1, 2), (2, 3, 2)]),
    Table(("a", "b", "a"), [(1, 2, 1), (1, 1, 2), (2, 3, 2)], allowed=False),
    Linear((1, 2, -3), ("a", "b", "a"), "<=", 2),
    Count(("a", "a", "b"), (1, 2), "==", "a"),
    NValue(("a", "a", "b", "a"), "<", "b"),
    MinMax(("a", "b", "a"), "a", "b"),
    MultisetEqual(("a", "b", "a"), ("b", "b", "c")),
    Regular(("a", "b", "a"), EVEN),
    Or([InDomain("a", (1, 2)), InDomain("a", (2, 3)), Compare("b", "<", "c")]),
    And([InDomain("a", (1, 2)), InDomain("a", (2, 3))]),
    Connected(("a", "b", "a", "c"), [(0, 1), (1, 0), (1, 1), (0, 3), (0, 2)], (1, 2)),
]


@pytest.mark.parametrize("constraint", REPEATED, ids=str)
@pytest.mark.parametrize("holds", [True, False], ids=["it", "its contrary"])
def test_a_variable_that_a_constraint_names_twice_stands_once_in_a_clause(constraint: Constraint, holds: bool) -> None:
    xs = [Variable(name, range(4)) for name in "abc"]
    made = certify(Model(xs, [constraint if holds else Not(constraint), AllDifferent(("b", "c"))]), "count")
    read_strictly(texts(made))
    assert check(made)


@pytest.mark.parametrize("clause", ["1 1 0", "1 -1 0", "1 3 0", "1 2", "1  2 0", "+1 0", "1 0 2 0", "01 0", "1 2 0 "])
def test_the_strict_reader_refuses_what_some_checker_refuses(clause: str) -> None:
    assert read_formula("p cnf 2 2\n1 2 0\n-1 -2 0\n") == (2, {1: (1, 2), 2: (-1, -2)})
    with pytest.raises(Malformed):
        read_formula(f"p cnf 2 2\n1 2 0\n{clause}\n")


def test_the_strict_reader_refuses_a_proof_that_was_changed() -> None:
    files = texts(certify("1..." + "..2." + "...3" + ".4.."))
    read_strictly(files)
    rng, proof = Random(1), files["proof.lrat"].split(" ")
    refused = 0
    for at in rng.sample(range(1, len(proof)), min(60, len(proof) - 1)):
        changed = " ".join([*proof[:at], f"{proof[at]}7", *proof[at + 1 :]])
        try:
            read_strictly({**files, "proof.lrat": changed})
        except (Malformed, LookupError, ValueError):
            refused += 1
    assert refused > 20
