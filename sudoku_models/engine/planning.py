"""From a model to one in terms of what a backend, or a format, can state."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import Unsupported
from ..lowering import Lowered, lower
from ..model import Model
from .capabilities import Capabilities


def planned(
    model: Model, capabilities: Capabilities, target: str, check: Callable[[], object] | None = None
) -> Lowered:
    """Return the model in terms of these capabilities; ``target`` names what has them, in the Unsupported raised.

    ``check`` is called on the way, and what it raises ends the work.
    """
    taken = capabilities.kinds
    lowered = lower(model, taken, capabilities.accepts, target, check, capabilities.adds, capabilities.doubted)
    reason = capabilities.accepts_whole(lowered.model)  # each constraint was asked about when it was lowered
    if reason:
        raise Unsupported(f"{target} does not take this model: {reason}")
    return lowered
