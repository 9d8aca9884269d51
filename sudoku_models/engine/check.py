"""Check every solution against the model as it was stated, independently of every solver.

If a model has a judge (the rules of a puzzle, each in its own words), the judge checks the solution too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import eq, getitem, itemgetter, methodcaller

from ..model import AllDifferent, Constraint, Domain, Givens, Model, leading_houses
from ..model.phrase import named
from ..model.same_objects import SameObjects
from ..model.stated_variables import StatedVariables
from .contract import Solution

_INT = frozenset({int})
_SUMMED = 2_000
"""For models whose variables have at most this number of values in total, one sum checks all houses."""
_FEW = 16
"""Solutions on one board that are checked house by house before the sum is built, which takes as long as these."""
_Test = tuple[Callable[[Solution], tuple[int, ...]], int, AllDifferent]


class Checker:
    """Checks solutions of one model: the values are integers in the domains, every constraint holds and the judge
    agrees.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        unlike = model.variables.unlike
        self._shared = unlike[0] if len(unlike) == 1 else ()
        self._values = frozenset(self._shared)
        leading = leading_houses(model)
        houses = leading if leading and len(leading[0].xs) > 1 else ()
        others: Sequence[Constraint] = model.constraints[len(leading) :]
        self._houses = _of_houses(SameObjects(model.variables, *houses))
        self._further: list[_Test] = []
        if model.counts[AllDifferent] > len(leading):
            self._further = [_test(model.index, c) for c in others if type(c) is AllDifferent and len(c.xs) > 1]
            others = [c for c in others if type(c) is not AllDifferent]
        self._others = others

    def fault(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        """Return what is wrong with a solution (values in the model's order); None if nothing is.

        ``domains`` are those of the request (givens and candidates), which must be kept too.
        """
        if type(domains) is Givens and self._stands(solution, domains):
            return self._broken(solution)
        if len(solution) != len(self.model.names):
            return f"it has {len(solution)} values for {len(self.model.names)} variables"
        return (
            self._no_integer(solution)
            or self._outside(solution)
            or self._not_kept(solution, domains)
            or self._violated(solution)
            or self._broken(solution)
        )

    def _stands(self, solution: Solution, givens: Givens) -> bool:
        """Return whether a solution passes the fast test by sums: one integer for each variable."""
        names, summed = self.model.names, self._houses.sum
        if summed is None or self._further or self._others or len(solution) != len(names) or givens.names != names:
            return False
        if not _INT.issuperset(map(type, solution)) or sum(map(eq, givens.cells, solution)) != givens.number:
            return False
        try:
            return summed.holds(solution)
        except KeyError:
            return False

    def _no_integer(self, solution: Solution) -> str | None:
        """Reject 5.0, True and other objects that equal an int but are not ints."""
        if _INT.issuperset(map(type, solution)):
            return None
        pairs = zip(self.model.names, solution, strict=True)
        name, value = next((name, value) for name, value in pairs if type(value) is not int)
        return f"{name} is {value!r} of type {type(value).__name__}, where an int is expected"

    def _outside(self, solution: Solution) -> str | None:
        if self._values and self._values.issuperset(solution):
            return None
        for variable, value in zip(self.model.variables, solution, strict=True):
            if value not in variable.domain:
                return f"{variable.name} is {value}, which is not in its domain"
        return None

    def _not_kept(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        index = self.model.index
        for name, values in domains.items():
            value = solution[index[name]]
            if value not in values:
                return f"{name} is {value}, which was not allowed there"
        return None

    def _violated(self, solution: Solution) -> str | None:
        summed = self._houses.sum
        stand = summed is not None and summed.holds(solution)
        for pick, size, constraint in self._further if stand else chain(self._houses.tests, self._further):
            if len({*pick(solution)}) != size:
                return f"it violates {named(constraint)}"
        if self._others:
            values = dict(zip(self.model.names, solution, strict=True))
            if not all(map(methodcaller("holds", values), self._others)):
                return next((f"it violates {named(c)}" for c in self._others if not c.holds(values)), None)
        return None

    def _broken(self, solution: Solution) -> str | None:
        if self.model.judge is None:
            return None
        broken = self.model.judge.broken(dict(zip(self.model.names, solution, strict=True)))
        return None if broken is None else f"it breaks {broken}, though every constraint holds"


class _Sum:
    """Checks all houses in one step. Each house has a field of a long integer, in which each value is a power of two.

    A sum of n powers of two has n bits if they all differ, and fewer if they do not. So the bits of a solution's values
    are looked up and added, and the sum must have as many set bits as there are places in all fields.
    """

    def __init__(self, domain: Domain, places: Sequence[frozenset[int]], variables: int) -> None:
        width = len(domain) + max(map(len, places)).bit_length()
        self.bits = sum(map(len, places))
        starts = [sum(1 << width * k for k, place in enumerate(places) if i in place) for i in range(variables)]
        self.table = [{value: start << k for k, value in enumerate(domain)} for start in starts]

    def holds(self, solution: Solution) -> bool:
        """Return whether all values in each house differ; the values must be in the domain."""
        return sum(map(getitem, self.table, solution)).bit_count() == self.bits


def checker_of(model: Model) -> Checker:
    """Return the model's checker, built once for each model object."""
    found = model.memo.get("checker")
    if not isinstance(found, Checker):
        found = model.memo["checker"] = Checker(model)
    return found


class _Houses:
    """The houses of a board, shared by many models: their tests, and a sum that replaces these.

    There is no sum if variables have different domains, if it would be large, or until building it pays off.
    """

    def __init__(self, variables: StatedVariables, houses: Sequence[AllDifferent]) -> None:
        self._variables, self._asked = variables, 0
        self.tests = [_test(variables.places, house) for house in houses]
        self._may_be_summed = bool(houses) and len(variables.unlike) == 1 and variables.values <= _SUMMED
        self._sum: _Sum | None = None

    @property
    def sum(self) -> _Sum | None:
        """The sum; None if it has not been built."""
        if self._sum is None and self._may_be_summed:
            self._asked += 1
            if self._asked > _FEW:
                numbers = tuple(range(len(self._variables)))
                places = [frozenset(pick(numbers)) for pick, _, _ in self.tests]
                self._sum = _Sum(self._variables.unlike[0], places, len(numbers))
        return self._sum


@lru_cache(maxsize=64)
def _of_houses(key: SameObjects) -> _Houses:
    """Return the houses of a board; the key contains the variables, then the houses."""
    variables, *houses = key.kept
    assert isinstance(variables, StatedVariables)
    return _Houses(variables, [house for house in houses if isinstance(house, AllDifferent)])


def _test(index: Mapping[str, int], constraint: AllDifferent) -> _Test:
    places = sorted([index[x] for x in constraint.xs])
    step = places[1] - places[0]
    even = places == list(range(places[0], places[-1] + 1, step))
    picked = (slice(places[0], places[-1] + 1, step),) if even else places  # taking a slice is faster
    return itemgetter(*picked), len(places), constraint
