"""Every backend conforms, with its defaults and with its other options.

Options that choose only what an engine is given, or another solver behind the same code, are asked about answers alone:
how a run begins, is limited, seeded and interrupted, what is declared, and what is done around an engine is checked
with the defaults, and with every option that is an engine or a search of its own. Engines that take long to start get a
share of the random cases.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest
from sudoku_backends import exact_cover, highs, minizinc, pumpkin, xcsp3, z3
from sudoku_backends.bitset import BACKEND as BITSET
from sudoku_backends.cnf import program, pysat
from sudoku_backends.native import BACKEND as NATIVE
from sudoku_backends.native import NativeOptions
from sudoku_backends.native.backend import REASONING, REDUCTIONS
from sudoku_backends.pseudo_boolean import exact, opb

from sudoku_models import Variable
from sudoku_models.engine import Request, run
from sudoku_models.engine.contract import Backend
from sudoku_models.engine.registry import Selection
from sudoku_models.model import AllDifferent, Model
from sudoku_models.testing import CHECKS, BackendConformance, Check, Subject
from sudoku_models.testing.checks import answers, objectives

from . import natives

ANSWERS = (
    *(answers.known_counts, answers.known_satisfiability, answers.odd_constraints, answers.every_operator),
    *(*answers.KINDS_ALONE, answers.large_numbers, answers.mixtures, answers.kept_variables),
    *(answers.boards_against_the_reference, objectives.odd_objectives, objectives.best_of_random_models, CHECKS[-1]),
)
"""For options that change what an engine is given."""
NO_CTRL_C = tuple(check for check in CHECKS if not check.name.startswith("ctrl_c"))
"""For a search in plain Python whose like is interrupted in another class."""
NO_BOARDS = tuple(check for check in NO_CTRL_C if "boards" not in check.name)
"""For a search that may miss solutions: on most boards it makes all of its tries in vain."""
MOST, SOME, FEW, LEAST = 0.5, 0.25, 0.1, 0.05
"""The shares of the random cases: for defaults, for engines that take longer, for options, which
`tests/testing/test_fuzz.py` asks about tiny models too, and for engines that take longest.
"""


def needs(*wanted: str) -> Callable[[type], type]:
    """Put one skipped test in place of a class that lacks a package, or each of some programs: "$a|$b"."""
    missing = [one for one in wanted if one and not any(map(is_there, one.split("|")))]

    class Missing:
        def test_conforms(self) -> None:
            pytest.skip(f"not applicable (platform): {' and '.join(missing).replace('$', '')} is not installed")

    return lambda cls: Missing if missing else cls


def is_there(name: str) -> bool:
    return bool(shutil.which(name[1:]) if name.startswith("$") else find_spec(name))


def of(backend: Backend, **options: Any) -> Selection:
    """Select a backend of this checkout, even if another one is registered."""
    return Selection(backend, backend.Options(**options))


def each(spec: str, *options: str) -> tuple[str, ...]:
    return tuple(f"{spec}:{option}" for option in options)


PLAIN = NativeOptions(without="+".join((*REDUCTIONS, *REASONING)))
FORMS = each("cp-sat", "form=booleans", "presolve=false,linearization=0")
ENCODINGS = each("pycosat", "house=minimal,amo=sequential", "house=efficient,amo=commander", "reduction=none")
PYTHON = "python-constraint"
Row = tuple[str, str, Callable[..., Any], float, Sequence[Check], Sequence[str | Selection]]
ROWS: tuple[Row, ...] = (
    ("Backtracking", "", natives.backtracking, MOST, CHECKS, ["backtracking"]),
    ("BacktrackingRows", "", natives.backtracking, MOST, NO_CTRL_C, ["backtracking:strategy=rows"]),
    (
        *("BacktrackingStrategies", "", natives.backtracking, FEW, ANSWERS),
        each("backtracking", "strategy=general", "strategy=fewest", "strategy=rescan"),
    ),
    ("Bitset", "llvmlite", natives.bitset, MOST, CHECKS, [of(BITSET)]),
    ("BitsetOneLane", "", natives.one_lane, MOST, NO_CTRL_C, [of(BITSET, lanes="1")]),
    ("CpSat", "", natives.cp_sat, SOME, CHECKS, ["cp-sat"]),
    ("CpSatForms", "", natives.cp_sat, FEW, ANSWERS, FORMS),
    ("ExactCover", "", natives.exact_cover, MOST, NO_CTRL_C, [of(exact_cover.BACKEND)]),
    ("Native", "llvmlite", natives.native, MOST, CHECKS, [of(NATIVE)]),
    ("NativePlain", "llvmlite", natives.native, FEW, ANSWERS, [Selection(NATIVE, PLAIN)]),
    ("Pycosat", "", natives.pycosat, MOST, CHECKS, ["pycosat"]),
    ("PycosatEncodings", "", natives.pycosat, FEW, ANSWERS, ENCODINGS),
    ("Pysat", "pysat", natives.pysat, SOME, CHECKS, [of(pysat.BACKEND)]),
    (
        *("PysatSolvers", "pysat", natives.pysat, FEW, ANSWERS),
        [of(pysat.BACKEND, solver=solver) for solver in ("cadical153", "glucose4")],
    ),
    ("PythonConstraint", "", natives.python_constraint, MOST, CHECKS, each(PYTHON, "solver=backtracking")),
    (
        "PythonConstraintIncomplete",
        "",
        natives.python_constraint,
        FEW,
        NO_BOARDS,
        each(PYTHON, "solver=minconflicts"),
    ),
    (
        *("PythonConstraintSolvers", "", natives.python_constraint, FEW, ANSWERS),
        each(PYTHON, "solver=optimized", "solver=recursive", "solver=parallel"),
    ),
    ("Z3", "z3", natives.z3, LEAST, CHECKS, [of(z3.BACKEND)]),
    ("Exact", "exact", natives.exact, FEW, CHECKS, [of(exact.BACKEND)]),
    ("Pumpkin", "pumpkin_solver", natives.pumpkin, FEW, CHECKS, [of(pumpkin.BACKEND)]),
    ("MiniZinc", "$minizinc", natives.minizinc, FEW, CHECKS, [of(minizinc.BACKEND)]),
    ("Dimacs", "|".join(f"${name}" for name in program.KNOWN), natives.dimacs, 0.03, CHECKS, [of(program.BACKEND)]),
    ("Opb", "|".join(f"${name}" for name in opb.KNOWN), natives.opb, 0.05, CHECKS, [of(opb.BACKEND)]),
)
"""For each class its name, what it needs, how its engine is asked itself, the share, the checks, and the specs."""
for name, needed, solve_native, share, checks, specs in ROWS:
    members = {"specs": tuple(specs), "solve_native": solve_native, "share": share, "checks": tuple(checks)}
    globals()[f"Test{name}"] = needs(needed)(type(f"Test{name}", (BackendConformance,), members))


@pytest.fixture(scope="class")
def quick_java(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the classes that a first run loads: Java starts in half the time."""
    archive = tmp_path_factory.mktemp("java") / "classes.jsa"
    xs = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", f"-XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit={archive}")
        list(run(Model(xs, [AllDifferent(xs), xs[0] < xs[1]]), request.cls.specs[0], Request(limit=None)))
        patch.setenv("JAVA_TOOL_OPTIONS", f"-XX:TieredStopAtLevel=1 -XX:SharedArchiveFile={archive}")
        yield


