"""The plan: by which rewrites a model gets from what it uses to what a backend accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ..errors import Unsupported
from ..model import Constraint, Model
from . import connected, counting, differences, domains, house_sums, linear, logic, reading, selectors, tabulate
from .rewrite import Accepts, Rewrite, Scratch

_MODULES = (differences, domains, linear, reading, counting, connected, logic, selectors, tabulate)

REWRITES: tuple[Rewrite, ...] = tuple(rewrite for module in _MODULES for rewrite in module.REWRITES)
"""Every rewrite that a plan may take."""

ADDITIONS: Mapping[str, Callable[[Model], list[Constraint]]] = {house_sums.NAME: house_sums.house_sums}
"""What follows from several constraints together, by name: constraints that an engine may get beside those stated."""

UNREACHABLE = 1_000


Step = tuple[str, str, int]
"""A kind of constraint, what became of it, and how many times."""


@dataclass(frozen=True)
class Lowered:
    """A model in terms that a backend accepts.

    ``model`` has the stated variables first, then auxiliary ones. ``functional``: these are determined by the stated
    ones. ``steps`` counts what became of the constraints, by kind: "kept" or the name of a rewrite; before these
    come those that were added.
    """

    model: Model
    functional: bool
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        """Print the plan, a line for each kind and rewrite."""
        lines = [f"{count} x {kind}: {step}" for kind, step, count in self.steps]
        return "\n".join(lines or ["no constraints"])


def lower(
    model: Model,
    kinds: Iterable[type[Constraint]],
    accepts: Accepts,
    backend: str = "the backend",
    check: Callable[[], object] | None = None,
    adds: Iterable[str] = (),
) -> Lowered:
    """Rewrite what a backend does not accept by the cheapest chain of rewrites; the same model when it accepts all.

    ``kinds`` are the kinds that it takes, ``accepts`` its word on a single constraint. Raises Unsupported with the
    constraint and the reason when there is no chain. ``check`` is called on the way, and what it raises ends the work.
    ``adds`` names ADDITIONS: constraints that are implied by the model come to it first.
    """
    model, added = _with_additions(model, adds)
    if all(map(_accepted(accepts, check), model.constraints)):
        counts = Counter(map(type, model.constraints))
        return Lowered(model, True, (*added, *((kind.__name__, "kept", count) for kind, count in counts.items())))
    planner = _Planner(model, frozenset(kinds), accepts, backend)
    if check is not None:
        planner.scratch.check = check
    found = planner.lowered()
    return Lowered(found.model, found.functional, (*added, *found.steps))


def _with_additions(model: Model, names: Iterable[str]) -> tuple[Model, list[Step]]:
    """Return a model with what some ADDITIONS find in it, and the steps that say so."""
    found = {name: ADDITIONS[name](model) for name in names}
    if not any(found.values()):
        return model, []
    counts = Counter((type(c).__name__, f"added by {name}") for name, added in found.items() for c in added)
    constraints = (*model.constraints, *(c for added in found.values() for c in added))
    return Model(model.variables, constraints, model.objective), [(*step, count) for step, count in counts.items()]


def _accepted(accepts: Accepts, check: Callable[[], object] | None) -> Callable[[Constraint], bool]:
    """Return a test that tells whether a constraint is accepted as it is, and calls ``check``."""

    def is_accepted(constraint: Constraint) -> bool:
        if check is not None:
            check()
        return accepts(constraint) is None

    return is_accepted


class _DeadEnd(Exception):
    """No rewrite applies to a constraint that is not accepted."""


class _Planner:
    def __init__(self, model: Model, kinds: frozenset[type[Constraint]], accepts: Accepts, backend: str) -> None:
        self.model, self.kinds, self.accepts, self.backend = model, kinds, accepts, backend
        self.distances = _distances(kinds)
        self.scratch = Scratch(dict(model.domains), accepts=accepts, stated=model.constraints)
        self.steps: Counter[tuple[str, str]] = Counter()
        self.functional = True
        self.rewrites: dict[type[Constraint], tuple[Rewrite, ...]] = {}

    def lowered(self) -> Lowered:
        """Return the lowered model with the steps that led there."""
        made = [self.stated(c) for c in self.model.constraints]
        steps = tuple((kind, step, count) for (kind, step), count in self.steps.items())
        constraints = [c for new in made for c in new]
        variables = (*self.model.variables, *self.scratch.added)
        return Lowered(Model(variables, constraints, self.model.objective), self.functional, steps)

    def stated(self, constraint: Constraint) -> list[Constraint]:
        """Rewrite a stated constraint; Unsupported names it, whatever it had become on the way."""
        try:
            return self.rewritten(constraint, frozenset())
        except _DeadEnd:
            told = f"{self.backend} does not take {_short(constraint)}: {self.accepts(constraint)}"
            raise Unsupported(f"{told}; no rewrite leads further") from None

    def rewritten(self, constraint: Constraint, passed: frozenset[type[Constraint]]) -> list[Constraint]:
        """Rewrite until all is accepted; ``passed`` are the kinds on the way here, none of which is made again."""
        self.scratch.check()
        reason, kind = self.accepts(constraint), type(constraint).__name__
        if reason is None:
            self.steps[kind, "kept"] += 1
            return [constraint]
        passed = passed | {type(constraint)}
        rewrite = self.cheapest(constraint, passed)
        if rewrite is None:
            raise _DeadEnd
        self.steps[kind, rewrite.name] += 1
        self.functional = self.functional and rewrite.functional
        results = rewrite.apply(constraint, self.scratch)
        return [c for result in results for c in self.rewritten(result, frozenset() if rewrite.unfolds else passed)]

    def rewrites_of(self, kind: type[Constraint]) -> tuple[Rewrite, ...]:
        """Return the rewrites of a kind; one that is defined elsewhere can be tabulated."""
        if kind not in self.rewrites:
            found = tuple(rewrite for rewrite in REWRITES if rewrite.source is kind)
            elsewhere = not found and kind in Constraint.kinds.values()
            self.rewrites[kind] = (tabulate.tables(kind),) if elsewhere else found
        return self.rewrites[kind]

    def cheapest(self, constraint: Constraint, passed: frozenset[type[Constraint]]) -> Rewrite | None:
        """Weigh what a rewrite makes by the number of steps that its results still have before them."""
        best: tuple[float, Rewrite] | None = None
        domains = self.scratch.watched
        for rewrite in self.rewrites_of(type(constraint)):
            steps = max((self.distances.get(kind, UNREACHABLE) for kind in rewrite.targets), default=0)
            barred = not rewrite.unfolds and rewrite.targets & passed
            if steps >= UNREACHABLE or barred:
                continue
            cost = rewrite.cost(constraint, domains)
            if cost is not None and (best is None or cost * (1 + steps) < best[0]):
                best = (cost * (1 + steps), rewrite)
        return best[1] if best else None


def _distances(kinds: frozenset[type[Constraint]]) -> dict[type[Constraint], int]:
    """Return how many rewrites lead from each kind to accepted ones only."""
    found = dict.fromkeys(kinds, 0)
    for step in range(1, len(Constraint.kinds) + 1):
        for rewrite in REWRITES:
            if rewrite.source not in found and all(found.get(kind, step) < step for kind in rewrite.targets):
                found[rewrite.source] = step
    return found


def _short(constraint: Constraint) -> str:
    text = str(constraint)
    return text if len(text) <= 80 else text[:77] + "..."
