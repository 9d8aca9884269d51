"""The verb ``hint``: the cheapest next step, or the steps that lead to one cell; a wrong entry is reported first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..display import Picture
from ..engine.budget import Budget
from ..errors import FormatError, LimitReached, meant
from ..model import Domain, Model
from ..puzzle import Grid, Puzzle
from ..verbs.results import Result, Status, shortened
from ..verbs.solving import Problem, as_puzzle, solve
from .atoms import bits
from .explaining import PATIENCE, explain
from .explanation import Conflict, NoSolution, chosen
from .ladder import HIGHEST, SIMPLE, Fact, Ladder, Level, Stage, after, level_text
from .paths import narrowed, step_json
from .patterns.finding import Finder
from .patterns.order import NAMED, TECHNIQUES, TOLD, is_known, rule_name
from .step_words import Teller
from .steps import Step

Found = tuple[tuple[Step, ...], str]
"""Steps, or why there are none."""

State = Grid | str | Sequence[Sequence[Any]] | Mapping[str, int | Iterable[int]]
"""The entries so far: a grid, a text, rows, or values and candidates by the name of the cell."""


@dataclass(frozen=True)
class Hint:
    """What follows next, and why. ``str`` says it; ``picture`` draws it; ``to_json`` returns it as data.

    ``steps`` has one step, or all steps that lead to a requested cell, in order. ``wrong`` are impossible entries, and
    ``reason`` explains the first of them (None where another value is given, or if a limit was reached); then there are
    no steps. ``end`` says why else there is no step.
    """

    problem: Puzzle | Model = field(repr=False)
    steps: tuple[Step, ...]
    wrong: tuple[tuple[str, Domain], ...] = ()
    reason: Conflict | None = None
    end: str = ""
    _ladder: Ladder | None = field(default=None, repr=False, compare=False)

    @cached_property
    def _teller(self) -> Teller | None:
        return Teller(self._ladder) if self._ladder else None

    @property
    def step(self) -> Step | None:
        """The last step, which gives the requested result; None if there is none."""
        return self.steps[-1] if self.steps else None

    @property
    def level(self) -> str:
        """The highest level of the steps; "" if there are none."""
        return level_text(max(step.level for step in self.steps)) if self.steps else ""

    @property
    def status(self) -> str:
        """The result in a word: hinted, "wrong entry", unsatisfiable, unknown (a limit was reached first), "no
        step".
        """
        if self.wrong:
            return "wrong entry"
        if self.steps:
            return "hinted"
        if self.end.startswith("There is no solution"):
            return "unsatisfiable"
        return "unknown" if "time limit" in self.end else "no step"

    def __str__(self) -> str:
        if self.wrong:
            x, values = self.wrong[0]
            stated = self.problem.domains.get(x, values)
            why = self.reason or (f"As stated, it is {chosen(stated)}." if {*stated}.isdisjoint(values) else "")
            return f"{x} = {chosen(values)} is wrong. {why}".strip()
        if not self.steps or self._teller is None:
            return self.end
        sentences = list(dict.fromkeys(f"{self._teller.text(step)}." for step in self.steps))
        return sentences[0] if len(sentences) == 1 else "\n".join(f"{i}. {text}" for i, text in enumerate(sentences, 1))

    def __repr__(self) -> str:
        return f"<Hint: {shortened(str(self))}>"

    def to_json(self) -> dict[str, Any]:
        """Return the hint as data: ``text``, ``level``, ``steps`` as in a path, ``wrong``, ``reason``, ``end``."""
        steps = [step_json(self._teller, step) for step in self.steps] if self._teller else []
        wrong = [{"cell": x, "values": list(values)} for x, values in self.wrong]
        reason = None if self.reason is None else self.reason.to_json()
        return {
            "text": str(self),
            "level": self.level,
            "steps": steps,
            "wrong": wrong,
            "reason": reason,
            "end": self.end,
        }

    def picture(self) -> Picture:
        """Draw the board with the candidates, the cells that are read and the removals. TypeError for a bare model."""
        from .step_pictures import step_picture

        if isinstance(self.problem, Model):
            raise TypeError("a bare model has no picture")
        return step_picture(self.problem, self._teller, self.step)

    def _repr_html_(self) -> str:
        from html import escape

        drawn = "" if isinstance(self.problem, Model) or not self.steps else self.picture()._repr_html_()
        return f"<div>{escape(str(self))}</div>{drawn}"


def hint(
    problem: Problem,
    state: State | None = None,
    *,
    cell: str | None = None,
    technique: str | None = None,
    time_limit: float | None = None,
    assume_unique: bool = False,
    budget: Budget | None = None,
) -> Hint:
    """Return the cheapest next step; with ``cell`` the steps that lead to its value, and no others.

    ``technique`` asks for the easiest step of a name ("swordfish", "ALS-XZ"), even if others are easier.

    ``state`` has the entries so far (values, or by name also candidates). An entry that occurs in no solution is
    reported first, with the reason. If the problem has several solutions, or none, the hint says so when no simple step
    is left. ``assume_unique`` allows arguments from uniqueness if there is one solution; they name that assumption.
    ``time_limit`` is in seconds, ``budget`` that of a larger job; if one is reached first, ``end`` says so. ValueError
    for a cell that does not exist, a technique that no step has as its name (the message lists the names), a cell and
    a technique together, or a state of another board, TypeError for a name that is no text, FormatError for text that
    cannot be read, WrongAnswer for a rule whose constraints and judge disagree about the only solution.
    """
    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    entries = _entries(read, state)
    filled = [x for x in entries if not isinstance(state, Mapping) or isinstance(state[x], int)]  # not by candidates
    if cell is not None and cell not in read.names:
        raise ValueError(f"{cell!r} is not a cell: {read.names[0]} to {read.names[-1]} are expected")
    if cell is not None and technique is not None:
        raise ValueError("cell and technique: only one of them is expected")
    whole = Budget(time_limit, None, budget)
    with whole:
        technique = None if technique is None else _technique(read, technique, whole)
        return _hinted(read, entries, filled, cell, technique, assume_unique, whole)


def _hinted(
    read: Puzzle | Model,
    entries: Mapping[str, Domain],
    filled: Iterable[str],
    cell: str | None,
    technique: str | None,
    assume_unique: bool,
    whole: Budget,
) -> Hint:
    with whole.part(PATIENCE if whole.left is None and not entries else None) as clock:
        result = solve(read, unique=True, budget=clock)
        wrong = _wrong(read, entries, result, clock) if entries else ()
        if wrong:
            first = narrowed(read, dict(wrong[:1]))
            found = explain(first, budget=clock) if all(first.domains.values()) else None  # else another value is given
            return Hint(read, (), wrong, found.reason if isinstance(found, NoSolution) else None)
    if result.status is Status.UNSATISFIABLE:
        return Hint(read, (), end="There is no solution; explain shows why.")
    ladder = Ladder(read, None, None, assume_unique and result.unique is True, whole, for_hints=True)
    masks = ladder.start()
    for x, values in entries.items():
        masks[ladder.index[x]] &= ladder.mask(values)
    placed = {ladder.index[x] for x in filled} | _given(read, ladder)
    highest, finder = SIMPLE if result.unique is False else HIGHEST, Finder(ladder)
    try:
        if cell:
            steps, end = _led(finder, masks, placed, cell, highest)
        else:
            steps, end = _next(finder, masks, placed, highest, technique)
    except LimitReached as stopped:
        return Hint(read, (), end=f"No step was found: {stopped}.")
    if technique and not steps and not assume_unique and is_known(technique, NAMED["uniqueness"]):
        end = f"{end} It needs that there is one solution: assume_unique allows it."
    if result.unique is False and not steps and not end.endswith("settled."):
        end = f"{end} There are several solutions."
    if result.unique and result.values:
        ladder.check_facts((fact for step in steps for fact in step.facts), result.values)
    ladder.done()
    return Hint(read, steps, end=end, _ladder=ladder if steps else None)


def _technique(problem: Puzzle | Model, name: str, whole: Budget) -> str:
    """Return the name of a technique without blanks around it; ValueError if no step of the problem can have it."""
    if not isinstance(name, str):
        raise TypeError(f"technique: a name in text is expected, not {name!r}")
    name = name.strip()
    with suppress(LimitReached):  # then it is said that no step was found
        if not is_known(name, TECHNIQUES):
            atoms = Ladder(problem, None, None, False, whole, for_hints=True).atoms
            known = [*TECHNIQUES, *sorted({rule_name(atom.part) for atom in atoms} - {"", *TECHNIQUES})]
            if not is_known(name, known):
                said = f"technique: {name!r} is unknown{meant(name, known) or '.'}"
                raise ValueError(f"{said} The names are: {'; '.join(known)}")
    return name


def _entries(problem: Puzzle | Model, state: State | None) -> dict[str, Domain]:
    """Return the entries of a state beyond the givens, by the names of cells."""
    if state is None:
        return {}
    if isinstance(state, Mapping):
        unknown = next((x for x in state if x not in problem.names), None)
        if unknown is not None:
            raise ValueError(
                f"state: {unknown!r} is not a cell: {problem.names[0]} to {problem.names[-1]} are expected"
            )
        return {x: (v,) if isinstance(v, int) else tuple(sorted(set(v))) for x, v in state.items()}
    if isinstance(problem, Model):
        raise TypeError("state: a bare model has no cells, so a mapping from names of variables to values is expected")
    if isinstance(state, str) and state in problem.names:
        raise ValueError(f"state: {state} is a cell: hint(puzzle, cell={state!r}) asks for it")
    try:
        board = Puzzle.parse(state, shape=problem.shape) if isinstance(state, str) else as_puzzle(state)
    except FormatError as error:
        raise error.at(source="state") from None
    if board.shape.cells != problem.shape.cells:
        raise ValueError(f"state: {board.shape.cells} cells for a board of {problem.shape.cells}")
    stated = zip(problem.shape.names, board.givens, problem.givens, strict=True)
    return {x: (value,) for x, value, given in stated if value is not None and value != given}


def _given(problem: Puzzle | Model, ladder: Ladder) -> set[int]:
    """Return the cells with a given; in a bare model the variables with one value."""
    if isinstance(problem, Model):
        return {c for c, mask in enumerate(ladder.full) if not mask & (mask - 1)}
    stated = zip(problem.shape.names, problem.givens, strict=True)
    return {ladder.index[x] for x, value in stated if value is not None}


def _wrong(
    problem: Puzzle | Model, entries: Mapping[str, Domain], result: Result, clock: Budget
) -> tuple[tuple[str, Domain], ...]:
    """Return the impossible entries: those that differ from the only solution, or the first that leaves no solution."""
    if result.unique and result.values:
        values = result.values
        return tuple((x, left) for x, left in entries.items() if values[x] not in left)
    if result.values is None:
        return ()
    kept: dict[str, Domain] = {}
    for x, left in entries.items():
        found = solve(narrowed(problem, {**kept, x: left}), unique=True, budget=clock)
        if found.status is Status.UNSATISFIABLE:
            return ((x, left),)
        kept[x] = left
    return ()


def _next(finder: Finder, masks: list[int], placed: set[int], highest: Level, technique: str | None) -> Found:
    """Return the easiest step: a pattern that players know, or else the cheapest step of the ladder.

    With a technique only a pattern with that name.
    """
    state = finder.state(masks, placed)
    if not all(state.masks):
        return (), "There is no solution: some cell has no candidate left."
    if not state.open:
        return (), "Every cell is settled."
    step = finder.called(state, masks, technique) if technique is not None else finder.next(state, masks, highest)
    if step is not None:
        return (step,), ""
    if technique is None:
        return (), "No step is known."
    return (), f"There is no step with the name {technique}."


def _led(finder: Finder, masks: list[int], placed: set[int], cell: str, highest: Level) -> Found:
    """Walk until a cell is settled, then keep the steps that lead there, from the last one back."""
    number, rounds = finder.ladder.index[cell], list[tuple[Stage, Step | None]]()
    if number in placed:
        return (), f"{cell} is settled."
    state = finder.state(masks, placed)
    left = list(state.masks)
    while left[number] & (left[number] - 1):
        found = _round(finder, left, highest)
        if found is None:
            return (), f"No steps lead to {cell}."
        rounds.append(found)
        left = after(left, found[0].facts)
    steps = _sliced(finder, rounds, state.masks, number)
    read = {number}.union(*(step.reads for step in steps))
    singles = (finder.naked_single(state, c, masks) for c in sorted(read.difference(placed)))
    return (*filter(None, singles), *steps), ""


def _round(finder: Finder, masks: list[int], highest: Level) -> tuple[Stage, Step | None] | None:
    """Return all singles together, or else the easiest pattern, or else the ladder's stage; None if there is none."""
    if not all(masks):
        return None
    if stage := finder.ladder.stage(masks, (1, 1)):
        return stage, None
    state = finder.state(masks, {c for c, mask in enumerate(masks) if not mask & (mask - 1)})
    step = finder.easiest(state, masks, TOLD)
    if step is not None:
        return Stage.of(step.level, step.before, step.facts), step
    stage = finder.ladder.stage(masks, highest)
    return None if stage is None else (stage, None)


def _sliced(finder: Finder, rounds: Sequence[tuple[Stage, Step | None]], start: Sequence[int], cell: int) -> list[Step]:
    """Return the steps that lead to what is known of a cell, in order."""
    wanted: set[Fact] = {fact for stage, _ in rounds for fact in stage.facts if fact[0] == cell}
    found: list[Step] = []
    for stage, only in reversed(rounds):
        mine = wanted & stage.facts
        for step in finder.covering(stage, mine) if only is None else [only] if mine else ():
            found.append(step)
            for c in step.reads:
                wanted |= {(c, b) for b in bits(start[c] & ~stage.before[c])}
    return found[::-1]
