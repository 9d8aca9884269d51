"""Comparisons with proofs: which verdicts carry one, what a proof refutes, and what is kept beside the journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare import Journal, Row, compare, judge, resume
from sudoku_models.compare.journal import NAME
from sudoku_models.compare.report.words import notes
from sudoku_models.verbs.agreement import Verdict

from ..planting import planted
from ..running import invoke

__all__ = ["planted"]

UNIQUE, SEVERAL, CLASH = "1.3...2....3.4..", "1.....2....3....", "11.............."


def test_what_the_backends_claim_is_proved_after_the_runs() -> None:
    found = compare([UNIQUE, SEVERAL, CLASH], ["backtracking", "pycosat"], certify=True)
    assert [r.proof for r in found.rows] == ["cdcl", "cdcl", "", "", "cdcl", "cdcl"]
    assert found.agree
    assert [figures.proved for figures in found.summary().figures] == [2, 2]
    text = str(found)
    assert " proved " in text
    assert "Proved: answers with a checked proof." in " ".join(text.split())
    assert any("2 puzzles with a checked proof (by cdcl)" in note for note in notes(found.report().study))


def test_proofs_are_kept_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compare([UNIQUE, CLASH], ["backtracking"], directory=tmp_path)
    assert [r.proof for r in resume(tmp_path, certify=True).rows] == ["cdcl", "cdcl"]
    file = tmp_path / NAME
    file.write_text(file.read_text().replace('"claim": "unsatisfiable"', '"claim": "unique"'))
    assert [r.proof for r in Journal.open(tmp_path).rows()] == ["cdcl", ""]
    again: list[str] = []
    true: Callable[..., Any] = judge.proof_of
    monkeypatch.setattr(judge, "proof_of", lambda instance, limit: again.append(instance.sha) or true(instance))
    assert [r.proof for r in resume(tmp_path, certify=True).rows] == ["cdcl", "cdcl"]
    assert len(again) == 1


def test_a_proof_that_took_too_long_is_tried_again_with_more_time(tmp_path: Path) -> None:
    first = compare([UNIQUE, CLASH], ["backtracking"], directory=tmp_path, certify=True, proof_limit=0.0)
    assert [row.proof for row in first.rows] == ["", ""]
    reason = "the number of solutions is not known: time limit"
    assert first.summary().unproved == (("puzzle 1", reason), ("puzzle 2", reason))
    assert f"no proof: puzzle 1: {reason}" in " ".join(str(first).split())
    assert any(f"2 puzzles without the proof that was asked for: {reason}." in n for n in notes(first.report().study))
    assert [row.proof for row in resume(tmp_path, certify=True, proof_limit=0.0).rows] == ["", ""]
    assert (tmp_path / NAME).read_text().count('"schema": "sudoku-models/proof/1"') == 2
    assert [row.proof for row in resume(tmp_path, certify=True).rows] == ["cdcl", "cdcl"]


@pytest.mark.usefixtures("planted")
def test_the_command_line_proves_and_ends_with_code_4_for_a_liar(tmp_path: Path) -> None:
    puzzle, out = tmp_path / "puzzle.txt", tmp_path / "rows.jsonl"
    puzzle.write_text(f"{UNIQUE}\n")
    arguments = ["compare", str(puzzle), "--certify", "-o", str(out), "-b", "denier"]
    result = invoke(arguments)
    assert result.exit_code == 4, result.output
    assert "refuted by the solution of a checked proof by cdcl" in " ".join(result.output.split())
    assert Row.parse(out.read_text()).verdict is Verdict.WRONG
