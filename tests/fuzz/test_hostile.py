"""Every reader and every kind of hostile input: one clear error in bounded memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sudoku_models.formats.links import packed, unpacked

from . import hostile
from .hostile import TABLE
from .readers import READERS

ROOT = Path(__file__).parents[2]
MEGABYTES = 200
PAIRS = [(kind, name) for kind, cases in TABLE.items() for name in cases]


def answers() -> dict[tuple[str, str], tuple[str, int]]:
    """Ask all readers in one process of their own."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "backends")])
    command = [sys.executable, "-m", "tests.fuzz.answers"]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return {(kind, name): (said, memory) for kind, name, said, memory in map(json.loads, done.stdout.splitlines())}


def test_every_reader_meets_hostile_inputs() -> None:
    assert {name for _, name in PAIRS} == READERS.keys()


def test_a_hostile_input_is_refused_and_the_place_is_named() -> None:
    found = answers()
    assert [pair for pair in PAIRS if TABLE[pair[0]][pair[1]].named not in found[pair][0]] == [], found
    assert [pair for pair, (said, _) in found.items() if "\n" in said or len(said) >= 1_000] == []
    assert [pair for pair, (_, memory) in found.items() if memory >= MEGABYTES << 20] == []


def test_the_packed_bomb_is_what_a_packer_makes() -> None:
    assert len(hostile.bomb()) < 150_000
    small = hostile.bomb(5_000)
    text = unpacked(small, 10_000)
    assert set(text) == {"a"}
    assert 5_000 <= len(text) < 5_200
    assert packed(text).rstrip("=")[:-2] == small[: len(packed(text).rstrip("=")) - 2]
