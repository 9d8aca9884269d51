"""Backends by name: their entry points are those of the standard library, and what is missing is reported."""

from __future__ import annotations

import sys
import zipfile
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.engine import Capabilities, listings, names, registry, select
from sudoku_models.engine.registry import entries_of
from sudoku_models.errors import BackendMissing

from .planted import Planted

NAMED = ("backtracking", "cp-sat", "pycosat", "python-constraint")


def test_the_named_backends_are_registered_and_can_be_loaded() -> None:
    assert set(NAMED) <= set(names())
    found = {listing.name: listing for listing in listings()}
    for name in NAMED:
        assert found[name].backend is not None
        assert found[name].backend.name == name
        assert found[name].problem == ""


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


def found(group: str) -> dict[str, str]:
    registry._registered.cache_clear()
    return {name: entry.value for name, entry in entries_of(group).items()}


@pytest.mark.parametrize("group", ["sudoku_models.backends", "console_scripts", "no.such.group"])
def test_they_are_those_that_the_standard_library_finds(group: str) -> None:
    assert found(group) == {entry.name: entry.value for entry in metadata.entry_points(group=group)}


def test_of_one_package_the_first_on_the_path_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, version in (("first", "2.0"), ("second", "1.0")):
        info = tmp_path / folder / f"my_package-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: my-package\nVersion: {version}\n")
        text = f"[other]\nno = x:y\n[a.group]\n# a comment\n{folder} = json:dumps\n\n[b]\n"
        (info / "entry_points.txt").write_text(text)
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / folder)])
    assert found("a.group") == {"first": "json:dumps"}
    assert entries_of("a.group")["first"].load()([1]) == "[1]"
    registry._registered.cache_clear()


def test_packages_in_an_archive_are_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 1.0\n")
        packed.writestr("packed-1.0.dist-info/entry_points.txt", "[a.group]\nzipped = json:loads\n")
    monkeypatch.syspath_prepend(archive)
    assert found("a.group") == {"zipped": "json:loads"}
