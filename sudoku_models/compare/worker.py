"""The program of a worker: takes runs from a pipe, one at a time, and answers each with its result.

Questions are an 8-byte length and a pickle, from the parent only; answers are an 8-byte length, a mark, and JSON, so
that nothing an engine writes is ever executed. The output of an engine is discarded. On Linux the kernel ends the
worker and its children when the parent dies.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import struct
import sys
from typing import TYPE_CHECKING, Any

from ..engine import tree
from ..engine import workers as processes
from ..engine.child import follow
from ..engine.record import Record
from ..engine.registry import Selection, select_for_comparing
from ..puzzle import Puzzle, Shape
from .asking import has_children, has_strays, loaded, measured, prepare, tried, used, with_phases

if TYPE_CHECKING:
    from ..puzzle.rules.rule_base import Rule

    Board = tuple[Shape, tuple[Rule, ...]]
    """What puzzles share: a shape and rules."""

HEADER = struct.Struct("<4sI")
MARK = b"run:"


def main() -> None:
    """Serve the parent until its end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    follow(int(os.environ[processes.INSIDE]))
    tree.adopt_orphans()
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1) if os.environ.get("SUDOKU_MODELS_LOUD") else (0, 1, 2):
        os.dup2(nowhere, fd)
    worker = _Worker()
    while header := inbox.read(HEADER.size):
        message = inbox.read(HEADER.unpack(header)[1])
        data = json.dumps(worker.answer(message)).encode()
        _write(outbox, HEADER.pack(MARK, len(data)) + data)


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


class _Worker:
    """Keeps what it was sent: the engine's specification, and the boards by number."""

    def __init__(self) -> None:
        self.spec: Any = None
        self.selection: Selection | None = None
        self.first: Puzzle | None = None
        self.boards: dict[int, Board] = {}

    def answer(self, message: bytes) -> dict[str, Any]:
        """Carry out a message and return the result; nothing is raised."""
        try:
            kind, *content = pickle.loads(message)
            fields = getattr(self, f"on_{kind}")(*content)
            return {**fields, "total": used(), "children": has_children(), "strays": has_strays()}
        except MemoryError:
            return {
                "status": "out of memory",
                "reason": "the comparison's own process ran out of memory beside the engine",
            }
        except Exception as error:
            return {"status": "error", "reason": f"{type(error).__name__}: {error}"}

    def on_hello(self, spec: Any, warm: bool) -> dict[str, Any]:
        """Receive the engine to run; load it, by compiling a board, if the runs are to be warm."""
        self.spec = spec
        if warm:
            self.selection = select_for_comparing(spec)
            self.first = loaded(self.selection)
        return {}

    def on_try(self, time_limit: float | None) -> dict[str, Any]:
        """Solve a first small puzzle."""
        assert self.selection and self.first
        tried(self.first, self.selection, time_limit)
        _settle()
        return {}

    def on_board(self, number: int, board: Board, warm: bool) -> dict[str, Any]:
        """Receive a board; compile it if the runs are to be warm."""
        self.boards[number] = board
        if warm:
            shape, rules = board
            prepare(Puzzle.empty(shape).with_rules(*rules), select_for_comparing(self.spec))
            _settle()
        return {}

    def on_run(self, number: int, fields: dict[str, Any], question: Any) -> dict[str, Any]:
        """Run once; if nothing was loaded before, loading is a phase of the run."""
        record = Record()
        if self.selection is None:
            watch = record.stopwatch()
            self.selection = select_for_comparing(self.spec)
            watch.lap("load")
        shape, rules = self.boards[number]
        puzzle = Puzzle(shape, rules=rules, **fields)
        return with_phases(measured(puzzle, self.selection, question), record)


def _settle() -> None:
    """Exclude permanent objects from garbage collection, so that no measured run includes scanning them."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("this program takes no arguments: it serves its parent process")
    main()
