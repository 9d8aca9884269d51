"""``sudoku-models explain``, ``hint``, ``path`` and ``rate``. Columns are in docs/command_line.md."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from ..verbs.results import AS_READ, WITHOUT_DRAWN
from .answers import answer, by_text, form_of
from .codes import OF_REASONS, Code, code_of_row, refuse
from .inputs import ChosenBackend, Number, Positive, PuzzlesOrModel, Seconds, Written
from .parser import command
from .terminal import Tally, output, progress

if TYPE_CHECKING:
    from ..bulk.questions import RowAnswer
    from ..explain.hinting import Hint
    from ..explain.many import Explained, PathVerb, Walked

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

STEP = ("removed", "placed", "atoms", "reads", "trial", "pattern", "end", "stages", "left")

CODES = {"several solutions": Code.NO_SOLUTION}
"""Exit codes of paths: one that ends where solutions differ was walked as far as it goes."""


@command("Why", f"hint {LINE}")
def hint(
    source: PuzzlesOrModel,
    *,
    state: str | None = None,
    cell: str | None = None,
    technique: str | None = None,
    assume_unique: bool = False,
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """Print the easiest next step and its reason; a wrong entry in the state is reported first.

    --state -s TEXT  The board as you have filled it in so far, or your entries as in 'R1C3=4 R5C5=5'; for a model, its
        known values as in 'x=3 y=1'.
    --cell -c R1C1  Show the steps that lead to this cell.
    --technique NAME  Show the easiest step of this name, such as swordfish or ALS-XZ.
    """
    from ..explain.many import HintVerb  # which takes a while to load

    values = None if state is None else _entered(state, source.stated_model is not None)
    verb = HintVerb(values, cell, time_limit, assume_unique, technique)
    shown = by_text(verb, "hint", "text", _steps, "hinting")
    return answer(source, shown, written, codes=OF_REASONS)


def _steps(found: Hint | None) -> dict[str, Any]:
    known = {} if found is None else found.to_json()
    return {"steps": known.get("steps"), "wrong": known.get("wrong"), "conflict": known.get("reason")}


def _entered(text: str, of_model: bool) -> str | dict[str, int]:
    """Return values by name, or a text that has none as it is, for it is a board."""
    pairs = [re.fullmatch(r"([^=]+)=(-?\d+)", part) for part in text.replace(",", " ").split()]
    if not of_model and not any(pairs):
        return text
    expected = "for a model, NAME=VALUE is expected for each known variable, as in 'x=3 y=1'"
    expected = expected if of_model else "CELL=VALUE is expected for each entry, as in 'R1C3=4 R5C5=5'"
    refuse(all(pairs), f"--state {text}: {expected}")
    return {pair[1] if of_model else pair[1].upper(): int(pair[2]) for pair in pairs if pair}


@command("Why", "rate puzzles.txt --format csv")
def rate(source: PuzzlesOrModel, *, jobs: Positive = 1, time_limit: Seconds | None = None, written: Written) -> Code:
    """Rate puzzles on a ladder that is the same for every variant; after a limit, print 'harder than' a level."""
    from ..engine.workers import ChildExecutor
    from ..explain.many import RatingVerb  # which takes a while to load

    executors = ChildExecutor(jobs) if jobs > 1 else nullcontext()
    with executors as executor:
        singly = form_of(written.format, written.out) == "line"  # which says more than the columns
        verb = RatingVerb(time_limit)
        shown = by_text(verb, "rate", _rating, doing="rating")
        return answer(source, shown, written, executor=executor, singly=singly)


def _rating(answer: RowAnswer) -> str | None:
    """Return a rating in words, with what the puzzle's drawings and rules in words leave open."""
    left = (f" ({why.strip()})" for why in (WITHOUT_DRAWN, AS_READ) if answer.values["status"].endswith(why))
    return answer.found and f"{answer.found.full_text()}{next(left, '')}"


@command("Why", "path puzzle.txt --out way.html")
def path(
    source: PuzzlesOrModel,
    *,
    assume_unique: bool = False,
    order: Literal["level", "patterns"] = "level",
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """Write the whole path to the solution in stages, with the reason for each step.

    A name ending in .html gets a page of the path of one puzzle.

    --order  All steps of the cheapest level together, or one step after another as people go.
    """
    from ..explain.many import PathVerb  # which takes a while to load

    verb = PathVerb(time_limit, assume_unique, order)
    if written.format is None and (written.out or "").lower().endswith((".html", ".htm")):
        return _page(source, verb, written.out)
    shown = by_text(verb, "path", lambda answer: (answer.found and answer.found.lines) or None, _step, "walking")
    return answer(source, shown, written, codes=CODES)


def _step(found: Walked | None) -> dict[str, Any]:
    return {name: found and found.step.get(name) for name in STEP}


def _page(source: PuzzlesOrModel, verb: PathVerb, out: str | None) -> Code:
    refuse(source.stated_model is None, "a model cannot be drawn: a page shows only the path of a puzzle")
    refuse(source.shard is None, "--shard and a page cannot be combined: a page shows the path of one puzzle")
    tally = Tally()
    puzzles = [entry.puzzle for entry in islice(source.entries(tally), 2) if entry.puzzle is not None]
    refuse(len(puzzles) == 1, "a page holds the path of one puzzle: give a source with a single puzzle")
    with progress("finding the path", None):
        found = verb.walk(puzzles[0])
    with output(out) as write:
        write(found.to_html(progress=sys.stderr.isatty()))
    tally.add(code_of_row(verb.status(puzzles[0], found), None, CODES))
    return tally.code


DATA = ("conflict", "repair", "more", "solutions", "differ", "clues", "together", "solution", "redundant", "open")


@command("Why", "explain puzzles.txt")
def explain(
    source: PuzzlesOrModel,
    *,
    more: Number = 0,
    backend: str = "auto",
    time_limit: Seconds | None = None,
    written: Written,
) -> Code:
    """Explain why there is no solution and how to repair it, where solutions differ, or which clues are not needed.

    --more -m NUMBER  The number of further reasons and repairs to look for.
    """
    from ..explain.many import ExplainVerb  # which takes a while to load

    ChosenBackend(backend, time_limit).checked()
    shown = by_text(ExplainVerb(backend, time_limit, more), "explain", "text", _data, "explaining")
    return answer(source, shown, written, codes=OF_REASONS)


def _data(found: Explained | None) -> dict[str, Any]:
    """Return an explanation as data, with null for fields that do not apply."""
    data: dict[str, Any] = dict.fromkeys(DATA)
    if found is not None:
        known = found.explanation.to_json()
        data |= {"conflict": known.get("reason"), **{name: known[name] for name in DATA if name in known}}
        data["more"] = [{"kind": type(one).__name__.lower(), **one.to_json()} for one in found.further]
    return data
