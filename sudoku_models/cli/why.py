"""``sudoku-models hint``, ``path`` and ``rate``.

The page about the command line names the columns. A record of ``hint`` has ``steps`` as in a path, ``wrong`` (cell,
values) and ``conflict`` (an object of ``parts`` and ``text``). A record of ``path`` has ``removed`` and ``placed`` as
lists (cell, value), ``atoms`` in the author's words, ``reads`` (cell, candidates), ``trial`` (cell, value or null) and
``pattern``; the last record of a puzzle ``end``, ``stages`` and ``left``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ..bulk.question import RowAnswer
from ..explain.asked_rows import HintVerb, PathVerb, Walked
from ..explain.hinting import Hint
from .answers import ShownByText, answer, column_text, wants_table
from .codes import OF_REASONS, Code, code_of_row
from .effort import refuse
from .inputs import ModelInput, Source
from .options import Records, Steps
from .outputs import output
from .terminal import Tally

STEP = ("removed", "placed", "atoms", "reads", "trial", "pattern", "end", "stages", "left")

CODES = {"several solutions": Code.NO_SOLUTION}
"""Exit codes of paths: one that ends where solutions differ was walked as far as it goes."""


def hint(
    source: Source,
    state: str | None,
    cell: str | None,
    unique: bool,
    limit: float | None,
    format: Records | None,
    out: str | None,
) -> Code:
    """Give a hint for each puzzle, or for a model; its ``state`` consists of names and values: "x=3 y=1"."""
    values = _values(state) if state is not None and isinstance(source, ModelInput) else state
    shown = ShownByText(HintVerb(values, cell, limit, unique), "hint", column_text("text"), _steps, "hinting")
    return answer(source, shown, format, out, Tally(), codes=OF_REASONS)


def _steps(found: Hint | None) -> dict[str, Any]:
    known = {} if found is None else found.to_json()
    return {"steps": known.get("steps"), "wrong": known.get("wrong"), "conflict": known.get("reason")}


def _values(text: str) -> dict[str, int]:
    """Parse the known values of a model's variables."""
    pairs = [re.fullmatch(r"([^=]+)=(-?\d+)", part) for part in text.replace(",", " ").split()]
    refuse(
        all(pairs),
        f"--state {text}: for a model, NAME=VALUE is expected for each known variable, as in 'x=3 y=1'",
    )
    return {pair[1]: int(pair[2]) for pair in pairs if pair}


def rate(source: Source, limit: float | None, jobs: int, format: Records | None, out: str | None) -> Code:
    """Rate each puzzle, or a model; if a limit is reached, the answer is "harder than" a level."""
    with _processes(jobs) as executor:
        from ..explain.many import RatingVerb

        singly = format in (None, Records.LINE) and not wants_table(format, out)  # a line says more than the columns
        shown = ShownByText(RatingVerb(limit), "rate", _rating_text, doing="rating")
        return answer(source, shown, format, out, Tally(), executor=executor, singly=singly)


def _rating_text(found: RowAnswer) -> str | None:
    return None if found.found is None else str(found.found.full_text())


@contextmanager
def _processes(jobs: int) -> Iterator[Executor | None]:
    """Open a pool of processes that rate puzzles; None for a single job."""
    if jobs == 1:
        yield None
        return
    from ..engine.workers import ChildExecutor

    with ChildExecutor(jobs) as executor:
        yield executor


def path(
    source: Source, unique: bool, order: Steps, limit: float | None, format: Records | None, out: str | None
) -> Code:
    """Write the path of puzzle after puzzle, a row for each step; of one puzzle as a page of HTML."""
    verb = PathVerb(limit, unique, order.value)
    if format is None and (out or "").lower().endswith((".html", ".htm")):
        return _page(source, verb, out)
    shown = ShownByText(verb, "path", _line, _step, "walking")
    return answer(source, shown, format, out, Tally(), codes=CODES)


def _line(found: RowAnswer) -> str | None:
    return found.found.lines or None if isinstance(found.found, Walked) else None


def _step(found: Walked | None) -> dict[str, Any]:
    return {name: found and found.step.get(name) for name in STEP}


def _page(source: Source, verb: PathVerb, out: str | None) -> Code:
    """Write the page of the path of the one puzzle of a source."""
    refuse(not isinstance(source, ModelInput), "a model cannot be drawn: a page shows only the path of a puzzle")
    refuse(source.shard is None, "--shard and a page cannot be combined: a page shows the path of one puzzle")
    tally = Tally()
    puzzles = [entry.puzzle for entry in islice(source.entries(tally), 2) if entry.puzzle is not None]
    refuse(len(puzzles) == 1, "a page holds the path of one puzzle: give a source with a single puzzle")
    found = verb.walk(puzzles[0])
    with output(out) as write:
        write(found.to_html())
    tally.add(code_of_row(verb.status(puzzles[0], found), None, CODES))
    return tally.code
