"""``sudoku-models hint``, ``path`` and ``rate``.

There is one record of the schema ``sudoku-models/hint/1`` for each puzzle, with number, source, line, title and puzzle
as for ``solve``; ``text``, ``level``, ``steps``, ``wrong``, ``reason``, ``end``. There is one record of
``sudoku-models/path/1`` for each step, with number and ``stage``, ``level``, ``removed`` and ``placed`` (cell, value),
``atoms`` in the author's words, ``reads`` (cell, candidates), ``trial`` (cell, value or null), ``pattern``, ``text``;
the last record of a puzzle has ``end``, ``level``, ``stages`` and ``left``. The columns of ``rate`` are ``level``,
``exact``, ``stages``, ``size`` and ``se`` (null except for classic 9x9 boards), ``status`` and ``reason``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..bulk.question import RowAnswer
from ..engine.record import Record
from ..explain import Path as Way
from ..explain import hint as hinted
from ..explain import path as walked
from ..explain import rate as rated
from ..formats import Entry
from ..verbs.task import Problem
from .answers import ShownByText, answer, wants_table
from .codes import Code, code_of
from .each import Question, ask_each, ask_model, entry_of_model
from .effort import refuse
from .inputs import Input
from .models import model_in
from .options import Records
from .outputs import output
from .records import Writer, place, writer
from .terminal import Tally

HINT, PATH, RATE = (f"sudoku-models/{verb}/1" for verb in ("hint", "path", "rate"))
PLACE = ("number", "source", "line", "puzzle")


@dataclass(frozen=True)
class Reported:
    """An answer as fields and text; ``record`` holds the time taken."""

    fields: dict[str, Any]
    text: str
    code: Code
    record: Record = field(default_factory=Record)

    @classmethod
    def timed(cls, ask: Callable[[], tuple[dict[str, Any], str, Code]], backend: str = "ladder") -> Reported:
        """Call a verb, and record the time taken and the backend that answered."""
        record = Record(backend=backend)
        watch = record.stopwatch()
        fields, text, code = ask()
        watch.lap("run")
        return cls(fields, text, code, record)


def hint(
    source: Input,
    model: Path | None,
    state: str | None,
    cell: str | None,
    unique: bool,
    limit: float | None,
    format: Records | None,
    out: str | None,
) -> Code:
    """Give a hint for each puzzle, or for a model; its ``state`` consists of names and values: "x=3 y=1"."""
    refuse(not wants_table(format, out), "hints cannot be written as tables: choose line, json, jsonl or csv")
    written = writer(format or Records.LINE, HINT, (*PLACE, "level", "text", "end", "seconds"))
    values = _values(state) if state is not None and model is not None else state
    question = Question("hinting", partial(_hinted, values, cell, unique, limit), _fields, {"text": None})
    if model is not None:
        return ask_model(model, source.stated, question, written, out)
    return ask_each(source, question, 1, written, out)


def _values(text: str) -> dict[str, int]:
    """Parse the known values of a model's variables."""
    pairs = [re.fullmatch(r"([^=]+)=(-?\d+)", part) for part in text.replace(",", " ").split()]
    refuse(
        all(pairs),
        f"--state {text}: for a model, NAME=VALUE is expected for each known variable, as in 'x=3 y=1'",
    )
    return {pair[1]: int(pair[2]) for pair in pairs if pair}


def _hinted(
    state: str | dict[str, int] | None, cell: str | None, unique: bool, limit: float | None, problem: Problem
) -> Reported:
    def ask() -> tuple[dict[str, Any], str, Code]:
        found = hinted(problem, state, cell=cell, time_limit=limit, assume_unique=unique)
        stopped = "time limit" in found.end
        return found.to_json(), str(found), Code.LIMIT if stopped else Code.SOLVED

    return Reported.timed(ask)


