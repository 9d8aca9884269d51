"""Checkers by others: what they say is heard, and a broken proof is not accepted by them."""

from __future__ import annotations

import os
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_models.prove import certify, certify_many, save, save_many
from sudoku_models.prove.outside import Opinion, outside_opinions

from ..running import invoke
from .boards import CLASH, CLASSIC, SMALL

PRETENDED = """#!{python}
# A checker that accepts proofs whose last line is the empty clause, of formulas in DIMACS.
import re, sys
formula, proof = (open(path).read() for path in sys.argv[1:3])
if not formula.startswith("p cnf"):
    sys.exit(1)
last = proof.splitlines()[-1] if proof else ""
end = "0" if sys.argv[2].endswith(".drat") else "[0-9]* 0 .*"
print("c reading\\n{said}" if re.fullmatch(end, last) else "s NOT VERIFIED")
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with programs that have the names of checkers."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, said in (("drat-trim", "s VERIFIED"), ("lrat-check", "c VERIFIED"), ("cake_lpr", "s VERIFIED UNSAT")):
        (folder / name).write_text(PRETENDED.format(python=sys.executable, said=said))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize("text", [SMALL, CLASH, CLASSIC], ids=["unique", "none", "9x9"])
@pytest.mark.usefixtures("programs")
def test_all_checkers_accept_a_proof(text: str) -> None:
    found = outside_opinions(certify(text))
    assert {"cake_lpr", "drat-trim", "dratify", "lrat-check"} <= {opinion.checker for opinion in found}
    assert all(opinion.accepted for opinion in found), found


@pytest.mark.usefixtures("programs")
def test_no_checker_accepts_a_proof_of_something_else() -> None:
    whole = certify(SMALL)
    kept = [clause for clause in whole.formula if len(clause) < 16]  # all but the clause that forbids the solution
    numbers = array("i", [x for clause in kept for x in (*clause, 0)])
    for opinion in outside_opinions(replace(whole, formula=replace(whole.formula, numbers=numbers, clauses=len(kept)))):
        if opinion.checker in ("dratify", "drup"):
            assert opinion.accepted is False, opinion
    cut = replace(whole, proof=whole.proof[:-1])
    judged = {opinion.checker: opinion for opinion in outside_opinions(cut)}
    assert judged["drat-trim"].accepted is False
    assert "REFUSED" in str(judged["cake_lpr"])


def test_a_program_without_an_end_has_no_verdict(programs: Path) -> None:
    (programs / "drat-trim").write_text("#!/bin/sh\nsleep 60\n")
    found = {opinion.checker: opinion for opinion in outside_opinions(certify(SMALL), time_limit=0.5)}
    assert found["drat-trim"] == Opinion("drat-trim", None, "not within 0.5 s")


def test_the_program_asks_them(tmp_path: Path, programs: Path) -> None:
    one, many = save(certify(SMALL), tmp_path / "it.zip"), save_many(certify_many([SMALL, CLASH]), tmp_path / "all.zip")
    found = invoke(["check", str(one), str(many), "--outside"])
    assert found.exit_code == 0, found.output
    assert "  by dratify: accepted" in found.output and "  by drat-trim: accepted (2 of 2 certificates)" in found.output
    (programs / "lrat-check").write_text("#!/bin/sh\necho 'c FAILED'\n")
    refused = invoke(["check", str(one), "--outside"])
    assert (refused.exit_code, "by lrat-check: REFUSED (c FAILED)" in refused.output) == (4, True)
