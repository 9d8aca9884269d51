"""MPS, read by HiGHS in a process of its own: many files at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .maps import Found, Literals


def solutions(files: Mapping[Path, Sequence[str]], limit: int = 1000) -> list[Found]:
    """Return the solutions of each file, by the names of its model's variables; of an objective, the best one."""
    program = Path(__file__).with_name("highs_program.py")
    command = [sys.executable, str(program), str(limit), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return [_decoded(file, answers, names) for (file, names), answers in zip(files.items(), found, strict=True)]


def _decoded(file: Path, answers: list[list[str]], names: Sequence[str]) -> Found:
    comments = [line[1:] for line in file.read_text().splitlines() if line.startswith("*") and "=" in line]
    literals = Literals(comments)
    return [literals.solution(true, names) for true in answers]
