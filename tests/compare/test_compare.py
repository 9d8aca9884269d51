"""Every puzzle on every backend: rows, verdicts, tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sudoku_models import FormatError
from sudoku_models.agreement import Verdict
from sudoku_models.compare import SCHEMA, Instance, Plan, Row, compare, instances, run

from ..planted import planted

__all__ = ["planted"]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."
PUZZLES = [SEVERAL, UNIQUE, CLASH]
SPECS = ["backtracking", "cp-sat", "pycosat"]


def test_one_row_a_run_with_what_was_asked_and_what_came_of_it() -> None:
    comparison = compare(PUZZLES, SPECS)
    assert sorted((row.puzzle, row.backend) for row in comparison.rows) == [
        (puzzle, backend) for puzzle in (1, 2, 3) for backend in SPECS
    ]
    found = {(row.puzzle, row.status, row.unique, row.clues) for row in comparison.rows}
    assert found == {(1, "solved", False, 3), (2, "solved", True, 5), (3, "unsatisfiable", False, 2)}
    assert {row.asked for row in comparison.rows} == {"unique"}
    assert comparison.agree


def test_rows_tell_times_by_phase_and_sizes() -> None:
    rows = compare([UNIQUE], SPECS).rows
    for row in rows:
        assert {"run", "check"} <= row.phases.keys()
        assert 0 < sum(phase["wall"] for phase in row.phases.values()) <= row.wall * 1.05
        assert row.cpu is not None
        assert row.cpu >= 0
    assert sorted(row.position for row in rows) == [0, 1, 2]
    assert next(row for row in rows if row.backend == "cp-sat").sizes["constraints"] == 12


def test_a_row_survives_its_json(tmp_path: Path) -> None:
    comparison = compare(PUZZLES, ["backtracking"])
    comparison.save(tmp_path / "rows.jsonl")
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert [Row.parse(line) for line in lines] == list(comparison.rows)
    assert {json.loads(line)["schema"] for line in lines} == {SCHEMA}
    with pytest.raises(ValueError, match="no row"):
        Row.parse('{"schema": "another/1"}')


def test_uniqueness_need_not_be_proved() -> None:
    rows = compare([SEVERAL], SPECS, unique=False).rows
    assert {(row.status, row.unique, row.asked) for row in rows} == {("solved", None, "first")}


def test_a_bad_puzzle_is_an_error_of_the_caller() -> None:
    with pytest.raises(FormatError):
        compare(["no puzzle"], SPECS)


def test_printing_shows_the_backends_the_figures_and_the_verdict() -> None:
    text = str(compare(PUZZLES, SPECS))
    for word in (*SPECS, "3 puzzles", "median", "PAR2", "Mean time by phase", "All answers agree."):
        assert word in text


@pytest.mark.usefixtures("planted")
class TestPlantedFaults:
    @pytest.mark.parametrize("fault", ["denier", "uniquer", "ones", "repeater"])
    def test_a_wrong_answer_is_named_with_its_puzzle_and_out_of_the_ranking(self, fault: str) -> None:
        comparison = compare([SEVERAL], [fault, "honest", "cp-sat"])
        summary = comparison.summary()
        assert [(row.backend, row.puzzle) for row in summary.wrong] == [(fault, 1)]
        assert summary.figures[-1].backend == fault
        text = str(comparison)
        assert f"WRONG: {fault} on puzzle 1" in text
        assert f"Wrong answers on 1 of 1 puzzles: {fault}." in text
        assert not comparison.agree

    def test_every_other_fault_is_a_status_of_its_own(self) -> None:
        faults = ["stumbler", "crasher", "glutton", "quitter", "sleeper"]
        comparison = compare([SEVERAL], [*faults, "honest"], time_limit=0.05)
        found = {row.backend: row.verdict for row in comparison.rows}
        assert found == {
            "stumbler": Verdict.ERROR,
            "crasher": Verdict.CRASH,
            "glutton": Verdict.OUT_OF_MEMORY,
            "quitter": Verdict.UNKNOWN,
            "sleeper": Verdict.TIMEOUT,
            "honest": Verdict.SOLVED,
        }
        assert comparison.agree
        assert "stumbler: 1 x error: stumbler failed: RuntimeError: the engine stumbled" in str(comparison)

    def test_an_interrupted_run_yields_the_rows_that_are_there_and_then_stops(self) -> None:
        plan = Plan.of(["honest", "cp-sat"])
        groups, seen = [], []

        def started(instance: Instance, backend: object) -> None:
            seen.append((instance.number, backend))
            if len(seen) == 4:
                raise KeyboardInterrupt

        rows = run(plan, instances(PUZZLES), started)
        with pytest.raises(KeyboardInterrupt):
            for group in rows:
                groups.append(group)
        assert [[row.puzzle for row in group] for group in groups] == [[1, 1], [2]]

    def test_a_lone_answer_is_not_called_agreement(self) -> None:
        assert "Nothing to compare" in str(compare([SEVERAL], ["honest", "quitter"]))
