"""An installation without any extra: what works without them works, and what needs one names it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from .running import fresh

ROOT = Path(__file__).parents[1]
MODULES = {
    "python-sat": "pysat",
    "z3-solver": "z3",
    "pumpkin-solver": "pumpkin_solver",
    "vl-convert-python": "vl_convert",
}
HIDING = """
import importlib.util, sys
HIDDEN = frozenset(sys.argv.pop(1).split(","))
class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in HIDDEN else found(name, package)
sys.meta_path.insert(0, Hiding())
"""
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def hidden() -> str:
    """Return the modules of all extras."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    names = {one.split(">")[0].split("[")[0] for name, listed in extras.items() if name != "dev" for one in listed}
    return ",".join(sorted(MODULES.get(name, name) for name in names - {"sudoku-models"}))


def without_extras(code: str, *arguments: str) -> str:
    """Return what a program prints in a process that finds no module of an extra."""
    return fresh(HIDING + code, hidden(), *arguments)


def test_a_puzzle_is_generated() -> None:
    said = without_extras("from sudoku_models.cli.main import main; main()", "generate", "--number", "1").strip()
    assert len(said) == 81 and 17 <= sum(symbol.isdigit() for symbol in said) <= 40


def test_the_backend_that_a_record_names_can_be_asked_for() -> None:
    code = f"""
from sudoku_models import BackendMissing, count, solve
from sudoku_models.engine import listings
for text in ({PUZZLE!r}, {PUZZLE!r}.replace("5", "."), "1..."  "..2."  "...3"  ".4.."):
    named = solve(text, unique=True).record.backend
    assert solve(text, named, unique=True).record.backend == named, named
    assert count(text, named, limit=5).value == count(text, limit=5).value
assert not [one.problem for one in listings() if one.name == "bitset"][0]
try:
    solve({PUZZLE!r}, "bitset:lanes=8")
except BackendMissing as error:
    print(error)
"""
    assert "sudoku-models[fast]" in without_extras(code)


def test_cp_sat_that_cannot_be_loaded_beside_highspy_answers_in_a_child() -> None:
    code = """
import types
from sudoku_models import Puzzle, Shape, count, solve
from sudoku_models.puzzle import rules
sys.modules["highspy"] = types.ModuleType("highspy")
class Clash:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("ortools."):
            raise ImportError("libortools.so.9: undefined symbol")
sys.meta_path.insert(0, Clash())
puzzle = Puzzle.empty(Shape.square(4)).with_rules(rules.KillerCage("R1C1 R1C2 R2C1", 6), rules.Thermo("R1C1 R1C2"))
for engine in ("cp-sat", "relay:(cp-sat)|(pycosat)", "auto"):
    assert solve(puzzle, engine, unique=True).status == "solved"
    assert count(puzzle, engine) == count(puzzle, "backtracking")
best = solve(puzzle.model.with_().maximise(puzzle.model.variables[0]), "cp-sat")
print(best.status, best.record.isolated, sorted(name for name in sys.modules if name.startswith("ortools.")))
"""
    assert without_extras(code).strip() == "solved True []"
