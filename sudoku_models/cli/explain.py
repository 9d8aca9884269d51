"""``sudoku-models explain``.

There is one record of the schema ``sudoku-models/explain/1`` for each puzzle. It has number, source, line, title and
puzzle as for ``solve``; ``status`` (no solution, several solutions, one solution, unknown), ``text`` (the explanation
in words), and ``limit`` (what was not settled in time). If there is no solution: ``reason`` and ``repair``, each an
object with ``parts`` (kind, text, cells, values of a given) and ``text``, and with ``--more`` the list ``more``. If
there are several: ``solutions`` (two), ``differ`` (cells), ``clues`` and ``together`` (cell, value). If there is one:
``solution``, ``redundant`` and ``open`` (parts).
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ..explain import Explanation, NoSolution
from ..explain import explain as explained
from ..formats import Entry
from ..model import Model
from ..puzzle import Puzzle
from .answers import wants_table
from .codes import Code
from .each import Question, ask_each, ask_model
from .effort import Effort, refuse
from .inputs import Input
from .options import Records
from .records import writer

SCHEMA = "sudoku-models/explain/1"
COLUMNS = ("number", "source", "line", "puzzle", "status", "text", "limit", "seconds")
CODES = {"no solution": Code.NO_SOLUTION, "unknown": Code.LIMIT}


def explain(
    source: Input, model: Path | None, choice: Effort, more: int, format: Records | None, out: str | None
) -> Code:
    """Explain each puzzle, or a model."""
    refuse(not wants_table(format, out), "explanations cannot be written as tables: choose line, json, jsonl or csv")
    choice.checked()
    question = Question("explaining", partial(_explained, choice), partial(_report, more), {"status": None})
    written = writer(format or Records.LINE, SCHEMA, COLUMNS)
    if model is not None:
        return ask_model(model, source.stated, question, written, out)
    return ask_each(source, question, 1, written, out)


def _explained(choice: Effort, problem: Puzzle | Model) -> Explanation:
    return explained(problem, choice.backend, time_limit=choice.time_limit)


def _report(more: int, entry: Entry, found: Explanation) -> tuple[dict[str, Any], str | None, Code]:
    fields, lines = found.to_json(), [str(found)]
    if isinstance(found, NoSolution) and more:
        further = list(islice(found.more(), more))
        fields["more"] = [{"kind": type(one).__name__.lower(), **one.to_json()} for one in further]
        lines += [f"  {one}" for one in further]
    return fields, "\n".join(lines), CODES.get(found.status, Code.SOLVED)
