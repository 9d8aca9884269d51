"""Rewrite a model into one that a backend, or a format, can state."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import Unsupported
from ..lowering import Lowered, lower
from ..model import Model
from .capabilities import Capabilities


def planned(
    model: Model, capabilities: Capabilities, target: str, check: Callable[[], object] | None = None
) -> Lowered:
    """Return the model rewritten for these capabilities; ``target`` names their owner in an Unsupported error.

    ``check`` is called during the work; an exception from it ends the work.
    """
    taken = capabilities.kinds
    lowered = lower(model, taken, capabilities.accepts, target, check, capabilities.adds, capabilities.doubted)
    reason = capabilities.accepts_whole(lowered.model)  # each constraint was checked when it was lowered
    if reason:
        raise Unsupported(f"{target} does not accept this model: {reason}")
    return lowered
