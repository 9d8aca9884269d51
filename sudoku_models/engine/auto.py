"""Choose a backend when none is named.

Backends have a number, their preference (see ``registry.ranked``): the lowest is asked first, of those that are
installed, accept the model and declare what the question needs. The first one may have patience, a bounded amount of
work, after which the next one takes over. The choice depends on the problem, the question and what is installed, never
on what was solved before; so the same call gives the same answer, even if there are several solutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import NamedTuple

from ..errors import BackendMissing, BadOption, Unsupported
from ..lowering import reached
from ..model import AllDifferent, Constraint, InDomain, Model
from .budget import Budget, OutOfTime
from .combined import RELAY, Members
from .contract import Feature
from .registry import PATIENCE, Selection, declaring, installed, is_patient, ranked, select
from .road import plan, prepare

PATIENCE_ON_HOUSES = 100_000
"""The patience with houses alone: a hundredth of a second, which is what other engines need for them."""

PLANNING = 0.25
"""The share of a time limit that may be spent on lowering a model to see whether a backend accepts it."""


class Choice(NamedTuple):
    """A backend, and a function that says why it was chosen; it does not need the model."""

    selection: Selection
    explain: Callable[[], str]

    @property
    def reason(self) -> str:
        """Why the backend was chosen."""
        return self.explain()


def choose(model: Model, needs: frozenset[Feature] = frozenset(), budget: Budget | None = None) -> Choice:
    """Return the backend for a model that declares the features ``needs``; Unsupported if no installed one does.

    It is a relay, unless the first engine settles everything: the engines behind it are looked for when they are
    needed. If lowering the model takes too large a share of the ``budget``, the backend is taken without checking that
    it accepts the model.
    """
    found = model.memo.get(("auto", needs))
    if not isinstance(found, Choice):
        left = None if budget is None else budget.left
        with Budget(None if left is None else PLANNING * left) as clock:
            found = _choose(model, needs, None if left is None else clock.check)
            if not clock.expired:
                model.memo["auto", needs] = found
    return found


def _choose(model: Model, needs: frozenset[Feature], check: Callable[[], object] | None) -> Choice:
    passed: list[str] = []
    houses = _houses_alone(model)
    order = _order(needs, houses, bool(model.objective))
    able = _able(order, model, needs, PATIENCE_ON_HOUSES if houses else PATIENCE, check, passed)
    first = next(able, None)
    if first is None:
        raise Unsupported("no backend accepts this model: " + "; ".join(passed))
    why = partial(_reason, bool(model.objective), model.counts, order, passed, first)
    if Feature.BATCH in first.capabilities.features and not _patience(first) and loads(model, first):
        return Choice(first, why)  # it answers every question, and can be loaded: no other engine is needed
    return Choice(_relay(first, order[order.index(first.backend.name) + 1 :], needs, 2 if houses else 0), why)


@lru_cache(maxsize=64)
def _relay(first: Selection, rest: tuple[str, ...], needs: frozenset[Feature], alone: int) -> Selection:
    """Return the relay of a backend and those behind it that are installed: the same object for all models.

    With houses alone a SAT solver, which would begin anew in each turn, finds one or two solutions soonest; many come
    soonest in turns.
    """
    return Selection(RELAY, Members((first,), True, alone, lambda: tuple(installed(rest, needs))))


def _order(needs: frozenset[Feature], houses: bool, hasty: bool) -> tuple[str, ...]:
    """Return the names of backends in the order in which they are asked."""
    names = ranked(houses)
    if Feature.ENUMERATE in needs:  # engines with patience yield many solutions in blocks
        names = tuple(sorted(names, key=lambda name: not is_patient(name)))
    if hasty or Feature.TRACE in needs:
        names = tuple([name for name in names if not is_patient(name)])
    return names


def _able(
    order: Sequence[str],
    model: Model,
    needs: frozenset[Feature],
    patience: int,
    check: Callable[[], object] | None,
    passed: list[str],
) -> Iterator[Selection]:
    """Yield the backends that accept a model; say in ``passed`` why others do not."""
    for name in order:
        try:
            selection = declaring(name, needs, patience)
            possible = reached(selection.capabilities.kinds)
            if strange := [kind.__name__ for kind in model.counts if kind not in possible]:
                raise Unsupported(
                    f"it does not accept {strange[0]}"
                )  # found at once; planning would write the constraint out
            with suppress(OutOfTime):
                plan(model, selection, check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
        else:
            yield selection


def batch_backend(model: Model, alone: bool = False) -> Selection | None:
    """Return an installed backend that takes batches of a model as it is; None if there is none.

    ``alone``: also one that gives way to others where it is slow, as there are no others to ask.
    """
    for name in ranked():
        with suppress(BackendMissing, BadOption):
            selection = select(name)
            takes = selection.capabilities
            batches = Feature.BATCH in takes.features and (alone or not is_patient(name))
            if batches and takes.kinds >= model.kinds() and takes.accepts_model(model) is None:
                return selection
    return None


def loads(model: Model, selection: Selection) -> bool:
    """Load a backend's engine and compile a model for it; return whether the installed engine can be loaded at all."""
    try:
        prepare(model, selection)
    except (BackendMissing, Unsupported):  # that it takes the model is not known where time was up before its plan
        return False
    return True


def _patience(selection: Selection) -> int:
    return getattr(selection.options, "patience", 0)


def _houses_alone(model: Model) -> bool:
    return not model.objective and model.kinds() <= {AllDifferent, InDomain}


def _reason(
    improves: bool,
    counts: Mapping[type[Constraint], int],
    order: Sequence[str],
    passed: Sequence[str],
    first: Selection,
) -> str:
    """Return why a backend was chosen."""
    said = [f"the model has {_described(improves, counts)}; tried in the order {', '.join(order)}"]
    said += [f"not {reason}" for reason in passed]
    if patience := _patience(first):
        said.append(f"after {patience:,} looks at constraints without an answer, the next one takes over")
    return "; ".join(said)


def _described(improves: bool, counts: Mapping[type[Constraint], int]) -> str:
    """Describe what a model contains."""
    if improves:
        return "an objective"
    used = Counter(counts)
    houses = used.pop(AllDifferent, 0)
    used.pop(InDomain, None)
    others = ", ".join(f"{number} {name}" for name, number in sorted((kind.__name__, n) for kind, n in used.items()))
    if others:
        return f"{others} beside {houses} AllDifferent" if houses else others
    return f"nothing but {houses} AllDifferent"
