"""The verb ``path``: the whole path to the solution, in stages, each step with its reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..engine.budget import Budget
from ..engine.check import checker_of
from ..errors import LimitReached, WrongAnswer
from ..model import Domain, Model
from ..puzzle import Puzzle
from ..verbs.solving import Problem, as_puzzle, solve
from .atoms import bits
from .ladder import HIGHEST, SIMPLE, STEPS, TRIALS, Fact, Ladder, Level, Log, Stage, level_text
from .patterns.finding import Finder
from .step_words import Teller
from .steps import Step

SCHEMA = "sudoku-models/path/1"

SHARE = 3
"""The part of the remaining time in which a second solution is searched for before trials."""

GLANCE = 2.0
"""Seconds for this search at first; if it takes longer, it is repeated before nested trials."""

ORDERS = ("level", "patterns")

LEGIBLE = 40
"""The most links of a step that a page draws."""

SEVERAL = "several solutions"
"""How a path ends if there are several solutions."""


@dataclass(frozen=True)
class Path:
    """A path in stages; ``end`` is solved, stuck, contradiction, "several solutions" or "time limit".

    ``stages`` are what each stage removes; ``steps`` finds the reasons of one, ``lines`` gives everything as text.
    ``left`` are the candidates at the end, by the name of the cell. In the ``order`` "level" a stage has all steps of
    the cheapest level; in the order "patterns" it has one step, the easiest one for a person.
    """

    problem: Puzzle | Model = field(repr=False)
    ladder: Ladder = field(repr=False)
    stages: tuple[Stage, ...] = field(repr=False)
    end: str
    masks: tuple[int, ...] = field(repr=False)
    taken: tuple[Step, ...] | None = field(default=None, repr=False)

    @property
    def order(self) -> str:
        """The order of the steps: level or patterns."""
        return "level" if self.taken is None else "patterns"

    @property
    def level(self) -> Level:
        """The highest level of a stage; (0, 0) if nothing had to be done."""
        return max((stage.level for stage in self.stages), default=(0, 0))

    @property
    def left(self) -> dict[str, tuple[int, ...]]:
        """The candidates at the end."""
        return {x: values_of(self.ladder, mask) for x, mask in zip(self.ladder.names, self.masks, strict=True)}

    @cached_property
    def _steps(self) -> dict[int, tuple[Step, ...]]:
        """The steps of stages, by the identity of the stage: a single may leave all candidates as they are."""
        return {id(stage): (step,) for stage, step in zip(self.stages, self.taken or (), strict=False)}

    def steps(self, stage: Stage) -> Iterator[Step]:
        """Yield the steps of a stage, those that settle a cell first; one without a reason if a limit was reached."""
        if id(stage) not in self._steps:
            found, left = list[Step](), set(stage.facts)
            with suppress(LimitReached):
                for step in self._finder.covering(stage):
                    found.append(step)
                    left -= step.facts
            if left:
                found.append(Step(stage.level, frozenset(left), (), frozenset(), stage.before))
            self._steps[id(stage)] = tuple(sorted(found, key=lambda step: not step.placed))
        yield from self._steps[id(stage)]

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self.ladder)

    @cached_property
    def _teller(self) -> Teller:
        return Teller(self.ladder)

    def lines(self) -> Iterator[str]:
        """Yield the path as lines of text."""
        for *_, lines in told(self):
            yield from lines

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each step, then one for the end: see ``step_json``."""
        return (self._record(number, step) for number, step, _ in told(self))

    def _record(self, number: int, step: Step | None) -> dict[str, Any]:
        """Return a step of a stage as data; the end for None."""
        if step is not None:
            return {"schema": SCHEMA, "stage": number, **step_json(self._teller, step)}
        end = {"end": self.end, "level": level_text(self.level), "stages": len(self.stages)}
        return {"schema": SCHEMA, **end, "left": {x: list(values) for x, values in self.left.items()}}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Path of {len(self.stages)} stages, the highest of level {level_text(self.level)}: {self.end}>"

    def _repr_html_(self) -> str:
        counts = sorted(Counter(stage.level for stage in self.stages).items())
        return f"<div>{self.end}, the highest level is {level_text(self.level)}</div>{levels_table(counts)}"

    def to_html(self, title: str = "", *, progress: bool = False) -> str:
        """Return a page that steps forward and back through pictures. TypeError for a bare model.

        ``progress`` shows a bar of the stages whose reasons are found.
        """
        from ..display.player import player_page
        from ..display.progress import progress_bar

        if isinstance(self.problem, Model):
            raise TypeError("a bare model has no picture: a puzzle is expected")
        puzzle = replace(self.problem, candidates=())
        name = title or puzzle.title or f"The way through a Sudoku of {puzzle.shape}"
        with progress_bar("finding its reasons", len(self.stages), progress) as show:
            shown = shown_steps(self, puzzle, show)
        return player_page(
            puzzle, name, {"_path": shown, "_offers": []}, listed=[step["text"] for step in shown["steps"]]
        )

    def to_jsonl(self) -> str:
        """Return the path as JSON lines."""
        return "".join(f"{json.dumps(record)}\n" for record in self.records())


