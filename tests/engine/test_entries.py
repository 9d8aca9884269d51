"""Entry points are those that ``importlib.metadata`` finds, and it is asked where packages are no folders."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from sudoku_models.engine.registry import entries_of


def found(group: str) -> dict[str, str]:
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


def test_packages_in_an_archive_are_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 1.0\n")
        packed.writestr("packed-1.0.dist-info/entry_points.txt", "[a.group]\nzipped = json:loads\n")
    monkeypatch.syspath_prepend(archive)
    assert found("a.group") == {"zipped": "json:loads"}