@needs("pycsp3", "$java")
@pytest.mark.usefixtures("quick_java")
class TestAce(BackendConformance):
    specs = (of(xcsp3.ACE),)
    solve_native, share = natives.ace, 0.02


@needs("pycsp3", "$java")
@pytest.mark.usefixtures("quick_java")
class TestChoco(BackendConformance):
    specs = (of(xcsp3.CHOCO),)
    solve_native, share = natives.choco, 0.02


APART = {
    "limits_on_the_compiled_model",
    "improvements_on_the_compiled_model",
    "maps_lead_both_ways",
    "maps_of_what_is_decided",
}
"""What asks the compiled model of HiGHS itself: it needs a process without OR-tools, which this one may have."""

ALONE = """
import json, sys, traceback
from sudoku_backends.highs import BACKEND
from sudoku_models.testing import CHECKS, Subject
from tests.conformance import natives
subject = Subject.of(BACKEND)
subject.solve_native, subject.share = natives.highs, 0.05
for check in CHECKS:
    if check.name in sys.argv[1:]:
        try:
            check(subject)
        except Exception:
            print(json.dumps([check.name, traceback.format_exc()]))
        else:
            print(json.dumps([check.name, ""]))
"""


@cache
def apart() -> dict[str, str]:
    """Run these checks in one process of their own; return what went wrong in each."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    command = [sys.executable, "-c", ALONE, *APART]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return dict(map(json.loads, done.stdout.splitlines()))


@needs("highspy")
class TestHighs(BackendConformance):
    specs = (of(highs.BACKEND),)
    solve_native, share = natives.highs, LEAST

    def test_conforms(self, check: Check, subject: Subject, request: pytest.FixtureRequest) -> None:
        if check.name in APART:
            assert apart()[check.name] == ""
        else:
            super().test_conforms(check, subject, request)

    def test_the_engine_is_not_loaded_here(self) -> None:
        assert "highspy" not in sys.modules
