"""The journal: what was announced is there whatever is killed, nothing is there twice, a run can go on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.compare import Instance, Journal, JournalError, Plan, Row, compare, distinct, instances, resume, run
from sudoku_models.engine.tree import descendants
from sudoku_models.errors import Unusable
from sudoku_models.puzzle.rules import CellsRule, KillerCage, Thermo
from sudoku_models.verbs.agreement import Verdict

from ..planting import impatience, planted

__all__ = ["impatience", "planted"]

ROOT = Path(__file__).parents[2]
PUZZLES = ["1.....2....3....", "1.3...2....3.4..", "11.............."]
SPECS = ["backtracking", "pycosat"]


@pytest.fixture
def lasting_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let many repeats share two workers of each engine, where a test is not about starting them."""
    monkeypatch.setattr("sudoku_models.compare.pool.GENERATIONS", 2)


def found(puzzles: list[str] = PUZZLES) -> list[Instance]:
    return distinct(instances(puzzles))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    comparison = compare(PUZZLES, SPECS, directory=tmp_path, seeds=(0, 4))
    journal = Journal.open(tmp_path)
    assert tuple(journal.rows()) == comparison.rows
    assert len(comparison.rows) == 12
    assert journal.plan() == comparison.plan
    assert [entry.sha for entry in journal.instances()] == [entry.sha for entry in found()]
    assert journal.done() == {row.key for row in comparison.rows}


def test_what_another_process_adds_is_seen(tmp_path: Path) -> None:
    plan, chosen = Plan.of(["backtracking"]), found()
    reader = Journal.create(tmp_path, plan, chosen)
    assert not reader.done()
    made = resume(tmp_path)
    assert reader.done() == {row.key for row in made.rows}
    assert tuple(reader.rows()) == made.rows
    assert reader.provenance()["done"] == len(chosen)


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle.parse("." * 16),
        Puzzle.empty(Shape.square(6, (3, 2))),
        Puzzle.empty(Shape.latin(5)),
        Puzzle.empty(Shape.irregular("1122112233443344")),
        Puzzle.parse("1...............").with_candidates({"R2C2": (3, 4)}),
        Puzzle(Shape.square(4), (1, *[None] * 15), title="one", comment="two", stated=(1, *[None] * 15)),
        Puzzle.parse("." * 16).with_rules(Thermo(["R1C1", "R2C2", "R3C3"]), KillerCage(["R4C4", "R3C4"], 5)),
    ],
    ids=repr,
)
def test_instances_of_every_shape_survive(tmp_path: Path, puzzle: Puzzle) -> None:
    instance = Instance(3, puzzle, "a.txt", 7)
    journal = Journal.create(tmp_path, Plan.of(["backtracking"]), [instance])
    (again,) = journal.instances()
    assert again == instance
    assert again.sha == instance.sha != Instance(3, Puzzle.parse("2" + "." * 15)).sha


def test_a_rule_that_is_no_plain_data_is_refused_when_the_journal_is_made(tmp_path: Path) -> None:
    puzzle = Puzzle.parse("." * 16).with_rules(Odd("R1C1", frozenset({1, 3})))
    with pytest.raises(Unusable, match="cannot be written to a journal"):
        compare([puzzle], ["backtracking"], directory=tmp_path)


@dataclass(frozen=True)
class Odd(CellsRule):
    values: frozenset[int] = frozenset()


def test_the_provenance_tells_machine_versions_command_plan_and_instances(tmp_path: Path) -> None:
    compare(PUZZLES, ["cp-sat"], directory=tmp_path, time_limit=3.0, seeds=(2,))
    said = Journal.open(tmp_path).provenance()
    assert (said["planned"], said["done"]) == (3, 3)
    assert said["instances"] == [entry.sha for entry in found()]
    assert (said["plan"]["time_limit"], said["plan"]["seeds"], said["plan"]["backends"]) == (3.0, [2], ["cp-sat"])
    (session,) = said["sessions"]
    assert session["command"] == sys.argv
    assert {"python", "ortools"} <= session["versions"].keys()
    assert ("llvmlite" in session["versions"]) == (find_spec("llvmlite") is not None)
    (machine,) = said["hosts"].values()
    assert {"cpu", "cores", "memory", "kernel"} <= machine.keys()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    plan = Plan.of(SPECS)
    journal = Journal.create(tmp_path, plan, found())
    rows = run(plan, found(), journal)
    next(rows)
    with pytest.raises(JournalError, match="another process is using this journal"):
        list(run(plan, found(), Journal.open(tmp_path)))
    assert len([row for row in rows if row]) <= 6
    assert len(journal.done()) == 6


@pytest.mark.usefixtures("lasting_workers")
def test_a_run_that_was_stopped_goes_on_and_nothing_runs_twice(tmp_path: Path) -> None:
    plan = Plan.of(SPECS, repeats=10)
    journal = Journal.create(tmp_path, plan, found())
    first = []
    for row in run(plan, found(), journal):
        first += [row] if row else []
        if len(first) == 7:
            break
    before = journal.done()
    assert {row.key for row in first} <= before
    assert 7 <= len(before) < 60
    second: list[Row] = []
    comparison = resume(tmp_path, on_row=second.append)
    assert {row.key for row in second}.isdisjoint(before)
    assert len(before) + len(second) == len(comparison.rows) == 60
    assert sorted(row.position for row in comparison.rows) == list(range(60))
    assert len(journal.provenance()["sessions"]) == 2


