"""The part of the suite that is about answers: for options of a backend that change only what its engine is given.

The random cases are also fewer than with the default option, by which lowering and the way to the engine are met in
full; `tests/testing/test_fuzz.py` asks every option about tiny models besides.

How a run begins, is limited, ends, is interrupted and shares its model with others is the same code with such an
option as without. That is checked in full with the backend's default option, and with every option that is an engine of
its own, or a search of its own (`test_pysat.py`, `test_backtracking.py`, `test_python_constraint.py`).
"""

import pytest

from sudoku_models.testing import CHECKS, BackendConformance
from sudoku_models.testing.checks import runs

RUNNING = {check.name for check in runs.CHECKS}

SOME = 0.45
"""The share of the random cases for options beside the default; of the known counts it leaves out the largest alone."""


class AnswersConform(BackendConformance):
    """Subclass it in place of ``BackendConformance`` for specifications whose runs another class checks."""

    share = SOME

    @pytest.mark.parametrize("check", [c for c in CHECKS if c.name not in RUNNING], ids=lambda check: check.name)
    def test_conforms(self, check, subject, request):
        super().test_conforms(check, subject, request)
