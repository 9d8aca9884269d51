"""Check every solution against the model as it was stated, independently of every solver; nothing leaves unchecked.

If a model has a judge (the rules of a puzzle, each in its own words), the judge checks the solution too. Solutions
come one by one, as tuples, or many at a time, as rows of an array: a check of an array takes half a millisecond at
least, but then a fraction of a microsecond for each row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from marshal import dumps
from operator import eq, itemgetter, methodcaller, mul
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BackendCrashed, BackendFailed, SudokuModelsError, WrongAnswer
from ..model import AllDifferent, Constraint, Domain, Givens, Judge, Model
from ..model.phrase import named
from .budget import Interruption
from .contract import Block, Ending, Feature, Reason, Request, Solution
from .record import Record
from .registry import Selection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .verdicts import Verdicts

T = TypeVar("T")

FEW = 16
"""Up to this many rows of an array are checked one by one, which is faster."""

MOST_ALONE = 4_096
"""Up to this many solutions that were judged alone are kept, to see which variables a judge reads."""

NARROW, WIDEST = 16, 62
"""The values of houses, from the least to the greatest, are the bits of a short word or of a long one, or are sorted.
"""

REMEMBERED = 1 << 16
"""The largest number of solutions remembered to detect repetitions."""

WORD, FAR = (1 << 64) - 1, 1 << 31
"""The numbers by which solutions are remembered have 64 bits; with larger values than this they are digests."""

_INT = frozenset({int})


class Checker:
    """Checks solutions of one model: the values are integers in the domains, every constraint holds and the judge
    agrees.
    """

    def __init__(self, model: Model) -> None:
        self.model, index = model, model.index
        unlike = model.variables.unlike
        self._shared = frozenset(unlike[0]).intersection(*unlike[1:]) if unlike else frozenset()
        self._houses = [c for c in model.constraints if type(c) is AllDifferent and len(c.xs) > 1]
        self._others: Sequence[Constraint] = [c for c in model.constraints if type(c) is not AllDifferent]
        self._places = [[index[x] for x in c.xs] for c in self._houses]
        self._tests = [(_picker(places), len(places), c) for places, c in zip(self._places, self._houses, strict=True)]

    def fault(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        """Return what is wrong with a solution (values in the model's order); None if nothing is.

        ``domains`` are those of the request (givens and candidates), which must be kept too.
        """
        if len(solution) != len(self.model.names):
            return f"it has {len(solution)} values for {len(self.model.names)} variables"
        return (
            self._no_integer(solution)
            or self._outside(solution)
            or self._not_kept(solution, domains)
            or self._violated(solution)
            or self._broken(solution)
        )

    def _no_integer(self, solution: Solution) -> str | None:
        """Reject 5.0, True and other objects that equal an int but are not ints."""
        if _INT.issuperset(map(type, solution)):
            return None
        pairs = zip(self.model.names, solution, strict=True)
        name, value = next((name, value) for name, value in pairs if type(value) is not int)
        return f"{name} is {value!r} of type {type(value).__name__}, where an int is expected"

    def _outside(self, solution: Solution) -> str | None:
        if self._shared.issuperset(solution):
            return None
        for variable, value in zip(self.model.variables, solution, strict=True):
            if value not in variable.domain:
                return f"{variable.name} is {value}, which is not in its domain"
        return None

    def _not_kept(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        named_alike = type(domains) is Givens and domains.names == self.model.names
        if named_alike and sum(map(eq, domains.cells, solution)) == domains.number:  # type: ignore[attr-defined]
            return None
        index = self.model.index
        for name, values in domains.items():
            value = solution[index[name]]
            if value not in values:
                return f"{name} is {value}, which was not allowed there"
        return None

    def _violated(self, solution: Solution) -> str | None:
        for pick, size, constraint in self._tests:
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
        return None if broken is None else _breaks(broken)

    def good(self, rows: NDArray[Any], domains: Mapping[str, Domain]) -> NDArray[Any]:
        """Return for each row of an array whether it is within the domains and satisfies every constraint."""
        import numpy as np

        columns = np.ascontiguousarray(rows.T)
        allowed = [_narrower(v.domain, domains.get(v.name)) for v in self.model.variables]
        low, high = (np.array([ends[i] for ends in allowed], np.int64)[:, None] for i in (0, 1))
        good = np.asarray(((columns >= low) & (columns <= high)).all(axis=0))
        for x, (_, _, listed) in enumerate(allowed):
            if listed:
                good &= np.isin(columns[x], listed)
        if self._places:
            good &= self._different(columns)
        values = dict(zip(self.model.names, columns, strict=True))
        for constraint in self._others:
            good &= constraint.holds_many(values) if constraint.scope else constraint.holds({})
        return good

    def _different(self, columns: NDArray[Any]) -> NDArray[Any]:
        """Return for each row whether no house repeats a value: then the sum of its bits equals their union."""
        import numpy as np

        good = np.ones(columns.shape[1], bool)
        least = int(columns.min(initial=0))
        width = int(columns.max(initial=0)) - least + max(map(len, self._places)).bit_length()
        if width >= WIDEST:
            for house in self._places:
                table = np.sort(columns[house], axis=0)
                good &= (table[1:] != table[:-1]).all(axis=0)
            return good
        dtype = np.uint16 if width < NARROW else np.int64  # wide enough for the sum of a house's bits
        bits = np.left_shift(dtype(1), (columns - least).astype(dtype))
        for house in self._places:
            of_house = bits[house]
            good &= np.bitwise_or.reduce(of_house, axis=0) == np.add.reduce(of_house, axis=0, dtype=dtype)
        return good


def checker_of(model: Model) -> Checker:
    """Return the model's checker, built once for each model object."""
    found = model.memo.get("checker")
    if not isinstance(found, Checker):
        found = model.memo["checker"] = Checker(model)
    return found


def _picker(places: list[int]) -> Callable[[Solution], tuple[int, ...]]:
    """Return a function that picks the values at some places: a slice where they are evenly spaced, which is faster."""
    places = sorted(places)
    step = places[1] - places[0]
    even = places == list(range(places[0], places[-1] + 1, step))
    return itemgetter(*((slice(places[0], places[-1] + 1, step),) if even else places))


def _narrower(domain: Domain, asked: Domain | None) -> tuple[int, int, list[int]]:
    """Return the ends of a domain, and its values if there are gaps between them."""
    left = domain if asked is None else tuple(sorted({*domain} & {*asked}))
    if not left:
        return 1, 0, []
    return left[0], left[-1], [] if left[-1] - left[0] + 1 == len(left) else list(left)


def _breaks(broken: str) -> str:
    return f"it breaks {broken}, though every constraint holds"


class SeenSolutions:
    """Detects repeated solutions in bounded memory, by a number for each: a random linear form modulo 2^64.

    All are remembered until there are ``REMEMBERED``. Then half of them are forgotten, by their numbers, and from then
    on solutions with such numbers are skipped; and so on. So ``share`` (1, 1/2, 1/4, ...) is the chance that a single
    repetition is noticed; of n repetitions at least one is noticed with the chance 1 - (1 - share)^n.
    """

    def __init__(
        self, width: int, places: Sequence[int] | None = None, most: int = REMEMBERED, far: bool = False
    ) -> None:
        """Begin; ``places`` are those of the variables that must not repeat, of ``width`` (None: all of them).

        ``far``: some values are so large that the form might not tell them apart; then their digest is the number.
        """
        draw = Random(width)
        self.places, self.far = places, far
        self.factors = [draw.getrandbits(64) | 1 for _ in (range(width) if places is None else places)]
        self.most, self._mask = most, 0
        self.numbers: set[int] = set()

    @property
    def share(self) -> float:
        """The probability that a solution is remembered."""
        return 1 / (self._mask + 1)

    def numbers_of(self, block: Any, sampled: bool = False) -> list[int]:
        """Return the number of each solution, the same for tuples and for the rows of an array.

        ``sampled``: of an array only the numbers that are remembered are needed.
        """
        places = self.places
        if self.far or isinstance(block, list):
            rows = block if isinstance(block, list) else [*map(tuple, block.tolist())]
            rows = rows if places is None else [tuple([row[i] for i in places]) for row in rows]
            if self.far:
                return [int.from_bytes(blake2b(dumps(row, 2), digest_size=8).digest()) for row in rows]
            sums = [sum(map(mul, row, self.factors)) & WORD for row in rows]
            return [number ^ number >> 29 for number in sums]
        import numpy as np

        kept = block if places is None else block[:, places]
        marks = kept.astype(np.uint64) @ np.array(self.factors, np.uint64)
        marks ^= marks >> np.uint64(29)
        if sampled and self._mask:
            marks = marks[(marks & np.uint64(self._mask)) == 0]
        found: list[int] = marks.tolist()
        return found

    def repeats(self, numbers: Sequence[int]) -> bool:
        """Remember solutions by their numbers; return whether one of them was seen before."""
        kept = [number for number in numbers if not number & self._mask] if self._mask else numbers
        before = len(self.numbers)
        self.numbers.update(kept)
        if len(self.numbers) < before + len(kept):
            return True
        while len(self.numbers) > self.most:
            self._mask = 2 * self._mask + 1
            self.numbers = {number for number in self.numbers if not number & self._mask}
        return False


class Guard:
    """Checks what a backend yields: each solution satisfies the stated model and its judge, and none is repeated.

    Of more than 65,536 solutions only a sample is remembered, so a repetition may go unnoticed: see ``SeenSolutions``.

    With an objective each solution has to be better than the one before, by its value as it is computed here, and no
    better than the bound that the backend claims. Several engines may follow one another (``next_engine``) or work
    together (``merging``): what is known already, or does not improve, is then left out.
    """

    merging = False

    def __init__(self, checker: Checker, selection: Selection, request: Request) -> None:
        self.checker, self.selection, self.request, model = checker, selection, request, checker.model
        self.width, self.objective = len(model.names), model.objective
        self.best: int | None = None
        self.count = 0
        places = None if request.keep is None else [model.index[name] for name in request.keep]
        self.seen = None
        if request.limit != 1 and not self.objective:
            far = any(values and max(-values[0], values[-1]) >= FAR for values in model.variables.unlike)
            self.seen = SeenSolutions(self.width, places, far=far)
        self.known: set[int] = set()
        self._parts: list[Verdicts] | None = None
        self._alone: list[Solution] | None = None if checker.model.judge is None else []

    @property
    def wanted(self) -> bool:
        """Return whether more solutions are wanted."""
        return self.request.limit is None or self.count < self.request.limit

    @property
    def remembers_all(self) -> bool:
        """Return whether every solution is remembered, so that another engine can leave them out."""
        return self.seen is None or self.seen.share == 1

    def asked(self, request: Request) -> Request:
        """Return the request for an engine that starts anew: some of its improvements may not be improvements here."""
        return replace(request, limit=None) if self.objective and self.count else request

    def next_engine(self, selection: Selection) -> None:
        """Let another engine begin anew."""
        self.selection, self.merging = selection, self.count > 0
        self.known = set(self.seen.numbers) if self.seen and self.count else set()

    def followed(self, selection: Selection) -> None:
        """Note whose answers come from now on, of several engines that work together."""
        self.selection = selection

    def one(self, solution: Any) -> Solution | None:
        """Return a solution reduced to the stated variables; WrongAnswer if it is wrong or out of turn.

        None if it was left out.
        """
        if type(solution) is not tuple:
            raise self.wrong(f"it is a {type(solution).__name__}, where a tuple of values is expected")
        if len(solution) > self.width:
            solution = solution[: self.width]
        if fault := self.checker.fault(solution, self.request.domains):
            raise self.wrong(fault)
        if self.seen is not None and not self._new(self.seen, [solution]):
            return None
        if self.objective and not self._improves(solution):
            return None
        if self._alone is not None:
            self._alone.append(solution)
            if len(self._alone) > MOST_ALONE:
                self._alone = None
        self.count += 1
        found: Solution = solution
        return found

    def array(self, block: Any) -> NDArray[Any]:
        """Return an array reduced to the stated variables; WrongAnswer if it does not hold rows of whole numbers."""
        if block.ndim != 2 or block.shape[1] < self.width or block.dtype.kind != "i":
            kind = f"an array {block.shape} of {block.dtype}"
            raise self.wrong(f"a block of it is {kind}, where rows of whole numbers are expected")
        stated: NDArray[Any] = block[:, : self.width]
        return stated

    def rows(self, block: NDArray[Any], look: Callable[[], object]) -> Block:
        """Return the new rows of an array (n, variables), no more than are wanted.

        ``look`` is called before each question to a judge, which may take long; an exception from it ends the check.
        """
        good = self.checker.good(block, self.request.domains)
        if not good.all():
            row = tuple(block[int((~good).argmax())].tolist())
            raise self.wrong(self.checker.fault(row, self.request.domains) or "the check of many rows refuses it")
        if broken := self._broken(block, look):
            raise self.wrong(_breaks(broken))
        if self.seen is not None:
            if self.known:
                block = block[self._new(self.seen, block)]
            elif self.seen.repeats(self.seen.numbers_of(block, sampled=True)):
                raise self.wrong("it was returned before")
        if self.request.limit is not None and len(block) > self.request.limit - self.count:
            block = block[: self.request.limit - self.count]
        self.count += len(block)
        return block

    def _new(self, seen: SeenSolutions, block: Any) -> list[int]:
        """Remember solutions; return the indexes of those that no earlier engine found. WrongAnswer if one repeats."""
        numbers, new = seen.numbers_of(block), range(len(block))
        if self.known:
            new = [i for i in new if numbers[i] not in self.known]  # type: ignore[assignment]
            self.known.difference_update(numbers)
            numbers = [numbers[i] for i in new]
        if seen.repeats(numbers):
            raise self.wrong("it was returned before")
        return new  # type: ignore[return-value]

    def _improves(self, solution: Solution) -> bool:
        """Return whether a solution is better than the one before; WrongAnswer if a single engine says so falsely."""
        assert self.objective
        value = self.objective.value(dict(zip(self.checker.model.names, solution, strict=True)))
        if self.objective.improves(value, self.best):
            self.best = value
            return True
        if not self.merging:
            raise self.wrong(f"its objective is {value}, which does not improve on {self.best}")
        return False

    def _broken(self, rows: NDArray[Any], look: Callable[[], object]) -> str | None:
        """Judge every row by the parts of the judge, side by side."""
        judge = self.checker.model.judge
        if judge is None:
            return None
        found = (verdicts.broken(rows, look) for verdicts in self._verdicts(judge))
        return next((broken for broken in found if broken is not None), None)

    def _verdicts(self, judge: Judge) -> list[Verdicts]:
        """Return the parts of the judge; there may be thousands."""
        if self._parts is None:
            from .verdicts import Verdicts

            variables = self.checker.model.variables
            ends = [_narrower(v.domain, self.request.domains.get(v.name))[:2] for v in variables]
            self._parts = [Verdicts(part, self.checker.model.names, ends) for part in judge.each()]
        return self._parts

    def parted(self, groups: Sequence[Sequence[str]]) -> bool:
        """Return whether each rule's judge has read the variables of at most one group (and variables outside the
        groups).
        """
        judge = self.checker.model.judge
        if judge is None:
            return True
        if self._alone is None:
            return False
        if self._alone:
            import numpy as np

            for one in self._verdicts(judge):
                one.broken(np.array(self._alone, np.int64), bool)  # the variables that each part reads
            self._alone = []
        of = {self.checker.model.index[x]: number for number, group in enumerate(groups) for x in group}
        return all(len({of[x] for x in one.columns if x in of}) <= 1 for one in self._verdicts(judge))

    def ended(self, ending: Ending) -> Ending:
        """Return how a run ended, with the best value as the bound if it is complete; WrongAnswer for a false bound,
        or for an engine that lost solutions which another one found.

        A bound proved before the end is kept in the record: see ``tighten``.
        """
        reason = ending.reason if self.wanted else Reason.LIMIT
        if reason is Reason.EXHAUSTED and Feature.PROVE not in self.selection.capabilities.features:
            reason = Reason.GAVE_UP
        if self._belied(ending.bound):
            raise self.wrong(f"its objective is {self.best}, better than the claimed bound {ending.bound}")
        if reason is Reason.EXHAUSTED and self.known:
            name = self.selection.backend.name
            raise WrongAnswer(f"{self.selection} lost a solution that another engine found", name)
        return Ending(reason, self.best if reason is Reason.EXHAUSTED else None)

    def tighten(self, record: Record, bound: int | None) -> None:
        """Write a bound into the record if it is tighter than the one there."""
        proves = Feature.PROVE in self.selection.capabilities.features
        if self.objective is None or bound is None or self._belied(bound) or not proves:
            return
        if record.bound is None or self.objective.improves(record.bound, bound):
            record.bound = bound

    def _belied(self, bound: int | None) -> bool:
        if self.objective is None or self.best is None or bound is None:
            return False
        return self.objective.improves(self.best, bound)

    def wrong(self, fault: str) -> WrongAnswer:
        """Return the error that names the backend and the fault."""
        return WrongAnswer(f"{self.selection} returned a wrong solution: {fault}", self.selection.backend.name)


def guarded(selection: Selection, step: Callable[..., T], *content: Any) -> T:
    """Call an engine; whatever it raises that is not ours becomes BackendFailed."""
    try:
        return step(*content)
    except (SudokuModelsError, StopIteration, Interruption):
        raise
    except SystemExit as error:
        raise BackendCrashed(f"{selection} tried to exit the program with code {error.code!r}") from error
    except Exception as error:
        raise BackendFailed(f"{selection} failed: {type(error).__name__}: {error}") from error
