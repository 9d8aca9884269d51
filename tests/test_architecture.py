"""Who may import whom, and what an import costs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ALLOWED = {
    "__main__": {"cli"},
    "errors": set(),
    "lazy": set(),
    "journal": set(),
    "model": set(),
    "lowering": {"model"},
    "engine": {"lowering", "model"},
    "puzzle": {"model"},
    "grids": {"puzzle", "model"},
    "formats": {"grids", "puzzle", "model"},
    "display": {"puzzle"},
    "verbs": {"display", "exports", "formats", "puzzle", "engine", "model"},
    "bulk": {"verbs", "display", "formats", "puzzle", "engine", "model"},
    "exports": {"engine", "lowering", "model"},
    "make": {"journal", "display", "explain", "bulk", "verbs", "formats", "puzzle", "engine", "model"},
    "compare": {"journal", "explain", "prove", "verbs", "formats", "engine", "display", "puzzle", "model"},
    "widget": {"display", "explain", "verbs", "engine", "puzzle", "model"},
    "collection": {"compare", "verbs", "formats", "engine", "puzzle"},
    "explain": {"verbs", "bulk", "formats", "puzzle", "engine", "lowering", "model", "display"},
    "page": {"explain", "display", "formats", "verbs", "puzzle"},
    "prove": {"bulk", "verbs", "formats", "puzzle", "engine", "model"},
    "testing": {"prove", "verbs", "puzzle", "engine", "lowering", "model"},
}
"""What a part of the library may import from the others. ``errors`` and ``lazy`` are for all; ``cli`` and the package
itself may import all; a part that is new has to be entered here."""

BACKENDS = {
    "sudoku_models.model",
    "sudoku_models.engine.base",
    "sudoku_models.engine.budget",
    "sudoku_models.engine.competition",
    "sudoku_models.engine.contract",
    "sudoku_models.engine.machine_code",
    "sudoku_models.engine.program",
    "sudoku_models.engine.numbers",
    "sudoku_models.engine.pulling",
    "sudoku_models.engine.record",
    "sudoku_models.engine.refutation",
    "sudoku_models.errors",
    "sudoku_models.exports",
    "sudoku_models.lowering.house_sums",
    "sudoku_models.lowering.negation",
    "sudoku_models.lowering.arithmetic",
}

SAID = {
    "errors": "the exceptions",
    "lazy": "imports the names of a package when they are first used",
    "journal": "files of sealed lines that survive a kill at any point",
    "model": "the declarative language: variables, constraints, models",
    "lowering": "rewrites constraints into those that a backend accepts, by the cheapest path",
    "engine": "the contract of backends, the path to a checked solution, child processes, the choice of `auto`",
    "puzzle": "Sudoku as data: shapes, grids, puzzles, the rules of variants",
    "grids": "other kinds of grids, as puzzles with rules",
    "formats": "reads puzzles from text and files, and writes them",
    "display": "pictures, tables in notebooks, progress bars",
    "verbs": "functions for one problem: solve, count, candidates, validate, cores, exports",
    "bulk": "functions for many problems: files, tables, frames and arrays in blocks of rows",
    "exports": "models as files for other programs",
    "make": "generation, minimal and canonical forms, data sets",
    "compare": "comparisons of backends, their statistics and reports",
    "widget": "the grid in notebooks",
    "collection": "the puzzles of the package",
    "explain": "reasons, hints, paths, ratings",
    "page": "an HTML page on which a puzzle can be solved, and one on which it can be set",
    "prove": "certificates",
    "testing": "the conformance suite for backends",
    "__main__": "`python -m sudoku_models`",
}
"""What each part is for, as the page about the house says it."""


def matrix() -> str:
    """Return the table of who may import whom, in Markdown."""
    head = ["| part | what is in it | may import |", "| --- | --- | --- |"]
    rows = [f"| `{name}` | {text} | {_listed(ALLOWED[name])} |" for name, text in SAID.items() if name != "__main__"]
    return "\n".join([*head, *rows])


def _listed(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "nothing of ours"


def sources(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in path.parts]


def part(path: Path) -> str:
    """Return the part of the library that a file belongs to: its folder, or the module at the top."""
    first = path.relative_to(ROOT / "sudoku_models").parts[0]
    return first.removesuffix(".py")


@cache
def imports(path: Path, root: Path) -> list[tuple[str, bool]]:
    """Return the absolute names of what a file imports, and whether that is inside a function."""
    return list(_imports(path, root))


def _imports(path: Path, root: Path) -> Iterator[tuple[str, bool]]:
    package = path.relative_to(root).with_suffix("").parts[:-1]
    for node, inside in statements(ast.parse(path.read_text()), False):
        if isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            for alias in node.names:
                yield (f"{base}.{alias.name}", inside)


def statements(node: ast.AST, inside: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield all statements of a file, and whether each is inside a function."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child, inside
            yield from statements(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def ours(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the parts of the library that a file imports."""
    for name, inside in imports(path, ROOT):
        first, _, rest = name.partition(".")
        other = ROOT / "sudoku_models" / rest.split(".")[0]
        if first == "sudoku_models" and rest and (other.is_dir() or other.with_suffix(".py").exists()):
            yield other.name, inside


