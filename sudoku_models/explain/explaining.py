"""The verb ``explain``: why there is no solution, how several solutions differ, which parts are redundant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..engine.budget import Budget, OutOfTime
from ..engine.contract import Reason as Stop
from ..engine.contract import Request
from ..engine.record import Record
from ..engine.registry import BackendLike
from ..engine.road import plan
from ..engine.switches import LARGE, Session, Switches, keeping, stating_takes
from ..errors import LimitReached
from ..model import Model
from ..puzzle import Puzzle
from ..verbs.results import Result
from ..verbs.solving import solve
from ..verbs.task import Problem, as_puzzle
from .duality import Duality
from .explanation import (
    Conflict,
    Explanation,
    NoSolution,
    OneSolution,
    Repair,
    SeveralSolutions,
    Soft,
    TakenApart,
    apart,
    shown,
    softly,
)

Values = Mapping[str, int]

PATIENCE = 5.0
"""Seconds for all questions after the number of solutions, if no limit is given."""
SETTLING = 0.5
"""The part of these seconds for a minimal reason, once there is a repair."""
SAMPLE = 400
"""The most solutions that are examined for clues that distinguish them."""
MOST_RULES = 16
"""With more rules, combinations of several are not tried before the search among all parts."""
REPAIRED = ("rule", "constraint", "given", "house")
"""The kinds that are tried as the smallest repair, in order: an author gives up a rule sooner than a house."""


def explain(
    problem: Problem,
    backend: BackendLike = "auto",
    *,
    soft: Soft | None = None,
    time_limit: float | None = None,
    budget: Budget | None = None,
) -> Explanation:
    """Explain a problem by its number of solutions: return NoSolution, SeveralSolutions or OneSolution.

    NoSolution has a minimal reason and a smallest repair, and yields further ones lazily. SeveralSolutions has two
    solutions, the cells where they differ, and the single clues that would leave one. OneSolution has the givens and
    rules that could be left out. Each of these is proved. ``time_limit`` (seconds) covers all of this: what was not
    settled by then is missing, and ``limit`` says so; without it the number of solutions is found without a limit, and
    the rest is searched for during ``PATIENCE`` seconds. ``budget`` is that of a larger job, which this is a part of.

    ``soft`` are further constraints that may be given up, a list or a dict by your own names for them. Then only these
    are the parts of reasons and repairs, everything else is taken as true, and solutions are values by name.

    Raises FormatError for text that cannot be read, and what ``solve`` raises for a backend.
    """
    read = problem.without_objective() if isinstance(problem, Model) else as_puzzle(problem)
    taken = None if soft is None else softly(read, soft)
    read = read if taken is None else taken.problem
    whole = Budget(time_limit, None, budget)
    with whole:
        result = solve(read, backend, unique=True, budget=whole)
    clock = whole.part(None if whole.left is not None else PATIENCE)
    with clock:
        return _explained(read, taken, result, clock)


def _explained(read: Puzzle | Model, taken: TakenApart | None, result: Result, clock: Budget) -> Explanation:
    if result.status.no_solution:
        return _none(taken or apart(read), result.record, clock)
    if result.unique is None:
        return Explanation(read, result.record, result.reason)
    solution = result.values
    assert solution is not None
    values = {x: solution[x] for x in read.names}
    if result.unique:
        return _one(taken or apart(read), values, result.record, clock)
    return _several(read, values, result.record, clock)


def _none(taken: TakenApart, record: Record, clock: Budget) -> NoSolution:
    """Find a smallest repair, then a minimal reason within the contradictions found on the way."""
    problem = taken.problem
    try:
        switches = Switches(taken.base, taken.parts, budget=clock)
    except LimitReached as stopped:
        return NoSolution(problem, record, str(stopped))
    preferred = sorted(range(len(taken.parts)), key=lambda i: REPAIRED.index(taken.stated[i].kind))
    rules = [i for i in preferred if taken.stated[i].kind == "rule"]
    houses = [i for i in preferred if taken.stated[i].kind == "house"]
    others = [i for i in preferred if i not in houses]
    search = Duality(switches, len(taken.parts), others, rules if len(rules) <= MOST_RULES else (), houses)
    limit, repair, known = "", None, None
    try:
        if switches.ask(()).values is None:
            return NoSolution(problem, switches.record, "", Conflict(()))
        repair = search.first_repair()
        if clock.seconds is not None:  # the patience, which a repair may have used up
            switches.limit(SETTLING)
        known = search.first_reason()
    except LimitReached as stopped:
        limit = str(stopped)
    switches.limit(None)  # what is requested later has no time limit
    known = known or search.contradiction
    reason = None if known is None else Conflict(taken.named(known), minimal=known in search.reasons)
    fixed = None
    if (chosen := repair or search.candidate) is not None:
        fixed = Repair(taken.named(chosen), shown(problem, search.repaired[chosen]), minimal=repair is not None)
    return NoSolution(problem, switches.record, limit, reason, fixed, taken, search)


def _one(taken: TakenApart, solution: Values, record: Record, clock: Budget) -> OneSolution:
    """Test for each given and each rule whether there is another solution without it."""
    problem = taken.problem
    free = [i for i, part in enumerate(taken.stated) if part.kind != "house"]
    base = taken.another(free, solution)
    redundant, needed, limit = set[int](), set[int](), ""
    try:
        if base.size > LARGE:
            raise LimitReached("the model is too large to test its parts one by one")
        with Switches(base, [taken.parts[i] for i in free], budget=clock) as switches:
            every = range(len(free))
            core = switches.ask(every).core
            redundant |= {free[i] for i in every if i not in core}  # what no proof used
            for i in core:
                answer = switches.ask([j for j in every if j != i])
                (redundant if answer.values is None else needed).add(free[i])
    except LimitReached as stopped:
        limit = str(stopped)
    left = taken.named(i for i in free if i not in needed | redundant)
    found = taken.named(redundant)
    return OneSolution(problem, record, limit if left else "", shown(problem, solution), found, left)


def _several(problem: Puzzle | Model, first: Values, record: Record, clock: Budget) -> SeveralSolutions:
    """Find another solution, then the clues that only one solution has."""
    clues = _Clues(problem, clock, first)
    clues.settle()
    second = clues.second
    pair = (shown(problem, first), shown(problem, second)) if second else ()
    differ = tuple(x for x in first if first[x] != second[x]) if second else ()
    return SeveralSolutions(problem, record, clues.limit, pair, differ, tuple(clues.single), tuple(clues.together))


class _Clues:
    """Finds single clues that leave one solution; if there are none, clues that do so together."""

    def __init__(self, problem: Puzzle | Model, clock: Budget, first: Values) -> None:
        self.problem, self.clock, self.first = problem, clock, first
        self.seen: list[Values] = [first]
        self.single: list[tuple[str, int]] = []
        self.together: list[tuple[str, int]] = []
        self.limit = ""
        model = problem if isinstance(problem, Model) else problem.structure
        self.model = model
        self.given = {} if isinstance(problem, Model) else dict(problem.domains)
        self.cells = problem.names if isinstance(problem, Model) else problem.shape.names

    @property
    def second(self) -> Values | None:
        """A solution that differs from the first in as few cells as any that was found."""
        others = [values for values in self.seen if values != self.first]
        return min(others, key=lambda values: sum(values[x] != v for x, v in self.first.items()), default=None)

    def settle(self) -> None:
        """Search until time is up."""
        try:
            self._session = self._begun()
            self.meet({}, SAMPLE)
            if all(values[x] == self.first[x] for values in self.seen for x in self.cells):
                self.cells = self.problem.names  # only extra cells differ
            self.try_each()
            if not self.single:
                self.together = list(self.chosen().items())
        except LimitReached as stopped:
            self.limit = str(stopped)

    def _begun(self) -> Session:
        """State the model to an engine that keeps it; LimitReached if that takes too long."""
        try:
            selection = keeping(self.model, (), self.clock.check)
            lowered = plan(self.model, selection, self.clock.check).model
        except OutOfTime:
            raise LimitReached(str(Stop.TIME)) from None
        left, expected = self.clock.left, stating_takes(lowered.size)
        if left is not None and expected > left:
            raise LimitReached(f"stating the model takes about {expected:.0f} s, so a longer time limit is needed")
        return Session(self.model, selection)

    def try_each(self) -> None:
        """Test each value of a cell that fewer than two known solutions have: does it leave one solution?"""
        for x in self.cells:
            for value in self.given.get(x, self.model.domains[x]):
                if sum(values[x] == value for values in self.seen) < 2 and len(self.meet({x: value}, 2)) == 1:
                    self.single.append((x, value))

    def chosen(self) -> dict[str, int]:
        """Choose clues of the first solution that rule out all others, each time the one that rules out most."""
        given: dict[str, int] = {}
        others = [values for values in self.seen if values != self.first]
        while others:
            differing = Counter(x for values in others for x in self.cells if values[x] != self.first[x])
            if not differing:  # equal except for extra cells
                self.cells = self.problem.names
                continue
            best = max(sorted(differing), key=lambda x: differing[x])
            given[best] = self.first[best]
            others = [values for values in others if values[best] == self.first[best]]
            if not others:
                others = [values for values in self.meet(given, 20) if values != self.first]
        return given

    def meet(self, given: Values, limit: int) -> list[Values]:
        """Return up to ``limit`` solutions with further givens; LimitReached if time is up."""
        domains = {**self.given, **{x: (v,) for x, v in given.items()}}
        with self._session.run(Request(domains, limit, time_limit=self.clock.left)) as found:
            every = [dict(zip(self.model.names, solution, strict=True)) for solution in found]
            outcome = found.outcome
        if not outcome.complete and outcome.reason is not Stop.LIMIT:
            raise LimitReached(str(outcome.reason))
        kept: list[Values] = [{x: values[x] for x in self.problem.names} for values in every]
        self.seen += [values for values in kept if values not in self.seen]
        return kept
