"""ACE and Choco: what they are given, what they say, and what is missing; the programs themselves where they are."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sudoku_backends import xcsp3

from sudoku_models import Variable
from sudoku_models.engine import Reason, Request, run
from sudoku_models.errors import BackendMissing
from sudoku_models.model import Linear, Model

present = pytest.mark.skipif(
    shutil.which("java") is None or find_spec("pycsp3") is None,
    reason="not applicable (platform): Java or the package pycsp3 is not installed",
)


def test_a_jar_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xcsp3, "find_spec", lambda name: SimpleNamespace(submodule_search_locations=[str(tmp_path)]))
    with pytest.raises(BackendMissing, match=r"has no ace/ACE-\*.jar among its solvers: pip install"):
        xcsp3.jar("ace/ACE-*.jar")
    (tmp_path / "solvers" / "ace").mkdir(parents=True)
    for version in ("2.6", "2.7"):
        (tmp_path / "solvers" / "ace" / f"ACE-{version}.jar").touch()
    assert xcsp3.jar("ace/ACE-*.jar").endswith("ACE-2.7.jar")


@present
@pytest.mark.parametrize("backend", [xcsp3.ACE, xcsp3.CHOCO], ids=["ace", "choco"])
def test_a_program_lists_what_it_does_not_mention(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    xs = [Variable("x", (0, 1)), Variable("a b", (0, 3)), Variable("z", (7,))]
    with run(Model(xs, [Linear((1,), ("x",), ">=", 0)]), backend, Request(limit=None)) as found:
        assert sorted(found) == [(0, 0, 7), (0, 3, 7), (1, 0, 7), (1, 3, 7)]
    assert found.outcome.complete


@present
def test_an_objective_without_terms_has_one_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    x = Variable("x", (1, 2))
    with run(Model([x]).minimise(x - x), xcsp3.CHOCO, Request(limit=None)) as found:
        assert len(list(found)) == 1
    assert found.outcome.complete


@present
def test_java_without_memory_ends_by_the_limit() -> None:
    with run(Model([Variable("x", (0, 1))]), xcsp3.ACE, Request(memory_limit=16 << 20)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.MEMORY
