"""``solve``: what it writes, and what it ends with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ..planting import planted

__all__ = ["planted"]

Program = Callable[..., Any]

UNIQUE, SOLUTION = "1.3...2....3.4..", "1234432121433412"


@pytest.mark.parametrize(("backend", "logged"), [("cp-sat", "CP-SAT"), ("highs:house_sums=false", "MIP")])
def test_the_log_of_an_engine_does_not_mix_with_answers(
    program: Program, start: Any, backend: str, logged: str
) -> None:
    out, err = start("solve", UNIQUE, "--log", "-b", backend).communicate()
    assert out == SOLUTION + "\n"
    assert logged in err
    assert "cp-sat, highs" in program("solve", "--log", input=UNIQUE).stderr


@pytest.mark.usefixtures("planted")
def test_an_unsettled_uniqueness_is_code_3_with_the_solution(program: Program) -> None:
    for limit in ("0.1", "2", "40"):  # a busy machine may need more for the solution
        result = program("solve", "-u", "-b", "dawdler", "--time-limit", limit, input=UNIQUE)
        if SOLUTION in result.stdout:
            break
    assert (result.exit_code, result.stdout) == (3, f"{SOLUTION} # uniqueness not settled: time limit\n")


def test_the_backend_that_was_chosen_is_reported_with_the_reason(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ".Shape~4x4.Thermo~R1C1~R1C2.~R3C3_2"
    said = "was chosen: the model has 1 Compare beside 12 AllDifferent; tried in the order bitset, native, cp-sat"
    assert said in program("solve", "-v", input=text).stderr
    assert "was chosen" not in program("solve", "-v", "-b", "cp-sat", input=text).stderr
    assert "was chosen" not in program("solve", input=text).stderr
    for command in ("solve", "count", "candidates"):
        record = json.loads(program(command, "-f", "jsonl", input=text).stdout)
        assert record["backend"]
        assert said == f"was chosen: {record['choice'][: len(said) - len('was chosen: ')]}"
    monkeypatch.setattr("sudoku_models.cli.terminal._is_terminal", lambda: True)
    assert program("solve", input=f"{text}\n{text}\n").stderr.count(said) == 1
