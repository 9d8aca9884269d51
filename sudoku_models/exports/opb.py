"""OPB, the format of the pseudo-Boolean competitions: sums of 0-1 variables ``x1``, ``x2``, ... and their bounds.

* #variable= 8 #constraint= 4
* R1C1=1 is x1
* R1C2=4 is decided
+1 x1 +1 x2 = 1 ;
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model import Model
from .common import ExportFormat, quoted
from .zero_one import CAPABILITIES, ColumnRow, ColumnSum, ZeroOne


def lines(model: Model) -> Iterator[str]:
    """Yield a model as OPB. The format only minimises: a maximised objective is negated, and a comment says so."""
    return lines_of(ZeroOne(model))


def lines_of(form: ZeroOne, goal: bool = True) -> Iterator[str]:
    """Yield columns and rows as OPB, without the objective if ``goal`` is false."""
    yield f"* #variable= {len(form.meanings)} #constraint= {len(form.rows)}\n"
    yield from ("* " + line + "\n" for line in meanings(form, lambda column: f"x{column + 1}"))
    if goal and form.objective is not None and form.goal is not None:
        yield from _objective(form.objective.sense, form.goal)
    for row in form.rows:
        yield _row(row)


def meanings(form: ZeroOne, name: Callable[[int], str]) -> Iterator[str]:
    """Return a line for each column with its meaning, and for each variable that is decided."""
    yield from (f"{quoted(x)}={value} is decided" for x, value in form.decided.items())
    for column, meaning in enumerate(form.meanings):
        if meaning:
            yield f"{quoted(meaning[0])}={meaning[1]} is {name(column)}"


def _objective(sense: str, goal: ColumnSum) -> Iterator[str]:
    """Write the sum to minimise; an empty one, which the format does not know, only as a comment."""
    sign = 1 if sense == "minimize" else -1
    terms = {column: sign * factor for column, factor in goal.terms.items() if factor}
    yield f"* {sense} {'' if sign == 1 else '-1 times '}the sum of 'min:' (0 without one), plus {goal.constant}\n"
    if terms:
        yield f"min: {_terms(terms)} ;\n"


def _row(row: ColumnRow) -> str:
    """Write a row; the format knows ``>=`` and ``=``."""
    if row.op == "<=":
        return f"{_terms({column: -factor for column, factor in row.terms.items()})} >= {-row.bound} ;\n"
    return f"{_terms(row.terms)} {'=' if row.op == '==' else '>='} {row.bound} ;\n"


def _terms(terms: dict[int, int]) -> str:
    return " ".join(f"{factor:+d} x{column + 1}" for column, factor in terms.items())


FORMAT = ExportFormat("opb", "pseudo-Boolean problems, as in the PB competitions", CAPABILITIES, lines)
