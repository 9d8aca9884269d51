"""Changed certificates are not accepted, and hostile files end with one clear error."""

from __future__ import annotations

import os
from pathlib import Path

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


def test_bytes_that_are_no_text_end_with_one_error(tmp_path: Path) -> None:
    folder = save(certify(SMALL), tmp_path / "it")
    (folder / "proof.lrat").write_bytes(b"\xff\xfe\x00")
    refused(folder, 1)


def refused(path: Path, lines: int) -> str:
    """Check that the program refuses a certificate, in so many lines on standard error or by a verdict; return it."""
    found = invoke(["check", str(path), "--time-limit", "600"])
    assert found.exit_code in (2, 4), found.output
    assert "Traceback" not in found.output
    assert found.exit_code == 4 or len(found.stderr.splitlines()) == lines, found.output
    return found.output


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
