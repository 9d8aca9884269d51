"""What coverage-guided fuzzing begins with, and that it finds faults; `.ci/fuzz` fuzzes every reader."""

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
PLANTED = """
from tests.fuzz import harness
def broken(data):
    assert len(data) < 3
harness.READERS['planted'] = harness.Reader('planted', broken, lambda: [b'..'])
harness.main('planted', '-runs=25', *__import__('sys').argv[1:])
"""
"""Fuzzes a reader with a fault."""


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


def test_the_harness_finds_a_planted_fault(tmp_path: Path) -> None:
    if find_spec("atheris") is None:
        pytest.skip("not applicable (platform): atheris is not there")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'backends'}"}
    command = [sys.executable, "-c", PLANTED, f"-artifact_prefix={tmp_path}/"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=600, check=False)
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert done.returncode == 1
    assert "AssertionError" in done.stderr + done.stdout
    assert "reader planted: FAULT" in done.stdout.splitlines()
    assert [len(data) >= 3 for name, data in kept.items() if "planted" in name] == [True]
