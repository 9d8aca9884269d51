"""The backend ``ace``: ACE, a solver by propagation and restarts, in Java."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sudoku_models.engine.contract import Capabilities, Feature, Request
from sudoku_models.model import Model

from . import java
from .backend import CompiledXcsp3
from .kinds import KINDS, NUMBERS, refuses, refuses_model
from .quirks import ACE

HEURISTICS = {"wdeg": "", "dom": "Dom", "first": "Lexico"}
"""Which variable the search takes next, by the program's names; it has one of its own by default."""

FLAGS = ("-xe", "-xc=false", "-npc", "-v=-1", "-ev", "-riv=false", "-omv=false", "-positive=V")
"""Print each solution on a line, and leave no variable out; some of its tables fail on domains of one value."""

SEEDS = 1 << 31


@dataclass(frozen=True)
class AceOptions:
    """``variables``: the search takes the one of most failures (``wdeg``), of fewest values, or the first one."""

    variables: str = field(default="wdeg", metadata={"choices": tuple(HEURISTICS)})


class Ace:
    """The backend ``ace``."""

    name = "ace"
    Options: type = AceOptions
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=(java.PACKAGE,),
        programs=(java.PROGRAM,),
        install=java.INSTALL,
        refuses=refuses,
        refuses_model=refuses_model,
        numbers=NUMBERS,
        quirks=ACE,
    )

    def capabilities_with(self, options: AceOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: AceOptions) -> CompiledAce:
        """Take a model that the capabilities accept; BackendMissing when the package has no such solver."""
        return CompiledAce(model, options)


BACKEND = Ace()


class CompiledAce(CompiledXcsp3):
    """A model for ACE."""

    told = "ace"

    def __init__(self, model: Model, options: AceOptions) -> None:
        super().__init__(model, options)
        self._jar = java.jar("ace/ACE-*.jar")

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar and the program's options; a seed makes its choices random."""
        heuristic = HEURISTICS[self.options.variables]
        found = ["-jar", self._jar, path, *FLAGS, f"-s={'all' if every else 1}"]
        if request.seed:
            return [*found, "-varh=Rand", "-valh=Rand", f"-seed={request.seed % SEEDS}"]
        return [*found, f"-varh={heuristic}"] if heuristic else found
