"""Proofs: what follows is accepted, what does not is refused, with and without hints."""

from __future__ import annotations

from array import array
from dataclasses import replace
from importlib import import_module
from itertools import product
from random import Random

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models import Model, Puzzle, Variable
from sudoku_models.engine import refutation
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.refutation import Cnf, Lemma, chosen, derived
from sudoku_models.errors import BackendFailed
from sudoku_models.model import AllDifferent
from sudoku_models.prove import Claim, certify, check
from sudoku_models.prove.certifying import cnf_of
from sudoku_models.prove.drat import elaborated
from sudoku_models.prove.encoder import claim_formula
from sudoku_models.prove.files import drat_text
from sudoku_models.prove.formula import Clause, Formula
from sudoku_models.prove.lrat import NotProved, ProofLine, check_lrat, lines_of
from sudoku_models.prove.lrat_fast import accepts

REFUTERS = ("cadical153", "cdcl", "glucose4")


def formula(*clauses: Clause) -> Formula:
    numbers = array("i", [x for clause in clauses for x in (*clause, 0)])
    return Formula({}, numbers, max(map(abs, numbers), default=0), len(clauses))


def satisfiable(stated: Formula) -> bool:
    signs = product((False, True), repeat=stated.variables)
    return any(all(any((x > 0) == row[abs(x) - 1] for x in clause) for clause in stated) for row in signs)


@pytest.mark.parametrize("name", REFUTERS)
def test_a_refuter_refutes_what_is_unsatisfiable_and_nothing_else(name: str) -> None:
    verdicts = []
    for seed in range(60):
        rng = Random(f"refute {seed}")
        n = rng.randint(1, 7)
        rows = [tuple(rng.choice((1, -1)) * rng.randint(1, n) for _ in range(rng.randint(1, 3))) for _ in range(2 * n)]
        stated = formula(*rows, (n, -n))
        lemmas = chosen(name)[1].refute(cnf_of(stated), Budget())
        assert (lemmas is not None) == (not satisfiable(stated)), rows
        verdicts.append(lemmas is not None)
        if lemmas is not None:
            lines = [ProofLine(lemma.number, lemma.clause, lemma.hints) for lemma in lemmas]
            if not lines[-1].hints:
                lines = elaborated(stated, ((True, line.clause) for line in lines))
            check_lrat(list(stated), lines)
            assert check_proof(parse_dimacs(stated.dimacs), drat_text((True, line.clause) for line in lines)).ok
    assert 10 < sum(verdicts) < 55


def pigeons(n: int) -> Formula:
    """n + 1 pigeons in n holes: unsatisfiable, and hard for resolution."""
    holes = [tuple(p * n + h + 1 for h in range(n)) for p in range(n + 1)]
    pairs = [(-holes[p][h], -holes[q][h]) for h in range(n) for p in range(n + 1) for q in range(p)]
    return formula(*holes, *pairs)


def test_a_false_certificate_is_refused_whatever_its_proof_says() -> None:
    """Another solution exists: no proof of two lines can show that there is none."""
    count = certify(Puzzle.empty(4).with_givens({"R1C1": 1, "R2C3": 2, "R3C2": 3}), "count")
    formula = claim_formula(count.statement, Claim.COUNT, count.solutions[1:])
    numbers = formula.clauses + 1, formula.clauses + 2
    for first in ((1,), (-1, 1), (10**6,)):
        for hints in ((), (1,), (numbers[0],), (numbers[0], numbers[0])):
            lines = ProofLine(numbers[0], first, hints), ProofLine(numbers[1], (), (numbers[0], numbers[0]))
            assert not check(replace(count, solutions=count.solutions[1:], formula=formula, proof=lines))
        steps = (True, first), (True, ())
        assert not check(replace(count, solutions=count.solutions[1:], formula=formula, proof=(), drat=steps))


def test_the_compiled_check_says_what_the_plain_one_says() -> None:
    verdicts = []
    stated = pigeons(4)
    lemmas = chosen("cdcl")[1].refute(cnf_of(stated), Budget())
    assert lemmas is not None
    whole = [ProofLine(lemma.number, lemma.clause, lemma.hints) for lemma in lemmas]
    for seed in range(150):
        lines = changed(Random(f"compiled {seed}"), stated, whole)
        try:
            plain: int | None = check_lrat(list(stated), lines)
        except NotProved:
            plain = None
        assert accepts(list(stated), lines) == plain, seed
        verdicts.append(plain is not None)
    assert accepts(list(stated), whole) == len(whole)
    assert any(verdicts) and not all(verdicts)


def changed(rng: Random, stated: Formula, lines: list[ProofLine]) -> list[ProofLine]:
    """Change one line of a proof, or plant a deletion."""
    found, k = list(lines), rng.randrange(len(lines))
    line = found[k]
    what = rng.randrange(6)
    if what == 0:
        found.insert(k, ProofLine(line.number, deleted=(rng.randint(1, stated.clauses + 3),)))
    elif what == 1 and line.clause:
        found[k] = replace(line, clause=tuple(rng.sample(line.clause, rng.randint(1, len(line.clause)))))
    elif what == 2:
        found[k] = replace(line, clause=(*line.clause, rng.choice((1, -1)) * rng.randint(1, stated.variables + 1)))
    elif what == 3:
        found[k] = replace(line, hints=tuple(rng.sample(line.hints, len(line.hints))))
    elif what == 4:
        found[k] = replace(line, hints=(*line.hints[:-1], rng.randint(1, line.number + 2)))
    else:
        found[k] = replace(line, number=line.number + rng.randint(-3, 3))
    return found


class Resolving:
    """A refuter whose first lemma follows by resolution on its first literal alone, and whose second one does not."""

    distributions = ()
    programs = ()
    install = ""

    def refute(self, cnf: Cnf, clock: Budget) -> list[Lemma]:
        new = cnf.variables + 1
        return [Lemma(cnf.clauses + 1, (new, 1), ()), Lemma(cnf.clauses + 2, (), ())]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_proof_that_does_not_refute_is_one_clear_error(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refutation, "chosen", lambda _: ("resolving", Resolving()))
    xs = [Variable(name, (1, 2, 3)) for name in "abcd"]
    if not compiled:
        monkeypatch.setattr(import_module("sudoku_models.prove.certifying"), "derived", lambda *_: None)
    with pytest.raises(BackendFailed, match=r"the proof of resolving gives no certificate: lemma 2 does not follow"):
        certify(Model(xs, [AllDifferent(xs)]), refuter="resolving")


@pytest.mark.parametrize("name", ["cadical153", "glucose4"])
def test_the_proofs_of_others_get_hints_in_compiled_code(name: str) -> None:
    for seed in range(30):
        rng = Random(f"derive {seed}")
        n = rng.randint(2, 9)
        rows = [tuple(rng.choice((1, -1)) * rng.randint(1, n) for _ in range(rng.randint(1, 4))) for _ in range(5 * n)]
        stated = formula(*rows, (n, -n))
        lemmas = chosen(name)[1].refute(cnf_of(stated), Budget())
        if lemmas is not None:
            found = derived(cnf_of(stated), [lemma.clause for lemma in lemmas], None)
            assert found is not None, seed
            check_lrat(list(stated), lines_of(found))
    lemmas = chosen(name)[1].refute(cnf_of(pigeons(7)), Budget())
    assert lemmas is not None
    found = derived(cnf_of(pigeons(7)), [lemma.clause for lemma in lemmas], None)
    assert check_lrat(list(pigeons(7)), lines_of(found)) > 50
