"""Certificates of many puzzles: each says what it would say alone, and what is changed is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sudoku_models import FormatError, Puzzle, Shape
from sudoku_models.prove import Claim, certify, certify_many, check, check_many, load_many, save_many
from sudoku_models.prove.lrat_fast import numbers_of
from sudoku_models.prove.many_certificates import Certificates
from sudoku_models.puzzle.rules import KillerCage

from ..running import invoke
from .boards import CLASH, CLASSIC, SMALL

SEVERAL = "1..." + "." * 12
OTHERS = [SMALL.translate(str.maketrans("1234", names)) for names in ("2341", "4321")]
TEXTS = [SMALL, CLASH, SEVERAL, *OTHERS]
"""Four of them have one solution or none."""


def same(one: Certificates, other: Certificates) -> bool:
    """Tell whether the certificates are the same."""
    alike = all(np.array_equal(a, b) for a, b in zip(one.proofs, other.proofs, strict=True))
    return alike and replace(one, proofs=(), problems={}) == replace(other, proofs=(), problems={})


def test_each_of_many_claims_what_it_claims_alone() -> None:
    made = certify_many(TEXTS)
    assert len(made) + len(made.problems) == len(TEXTS)
    assert "several solutions" in str(made.problems[3])
    for number, certificate in zip(made.numbers, made, strict=True):
        alone = certify(TEXTS[number - 1])
        assert (certificate.claim, certificate.solutions) == (alone.claim, alone.solutions)
        assert certificate.formula == alone.formula
        assert check(certificate)
    assert {c.claim for c in made} == {Claim.UNIQUE, Claim.UNSATISFIABLE}


@pytest.mark.parametrize("refuter", ["cdcl", "glucose4"])
def test_many_are_accepted_in_threads_too(refuter: str) -> None:
    texts = TEXTS * 8
    one = certify_many(texts, refuter=refuter)
    assert same(one, certify_many(texts, refuter=refuter, threads=2))
    assert check_many(one, threads=2) and check_many(one, plain=True)
    assert check_many(one).accepted == len(one)


def test_puzzles_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="puzzle 2 differs from the first one in more than its givens"):
        certify_many([SMALL, CLASSIC])
    with pytest.raises(ValueError, match="puzzle 2 differs"):
        cage = KillerCage(("R1C1", "R1C2"), 3)
        certify_many([SMALL, Puzzle(Shape.square(4), (None,) * 16, rules=(cage,))])


def test_a_false_member_does_not_hide_behind_the_number_of_another(tmp_path: Path) -> None:
    made = certify_many([SMALL, *OTHERS])
    false = replace(made, solutions=(None, *made.solutions[1:]), numbers=(2, 2, 3))
    verdict = check_many(false)
    assert (bool(verdict), verdict.accepted) == (False, 0)
    assert "must have a different number" in str(verdict)
    assert not check_many(replace(made, numbers=(0, 1, 2)))
    with pytest.raises(FormatError, match="the number 2: each certificate must have a different number, from 1 on"):
        load_many(save_many(false, tmp_path / "many.zip"))


def test_values_that_cannot_be_and_proofs_cut_off_are_one_error_each() -> None:
    made = certify_many([SMALL])
    assert made.solutions[0]
    for row in ((9, *made.solutions[0][1:]), made.solutions[0][1:]):
        with pytest.raises(FormatError, match="the solution has values that cells cannot have"):
            list(replace(made, solutions=(row,)))
    with pytest.raises(FormatError, match="certificate 1: the proof is cut off"):
        list(replace(made, proofs=(made.proofs[0][:-1],)))


def test_they_come_back_from_a_file(tmp_path: Path) -> None:
    made = certify_many(TEXTS)
    read = load_many(save_many(made, tmp_path / "many.zip"))
    assert same(made, read)
    assert check_many(read).accepted == len(made)
    assert numbers_of(read[0].proof).tolist() == read.proofs[0].tolist()


def test_the_exit_code_says_what_kept_certificates_from_being_made(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{SMALL}\n{OTHERS[0]}\n")
    command = ["certify", str(tmp_path / "in.txt"), "--together", "-o"]
    late = invoke([*command, str(tmp_path / "o.zip"), "--time-limit", "0.000001", "--refuter", "glucose4"])
    assert (late.exit_code, "found no refutation within" in late.output) == (3, True), late.output
    for more in ([], ["o.zip"]):
        for options in (command, [*command[:2], "-o"]):
            out = str(tmp_path.joinpath("in.txt", "folder", *more, "x.zip"))
            found = invoke([*options, out])
            assert (found.exit_code, "in.txt is a file, but a folder is expected" in found.output) == (2, True), found
    (tmp_path / "folder.zip" / "in").mkdir(parents=True)
    found = invoke([*command, str(tmp_path / "folder.zip")])
    assert (found.exit_code, "cannot be written" in found.output) == (2, True), found.output


def test_the_program_certifies_together(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("\n".join(TEXTS) + "\n")
    run, out = invoke, tmp_path / "many.zip"
    made = run(["certify", str(tmp_path / "in.txt"), "--together", "--threads", "2", "-o", str(out)])
    assert made.exit_code == 1
    assert "several solutions" in made.output
    found = run(["check", str(out)])
    assert (found.exit_code, "accepted: 4 certificates" in found.output) == (0, True), found.output
    broken = load_many(out)
    save_many(replace(broken, solutions=(None, *broken.solutions[1:])), out)
    found = run(["check", str(out)])
    assert (found.exit_code, "REFUSED: number 1" in found.output) == (4, True)
    refused = run(["certify", str(tmp_path / "in.txt"), "--together", "-o", str(tmp_path / "folder")])
    assert (refused.exit_code, "ending in .zip" in " ".join(refused.output.split())) == (2, True)
