"""Options that stand in a dataclass are those of the command."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

from sudoku_models.cli.codes import Code
from sudoku_models.cli.commands import command
from sudoku_models.cli.groups import ChosenBackend, Tabular, grouped


def test_a_command_gets_the_fields_of_its_groups_and_its_own_options() -> None:
    seen = []

    def declared(source: Tabular, solver: ChosenBackend, wanted: int = 1) -> Code:
        seen.append((source, solver, wanted))
        return Code.SOLVED

    run = grouped(declared)
    names = [*(field.name for group in (Tabular, ChosenBackend) for field in fields(group)), "wanted"]
    shown = inspect.signature(run).parameters
    assert list(shown) == names
    defaults = {name: parameter.default for name, parameter in shown.items()}
    assert run(**{**defaults, "files": ["a"], "jobs": 3, "wanted": 2}) is Code.SOLVED
    assert seen == [(Tabular(files=["a"]), ChosenBackend(jobs=3), 2)]


@pytest.mark.parametrize("name", ["solve", "count", "candidates"])
def test_commands_that_solve_take_all_of_both_groups(name: str) -> None:
    shown = inspect.signature(command(name)).parameters
    assert {field.name for group in (Tabular, ChosenBackend) for field in fields(group)} <= set(shown)
