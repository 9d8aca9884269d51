"""The check of every solution against the model as it was stated, written apart from every solver.

Where a model has a judge (the rules of a puzzle, each by its own sentence) a solution has to stand before it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import eq, getitem, itemgetter

from ..model import AllDifferent, Domain, Givens, Model
from ..model.phrase import named
from .contract import Solution

_INT = frozenset({int})
_SUMMED = 2_000
"""For a model with at most this number of values of variables, all AllDifferents are checked by one sum."""
_Test = tuple[Callable[[Solution], tuple[int, ...]], int, AllDifferent]


class Checker:
    """Checks solutions of one model: whole numbers in the domains, every constraint satisfied, the judge content."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._shared = model.variables[0].domain if model.variables else ()
        if any(v.domain is not self._shared and v.domain != self._shared for v in model.variables):
            self._shared = ()
        self._values = frozenset(self._shared)
        different = [c for c in model.constraints if isinstance(c, AllDifferent) and len(c.xs) > 1]
        houses = next((i for i, c in enumerate(different) if len(c.xs) != len(different[0].xs)), len(different))
        self._different = [*_tests(tuple(different[:houses]), model.names)]
        self._different += (_test(model.index, c) for c in different[houses:])
        self._sum = _Sum.of(model, tuple(self._different)) if self._shared else None
        self._others = [c for c in model.constraints if not isinstance(c, AllDifferent)]

    def fault(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        """Return what is wrong with a solution (values in the model's order), None when nothing is.

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
        """Tell whether all is well with whole numbers that are one for each variable, where sums tell it at once."""
        names = self.model.names
        if self._sum is None or self._others or len(solution) != len(names) or givens.names != names:
            return False
        if not _INT.issuperset(map(type, solution)) or sum(map(eq, givens.cells, solution)) != givens.number:
            return False
        try:
            return self._sum.holds(solution)
        except KeyError:
            return False

    def _no_integer(self, solution: Solution) -> str | None:
        """Refuse 5.0, True and other things that equal an int but are not ints."""
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
        if self._sum is None or not self._sum.holds(solution):
            for pick, size, constraint in self._different:
                if len({*pick(solution)}) != size:
                    return f"it violates {named(constraint)}"
        if self._others:
            values = dict(zip(self.model.names, solution, strict=True))
            return next((f"it violates {named(c)}" for c in self._others if not c.holds(values)), None)
        return None

    def _broken(self, solution: Solution) -> str | None:
        if self.model.judge is None:
            return None
        broken = self.model.judge.broken(dict(zip(self.model.names, solution, strict=True)))
        return None if broken is None else f"it breaks {broken}, though every constraint holds"


class _Sum:
    """Checks all AllDifferents at once. Each has a field of a long integer, in which each value has a power of two.

    A sum of n powers of two has n bits if they all differ, and fewer if they do not. So the values of a solution are
    looked up and added, and there have to be as many bits as all fields have places together.
    """

    def __init__(self, domain: Domain, places: Sequence[frozenset[int]], variables: int) -> None:
        width = len(domain) + max(map(len, places)).bit_length()
        self.bits = sum(map(len, places))
        starts = [sum(1 << width * k for k, place in enumerate(places) if i in place) for i in range(variables)]
        self.table = [{value: start << k for k, value in enumerate(domain)} for start in starts]

    @classmethod
    def of(cls, model: Model, tests: tuple[_Test, ...]) -> _Sum | None:
        """Return the sum of a model whose variables have one domain; None for one too large, or without tests."""
        domain, variables = model.variables[0].domain, len(model.variables)
        if not tests or variables * len(domain) > _SUMMED:
            return None
        return _sum(domain, tuple(frozenset(pick(tuple(range(variables)))) for pick, _, _ in tests), variables)

    def holds(self, solution: Solution) -> bool:
        """Tell whether all differ; the values have to be in the domain."""
        return sum(map(getitem, self.table, solution)).bit_count() == self.bits


@lru_cache(maxsize=64)
def _sum(domain: Domain, places: tuple[frozenset[int], ...], variables: int) -> _Sum:
    return _Sum(domain, places, variables)


def checker_of(model: Model) -> Checker:
    """Return the model's checker, built once for each model object."""
    found = model.memo.get("checker")
    if not isinstance(found, Checker):
        found = model.memo["checker"] = Checker(model)
    return found


@lru_cache(maxsize=64)
def _tests(houses: tuple[AllDifferent, ...], names: tuple[str, ...]) -> tuple[_Test, ...]:
    """Return the tests of the houses of a board, which many models have in common."""
    index = {name: i for i, name in enumerate(names)}
    return tuple(_test(index, house) for house in houses)


def _test(index: Mapping[str, int], constraint: AllDifferent) -> _Test:
    places = sorted([index[x] for x in constraint.xs])
    step = places[1] - places[0]
    even = places == list(range(places[0], places[-1] + 1, step))
    picked = (slice(places[0], places[-1] + 1, step),) if even else places  # a slice is picked faster
    return itemgetter(*picked), len(places), constraint
