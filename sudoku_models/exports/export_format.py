"""The definition of a format: a target of the planner, like a backend, with a writer instead of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..engine.contract import Capabilities
from ..engine.road import planned
from ..errors import Unsupported
from ..model import Model
from ..model.model import TOO_DEEP
from .settle import settled

Piece = str | bytes
"""A part of the output; a format yields only text or only bytes."""


@dataclass(frozen=True)
class ExportFormat:
    """A file format for models: ``title`` says whose it is, ``capabilities`` what it can state.

    ``write`` takes a model in these terms, without empty domains and without constraints over nothing, and yields text
    in pieces that end with a line. The auxiliary variables of the lowering follow the stated ones.
    """

    name: str
    title: str
    capabilities: Capabilities
    write: Callable[[Model], Iterator[str]]

    def pieces(self, model: Model) -> Iterator[Piece]:
        """Yield a model as text; Unsupported, with the reason, if no rewrites lead to what the format can state."""
        lowered = planned(model, self.capabilities, f"the format {self.name}")
        return self._written(lowered.model)

    def _written(self, model: Model) -> Iterator[Piece]:
        try:
            yield from self.write(settled(model))
        except RecursionError:
            raise Unsupported(f"the format {self.name} does not accept this model: {TOO_DEEP}") from None
