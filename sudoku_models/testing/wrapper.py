"""A backend around another one."""

from __future__ import annotations

from typing import Any

from ..engine.contract import Capabilities, Compiled
from ..engine.registry import BackendLike, select
from ..model import Model


class Wrapper:
    """Passes everything on to the backend inside, with fixed options. Subclasses change some members."""

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
