"""A backend that accepts fewer kinds of constraint than the one inside, so that lowering has work to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..engine.contract import Capabilities, Compiled
from ..engine.registry import BackendLike, select
from ..model import Constraint, Model


class Wrapper:
    """Passes everything on to the backend inside, whose options are fixed. Subclasses change what they are about."""

    def __init__(self, inner: BackendLike) -> None:
        self.inner = select(inner)
        self.name = f"{type(self).__name__.lower()}-{self.inner}"

    @property
    def Options(self) -> type:  # noqa: N802
        """The options of the backend inside."""
        return self.inner.backend.Options

    @property
    def capabilities(self) -> Capabilities:
        """Those of the backend inside."""
        return self.inner.capabilities

    def capabilities_with(self, options: Any) -> Capabilities:
        """The same for all options: they were fixed when the wrapper was made."""
        return self.capabilities

    def compile(self, model: Model, options: Any) -> Compiled:
        """Compile with the backend inside and its own options."""
        return self.inner.backend.compile(model, self.inner.options)


class Restricted(Wrapper):
    """The backend inside, taking only ``kinds``."""

    def __init__(self, inner: BackendLike, kinds: Iterable[type[Constraint]]) -> None:
        super().__init__(inner)
        self.kinds = frozenset(kinds)
        self.name += "-" + "-".join(sorted(kind.__name__ for kind in self.kinds))

    @property
    def capabilities(self) -> Capabilities:
        """Those of the backend inside, for fewer kinds."""
        return replace(self.inner.capabilities, kinds=self.kinds & self.inner.capabilities.kinds)
