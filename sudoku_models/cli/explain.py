"""``sudoku-models explain``.

The page about the command line describes the columns. A JSON record has ``conflict`` and ``repair`` as objects with
``parts`` (kind, text, cells, values of a given) and ``text``, has ``differ`` and ``redundant`` as lists, and adds
``more`` (further conflicts and repairs), ``solutions`` (two), ``clues`` and ``together`` (cell, value), ``solution``
and ``open`` (parts).
"""

from __future__ import annotations

from typing import Any

from ..explain.asked_rows import Explained, ExplainVerb
from .answers import ShownByText, answer, column_text
from .codes import OF_REASONS, Code
from .effort import Effort
from .inputs import Source
from .options import Records
from .terminal import Tally

DATA = ("conflict", "repair", "more", "solutions", "differ", "clues", "together", "solution", "redundant", "open")


def explain(source: Source, choice: Effort, more: int, format: Records | None, out: str | None) -> Code:
    """Explain each puzzle, or a model."""
    choice.checked()
    verb = ExplainVerb(choice.backend, choice.time_limit, more)
    shown = ShownByText(verb, "explain", column_text("text"), _data, "explaining")
    return answer(source, shown, format, out, Tally(), codes=OF_REASONS)


def _data(found: Explained | None) -> dict[str, Any]:
    """Return an explanation as data, with null for fields that do not apply."""
    data: dict[str, Any] = dict.fromkeys(DATA)
    if found is not None:
        known = found.explanation.to_json()
        data |= {"conflict": known.get("reason"), **{name: known[name] for name in DATA if name in known}}
        data["more"] = [{"kind": type(one).__name__.lower(), **one.to_json()} for one in found.further]
    return data
