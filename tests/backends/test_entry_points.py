"""The backends that are registered: each under its own name, and none loads its engine before it has work."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENTRIES: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "entry-points"
]["sudoku_models.backends"]

LOADED = """
import sys
from importlib.metadata import EntryPoint
for pair in sys.argv[1:]:
    name, _, value = pair.partition("=")
    backend = EntryPoint(name, value, "sudoku_models.backends").load()
    assert backend.name == name, (backend.name, name)
    backend.capabilities_with(backend.Options())
print(*sys.modules)
"""

ENGINES = {
    "numpy",
    "ortools",
    "pycosat",
    "pysat",
    "constraint",
    "llvmlite",
    "z3",
    "highspy",
    "minizinc",
    "exact",
    "pumpkin_solver",
    "pycsp3",
}


def test_every_backend_is_registered_by_its_own_name_and_loads_no_engine() -> None:
    assert {"backtracking", "cp-sat", "highs", "pycosat", "pysat", "z3"} <= set(ENTRIES)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "backends")])}
    command = [sys.executable, "-c", LOADED, *(f"{name}={value}" for name, value in ENTRIES.items())]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    assert not ENGINES & {module.partition(".")[0] for module in done.stdout.split()}
