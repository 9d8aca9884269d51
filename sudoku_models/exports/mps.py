"""MPS in its free form, which solvers of mixed-integer programs read: 0-1 columns and rows.

A column is named after a variable and its value (``R1C1_5``), or numbered if that is not a valid name; all are listed
in comments, which begin with ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Linear, Model, Objective, variables
from ..model.instances import to_mps
from .common import ExportFormat, Names
from .opb import meanings
from .zero_one import CAPABILITIES, ColumnSum, ZeroOne


def lines(model: Model) -> Iterator[str]:
    """Yield a model as MPS; an objective that is to be maximised says so in a section OBJSENSE."""
    form = ZeroOne(model)
    if not form.meanings:
        form.row(ColumnSum({form.column(None): 1}), "==", 0)  # readers want at least one column
    names = _names(form)
    yield "* sudoku-models: the meaning of each column that is 1 follows\n"
    yield from ("* " + line + "\n" for line in meanings(form, names.__getitem__))
    yield from to_mps(_program(form, names))


def _names(form: ZeroOne) -> Sequence[str]:
    """Name the columns: those of tuples by numbers after ``t``, a form that no variable's value has."""
    texts = [f"{m[0]}_{m[1]}".replace("-", "m") if m else f"t{n}_" for n, m in enumerate(form.meanings)]
    if len(set(texts)) < len(texts):
        return [f"c{n}" for n in range(1, len(texts) + 1)]
    names = Names(texts)
    return [names[text] for text in texts]


def _program(form: ZeroOne, names: Sequence[str]) -> Model:
    """Return the columns and rows as an integer program."""
    goal = None
    if form.objective is not None and form.goal is not None:
        terms = form.goal.terms
        goal = Objective(form.objective.sense, terms.values(), [names[c] for c in terms], form.goal.constant)
    sums = (Linear(row.terms.values(), [names[c] for c in row.terms], row.op, row.bound) for row in form.rows)
    return Model(variables(names, (0, 1)), sums, goal)


FORMAT = ExportFormat("mps", "mixed-integer programs, in free MPS", CAPABILITIES, lines)
