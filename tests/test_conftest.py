"""What holds for every run of the tests: unknown reasons for skipping fail in CI, and Ctrl-C is heard."""

import os
import signal
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


def _run(folder: Path, reason: str, monkeypatch: pytest.MonkeyPatch, ci: bool, *options: str) -> Done:
    (folder / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    (folder / "test_sample.py").write_text(SAMPLE.format(reason=reason))
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", "true")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize(
    ("reason", "ci", "code"),
    [
        ("no mood", True, 1),
        ("no mood", False, 0),
        ("not applicable (family): squares only", True, 0),
    ],
)
def test_an_unknown_reason_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, ci: bool, code: int
) -> None:
    done = _run(tmp_path, reason, monkeypatch, ci)
    assert done.returncode == code, done.stdout
    assert ("test_sample.py::test_one: " + reason in done.stdout) == (reason == "no mood")


HEARS = """
import os, signal, subprocess, sys, pytest
def test_in_this_process():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
def test_in_another():
    assert subprocess.run([sys.executable, "-c", "import os; os.kill(os.getpid(), 2)"]).returncode == -2
"""


@pytest.mark.skipif(os.name != "posix", reason="only on POSIX")
@pytest.mark.parametrize("options", [["-n1"]])
def test_a_shells_job_in_the_background_which_ignores_ctrl_c_lets_the_tests_hear_it(
    options: list[str], tmp_path: Path
) -> None:
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    (tmp_path / "test_hears.py").write_text(HEARS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options, "test_hears.py"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        preexec_fn=lambda: signal.signal(2, signal.SIG_IGN),
    )
    assert done.returncode == 0, done.stdout


def test_known_reasons_are_told_from_others() -> None:
    assert unknown_skips({"a": "the shared data are absent", "b": "lazy"}) == {"b": "lazy"}
