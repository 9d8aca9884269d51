"""The neighbours of a puzzle: some clues removed and as many others added, with one solution again ({-1+1}, {-2+2}).

Neighbours have similar numbers of clues and similar difficulty. So ``search`` looks for few clues from neighbour to
neighbour, and ``climb`` for hard puzzles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, islice
from pathlib import Path

import numpy as np

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..errors import LimitReached, Unusable
from ..explain.classic import rate_arrays
from ..journal import Journal
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solutions
from ..verbs.task import Problem, as_puzzle
from .arrays import canonical_arrays
from .chance import Array, Stream
from .thinning import Uniqueness, thinned

SAMPLE = 1000
"""The number of solutions in a sample."""

STEEP = 93
"""From this SE-like rating on, in tenths, puzzles are found by a climb."""

BEST = 20
"""How many of some random puzzles start a climb."""

TURNS = 150
"""After this number of moves to a neighbour a climb ends."""

MOST = 256
"""The most neighbours of a puzzle that a climb examines."""

HARD = {100: 20_020, 96: 20_014, STEEP: 20_008}
"""By SE-like rating, in tenths: the level (as ``rate_arrays`` writes it: 2.20, 2.14, 2.8) below which hardly any puzzle
has that rating. A level is found much faster, so it shows which puzzles are worth rating.
"""

JOURNAL = "journal.jsonl"

Ease = tuple[int, tuple[int, ...]]
"""The level of a puzzle and the number of stages at each level, the highest ones first, all negative."""


def near(values: Array, unique: Uniqueness, changed: int = 1) -> Array:
    """Return the boards (uint8, n x cells) with one solution that differ from one in ``changed`` clues, 1 or 2.

    A board may be returned more than once.
    """
    tried = _one_changed if changed == 1 and unique.together else _sampled
    many = (tried(values, unique, gone) for gone in combinations(np.flatnonzero(values).tolist(), changed))
    found: Array = np.concatenate([values[None][:0], *(trials[unique(trials)] for trials in many)])
    return found


def _one_changed(values: Array, unique: Uniqueness, gone: tuple[int, ...]) -> Array:
    """Return the boards with another clue in the place of one, which agrees with its houses."""
    shape = unique.shape
    base, free = _without(values, gone), np.repeat(values[:, None] == 0, len(shape.values), 1)
    free[gone[0]] = np.arange(1, len(shape.values) + 1) != values[gone[0]]
    for house in shape.houses:
        held = base[np.array(house.cells)]
        free[np.ix_(house.cells, held[held > 0] - 1)] = False
    cells, places = np.nonzero(free)
    boards: Array = np.repeat(base[None], len(cells), 0)
    boards[np.arange(len(cells)), cells] = places + 1
    return boards


def _sampled(values: Array, unique: Uniqueness, gone: tuple[int, ...]) -> Array:
    """Return the boards with other clues for some that may have one solution, judging by a sample of solutions."""
    base, side = _without(values, gone), len(unique.shape.values)
    with solutions(unique.puzzle(base), limit=SAMPLE, budget=unique.budget) as run:
        sample = np.array([grid.values for grid in run], np.int64)
    shown = np.zeros((len(sample), len(base) * side), np.float32)
    np.put_along_axis(shown, np.arange(len(base)) * side + sample - 1, 1, axis=1)
    least = 1 if len(sample) < SAMPLE else 0  # of all solutions: a clue that none of them contains is useless
    free = np.flatnonzero(np.repeat(base == 0, side) & (shown.sum(0) >= least))
    if len(gone) == 1:
        chosen = free[shown[:, free].sum(0) <= 1][:, None]
    else:
        both = shown[:, free].T @ shown[:, free]
        first, second = np.nonzero(np.triu((both <= 1) & (both >= least), 1))
        chosen = np.stack([free[first], free[second]], 1)
        chosen = chosen[chosen[:, 0] // side != chosen[:, 1] // side]
    boards: Array = np.repeat(base[None], len(chosen), 0)
    np.put_along_axis(boards, chosen // side, (chosen % side + 1).astype(np.uint8), axis=1)
    found: Array = boards[(boards != values).any(1)]
    return found


def _without(values: Array, gone: tuple[int, ...]) -> Array:
    base = values.copy()
    base[list(gone)] = 0
    return base


# ---- hard puzzles


def climb(first: Array, stream: Stream, unique: Uniqueness, low: int = STEEP) -> Iterator[tuple[Array, int]]:
    """Climb from some puzzles to ever harder neighbours; yield the minimal puzzles of each turn, and how many it saw.

    Not one in a hundred thousand random minimal puzzles reaches 9.5 on the SE-like scale. The climb repeatedly moves
    from the hardest known puzzle, by its level and the stages it needs, to that puzzle's neighbours. It yields those
    that may reach ``low``, or else the hardest one if it is harder than all before. It ends after TURNS.
    """
    hard = next(level for rating, level in HARD.items() if low >= rating)
    heap = _ranked(first)[:BEST]
    seen = {row for _, row in heap}
    top: Ease = (0, ())
    for _ in range(TURNS):
        if not heap:
            return
        boards = _neighbours(np.frombuffer(heappop(heap)[1], np.uint8), stream, unique)
        new = _ranked(np.array([row for row in boards if row.tobytes() not in seen], np.uint8))
        for known in new:
            seen.add(known[1])
            heappush(heap, known)
        found = [row for ease, row in new if -ease[0] >= hard] or [row for ease, row in new[:1] if ease < top]
        top = min((top, *(ease for ease, _ in new[:1])))
        yield np.frombuffer(b"".join(found), np.uint8).reshape(-1, first.shape[1]), len(boards)


def _ranked(boards: Array) -> list[tuple[Ease, bytes]]:
    """Return puzzles, the hardest one first; those that need nested trials are above all others."""
    if not len(boards):
        return []
    found = rate_arrays(boards, "level", highest=0)
    assert found.stages is not None
    levels = np.where(found.exact, found.values, 40_000).tolist()
    rows = zip(levels, found.stages.tolist(), boards, strict=True)
    return sorted(((-level, tuple(-number for number in stages[::-1])), row.tobytes()) for level, stages, row in rows)


def _neighbours(values: Array, stream: Stream, unique: Uniqueness) -> Array:
    """Return the minimal puzzles that result from changing one clue, each once."""
    boards = np.unique(near(values, unique), axis=0)
    chosen = boards[stream.orders(1, len(boards))[0][:MOST]]
    found: Array = np.unique(thinned(chosen, stream.orders(*chosen.shape)[:, :, None], unique), axis=0)
    return found


# ---- few clues


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
    puzzles in total, or ``time_limit`` seconds; a call with the same folder resumes it. If the time ends before the
    starting puzzles are checked, ``forms`` has them as they were given. Unusable for a folder of another search, for
    one that another process searches in, and for a damaged journal; ValueError for puzzles with rules, of different
    shapes, or without exactly one solution.
    """
    found = [as_puzzle(problem) for problem in start]
    if not found or len({puzzle.shape for puzzle in found}) > 1 or any(x.rules or x.candidates for x in found):
        raise ValueError("starting puzzles of one shape, without rules and candidates, are expected")
    if changed not in (1, 2):
        raise ValueError(f"changed={changed}: 1 or 2 clues are changed")
    shape = found[0].shape
    with Budget(time_limit) as budget:
        unique = Uniqueness(shape, backend, budget=budget)
        try:
            first = _forms(_values(found), unique)
        except LimitReached:
            if not budget.expired:  # a board with too many symmetries: more time would not help
                raise
            return Search(shape, changed, [puzzle.to_line() for puzzle in found])
        return _searched(Search(shape, changed, first), Path(folder), unique, budget, looks)


