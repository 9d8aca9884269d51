"""The 0-1 linear form as files: OPB, of the pseudo-Boolean competitions, and MPS, which solvers of mixed programs read.

OPB has sums of variables ``x1``, ``x2``, ... and their bounds::

    * #variable= 8 #constraint= 4
    * R1C1=1 is x1
    * R1C2=4 is decided
    +1 x1 +1 x2 = 1 ;

MPS is written in its free form. A column is named after a variable and its value (``R1C1_5``), or numbered if that is
not a valid name. Comments, which begin with ``*``, list what each column means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model import Linear, Model, Objective, variables
from ..model.instances import to_mps
from .common import ExportFormat, Names, quoted
from .zero_one import CAPABILITIES, ColumnSum, Terms, ZeroOne


def opb_lines(form: ZeroOne, goal: bool = True) -> Iterator[str]:
    """Yield columns and rows as OPB, without the objective if ``goal`` is false.

    The format only minimises: a maximised objective is negated, and a comment says so.
    """
    yield f"* #variable= {len(form.meanings)} #constraint= {len(form.rows)}\n"
    yield from _meanings(form, lambda column: f"x{column + 1}")
    if goal and form.objective is not None and form.goal is not None:
        sense, sign = form.objective.sense, 1 if form.objective.sense == "minimize" else -1
        less = "" if sign == 1 else "-1 times "
        yield f"* {sense} {less}the sum of 'min:' (0 without one), plus {form.goal.constant}\n"
        if terms := {column: sign * factor for column, factor in form.goal.terms.items() if factor}:
            yield f"min: {_terms(terms)} ;\n"
    for row in form.rows:  # the format knows >= and =
        sign = -1 if row.op == "<=" else 1
        terms = {column: sign * factor for column, factor in row.terms.items()}
        yield f"{_terms(terms)} {'=' if row.op == '==' else '>='} {sign * row.bound} ;\n"


def _terms(terms: Terms) -> str:
    return " ".join(f"{factor:+d} x{column + 1}" for column, factor in terms.items())


def _meanings(form: ZeroOne, name: Callable[[int], str]) -> Iterator[str]:
    """Yield a comment for each column with its meaning, and for each variable that is decided."""
    yield from (f"* {quoted(x)}={value} is decided\n" for x, value in form.decided.items())
    for column, meaning in enumerate(form.meanings):
        if meaning:
            yield f"* {quoted(meaning[0])}={meaning[1]} is {name(column)}\n"


def _mps_lines(model: Model) -> Iterator[str]:
    """Yield a model as MPS; an objective that is to be maximised says so in a section OBJSENSE."""
    form = ZeroOne(model)
    if not form.meanings:
        form.row(ColumnSum({form.column(None): 1}), "==", 0)  # readers want at least one column
    # columns of tuples have numbers after t, a form that no variable's value has
    texts = [f"{m[0]}_{m[1]}".replace("-", "m") if m else f"t{n}_" for n, m in enumerate(form.meanings)]
    known = Names(texts)
    distinct = len(known) == len(texts)
    names = [known[text] if distinct else f"c{n}" for n, text in enumerate(texts, 1)]
    yield "* sudoku-models: the meaning of each column that is 1 follows\n"
    yield from _meanings(form, names.__getitem__)
    goal = None
    if form.objective is not None and form.goal is not None:
        terms = form.goal.terms
        goal = Objective(form.objective.sense, terms.values(), [names[c] for c in terms], form.goal.constant)
    sums = (Linear(row.terms.values(), [names[c] for c in row.terms], row.op, row.bound) for row in form.rows)
    yield from to_mps(Model(variables(names, (0, 1)), sums, goal))


OPB = ExportFormat(
    "opb", "pseudo-Boolean problems, as in the PB competitions", CAPABILITIES, lambda model: opb_lines(ZeroOne(model))
)
MPS = ExportFormat("mps", "mixed-integer programs, in free MPS", CAPABILITIES, _mps_lines)
