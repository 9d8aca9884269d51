"""The cheapest way to state a model by the kinds that a backend accepts, and the tree of what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from math import inf
from operator import itemgetter

from ..dataclass import dataclass
from ..errors import Unsupported
from ..model import Constraint, Domain, Model
from ..model.phrase import brief, named
from . import house_sums
from .kinds import REWRITES
from .machines import tables
from .negation import form_of
from .rewrite import Accepts, Rewrite, Scratch

KEPT, ADDED = "kept", "added by"
DEARER, AT_LEAST = "dearer", "at least"
"""Why a possible rewrite was rejected: its cost, or its cost without the steps that would follow it."""

_PRICED = {DEARER: "cost {:,.0f}", AT_LEAST: "cost at least {:,.0f}"}

Step = tuple[str, str, int]
"""A kind of constraint, how it was treated, and how many times."""

Others = dict[tuple[str, str], float]
"""Rejected rewrites, each with the reason and its cost."""


@dataclass
class Branch:
    """The treatment of ``count`` constraints of one kind, all rewritten in the same way.

    ``step`` is "kept", "added by ..." or the name of the rewrite, ``cost`` the total cost of that step and all that
    follow from it. ``turned_down`` are the rejected rewrites, each with the reason and, if that is a higher cost, the
    cost. ``first`` is the first of these constraints; it is printed if constraints of the kind were treated in several
    ways.
    """

    kind: str
    step: str
    count: int = 0
    cost: float = 0.0
    first: Constraint | None = None
    turned_down: Others = field(default_factory=dict)

    @cached_property
    def into(self) -> Branches:
        """What the constraints were rewritten into."""
        return Branches()

    def lines(self, depth: int, is_named: bool) -> Iterator[str]:
        """Yield the branch as lines of text; each constraint is followed by what it was rewritten into."""
        more = ", ..." if self.count > 1 else ""
        name = f" ({brief(self.first)}{more})" if is_named and self.first is not None else ""
        cost = f", cost {self.cost:,.0f}" if self.step != KEPT and not self.step.startswith(ADDED) else ""
        reasons: dict[str, list[str]] = {}
        for (rejected, reason), price in self.turned_down.items():
            reasons.setdefault(_PRICED.get(reason, reason).format(price), []).append(rejected)
        others = "".join(f"; not {', '.join(names)} ({reason})" for reason, names in reasons.items())
        yield f"{'  ' * depth}{self.count} x {self.kind}{name}: {self.step}{cost}{others}"
        yield from self.into.lines(depth + 1)


@dataclass
class Branches:
    """The treatment of some constraints, by kind and step; ``functional`` as for ``Lowered``."""

    found: dict[tuple[str, str], Branch] = field(default_factory=dict)
    functional: bool = True

    def note(self, kind: str, step: str, count: int = 1, first: Constraint | None = None) -> Branch:
        """Count constraints of a kind, of which ``first`` is one, that were treated in one way."""
        branch = self.found.get((kind, step))
        if branch is None:
            branch = self.found[kind, step] = Branch(kind, step, first=first)
        branch.count += count
        return branch

    def rewritten(self, constraint: Constraint, step: str, cost: float, others: Others, made: Branches) -> None:
        """Note a constraint that was rewritten, what it became, and which rewrites were rejected."""
        branch = self.note(type(constraint).__name__, step, 1, constraint)
        branch.cost += cost
        _add(branch.turned_down, others)
        branch.into.take_in(made)

    def take_in(self, others: Branches) -> None:
        """Add the branches of other constraints."""
        self.functional = self.functional and others.functional
        for other in others.found.values():
            branch = self.note(other.kind, other.step, other.count, other.first)
            branch.cost += other.cost
            _add(branch.turned_down, other.turned_down)
            branch.into.take_in(other.into)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return how many constraints of each kind, stated or produced, were treated in each way."""
        counts: Counter[tuple[str, str]] = Counter()
        left = list(self.found.values())[::-1]
        while left:
            branch = left.pop()
            counts[branch.kind, branch.step] += branch.count
            left += list(branch.into.found.values())[::-1]
        return tuple((kind, step, count) for (kind, step), count in counts.items())

    def lines(self, depth: int = 0) -> Iterator[str]:
        ways = Counter(branch.kind for branch in self.found.values())
        for branch in self.found.values():
            yield from branch.lines(depth, ways[branch.kind] > 1)

    def __str__(self) -> str:
        return "\n".join(self.lines()) or "no constraints"


def _add(sums: Others, more: Others) -> None:
    for key, value in more.items():
        sums[key] = sums.get(key, 0.0) + value


# ---------------------------------------------------------------- the plan


ADDITIONS: Mapping[str, Callable[[Model], list[Constraint]]] = {house_sums.NAME: house_sums.house_sums}
"""Constraints that follow from several stated ones together, by name; an engine may get them in addition."""