def test_a_part_imports_only_what_it_may() -> None:
    paths = [path for path in sources("sudoku_models") if part(path) not in ("__init__", "cli")]
    assert len(paths) > 100
    assert {part(path) for path in paths} <= ALLOWED.keys(), "enter what is new in ALLOWED"
    wrong = []
    for path in paths:
        mine = part(path)
        for other, _ in ours(path):
            if other not in (mine, "errors", "lazy", *ALLOWED[mine]):
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert wrong == []


def test_no_part_imports_another_that_leads_back_to_it() -> None:
    below = {part: set(others) for part, others in ALLOWED.items()}
    while below:
        free = {part for part, others in below.items() if not others & below.keys()}
        assert free, f"a circle among {', '.join(sorted(below))}"
        below = {part: others for part, others in below.items() if part not in free}


def test_the_page_about_the_house_shows_the_table_that_is_held_here() -> None:
    assert SAID.keys() == ALLOWED.keys()
    shown = (ROOT / "docs" / "reference" / "house.md").read_text()
    assert matrix() in shown, "run python -m tests.test_architecture and put what it prints into the page"
    assert all(f"`{module}`" in shown for module in BACKENDS), "name what a backend may import"


def test_the_library_never_imports_a_backend_or_a_solver() -> None:
    solvers = ("sudoku_backends", "backends", "ortools", "pycosat", "constraint")
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("sudoku_models")
        for name, _ in imports(path, ROOT)
        if name.split(".")[0] in solvers
    ]
    assert wrong == []


def test_a_backend_imports_the_contract_and_no_other_backend() -> None:
    paths = sources("backends")
    assert len(paths) > 50
    wrong = []
    for path in paths:
        mine = ".".join(path.relative_to(ROOT / "backends").with_suffix("").parts[:2])
        for name, _ in imports(path, ROOT / "backends"):
            allowed = (*BACKENDS, mine)
            ours_or_theirs = name.startswith(("sudoku_models", "sudoku_backends."))
            if ours_or_theirs and not any(name == module or name.startswith(f"{module}.") for module in allowed):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_the_imports_of_a_file_are_all_seen(tmp_path: Path) -> None:
    package = tmp_path / "a" / "b"
    package.mkdir(parents=True)
    text = "import x.y\nfrom . import c\nfrom ..d import e\nfrom .f.g import h\ndef i():\n    from j import k\n"
    (package / "m.py").write_text(text)
    found = dict(imports(package / "m.py", tmp_path))
    assert found == {"x.y": False, "a.b.c": False, "a.d.e": False, "a.b.f.g.h": False, "j.k": True}


def test_processes_that_stay_are_started_in_three_files_alone() -> None:
    """Elsewhere a program is asked one short question, and its answer is waited for (``subprocess.run``)."""
    starts = re.compile(r"\bPopen\(|\bProcessPool|\bmultiprocessing\b|\bos\.(fork|spawn|exec)|\bcreate_subprocess")
    paths = [*sources("sudoku_models"), *sources("backends")]
    found = {path.relative_to(ROOT).as_posix() for path in paths if starts.search(path.read_text())}
    child_of_formats = "sudoku_models/formats/unpacking.py"  # which may not import the engine
    assert found == {"sudoku_models/engine/workers.py", "sudoku_models/engine/program.py", child_of_formats}


def fresh(statement: str) -> str:
    """Run a statement in a new interpreter; return what it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "backends")])}
    command = [sys.executable, "-c", statement]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


HEAVY = ("numpy", "ortools", "pandas", "constraint", "pycosat", "rich", "pytest", "hypothesis")


@pytest.mark.parametrize(
    "statement",
    [
        "import sudoku_models",
        "import sudoku_models; print(sudoku_models.solve('1...' '..2.' '...3' '....', 'backtracking').status)",
        "import sudoku_models.engine, sudoku_models.engine.child",
    ],
)
def test_an_import_loads_nothing_heavy(statement: str) -> None:
    said = fresh(f"{statement}\nimport sys\nprint(*[name for name in {HEAVY} if name in sys.modules])")
    assert said.removeprefix("solved").strip() == ""


def test_a_puzzle_without_rules_loads_no_family_of_rules_and_whoever_asks_for_all_gets_them() -> None:
    statement = (
        "import sys\nfrom sudoku_models.formats import parse\nfrom sudoku_models.puzzle import rules\n"
        "parse('1...............')\n"
        "print(*[name for name in sys.modules if name.startswith('sudoku_models.puzzle.rules.')])\n"
        "class Mine(rules.CellsRule): pass\n"
        "Thermo = type('Thermo', (Mine,), {})\n"
        "known, offered = rules.known_rules(), [getattr(rules, name) for name in rules.__all__]\n"
        "kinds = [k for k in offered if isinstance(k, type) and issubclass(k, rules.Rule) and k is not rules.Rule]\n"
        "assert known['Thermo'] is Thermo and {k.__name__ for k in kinds} < set(known) and len(kinds) > 90\n"
    )
    assert fresh(statement) == ""


def test_an_import_loads_no_backend() -> None:
    said = fresh("import sudoku_models, sys\nprint(*[n for n in sys.modules if n.startswith('sudoku_backends')])")
    assert said == ""


def test_the_suite_tells_what_it_needs() -> None:
    statement = (
        "import importlib.util as u, sys\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'pytest' else find(name, *rest)\n"
        "try:\n    from sudoku_models.testing import BackendConformance\n"
        "except ImportError as error:\n    print(error)\n"
    )
    assert fresh(statement) == "sudoku_models.testing needs pytest: pip install pytest"


if __name__ == "__main__":
    print(matrix())