def told(way: Path) -> Iterator[tuple[int, Step | None, list[str]]]:
    """Yield each step with the number of its stage and the lines that it adds, then None with the end.

    The lines are the level of a stage before its first step, and what no other step of the stage has said.
    """
    for number, stage in enumerate(way.stages, 1):
        lines, said = [f"{number}. level {level_text(stage.level)}"], set[str]()
        for step in way.steps(stage):
            text = way._teller.text(step)
            yield number, step, [*lines, *([] if text in said else [f"   {text}."])]
            lines = []
            said.add(text)
    yield len(way.stages), None, [f"{way.end}; the highest level is {level_text(way.level)}"]


def levels_table(stages: Iterable[tuple[Level, int]]) -> str:
    """Return an HTML table of the number of stages at each level."""
    rows = "".join(f"<tr><td>{level_text(level)}</td><td>{number}</td></tr>" for level, number in stages)
    return f"<table><tr><th>level</th><th>stages</th></tr>{rows}</table>" if rows else ""


def step_json(teller: Teller, step: Step) -> dict[str, Any]:
    """Return a step as data.

    ``level``; ``removed`` and ``placed`` (cell, value); ``atoms`` in the author's words; ``reads``, the cells whose
    candidates are premises, with these; ``trial`` (cell, value) if a candidate was supposed; ``pattern``; ``text``.
    """
    ladder = teller.ladder

    def valued(facts: Iterable[Fact]) -> list[dict[str, Any]]:
        return [{"cell": ladder.names[c], "value": b + ladder.low} for c, b in facts]

    reads = [
        {"cell": ladder.names[c], "candidates": list(values_of(ladder, step.before[c]))} for c in sorted(step.reads)
    ]
    return {
        "level": level_text(step.level),
        "removed": valued(sorted(step.facts)),
        "placed": valued(sorted(step.placed.items())),
        "atoms": [ladder.atoms[a].label for a in step.atoms],
        "reads": reads,
        "trial": None if step.trial is None else valued([step.trial])[0],
        "pattern": teller.pattern(step),
        "text": teller.text(step),
    }


