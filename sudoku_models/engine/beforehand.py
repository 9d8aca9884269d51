"""What answers a single question sooner than an engine that would have to be compiled first.

Where the answer does not depend on which solution an engine meets: whether there is one, or only one.
"""

from __future__ import annotations

from contextlib import suppress

from ..errors import Unsupported
from ..model import Model
from . import relay
from .auto import choose
from .contract import CompiledOnUse, Feature
from .place import MODEST
from .registry import Selection

SECONDS = 2.0
"""How long such an engine is asked: compiling takes about as long, once on a machine."""


def sooner(model: Model) -> Selection | None:
    """Return a backend for one question, while the code of the one that ``auto`` begins with has to be compiled.

    None where nothing has to be compiled, and for models so large that stating them takes longer than compiling does.
    """
    if model.size > MODEST or model.objective:
        return None
    needs = frozenset({Feature.ENUMERATE})
    chosen = choose(model, needs).selection
    first = chosen.options.first if chosen.backend is relay.BACKEND else chosen
    if not isinstance(first.backend, CompiledOnUse) or first.backend.is_kept:
        return None
    with suppress(Unsupported):
        other = choose(model, needs, alone=True).selection
        return None if isinstance(other.backend, CompiledOnUse) else other
    return None
