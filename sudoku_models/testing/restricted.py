"""A backend that accepts fewer kinds of constraint than the one inside, so that lowering has work to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..engine.contract import Capabilities
from ..engine.registry import BackendLike
from ..model import Constraint
from .wrapper import Wrapper


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
