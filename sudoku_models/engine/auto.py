"""Which backend answers when none is named: the first that is installed and takes the model."""

from __future__ import annotations

from ..errors import BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, InDomain, Model
from .registry import Selection, select
from .road import plan

HOUSES = ("pycosat", "cp-sat", "python-constraint", "backtracking")
"""For models of houses alone, where a SAT solver with a small encoding is quickest to start and to answer."""

MIXED = ("cp-sat", "pycosat", "backtracking", "python-constraint")
"""For models with arithmetic."""


def choose(model: Model) -> Selection:
    """Return the backend for a model; Unsupported when no installed one takes it."""
    found = model.memo.get("auto")
    if not isinstance(found, Selection):
        found = model.memo["auto"] = _choose(model)
    return found


def _choose(model: Model) -> Selection:
    reasons = []
    for name in HOUSES if model.kinds() <= {AllDifferent, InDomain} and not model.objective else MIXED:
        try:
            selection = select(name)
            plan(model, selection)
        except (BackendMissing, BadOption, Unsupported) as error:
            reasons.append(f"{name}: {error}")
        else:
            return selection
    raise Unsupported("no backend takes this model: " + "; ".join(reasons))
