"""MiniZinc, compiled and solved by its own program with Gecode."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence

import pytest

from .maps import Found, identifiers


def solutions(text: str, names: Sequence[str]) -> Found:
    """Return all solutions, or the improving ones when there is an objective."""
    program = shutil.which("minizinc")
    if program is None:
        pytest.skip("not applicable (feature): the program minizinc is absent")
    command = [program, "--solver", "gecode", "--all-solutions", "--output-mode", "json", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "==========" in done.stdout or "=====UNSATISFIABLE=====" in done.stdout, done.stdout + done.stderr
    of = identifiers((line[1:] for line in text.splitlines() if line.startswith("%")), names)
    answers = [json.loads(part) for part in done.stdout.split("----------")[:-1]]
    return [tuple(answer[of[name]] for name in names) for answer in answers]
