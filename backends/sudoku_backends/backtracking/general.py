"""The meter of all strategies, and the strategy ``general``: any constraints, by their own ``holds`` and ``possible``.

The variable with the fewest values left comes next. When it is fixed, its constraints remove from their open variables
the values that they rule out (forward checking); a constraint with no open variable left must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from sudoku_models.engine.budget import Budget, Meter
from sudoku_models.engine.contract import TraceStep
from sudoku_models.model import AllDifferent, Constraint, Domain, Model, Objective

Order = Callable[[str, Domain], Iterable[int]]
"""Sorts the values of a variable, given by name, in the order in which they are tried."""

Frame = tuple[str, Iterator[int], int]
"""A variable on the current path, the values still to try, and the length of the trail before it was fixed."""


_WORK = 1 << 15


class Stopped(Exception):
    """The trace has requested the end of the search."""


Decisions = Callable[[], Iterable[tuple[int | str, int]]]
"""The decisions in force at a node, the first one first: cells with digits, or variables with values."""


class SearchMeter(Meter):
    """A meter to which a search reports its decisions; with a ``trace`` it passes them on, those undone first.

    With a ``patience`` the search gives up after that number of nodes and looks; a trace has none. The cost of a node
    grows with the number of variables, so large models check the clock at every node and a 9x9 board at every few
    hundred. ``named`` gives the variable and the value for a cell and a digit.
    """

    def __init__(
        self, clock: Budget, variables: int, trace: Callable[[TraceStep], object] | None, patience: int = 0
    ) -> None:
        super().__init__(clock, _WORK // max(1, variables), 0 if trace else patience)
        self.named: Callable[[int | str, int], tuple[str, int]] = lambda name, value: (str(name), value)
        self._made: list[tuple[str, int]] = []
        if trace is not None:
            self._trace = trace
            self.tick = self._traced  # type: ignore[method-assign]

    def watch(self, decisions: Decisions) -> None:
        """Set the function that reads the decisions in force."""
        self._decisions = decisions

    def _traced(self) -> None:
        """Count one node and report what is new there; Stopped if the trace requests the end."""
        super().tick()
        now = [self.named(*decision) for decision in self._decisions()]
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._made, now, strict=False)))
        back = [TraceStep(name, None) for name, _ in reversed(self._made[kept:])]
        self._made = now
        for step in (*back, *(TraceStep(*decision) for decision in now[kept:])):
            if self._trace(step):
                raise Stopped


Network = Mapping[str, Sequence[Constraint]]
"""The constraints over several variables, by each of their variables."""


def network_of(model: Model) -> Network:
    """Return the constraints to look at when a variable is fixed; those over one variable only narrow domains once."""
    found: dict[str, list[Constraint]] = {name: [] for name in model.names}
    for constraint in model.constraints:
        if len(constraint.scope) > 1:
            for name in constraint.scope:
                found[name].append(constraint)
    return found


def general(
    state: SearchState, order: Order, meter: SearchMeter, bound: Bound | None = None
) -> Iterator[Mapping[str, Domain]]:
    """Yield a domain of one value for each variable, once per solution; the mapping changes afterwards.

    ``order`` sorts the values of a variable as they are tried. With a ``bound`` each solution is better than those
    before it, as whoever pulls them tightens it.
    """
    if not state.possible_at_start():
        return
    frames: list[Frame] = []
    meter.watch(lambda: [(name, state.domains[name][0]) for name, _, _ in frames])
    while True:
        if state.open:
            name = state.choose()
            frames.append((name, iter(order(name, state.domains[name])), len(state.trail)))
        else:
            yield state.domains
        if not _advance(state, frames, meter, bound):
            return


def _advance(state: SearchState, frames: list[Frame], meter: SearchMeter, bound: Bound | None) -> bool:
    """Fix the deepest variable with a value left to the next possible one; False if none has."""
    while frames:
        name, untried, mark = frames[-1]
        for value in untried:
            state.undo(mark)
            possible = state.fix(name, value)
            meter.tick()
            if possible and (bound is None or bound.narrow(state)):
                return True
        state.undo(mark)
        state.open[name] = None
        frames.pop()
    return False


class SearchState:
    """The present domains, the variables not yet chosen, and a trail of changes to undo.

    ``pulse`` is called before each narrowing of a domain, which may take long for a large constraint; an exception from
    it (time is up) ends the search.
    """

    def __init__(self, model: Model, network: Network, domains: dict[str, Domain], pulse: Callable[[], object]) -> None:
        self.model, self.network, self.domains, self.pulse = model, network, domains, pulse
        self.open: dict[str, None] = dict.fromkeys(model.names)
        self.trail: list[tuple[str, Domain]] = []

    def possible_at_start(self) -> bool:
        """Narrow the domains by the constraints over one variable; False if the search need not begin."""
        few = [c for c in self.model.constraints if len(c.scope) < 2]
        return all(self.domains.values()) and all(
            self.narrow_last(c, c.scope[0]) if c.scope else c.holds({}) for c in few
        )

    def choose(self) -> str:
        """Remove the variable with the fewest values left from the open ones and return it."""
        domains, best, fewest = self.domains, "", 0
        for name in self.open:
            count = len(domains[name])
            if not fewest or count < fewest:
                best, fewest = name, count
                if count == 1:
                    break
        del self.open[best]
        return best

    def fix(self, name: str, value: int) -> bool:
        """Give a variable its value and check its constraints forward; False if one of them can no longer hold."""
        self.set(name, (value,))
        return all(self.check(constraint, name) for constraint in self.network[name])

    def check(self, constraint: Constraint, fixed: str) -> bool:
        """Remove from the open variables of a constraint what it rules out now; False if it can no longer hold."""
        if type(constraint) is AllDifferent:
            return self.drop(constraint.xs, fixed)
        several = [x for x in constraint.scope if len(self.domains[x]) > 1]
        if not several:
            return constraint.holds({x: self.domains[x][0] for x in constraint.scope})
        if len(several) == 1:
            return self.narrow_last(constraint, several[0])
        self.pulse()
        if not constraint.possible(self.domains):
            return False
        if type(constraint).possible is Constraint.possible:
            return True  # it says nothing before one variable is left
        return all(self.narrow(constraint, x) for x in several)

    def drop(self, names: tuple[str, ...], fixed: str) -> bool:
        """Remove the value of ``fixed`` from the others, as AllDifferent does, without testing value by value."""
        value = self.domains[fixed][0]
        for name in names:
            values = self.domains[name]
            if value in values and name != fixed:
                if len(values) == 1:
                    return False
                self.set(name, tuple(v for v in values if v != value))
        return True

    def narrow_last(self, constraint: Constraint, last: str) -> bool:
        """Keep the values of the last open variable for which the constraint holds; False if there are none."""
        self.pulse()
        values = {x: self.domains[x][0] for x in constraint.scope}
        return self.keep(last, tuple(v for v in self.domains[last] if constraint.holds({**values, last: v})))

    def narrow(self, constraint: Constraint, name: str) -> bool:
        """Keep the values of one open variable for which the constraint is still possible; False if none is left."""
        self.pulse()
        domains = self.domains
        before, left = domains[name], []
        for value in before:
            domains[name] = (value,)
            if constraint.possible(domains):
                left.append(value)
        domains[name] = before
        return self.keep(name, tuple(left))

    def keep(self, name: str, values: Domain) -> bool:
        """Narrow a domain to ``values``, some of its own; False if no value is left."""
        if len(values) < len(self.domains[name]):
            self.set(name, values)
        return bool(values)

    def set(self, name: str, values: Domain) -> None:
        """Replace a domain, with the old one on the trail."""
        self.trail.append((name, self.domains[name]))
        self.domains[name] = values

    def undo(self, mark: int) -> None:
        """Restore the domains as they were when the trail had the length ``mark``."""
        while len(self.trail) > mark:
            name, values = self.trail.pop()
            self.domains[name] = values


class Bound:
    """A bound on a linear objective; none before the first solution.

    The objective is seen as a cost to keep low: a sum of ``weights[x] * x``, at most ``most``.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        sign = 1 if objective.minimizes else -1
        self.weights = {x: sign * c for x, c in objective.terms.items()}
        self.most: int | None = None

    def tighten(self, solution: Mapping[str, Domain]) -> None:
        """Require less than the cost of a solution."""
        self.most = sum(w * solution[x][0] for x, w in self.weights.items()) - 1

    def narrow(self, state: SearchState) -> bool:
        """Remove the values that cost too much even if all others are cheapest; False if the bound cannot be met."""
        if self.most is None:
            return True
        domains = state.domains
        least = {x: w * domains[x][0 if w > 0 else -1] for x, w in self.weights.items()}
        spare = self.most - sum(least.values())
        if spare < 0:
            return False
        for x, w in self.weights.items():
            values, low = domains[x], least[x]
            if w * values[-1 if w > 0 else 0] - low > spare:
                state.keep(x, tuple([v for v in values if w * v - low <= spare]))
        return True

    def tried(self, name: str, values: Domain) -> Domain:
        """Return the values of a variable, the cheapest first; ascending if they cost nothing."""
        return values[::-1] if self.weights.get(name, 1) < 0 else values
