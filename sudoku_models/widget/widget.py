"""The interactive grid: its state in Python, shared with the page through traits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Unpack

import anywidget
import traitlets

from ..display.player import board_data, script, shades, style
from ..engine import listings
from ..errors import LimitReached, SudokuModelsError
from ..explain import Hint, Path, hint, path
from ..explain.paths import shown_steps
from ..model import AllDifferent, Domain
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.results import Result
from ..verbs.solving import candidates, solutions, solve
from ..verbs.task import LimitKeywords, Problem, as_puzzle
from .watch import SolvingWatch, View

MARKS = ("none", "houses", "solutions")
PATIENCE = 2.0
"""The time limit, in seconds, for the candidates of all solutions."""
THINKING = 10.0
"""The time limit, in seconds, for a hint, a path or two solutions."""
NAMED = 8
"""The largest number of differing cells that are named."""
COLOURS = 9
"""The number of colours; 0 means no colour."""

Values = Sequence[int | None]
"""A value for each cell of the grid, None if it is open."""
Marks = tuple[tuple[int, ...], ...]
State = tuple[Values, Values, Marks, Marks, tuple[int, ...]]
"""The givens and all entries, cell by cell: values, corner and centre marks, colours."""

ASKED = ("watch", "stop", "clear", "undo", "redo", "path", "leave_path", "two_solutions")
"""The methods that the page may call."""


class SudokuWidget(anywidget.AnyWidget):
    """A grid to solve by hand, with values, marks, colours and undo, hints and paths, and a view of a backend's search.

    ``puzzle`` is the puzzle to solve; assign a Puzzle, a Grid, text or an array. ``values`` are the current values of
    the cells, givens and entries (None: open). ``candidates`` maps each open cell to its remaining values: those that
    its houses leave, or with ``marks="solutions"`` those that it takes in some solution. ``clashes`` names the cells
    that contradict a rule. With ``setting``, typed values become givens; with ``assume_unique``, hints and paths may
    assume a unique solution. ``corners``, ``centres`` and ``colours`` are the player's marks. ``step`` is the number of
    the path step being shown. All of them can be observed.
    """

    _esm = script()
    _css = style()

    puzzle: Any = traitlets.Any(help="the puzzle")
    values: Any = traitlets.Tuple(help="the value of each cell, row by row; None: open").tag(sync=True)
    candidates: Any = traitlets.Dict(help="the values left to each open cell, by its name").tag(sync=True)
    clashes: Any = traitlets.Tuple(help="the names of cells that contradict a rule").tag(sync=True)
    marks: Any = traitlets.Enum(MARKS, "none", help="which candidates the page shows").tag(sync=True)
    setting: Any = traitlets.Bool(False, help="whether what is typed is a given").tag(sync=True)
    assume_unique: Any = traitlets.Bool(False, help="whether steps may assume one solution").tag(sync=True)
    backend: Any = traitlets.Unicode("auto", help="which backend is watched").tag(sync=True)
    delay: Any = traitlets.Float(0.0, min=0.0, help="seconds after each decision of a watched search").tag(sync=True)
    step: Any = traitlets.Int(0, min=0, help="which step of a path is shown, from 0").tag(sync=True)
    corners: Any = traitlets.Tuple(help="the player's marks in the corners of each cell, row by row").tag(sync=True)
    centres: Any = traitlets.Tuple(help="the player's marks in the middle of each cell").tag(sync=True)
    colours: Any = traitlets.Tuple(help="the colour of each cell, 1 to 9; 0: none").tag(sync=True)
    _travels: Any = traitlets.Tuple((False, False)).tag(sync=True)
    _path: Any = traitlets.Dict().tag(sync=True)
    _found: Any = traitlets.Tuple().tag(sync=True)
    _board: Any = traitlets.Dict().tag(sync=True)
    _given: Any = traitlets.Tuple().tag(sync=True)
    _backends: Any = traitlets.Tuple().tag(sync=True)
    _decisions: Any = traitlets.Tuple().tag(sync=True)
    _shaded: Any = traitlets.Dict().tag(sync=True)
    _status: Any = traitlets.Dict({"text": "", "running": False, "failed": False}).tag(sync=True)

    _history: Sequence[State] = ()  # while it is empty, nothing is remembered
    _at = 0

    def __init__(self, puzzle: Problem | None = None, **traits: Any) -> None:
        """Show a puzzle, or an empty 9x9 board on which to set one."""
        self._watch: SolvingWatch | None = None
        self._thread: Any = None
        usable = [listing.name for listing in listings() if listing.backend and not listing.problem]
        started = Puzzle.empty(Shape.square(9)) if puzzle is None else puzzle
        super().__init__(puzzle=started, _backends=("auto", *usable), **{"setting": puzzle is None, **traits})
        self.on_msg(self._heard)

    @property
    def grid(self) -> Grid:
        """The values as a Grid."""
        return Grid(self.puzzle.shape, self.values)

    def solve(self, backend: str | None = None, *, unique: bool = True, **limits: Unpack[LimitKeywords]) -> Result:
        """Solve the puzzle from its givens, replace the entries by the solution, and return the Result."""
        self.stop()
        result = solve(self.puzzle, backend or self.backend, unique=unique, **limits)
        if result.grid:
            self.values = result.grid.values
        self._say(f"{result.record.backend}: {str(result).partition(chr(10))[0]}")
        return result

    def hint(self, cell: str | None = None) -> Hint:
        """Show and return the easiest next step from the current entries, with its reason, or the steps to a cell.

        A wrong entry is reported first. A request that takes more than ``THINKING`` seconds is given up.
        """
        self.stop()
        pairs = zip(self.puzzle.shape.names, self.values, self.puzzle.givens, strict=True)
        state = {name: value for name, value, given in pairs if value is not None and given is None}
        found = hint(self.puzzle, state, cell=cell, time_limit=THINKING, assume_unique=self.assume_unique)
        self._say(str(found), failed=bool(found.wrong))
        self._shaded = shades(self.puzzle, found.to_json()["steps"])
        return found

    def path(self) -> Path:
        """Show the path from the current entries, step by step, and return it.

        The page moves forward and back through it, and shows the reason for a step on request. If there is a wrong
        entry, the page names it as ``hint`` does. A path that takes more than ``THINKING`` seconds ends there.
        """
        self.stop()
        board = replace(self.puzzle, givens=self.values)
        way = path(board, time_limit=THINKING, assume_unique=self.assume_unique)
        if way.end == "contradiction" and self.values != self.puzzle.givens:
            self.hint()
            return way
        way.ladder.limit(THINKING)
        with self.hold_sync():
            self.step = 0
            self._path = shown_steps(way, board)
            self._say("" if way.stages else f"There is no step: {way.end}.")
        return way

    def leave_path(self) -> None:
        """Leave the path and show the entries again."""
        self._path = {}

    def two_solutions(self) -> tuple[Grid, ...]:
        """Show two solutions of the puzzle (from its givens only) side by side; return up to two solutions."""
        self.stop()
        with closing(solutions(self.puzzle, limit=2, time_limit=THINKING)) as run:
            found = tuple(run)
        self._found = tuple(grid.values for grid in found)
        self._say(_differences(found) if len(found) == 2 else _known_of(found, run.outcome.complete))
        return found

    def watch(self, backend: str | None = None) -> None:
        """Start a search that the page shows as it runs; this returns immediately (see ``wait`` and ``stop``)."""
        self.stop()

        def show(view: View) -> None:
            if self._watch is watch:  # and not one that came after it
                self._show(view)

        self._watch = watch = SolvingWatch(self.puzzle, backend or self.backend, show, lambda: float(self.delay))
        self._thread = watch.start()

    def stop(self) -> None:
        """Stop a watched search, or leave a path. An engine that reports no decisions continues to its limit."""
        self._path = {}
        watch, self._watch = self._watch, None
        if watch:
            watch.stop()
            with self.hold_sync():
                self._decisions = ()
                self._say(watch.stopped())

    def wait(self, timeout: float | None = None) -> None:
        """Wait until a watched search has ended, but at most ``timeout`` seconds."""
        if self._thread:
            self._thread.join(timeout)

    def clear(self) -> None:
        """Clear all cells except the givens (while setting, these too), and all marks and colours."""
        self.stop()
        with self.hold_trait_notifications():
            self.values = (None,) * self.puzzle.shape.cells if self.setting else self.puzzle.givens
            self._unmark()
        self._say("")

    def _unmark(self) -> None:
        cells = self.puzzle.shape.cells
        self.corners, self.centres, self.colours = ((),) * cells, ((),) * cells, (0,) * cells

    # ---- undo and redo

    def undo(self) -> None:
        """Undo the last change of values, marks or colours, if there is one."""
        self._travel(self._at - 1)

    def redo(self) -> None:
        """Redo the last undone change, if there is one."""
        self._travel(self._at + 1)

    def _travel(self, to: int) -> None:
        """Show a state of the history, including givens, which change while a puzzle is being set."""
        history = self._history
        if not 0 <= to < len(history):
            return
        self._history, (givens, values, *marks) = (), history[to]
        if givens != self.puzzle.givens:
            self.puzzle = replace(self.puzzle, givens=givens)
        with self.hold_trait_notifications():
            self.values = values
            self.corners, self.centres, self.colours = marks
        self._keep(history, to)

    def _begin(self) -> None:
        """Start again without marks, colours and history."""
        self._history = ()
        self._unmark()
        self._keep([self._state()], 0)

    def _state(self) -> State:
        givens = tuple(self.values) if self.setting else self.puzzle.givens
        return givens, tuple(self.values), self.corners, self.centres, self.colours

    def _keep(self, history: Sequence[State], at: int) -> None:
        self._history, self._at = history, at
        self._travels = at > 0, at + 1 < len(history)

    @traitlets.observe("values", "corners", "centres", "colours")
    def _remember(self, _: Any) -> None:
        """Record the state, if it differs from the last one; states for redo are discarded."""
        whole = len(self.values) == len(self.corners) == self.puzzle.shape.cells
        if self._history and whole and (now := self._state()) != self._history[self._at]:
            self._keep([*self._history[: self._at + 1], now], self._at + 1)

    # ---- what the page and the user may change

    @traitlets.validate("puzzle")
    def _read(self, proposal: Any) -> Puzzle:
        return as_puzzle(proposal["value"])

    @traitlets.validate("values")
    def _check_values(self, proposal: Any) -> tuple[int | None, ...]:
        shape, values = self.puzzle.shape, tuple(proposal["value"])
        if len(values) != shape.cells or not all(isinstance(v, Hashable) and v in shape.contents for v in values):
            span = f"{shape.values[0]} to {shape.values[-1]}"
            raise traitlets.TraitError(f"values: {shape.cells} are expected, each None or from {span}")
        changed = any(given not in (None, value) for given, value in zip(self.puzzle.givens, values, strict=True))
        if changed and not self.setting:
            raise traitlets.TraitError("values: a given cannot be changed unless setting is True")
        return values

    @traitlets.validate("corners", "centres")
    def _check_marks(self, proposal: Any) -> Marks:
        shape, given = self.puzzle.shape, _listed(proposal["value"])
        rows = [_listed(row, default=("none",)) for row in given]
        if len(given) != shape.cells or not all(type(v) is int and v in shape.values for row in rows for v in row):
            span = f"each of values from {shape.values[0]} to {shape.values[-1]}"
            raise traitlets.TraitError(f"{proposal['trait'].name}: {shape.cells} lists are expected, {span}")
        return tuple(tuple(sorted(set(row))) for row in rows)

    @traitlets.validate("colours")
    def _check_colours(self, proposal: Any) -> tuple[int, ...]:
        cells, given = self.puzzle.shape.cells, _listed(proposal["value"])
        if len(given) != cells or not all(type(colour) is int and 0 <= colour <= COLOURS for colour in given):
            raise traitlets.TraitError(f"colours: {cells} numbers from 0 (none) to {COLOURS} are expected")
        return given

    @traitlets.observe("puzzle")
    def _show_puzzle(self, change: Any) -> None:
        puzzle, before = change["new"], change["old"]
        other = not isinstance(before, Puzzle) or (before.shape, before.rules) != (puzzle.shape, puzzle.rules)
        if other:
            self._board = board_data(puzzle)
        self._given = tuple(given is not None for given in puzzle.givens)
        self._decisions = self._found = ()
        self._path = {}
        typed = puzzle.givens == tuple(self.values)
        if not typed:
            self.set_trait("values", puzzle.givens)
        if other or (self._history and not typed):
            self._begin()
        self._look()

    @traitlets.observe("values")
    def _take_values(self, change: Any) -> None:
        values = change["new"]
        self._path = self._shaded = {}
        if self.setting and values != self.puzzle.givens:
            self.puzzle = replace(self.puzzle, givens=values)
        else:
            self._look()

    @traitlets.observe("marks")
    def _look(self, _: Any = None) -> None:
        """Find the cells that clash, and the values left to open cells."""
        if len(self.values) != self.puzzle.shape.cells:
            return
        self.clashes = clashing(self.puzzle, self.values)
        found = house_candidates(self.puzzle, self.values)
        if self.marks == "solutions":
            found = {**found, **self._settled()}
        self.candidates = {name: list(domain) for name, domain in found.items()}

    def _settled(self) -> dict[str, tuple[int, ...]]:
        """Return the values that open cells take in some solution, or nothing if that takes too long."""
        board = replace(self.puzzle, givens=self.values)
        try:
            found = candidates(board, time_limit=PATIENCE)
        except LimitReached:
            self._say(f"the candidates of all solutions take more than {PATIENCE:g} s, so those of houses are shown")
            return {}
        names = board.shape.names
        return {name: found[name] for name, value in zip(names, self.values, strict=True) if value is None}

    def set_state(self, sync_data: Any) -> None:
        """Apply changes from the page; report invalid ones there, and show the current state again."""
        try:
            super().set_state(sync_data)
        except (traitlets.TraitError, ValueError, TypeError) as error:
            self._say(str(error), failed=True)
            self.send_state([name for name in sync_data if name in self.keys])

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Perform an action for the page; report an error there."""
        actions: dict[Any, Callable[[], Any]] = {name: getattr(self, name) for name in ASKED}
        actions["hint"] = lambda: self.hint(cell if isinstance(cell := content.get("cell"), str) else None)
        actions["read"] = lambda: self._paste(content)
        try:
            known = isinstance(content, dict) and content.get("do") in list(actions)
            if not known:
                raise ValueError(f"{content!r} is not an action: one of {', '.join(actions)} is expected")
            actions[content["do"]]()
        except (SudokuModelsError, ValueError, TypeError, traitlets.TraitError) as error:
            self._say(str(error), failed=True)

    def _paste(self, content: Any) -> None:
        self.stop()
        self.puzzle = str(content.get("text", ""))
        self._say(f"read: {self.puzzle.shape}, {self.puzzle.clues} givens")

    def close(self) -> None:
        """Stop what is running and close the widget."""
        if self._watch:
            self._watch.stop()
        super().close()

    def _show(self, view: View) -> None:
        """Show a moment of the watched search; called from its thread."""
        with self.hold_sync():
            if view.solution and not view.running and view.solution.shape == self.puzzle.shape:
                self.set_trait("values", view.solution.values)
            place = self.puzzle.shape.names
            self._decisions = tuple([name, value] for name, value in view.decisions if name in place)
            self._status = {"text": view.text, "running": view.running, "failed": view.failed}
        if not view.running:
            self._watch = None

    def _say(self, text: str, *, failed: bool = False) -> None:
        self._status = {"text": text, "running": False, "failed": failed}
        self._shaded = {}


