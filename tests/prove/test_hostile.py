"""Certificates that say something false, or that cost more than they should: each is refused with one clear error."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_models import FormatError
from sudoku_models.prove import Certificates, certify, certify_many, check, check_many, load_many
from sudoku_models.prove.files import ONE, read_certificate, save, texts
from sudoku_models.prove.many_certificates import files_of, read_many, save_many

from .boards import SMALL, reader


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return texts(certify(SMALL))


@pytest.fixture(scope="module")
def many() -> Certificates:
    return certify_many([SMALL])


def with_head(files: dict[str, str], change: Callable[[dict[str, Any]], object]) -> dict[str, str]:
    head = json.loads(files[ONE])
    change(head)
    return {**files, ONE: json.dumps(head)}


CHANGES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("solution: it is not one of the solutions listed", lambda h: h["puzzle"].update(solution="1" * 16)),
    ("the key 'colour' is not known", lambda h: h["puzzle"].update(colour="red")),
    ("version 1, is expected", lambda h: h.update(version=True)),
    ("version 1, is expected", lambda h: h.update(version=1.0)),
    ("refuter: a line", lambda h: h.update(refuter={"a": 1})),
    ("refuter: a line", lambda h: h.update(refuter="\x1b[31mred")),
    ("domains: values in rising order", lambda h: h["domains"].update(R1C1=[1, 1])),
    ("givens: 1 cells", lambda h: h["puzzle"].update(givens="1")),
    ("objective: None is expected", lambda h: h.update(objective=24)),
    ("or there is an extra one: puzle, puzzle", lambda h: h.update(puzle=h.pop("puzzle"))),
    ("one of unique, unsatisfiable, count, optimal is expected", lambda h: h.update(claim="Unique")),
]


@pytest.mark.parametrize(("why", "change"), CHANGES)
def test_false_text_in_a_certificate_is_refused(
    files: dict[str, str], why: str, change: Callable[[dict[str, Any]], object]
) -> None:
    with pytest.raises(FormatError, match=r"certificate\.json") as found:
        read_certificate(reader(with_head(files, change)))
    assert why in str(found.value)


def test_a_key_that_stands_twice_is_refused(files: dict[str, str]) -> None:
    twice = files[ONE].replace('"claim":', '"claim": "count", "claim":', 1)
    with pytest.raises(FormatError, match="a key appears twice"):
        read_certificate(reader({**files, ONE: twice}))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("formula.cnf", " 0\n", " 1_0 0\n"),
        ("formula.cnf", "p cnf ", "p cnf +"),
        ("map.txt", " R1C1 1\n", " R1C1 \u0661\n"),
        ("map.txt", "1 R1C1", "+1 R1C1"),
        ("proof.lrat", " 0\n", " \u0660\n"),
        ("proof.drat", "0\n", "0_0\n"),
    ],
)
def test_numbers_are_written_as_all_readers_read_them(files: dict[str, str], name: str, old: str, new: str) -> None:
    assert old in files[name]
    with pytest.raises(FormatError, match=name):
        read_certificate(reader({**files, name: files[name].replace(old, new, 1)}))


def test_one_and_many_are_not_mixed_up(files: dict[str, str], many: Certificates, tmp_path: Path) -> None:
    one, several = save(certify(SMALL), tmp_path / "one.zip"), save_many(many, tmp_path / "many.zip")
    with pytest.raises(FormatError, match="check_many and load_many read them"):
        check(several)
    for ask in (check_many, load_many):
        with pytest.raises(FormatError, match="check and load read it"):
            ask(one)
    with zipfile.ZipFile(several, "a") as archive:
        for name, text in files.items():
            if name != "model.txt":
                archive.writestr(name, text)
    for both in (check, check_many):
        with pytest.raises(FormatError, match="are there: one of them"):
            both(several)


@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("without givens", lambda h: h["puzzle"].update(givens="1" + "." * 15)),
        ("without givens", lambda h: h["puzzle"].update(candidates=[["R1C1", [1]]])),
        ("an extra one: more", lambda h: h.update(more=1)),
        ("the key 'more' is not known", lambda h: h["puzzle"].update(more=1)),
        ("version 1, is expected", lambda h: h.update(version=True)),
    ],
)
def test_false_text_in_a_file_of_many_is_refused(
    many: Certificates, why: str, change: Callable[[dict[str, Any]], object]
) -> None:
    files = files_of(many)
    head = json.loads(files["certificates.json"])
    change(head)
    files["certificates.json"] = json.dumps(head).encode()
    with pytest.raises(FormatError, match=r"certificates\.json") as found:
        read_many(files.__getitem__)
    assert why in str(found.value)


@pytest.mark.parametrize(("before", "after"), [((-1, 5, 0), ()), ((), (7, 7, 7))])
def test_compiled_and_plain_check_of_many_read_a_proof_alike(
    many: Certificates, before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    parts = np.array(before, np.int32), many.proofs[0], np.array(after, np.int32)
    changed = replace(many, proofs=(np.concatenate(parts),))
    assert not check_many(changed)
    assert not check_many(changed, plain=True)