def rate(
    source: Input, model: Path | None, limit: float | None, jobs: int, format: Records | None, out: str | None
) -> Code:
    """Rate each puzzle, or a model; if a limit is reached, the answer is "harder than" a level."""
    if model is not None:
        question = Question("rating", partial(_rated, limit), _fields, {"level": None, "exact": None})
        refuse(
            not wants_table(format, out),
            "the rating of a model cannot be written as a table: choose line, json, jsonl or csv",
        )
        return ask_model(model, source.stated, question, _rating_writer(format), out)
    with _processes(jobs) as executor:
        from ..explain.many import RatingVerb

        singly = format in (None, Records.LINE) and not wants_table(format, out)  # a line says more than the columns
        shown = ShownByText(RatingVerb(limit), "rate", _rating_text, doing="rating")
        return answer(source, shown, format, out, Tally(), executor=executor, singly=singly)


def _rating_text(found: RowAnswer) -> str | None:
    return None if found.found is None else str(found.found.full_text())


def _rating_writer(format: Records | None) -> Writer:
    return writer(format or Records.LINE, RATE, (*PLACE, "level", "exact", "size", "se", "end", "seconds"))


@contextmanager
def _processes(jobs: int) -> Iterator[Executor | None]:
    """Open a pool of processes; None for a single job. They do the work themselves, not in an engine's child."""
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as executor:
        yield executor


def _rated(limit: float | None, problem: Problem) -> Reported:
    def ask() -> tuple[dict[str, Any], str, Code]:
        found = rated(problem, time_limit=limit)
        codes = {"contradiction": Code.NO_SOLUTION, "several solutions": Code.USAGE}
        return found.to_json(scales=True), found.full_text(), codes.get(found.end, Code.SOLVED)

    return Reported.timed(ask)


def _fields(entry: Entry, found: Reported) -> tuple[dict[str, Any], str | None, Code]:
    return found.fields, found.text, found.code


def path(
    source: Input, model: Path | None, unique: bool, limit: float | None, format: Records | None, out: str | None
) -> Code:
    """Write the path of each puzzle, one line or record for each step; or the path of one puzzle as an HTML page."""
    kind, html = format or Records.LINE, format is None and (out or "").lower().endswith((".html", ".htm"))
    refuse(kind in (Records.LINE, Records.JSONL), "choose line or jsonl, or name a FILE.html to write a page")
    refuse(not html or model is None, "a model cannot be drawn: a page shows only the path of a puzzle")
    tally, seen = Tally(), 0
    with output(out) as write:
        for entry, problem in _problems(source, model, tally):
            seen += 1
            refuse(not html or seen == 1, "a page holds the path of one puzzle: give a source with a single puzzle")
            walk = partial(walked, problem, time_limit=limit, assume_unique=unique)
            write("".join(f"{line}\n" for line in _lines(entry, walk, "html" if html else kind, tally)))
    return tally.code


def _problems(source: Input, model: Path | None, tally: Tally) -> Iterator[tuple[Entry, Problem]]:
    """Yield each puzzle, or the model, with its place in the input."""
    if model is not None:
        yield entry_of_model(model, source.stated), model_in(model)
        return
    yield from ((entry, entry.puzzle) for entry in source.entries(tally) if entry.puzzle is not None)


def _lines(entry: Entry, walk: Callable[[], Way], kind: str, tally: Tally) -> Iterator[str]:
    try:
        found = walk()
    except Exception as error:
        tally.problem(f"{entry.place}: {error}", code_of(error))
        return
    solved = Code.WITHOUT_DRAWN if entry.puzzle and entry.puzzle.left_out else Code.SOLVED
    tally.add(Code.LIMIT if found.end == "time limit" else solved if found.end == "solved" else Code.NO_SOLUTION)
    if kind == Records.LINE:
        yield from found.lines()
        return
    if kind == "html":
        yield found.to_html()
        return
    number = place(entry)["number"]
    yield from (json.dumps({"schema": PATH, "number": number, **record}) for record in found.records())