def _listed(value: object, default: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return what a page sent as a list; something else for anything that is none."""
    return tuple(value) if isinstance(value, list | tuple) else default


def _differences(found: tuple[Grid, ...]) -> str:
    """Describe the cells in which two solutions differ."""
    one, two = found
    cells = [f"{name} ({one[name]} or {two[name]})" for name in one.shape.names if one[name] != two[name]]
    more = f" and {len(cells) - NAMED} more" if len(cells) > NAMED else ""
    return f"Two solutions. They differ in {', '.join(cells[:NAMED])}{more}."


def _known_of(found: tuple[Grid, ...], complete: bool) -> str:
    """Describe what is known if fewer than two solutions were found."""
    if complete:
        return "This is the only solution." if found else "There is no solution."
    return f"{'One solution was' if found else 'No solution was'} found in {THINKING:g} s; there may be others."


# ---- quick checks of a partly filled board


def house_candidates(puzzle: Puzzle, values: Values) -> dict[str, Domain]:
    """Return, for each open cell, the values of no cell from which it must differ: plain pencil marks.

    This includes houses and variant rules by which cells differ (diagonals, cages).
    """
    held = _held(puzzle, values)
    taken: dict[str, set[int]] = defaultdict(set)
    for constraint in puzzle.structure.constraints:
        if isinstance(constraint, AllDifferent):
            found = {held[name] for name in constraint.xs if name in held}
            for name in constraint.xs:
                taken[name] |= found
    narrow = {puzzle.shape.names[cell]: domain for cell, domain in puzzle.candidates}
    every = puzzle.shape.values
    return {
        name: tuple(value for value in narrow.get(name, every) if value not in taken[name])
        for name in puzzle.shape.names
        if name not in held
    }


def clashing(puzzle: Puzzle, values: Values) -> tuple[str, ...]:
    """Return the filled cells that contradict a constraint: equal cells that must differ, an exceeded sum, ..."""
    held, found = _held(puzzle, values), set[str]()
    domains = {**puzzle.structure.domains, **{name: (value,) for name, value in held.items()}}
    for constraint in puzzle.structure.constraints:
        filled = [name for name in constraint.scope if name in held]
        if isinstance(constraint, AllDifferent):
            often = Counter(held[name] for name in filled)
            found.update(name for name in filled if often[held[name]] > 1)
        elif filled and not constraint.possible(domains):
            found.update(filled)
    return tuple(name for name in puzzle.shape.names if name in found)


def _held(puzzle: Puzzle, values: Values) -> dict[str, int]:
    pairs = zip(puzzle.shape.names, values, strict=True)
    return {name: value for name, value in pairs if value is not None}
