"""A second of coverage-guided fuzzing for each reader; in CI a minute for all of them together."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS

from .readers import READERS

ROOT = Path(__file__).parents[2]
TOGETHER = 60 if os.environ.get("CI") else 30
"""Seconds for all readers together."""


def test_every_format_that_is_read_is_fuzzed() -> None:
    assert READERS.keys() >= {name for name, kind in FORMATS.items() if kind.reads}


@pytest.mark.parametrize("name", READERS)
def test_what_fuzzing_begins_with_is_read(name: str) -> None:
    seeds = READERS[name].seeds()
    assert seeds
    refused = 0
    for seed in seeds:
        try:
            READERS[name].read(seed)
        except FormatError:
            refused += 1
    assert refused <= len(seeds) // 10  # boards of as many rows as one board has have two readings


def test_readers_answer_or_refuse_in_time_and_memory(tmp_path: Path) -> None:
    each = max(1, TOGETHER // len(READERS))
    done = harness(["-m", "tests.fuzz.harness", "all", f"-max_total_time={each}", f"-artifact_prefix={tmp_path}/"])
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}\n{kept}"
    assert done.stdout.count(": no fault") == len(READERS)


def test_the_harness_finds_a_planted_fault(tmp_path: Path) -> None:
    program = (
        "from tests.fuzz import harness\n"
        "def broken(data):\n"
        "    assert b'7' not in data\n"
        "harness.READERS['line'] = harness.Reader('line', broken, lambda: [b'..'])\n"
        f"harness.main('line,sdm', '-runs=100000', '-max_total_time=2', '-artifact_prefix={tmp_path}/')\n"
    )
    done = harness(["-c", program])
    assert done.returncode == 1
    assert "AssertionError" in done.stderr + done.stdout
    assert "reader line: FAULT" in done.stdout
    assert "reader sdm: no fault" in done.stdout
    assert [b"7" in file.read_bytes() for file in tmp_path.iterdir()] == [True]


def harness(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the harness; skip where the fuzzer is not there."""
    if find_spec("atheris") is None:
        pytest.skip("not applicable (platform): atheris is not there")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'backends'}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=600, check=False)