def _searched(state: Search, folder: Path, unique: Uniqueness, budget: Budget, looks: int | None) -> Search:
    """Examine puzzle after puzzle, those in the folder's journal first, until a limit is reached."""
    most = max(sum(sign != "." for sign in form) for form in state.forms)
    head = {"shape": str(state.shape), "changed": state.changed, "start": list(state.forms)}
    folder.mkdir(parents=True, exist_ok=True)
    with Journal(folder / JOURNAL) as journal, suppress(LimitReached):
        begun = next(journal.lines(), None)
        if begun is None:
            journal.add(head)
        elif begun != head:
            raise Unusable(f"{journal.path} is the journal of another search: choose another folder")
        for line in islice(journal.lines(), 1, None):
            state.forms += line["found"]
            state.done += 1
        while not (state.complete or budget.expired) and (looks is None or state.done < looks):
            new = _new(state, most, unique)
            journal.add({"puzzle": state.forms[state.done], "found": new})
            state.forms += new
            state.done += 1
    return state


def _new(state: Search, most: int, unique: Uniqueness) -> list[str]:
    """Return the forms of the neighbours that are new and have at most the wanted number of clues."""
    puzzle = Puzzle.parse(state.forms[state.done], shape=state.shape)
    boards = np.unique(near(_values([puzzle])[0], unique, state.changed), axis=0)
    forms, known = _forms(boards, unique) if len(boards) else [], set(state.forms)
    return [form for form in forms if form not in known and sum(sign != "." for sign in form) <= most]


def _forms(boards: Array, unique: Uniqueness) -> list[str]:
    """Leave out needless clues, in the order of the cells of the least form; return the least forms, each once."""
    if not unique(boards).all():
        raise ValueError("a starting puzzle must have exactly one solution")
    shape = unique.shape
    forms = canonical_arrays(boards, shape).boards
    order = np.tile(np.arange(shape.cells), (len(forms), 1))[:, :, None]
    again = canonical_arrays(thinned(forms, order, unique), shape).boards
    return list(dict.fromkeys(unique.puzzle(row).to_line() for row in again))


def _values(puzzles: Iterable[Puzzle]) -> Array:
    return np.array([[value or 0 for value in puzzle.givens] for puzzle in puzzles], np.uint8)
