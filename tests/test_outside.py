"""Programs that benchmarks measure beside the engines: what they answer, and what is made of nonsense."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.outside import Outside, program

EXAMPLE = Path(__file__).parents[1] / "benchmarks" / "outside_example.py"
ONE, SEVERAL = ".Shape~4x4.~R1C1_1~R2C3_2.Thermo~R3C1~R3C2~R2C2", ".Shape~4x4"


@pytest.fixture
def asked(request: pytest.FixtureRequest) -> Iterator[Outside]:
    """Return a program, which ends with the test."""
    found = program(f"it={request.param}")
    yield found
    found.close()


def echo(said: str) -> str:
    """Return a program that says the same to every puzzle."""
    return f'{sys.executable} -uc \'for line in __import__("sys").stdin: print("{said}")\''


@pytest.mark.parametrize("asked", [f"{sys.executable} {EXAMPLE} backtracking {{limit}}"], indirect=True)
def test_the_example_proves_puzzle_after_puzzle(asked: Outside) -> None:
    for _ in range(2):
        took, wrong = asked.prove(ONE, 60)
        assert took > 0 and wrong == ""
    assert asked.prove(SEVERAL, 60)[1] == "2 solutions, "
    assert "? solutions, " in asked.prove("no puzzle", 60)[1]


@pytest.mark.parametrize("asked", [echo("1 0.25")], indirect=True)
def test_seconds_become_milliseconds(asked: Outside) -> None:
    assert asked.prove(ONE, 60) == (250.0, "")


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        (echo("yes"), "it said 'yes', not how many solutions there are and seconds"),
        (f"{sys.executable} -c pass", "it said '', not how many"),
        ("a-program-that-is-not-there", "No such file"),
    ],
    indirect=["asked"],
)
def test_what_is_no_answer_is_a_failure_with_the_reason(asked: Outside, wrong: str) -> None:
    assert wrong in asked.prove(ONE, 60)[1]


def test_a_program_has_a_name() -> None:
    with pytest.raises(Exception, match="is not NAME=COMMAND"):
        program("python x.py")
