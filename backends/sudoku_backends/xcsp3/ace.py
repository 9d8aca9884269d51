"""The backend ``ace``: ACE, a solver by propagation and restarts, in Java."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_models.engine.contract import Feature, Request
from sudoku_models.model import Model

from .adapter import Xcsp3
from .backend import CompiledXcsp3
from .quirks import ACE

HEURISTICS = {"wdeg": "", "dom": "Dom", "first": "Lexico"}
"""The variable that the search takes next, by the program's names; ACE has its own default."""

FLAGS = ("-xe", "-xc=false", "-npc", "-v=-1", "-ev", "-riv=false", "-omv=false", "-positive=V")
"""Print each solution on a line, and leave no variable out; some of its tables fail on domains of one value."""

SEEDS = 1 << 31


class CompiledAce(CompiledXcsp3):
    """A model for ACE."""

    label = "ace"
    archive = "ace/ACE-*.jar"

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar and the program's options; a seed makes its choices random."""
        heuristic = HEURISTICS[self.options.variables]
        found = ["-jar", self.jar, path, *FLAGS, f"-s={'all' if every else 1}"]
        if request.seed:
            return [*found, "-varh=Rand", "-valh=Rand", f"-seed={request.seed % SEEDS}"]
        return [*found, f"-varh={heuristic}"] if heuristic else found


BACKEND = Xcsp3(CompiledAce, ACE, frozenset({Feature.SEED}))
