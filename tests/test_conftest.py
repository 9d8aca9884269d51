"""What holds for every run of the tests: unknown reasons for skipping fail in CI."""

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import unknown_skips

SAMPLE = """
import pytest
def test_one(): pytest.skip("{reason}")
def test_two(): pass
"""


Done = subprocess.CompletedProcess[str]


def _run(folder: Path, reason: str, monkeypatch: pytest.MonkeyPatch) -> Done:
    (folder / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    (folder / "test_sample.py").write_text(SAMPLE.format(reason=reason))
    monkeypatch.setenv("CI", "true")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("no mood", 1),
        ("not applicable (family): squares only", 0),
    ],
)
def test_an_unknown_reason_fails_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, code: int) -> None:
    done = _run(tmp_path, reason, monkeypatch)
    assert done.returncode == code, done.stdout
    assert ("test_sample.py::test_one: " + reason in done.stdout) == (reason == "no mood")


def test_known_reasons_are_told_from_others() -> None:
    assert unknown_skips({"a": "the shared data are absent", "b": "lazy"}) == {"b": "lazy"}