@dataclass(frozen=True)
class Lowered:
    """A model in terms that a backend accepts.

    ``model`` has the stated variables first, then auxiliary ones. ``functional``: the stated ones determine these.
    ``tree`` shows how the constraints of each kind were treated: added, kept as they are, or rewritten, at what cost
    and into what, and which rewrites were rejected. Printing the object shows that tree.
    """

    model: Model
    functional: bool
    tree: Branches

    @property
    def steps(self) -> tuple[Step, ...]:
        """How many constraints of each kind, stated or produced, were treated in each way."""
        return self.tree.steps

    def __str__(self) -> str:
        return str(self.tree)


def lower(
    model: Model,
    kinds: Iterable[type[Constraint]],
    accepts: Accepts,
    backend: object = "the backend",
    check: Callable[[], object] | None = None,
    adds: Iterable[str] = (),
    doubted: frozenset[type[Constraint]] | None = None,
) -> Lowered:
    """Rewrite whatever a backend does not accept by the cheapest rewrites; return the same model if it accepts
    everything.

    ``kinds`` are the kinds that it accepts, ``accepts`` tests a single constraint. Raises Unsupported with the
    constraint and the reason if no rewrites exist. ``check`` is called repeatedly; an exception from it ends the work.
    ``adds`` names ADDITIONS: constraints implied by the model, which are added first. ``doubted`` are kinds of which
    ``accepts`` may reject some; of the other kinds it accepts every constraint. None: each constraint is tested.
    """
    model, tree = _with_additions(model, adds)
    used, taken = model.counts, frozenset(kinds)
    asked = used.keys() if doubted is None else used.keys() & doubted | used.keys() - taken

    def is_accepted(constraint: Constraint) -> bool:
        if check is not None:
            check()
        return accepts(constraint) is None

    if not asked or all(map(is_accepted, [c for c in model.constraints if type(c) in asked])):
        for kind, count in used.items():
            tree.note(kind.__name__, KEPT, count)
        return Lowered(model, True, tree)
    planner = _Planner(model, taken, accepts, backend)
    if check is not None:
        planner.scratch.check = check
    found = planner.lowered()
    tree.take_in(found.tree)
    return Lowered(found.model, found.functional, tree)


def _with_additions(model: Model, names: Iterable[str]) -> tuple[Model, Branches]:
    """Return a model with what the named ADDITIONS find in it, and the branches that record this."""
    added = [(name, constraint) for name in names for constraint in ADDITIONS[name](model)]
    tree = Branches()
    for name, constraint in added:
        tree.note(type(constraint).__name__, f"{ADDED} {name}")
    constraints = (*model.constraints, *(constraint for _, constraint in added))
    return Model(model.variables, constraints, model.objective) if added else model, tree


Kinds = frozenset[type[Constraint]]


class _DeadEnd(Exception):
    """No rewrite applies to a constraint that is not accepted."""


class _TooDear(Exception):
    """A path costs at least as much as a known one."""


@dataclass
class _Path:
    """The end of a path from one constraint: what was produced, at what cost, and how."""

    rewrite: Rewrite
    own: float
    cost: float
    found: list[Constraint]
    made: Branches


