"""Some inputs of coverage-guided fuzzing for each reader; `.ci/fuzz` goes on for a minute, or for longer."""

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
Fuzzed = tuple[subprocess.CompletedProcess[str], dict[str, bytes]]
"""The harness's end, and the inputs that it kept, by file name."""

RUNS = 10
"""Inputs for each reader."""

PLANTED = f"""
from tests.fuzz import harness
def broken(data):
    assert len(data) < 3
harness.READERS['planted'] = harness.Reader('planted', broken, lambda: [b'..'])
harness.main('all', '-runs={RUNS}', *__import__('sys').argv[1:])
"""
"""Fuzzes every reader, and after them one with a fault."""


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Fuzzed:
    """Fuzz in one process, which has the readers instrumented; skip where the fuzzer is not there."""
    if find_spec("atheris") is None:
        pytest.skip("not applicable (platform): atheris is not there")
    folder = tmp_path_factory.mktemp("fuzzed")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'backends'}"}
    command = [sys.executable, "-c", PLANTED, f"-artifact_prefix={folder}/"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=600, check=False)
    return done, {file.name: file.read_bytes() for file in folder.iterdir()}


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


def test_readers_answer_or_refuse_in_time_and_memory(fuzzed: Fuzzed) -> None:
    done, kept = fuzzed
    ended = {name: f"reader {name}: no fault" in done.stdout.splitlines() for name in READERS}
    assert all(ended.values()), f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}\n{kept}"


def test_the_harness_finds_a_planted_fault(fuzzed: Fuzzed) -> None:
    done, kept = fuzzed
    assert done.returncode == 1
    assert "AssertionError" in done.stderr + done.stdout
    assert "reader planted: FAULT" in done.stdout.splitlines()
    assert [len(data) >= 3 for name, data in kept.items() if "planted" in name] == [True]
