"""The tree of a plan: how each constraint was treated, at what cost, and which rewrites were rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..model import Constraint
from ..model.phrase import brief

KEPT, ADDED = "kept", "added by"
DEARER, AT_LEAST = "dearer", "at least"
"""Why a possible rewrite was rejected: its cost, or its cost without the steps that would follow it."""

_PRICED = {DEARER: "cost {:,.0f}", AT_LEAST: "cost at least {:,.0f}"}

Step = tuple[str, str, int]
"""A kind of constraint, how it was treated, and how many times."""


@dataclass
class Branch:
    """The treatment of ``count`` constraints of one kind, all rewritten in the same way.

    ``step`` is "kept", "added by ..." or the name of the rewrite, ``cost`` the total cost of that step and all that
    follow from it, and ``into`` what it produced. ``turned_down`` are the rejected rewrites, each with the reason and,
    if that is a higher cost, the cost. ``first`` is the first of these constraints; it is printed if constraints of the
    kind were treated in several ways.
    """

    kind: str
    step: str
    count: int = 0
    cost: float = 0.0
    first: Constraint | None = None
    turned_down: dict[tuple[str, str], float] = field(default_factory=dict)
    into: Branches = field(default_factory=lambda: Branches())

    def lines(self, depth: int, is_named: bool) -> Iterator[str]:
        """Yield the branch as lines of text; each constraint is followed by what it was rewritten into."""
        name = (
            f" ({brief(self.first)}{', ...' if self.count > 1 else ''})" if is_named and self.first is not None else ""
        )
        cost = f", cost {self.cost:,.0f}" if self.step != KEPT and not self.step.startswith(ADDED) else ""
        yield f"{'  ' * depth}{self.count} x {self.kind}{name}: {self.step}{cost}{''.join(self._others())}"
        yield from self.into.lines(depth + 1)

    def _others(self) -> Iterator[str]:
        """Yield the notes on rejected rewrites, grouped by reason."""
        reasons: dict[str, list[str]] = {}
        for (name, reason), cost in self.turned_down.items():
            reasons.setdefault(_PRICED[reason].format(cost) if reason in _PRICED else reason, []).append(name)
        for reason, names in reasons.items():
            yield f"; not {', '.join(names)} ({reason})"


@dataclass
class Branches:
    """The treatment of some constraints, by kind and step; ``functional`` as for ``Lowered``."""

    found: dict[tuple[str, str], Branch] = field(default_factory=dict)
    functional: bool = True

    @classmethod
    def of(cls, steps: Iterable[Step]) -> Branches:
        """Return the branches of steps after which nothing follows."""
        return cls({(kind, step): Branch(kind, step, count) for kind, step, count in steps})

    def note(self, kind: str, step: str, count: int = 1, first: Constraint | None = None) -> Branch:
        """Count constraints of a kind, of which ``first`` is one, that were treated in one way."""
        branch = self.found.get((kind, step))
        if branch is None:
            branch = self.found[kind, step] = Branch(kind, step, first=first)
        branch.count += count
        return branch

    def rewritten(
        self, constraint: Constraint, step: str, cost: float, others: Mapping[tuple[str, str], float], made: Branches
    ) -> None:
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
        for branch in self._all():
            counts[branch.kind, branch.step] += branch.count
        return tuple((kind, step, count) for (kind, step), count in counts.items())

    def _all(self) -> Iterator[Branch]:
        for branch in self.found.values():
            yield branch
            yield from branch.into._all()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the branches as lines of text."""
        ways = Counter(branch.kind for branch in self.found.values())
        for branch in self.found.values():
            yield from branch.lines(depth, ways[branch.kind] > 1)

    def __str__(self) -> str:
        return "\n".join(self.lines()) or "no constraints"


def _add(sums: dict[tuple[str, str], float], more: Mapping[tuple[str, str], float]) -> None:
    for key, value in more.items():
        sums[key] = sums.get(key, 0.0) + value
