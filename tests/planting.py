"""Fixtures that register the backends of `planted`, which do one thing wrong, in this process and in its children."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_models.compare import Job, Plan, pool
from sudoku_models.engine import registry

from .planted import ENDLESS, REGISTERED


@pytest.fixture
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Register all of FAULTS, by name, beside the real backends: in child processes too."""
    yield from _registered(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def planted_throughout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Register them once for all tests of a file: to look for backends anew takes some time."""
    yield from _registered(tmp_path_factory.mktemp("planted"))


def _registered(folder: Path) -> Iterator[None]:
    info = folder / "planted-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    lines = [f"{name} = tests.planted:REGISTERED.{name}" for name in vars(REGISTERED)]
    (info / "entry_points.txt").write_text("\n".join([f"[{registry.GROUP}]", *lines, ""]))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PLANTED_PIDS", str(folder / "pids"))
        _forget()
        yield
    _forget()


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait a minute for engines that will never be loaded."""
    allowed, tried = pool.allowed, set[tuple[int, str]]()

    def shortened(plan: Plan, job: Job, step: str) -> float | None:
        if step == "load" and job.spec in ENDLESS and (id(plan), job.spec) not in tried:
            tried.add((id(plan), job.spec))  # the next time it runs without having been loaded
            return 0.3
        return allowed(plan, job, step)

    monkeypatch.setattr(pool, "allowed", shortened)


def _forget() -> None:
    registry._registered.cache_clear()
    registry._select_text.cache_clear()