@pytest.mark.usefixtures("planted", "impatience")
def test_a_row_is_durable_before_it_is_announced_and_while_a_long_run_goes_on(tmp_path: Path) -> None:
    plan = Plan.of(["backtracking", "sleeper"], time_limit=3.0, shuffle=1)
    journal = Journal.create(tmp_path, plan, found(PUZZLES[:1]))
    assert next(plan.jobs(found(PUZZLES[:1]))).spec == "backtracking"
    seen = []
    for row in run(plan, found(PUZZLES[:1]), journal):
        if row:
            done = Journal.open(tmp_path).done()
            assert row.key in done
            seen.append((row.verdict, len(done)))
    assert seen == [(Verdict.SOLVED, 1), (Verdict.TIMEOUT, 2)]


def test_rows_that_wait_when_a_run_fails_are_announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, seen = Plan.of(SPECS), list[Row]()
    rows = [row for row in run(plan, found()) if row]

    def failing(*_: object) -> Iterator[Row]:
        yield from rows[:2]
        raise RuntimeError("the machine is gone")

    monkeypatch.setattr("sudoku_models.compare.comparison._rows", failing)
    with pytest.raises(RuntimeError, match="the machine is gone"):
        seen.extend(filter(None, run(plan, found(), Journal.create(tmp_path, plan, found()))))
    assert seen == rows[:2]
    assert Journal.open(tmp_path).done() == {row.key for row in seen}


PROGRAM = """
import sys
from sudoku_models.compare import Journal, pool, run
pool.GENERATIONS = 2  # many repeats share two workers: the program is killed while it runs, not while it starts
# It announces a row for each line that it reads, and all others where there are no lines: so it is not done before.
journal = Journal.open(sys.argv[1])
for row in run(journal.plan(), journal.instances(), journal):
    if row:
        sys.stdin.readline()
        print("\\t".join(map(str, row.key)), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux: processes are looked up in /proc")
class TestKilled:
    """The program is killed at random moments, and its workers are, until all is done (on Linux: by /proc)."""

    def start(self, folder: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROGRAM, str(folder)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def allow(self, process: subprocess.Popen[str], rows: int | None = None) -> None:
        """Let the program announce some more rows, or all of them."""
        assert process.stdin
        with suppress(BrokenPipeError):
            if rows is None:
                process.stdin.close()
            else:
                process.stdin.write("\n" * rows)
                process.stdin.flush()

    def announced(self, process: subprocess.Popen[str]) -> Iterator[tuple[str, str, int, int]]:
        assert process.stdout
        for line in process.stdout:
            if line.endswith("\n"):
                sha, backend, seed, repeat = line.rstrip("\n").split("\t")
                yield sha, backend, int(seed), int(repeat)
        process.stdout.close()

    def test_no_announced_row_is_lost_none_is_doubled_or_torn(self, tmp_path: Path) -> None:
        chance = random.Random(20)
        plan = Plan.of(SPECS, repeats=10)
        journal = Journal.create(tmp_path, plan, found())
        said: list[tuple[str, str, int, int]] = []
        rounds = 0
        while len(journal.done()) < plan.count(found()):
            process = self.start(tmp_path)
            announced = self.announced(process)
            if rounds < 3:
                wanted = chance.randint(1, 12)
                self.allow(process, wanted + 5)  # it is killed at work, at no known moment, and not after the last row
                said += islice(announced, wanted)
                workers = list(descendants(process.pid))
                process.kill()
                said += announced
                process.wait()
                self.allow(process)
                self.assert_dead(workers)
            else:
                self.allow(process)
                said += announced
                assert process.wait() == 0
            done = journal.done()
            assert set(said) <= done
            rounds += 1
        assert rounds > 1, "the first was killed before the last row"
        assert max(Counter(said).values()) == 1
        rows = list(journal.rows())
        assert len(rows) == len({row.key for row in rows}) == plan.count(found())
        assert {row.status for row in rows} == {"solved", "unsatisfiable"}
        assert sorted(row.position for row in rows) == list(range(plan.count(found())))
        assert not Journal.open(tmp_path).damage

    def test_workers_that_are_stopped_do_not_outlive_the_program(self, tmp_path: Path) -> None:
        Journal.create(tmp_path, Plan.of(SPECS, repeats=5000), found())
        process = self.start(tmp_path)
        self.allow(process)
        assert process.stdout
        rows = [process.stdout.readline() for _ in range(12)]
        assert all(any(spec in row for row in rows) for spec in SPECS)  # both workers are at work
        workers = list(descendants(process.pid))
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        process.kill()
        process.stdout.close()
        process.wait()
        self.assert_dead(workers)

    def assert_dead(self, workers: list[int]) -> None:
        deadline = time.monotonic() + 300
        while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]

    def test_workers_that_are_killed_are_replaced_and_cost_at_most_their_run(self, tmp_path: Path) -> None:
        chance = random.Random(21)
        plan = Plan.of(SPECS, repeats=20)
        journal = Journal.create(tmp_path, plan, found())
        process = self.start(tmp_path)
        kills = 0
        announced, said = self.announced(process), []
        self.allow(process, 5)
        while kills < 4 and process.poll() is None:
            wanted = chance.randint(1, 15)
            self.allow(process, wanted)
            said += islice(announced, wanted)
            for pid in list(descendants(process.pid))[: chance.choice([1, 2])]:
                os.kill(pid, signal.SIGKILL)
                kills += 1
        self.allow(process)
        said += announced
        assert process.wait() == 0
        rows = list(journal.rows())
        assert sorted(row.key for row in rows) == sorted(said)
        assert len(rows) == plan.count(found())
        crashed = [row for row in rows if row.verdict is Verdict.CRASH]
        assert kills > 2
        assert len(crashed) <= kills
        assert all("signal 9" in row.reason for row in crashed)
        assert {row.status for row in rows} <= {"solved", "unsatisfiable", "crash"}
