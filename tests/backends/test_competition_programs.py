"""Programs of the competitions: any that is named is asked, its answer is read, and what it lacks is reported."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sudoku_backends.cnf.program import BACKEND as DIMACS
from sudoku_backends.cnf.program import DimacsOptions
from sudoku_backends.pseudo_boolean.opb import BACKEND as OPB
from sudoku_backends.pseudo_boolean.opb import OpbOptions

from sudoku_models import Variable
from sudoku_models.engine import Reason, Request, run, tree
from sudoku_models.engine.registry import Selection
from sudoku_models.errors import BackendFailed
from sudoku_models.model import AllDifferent, Model

SAT = """
import sys, pycosat
lines = [line.split() for line in open(sys.argv[-1]) if line[0] not in "cp"]
found = pycosat.solve([[int(word) for word in line[:-1]] for line in lines])
print("c a remark")
if found == "UNSAT":
    print("s UNSATISFIABLE")
else:
    print("s SATISFIABLE")
    for literal in found:
        print("v", literal)
    print("v 0")
"""
"""A program of the SAT competitions, without a solver of its own."""

PSEUDO_BOOLEAN = """
import sys
from itertools import product
rows, goal, width = [], [], 0
for line in open(sys.argv[-1]):
    words = line.split()
    if line.startswith("* #variable="):
        width = int(words[2])
    if line.startswith("*"):
        continue
    cut = len(words) - (1 if words[0] == "min:" else 3)
    terms = words[1:cut] if words[0] == "min:" else words[:cut]
    sums = [(int(f), int(x[1:]) - 1) for f, x in zip(terms[::2], terms[1::2])]
    if words[0] == "min:":
        goal = sums
    else:
        rows.append((sums, words[-3], int(words[-2])))
value = lambda sums, row: sum(f * row[x] for f, x in sums)
fits = lambda row: all(value(s, row) >= k if op == ">=" else value(s, row) == k for s, op, k in rows)
found = sorted(filter(fits, product((0, 1), repeat=width)), key=lambda row: value(goal, row))
if not found:
    print("s UNSATISFIABLE")
else:
    print("o", value(goal, found[0]))
    print("s", "OPTIMUM FOUND" if goal else "SATISFIABLE")
    print("v", *("x%d" % i if one else "-x%d" % i for i, one in enumerate(found[0], 1)))
"""
"""A program of the pseudo-Boolean competitions that tries everything."""

XS = [Variable(f"x{i}", (1, 2, 3)) for i in range(3)]
THREE = Model(XS, [AllDifferent(XS)])
Say = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> Say:
    """Makes a program of a text in Python, and returns the command that starts it."""

    def made(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(text)
        return shlex.join([sys.executable, str(path)])

    return made


def by_dimacs(command: str) -> Selection:
    return Selection(DIMACS, DimacsOptions(program=command))


def by_opb(command: str) -> Selection:
    return Selection(OPB, OpbOptions(program=command))


@pytest.mark.parametrize(("text", "chosen"), [(SAT, by_dimacs), (PSEUDO_BOOLEAN, by_opb)], ids=["dimacs", "opb"])
def test_a_program_finds_all_solutions_and_the_best(
    text: str, chosen: Callable[[str], Selection], program: Say
) -> None:
    selection = chosen(program(text))
    with run(THREE, selection, Request(limit=None)) as found:
        assert len(set(found)) == 6
    assert found.outcome.complete
    with run(THREE.maximise(XS[0] + 2 * XS[1]), selection, Request(limit=None)) as best:
        assert list(best)[-1] == (2, 3, 1)
    assert best.outcome.complete
    assert best.outcome.bound == 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import sys; sys.exit('no such format')", "ended with no answer: no such format"),
        ("print('s UNKNOWN')", "ended with UNKNOWN: it printed nothing"),
        ("print('s SATISFIABLE'); print('v one two 0')", "literals were expected, but the program printed 'one'"),
    ],
)
def test_what_is_no_answer_is_an_error(text: str, expected: str, program: Say) -> None:
    with pytest.raises(BackendFailed, match=expected), run(THREE, by_dimacs(program(text)), Request()) as found:
        next(found)


def test_names_that_are_none_are_an_error(program: Say) -> None:
    selection = by_opb(program("print('s SATISFIABLE'); print('v x1 -y2')"))
    with pytest.raises(BackendFailed, match="names of columns were expected, but the program printed '-y2'"):
        next(run(THREE, selection, Request()))


def test_a_program_is_stopped_when_the_time_is_over(program: Say) -> None:
    selection = by_opb(program("import time; time.sleep(600)"))
    with run(THREE, selection, Request(time_limit=0.3)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.TIME


DEAF = """
import pathlib, signal, time
heard = []
signal.signal(signal.SIGTERM, lambda *_: heard.append(1))
for _ in range(6000):
    time.sleep(0.01)
    if heard:
        heard.append(1)
        pathlib.Path({path!r}).write_text(str(len(heard)))
"""


@pytest.mark.skipif(not tree.SEEN, reason="not applicable (platform): processes are looked up in /proc")
def test_a_program_that_ignores_the_request_to_end_is_killed_soon(program: Say, tmp_path: Path) -> None:
    path = tmp_path / "lived"
    path.write_text("0")
    with run(THREE, by_opb(program(DEAF.format(path=str(path)))), Request(time_limit=1)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.TIME
    assert int(path.read_text() or 0) < 2000, "it lived for more than twenty seconds after it was asked to end"


TWICE_FORKED = """
import os, pathlib, time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        pathlib.Path({pid!r}).write_text(str(os.getpid()))
        os.closerange(0, 64)
        time.sleep(600)
    os._exit(0)
os.close(writer)
os.read(reader, 1)  # the other one has written its number
{then}
"""


@pytest.mark.skipif(not tree.SEEN, reason="not applicable (platform): processes are looked up in /proc")
@pytest.mark.parametrize("then", ["time.sleep(600)", "print('s UNSATISFIABLE')"])
def test_a_process_that_left_the_tree_of_its_program_ends_with_it(then: str, program: Say, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    selection = by_opb(program(TWICE_FORKED.format(pid=str(pid), then=then)))
    for limit in (600,) if "print" in then else (2, 20, 200):  # a busy machine may not come to fork in two seconds
        with run(THREE, selection, Request(time_limit=limit)) as found:
            assert list(found) == []
        if pid.exists():
            break
    assert found.outcome.reason is (Reason.EXHAUSTED if "print" in then else Reason.TIME)
    hidden = Path("/proc", pid.read_text(), "stat")
    end = time.monotonic() + 300
    while hidden.exists() and hidden.read_text().rpartition(")")[2].split()[0] not in "ZX" and time.monotonic() < end:
        time.sleep(0.02)
    assert time.monotonic() < end
