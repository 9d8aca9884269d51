"""What the programs say: instantiations in XML on lines that begin with ``v``, and a status on one with ``s``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sudoku_models.engine.program import Program
from sudoku_models.engine.record import Clock, OutOfMemory
from sudoku_models.errors import BackendFailed

COMPLETE = frozenset({"UNSATISFIABLE", "OPTIMUM FOUND"})
"""Statuses that end a search with nothing left to find."""

CUT_SHORT = ("INCOMPLETE EXPLORATION", "Unexpected resolution interruption")
"""What a line says after a search of all solutions that did not come to its end."""

CONTRADICTION = "Constraint with only conflicts"
"""What ACE says of a constraint that never holds, before it gives up: the answer is known then."""

NO_MEMORY = ("OutOfMemoryError", "Could not reserve", "insufficient memory", "Not enough space", "unable to create")
"""Words of Java when it got no more memory."""

_INSTANTIATION = re.compile(r"<list>\s*(.*?)\s*</list>\s*<values>\s*(.*?)\s*</values>", re.DOTALL)


@dataclass
class Instantiations:
    """The instantiations that a program prints; ``complete`` afterwards: it is proved that there are no further ones.

    ``all_asked``: all solutions were asked for, so that a search which was not cut short found them. ``again``: what
    comes after the status is new too (Choco tells the best solution only there), else it repeats the last one.
    """

    process: Program
    clock: Clock
    all_asked: bool
    again: bool
    complete: bool = False

    def __iter__(self) -> Iterator[dict[str, int]]:
        """Yield the values of each solution by identifier.

        OutOfTime, OutOfMemory, or BackendFailed with the program's words when it fails.
        """
        status, text, cut = "", "", False
        for line in (raw.decode(errors="replace").strip() for raw in self.process.lines(self.clock)):
            if line.startswith("s "):
                status = line[2:].strip()
            elif line.startswith("v"):
                text += line[1:]
                if "</instantiation>" in text:
                    if not status or self.again:
                        yield _values(text)
                    text = ""
            cut = cut or any(word in line for word in CUT_SHORT)
        self._end(status, cut)

    def _end(self, status: str, cut: bool) -> None:
        found = status in COMPLETE or (self.all_asked and status == "SATISFIABLE")
        remarks = self.process.remarks()
        if CONTRADICTION in remarks:
            found, cut = True, False
        elif cut or status in ("", "UNKNOWN", "UNSUPPORTED"):
            if any(word in remarks for word in NO_MEMORY):
                raise OutOfMemory
            if status != "SATISFIABLE":
                raise BackendFailed(remarks[:500] or f"the program ended with {status or 'no answer'}")
        self.complete = found and not cut


def _values(text: str) -> dict[str, int]:
    found = _INSTANTIATION.search(text)
    names, values = (found[1].split(), found[2].split()) if found else ([], [""])
    if len(names) != len(values):
        raise BackendFailed(f"an instantiation was expected, but the program printed {text[:200]!r}")
    return {name: int(value) for name, value in zip(names, values, strict=True)}
