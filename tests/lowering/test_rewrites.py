"""Each rewrite, seen in two small texts and by equal sets of solutions."""

from __future__ import annotations

from itertools import groupby
from random import Random

import pytest

from sudoku_models.lowering import REWRITES, Rewrite, Scratch
from sudoku_models.model import Constraint, Model, Table, brute_force
from sudoku_models.testing.generators import GENERATORS, random_variables

NAMES = [rewrite.name for rewrite in REWRITES]

VARIABLES = """variable x in 1..3
variable y in 1..3
variable z in {0, 2, 5}
"""

TEXTS = {
    "AllDifferent to differences": (
        "AllDifferent([x, y, z])",
        "Compare(x, !=, y, 0)\nCompare(x, !=, z, 0)\nCompare(y, !=, z, 0)",
    ),
    "domain to bounds": (
        "InDomain(z, [0, 5, 9])",
        "Linear([1], [z], >=, 0)\nLinear([1], [z], <=, 5)\nLinear([1], [z], !=, 2)",
    ),
    "table of one column to a domain": ("Table([x], [[1], [9]], false)", "InDomain(x, [2, 3])"),
    "Linear of two to a comparison": ("Linear([-1, 2, -1], [x, y, y], >, 4)", "Compare(y, >, x, 4)"),
    "Linear of one to a domain": ("Linear([2, 1, -1], [x, y, y], <=, 5)", "InDomain(x, [1, 2])"),
    "Linear that cancels": ("Linear([1, -1], [x, x], >, 0)", "InDomain(x, [])"),
    "Linear by running totals": (
        "Linear([1, 2, 1], [x, y, z], <=, 5)",
        "variable _total0 in {0, 1}\nvariable _total1 in {0, 1}\n"
        "Table([x, _total0], [[1, 0], [2, 1], [3, 1]], true)\n"
        "Table([_total0, y, _total1], [[0, 1, 0], [0, 2, 1], [1, 1, 1]], true)\n"
        "Table([_total1, z], [[0, 0], [0, 2], [1, 0]], true)",
    ),
    "comparison to Linear": ("Compare(x, <, y, -1)", "Linear([1, -1], [x, y], <, -1)"),
    "InDomain to a table": ("InDomain(x, [1, 9])", "Table([x], [[1]], true)"),
    "Compare to a table": ("Compare(x, >, y, 0)", "Table([x, y], [[2, 1], [3, 1], [3, 2]], true)"),
    "Linear to a table": ("Linear([1, 1], [x, z], !=, 3)", "Table([x, z], [[1, 2], [3, 0]], false)"),
}


def rewritten(rewrite: Rewrite, stated: Model) -> Model:
    scratch = Scratch(dict(stated.domains))
    made = [c for constraint in stated.constraints for c in rewrite.apply(constraint, scratch)]
    return Model((*stated.variables, *scratch.added), made)


def test_the_rewrites_of_each_kind_are_side_by_side_and_each_kind_but_tables_can_be_tabulated() -> None:
    kinds = [kind for kind, _ in groupby(rewrite.source for rewrite in REWRITES)]
    assert sorted(kinds, key=str) == sorted(Constraint.kinds.values(), key=str)
    assert len(set(NAMES)) == len(NAMES)
    assert {kind for kind in kinds if f"{kind.__name__} to a table" not in NAMES} == {Table}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_becomes_another(name: str) -> None:
    rewrite = REWRITES[NAMES.index(name)]
    before, after = TEXTS[name]
    stated = Model.parse(VARIABLES + before)
    variables = [line for line in after.splitlines() if line.startswith("variable")]
    constraints = [line for line in after.splitlines() if not line.startswith("variable")]
    expected = Model.parse("\n".join([VARIABLES.strip(), *variables, *constraints]))
    assert str(rewritten(rewrite, stated)) == str(expected)
    assert rewrite.cost(stated.constraints[0], stated.domains) is not None


def applied(rewrite: Rewrite, cases: int) -> list[tuple[Model, Model]]:
    """Return random models of one constraint that a rewrite applies to, and what they become."""
    rng, found = Random(rewrite.name), []
    for _ in range(80 * cases):
        xs = random_variables(rng, rng.randint(1, 4))
        stated = Model(xs, [GENERATORS[rewrite.source](rng, xs)])
        if rewrite.cost(stated.constraints[0], stated.domains) is not None:
            found.append((stated, rewritten(rewrite, stated)))
        if len(found) == cases:
            break
    return found


@pytest.mark.parametrize("rewrite", REWRITES, ids=NAMES)
def test_the_solutions_stay_the_same_and_only_the_promised_kinds_are_made(rewrite: Rewrite) -> None:
    pairs = applied(rewrite, 25)
    assert len(pairs) >= 10
    assert all(rewrite.unfolds or lowered.kinds() <= rewrite.targets for _, lowered in pairs)
    for stated, lowered in pairs:
        kept = [solution[: len(stated.names)] for solution in brute_force(lowered)]
        assert set(kept) == set(brute_force(stated)), f"{stated}\nbecame\n{lowered}"
        if rewrite.functional:
            assert len(kept) == len(set(kept)), f"{stated}\nbecame\n{lowered}"
