"""The backend ``choco``: Choco, a solver by propagation, in Java."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_models.engine.contract import Request
from sudoku_models.model import Model

from .adapter import Xcsp3
from .backend import CompiledXcsp3
from .quirks import CHOCO

MAIN = "org.chocosolver.parser.xcsp.ChocoXCSP"

HEURISTICS = {"wdeg": "", "dom": "DOM", "first": "INPUT"}
"""The variable that the search takes next, by the program's names; Choco has its own default."""


class CompiledChoco(CompiledXcsp3):
    """A model for Choco."""

    label, late = "choco", True
    archive = "choco/choco-parsers-*.jar"

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar, its class and the program's options."""
        heuristic = HEURISTICS[self.options.variables]
        found = ["-cp", self.jar, MAIN, *(["-a"] if every and not model.objective else [])]
        return [*found, *(["-f", "-varh", heuristic] if heuristic else []), path]


BACKEND = Xcsp3(CompiledChoco, CHOCO)
