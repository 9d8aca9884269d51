"""The refuters ``cadical`` and ``kissat``: SAT programs on the path that write a DRAT proof, as competitions ask for.

The program gets a DIMACS file and the name of a proof in text; its exit code says what it found. It is a process of its
own, and ends with this one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_models.engine.program import Program
from sudoku_models.engine.record import Clock
from sudoku_models.engine.refutation import Cnf, Lemma
from sudoku_models.errors import BackendFailed

SATISFIABLE, UNSATISFIABLE = b"s SATISFIABLE", b"s UNSATISFIABLE"
"""The lines by which programs of competitions say what they found."""


@dataclass(frozen=True)
class SatProgram:
    """A SAT program; ``options`` make it write its proof as text."""

    program: str
    options: tuple[str, ...] = ("--no-binary", "-q")
    requires: tuple[str, ...] = ()
    install: str = ""

    @property
    def programs(self) -> tuple[str, ...]:
        """The program itself."""
        return (self.program,)

    def refute(self, cnf: Cnf, clock: Clock) -> Sequence[Lemma] | None:
        """Return lemmas without hints, the empty clause last; None when the formula is satisfiable."""
        with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
            formula, proof = Path(folder, "formula.cnf"), Path(folder, "proof.drat")
            formula.write_text(_dimacs(cnf))
            command = [self.program, *self.options, str(formula), str(proof)]
            found = self._verdict(command, clock)
            return None if found == SATISFIABLE else list(_lemmas(proof, cnf.clauses))

    def _verdict(self, command: Sequence[str], clock: Clock) -> bytes:
        program = Program(command, "", None)
        try:
            lines = [line.strip() for line in program.lines(clock)]
            remarks = program.remarks()
        finally:
            program.close()
        found = next((line for line in lines if line in (SATISFIABLE, UNSATISFIABLE)), None)
        if found is None:
            raise BackendFailed(f"{self.program} ended without an answer: {remarks[:300] or 'it said nothing'}")
        return found


def _dimacs(cnf: Cnf) -> str:
    body = " ".join(map(str, cnf.numbers)).replace(" 0 ", " 0\n")
    return f"p cnf {cnf.variables} {cnf.clauses}\n{body}\n"


def _lemmas(proof: Path, known: int) -> Iterator[Lemma]:
    """Read a proof; deletions are left out, which takes nothing from what follows."""
    number = known
    with proof.open() as lines:
        for line in lines:
            if not line.startswith("d"):
                number += 1
                clause = tuple(map(int, line.split()[:-1]))
                yield Lemma(number, clause)
                if not clause:
                    return
    yield Lemma(number + 1, ())


CADICAL = SatProgram("cadical", install="apt install cadical")
KISSAT = SatProgram("kissat", install="see the page of the program kissat")
