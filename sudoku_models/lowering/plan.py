"""The plan: by which rewrites a model gets from what it uses to what a backend accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from ..errors import Unsupported
from ..model import Constraint, Model
from . import connected, counting, differences, domains, house_sums, linear, logic, reading, selectors, tabulate
from .branches import ADDED, DEARER, KEPT, Branches, Step
from .rewrite import Accepts, Rewrite, Scratch

_MODULES = (differences, domains, linear, reading, counting, connected, logic, selectors, tabulate)

REWRITES: tuple[Rewrite, ...] = tuple(rewrite for module in _MODULES for rewrite in module.REWRITES)
"""Every rewrite that a plan may take."""

ADDITIONS: Mapping[str, Callable[[Model], list[Constraint]]] = {house_sums.NAME: house_sums.house_sums}
"""What follows from several constraints together, by name: constraints that an engine may get beside those stated."""

UNREACHABLE = 1_000


@dataclass(frozen=True)
class Lowered:
    """A model in terms that a backend accepts.

    ``model`` has the stated variables first, then auxiliary ones. ``functional``: these are determined by the stated
    ones. ``tree`` says what became of the constraints, by kind: kept as they are, or rewritten, at what cost and into
    what, and which rewrites were turned down; before these come constraints that were added. Printed, it is that tree.
    """

    model: Model
    functional: bool
    tree: Branches

    @property
    def steps(self) -> tuple[Step, ...]:
        """How many constraints of each kind, the stated ones and those that were made, went each way."""
        return self.tree.steps

    def __str__(self) -> str:
        return str(self.tree)


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
    model, steps = _with_additions(model, adds)
    tree = Branches.of(steps)
    if all(map(_accepted(accepts, check), model.constraints)):
        for kind, count in Counter(map(type, model.constraints)).items():
            tree.note(kind.__name__, KEPT, count)
        return Lowered(model, True, tree)
    planner = _Planner(model, frozenset(kinds), accepts, backend)
    if check is not None:
        planner.scratch.check = check
    found = planner.lowered()
    tree.take_in(found.tree)
    return Lowered(found.model, found.functional, tree)


def _with_additions(model: Model, names: Iterable[str]) -> tuple[Model, list[Step]]:
    """Return a model with what some ADDITIONS find in it, and the steps that say so."""
    found = {name: ADDITIONS[name](model) for name in names}
    if not any(found.values()):
        return model, []
    counts = Counter((type(c).__name__, f"{ADDED} {name}") for name, added in found.items() for c in added)
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
        self.tree = Branches()
        self.rewrites: dict[type[Constraint], tuple[Rewrite, ...]] = {}

    def lowered(self) -> Lowered:
        """Return the lowered model with the tree that led there."""
        constraints = [c for stated in self.model.constraints for c in self.stated(stated)]
        variables = (*self.model.variables, *self.scratch.added)
        return Lowered(Model(variables, constraints, self.model.objective), self.tree.functional, self.tree)

    def stated(self, constraint: Constraint) -> list[Constraint]:
        """Rewrite a stated constraint; Unsupported names it, whatever it had become on the way."""
        try:
            return self.rewritten(constraint, frozenset(), self.tree)
        except _DeadEnd:
            problem = f"{self.backend} does not take {_short(constraint)}: {self.accepts(constraint)}"
            raise Unsupported(f"{problem}; no rewrite leads further") from None

    def rewritten(
        self, constraint: Constraint, passed: frozenset[type[Constraint]], tree: Branches
    ) -> list[Constraint]:
        """Rewrite until all is accepted, and note how in the ``tree``; what comes to a dead end is undone.

        ``passed`` are the kinds on the way here, none of which is made again.
        """
        self.scratch.check()
        reason, kind = self.accepts(constraint), type(constraint).__name__
        if reason is None:
            tree.note(kind, KEPT)
            return [constraint]
        passed = passed | {type(constraint)}
        ways, others = self.ranked(constraint, passed)
        for number, (cost, rewrite) in enumerate(ways):
            mark, made = self.scratch.mark(), Branches(functional=rewrite.functional)
            try:
                left = frozenset() if rewrite.unfolds else passed
                found = [c for new in rewrite.apply(constraint, self.scratch) for c in self.rewritten(new, left, made)]
            except _DeadEnd:
                self.scratch.undo(mark)
                others[rewrite.name, "leads to a dead end"] = 0.0
                continue
            others |= {(later.name, DEARER): dearer for dearer, later in ways[number + 1 :]}
            tree.functional = tree.functional and made.functional
            tree.rewritten(kind, rewrite.name, cost, others, made)
            return found
        raise _DeadEnd

    def rewrites_of(self, kind: type[Constraint]) -> tuple[Rewrite, ...]:
        """Return the rewrites of a kind; one that is defined elsewhere can be tabulated."""
        if kind not in self.rewrites:
            found = tuple(rewrite for rewrite in REWRITES if rewrite.source is kind)
            elsewhere = not found and kind in Constraint.kinds.values()
            self.rewrites[kind] = (tabulate.tables(kind),) if elsewhere else found
        return self.rewrites[kind]

    def ranked(
        self, constraint: Constraint, passed: frozenset[type[Constraint]]
    ) -> tuple[list[tuple[float, Rewrite]], dict[tuple[str, str], float]]:
        """Return the rewrites that could be taken, the cheapest first, and why others could not.

        What a rewrite makes is weighed by the number of steps that its results still have before them.
        """
        ways: list[tuple[float, Rewrite]] = []
        others: dict[tuple[str, str], float] = {}
        domains = self.scratch.watched
        for rewrite in self.rewrites_of(type(constraint)):
            steps = max((self.distances.get(kind, UNREACHABLE) for kind in rewrite.targets), default=0)
            if steps >= UNREACHABLE:
                others[rewrite.name, "leads to no kind that is taken"] = 0.0
            elif not rewrite.unfolds and rewrite.targets & passed:
                others[rewrite.name, "leads back"] = 0.0
            elif (cost := rewrite.cost(constraint, domains)) is None:
                others[rewrite.name, "not applicable"] = 0.0
            else:
                ways.append((cost * (1 + steps), rewrite))
        return sorted(ways, key=itemgetter(0)), others


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
