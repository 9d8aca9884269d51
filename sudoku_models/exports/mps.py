"""MPS in its free form, which solvers of mixed-integer programs read: 0-1 columns and rows.

A column is named after a variable and its value (``R1C1_5``), or numbered if that is not a valid name; all are listed
in comments, which begin with ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Model
from .common import ExportFormat, Names
from .opb import meanings
from .zero_one import CAPABILITIES, ColumnSum, ZeroOne

_LETTERS = {"<=": "L", ">=": "G", "==": "E"}


def lines(model: Model) -> Iterator[str]:
    """Yield a model as MPS; an objective that is to be maximised says so in a section OBJSENSE."""
    form = ZeroOne(model)
    if not form.meanings:
        form.row(ColumnSum({form.column(None): 1}), "==", 0)  # readers want at least one column
    names = _names(form)
    yield "* sudoku-models: the meaning of each column that is 1 follows\n"
    yield from ("* " + line + "\n" for line in meanings(form, names.__getitem__))
    yield "NAME model\n"
    if form.objective is not None and form.objective.sense == "maximize":
        yield "OBJSENSE\n    MAX\n"
    yield "ROWS\n N goal\n"
    yield from (f" {_LETTERS[row.op]} r{number}\n" for number, row in enumerate(form.rows, 1))
    yield from _columns(form, names)
    yield from _bounds(form, names)
    yield "ENDATA\n"


def _names(form: ZeroOne) -> Sequence[str]:
    """Name the columns: those of tuples by numbers after ``t``, a form that no variable's value has."""
    texts = [f"{m[0]}_{m[1]}".replace("-", "m") if m else f"t{n}_" for n, m in enumerate(form.meanings)]
    if len(set(texts)) < len(texts):
        return [f"c{n}" for n in range(1, len(texts) + 1)]
    names = Names(texts)
    return [names[text] for text in texts]


def _columns(form: ZeroOne, names: Sequence[str]) -> Iterator[str]:
    entries: list[list[tuple[str, int]]] = [[] for _ in names]
    goal = form.goal
    for column, factor in goal.terms.items() if goal else ():
        entries[column].append(("goal", factor))
    for number, row in enumerate(form.rows, 1):
        for column, factor in row.terms.items():
            entries[column].append((f"r{number}", factor))
    yield "COLUMNS\n MARKER 'MARKER' 'INTORG'\n"
    for name, there in zip(names, entries, strict=True):
        yield "".join(f" {name} {row} {factor}\n" for row, factor in there or [("goal", 0)])
    yield " MARKER 'MARKER' 'INTEND'\n"


def _bounds(form: ZeroOne, names: Sequence[str]) -> Iterator[str]:
    yield "RHS\n"
    goal = form.goal
    if goal and goal.constant:
        yield f" RHS goal {-goal.constant}\n"
    yield from (f" RHS r{number} {row.bound}\n" for number, row in enumerate(form.rows, 1) if row.bound)
    yield "BOUNDS\n"
    yield from (f" BV BND {name}\n" for name in names)


FORMAT = ExportFormat("mps", "mixed-integer programs, in free MPS", CAPABILITIES, lines)
