"""Tiny random models: the cases depend on seed and number alone, faults are found and made small."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sudoku_models.engine.registry import select
from sudoku_models.model import Model, Table
from tests.testing import fuzz as fuzzing
from tests.testing.fuzz import fuzz, question, specs

from ..engine.planted import Planted


def quick() -> list[str]:
    """Return what answers in this process."""
    return [spec for spec in specs() if not fuzzing._is_slow(select(spec).capabilities)]


def test_a_thousand_tiny_models_have_the_solutions_of_brute_force() -> None:
    asked = Counter[str]()
    faults = list(fuzz(1_000, 2026, quick(), asked))
    assert not faults, "\n".join(map(str, faults))
    assert sum(asked.values()) > 750
    assert {"cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false", "pycosat", "backtracking"} <= asked.keys()


def test_every_option_of_every_installed_backend_is_asked() -> None:
    found = specs()
    assert {"cp-sat", "cp-sat:form=booleans", "cp-sat:linearization=2", "backtracking:strategy=general"} <= set(found)
    assert len(set(found)) == len(found)


def test_a_case_is_the_same_whatever_the_seed_of_hashing() -> None:
    code = "from tests.testing.fuzz import question; print([str(question(3, i)[0]) for i in range(40)])"
    said = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        said.add(done.stdout)
    assert said == {f"{[str(question(3, i)[0]) for i in range(40)]}\n"}


class Forgetful(Planted):
    """Loses the last solution of every model with a table."""

    @property
    def capabilities(self) -> Any:
        return select("backtracking").capabilities

    def solutions(self, model: Model) -> Iterator[tuple[int, ...]]:
        found = list(super().solutions(model))
        yield from found[:-1] if any(isinstance(c, Table) for c in model.constraints) else found


def test_a_fault_is_found_and_made_small() -> None:
    forgetful: Any = Forgetful()
    faults = [fault for fault in fuzz(200, 1, [forgetful], Counter()) if not fault.model.objective]
    assert faults
    assert all("missing" in fault.finding for fault in faults)
    assert all(isinstance(c, Table) and len(f.model.constraints) == 1 for f in faults for c in f.model.constraints)
    assert all(set(f.model.names) == set(f.model.constraints[0].scope) for f in faults)
