"""How many solutions a model has, whatever its rules: dynamic programming over its variables, which enumerates none.

The variables get values one after the other, in the model's order. All that those before say to those behind is how far
each constraint has come that has variables on both sides: which values are taken, a sum, a state, or, for a kind
without a short form, the values themselves. Partial assignments that agree in this are counted together. The
constraints say themselves whether they hold; nothing here uses a solver, an encoding or a rewrite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from sudoku_models.errors import LimitReached
from sudoku_models.model import OPERATORS, AllDifferent, Constraint, Count, Domain, Linear, Model, Regular
from sudoku_models.puzzle import Puzzle

MOST = 2_000_000
"""States beyond which the count is given up."""


class Reader(NamedTuple):
    """Reads the values of a constraint's variables as they come.

    ``read`` returns the state after one more value, None where the constraint is violated; ``holds`` says of the last
    state whether it holds.
    """

    start: Hashable
    read: Callable[[Any, str, int], Hashable | None]
    holds: Callable[[Any], bool]


def solutions_by_frontier(problem: Puzzle | Model, most: int = MOST) -> int:
    """Return the number of solutions of a puzzle or of a model (over all of its variables).

    Boards up to 6x6 with givens or rules take seconds; LimitReached if there are more than ``most`` states at once.
    """
    model = problem if isinstance(problem, Model) else problem.structure
    narrowed: Mapping[str, Domain] = {} if isinstance(problem, Model) else problem.domains
    domains = {x: tuple(v for v in model.domains[x] if v in narrowed.get(x, model.domains[x])) for x in model.names}
    orders = [[x for x in model.names if x in set(c.scope)] for c in model.constraints]
    if not all(c.holds({}) for c in model.constraints if not c.scope):
        return 0
    readers = [_reader(c, order, domains) for c, order in zip(model.constraints, orders, strict=True)]
    states = Counter({tuple(reader.start for reader in readers): 1})
    for x in model.names:
        touched = [(k, reader, orders[k][-1] == x) for k, reader in enumerate(readers) if x in orders[k]]
        reached: Counter[tuple[Hashable, ...]] = Counter()
        for state, ways in states.items():
            for value in domains[x]:
                after = list(state)
                for k, reader, last in touched:
                    after[k] = reader.read(state[k], x, value)
                    if after[k] is None:
                        break
                    if last:
                        if not reader.holds(after[k]):
                            break
                        after[k] = None  # all is read
                else:
                    reached[tuple(after)] += ways
            if len(reached) > most:
                raise LimitReached(f"the solutions are not counted: there are more than {most:,} states", None)
        states = reached
    return states.total()


def _reader(c: Constraint, order: Sequence[str], domains: Mapping[str, Domain]) -> Reader:
    """Return what reads a constraint with the fewest states; where a name appears in it twice, all values are kept."""
    scope = list(c.variables())
    single = len(set(scope)) == len(scope) and all(domains[x] for x in scope)
    if single and isinstance(c, AllDifferent):
        return Reader(frozenset(), lambda taken, x, v: None if v in taken else taken | {v}, lambda taken: True)
    if single and isinstance(c, Linear):
        worth = {x: {v: k * v for v in domains[x]} for k, x in zip(c.coeffs, c.xs, strict=True)}
        return _sum(worth, order, OPERATORS[c.op], c.k)
    if single and isinstance(c, Count) and isinstance(c.y, int):
        return _sum({x: {v: int(v in c.values) for v in domains[x]} for x in c.xs}, order, OPERATORS[c.op], c.y)
    if single and isinstance(c, Regular) and list(c.xs) == list(order):
        automaton = c.automaton
        return Reader(
            automaton.start,
            lambda state, x, v: automaton.next.get((state, v)),
            lambda state: state in automaton.accepting,
        )
    return Reader((), lambda values, x, v: (*values, v), lambda values: c.holds(dict(zip(order, values, strict=True))))


def _sum(
    worth: Mapping[str, Mapping[int, int]], order: Sequence[str], op: Callable[[int, int], bool], limit: int
) -> Reader:
    """Add up what each value of each variable is worth, as long as the limit is within reach."""
    least, most, left = 0, 0, {}
    for x in reversed(order):
        left[x] = least, most
        least, most = least + min(worth[x].values()), most + max(worth[x].values())

    def read(total: int, x: str, value: int) -> int | None:
        total += worth[x][value]
        low, high = total + left[x][0], total + left[x][1]
        return total if op(low, limit) or op(high, limit) or low <= limit <= high else None

    return Reader(0, read, lambda total: op(total, limit))
