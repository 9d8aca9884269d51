"""Search for puzzles with few clues, from neighbour to neighbour; the search can be stopped and resumed at any time.

A folder contains ``journal.jsonl``: a line for the start of the search, then a line for each puzzle whose neighbours
were examined, with the new ones, all in least forms. The next step depends only on these lines, so that a search that
was killed and resumed finds the same as an uninterrupted one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.registry import BackendLike
from ..errors import Unusable
from ..journal import Journal
from ..puzzle import Puzzle, Shape
from ..verbs.task import Problem, as_puzzle
from .bands import Array
from .form_arrays import canonical_arrays
from .many_unique import Uniqueness
from .neighbourhood import near
from .topdown import take_away

JOURNAL = "journal.jsonl"


@dataclass
class Search:
    """The findings of a search: ``forms`` are least forms in the order in which they were found, of which the first
    ``done`` were examined.
    """

    shape: Shape
    changed: int
    forms: list[str] = field(default_factory=list)
    done: int = 0

    @property
    def complete(self) -> bool:
        """Return whether no puzzle is left to examine."""
        return self.done == len(self.forms)

    @property
    def puzzles(self) -> list[Puzzle]:
        """The puzzles, each with one solution and without needless clues."""
        return [Puzzle.parse(form, shape=self.shape) for form in self.forms]

    @property
    def fewest(self) -> int:
        """The lowest number of clues in a puzzle."""
        return min(sum(sign != "." for sign in form) for form in self.forms)


def search(
    start: Iterable[Problem],
    folder: str | Path,
    *,
    changed: int = 1,
    looks: int | None = None,
    time_limit: float | None = None,
    backend: BackendLike = "auto",
) -> Search:
    """Search for puzzles with as few clues as those of ``start``, or fewer, among their neighbours, and then among
    theirs.

    ``changed`` is the number of clues removed and added (1 or 2). The search ends when nothing is left, after ``looks``
    puzzles in total, or ``time_limit`` seconds; a call with the same folder resumes it. Unusable for a folder of
    another search, for one that another process searches in, and for a damaged journal; ValueError for puzzles with
    rules, of different shapes, or without exactly one solution.
    """
    found = [as_puzzle(problem) for problem in start]
    shape = _shape_of(found)
    unique = Uniqueness(Puzzle.empty(shape), backend)
    first = _forms(np.array([[value or 0 for value in puzzle.givens] for puzzle in found], np.uint8), unique)
    most = max(sum(sign != "." for sign in form) for form in first)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    with _opened(Path(folder), {"shape": str(shape), "changed": changed, "start": first}) as journal:
        state = Search(shape, changed, list(first))
        for line in islice(journal.lines(), 1, None):
            state.forms += line["found"]
            state.done += 1
        known = set(state.forms)
        while not state.complete and (looks is None or state.done < looks):
            if deadline is not None and time.monotonic() >= deadline:
                break
            new = _new(state, most, known, unique)
            journal.add({"puzzle": state.forms[state.done], "found": new})
            state.forms += new
            known.update(new)
            state.done += 1
    return state


def _opened(folder: Path, head: dict[str, Any]) -> Journal:
    """Open the journal of a search, and begin it if it is new."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / JOURNAL)
    try:
        begun = next(journal.lines(), None)
        if begun is None:
            journal.add(head)
        elif begun != head:
            raise Unusable(f"{journal.path} is the journal of another search: choose another folder")
    except BaseException:
        journal.close()
        raise
    return journal


def _shape_of(puzzles: list[Puzzle]) -> Shape:
    if not puzzles or len({puzzle.shape for puzzle in puzzles}) > 1 or any(puzzle.rules for puzzle in puzzles):
        raise ValueError("starting puzzles of one shape, without rules, are expected")
    return puzzles[0].shape


def _new(state: Search, most: int, known: set[str], unique: Uniqueness) -> list[str]:
    """Return the forms of the neighbours that are new and have at most the wanted number of clues."""
    puzzle = Puzzle.parse(state.forms[state.done], shape=state.shape)
    boards = np.unique(np.concatenate(list(near(puzzle, state.changed, unique.backend))), axis=0)
    forms = _forms(boards, unique) if len(boards) else []
    return [form for form in forms if form not in known and sum(sign != "." for sign in form) <= most]


def _forms(boards: Array, unique: Uniqueness) -> list[str]:
    """Leave out needless clues, in the order of the cells of the least form; return the least forms, each once."""
    if not unique(boards).all():
        raise ValueError("a starting puzzle must have exactly one solution")
    shape = unique.puzzle.shape
    forms = canonical_arrays(boards, shape).boards
    order = np.tile(np.arange(shape.cells), (len(forms), 1))[:, :, None]
    classic = shape == Shape.square(9)
    least = take_away(forms, order, np.zeros(len(forms), np.int64), unique, classic=classic).puzzles
    again = canonical_arrays(least, shape).boards
    lines = (Puzzle(shape, tuple(value or None for value in row)).to_line() for row in again.tolist())
    return list(dict.fromkeys(lines))
