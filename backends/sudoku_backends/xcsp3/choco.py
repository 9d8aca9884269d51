"""The backend ``choco``: Choco, a solver by propagation, in Java."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sudoku_models.engine.contract import Capabilities, Feature, Request
from sudoku_models.model import Model

from . import java
from .backend import CompiledXcsp3
from .kinds import KINDS, NUMBERS, refuses, refuses_model
from .quirks import CHOCO

MAIN = "org.chocosolver.parser.xcsp.ChocoXCSP"

HEURISTICS = {"wdeg": "", "dom": "DOM", "first": "INPUT"}
"""Which variable the search takes next, by the program's names; it has one of its own by default."""


@dataclass(frozen=True)
class ChocoOptions:
    """``variables``: the search takes the one of most failures (``wdeg``), of fewest values, or the first one."""

    variables: str = field(default="wdeg", metadata={"choices": tuple(HEURISTICS)})


class Choco:
    """The backend ``choco``."""

    name = "choco"
    Options: type = ChocoOptions
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT}),
        requires=(java.PACKAGE,),
        programs=(java.PROGRAM,),
        install=java.INSTALL,
        refuses=refuses,
        refuses_model=refuses_model,
        numbers=NUMBERS,
        quirks=CHOCO,
    )

    def capabilities_with(self, options: ChocoOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: ChocoOptions) -> CompiledChoco:
        """Take a model that the capabilities accept; BackendMissing when the package has no such solver."""
        return CompiledChoco(model, options)


BACKEND = Choco()


class CompiledChoco(CompiledXcsp3):
    """A model for Choco."""

    told, late = "choco", True

    def __init__(self, model: Model, options: ChocoOptions) -> None:
        super().__init__(model, options)
        self._jar = java.jar("choco/choco-parsers-*.jar")

    def arguments(self, path: str, request: Request, model: Model, every: bool) -> Sequence[str]:
        """Return the jar, its class and the program's options."""
        heuristic = HEURISTICS[self.options.variables]
        found = ["-cp", self._jar, MAIN, *(["-a"] if every and not model.objective else [])]
        return [*found, *(["-f", "-varh", heuristic] if heuristic else []), path]
