"""Independent checkers: programs on the path and Python packages that judge the proof of a certificate.

They read only its formula and its proof; ``check`` verifies that the formula is the puzzle's. ``drup`` (a
Python package) and ``cake_lpr`` are formally verified, in Why3 and in HOL4; ``drat-trim`` and ``lrat-check`` are the
programs of SAT competitions; ``dratify`` is a Python package.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..engine.budget import Budget, OutOfTime
from ..engine.program import Program
from .certificate import Certificate
from .files import DRAT, LRAT, drat_text, load, lrat_text

VERIFIED = {b"s VERIFIED", b"c VERIFIED", b"s VERIFIED UNSAT"}
"""The lines with which programs accept a proof."""


@dataclass(frozen=True)
class Opinion:
    """A checker's opinion on a proof: accepted or not; None without a verdict. ``said`` says why."""

    checker: str
    accepted: bool | None
    said: str = ""

    def __str__(self) -> str:
        verdict = {True: "accepted", False: "REFUSED", None: "no verdict"}[self.accepted]
        return f"{self.checker}: {verdict}{f' ({self.said})' if self.said else ''}"


@dataclass(frozen=True)
class OutsideChecker:
    """An independent checker: a program with the proof that it reads, or a package with the function to call.

    ``most`` is the largest product of clauses and lemmas it is used for; more would take it hours. ``plain``: it does
    not support lemmas by resolution on a literal.
    """

    name: str
    install: str
    proof: str = ""
    ask: Callable[[Certificate], bool] | None = None
    most: int | None = None
    plain: bool = False

    @property
    def is_installed(self) -> bool:
        return find_spec(self.name) is not None if self.ask else shutil.which(self.name) is not None

    def takes(self, certificate: Certificate) -> bool:
        """Return whether a certificate has the proof that it reads, and this is small enough for it."""
        if self.proof == LRAT and certificate.drat is not None:
            return False
        if self.plain and any(line.hints and min(line.hints) < 0 for line in certificate.proof):
            return False
        return self.most is None or certificate.formula.clauses * certificate.lemmas <= self.most

    def opinion(self, certificate: Certificate, time_limit: float | None) -> Opinion:
        """Return its opinion on a proof. ``time_limit`` (seconds) ends a program; a package cannot be interrupted."""
        if self.ask:
            try:
                return Opinion(self.name, self.ask(certificate))
            except Exception as error:  # other packages may raise anything
                return Opinion(self.name, None, f"{type(error).__name__}: {str(error)[:200]}")
        with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
            formula, proof = Path(folder, "formula.cnf"), Path(folder, self.proof)
            formula.write_text(certificate.formula.dimacs)
            proof.write_text(lrat_text(certificate.proof) if self.proof == LRAT else drat_text(certificate.steps))
            return self._asked([self.name, str(formula), str(proof)], time_limit)

    def _asked(self, command: list[str], time_limit: float | None) -> Opinion:
        clock = Budget(time_limit).start()
        try:
            with closing(Program(command)) as program:
                lines = [line.strip() for line in program.lines(clock)]
                remarks = program.remarks()
        except OutOfTime:
            return Opinion(self.name, None, f"not within {time_limit} s")
        last = (lines[-1].decode("utf-8", "replace") if lines else remarks)[:200]
        return Opinion(self.name, True) if VERIFIED.intersection(lines) else Opinion(self.name, False, last)


def _dratify(certificate: Certificate) -> bool:
    from dratify import check_proof, parse_dimacs

    return bool(check_proof(parse_dimacs(certificate.formula.dimacs), drat_text(certificate.steps)).ok)


def _drup(certificate: Certificate) -> bool:
    drup: Any = import_module("drup")

    lemmas = [list(clause) for added, clause in certificate.steps if added]
    found = drup.check_proof([list(clause) for clause in certificate.formula], lemmas)
    if found.outcome != drup.Outcome.VALID and certificate.drat is not None:
        raise ValueError("a lemma does not follow by unit propagation, the only reasoning that this checker knows")
    return bool(found.outcome == drup.Outcome.VALID)


CHECKERS = (
    OutsideChecker("cake_lpr", "build it from the CakeML project", LRAT),
    OutsideChecker("drat-trim", "build it from its one C file", DRAT),
    OutsideChecker("dratify", "pip install dratify", ask=_dratify),
    OutsideChecker("drup", "pip install drup", ask=_drup, most=20_000, plain=True),
    OutsideChecker("lrat-check", "build it from its one C file, which comes with drat-trim", LRAT),
)
"""The available checkers."""


def installed_checkers() -> tuple[OutsideChecker, ...]:
    return tuple(checker for checker in CHECKERS if checker.is_installed)


def outside_opinions(certificate: Certificate | str | Path, *, time_limit: float | None = None) -> tuple[Opinion, ...]:
    """Ask every checker that is installed, and fast enough for it, about the proof of a certificate.

    FormatError if the certificate cannot be read.
    """
    if not isinstance(certificate, Certificate):
        certificate = load(certificate)
    asked = [checker for checker in installed_checkers() if checker.takes(certificate)]
    return tuple(checker.opinion(certificate, time_limit) for checker in asked)
