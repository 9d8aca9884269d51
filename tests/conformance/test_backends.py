"""Every backend conforms, with its defaults and with its other options.

Options that choose only what an engine is given, or another solver behind the same code, are asked about answers alone:
how a run begins, is limited, ends and is interrupted is checked with the defaults, and with every option that is an
engine or a search of its own. Engines that take long to start get a share of the random cases.
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
from sudoku_models.testing.checks import runs

from . import natives

ANSWERS = tuple(check for check in CHECKS if check not in vars(runs).values())
NO_CTRL_C = tuple(check for check in CHECKS if not check.name.startswith("ctrl_c"))
"""For a search in plain Python whose like is interrupted in another class."""
MOST, SOME, FEW = 0.5, 0.25, 0.1
"""The shares of the random cases: for defaults, for engines that take longer, and for options, which
`tests/testing/test_fuzz.py` asks about tiny models too.
"""


def needs(package: str = "", programs: Sequence[str] = ()) -> Callable[[type], type]:
    """Put one skipped test in place of a class whose package, or each of whose programs, is missing."""
    missing = package if package and find_spec(package) is None else ""
    if programs and not any(map(shutil.which, programs)):
        missing = " or ".join(programs)

    class Missing:
        def test_conforms(self) -> None:
            pytest.skip(f"not applicable (platform): {missing} is not installed")

    return lambda cls: Missing if missing else cls


def of(backend: Backend, **options: Any) -> Selection:
    """Select a backend of this checkout, even if another one is registered."""
    return Selection(backend, backend.Options(**options))


class TestBacktracking(BackendConformance):
    specs = ("backtracking",)
    solve_native, share = natives.backtracking, MOST


class TestBacktrackingRows(BackendConformance):
    specs = ("backtracking:strategy=rows",)
    solve_native, checks, share = natives.backtracking, NO_CTRL_C, MOST


class TestBacktrackingStrategies(BackendConformance):
    specs = tuple(f"backtracking:strategy={name}" for name in ("general", "fewest", "rescan"))
    solve_native, checks, share = natives.backtracking, ANSWERS, FEW


@needs("llvmlite")
class TestBitset(BackendConformance):
    specs = (of(BITSET),)
    solve_native, share = natives.bitset, MOST


class TestBitsetOneLane(BackendConformance):
    specs = (of(BITSET, lanes="1"),)
    solve_native, checks, share = natives.one_lane, NO_CTRL_C, MOST


class TestCpSat(BackendConformance):
    specs = ("cp-sat",)
    solve_native, share = natives.cp_sat, SOME


class TestCpSatForms(BackendConformance):
    specs = ("cp-sat:form=booleans", "cp-sat:presolve=false,linearization=0")
    solve_native, checks, share = natives.cp_sat, ANSWERS, FEW


class TestExactCover(BackendConformance):
    specs = (of(exact_cover.BACKEND),)
    solve_native, checks, share = natives.exact_cover, NO_CTRL_C, MOST


@needs("llvmlite")
class TestNative(BackendConformance):
    specs = (of(NATIVE),)
    solve_native, share = natives.native, MOST


@needs("llvmlite")
class TestNativePlain(BackendConformance):
    specs = (Selection(NATIVE, NativeOptions(without="+".join((*REDUCTIONS, *REASONING)))),)
    solve_native, checks, share = natives.native, ANSWERS, FEW


class TestPycosat(BackendConformance):
    specs = ("pycosat",)
    solve_native, share = natives.pycosat, MOST


class TestPycosatEncodings(BackendConformance):
    specs = tuple(
        f"pycosat:{option}"
        for option in ("house=minimal,amo=sequential", "house=efficient,amo=commander", "reduction=none")
    )
    solve_native, checks, share = natives.pycosat, ANSWERS, FEW


@needs("pysat")
class TestPysat(BackendConformance):
    specs = (of(pysat.BACKEND), of(pysat.BACKEND, solver="cadical153"))
    solve_native, share = natives.pysat, SOME


@needs("pysat")
class TestPysatSolvers(BackendConformance):
    specs = (of(pysat.BACKEND, solver="glucose4"),)
    solve_native, checks, share = natives.pysat, ANSWERS, FEW


class TestPythonConstraint(BackendConformance):
    specs = ("python-constraint:solver=backtracking",)
    solve_native, share = natives.python_constraint, MOST


class TestPythonConstraintIncomplete(BackendConformance):
    specs = ("python-constraint:solver=minconflicts",)
    solve_native, checks, share = natives.python_constraint, NO_CTRL_C, FEW


class TestPythonConstraintSolvers(BackendConformance):
    specs = tuple(f"python-constraint:solver={name}" for name in ("optimized", "recursive", "parallel"))
    solve_native, checks, share = natives.python_constraint, ANSWERS, FEW


@needs("z3")
class TestZ3(BackendConformance):
    specs = (of(z3.BACKEND),)
    solve_native, share = natives.z3, FEW


@needs("exact")
class TestExact(BackendConformance):
    specs = (of(exact.BACKEND),)
    solve_native, share = natives.exact, 0.1


@needs("pumpkin_solver")
class TestPumpkin(BackendConformance):
    specs = (of(pumpkin.BACKEND),)
    solve_native, share = natives.pumpkin, 0.1


@needs(programs=["minizinc"])
class TestMiniZinc(BackendConformance):
    specs = (of(minizinc.BACKEND),)
    solve_native, share = natives.minizinc, 0.1


@needs(programs=program.KNOWN)
class TestDimacs(BackendConformance):
    specs = (of(program.BACKEND),)
    solve_native, share = natives.dimacs, 0.03


@needs(programs=opb.KNOWN)
class TestOpb(BackendConformance):
    specs = (of(opb.BACKEND),)
    solve_native, share = natives.opb, 0.05


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


@needs("pycsp3", ["java"])
@pytest.mark.usefixtures("quick_java")
class TestAce(BackendConformance):
    specs = (of(xcsp3.ACE),)
    solve_native, share = natives.ace, 0.02


@needs("pycsp3", ["java"])
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
subject.solve_native, subject.share = natives.highs, 0.1
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
    solve_native, share = natives.highs, 0.1

    def test_conforms(self, check: Check, subject: Subject, request: pytest.FixtureRequest) -> None:
        if check.name in APART:
            assert apart()[check.name] == ""
        else:
            super().test_conforms(check, subject, request)

    def test_the_engine_is_not_loaded_here(self) -> None:
        assert "highspy" not in sys.modules
