"""The refuters ``cadical``, ``kissat`` and ``dimacs``: SAT programs on the path that write proofs, as in competitions.

The program gets a DIMACS file and the path of a proof, to be written in DRAT; its output says what it found. It is a
separate process, which ends with this one.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.program import UNSATISFIABLE, answered
from sudoku_models.engine.refutation import Cnf, Lemma
from sudoku_models.errors import BackendFailed, BadOption

FORMULA, PROOF = "{formula}", "{proof}"
"""The placeholders in a program's arguments that are replaced by the paths."""


@dataclass(frozen=True)
class SatProgram:
    """A SAT program; ``arguments`` say where the paths of the formula and of the proof belong."""

    program: str
    arguments: tuple[str, ...] = ("--no-binary", "-q", FORMULA, PROOF)
    requires: tuple[str, ...] = ()
    install: str = ""

    @property
    def programs(self) -> tuple[str, ...]:
        return (self.program,)

    def refute(self, cnf: Cnf, clock: Budget) -> Sequence[Lemma] | None:
        """Return lemmas without hints, the empty clause last; None if the formula is satisfiable."""
        with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
            formula, proof = Path(folder, "formula.cnf"), Path(folder, "proof.drat")
            clauses = " ".join(map(str, cnf.numbers)).replace(" 0 ", " 0\n")
            formula.write_text(f"p cnf {cnf.variables} {cnf.clauses}\n{clauses}\n")
            placed = [x.replace(FORMULA, str(formula)).replace(PROOF, str(proof)) for x in self.arguments]
            if answered([self.program, *placed], clock).status != UNSATISFIABLE:
                return None
            if not proof.exists():
                raise BackendFailed(f"{self.program} wrote no proof to the path that stands for {PROOF}")
            return lemmas(proof.read_bytes(), cnf.clauses)


@dataclass(frozen=True)
class AnyProgram(SatProgram):
    """Any program by its name: ``dimacs:program=NAME ARGUMENTS``. Without a name it is not a program."""

    program: str = "that is named by dimacs:program=NAME"
    install: str = "any program of the competitions that writes DRAT proofs"

    def with_options(self, text: str) -> SatProgram:
        """Return the program that options name; raise BadOption if they name none.

        If ``{formula}`` and ``{proof}`` are not among its arguments, the two paths follow them.
        """
        key, _, value = text.partition("=")
        try:
            words = shlex.split(value) if key == "program" else []
        except ValueError as error:
            raise BadOption(f"dimacs:{text}: {error}; a program and its arguments are expected") from None
        if not words:
            raise BadOption(f"dimacs:{text} names no program: dimacs:program=NAME is expected, and its arguments")
        placed = [*words[1:], *(path for path in (FORMULA, PROOF) if not any(path in word for word in words))]
        return SatProgram(words[0], tuple(placed), install=self.install)


CADICAL = SatProgram("cadical", install="apt install cadical")
KISSAT = SatProgram(
    "kissat", install="pip install --no-deps passagemath-kissat, and its folder sage_wheels/bin on the path"
)
DIMACS = AnyProgram()


_TEXT = frozenset(b"0123456789 -d\r\n\t")


def lemmas(proof: bytes, known: int) -> list[Lemma]:
    """Return the lemmas of a proof up to the empty one, numbered after the ``known`` clauses of the formula.

    Deletions are left out, which does not affect the lemmas. Raise BackendFailed if it is not a proof.
    """
    try:
        clauses = _as_text(proof) if _is_text(proof) else _as_binary(proof)
        found = []
        for number, clause in enumerate(clauses, known + 1):
            found.append(Lemma(number, clause))
            if not clause:
                return found
    except (ValueError, IndexError) as error:
        raise BackendFailed(f"the program wrote a proof that is not DRAT: {error}") from None
    return [*found, Lemma(known + len(found) + 1, ())]


def _is_text(proof: bytes) -> bool:
    """Return whether a proof is text: a binary proof begins with the letter a, or soon has bytes that text does not
    have.
    """
    return not proof.startswith(b"a") and _TEXT.issuperset(proof[:64])


def _as_text(proof: bytes) -> Iterator[tuple[int, ...]]:
    for line in proof.decode("ascii").splitlines():
        if line.strip() and not line.startswith("d"):
            yield tuple(map(int, line.split()[:-1]))


def _as_binary(proof: bytes) -> Iterator[tuple[int, ...]]:
    """Read letters (a: a lemma, d: a deletion), each followed by numbers of seven bits per byte and a final 0."""
    at = 0
    while at < len(proof):
        letter, at, clause = proof[at : at + 1], at + 1, list[int]()
        if letter not in (b"a", b"d"):
            raise ValueError(f"a or d was expected at byte {at - 1}")
        while True:
            number, shift = 0, 0
            while True:
                byte, at = proof[at], at + 1
                number |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            if not number:
                break
            clause.append(-(number >> 1) if number & 1 else number >> 1)
        if letter == b"a":
            yield tuple(clause)
