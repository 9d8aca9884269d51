"""How many solutions a model has, whatever its rules: dynamic programming over its variables, which enumerates none.

The variables get values one after the other, in the model's order. All that those before say to those behind is how far
each constraint has come that has variables on both sides: which values are taken, a sum, a state, or, for a kind
without a short form, the values themselves. Partial assignments that agree in this are counted together. The
constraints say themselves whether they hold; nothing here uses a solver, an encoding or a rewrite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from sudoku_models.errors import LimitReached
from sudoku_models.model import OPERATORS, AllDifferent, Constraint, Count, Domain, Linear, Model, Regular
from sudoku_models.puzzle import Puzzle

MOST = 2_000_000
"""States beyond which the count is given up."""

State = Hashable


def solutions_by_frontier(problem: Puzzle | Model, most: int = MOST) -> int:
    """Return the number of solutions of a puzzle or of a model (over all of its variables).

    Boards up to 6x6 with givens or rules take seconds; LimitReached if there are more than ``most`` states at once.
    """
    model = problem if isinstance(problem, Model) else problem.structure
    narrowed: Mapping[str, Domain] = {} if isinstance(problem, Model) else problem.domains
    domains = {x: tuple(v for v in model.domains[x] if v in narrowed.get(x, model.domains[x])) for x in model.names}
    readers = [_reader(c, model.names, domains) for c in model.constraints]
    if not all(c.holds({}) for c in model.constraints if not c.scope):
        return 0
    states: Counter[tuple[State, ...]] = Counter({tuple(reader.start for reader in readers): 1})
    for x in model.names:
        touched = [(k, reader) for k, reader in enumerate(readers) if x in reader.places]
        reached: Counter[tuple[State, ...]] = Counter()
        for state, ways in states.items():
            for value in domains[x]:
                after = _after(state, touched, x, value)
                if after is not None:
                    reached[after] += ways
            if len(reached) > most:
                raise LimitReached(f"the solutions are not counted: there are more than {most:,} states", None)
        states = reached
    return states.total()


def _after(
    state: tuple[State, ...], touched: Sequence[tuple[int, Reader]], x: str, value: int
) -> tuple[State, ...] | None:
    """Return how far each constraint has come with one more value; None if one of them is violated."""
    found = list(state)
    for k, reader in touched:
        found[k] = reader.step(found[k], x, value)
        if found[k] is None:
            return None
    return tuple(found)


class Reader:
    """Reads the values of a constraint's variables as they come, and keeps them all.

    ``places`` says of each variable how many of the constraint are behind it. A state is None where the constraint is
    violated, and DONE when all is read and it holds.
    """

    start: State = ()

    def __init__(self, constraint: Constraint, names: Sequence[str]) -> None:
        """Read a constraint's variables in the order in which they stand among ``names``."""
        self.constraint = constraint
        scope = set(constraint.scope)
        self.order = [x for x in names if x in scope]
        self.places = {x: len(self.order) - 1 - k for k, x in enumerate(self.order)}

    def step(self, state: State, x: str, value: int) -> State:
        """Return the state after one more value."""
        after = self.read(state, x, value)
        if after is None or self.places[x]:
            return after
        return DONE if self.fulfilled(after) else None

    def read(self, state: State, x: str, value: int) -> State:
        """Return the state after one more value, whether it is the last one or not."""
        assert isinstance(state, tuple)
        return (*state, value)

    def fulfilled(self, state: State) -> bool:
        """Return whether the constraint holds when all values are read."""
        assert isinstance(state, tuple)
        return self.constraint.holds(dict(zip(self.order, state, strict=True)))


DONE = "done"


class TakenReader(Reader):
    """The values that are taken, of AllDifferent."""

    start = frozenset[int]()

    def read(self, state: State, x: str, value: int) -> State:
        """Take a value."""
        assert isinstance(state, frozenset)
        return None if value in state else state | {value}

    def fulfilled(self, state: State) -> bool:
        """All are different."""
        return True


class SumReader(Reader):
    """The sum so far, of Linear, and of Count with a number."""

    start = 0

    def __init__(
        self, constraint: Linear | Count, names: Sequence[str], worth: Mapping[str, Mapping[int, int]], limit: int
    ) -> None:
        """Add up what each value of each variable is worth, to be compared with a limit."""
        super().__init__(constraint, names)
        self.worth, self.op, self.limit = worth, OPERATORS[constraint.op], limit
        left, self.left = (0, 0), {}
        for x in reversed(self.order):
            self.left[x] = left
            left = left[0] + min(worth[x].values()), left[1] + max(worth[x].values())

    def read(self, state: State, x: str, value: int) -> State:
        """Add a value, unless the limit is out of reach then."""
        assert isinstance(state, int)
        total, (least, most) = state + self.worth[x][value], self.left[x]
        ends = total + least, total + most
        near = self.op(ends[0], self.limit) or self.op(ends[1], self.limit) or ends[0] <= self.limit <= ends[1]
        return total if near else None

    def fulfilled(self, state: State) -> bool:
        """The sum is as wanted."""
        assert isinstance(state, int)
        return bool(self.op(state, self.limit))


class WordReader(Reader):
    """The state of the automaton, of Regular along the order of the model's variables."""

    def __init__(self, constraint: Regular, names: Sequence[str]) -> None:
        """Begin with the automaton's start."""
        super().__init__(constraint, names)
        self.start, self.automaton = constraint.automaton.start, constraint.automaton

    def read(self, state: State, x: str, value: int) -> State:
        """Follow an arrow."""
        assert isinstance(state, int)
        return self.automaton.next.get((state, value))

    def fulfilled(self, state: State) -> bool:
        """The state is an accepting one."""
        return state in self.automaton.accepting


def _reader(c: Constraint, names: Sequence[str], domains: Mapping[str, Domain]) -> Reader:
    """Return what reads a constraint with the fewest states; where a name appears in it twice, all values are kept."""
    scope = list(c.variables())
    if len(set(scope)) < len(scope) or any(not domains[x] for x in scope):
        return Reader(c, names)
    if isinstance(c, AllDifferent):
        return TakenReader(c, names)
    if isinstance(c, Linear):
        return SumReader(
            c, names, {x: {v: k * v for v in domains[x]} for k, x in zip(c.coeffs, c.xs, strict=True)}, c.k
        )
    if isinstance(c, Count) and isinstance(c.y, int):
        return SumReader(c, names, {x: {v: int(v in c.values) for v in domains[x]} for x in c.xs}, c.y)
    if isinstance(c, Regular) and list(c.xs) == [x for x in names if x in set(scope)]:
        return WordReader(c, names)
    return Reader(c, names)
