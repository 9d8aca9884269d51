"""Who may import whom, and what an import costs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .running import fresh

ROOT = Path(__file__).parents[1]

PAGE = (ROOT / "docs" / "reference" / "house.md").read_text("utf-8")
ALLOWED = {
    name: set(re.findall(r"`(\w+)`", others))
    for name, others in re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", PAGE, re.MULTILINE)
}
"""What a part of the library may import from the others, as the page about the house says it. ``errors``, ``lazy``
and ``dataclass`` are for all; ``cli`` and the package itself may import all; a new part has to be entered there."""
BACKENDS = set(re.findall(r"`(sudoku_models\.[\w.]+)`[,\n]", PAGE))
"""What a backend may import of the library."""


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
    paths = [path for path in sources("sudoku_models") if part(path) not in ("__init__", "__main__", "cli")]
    assert len(paths) > 100
    assert {part(path) for path in paths} <= ALLOWED.keys(), "enter what is new in docs/reference/house.md"
    wrong = []
    for path in paths:
        mine = part(path)
        for other, _ in ours(path):
            if other not in (mine, "errors", "lazy", "dataclass", *ALLOWED[mine]):
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert wrong == []


def test_no_part_imports_another_that_leads_back_to_it() -> None:
    below = {part: set(others) for part, others in ALLOWED.items()}
    while below:
        free = {part for part, others in below.items() if not others & below.keys()}
        assert free, f"a circle among {', '.join(sorted(below))}"
        below = {part: others for part, others in below.items() if part not in free}


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
    child_of_formats = "sudoku_models/formats/arrow.py"  # which may not import the engine
    assert found == {"sudoku_models/engine/workers.py", "sudoku_models/engine/program.py", child_of_formats}


HEAVY = ("numpy", "ortools", "pandas", "constraint", "pycosat", "rich", "pytest", "hypothesis")
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
COMMAND = (
    "from sudoku_models.cli.main import main\n"
    "sys.argv[0] = 'sudoku-models'\n"
    "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
)
SOLVING = "import sudoku_models; assert sudoku_models.solve('1...' '..2.' '...3' '....', 'backtracking').grid"
LIGHT: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "the library": ("import sudoku_models", (), (*HEAVY, "sudoku_backends")),
    "a model": ("import sudoku_models.model; sudoku_models.model.booleans('pq')", (), HEAVY),
    "a small board": (SOLVING, (), HEAVY),
    "a classic puzzle": (
        f"import sudoku_models; assert sudoku_models.solve({CLASSIC!r}, unique=True).unique",
        (),
        ("numpy", "llvmlite", "pycosat", "ortools", "importlib.metadata"),
    ),
    "a variant": (
        "import sudoku_models; assert sudoku_models.solve('.Thermo~R2C3~R1C3.Cage~15~R1C1~R1C2~R1C3').grid",
        (),
        ("numpy", "pycosat", "ortools", "importlib.metadata"),
    ),
    "a child": ("import sudoku_models.engine, sudoku_models.engine.child", (), HEAVY),
    "the help": (COMMAND, ("--help",), ("sudoku_backends", "rich.progress", *sorted({*HEAVY} - {"rich"}))),
    "a file": (COMMAND, ("solve", "p"), ("rich", "numpy", "pandas", "pyarrow", "sudoku_models.puzzle.rules.cages")),
}
"""What is run, with which arguments, and what it does not load."""


@pytest.mark.parametrize("name", LIGHT)
def test_what_is_quick_loads_nothing_heavy(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p").write_text(f"{CLASSIC}\n")
    code, arguments, heavy = LIGHT[name]
    said = fresh(f"import sys\n{code}\nprint()\nprint(*[name for name in {heavy} if name in sys.modules])", *arguments)
    assert said.endswith("\n\n")


@pytest.mark.parametrize(
    ("statement", "missing", "said"),
    [
        (
            "from sudoku_models.testing import BackendConformance",
            "pytest",
            "sudoku_models.testing needs pytest: pip install pytest",
        ),
        (
            "import sudoku_models.widget",
            "anywidget",
            "sudoku_models.widget needs anywidget: pip install 'sudoku-models[notebook]'",
        ),
    ],
)
def test_what_is_missing_is_said_with_the_command_that_installs_it(statement: str, missing: str, said: str) -> None:
    code = (
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        f"u.find_spec = lambda name, *rest: None if name == '{missing}' else find(name, *rest)\n"
        f"try:\n    {statement}\n"
        "except ImportError as error:\n    print(error)\n"
    )
    assert fresh(code).strip() == said


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
    assert fresh(statement).strip() == ""
