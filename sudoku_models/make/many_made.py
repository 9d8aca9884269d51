"""Process many boards in the one stream: least forms, minimal puzzles, needless and missing clues, unavoidable sets."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..bulk.blocks import blocks_of
from ..bulk.into import AnswerSummary, answered, put
from ..bulk.kinds import INTEGER, TEXT, Kinds
from ..bulk.question import BlockAnswers, RowAnswer, Verb, legal_rows, unsuitable
from ..bulk.rows import Rows
from ..bulk.sinks import written
from ..engine.budget import Budget
from ..errors import NoLeastForm, NotOneSolution
from ..formats import write
from ..formats.options import Options
from ..puzzle import Puzzle
from ..verbs.results import Status
from ..verbs.task import Alone
from .form_arrays import canonical_arrays
from .minimising import KINDS, minimise, redundant
from .symmetry import canonical
from .traces import form_of, trace
from .unavoidable_sets import clues_needed, unavoidable

SETTLED, ILLEGAL = "settled", "illegal"


@dataclass(frozen=True)
class Canonising(Verb):
    """Compute the least form of every row. The status is settled, illegal, "bad input" or failed."""

    kinds: ClassVar[Kinds] = {"form": TEXT, "automorphisms": INTEGER, "status": TEXT, "reason": TEXT}

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows: classic boards together, others one by one."""
        answers = self.nothing(len(rows))
        plain = legal_rows(rows.values)
        plain[list(rows.others)] = False
        chosen = np.flatnonzero(plain)
        if len(chosen):
            forms = canonical_arrays(rows.values[chosen])
            for row, board, count in zip(chosen.tolist(), forms.boards.tolist(), forms.automorphisms, strict=True):
                form = "".join(str(value or ".") for value in board)
                answers.enter(row, form=form, automorphisms=int(count), status=SETTLED)
        others = rows.at(np.flatnonzero(~plain).tolist())
        return answers.put({row: self.one(self.where.row, puzzle) for row, puzzle in others})

    def ask(self, alone: Alone, puzzle: Puzzle) -> RowAnswer:
        """Compute the least form of one board."""
        try:
            found = canonical(puzzle)
        except NoLeastForm as error:
            return RowAnswer({"status": ILLEGAL, "reason": str(error)}, None, error)
        form = text_of(found.board)
        return RowAnswer({"form": form, "automorphisms": found.automorphisms, "status": SETTLED}, found)


def text_of(puzzle: Puzzle) -> str:
    """Write a puzzle on one line: its cells, or a constraint string if it has rules."""
    return next(write([puzzle], "iss")).strip() if puzzle.rules else puzzle.to_line()


@dataclass(frozen=True)
class Settling(Verb):
    """A question to every row, one by one, that expects one solution: another number of solutions becomes the
    status.
    """

    wishes: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows."""
        answers, alone = self.nothing(len(rows)), self.where.row
        return answers.put({row: self.one(alone, puzzle) for row, puzzle in rows.puzzles()})

    def ask(self, alone: Alone, puzzle: Puzzle) -> RowAnswer:
        """Answer one puzzle, or return why it does not have exactly one solution."""
        try:
            with unsuitable():
                return self.settled(puzzle)
        except NotOneSolution as error:
            return RowAnswer({"status": error.status, "reason": str(error)}, None, error)

    @property
    def batching(self) -> bool:
        """Return that each row is answered separately."""
        return False

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the values of a puzzle with one solution."""
        raise NotImplementedError


