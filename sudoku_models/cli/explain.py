"""``sudoku-models explain``.

The page about the command line describes the columns. A JSON record has ``conflict`` and ``repair`` as objects with
``parts`` (kind, text, cells, values of a given) and ``text``, has ``differ`` and ``redundant`` as lists, and adds
``more`` (further conflicts and repairs), ``solutions`` (two), ``clues`` and ``together`` (cell, value), ``solution``
and ``open`` (parts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from .answers import ShownByText, answer, column_text
from .codes import OF_REASONS, Code
from .effort import Effort
from .options import Backend, Out, PuzzlesOrModel, RecordFormat, TimeLimit
from .parser import Option, command
from .terminal import Tally

if TYPE_CHECKING:
    from ..explain.asked_rows import Explained

DATA = ("conflict", "repair", "more", "solutions", "differ", "clues", "together", "solution", "redundant", "open")


@command("Why", "explain puzzles.txt")
def explain(
    source: PuzzlesOrModel,
    more: Annotated[
        int,
        Option("--more", "-m", min=0, help="The number of further reasons and repairs to look for."),
    ] = 0,
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
    format: RecordFormat = None,
    out: Out = None,
) -> Code:
    """Explain why there is no solution and how to repair it, where solutions differ, or which clues are not needed."""
    from ..explain.asked_rows import ExplainVerb  # which takes a while to load

    rows = source.source()
    Effort(backend, time_limit).checked()
    shown = ShownByText(ExplainVerb(backend, time_limit, more), "explain", column_text("text"), _data, "explaining")
    return answer(rows, shown, format, out, Tally(), codes=OF_REASONS)


def _data(found: Explained | None) -> dict[str, Any]:
    """Return an explanation as data, with null for fields that do not apply."""
    data: dict[str, Any] = dict.fromkeys(DATA)
    if found is not None:
        known = found.explanation.to_json()
        data |= {"conflict": known.get("reason"), **{name: known[name] for name in DATA if name in known}}
        data["more"] = [{"kind": type(one).__name__.lower(), **one.to_json()} for one in found.further]
    return data
