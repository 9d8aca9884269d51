"""An objective goes where the format has one, and the best solution there is the best one here."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_models import Model, export

from ..running import fresh
from . import cases, readers

MODELS = cases.objectives()


def last(found: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    return found[-1] if found else None


OPTIMA = {
    "opb": lambda text, names: last(readers.opb(text, names)),
    "mps": lambda text, names: last(readers.mps(text, names)),
    "smt-lib": readers.smt_optimum,
    "xcsp3": lambda text, names: last(readers.xcsp3(text, names)),
    "minizinc": lambda text, names: last(readers.minizinc(text, names)),
    "cp-sat-text": lambda text, names: last(readers.cp_sat(text, names)),
}


def value(model: Model, solution: tuple[int, ...] | None) -> int | None:
    """Return what a solution is worth, which has to be one."""
    if solution is None:
        return None
    values = dict(zip(model.names, solution, strict=True))
    assert model.objective and model.holds(values)
    return model.objective.value(values)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("to", readers.here(OPTIMA))
def test_the_optimum_is_the_same(to: str, name: str) -> None:
    model = MODELS[name]
    text = export(model, to)
    assert isinstance(text, str)
    assert value(model, OPTIMA[to](text, model.names)) == cases.best(model)


HIGHS = """
import sys, highspy
for path in sys.argv[1:]:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(path) == highspy.HighsStatus.kOk, path
    assert all(kind == highspy.HighsVarType.kInteger for kind in highs.getLp().integrality_)
    highs.run()
    optimal = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    print(round(highs.getInfo().objective_function_value) if optimal else None)
"""


def test_highs_finds_the_same_optima_in_mps(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.mps" for number in range(len(MODELS))]
    for file, model in zip(files, MODELS.values(), strict=True):
        file.write_text(str(export(model, "mps")))
    assert fresh(HIGHS, *files).split() == [str(cases.best(model)) for model in MODELS.values()]
