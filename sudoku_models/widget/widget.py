"""The interactive grid: its state in Python, shared with the page by traits."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import anywidget
import traitlets

from ..display import picture
from ..engine import listings
from ..errors import LimitReached, SudokuModelsError
from ..explain import Hint, hint
from ..puzzle import Grid, Puzzle, Shape
from ..verbs.results import Result, Status
from ..verbs.solving import candidates, solve
from ..verbs.task import LimitKeywords, Problem, as_puzzle
from .marks import clashing, house_candidates
from .watch import View, Watch

HERE = Path(__file__).parent
MARKS = ("none", "houses", "solutions")
PATIENCE = 2.0
"""Seconds for the candidates of all solutions."""
THINKING = 10.0
"""Seconds for a hint."""


class SudokuWidget(anywidget.AnyWidget):
    """A grid to type into, to see candidates and clashes in, and to watch a backend search in.

    ``puzzle`` is what is to be solved; assign a Puzzle, a Grid, text or an array. ``values`` are the cells as they
    stand, givens and entries (None: open). ``candidates`` maps each open cell to its values left: those that its
    houses leave, or with ``marks="solutions"`` those that it has in some solution. ``clashes`` names the cells that
    contradict a rule. With ``setting`` what is typed becomes a given. All can be observed.
    """

    _esm = HERE / "grid.js"
    _css = HERE / "grid.css"

    puzzle: Any = traitlets.Any(help="the puzzle")
    values: Any = traitlets.Tuple(help="the value of each cell, row by row; None: open").tag(sync=True)
    candidates: Any = traitlets.Dict(help="the values left to each open cell, by its name").tag(sync=True)
    clashes: Any = traitlets.Tuple(help="the names of cells that contradict a rule").tag(sync=True)
    marks: Any = traitlets.Enum(MARKS, "none", help="which candidates the page shows").tag(sync=True)
    setting: Any = traitlets.Bool(False, help="whether what is typed is a given").tag(sync=True)
    backend: Any = traitlets.Unicode("auto", help="which backend is watched").tag(sync=True)
    delay: Any = traitlets.Float(0.0, min=0.0, help="seconds after each decision of a watched search").tag(sync=True)
    _board: Any = traitlets.Dict().tag(sync=True)
    _given: Any = traitlets.Tuple().tag(sync=True)
    _backends: Any = traitlets.Tuple().tag(sync=True)
    _decisions: Any = traitlets.Tuple().tag(sync=True)
    _status: Any = traitlets.Dict({"text": "", "running": False, "failed": False}).tag(sync=True)

    def __init__(self, puzzle: Problem | None = None, **traits: Any) -> None:
        """Show a puzzle; without one an empty 9x9 board, to be set."""
        self._watch: Watch | None = None
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
        found = hint(self.puzzle, state, cell=cell, time_limit=THINKING)
        self._say(str(found), failed=bool(found.wrong))
        return found

    def watch(self, backend: str | None = None) -> None:
        """Start a search that the page shows as it goes; this returns at once (see ``wait`` and ``stop``)."""
        self.stop()

        def show(view: View) -> None:
            if self._watch is watch:  # and not one that came after it
                self._show(view)

        self._watch = watch = Watch(self.puzzle, backend or self.backend, show, lambda: float(self.delay))
        self._thread = watch.start()

    def stop(self) -> None:
        """Stop a watched search. An engine that tells no decisions is left to its limit of time, unwatched."""
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
        """Empty the cells that are no givens; while givens are set, all."""
        self.values = (None,) * self.puzzle.shape.cells if self.setting else self.puzzle.givens
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
        if not isinstance(before, Puzzle) or (before.shape, before.rules) != (puzzle.shape, puzzle.rules):
            self._board = _drawn(puzzle)
        self._given = tuple(given is not None for given in puzzle.givens)
        self._decisions = ()
        if puzzle.givens != tuple(self.values):
            self.set_trait("values", puzzle.givens)
        self._look()

    @traitlets.observe("values")
    def _take_values(self, change: Any) -> None:
        values = change["new"]
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
        """Take what the page has changed; what cannot be is told there, and the page shows again what stands."""
        try:
            super().set_state(sync_data)
        except (traitlets.TraitError, ValueError, TypeError) as error:
            self._say(str(error), failed=True)
            self.send_state([name for name in sync_data if name in self.keys])

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Do what the page asks for; what is wrong with it is told there."""
        actions: dict[Any, Callable[[], None]] = {"watch": self.watch, "stop": self.stop, "clear": self.clear}
        actions["hint"] = lambda: self._hinted(content)
        actions["read"] = lambda: self._paste(content)
        try:
            known = isinstance(content, dict) and content.get("do") in list(actions)
            if not known:
                raise ValueError(f"{content!r} was asked for: one of {', '.join(actions)} is expected")
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
    }
