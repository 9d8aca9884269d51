"""The backends ace and choco: one declaration, in which only the differences are stated separately."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.contract import Capabilities, Feature
from sudoku_models.engine.quirk import Quirk
from sudoku_models.model import Model

from . import java
from .backend import CompiledXcsp3
from .kinds import KINDS, NUMBERS, refuses, refuses_model

FEATURES = frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT})
"""What both can do."""


@dataclass(frozen=True)
class Xcsp3Options:
    """``variables``: the search takes the one of most failures (``wdeg``), of fewest values, or the first one."""

    variables: str = field(default="wdeg", metadata={"choices": ("wdeg", "dom", "first")})


class Xcsp3(BackendBase):
    """A backend in Java that reads XCSP3: its form of a model, its faults, and the features that only it has."""

    Options = Xcsp3Options

    def __init__(
        self, compiled: type[CompiledXcsp3], quirks: tuple[Quirk, ...], more: frozenset[Feature] = frozenset()
    ) -> None:
        self.name, self._compiled, self._quirks, self._more = compiled.label, compiled, quirks, more

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the solver can do, whatever its options."""
        return Capabilities(
            kinds=KINDS,
            features=FEATURES | self._more,
            requires=(java.PACKAGE,),
            programs=(java.PROGRAM,),
            install=java.INSTALL,
            refuses=refuses,
            refuses_model=refuses_model,
            numbers=NUMBERS,
            quirks=self._quirks,
        )

    def compile(self, model: Model, options: Xcsp3Options) -> CompiledXcsp3:
        """Take a model that the capabilities accept; raise BackendMissing if the package has no such solver."""
        return self._compiled(model, options)
