"""Changed certificates are not accepted, and hostile files end with one clear error."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.prove import certify, save
from tests.prove import mutations

from ..running import invoke
from .boards import SMALL


def test_of_many_changes_none_is_accepted() -> None:
    shown: list[str] = []
    found = mutations.mutations(300, 2, shown.append)
    assert (found["ACCEPTED"], shown) == (0, [])
    assert found["refused"] > 75 and found["cannot be read"] > 75
    assert found["another proof of the same"] < 90


def test_a_check_that_sleeps_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutations, "accepts", lambda *_, **__: True)
    shown: list[str] = []
    found = mutations.mutations(60, 3, shown.append)
    assert found["ACCEPTED"] == len(shown) > 10
    seed = shown[0].split("'")[1]
    assert mutations.case(seed)[1] == "ACCEPTED"


HOSTILE: dict[str, tuple[str, Any]] = {
    "deep JSON": ("certificate.json", "[" * 100_000),
    "JSON of numbers": ("certificate.json", '{"schema": 1' + "0" * 10_000 + "}"),
    "a million values": ("model.txt", "variables\n" + "".join(f"x{k} in 1..2000000\n" for k in range(50))),
    "an endless domain": ("model.txt", "variables\nx in 1..99999999999999999999\n"),
    "more variables than clauses": ("formula.cnf", "p cnf 99999999999 1\n1 0\n"),
    "more clauses than there are": ("formula.cnf", "p cnf 1 99999999999\n1 0\n"),
    "no end of a clause": ("formula.cnf", "p cnf 1 1\n1"),
    "numbers beyond bounds": ("formula.cnf", f"p cnf 1 1\n{'9' * 5_000} 0\n"),
    "map with a number beyond bounds": ("map.txt", f"1 R1C1 {'9' * 5_000}\n"),
    "map with a pair twice": ("map.txt", "1 R1C1 1\n2 R1C1 1\n"),
    "a lemma far away": ("proof.lrat", "999999999999999999 0 1 0\n"),
    "a lemma of a number beyond bounds": ("proof.lrat", f"{'9' * 5_000} 0 1 0\n"),
    "a proof of something else": ("proof.drat", "1 2 3 0\n"),
    "bytes": ("proof.lrat", b"\xff\xfe\x00"),
    "nothing": ("model.txt", ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_with_one_error(name: str, tmp_path: Path) -> None:
    file, data = HOSTILE[name]
    folder = save(certify(SMALL), tmp_path / "it")
    (folder / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    refused(folder, 1)


def refused(path: Path, lines: int) -> str:
    """Check that the program refuses a certificate, in so many lines on standard error or by a verdict; return it."""
    found = invoke(["check", str(path), "--time-limit", "20"])
    assert found.exit_code in (2, 4), found.output
    assert "Traceback" not in found.output
    assert found.exit_code == 4 or len(found.stderr.splitlines()) == lines, found.output
    return found.output


@pytest.mark.parametrize("size", [0, 1, 10, 500, -1])
def test_a_zip_file_that_is_cut_off_is_named(size: int, tmp_path: Path) -> None:
    path = save(certify(SMALL), tmp_path / "it.zip")
    path.write_bytes(path.read_bytes()[:size])
    assert "it.zip" in refused(path, 1)


def test_a_file_that_grows_beyond_bounds_when_unpacked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.prove.files.LARGEST", 1_000)
    for name in ("it.zip", "it"):
        assert "has more than 1,000 bytes" in refused(save(certify(SMALL), tmp_path / name), 1)


def test_folders_in_the_place_of_files_are_named(tmp_path: Path) -> None:
    folder = save(certify(SMALL), tmp_path / "it")
    (folder / "map.txt").unlink()
    (folder / "map.txt").mkdir()
    assert "map.txt" in refused(folder, 1)
    assert "nowhere" in refused(tmp_path / "nowhere", 1)


@pytest.mark.parametrize("name", ["certificate.json", "proof.lrat"])
def test_a_pipe_or_a_device_in_the_place_of_a_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    folder = save(certify(SMALL), tmp_path / "it")
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert "a regular file is expected" in refused(folder, 1)
    (folder / name).unlink()
    (folder / name).symlink_to("/dev/zero")
    assert "a regular file is expected" in refused(folder, 1)
    os.mkfifo(tmp_path / "pipe.zip")
    assert "a folder or a zip file is expected" in refused(tmp_path / "pipe.zip", 1)


def test_a_zip_file_of_ever_so_many_files_is_refused(tmp_path: Path) -> None:
    path = save(certify(SMALL), tmp_path / "it.zip")
    with zipfile.ZipFile(path, "a") as archive:
        for k in range(3_000):
            archive.writestr(f"{k}", "")
    assert "the zip file holds more files than a certificate has" in refused(path, 1)
