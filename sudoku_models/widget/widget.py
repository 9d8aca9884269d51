"""The interactive grid: its state in Python, shared with the page by traits."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import replace
from pathlib import Path as File
from typing import Any, Unpack

import anywidget
import traitlets

from ..display import picture
from ..engine import listings
from ..errors import LimitReached, SudokuModelsError
from ..explain import Hint, Path, hint, path
from ..explain.page import shown_steps
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.results import Result, Status
from ..verbs.solving import candidates, solutions, solve
from ..verbs.task import LimitKeywords, Problem, as_puzzle
from .glance import clashing, house_candidates
from .player import Player, unmarked
from .watch import SolvingWatch, View

HERE = File(__file__).parent
PARTS = ("drawing.js", "tools.js", "keys.js", "grid.js")
"""The files of the page's side, which are joined: a notebook loads one module."""
MARKS = ("none", "houses", "solutions")
PATIENCE = 2.0
"""Seconds for the candidates of all solutions."""
THINKING = 10.0
"""Seconds for a hint, a path, two solutions."""
NAMED = 8
"""The most cells that are named where two solutions differ."""


ASKED = ("watch", "stop", "clear", "undo", "redo", "path", "leave_path", "two_solutions")
"""What the page asks for by the name of the method."""


class SudokuWidget(Player, anywidget.AnyWidget):
    """A grid to solve in by hand: values, marks, colours, undo; hints and paths; a backend's search to watch.

    ``puzzle`` is what is to be solved; assign a Puzzle, a Grid, text or an array. ``values`` are the cells as they
    stand, givens and entries (None: open). ``candidates`` maps each open cell to its values left: those that its
    houses leave, or with ``marks="solutions"`` those that it has in some solution. ``clashes`` names the cells that
    contradict a rule. With ``setting`` what is typed becomes a given; with ``assume_unique`` hints and paths may argue
    that there is one solution. ``corners``, ``centres`` and ``colours`` are what the player marks. ``step`` is the
    number of the step that is shown of a path. All can be observed.
    """

    _esm = "\n".join((HERE / part).read_text(encoding="utf-8") for part in PARTS)
    _css = HERE / "grid.css"

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
    _path: Any = traitlets.Dict().tag(sync=True)
    _found: Any = traitlets.Tuple().tag(sync=True)
    _board: Any = traitlets.Dict().tag(sync=True)
    _given: Any = traitlets.Tuple().tag(sync=True)
    _backends: Any = traitlets.Tuple().tag(sync=True)
    _decisions: Any = traitlets.Tuple().tag(sync=True)
    _status: Any = traitlets.Dict({"text": "", "running": False, "failed": False}).tag(sync=True)

    def __init__(self, puzzle: Problem | None = None, **traits: Any) -> None:
        """Show a puzzle; without one an empty 9x9 board, to be set."""
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
        """Solve the puzzle (its givens; entries are replaced), show the solution and return the Result."""
        self.stop()
        result = solve(self.puzzle, backend or self.backend, unique=unique, **limits)
        if result.grid:
            self.values = result.grid.values
        others = {True: ", the only one", False: ", not the only one", None: ""}[result.unique]
        text = f"solved{others}" if result.status is Status.SOLVED else f"{result.status} {result.reason}".strip()
        self._say(f"{result.record.backend}: {text}")
        return result

    def hint(self, cell: str | None = None) -> Hint:
        """Show the cheapest next step from what is written in, with its reason, and return it; or what leads to a cell.

        A wrong entry is named first. A wish that takes more than ``THINKING`` seconds is given up.
        """
        self.stop()
        pairs = zip(self.puzzle.shape.names, self.values, self.puzzle.givens, strict=True)
        state = {name: value for name, value, given in pairs if value is not None and given is None}
        found = hint(self.puzzle, state, cell=cell, time_limit=THINKING, assume_unique=self.assume_unique)
        self._say(str(found), failed=bool(found.wrong))
        return found

    def path(self) -> Path:
        """Show the way on from what is written in, step by step, and return it.

        The page steps forward and back through it and shows the reason of a step when asked. Where a wrong entry is in
        the way, the page names it as ``hint`` does. A path that takes more than ``THINKING`` seconds ends there.
        """
        self.stop()
        board = replace(self.puzzle, givens=self.values)
        way = path(board, time_limit=THINKING, assume_unique=self.assume_unique)
        if way.end == "contradiction" and self.values != self.puzzle.givens:
            self.hint()
            return way
        with self.hold_sync():
            self.step = 0
            self._path = shown_steps(way, board)
            self._say("" if way.stages else f"There is no step: {way.end}.")
        return way

    def leave_path(self) -> None:
        """Show what is written in again, and no path."""
        self._path = {}

    def two_solutions(self) -> tuple[Grid, ...]:
        """Show two solutions of the puzzle (its givens alone) side by side; return them, or the one, or none."""
        self.stop()
        with closing(solutions(self.puzzle, limit=2, time_limit=THINKING)) as run:
            found = tuple(run)
        self._found = tuple(grid.values for grid in found)
        self._say(_differences(found) if len(found) == 2 else _known_of(found, run.outcome.complete))
        return found

    def watch(self, backend: str | None = None) -> None:
        """Start a search that the page shows as it goes; this returns at once (see ``wait`` and ``stop``)."""
        self.stop()

        def show(view: View) -> None:
            if self._watch is watch:  # and not one that came after it
                self._show(view)

        self._watch = watch = SolvingWatch(self.puzzle, backend or self.backend, show, lambda: float(self.delay))
        self._thread = watch.start()

    def stop(self) -> None:
        """Stop a watched search, leave a path. An engine that shows no decisions goes on, unwatched, to its limit."""
        self._path = {}
        watch, self._watch = self._watch, None
        if watch:
            watch.stop()
            with self.hold_sync():
                self._decisions = ()
                self._say(watch.stopped())

    def wait(self, timeout: float | None = None) -> None:
        """Wait until a watched search has ended, ``timeout`` seconds at most."""
        if self._thread:
            self._thread.join(timeout)

    def clear(self) -> None:
        """Empty all cells but the givens (while givens are set, these too); marks and colours go as well."""
        self.stop()
        with self.hold_trait_notifications():
            self.values = (None,) * self.puzzle.shape.cells if self.setting else self.puzzle.givens
            self.corners, self.centres, self.colours = unmarked(self.puzzle.shape.cells)
        self._say("")

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

    @traitlets.observe("puzzle")
    def _show_puzzle(self, change: Any) -> None:
        puzzle, before = change["new"], change["old"]
        other = not isinstance(before, Puzzle) or (before.shape, before.rules) != (puzzle.shape, puzzle.rules)
        if other:
            self._board = _drawn(puzzle)
        self._given = tuple(given is not None for given in puzzle.givens)
        self._decisions = self._found = ()
        self._path = {}
        typed = puzzle.givens == tuple(self.values)
        if not typed:
            self.set_trait("values", puzzle.givens)
        if other or not (typed or self._history is None):
            self._begin()
        self._look()

    @traitlets.observe("values")
    def _take_values(self, change: Any) -> None:
        values = change["new"]
        self._path = {}
        if self.setting and values != self.puzzle.givens:
            self.puzzle = replace(self.puzzle, givens=values)
        else:
            self._look()

    @traitlets.observe("marks")
    def _look(self, _: Any = None) -> None:
        """See which cells clash and what is left to the open ones."""
        if len(self.values) != self.puzzle.shape.cells:
            return
        self.clashes = clashing(self.puzzle, self.values)
        found = house_candidates(self.puzzle, self.values)
        if self.marks == "solutions":
            found = {**found, **self._settled()}
        self.candidates = {name: list(domain) for name, domain in found.items()}

    def _settled(self) -> dict[str, tuple[int, ...]]:
        """Return the values that open cells have in some solution; nothing when that takes too long."""
        board = replace(self.puzzle, givens=self.values)
        try:
            found = candidates(board, time_limit=PATIENCE)
        except LimitReached:
            self._say(f"the candidates of all solutions take more than {PATIENCE:g} s: those of houses are shown")
            return {}
        names = board.shape.names
        return {name: found[name] for name, value in zip(names, self.values, strict=True) if value is None}

    def set_state(self, sync_data: Any) -> None:
        """Take what the page has changed; report there what cannot be, and show the present state again."""
        try:
            super().set_state(sync_data)
        except (traitlets.TraitError, ValueError, TypeError) as error:
            self._say(str(error), failed=True)
            self.send_state([name for name in sync_data if name in self.keys])

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Do what the page asks for; an error is reported there."""
        actions: dict[Any, Callable[[], Any]] = {name: getattr(self, name) for name in ASKED}
        actions["hint"] = lambda: self._hinted(content)
        actions["read"] = lambda: self._paste(content)
        try:
            known = isinstance(content, dict) and content.get("do") in list(actions)
            if not known:
                raise ValueError(f"{content!r} is not an action: one of {', '.join(actions)} is expected")
            actions[content["do"]]()
        except (SudokuModelsError, ValueError, TypeError, traitlets.TraitError) as error:
            self._say(str(error), failed=True)

    def _hinted(self, content: Any) -> None:
        cell = content.get("cell")
        self.hint(cell if isinstance(cell, str) else None)

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


def _differences(found: tuple[Grid, ...]) -> str:
    """Say in which cells two solutions differ."""
    one, two = found
    cells = [f"{name} ({one[name]} or {two[name]})" for name in one.shape.names if one[name] != two[name]]
    more = f" and {len(cells) - NAMED} more" if len(cells) > NAMED else ""
    return f"Two solutions. They differ in {', '.join(cells[:NAMED])}{more}."


def _known_of(found: tuple[Grid, ...], complete: bool) -> str:
    """Say what is known where fewer than two solutions were found."""
    if complete:
        return "This is the only solution." if found else "There is no solution."
    return f"{'One solution was' if found else 'No solution was'} found in {THINKING:g} s; there may be others."


def _drawn(puzzle: Puzzle) -> dict[str, Any]:
    """Return what the page needs to draw the board: the picture below the digits, and the names of cells."""
    shape = puzzle.shape
    empty = replace(puzzle, givens=(None,) * shape.cells, candidates=())
    svg = picture(empty).svg
    box = re.search(r'viewBox="([^"]*)"', svg)
    assert box
    return {
        "svg": svg,
        "viewBox": box[1],
        "height": shape.height,
        "width": shape.width,
        "names": list(shape.names),
        "domain": list(shape.values),
        "unused": sorted(puzzle.grid.unused),
    }