class _Planner:
    """Finds for each constraint the path of least total cost.

    The rewrites with the lowest own cost are tried first. A path is abandoned as soon as it costs as much as a known
    one, or reaches a dead end, and its auxiliary variables are removed. The result is reused for all constraints of the
    same shape, which differ only in the names of their variables.
    """

    def __init__(self, model: Model, kinds: Kinds, accepts: Accepts, backend: object) -> None:
        self.model, self.kinds, self.accepts, self.backend = model, kinds, accepts, backend
        self.reached = reached(kinds)
        self.scratch = Scratch(dict(model.domains), accepts=accepts, stated=model.constraints)
        self.tree = Branches()
        self.rewrites: dict[type[Constraint], tuple[Rewrite, ...]] = {}
        self.chosen: dict[Hashable, tuple[float, Rewrite, Others]] = {}

    def lowered(self) -> Lowered:
        constraints = [c for stated in self.model.constraints for c in self.stated(stated)]
        variables = (*self.model.variables, *self.scratch.added)
        return Lowered(Model(variables, constraints, self.model.objective), self.tree.functional, self.tree)

    def stated(self, constraint: Constraint) -> list[Constraint]:
        """Rewrite a stated constraint; Unsupported names it, whatever it was rewritten into."""
        try:
            return self.rewritten(constraint, frozenset(), self.tree, inf)[0]
        except _DeadEnd:
            refused = f"{self.backend} takes neither {named(constraint)} nor what it can be rewritten to"
            raise Unsupported(f"{refused}: {self.accepts(constraint)}") from None

    def rewritten(
        self, constraint: Constraint, passed: Kinds, tree: Branches, most: float
    ) -> tuple[list[Constraint], float]:
        """Rewrite until everything is accepted, record it in the ``tree``, and return the result and its cost.

        ``passed`` are the kinds on the path so far; none of them is produced again. Raises _DeadEnd if no path reaches
        an end, _TooDear if none costs less than ``most``.
        """
        self.scratch.check()
        kind = type(constraint)
        if self.accepts(constraint) is None:
            tree.note(kind.__name__, KEPT, 1, constraint)
            return [constraint], 0.0
        passed |= {kind}
        shape = passed, shape_of(constraint, self.scratch.domains)
        path, others = self.repeated(shape, constraint, passed, most) or self.cheapest(constraint, passed, most)
        self.chosen[shape] = path.own, path.rewrite, others
        tree.functional = tree.functional and path.made.functional
        tree.rewritten(constraint, path.rewrite.name, path.cost, others, path.made)
        return path.found, path.cost

    def repeated(
        self, shape: Hashable, constraint: Constraint, passed: Kinds, most: float
    ) -> tuple[_Path, Others] | None:
        """Repeat the path of a constraint of the same shape; None if there is none, or if it is a dead end here."""
        if shape not in self.chosen:
            return None
        (own, rewrite, others), mark = self.chosen[shape], self.scratch.mark()
        try:
            return self.followed(constraint, rewrite, own, passed, most), others
        except _DeadEnd:
            self.scratch.take_back(mark)
            return None

    def cheapest(self, constraint: Constraint, passed: Kinds, most: float) -> tuple[_Path, Others]:
        """Return the path of least cost, below ``most``, and the rejected rewrites."""
        ways, others = self.ranked(constraint, passed)
        mark, cut, failed = self.scratch.mark(), False, False
        best: _Path | None = None
        for own, rewrite in ways:
            bound = best.cost if best else most
            if own >= bound:
                others[rewrite.name, AT_LEAST], cut = own, True
                continue
            self.scratch.take_back(mark)
            try:
                path = self.followed(constraint, rewrite, own, passed, bound)
            except (_DeadEnd, _TooDear) as end:
                failed, dead = True, isinstance(end, _DeadEnd)
                others[rewrite.name, "leads to a dead end" if dead else AT_LEAST] = 0.0 if dead else own
                cut |= not dead
                continue
            if best:
                others[best.rewrite.name, DEARER] = best.cost
            best, failed = path, False
        if failed:
            self.scratch.take_back(mark)
        if best is None:
            raise _TooDear if cut else _DeadEnd
        if failed:  # a later path took its variables away
            best = self.followed(constraint, best.rewrite, best.own, passed, inf)
        return best, others

    def followed(self, constraint: Constraint, rewrite: Rewrite, own: float, passed: Kinds, most: float) -> _Path:
        """Follow one path to its end; _TooDear as soon as it costs ``most``."""
        path = _Path(rewrite, own, own, [], Branches(functional=rewrite.functional))
        left = frozenset() if rewrite.unfolds else passed
        for new in rewrite.apply(constraint, self.scratch):
            found, cost = self.rewritten(new, left, path.made, most - path.cost)
            path.found += found
            path.cost += cost
            if path.cost >= most:
                raise _TooDear
        return path

    def rewrites_of(self, kind: type[Constraint]) -> tuple[Rewrite, ...]:
        """Return the rewrites of a kind; a kind defined elsewhere can be turned into a table."""
        if kind not in self.rewrites:
            found = tuple(rewrite for rewrite in REWRITES if rewrite.source is kind)
            elsewhere = not found and kind in Constraint.kinds.values()
            self.rewrites[kind] = (tables(kind),) if elsewhere else found
        return self.rewrites[kind]

    def ranked(self, constraint: Constraint, passed: Kinds) -> tuple[list[tuple[float, Rewrite]], Others]:
        """Return the possible rewrites with their own costs, cheapest first, and why the others are impossible."""
        ways: list[tuple[float, Rewrite]] = []
        others: Others = {}
        for rewrite in self.rewrites_of(type(constraint)):
            if not rewrite.targets <= self.reached:
                others[rewrite.name, "leads to no kind that is accepted"] = 0.0
            elif not rewrite.unfolds and rewrite.targets & passed:
                others[rewrite.name, "leads back"] = 0.0
            elif (cost := rewrite.cost(constraint, self.scratch)) is None:
                others[rewrite.name, "not applicable"] = 0.0
            else:
                ways.append((cost, rewrite))
        return sorted(ways, key=itemgetter(0)), others


@lru_cache(maxsize=64)
def reached(kinds: frozenset[type[Constraint]]) -> set[type[Constraint]]:
    """Return the kinds from which rewrites lead only to accepted kinds."""
    found, before = set(kinds), -1
    while len(found) > before:
        before = len(found)
        found |= {rewrite.source for rewrite in REWRITES if rewrite.targets <= found}
    return found


def shape_of(constraint: Constraint, domains: Mapping[str, Domain]) -> Hashable:
    """Return a key that is equal for constraints that can be rewritten in the same ways at the same costs."""
    return form_of(constraint), tuple([domains[x] for x in constraint.scope])
