"""Numbers at the edge of what CP-SAT computes in: solved within, refused with the reason beyond."""

from __future__ import annotations

import pytest

from sudoku_models.engine import Request, run
from sudoku_models.errors import BadOption, Unsupported
from sudoku_models.model import Linear, Model, Variable

FORMS = ["cp-sat", "cp-sat:form=booleans"]
SMALL = Variable("y", (0, 1, 2))


@pytest.mark.parametrize("backend", FORMS)
@pytest.mark.parametrize("domain", [(0, 2**62), (-(2**62), 1), (0, 2**63), (0, 2**70)], ids=str)
def test_a_value_that_the_engine_cannot_hold_is_unsupported(backend: str, domain: tuple[int, int]) -> None:
    with pytest.raises(Unsupported, match=r"x has values beyond 4611686018427387903"):
        next(run(Model([Variable("x", domain), SMALL]), backend))


@pytest.mark.parametrize("backend", FORMS)
def test_a_sum_that_may_leave_64_bits_is_unsupported(backend: str) -> None:
    x = Variable("x", (0, 2**62 - 1))
    with pytest.raises(Unsupported, match="64 bits"):
        next(run(Model([x, SMALL], [Linear((1, 1), (x, SMALL), "<=", 5)]), backend))


@pytest.mark.parametrize("backend", FORMS)
@pytest.mark.parametrize(("coefficient", "bound"), [(2**63, 3), (1, 2**63), (2**70, 2**71)])
def test_a_number_in_a_sum_that_the_engine_cannot_hold_is_written_otherwise(
    backend: str, coefficient: int, bound: int
) -> None:
    model = Model([SMALL], [Linear((coefficient,), (SMALL,), "<=", bound)])
    with run(model, backend, Request(limit=None)) as found:
        assert sorted(found) == [(y,) for y in (0, 1, 2) if coefficient * y <= bound]


@pytest.mark.parametrize("backend", FORMS)
def test_values_within_are_solved(backend: str) -> None:
    x = Variable("x", (0, 2**61))
    with run(Model([x, SMALL], [Linear((1, 1), (x, SMALL), "<=", 5)]), backend, Request(limit=None)) as found:
        assert len(list(found)) == 3


@pytest.mark.parametrize("backend", FORMS)
@pytest.mark.parametrize("limit", [1, 2, None])
def test_a_model_without_variables_has_one_solution(backend: str, limit: int | None) -> None:
    with run(Model([], []), backend, Request(limit=limit)) as found:
        assert list(found) == [()]


def test_workers_are_an_option_too() -> None:
    with run(Model([SMALL], [SMALL > 1]), "cp-sat:workers=2", Request()) as found:
        assert list(found) == [(2,)]
    with pytest.raises(BadOption, match="workers=0: a number from 1 to 10,000"):
        run(Model([SMALL], []), "cp-sat:workers=0")