@dataclass(frozen=True)
class Minimising(Settling):
    """Remove clues from every row. The status is settled, unsatisfiable, "several solutions", "bad input" or failed.

    ``wishes`` are the options of ``minimise``.
    """

    kinds: ClassVar[Kinds] = {"minimal": TEXT, "clues": INTEGER, "dropped": TEXT, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the minimal puzzle."""
        found = minimise(puzzle, **self.wishes)
        dropped = "; ".join(map(str, found.dropped))
        values = {"minimal": text_of(found.puzzle), "clues": found.clues, "dropped": dropped, "status": SETTLED}
        return RowAnswer(values, found)


@dataclass(frozen=True)
class Fewest(Minimising):
    """Search for the fewest clues of every row; ``seconds`` are for all of this; ``bound``: no fewer are enough."""

    seconds: float | None = None
    kinds: ClassVar[Kinds] = {"minimal": TEXT, "clues": INTEGER, "bound": INTEGER, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the puzzle with the fewest clues that was found."""
        with Budget(self.seconds) as budget:
            minimal = minimise(puzzle, **self.wishes, budget=budget)
            found = minimal.smallest() if budget.left is None else minimal.smallest(budget.left)
        values = {"minimal": text_of(found.puzzle), "clues": found.clues, "bound": found.bound, "status": SETTLED}
        return RowAnswer(values, found)


@dataclass(frozen=True)
class Completing(Settling):
    """Find for every row the fewest further clues that leave one solution; ``wishes`` are the options of ``complete``.

    ``bound``: no fewer further clues are enough. The status is settled, unsatisfiable, "bad input" or failed.
    """

    kinds: ClassVar[Kinds] = {
        "completed": TEXT, "clues": INTEGER, "added": TEXT, "bound": INTEGER, "status": TEXT, "reason": TEXT,
    }  # fmt: skip

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the completed puzzle."""
        from .starting import complete  # which loads what makes grids

        found = complete(puzzle, **self.wishes)
        values = {"completed": text_of(found.puzzle), "clues": found.puzzle.clues, "added": " ".join(found.added)}
        return RowAnswer({**values, "bound": found.bound, "status": SETTLED}, found)


@dataclass(frozen=True)
class ListingSets(Settling):
    """List the unavoidable sets of every grid; ``wishes`` are the options of ``unavoidable``."""

    kinds: ClassVar[Kinds] = {"sets": TEXT, "count": INTEGER, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the sets."""
        found = unavoidable(puzzle, **self.wishes)
        return RowAnswer({"sets": "; ".join(map(" ".join, found)), "count": len(found), "status": SETTLED}, found)


@dataclass(frozen=True)
class BoundingClues(Settling):
    """Find for every grid the fewest clues of a puzzle with that solution; ``wishes`` are the options of
    ``clues_needed``.

    The status is settled, or unknown if the limit was reached first: then ``bound`` is proved, and ``minimal`` is
    empty.
    """

    kinds: ClassVar[Kinds] = {"bound": INTEGER, "minimal": TEXT, "sets": INTEGER, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the bound."""
        found = clues_needed(puzzle, **self.wishes)
        minimal = None if found.puzzle is None else text_of(found.puzzle)
        status, reason = (SETTLED, None) if minimal else (str(Status.UNKNOWN), "stopped by a limit")
        values = {"bound": found.bound, "minimal": minimal, "sets": len(found.sets), "status": status}
        return RowAnswer({**values, "reason": reason}, found)


@dataclass(frozen=True)
class Forming(Settling):
    """Compute the least form of every row, to compare it with earlier ones: see ``same_as``."""

    kinds: ClassVar[Kinds] = {"same_as": TEXT, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the form."""
        try:
            return RowAnswer({"status": SETTLED}, canonical(puzzle))
        except NoLeastForm as error:
            return RowAnswer({"status": ILLEGAL, "reason": str(error)}, None, error)


@dataclass(frozen=True)
class Needless(Settling):
    """List the clues of every row that could be left out singly; statuses and ``wishes`` as for ``Minimising``."""

    kinds: ClassVar[Kinds] = {"redundant": TEXT, "count": INTEGER, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the clues that could be left out."""
        found = redundant(puzzle, **self.wishes)
        values = {"redundant": "; ".join(map(str, found)), "count": len(found), "status": SETTLED}
        return RowAnswer(values, found)


@dataclass(frozen=True)
class Tracing(Settling):
    """Write the path of every row, as tokens or text; the status is settled, or why the path did not reach its end."""

    form: str = "tokens"
    kinds: ClassVar[Kinds] = {"trace": TEXT, "status": TEXT, "reason": TEXT}

    def settled(self, puzzle: Puzzle) -> RowAnswer:
        """Return the path."""
        found = trace(puzzle, **self.wishes)
        values = {"trace": found.form(self.form), "status": SETTLED if found.end == "solved" else found.end}
        return RowAnswer(values, found)


def canonical_into(
    source: Any, target: str | Path, *, executor: Executor | None = None, column: str | None = None
) -> AnswerSummary:
    """Write every row of a source with its least form to a file, which appears when it is complete.

    The columns are ``form``, ``automorphisms``, ``status`` (settled, illegal, "bad input", failed) and ``reason``: rows
    that are the same up to symmetry have one form. Everything else is as for ``solve_into``.
    """
    return _into(source, target, Canonising(), executor, column)


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
    return _into(source, target, Minimising({"kinds": kinds, "seed": seed}), executor, column)


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
    return _into(source, target, Tracing({"highest": highest}, form_of(form)), executor, column)


def _into(source: Any, target: str | Path, verb: Verb, executor: Executor | None, column: str | None) -> AnswerSummary:
    summary = AnswerSummary()
    with written(target, verb.kinds) as sink:
        for block, answers in answered(blocks_of(source, Options(column=column)), verb, 1, executor):
            put(sink, block, answers)
            summary.add(answers)
    return summary
