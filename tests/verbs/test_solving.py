"""All backends give one answer, and an engine that goes wrong or does not end takes nobody along.

What the verbs answer and refuse stands in ``tests/calls/verbs.txt``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_models import Model, cross_check
from sudoku_models.model import AllDifferent, Variable
from sudoku_models.verbs.agreement import Verdict, installed

from ..engine.planted import Planted as Engine
from ..planting import planted

__all__ = ["planted"]

SEVERAL = "1.....2....3...."


@pytest.mark.parametrize("text", [SEVERAL, "11..............", "." * 16])
def test_all_installed_backends_agree(text: str) -> None:
    check = cross_check(text)
    assert check.agree, str(check)
    assert len(check.answers) == len(installed())
    answered = [(a.verdict, a.unique) for a in check.answers if a.verdict is not Verdict.UNSUPPORTED]
    assert len(answered) >= 4
    assert len(set(answered)) == 1


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("backend", ["sleeper", "dawdler"])
def test_a_backend_without_an_answer_in_time_contradicts_nobody(backend: str) -> None:
    for limit in (0.05, 1.0, 20.0):  # a busy machine may need more for the honest one
        check = cross_check(SEVERAL, [backend, "honest"], time_limit=limit, isolate=False)
        if check.answers[1].verdict is not Verdict.TIMEOUT:
            break
    assert check.agree and check.answers[0].verdict is Verdict.TIMEOUT
    assert check.result is not None and check.result.unique is False


@pytest.mark.usefixtures("planted")
def test_ctrl_c_in_an_engine_is_no_answer() -> None:
    with pytest.raises(KeyboardInterrupt):
        cross_check(SEVERAL, ["interrupter"], isolate=False)


class Vanishes(Engine):
    """Takes its process along, in silence."""

    def solutions(self, model: Model) -> Iterator[Any]:
        print("seen by nobody", flush=True)
        os._exit(0)


@pytest.mark.skipif(os.name != "posix", reason="only on POSIX: child processes")
def test_an_engine_that_takes_its_process_along_is_a_crash_and_the_others_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    model = Model([Variable(name, range(1, 4)) for name in "abc"], [AllDifferent(list("abc"))])
    check = cross_check(model, [Vanishes(), "backtracking"])
    assert [answer.verdict for answer in check.answers] == [Verdict.CRASH, Verdict.SOLVED]
    assert capfd.readouterr().out == ""
