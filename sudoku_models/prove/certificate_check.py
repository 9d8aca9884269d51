"""The verb ``check``: whether a certificate proves its claim, by means that share nothing with the solvers.

The trusted code is this file, the encoder, ``lrat``, for proofs of more than 2,000 lemmas also ``lrat_fast`` unless the
check is plain, for proofs without hints ``drat``, and, since they define the meaning of the problem, the model and the
rules. No engine, no rewrite and no encoding of a backend is trusted, and none is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FormatError, LimitReached, SudokuModelsError
from ..model import Model
from ..puzzle import Puzzle
from .certificate import Certificate, Claim, Statement, amount, in_words, model_in_words
from .drat import FEW, check_unhinted
from .encoder import restated
from .looking import Deadline, Look, alarm, bounded
from .lrat import Clause, NotProved, ProofLine, check_lrat

if TYPE_CHECKING:
    from ..verbs.task import Problem

LOOKS = 256
"""Constraints between two checks of the clock."""

MANY = 2_000
"""Proofs with more lemmas than this are checked in compiled code first."""


@dataclass(frozen=True)
class Verification:
    """The result of a check: ``accepted``, what was ``checked``, and the ``problem`` that ended it, if any.

    ``size`` has the number in the claim, if there is one: the number of solutions, or the value of the best one.
    """

    claim: Claim
    accepted: bool
    checked: tuple[str, ...]
    problem: str = ""
    size: str = ""

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        return f"<Verification, {str(self).splitlines()[0]}>"

    def __str__(self) -> str:
        verdict = f"accepted: {self.claim.value}{self.size}" if self.accepted else f"REFUSED: {self.problem}"
        return "\n".join([verdict, *(f"  checked: {line}" for line in self.checked)])


def check(
    certificate: Certificate | str | Path,
    *,
    problem: Problem | None = None,
    time_limit: float | None = None,
    plain: bool = False,
) -> Verification:
    """Check a certificate, or one in a folder or a zip file.

    These are checked in turn: the model is that of the puzzle; each stated solution satisfies it, and every rule by the
    rule's own judge; there are as many as claimed, all different; the formula, built again from the model, is the one
    that was refuted; the proof refutes it, by its hints (LRAT) or, if there are only lemmas (DRAT), without. With a
    ``problem``, a certificate of any other one is refused. ``plain`` checks a long proof in plain Python too, and not
    in compiled code. FormatError when a file cannot be read, LimitReached after ``time_limit`` seconds.
    """
    from .files import load

    look = Deadline(time_limit)
    with alarm(time_limit), bounded():
        if not isinstance(certificate, Certificate):
            certificate = load(certificate, look)
        if problem is not None:
            wanted = Statement.of(stated(problem))
            if not wanted.same(certificate.statement):
                return Verification(certificate.claim, False, (), "the certificate is of another problem")
        found = verified(certificate, look, MANY if not plain else None)
        asked = () if problem is None else ("the problem is the one that you asked about",)
        return replace(found, checked=(*asked, *found.checked))


def stated(problem: Problem) -> Puzzle | Model:
    """Return a problem given in any form that the verbs take."""
    if isinstance(problem, Puzzle | Model):
        return problem
    from ..verbs.task import as_puzzle  # it reads every format, and loads the engines

    return as_puzzle(problem)


def verified(certificate: Certificate, look: Deadline, many: int | None) -> Verification:
    """Check a certificate that has been read; proofs of more than ``many`` lemmas in compiled code first, None for
    never.
    """
    checked: list[str] = []
    look.undone = "the model was not compared with that of the puzzle"
    try:
        for said in _steps(certificate, look, many):
            checked.append(said)
            look()
    except (NotProved, Refused) as refused:
        return Verification(certificate.claim, False, tuple(checked), str(refused))
    except (FormatError, LimitReached):
        raise
    except SudokuModelsError as error:
        return Verification(certificate.claim, False, tuple(checked), f"the model cannot be stated: {error}")
    numbers = {
        Claim.COUNT: f", {amount(len(certificate.solutions), 'solution')}",
        Claim.OPTIMAL: f", {certificate.objective} is the best value",
    }
    return Verification(certificate.claim, True, tuple(checked), size=numbers.get(certificate.claim, ""))


class Refused(Exception):
    """A certificate is not accepted."""


def _steps(certificate: Certificate, look: Deadline, many: int | None) -> Iterator[str]:
    statement = certificate.statement
    yield _stated(statement)
    look.undone = "the solutions were not checked"
    yield check_solutions(certificate, look)
    look.undone = "the formula was not stated again"
    clauses, rebuilt = restated(statement, certificate.claim, certificate.solutions, look)
    given = certificate.formula
    if (rebuilt.numbers, rebuilt.variables) != (given.numbers, given.variables):
        raise Refused("the formula is not that of the model: it was stated again, and differs")
    if rebuilt.literals != given.literals:
        raise Refused("the map from variables of the formula to cells and values is not that of the model")
    yield f"the formula, stated again from the model, is the same: {amount(len(clauses), 'clause')}"
    yield "the map from variables of the formula to cells and values is the same"
    look.undone = "the proof was not fully checked"
    if certificate.drat is not None:
        sizes = clauses, rebuilt.numbers, rebuilt.variables
        lemmas = check_unhinted(*sizes, certificate.drat, look, None if many is None else min(many, FEW))
        yield f"the proof, which has no hints, refutes the formula: {amount(lemmas, 'lemma')}"
    else:
        lemmas = _lemmas(clauses, certificate.proof, look, many)
        yield f"the proof refutes the formula: {amount(lemmas, 'lemma')}"


def _lemmas(formula: Sequence[Clause], proof: Sequence[ProofLine], look: Deadline, many: int | None) -> int:
    """Check a proof: one of more than ``many`` lemmas in compiled code first, and in plain Python if that
    refuses it.
    """
    if many is not None and len(proof) > many:
        from ..engine.machine_code.library import possible  # long proofs alone need machine code

        if possible():
            from .lrat_fast import accepts

            checked = accepts(formula, proof, look)
            if checked is not None:
                return checked
    return check_lrat(formula, proof, look)


def _stated(statement: Statement) -> str:
    puzzle = statement.puzzle
    if puzzle is None:
        if statement.domains:
            raise Refused("the certificate narrows variables of its model, but has no puzzle with such givens")
        return f"what is certified is a model, {model_in_words(statement.model)}"
    if statement.model is not puzzle.structure and statement.model != puzzle.structure:
        raise Refused("the model is not that of the puzzle")
    if dict(statement.domains) != dict(puzzle.domains):
        raise Refused("the givens of the model are not those of the puzzle")
    return f"the model is that of the puzzle {puzzle.to_line()}: {in_words(puzzle)}"


def check_solutions(certificate: Certificate, look: Look) -> str:
    """Check the solutions that a certificate lists; Refused if one is wrong, or if there are too many or too few."""
    statement, found = certificate.statement, certificate.solutions
    wanted = {Claim.UNIQUE: 1, Claim.UNSATISFIABLE: 0, Claim.OPTIMAL: 1}.get(certificate.claim, len(found))
    if len(found) != wanted:
        raise Refused(
            f"{amount(len(found), 'solution')} listed where the claim {certificate.claim.value!r} has {wanted}"
        )
    if certificate.claim is Claim.OPTIMAL and statement.model.objective is None:
        raise Refused("the claim is about the best solution, but the model has no objective")
    kept = set()
    for number, values in enumerate(found, 1):
        if len(values) != len(statement.model.names) or any(type(value) is not int for value in values):
            names = f"each of the {len(statement.model.names)} variables"
            raise Refused(f"solution {number} has not one whole number for {names}")
        named = dict(zip(statement.model.names, values, strict=True))
        _check_solution(statement, named, number, look)
        kept.add(tuple(named[x] for x in statement.keep))
    if len(kept) < len(found):
        raise Refused("a solution is listed twice")
    return (
        f"each of the solutions listed satisfies the model and the rules: {len(found)}"
        if found
        else "no solution is listed"
    )


def _check_solution(statement: Statement, named: dict[str, int], number: int, look: Look) -> None:
    look()
    for v in statement.model.variables:
        if named[v.name] not in v.domain or named[v.name] not in statement.domains.get(v.name, v.domain):
            raise Refused(f"solution {number} gives {v.name} the value {named[v.name]}, which it cannot have")
    for k, constraint in enumerate(statement.model.constraints, 1):
        if not k % LOOKS:
            look()
        if not constraint.holds(named):
            raise Refused(f"solution {number} violates {str(constraint)[:200]}")
    puzzle: Puzzle | None = statement.puzzle
    rules = puzzle.violated(named) if puzzle is not None and puzzle.rules else []
    if rules:
        raise Refused(f"solution {number} breaks the rule {str(rules[0])[:200]}")
