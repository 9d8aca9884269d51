"""What the program's solvers can do, as it reports."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache

from sudoku_models.errors import BackendMissing, BadOption

PROGRAM = "minizinc"
INSTALL = "apt install minizinc (or: brew install minizinc, https://www.minizinc.org)"


@dataclass(frozen=True)
class KnownSolver:
    """A solver; ``flags`` are the standard flags that it accepts."""

    name: str
    flags: frozenset[str]


def solver_of(name: str) -> KnownSolver:
    """Return what is known about a solver; raise BadOption, with the choices, if the program does not know it."""
    if name == GECODE.name:
        return GECODE
    known = _known()
    if name.lower() not in known:
        choices = ", ".join(sorted({solver.name for solver in known.values()}))
        raise BadOption(f"minizinc: solver={name} is not known: {choices}")
    return known[name.lower()]


def program() -> str:
    """Return the path of the program; raise BackendMissing if there is none."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise BackendMissing(f"minizinc needs the program {PROGRAM} on the path: {INSTALL}")
    return found


GECODE = KnownSolver("gecode", frozenset({"-a", "-p"}))
"""The default, listed here so that the program need not be asked."""


@lru_cache(maxsize=1)
def _known() -> dict[str, KnownSolver]:
    """Ask the program for its solvers, by name, by identifier and by its last part."""
    done = subprocess.run([program(), "--solvers-json"], capture_output=True, text=True, timeout=60, check=True)
    found: dict[str, KnownSolver] = {}
    for entry in json.loads(done.stdout):
        last = entry["id"].rpartition(".")[2]
        solver = KnownSolver(last, frozenset(entry.get("stdFlags", ())))
        found |= dict.fromkeys((entry["id"].lower(), entry["name"].lower(), last.lower()), solver)
    return found
