"""The verb ``hint``: the cheapest next step, or the steps that lead to one cell; a wrong entry is reported first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..display import Picture
from ..engine.budget import Budget
from ..errors import LimitReached
from ..model import Domain, Model
from ..puzzle import Grid, Puzzle
from ..verbs.results import Result, Status, shortened
from ..verbs.solving import Problem, as_puzzle, solve
from .atoms import Atom, bits
from .confirming import check_facts, narrowed
from .explaining import PATIENCE, explain
from .explanation import Conflict, NoSolution
from .ladder import HIGHEST, SIMPLE, Fact, Ladder, Level, Stage, after, level_text
from .named_parts import chosen
from .paths import step_json
from .step_words import Teller
from .steps import Reasoner, Step, needed

EASIEST: Level = (1, 1)
"""The level of singles."""

State = Grid | str | Sequence[Sequence[Any]] | Mapping[str, int | Iterable[int]]
"""The entries so far: a grid, a text, rows, or values and candidates by the name of the cell."""


@dataclass(frozen=True)
class Hint:
    """What follows next, and why. ``str`` says it; ``picture`` draws it; ``to_json`` returns it as data.

    ``steps`` has one step, or all steps that lead to a requested cell, in order. ``wrong`` are impossible entries, and
    ``reason`` explains the first of them; then there are no steps. ``end`` says why else there is no step.
    """

    problem: Puzzle | Model = field(repr=False)
    steps: tuple[Step, ...]
    wrong: tuple[tuple[str, Domain], ...] = ()
    reason: Conflict | None = None
    end: str = ""
    _teller: Teller | None = field(default=None, repr=False, compare=False)

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
            return f"{x} = {chosen(values)} is wrong. {self.reason or ''}".strip()
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
        return step_picture(self.problem, self._teller.ladder if self._teller else None, self.step)

    def _repr_html_(self) -> str:
        from html import escape

        drawn = "" if isinstance(self.problem, Model) or not self.steps else self.picture()._repr_html_()
        return f"<div>{escape(str(self))}</div>{drawn}"


def hint(
    problem: Problem,
    state: State | None = None,
    *,
    cell: str | None = None,
    time_limit: float | None = None,
    assume_unique: bool = False,
    budget: Budget | None = None,
) -> Hint:
    """Return the cheapest next step; with ``cell`` the steps that lead to its value, and no others.

    ``state`` has the entries so far (values, or by name also candidates). An entry that occurs in no solution is
    reported first, with the reason. If the problem has several solutions, or none, the hint says so when no simple step
    is left. ``assume_unique`` allows arguments from uniqueness if there is one solution; they name that assumption.
    ``time_limit`` is in seconds, ``budget`` that of a larger job; if one is reached first, ``end`` says so. ValueError
    for a cell that does not exist or a state of another board, FormatError for text that cannot be read, WrongAnswer
    for a rule whose constraints and judge disagree about the only solution.
    """
    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    entries = _entries(read, state)
    if cell is not None and cell not in read.names:
        raise ValueError(f"{cell!r} is not a cell: {read.names[0]} to {read.names[-1]} are expected")
    whole = Budget(time_limit, None, budget)
    with whole:
        return _hinted(read, entries, cell, assume_unique, whole)


def _hinted(
    read: Puzzle | Model, entries: Mapping[str, Domain], cell: str | None, assume_unique: bool, whole: Budget
) -> Hint:
    with whole.part(PATIENCE if whole.left is None and not entries else None) as clock:
        result = _solved(read, clock)
        wrong = _wrong(read, entries, result, clock) if entries else ()
        if wrong:
            return Hint(read, (), wrong, _why(read, wrong[0], clock))
    if result.status is Status.UNSATISFIABLE:
        return Hint(read, (), end="There is no solution; explain shows why.")
    ladder = Ladder(read, assume_unique=assume_unique and result.unique is True, budget=whole)
    masks = ladder.start()
    for x, values in entries.items():
        masks[ladder.index[x]] &= ladder.mask(values)
    highest = SIMPLE if result.unique is False else HIGHEST
    try:
        found = _led(read, ladder, masks, cell, highest) if cell else _next(read, ladder, masks, highest)
    except LimitReached as stopped:
        return Hint(read, (), end=f"No step was found: {stopped}.")
    if result.unique is False and not found.steps and not found.end.endswith("settled."):
        return replace(found, end=f"{found.end} There are several solutions.")
    if result.unique and result.values:
        check_facts(ladder, (fact for step in found.steps for fact in step.facts), result.values)
    return found


def _solved(problem: Puzzle | Model, clock: Budget) -> Result:
    """Return how many solutions there are."""
    return solve(problem, unique=True, budget=clock)


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
    board = Puzzle.parse(state, shape=problem.shape) if isinstance(state, str) else as_puzzle(state)
    if board.shape.cells != problem.shape.cells:
        raise ValueError(f"state: {board.shape.cells} cells for a board of {problem.shape.cells}")
    stated = zip(problem.shape.names, board.givens, problem.givens, strict=True)
    return {x: (value,) for x, value, given in stated if value is not None and value != given}


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
        if _solved(narrowed(problem, {**kept, x: left}), clock).status is Status.UNSATISFIABLE:
            return ((x, left),)
        kept[x] = left
    return ()


def _why(problem: Puzzle | Model, entry: tuple[str, Domain], clock: Budget) -> Conflict | None:
    wrong = narrowed(problem, dict([entry]))
    found = explain(wrong, budget=clock)
    return found.reason if isinstance(found, NoSolution) else None


def _next(problem: Puzzle | Model, ladder: Ladder, written: list[int], highest: Level) -> Hint:
    """Return the cheapest step, preferably one that settles a cell.

    The last cell of a house comes first, then a value with one place left, then a cell that sees all other values.
    """
    masks = _pencilled(ladder, written)
    if not all(masks):
        return Hint(problem, (), end="There is no solution: some cell has no candidate left.")
    alone = [_sole(ladder, written, masks, c) for c in _settled_by_marks(written, masks)]
    step = next((step for step in alone if len(step.atoms) == 1), None) or _staged(ladder, masks, highest, alone)
    if step is None:
        solved = all(not mask & (mask - 1) for mask in masks)
        return Hint(problem, (), end="Every cell is settled." if solved else "No step is known.")
    ladder.limit(None)
    return Hint(problem, (step,), _teller=Teller(ladder))


def _staged(ladder: Ladder, masks: list[int], highest: Level, alone: Sequence[Step]) -> Step | None:
    """Return a step of the cheapest stage, or a known one if no value has only one place left in a house."""
    houses = [a for a, atom in enumerate(ladder.atoms) if atom.house is not None]
    stage = ladder.stage(masks, houses if alone else None, min(highest, EASIEST) if alone else highest)
    if stage is None:
        return alone[0] if alone else None
    reasoner = Reasoner(ladder)
    facts = sorted(reasoner.easy(stage) or stage.facts)
    left = after(masks, facts)
    settled = [c for c, _ in facts if left[c] and not left[c] & (left[c] - 1)]
    if not alone:
        return reasoner.step(stage, next((f for f in facts if f[0] in settled[:1]), facts[0]))
    unfilled = {c for known in alone for c, _ in known.facts}
    steps = (reasoner.step(stage, next(f for f in facts if f[0] == c)) for c in settled if c not in unfilled)
    return next((step for step in steps if not unfilled & step.reads), alone[0])


def _pencilled(ladder: Ladder, masks: list[int]) -> list[int]:
    """Remove from each house the values that are filled in there: this is obvious to any solver."""
    found = list(masks)
    for atom in ladder.atoms:
        if atom.house is not None:
            for c in atom.cells:
                if masks[c] and not masks[c] & (masks[c] - 1):
                    for other in atom.cells:
                        found[other] &= ~masks[c] if other != c else -1
    return found


def _settled_by_marks(written: Sequence[int], masks: Sequence[int]) -> list[int]:
    """Return the open cells that have one candidate left because of values filled in elsewhere."""
    return [c for c, mask in enumerate(masks) if not mask & (mask - 1) and written[c] & (written[c] - 1)]


def _sole(ladder: Ladder, written: Sequence[int], masks: Sequence[int], cell: int) -> Step:
    """Return the step that settles a cell which sees all other values; each of its houses is needed."""
    gone = written[cell] & ~masks[cell]
    seen = {a: _seen(ladder.atoms[a], written, cell) for a in ladder.users[cell] if ladder.atoms[a].house is not None}
    atoms = needed(seen, lambda some: {1 << b for b in bits(gone)} <= {mask for a in some for mask in seen[a]})
    reads = {mask: c for a in atoms for mask, c in seen[a].items() if mask & gone}
    facts = frozenset((cell, b) for b in bits(gone))
    return Step(EASIEST, facts, tuple(atoms), frozenset(reads.values()), tuple(written))


def _seen(atom: Atom, written: Sequence[int], cell: int) -> dict[int, int]:
    """Return the settled cells of a house, by the mask of their value."""
    return {written[c]: c for c in atom.cells if c != cell and not written[c] & (written[c] - 1)}


def _led(problem: Puzzle | Model, ladder: Ladder, written: list[int], cell: str, highest: Level) -> Hint:
    """Walk until a cell is settled, then keep the steps that lead there, from the last one back."""
    number, stages = ladder.index[cell], list[Stage]()
    masks = _pencilled(ladder, written)
    start = list(masks)
    for stage in ladder.stages(masks, highest):
        if not masks[number] & (masks[number] - 1):
            break
        stages.append(stage)
        masks = after(masks, stage.facts)
    known, alone = not written[number] & (written[number] - 1), _settled_by_marks(written, start)
    if known or masks[number] & (masks[number] - 1):
        return Hint(problem, (), end=f"{cell} is settled." if known else f"No steps lead to {cell}.")
    steps = [] if number in alone else _sliced(Reasoner(ladder), stages, start, number)
    read = {number}.union(*(step.reads for step in steps))
    first = [_sole(ladder, written, start, c) for c in alone if c in read]
    ladder.limit(None)
    return Hint(problem, (*first, *steps), _teller=Teller(ladder))


def _sliced(reasoner: Reasoner, stages: Sequence[Stage], start: Sequence[int], cell: int) -> list[Step]:
    """Return the steps that lead to what is known of a cell, in order."""
    wanted: set[Fact] = {fact for stage in stages for fact in stage.facts if fact[0] == cell}
    found: list[Step] = []
    for stage in reversed(stages):
        mine = wanted & stage.facts
        while mine:
            step = reasoner.step(stage, min(mine))
            found.append(step)
            mine -= step.facts
            for c in step.reads:
                gone = start[c] & ~stage.before[c]
                wanted |= {(c, b) for b in range(gone.bit_length()) if gone >> b & 1}
    return found[::-1]


__all__ = ["Hint", "State", "hint"]