def shown_steps(way: Path, puzzle: Puzzle, show: Callable[[int], object] = lambda done: None) -> dict[str, Any]:
    """Return the data of a path for the page: ``start``, the candidates of each cell; ``steps``; ``end``.

    Cells are numbers in the order of the grid. A step has its ``stage``, ``level`` and ``text``, the pairs (cell,
    value) that it ``removed``, the cells that it ``placed`` and ``reads``, those of its rules (``stated``), and the
    ``links`` of its pattern: the pairs at both ends, "strong" or "weak". ``show`` is called with the number of stages
    whose reasons are found.
    """
    from .step_pictures import chain_of

    ladder, teller, cells = way.ladder, way._teller, puzzle.shape.cells

    def pairs(literals: int) -> list[tuple[int, int]]:
        found = ((x % len(ladder.names), x // len(ladder.names) + ladder.low) for x in bits(literals))
        return [(c, value) for c, value in found if c < cells]

    steps = []
    for number, stage in enumerate(way.stages, 1):
        for step in way.steps(stage):
            removed = sorted(step.facts if way.taken is None else stage.facts)
            chain = step.pattern or chain_of(teller, step)
            links = chain.links if chain else ()
            stated = {c for a in step.atoms if len(ladder.atoms[a].cells) <= 16 for c in ladder.cells_of(a)}
            steps.append(
                {
                    "stage": number,
                    "level": level_text(step.level),
                    "text": f"{teller.text(step)}.",
                    "removed": [[c, b + ladder.low] for c, b in removed if c < cells],
                    "placed": [c for c in sorted(step.placed) if c < cells],
                    "reads": [c for c in sorted(step.reads) if c < cells],
                    "stated": [c for c in sorted(stated) if c < cells],
                    "links": [[pairs(x), pairs(y), kind] for x, y, kind in links] if len(links) <= LEGIBLE else [],
                }
            )
        show(number)
    before = way.stages[0].before if way.stages else ladder.start()
    start = [list(values_of(ladder, mask)) for mask in before[:cells]]
    return {"start": start, "steps": steps, "end": way.end}


def values_of(ladder: Ladder, mask: int) -> tuple[int, ...]:
    return tuple(b + ladder.low for b in range(mask.bit_length()) if mask >> b & 1)


def path(
    problem: Problem,
    *,
    time_limit: float | None = None,
    highest: Level = HIGHEST,
    assume_unique: bool = False,
    order: str = "level",
    budget: Budget | None = None,
) -> Path:
    """Return the path to the solution, always by the cheapest steps, all of them together.

    With the ``order`` "patterns" it goes step by step instead, as a person would: the easiest pattern first.
    ``highest`` is the highest level that is tried; ``time_limit`` is in seconds, ``budget`` that of a larger job. If
    one of them ends the path before the solution, ``end`` says so. For a problem with several solutions the path has
    only the steps of single houses and rules, since no steps lead to one of the solutions. ``assume_unique`` allows
    arguments from uniqueness, which name that assumption; if there are several solutions, the path then has no steps.
    Raises FormatError for text that cannot be read, WrongAnswer if the board that the steps lead to breaks a constraint
    or a rule's judge.
    """
    if order not in ORDERS:
        raise ValueError(f"order: {order!r} is not one of {', '.join(ORDERS)}")
    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    with Budget(time_limit, None, budget) as clock:
        ladder = Ladder(read, None, None, assume_unique, clock)
        if assume_unique and has_several(read, clock):
            return Path(read, ladder, (), SEVERAL, tuple(ladder.start()))
        way = Walk(read, ladder).all_the_way(highest, clock)
        stages = tuple(stage for log in way.logs for stage in log.stages())
        found = Path(read, ladder, stages, way.end, tuple(way.masks))
        return found if order == "level" else _by_patterns(found, assume_unique, clock)


class Walk:
    """Goes up the ladder from the candidates that the givens leave. ``end`` says how it ended, ``masks`` what is left.

    ``logs`` have the stages made.
    """

    def __init__(self, problem: Puzzle | Model, ladder: Ladder) -> None:
        self.problem, self.ladder, self.end = problem, ladder, "stuck"
        self.masks: Sequence[int] = ladder.start()
        self.logs: list[Log] = []

    def to(self, highest: Level) -> None:
        """Go on by steps up to a level; a filled board is checked and judged."""
        limit = ""
        try:
            for log in self.ladder.logs(self.masks, highest):
                self.logs.append(log)  # one by one: the stages before a limit are kept
                self.masks = log.left
        except LimitReached as stopped:
            limit = str(stopped)
        self.ladder.done()
        self.end = limit or _ended(self.masks)
        if self.end == "solved":
            values = {
                x: self.ladder.low + m.bit_length() - 1 for x, m in zip(self.ladder.names, self.masks, strict=True)
            }
            try:
                check_board(self.problem, values)
            except WrongAnswer:
                if self.logs:
                    raise
                self.end = "contradiction"  # no step led there: the board was filled from the start

    def all_the_way(self, highest: Level, clock: Budget) -> Walk:
        """Go as far as possible; where there are several solutions, no further than by single atoms."""
        self.to(min(highest, SIMPLE))
        if self.end != "stuck" or highest <= SIMPLE:
            return self
        simple = self.masks, len(self.logs)
        puzzle = self.problem if isinstance(self.problem, Puzzle) else None
        easily_tried = puzzle is not None and not puzzle.rules and self.ladder.is_fast
        several = None if easily_tried else has_several(self.problem, _share(clock).part(GLANCE))
        for most in (TRIALS, HIGHEST):
            if self.end == "stuck" and several is None and most == HIGHEST and highest > TRIALS:
                several = has_several(self.problem, _share(clock))
            if several:
                self.masks, self.logs = simple[0], self.logs[: simple[1]]
                self.end = SEVERAL
            elif self.end == "stuck":
                self.ladder.budget = clock
                self.to(min(highest, most))
        return self


def _by_patterns(way: Path, assume_unique: bool, clock: Budget) -> Path:
    """Return the same path as a person would go it; no step is dearer on the ladder than those of the path itself."""
    ladder = Ladder(way.problem, None, None, assume_unique, clock, for_hints=True)
    end, stages, steps = way.end, list[Stage](), list[Step]()
    given = way.problem.domains if isinstance(way.problem, Puzzle) else {}
    placed = {ladder.index[x] for x, values in given.items() if len(values) == 1}
    finder, masks = Finder(ladder), ladder.start()
    try:
        for step, before, later in finder.walk(masks, placed, max(way.level, SIMPLE)) if way.stages else ():
            gone = enumerate(zip(before.masks, later.masks, strict=True))
            facts = frozenset((c, b) for c, (old, new) in gone for b in bits(old & ~new))
            stages.append(Stage.of(step.level, before.masks, facts))
            steps.append(step)
            masks = later.masks
    except LimitReached as stopped:
        end = str(stopped)
    ladder.done()
    return Path(way.problem, ladder, tuple(stages), end, tuple(masks), tuple(steps))


def _share(clock: Budget) -> Budget:
    """Return the part of the time left that a question about the number of solutions may take."""
    return clock.part(None if clock.left is None else clock.left / SHARE)


def has_several(problem: Puzzle | Model, budget: Budget) -> bool | None:
    """Return whether a problem has several solutions; None if that is not settled in time."""
    found = solve(problem, unique=True, budget=budget)
    if found.unique is None and not found.status.no_solution:
        return None
    return found.values is not None and found.unique is False


def _ended(masks: Sequence[int]) -> str:
    if not all(masks):
        return "contradiction"
    return "stuck" if any(mask & (mask - 1) for mask in masks) else "solved"


# ----------------------------------------------------------------------------
# A filled board is checked and judged like any engine's solution.


def narrowed(problem: Puzzle | Model, domains: Mapping[str, Domain]) -> Puzzle | Model:
    """Return a problem with some of its cells narrowed; the result is a model if one is an extra cell."""
    if isinstance(problem, Puzzle) and set(domains) <= set(problem.shape.names):
        return problem.with_candidates(domains)
    return (problem if isinstance(problem, Model) else problem.model).narrowed(domains)


def check_board(problem: Puzzle | Model, values: Mapping[str, int]) -> None:
    """Check the values of all cells against the model and every rule's judge; raise WrongAnswer if one is broken.

    Auxiliary variables of rules are found by an engine.
    """
    model, given = (problem, problem.domains) if isinstance(problem, Model) else (problem.structure, problem.domains)
    if model.names == tuple(values):
        fault = checker_of(model).fault(tuple(values.values()), given)
        if fault:
            raise WrongAnswer(f"{STEPS} lead to a wrong solution: {fault}", STEPS)
        return
    if solve(narrowed(problem, {x: (v,) for x, v in values.items()})).status.no_solution:
        raise WrongAnswer(f"{STEPS} lead to a wrong solution: no engine accepts it", STEPS)
