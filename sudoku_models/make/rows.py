"""Questions to every row of a source: least forms, minimal puzzles, needless and missing clues, paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..bulk.into import AnswerSummary, answered_into
from ..bulk.questions import BlockAnswers, RowAnswer, Verb, legal_rows, unsuitable
from ..bulk.rows import INTEGER, TEXT, Kinds, Rows, boards, listed
from ..engine.budget import Budget
from ..errors import NoLeastForm, NotOneSolution
from ..formats import write
from ..puzzle import Puzzle
from ..verbs.results import Status
from .arrays import canonical_arrays
from .fewest import clues_needed, complete, unavoidable
from .minimising import KINDS, minimise, redundant
from .symmetry import canonical
from .traces import form_of, trace

SETTLED, ILLEGAL = "settled", "illegal"
_ENDED: Kinds = {"status": TEXT, "reason": TEXT}


def text_of(puzzle: Puzzle) -> str:
    """Write a puzzle on one line: its cells, or a constraint string if it has rules."""
    return next(write([puzzle], "iss")).strip() if puzzle.rules else puzzle.to_line()


Values = dict[str, Any]


def _minimised(puzzle: Puzzle, **options: Any) -> tuple[Values, Any]:
    found = minimise(puzzle, **options)
    dropped = "; ".join(map(str, found.dropped))
    return {"minimal": text_of(found.puzzle), "clues": found.clues, "dropped": dropped}, found


def _smallest(puzzle: Puzzle, seconds: float | None, **options: Any) -> tuple[Values, Any]:
    with Budget(seconds) as budget:
        minimal = minimise(puzzle, **options, budget=budget)
        found = minimal.smallest() if budget.left is None else minimal.smallest(budget.left)
    return {"minimal": text_of(found.puzzle), "clues": found.clues, "bound": found.bound}, found


def _redundant(puzzle: Puzzle, **options: Any) -> tuple[Values, Any]:
    found = redundant(puzzle, **options)
    return {"redundant": "; ".join(map(str, found)), "count": len(found)}, found


def _completed(puzzle: Puzzle, **options: Any) -> tuple[Values, Any]:
    found = complete(puzzle, **options)
    values = {"completed": text_of(found.puzzle), "clues": found.puzzle.clues, "added": " ".join(found.added)}
    return {**values, "bound": found.bound}, found


def _unavoidable(puzzle: Puzzle, **options: Any) -> tuple[Values, Any]:
    found = unavoidable(puzzle, **options)
    return {"sets": "; ".join(map(" ".join, found)), "count": len(found)}, found


def _clues_needed(puzzle: Puzzle, **options: Any) -> tuple[Values, Any]:
    found = clues_needed(puzzle, **options)
    values: Values = {"bound": found.bound, "minimal": None, "sets": len(found.sets)}
    if found.puzzle is None:
        return {**values, "status": str(Status.UNKNOWN), "reason": "stopped by a limit"}, found
    return {**values, "minimal": text_of(found.puzzle)}, found


def _traced(puzzle: Puzzle, form: str = "tokens", **options: Any) -> tuple[Values, Any]:
    found = trace(puzzle, **options)
    return {"trace": found.form(form), "status": SETTLED if found.end == "solved" else found.end}, found


def _canonised(puzzle: Puzzle) -> tuple[Values, Any]:
    found = canonical(puzzle)
    return {"form": text_of(found.board), "automorphisms": found.automorphisms}, found


_QUESTIONS: Mapping[str, tuple[Kinds, Callable[..., tuple[Values, Any]]]] = {
    "minimise": ({"minimal": TEXT, "clues": INTEGER, "dropped": TEXT}, _minimised),
    "smallest": ({"minimal": TEXT, "clues": INTEGER, "bound": INTEGER}, _smallest),
    "redundant": ({"redundant": TEXT, "count": INTEGER}, _redundant),
    "complete": ({"completed": TEXT, "clues": INTEGER, "added": TEXT, "bound": INTEGER}, _completed),
    "unavoidable": ({"sets": TEXT, "count": INTEGER}, _unavoidable),
    "clues-needed": ({"bound": INTEGER, "minimal": TEXT, "sets": INTEGER}, _clues_needed),
    "traces": ({"trace": TEXT}, _traced),
    "same": ({"same_as": TEXT}, lambda puzzle: ({}, canonical(puzzle))),
    "canonical": ({"form": TEXT, "automorphisms": INTEGER}, _canonised),
}
"""For each question: the columns of its answers, and the function that answers it with the options of its verb."""


@dataclass(frozen=True)
class Settling(Verb):
    """A question of ``_QUESTIONS`` to every row.

    The status is settled, or says why there is no answer: most questions expect one solution, so another number of them
    becomes the status; a board without a least form is illegal. ``options`` are those of the verb; ``smallest`` also
    has the ``seconds`` to search, ``traces`` the ``form``.
    """

    question: str = "minimise"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kinds(self) -> Kinds:  # type: ignore[override]
        """The columns of the answers, and the type of each."""
        return {**_QUESTIONS[self.question][0], **_ENDED}

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Answer one puzzle, or return why it has no answer."""
        try:
            with unsuitable():
                values, found = _QUESTIONS[self.question][1](puzzle, **self.options)
                return RowAnswer({"status": SETTLED, **values}, found)
        except NotOneSolution as error:
            return RowAnswer({"status": error.status, "reason": str(error)}, None, error)
        except NoLeastForm as error:
            return RowAnswer({"status": ILLEGAL, "reason": str(error)}, None, error)

    @property
    def batching(self) -> bool:
        """Return whether rows are answered together: least forms of classic boards are."""
        return self.question == "canonical"

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows."""
        if not self.batching:
            return super().__call__(rows)
        answers, plain = self.nothing(len(rows)), legal_rows(rows.values)
        plain[list(rows.others)] = False
        chosen = np.flatnonzero(plain)
        if len(chosen):
            forms = canonical_arrays(rows.values[chosen])
            found = zip(chosen.tolist(), listed(boards(forms.boards)), forms.automorphisms, strict=True)
            for row, form, count in found:
                answers["form"][row], answers["automorphisms"][row], answers["status"][row] = form, int(count), SETTLED
        return answers.put({row: self.one(rows[row]) for row in np.flatnonzero(~plain).tolist()})


def canonical_into(
    source: Any, target: str | Path, *, executor: Executor | None = None, column: str | None = None
) -> AnswerSummary:
    """Write every row of a source with its least form to a file, which appears when it is complete.

    The columns are ``form``, ``automorphisms``, ``status`` (settled, illegal, "bad input", failed) and ``reason``: rows
    that are the same up to symmetry have one form. Everything else is as for ``solve_into``.
    """
    return answered_into(source, target, Settling("canonical"), executor, column)


def minimise_into(
    source: Any,
    target: str | Path,
    *,
    kinds: tuple[str, ...] = KINDS,
    seed: int = 0,
    executor: Executor | None = None,
    column: str | None = None,
) -> AnswerSummary:
    """Minimise every row of a source and write it with the minimal puzzle to a file, as ``solve_into`` does.

    The columns are ``minimal``, ``clues``, ``dropped``, ``status`` (settled, unsatisfiable, "several solutions", "bad
    input", failed) and ``reason``. ``kinds`` and ``seed`` are those of ``minimise``.
    """
    return answered_into(source, target, Settling("minimise", {"kinds": kinds, "seed": seed}), executor, column)


def traces_into(
    source: Any,
    target: str | Path,
    *,
    form: str = "tokens",
    highest: str | None = None,
    executor: Executor | None = None,
    column: str | None = None,
) -> AnswerSummary:
    """Write every row of a source with the path of its puzzle to a file, as ``solve_into`` does.

    The columns are ``trace`` (tokens or numbers separated by spaces, or text; ``form`` is tokens, ids or text),
    ``status`` (settled, "several solutions", stuck, "bad input", failed) and ``reason``. ``highest`` is that of
    ``trace``.
    """
    return answered_into(
        source, target, Settling("traces", {"highest": highest, "form": form_of(form)}), executor, column
    )
