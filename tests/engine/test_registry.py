"""Backends by name: options are read, checked, and reported when they are wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from sudoku_models.engine import Capabilities, listings, names, registry, select
from sudoku_models.engine.registry import parse_options, select_for_comparing
from sudoku_models.errors import BackendMissing, BadOption

from .planted import Planted, PlantedOptions

NAMED = ("backtracking", "cp-sat", "pycosat", "python-constraint")


def test_the_named_backends_are_registered_and_can_be_loaded() -> None:
    assert set(NAMED) <= set(names())
    found = {listing.name: listing for listing in listings()}
    for name in NAMED:
        assert found[name].backend is not None
        assert found[name].backend.name == name
        assert found[name].problem == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", PlantedOptions()),
        ("form=bad", PlantedOptions(form="bad")),
        ("times=3,fast=yes", PlantedOptions(times=3, fast=True)),
        (" fast=FALSE , times=-2 ", PlantedOptions(times=-2)),
    ],
)
def test_options_are_read_by_their_type(text: str, expected: PlantedOptions) -> None:
    assert parse_options(Planted(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("speed=3", "form, times, fast"),
        ("form", "key=value"),
        ("form=ugly", "good, bad"),
        ("times=often", "a whole number is expected"),
        ("fast=perhaps", "true or false is expected"),
        ("times=1,times=2", "twice"),
    ],
)
def test_wrong_options_are_reported_with_the_right_ones(text: str, expected: str) -> None:
    with pytest.raises(BadOption, match=expected):
        parse_options(Planted(), text)


class Uninstalled(Planted):
    name = "uninstalled"

    @property
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, requires=("json", "no_such_module"), install="no-such-package")


@dataclass
class Entry:
    backend: Any

    def load(self) -> Any:
        if isinstance(self.backend, Exception):
            raise self.backend
        return self.backend


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    monkeypatch.setattr(registry, "_entry_points", lambda: found)
    registry._select_text.cache_clear()
    yield found
    registry._select_text.cache_clear()


def test_a_missing_engine_is_reported_with_the_command_that_installs_it(entries: dict[str, Entry]) -> None:
    entries["uninstalled"] = Entry(Uninstalled())
    with pytest.raises(BackendMissing, match="uninstalled needs no_such_module: pip install 'no-such-package'"):
        select("uninstalled")
    (listing,) = listings()
    assert "no_such_module" in listing.problem
    assert listing.install == "pip install 'no-such-package'"


def test_an_adapter_that_cannot_be_imported_is_reported(entries: dict[str, Entry]) -> None:
    entries["broken"] = Entry(ImportError("no module named engine"))
    with pytest.raises(BackendMissing, match="broken cannot be loaded: no module named engine"):
        select("broken")
    (listing,) = listings()
    assert listing.backend is None


def test_options_that_do_an_engines_work_are_off_in_comparisons_unless_stated() -> None:
    assert select_for_comparing("pycosat").options.propagate == "none"
    assert select_for_comparing("pycosat:amo=sequential").options.propagate == "none"
    assert select_for_comparing("pycosat:propagate=auto").options.propagate == "auto"
    assert select_for_comparing("backtracking") == select("backtracking")


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("chuffed", "minizinc:solver=chuffed"),
        ("kissat", "dimacs:program=kissat"),
        ("roundingsat", "opb:program=roundingsat"),
    ],
)
def test_a_program_asked_for_by_name_is_shown_the_backend_that_runs_it(name: str, spec: str) -> None:
    with pytest.raises(BadOption, match=f"there is no backend '{name}'.*; {spec} runs that program"):
        select(name)
