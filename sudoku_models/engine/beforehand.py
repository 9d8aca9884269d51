"""Choose an engine that answers a single question sooner than one that must first be compiled.

It is used only if the answer does not depend on which solution an engine finds: whether there is one, or only one.
"""

from __future__ import annotations

from contextlib import suppress

from ..errors import Unsupported
from ..model import Model
from .auto import choose
from .combined import RELAY
from .contract import CompiledOnUse, Feature
from .prepared import MODEST
from .registry import Selection

SECONDS = 2.0
"""How long such an engine may take: compiling takes about as long, once on each machine."""


def sooner(model: Model) -> Selection | None:
    """Return a backend for one question while the first engine of ``auto`` has not been compiled.

    None if nothing has to be compiled, and for models so large that stating them takes longer than compiling does.
    """
    if model.size > MODEST or model.objective:
        return None
    needs = frozenset({Feature.ENUMERATE})
    chosen = choose(model, needs).selection
    first = chosen.options.first if chosen.backend is RELAY else chosen
    if not isinstance(first.backend, CompiledOnUse) or first.backend.is_kept:
        return None
    with suppress(Unsupported):
        other = choose(model, needs, alone=True).selection
        return None if isinstance(other.backend, CompiledOnUse) else other
    return None
