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


def test_an_unknown_reason_fails_in_ci_and_a_known_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    monkeypatch.setenv("CI", "true")
    for reason, code in (("no mood", 1), ("not applicable (family): squares only", 0)):
        (tmp_path / "test_sample.py").write_text(SAMPLE.format(reason=reason))
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == code, done.stdout
        assert ("test_sample.py::test_one: " + reason in done.stdout) == bool(code)


def test_known_reasons_are_told_from_others() -> None:
    assert unknown_skips({"a": "only on Linux: processes", "b": "lazy"}) == {"b": "lazy"}
