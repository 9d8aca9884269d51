"""Certificates of many puzzles: each says what it would say alone, and what is changed is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sudoku_models.prove import Claim, certify, certify_many, check, check_many, load_many, save_many
from sudoku_models.prove.lrat_fast import numbers_of
from sudoku_models.prove.many_certificates import Certificates

from ..running import invoke
from .boards import CLASH, SMALL

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


def test_they_come_back_from_a_file(tmp_path: Path) -> None:
    made = certify_many(TEXTS)
    read = load_many(save_many(made, tmp_path / "many.zip"))
    assert same(made, read)
    assert check_many(read).accepted == len(made)
    assert numbers_of(read[0].proof).tolist() == read.proofs[0].tolist()


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{SMALL}\n{OTHERS[0]}\n")
    command = ["certify", str(tmp_path / "in.txt"), "--together", "-o"]
    for more in ([], ["o.zip"]):
        for options in (command, [*command[:2], "-o"]):
            out = str(tmp_path.joinpath("in.txt", "folder", *more, "x.zip"))
            found = invoke([*options, out])
            assert (found.exit_code, "in.txt is a file, but a folder is expected" in found.output) == (2, True), found
    (tmp_path / "folder.zip" / "in").mkdir(parents=True)
    found = invoke([*command, str(tmp_path / "folder.zip")])
    assert (found.exit_code, "cannot be written" in found.output) == (2, True), found.output


@pytest.mark.parametrize(("before", "after"), [((-1, 5, 0), ()), ((), (7, 7, 7))])
def test_compiled_and_plain_check_of_many_read_a_proof_alike(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    made = certify_many([SMALL])
    parts = np.array(before, np.int32), made.proofs[0], np.array(after, np.int32)
    changed = replace(made, proofs=(np.concatenate(parts),))
    assert not check_many(changed)
    assert not check_many(changed, plain=True)
