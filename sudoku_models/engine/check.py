"""Check every solution against the model as it was stated, independently of every solver; nothing leaves unchecked.

If a model has a judge (the rules of a puzzle, each in its own words), the judge checks the solution too. Solutions
come one by one, as tuples, or many at a time, as rows of an array, which is checked by its columns: that takes half a
millisecond at least, but then a fraction of a microsecond for each row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property, lru_cache
from math import inf
from operator import eq, itemgetter, methodcaller, mul
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BackendCrashed, BackendFailed, SudokuModelsError, WrongAnswer
from ..model import AllDifferent, Constraint, Domain, Givens, Model, PartJudge
from ..model.phrase import named
from .budget import Interruption
from .contract import Block, Ending, Feature, Reason, Request, Search, Solution
from .record import Record
from .registry import Selection

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
Look = Callable[[], object]

FEW = 16
"""Up to this many rows of an array are checked one by one, which is faster."""

PORTION = 8_192
"""Rows of an array that are checked at a time: they stay in the processor's cache."""

NARROW, WIDEST = 16, 62
"""The values of houses, from the least to the greatest, are the bits of a short word or of a long one, or are sorted.
"""

REMEMBERED = 1 << 16
"""The largest number of solutions remembered to detect repetitions, and of kinds of rows that were judged."""

WORD, FAR = (1 << 64) - 1, 1 << 31
"""The numbers by which solutions are remembered have 64 bits; with larger values than this they are hashes."""

_INT = frozenset({int})


class Checker:
    """Checks solutions of one model: the values are integers in the domains, every constraint holds and the judge
    agrees.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        unlike = model.variables.unlike
        self._shared = frozenset(unlike[0]).intersection(*unlike[1:]) if unlike else frozenset()
        self._houses = [c for c in model.constraints if type(c) is AllDifferent and len(c.xs) > 1]
        self._others: Sequence[Constraint] = [c for c in model.constraints if type(c) is not AllDifferent]
        side = len(self._houses[0].xs) if self._houses else 0  # the first ones are the board's
        number = next((i for i, c in enumerate(self._houses) if len(c.xs) != side), len(self._houses))
        self._side, self._picks = side, _picks(model.names, tuple([c.xs for c in self._houses[:number]]))
        self._alone = [*self._houses[number:], *self._others]

    @cached_property
    def _places(self) -> list[list[int]]:
        """The places of the cells of each house."""
        return [[self.model.index[x] for x in c.xs] for c in self._houses]

    def fault(self, solution: Solution, domains: Mapping[str, Domain]) -> str | None:
        """Return what is wrong with a solution (values in the model's order); None if nothing is.

        ``domains`` are those of the request (givens and candidates), which must be kept too.
        """
        model = self.model
        if len(solution) != len(model.names):
            return f"it has {len(solution)} values for {len(model.names)} variables"
        if not _INT.issuperset(map(type, solution)):  # 5.0 and True equal an int, but are none
            name, value = next(pair for pair in zip(model.names, solution, strict=True) if type(pair[1]) is not int)
            return f"{name} is {value!r} of type {type(value).__name__}, where an int is expected"
        if not self._shared.issuperset(solution):
            for variable, value in zip(model.variables, solution, strict=True):
                if value not in variable.domain:
                    return f"{variable.name} is {value}, which is not in its domain"
        given = type(domains) is Givens and domains.names == model.names[: len(domains.names)]
        if not (given and sum(map(eq, domains.cells, solution)) == domains.number):  # type: ignore[attr-defined]
            for name, values in domains.items():
                if (value := solution[model.index[name]]) not in values:
                    return f"{name} is {value}, which was not allowed there"
        return self._violated(solution)

    def _violated(self, solution: Solution) -> str | None:
        for house, pick in enumerate(self._picks):
            if len({*pick(solution)}) != self._side:
                return f"it violates {named(self._houses[house])}"
        if self._alone or self.model.judge is not None:
            values = dict(zip(self.model.names, solution, strict=True))
            if not all(map(methodcaller("holds", values), self._alone)):
                return next((f"it violates {named(c)}" for c in self._alone if not c.holds(values)), None)
            if self.model.judge is not None and (broken := self.model.judge.broken(values)) is not None:
                return _breaks(broken)
        return None

    def fault_in(
        self, rows: NDArray[Any], domains: Mapping[str, Domain], verdicts: Sequence[Verdicts], look: Look
    ) -> tuple[int, str] | None:
        """Return a row of an array that is wrong, and what is wrong with it; None if no row is.

        ``look`` is called before each question to a judge, which may take long; an exception from it ends the check.
        """
        good = self.good(rows, domains)
        if not good.all():
            row = int((~good).argmax())
            return row, self.fault(tuple(rows[row].tolist()), domains) or "the check of many rows refuses it"
        for part in verdicts:
            if broken := part.broken(rows, look):
                return broken[0], _breaks(broken[1])
        return None

    def good(self, rows: NDArray[Any], domains: Mapping[str, Domain]) -> NDArray[Any]:
        """Return for each row of an array whether it is within the domains and satisfies every constraint."""
        import numpy as np

        allowed = [_narrower(v.domain, domains.get(v.name)) for v in self.model.variables]
        dtype = np.dtype(np.int64) if self._others and rows.dtype.kind == "u" else rows.dtype  # for sums
        good = np.empty(len(rows), bool)
        for start in range(0, len(rows), PORTION):
            columns = np.ascontiguousarray(rows[start : start + PORTION].T, dtype)
            good[start : start + PORTION] = self._good(columns, allowed)
        return good

    def _good(self, columns: NDArray[Any], allowed: Sequence[tuple[int, int, list[int]]]) -> NDArray[Any]:
        import numpy as np

        lows, highs = [low for low, _, _ in allowed], [high for _, high, _ in allowed]
        least, most = max(lows, default=0), min(highs, default=0)
        good = np.ones(columns.shape[1], bool)
        if columns.min(initial=least) < least or columns.max(initial=most) > most:
            low, high = (np.array(ends, columns.dtype)[:, None] for ends in (lows, highs))
            good = np.asarray(((columns >= low) & (columns <= high)).all(axis=0), bool)
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
        """Return for each row whether no house repeats a value."""
        import numpy as np

        if not columns.shape[1]:
            return np.ones(0, bool)
        least, most = int(columns.min()), int(columns.max())
        full = {most - least + 1}.issuperset(map(len, self._places))
        width = most - least + (1 if full else max(map(len, self._places)).bit_length())
        if width >= WIDEST:
            tables = (np.sort(columns[house], axis=0) for house in self._places)
            good: NDArray[Any] = np.all([(table[1:] != table[:-1]).all(axis=0) for table in tables], axis=0)
            return good
        dtype = np.uint16 if width <= NARROW else np.int64  # wide enough for the sum of a house's bits
        bits = np.left_shift(dtype(1), (columns - least).astype(dtype))
        return without_repeats(bits, self._places, (1 << width) - 1 if full else None)

    def verdicts(self) -> list[Verdicts]:
        """Return the parts of the judge; there may be thousands."""
        judge = self.model.judge
        return [] if judge is None else [Verdicts(part, self.model.names) for part in judge.each()]


@lru_cache(maxsize=8)
def _picks(names: tuple[str, ...], houses: tuple[tuple[str, ...], ...]) -> list[itemgetter[Any]]:
    """Return what picks the values of each house: the same for all models of a board."""
    index = {name: place for place, name in enumerate(names)}
    return [itemgetter(*[index[x] for x in house]) for house in houses]


def without_repeats(bits: NDArray[Any], houses: Sequence[Sequence[int]], every: int | None = None) -> NDArray[Any]:
    """Return for each column of ``bits``, of which a house has some rows, whether no house has a bit twice.

    Then the sum of its bits equals their union; if it has as many cells as there are values, that is ``every`` bit.
    """
    import numpy as np

    good = np.ones(bits.shape[1], bool)
    for house in houses:
        of_house = bits[house]
        union = np.bitwise_or.reduce(of_house, axis=0)
        good &= union == (np.add.reduce(of_house, axis=0, dtype=bits.dtype) if every is None else every)
    return good


def checker_of(model: Model) -> Checker:
    """Return the model's checker, built once for each model object."""
    found = model.memo.get("checker")
    if not isinstance(found, Checker):
        found = model.memo["checker"] = Checker(model)
    return found


def _narrower(domain: Domain, asked: Domain | None) -> tuple[int, int, list[int]]:
    """Return the ends of a domain, and its values if there are gaps between them."""
    left = domain if asked is None else tuple(sorted({*domain} & {*asked}))
    if not left:
        return 1, 0, []
    return left[0], left[-1], [] if left[-1] - left[0] + 1 == len(left) else list(left)


def _breaks(broken: str) -> str:
    return f"it breaks {broken}, though every constraint holds"


class Verdicts:
    """A part of a judge, asked once for rows that it cannot distinguish.

    A judge is deterministic and knows a solution only by the values that it reads from a mapping. So rows that agree in
    all values read for one of them get the same verdict, and one row of each kind is judged: this is not sampling.
    ``columns`` are those of the variables read so far, in order.
    """

    def __init__(self, judge: PartJudge, names: Sequence[str]) -> None:
        """Start with nothing read."""
        self.judge, self._names = judge, names
        self._values = _Noting({name: column for column, name in enumerate(names)})
        self.columns, self._known = list[int](), set[bytes]()

    def broken(self, rows: NDArray[Any], look: Look) -> tuple[int, str] | None:
        """Return a row of an array (n, variables) that breaks something, and what; None if no row does."""
        while True:
            for row in self._new(rows):
                look()
                self._values.take(values := rows[row].tolist())
                every = len(self.columns) == len(values)  # nothing is left to be noted, and a dict is faster
                broken = self.judge.broken(dict(zip(self._names, values, strict=True)) if every else self._values)
                if broken is not None:
                    return row, broken
                if not self._values.read.issubset(self.columns):  # rows are told apart anew
                    self.columns, self._known = sorted(self._values.read.union(self.columns)), set()
                    break
            else:
                return None

    def _new(self, rows: NDArray[Any]) -> list[int]:
        """Return one row of each kind that has not been judged, and remember the kinds (the latest if many)."""
        import numpy as np

        if not self.columns:
            pairs = [] if self._known or not len(rows) else [(b"", 0)]
        else:
            values = np.ascontiguousarray(rows[:, self.columns])
            keys = values.view(f"V{values.itemsize * values.shape[1]}").ravel()
            kinds, first = np.unique(keys, return_index=True)
            found = zip(kinds.tolist(), first.tolist(), strict=True)
            pairs = [pair for pair in found if pair[0] not in self._known]
        if len(self._known) > REMEMBERED:
            self._known.clear()
        self._known.update(key for key, _ in pairs)
        return [row for _, row in pairs]


class _Noting(Mapping[str, int]):
    """The values of a row by name; notes the columns of those that are read. Listing the names notes nothing."""

    def __init__(self, index: Mapping[str, int]) -> None:
        self._index, self.read = index, set[int]()
        self._row: list[int] = []

    def take(self, row: list[int]) -> None:
        """Take the values of another row, of which nothing has been read."""
        self._row, self.read = row, set()

    def __getitem__(self, name: str) -> int:
        column = self._index[name]
        self.read.add(column)
        return self._row[column]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)


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

        ``far``: some values are so large that the form might not tell them apart; then the hash of their text does.
        """
        self.places, self.far = places, far
        self.factors = _factors(width, width if places is None else len(places))
        self.most, self._mask = most, 0
        self.numbers: set[int] = set()

    @property
    def share(self) -> float:
        """The probability that a solution is remembered."""
        return 1 / (self._mask + 1)

    def numbers_of(self, block: Any) -> list[int]:
        """Return the number of each solution, the same for tuples and for the rows of an array."""
        places = self.places
        if self.far or isinstance(block, list):
            rows = block if isinstance(block, list) else [*map(tuple, block.tolist())]
            rows = rows if places is None else [tuple([row[i] for i in places]) for row in rows]
            if self.far:
                return [hash(repr(row)) for row in rows]
            sums = [sum(map(mul, row, self.factors)) & WORD for row in rows]
            return [number ^ number >> 29 for number in sums]
        import numpy as np

        kept = block if places is None else block[:, places]
        marks = kept.astype(np.uint64) @ np.array(self.factors, np.uint64)
        marks ^= marks >> np.uint64(29)
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


@lru_cache(maxsize=8)
def _factors(width: int, number: int) -> list[int]:
    """Return odd numbers at random, the same for the same arguments."""
    from random import Random

    draw = Random(width)
    return [draw.getrandbits(64) | 1 for _ in range(number)]


class Guard:
    """Checks what a backend yields: each solution satisfies the stated model and its judge, and none is repeated.

    Of more than 65,536 solutions only a sample is remembered, so a repetition may go unnoticed: see ``SeenSolutions``.

    With an objective each solution has to be better than the one before, by its value as it is computed here, and no
    better than the bound that the backend claims. Several engines may follow one another (``next_engine``) or work
    together (``merging``): what is known already, or does not improve, is then left out.
    """

    merging = False

    def __init__(self, model: Model, selection: Selection, request: Request) -> None:
        self.checker, self.selection, self.request = checker_of(model), selection, request
        self.width, self.objective = len(model.names), model.objective
        self.best: int | None = None
        self.own: dict[int, int] = {}  # the best value that each of several engines has found, by its selection
        self.count = 0
        self.left = inf if request.limit is None else request.limit  # how many more are wanted
        self.seen = None
        if request.limit != 1 and not self.objective:
            places = None if request.keep is None else [model.index[name] for name in request.keep]
            far = any(values and max(-values[0], values[-1]) >= FAR for values in model.variables.unlike)
            self.seen = SeenSolutions(self.width, places, far=far)
        self.known: set[int] = set()

    @property
    def remembers_all(self) -> bool:
        """Return whether every solution is remembered, so that another engine can leave them out."""
        return self.seen is None or self.seen.share == 1

    def asked(self, request: Request) -> Request:
        """Return the request for an engine that starts anew: some of its improvements may not be improvements here."""
        return request.but(limit=None) if self.objective and self.count else request

    @property
    def state(self) -> tuple[set[int], set[int]]:
        """What an engine whose turn is over need not find again, and what is known so far."""
        return set(self.known), set(self.seen.numbers) if self.seen else set()

    def next_engine(self, selection: Selection, state: tuple[set[int], set[int]] | None = None) -> None:
        """Let another engine begin anew, or go on whose turn was over in a state: others may have found more since."""
        known, before = state or (set(), set())
        self.selection, self.merging = selection, self.count > 0
        self.known = known | (self.seen.numbers - before if self.seen else set())

    def checked(self, block: Block, look: Look) -> Block:
        """Return the rows of a block that are new and wanted: a list, or a large array.

        WrongAnswer if one is wrong or out of turn. ``look`` is as for ``Checker.fault_in``.
        """
        if hasattr(block, "ndim"):
            if block.ndim != 2 or block.shape[1] != self.width or block.dtype.kind != "i":
                kind = f"an array {block.shape} of {block.dtype}"
                raise self.wrong(f"a block of it is {kind}, where rows of {self.width} whole numbers are expected")
            if self.objective is None and len(block) > FEW:
                return self._checked_array(block, look)
            block = [*map(tuple, block.tolist())]
        elif type(block) is not list:
            block = [block]
        found = []
        for row in block:
            if self.left and (row := self._checked_row(row)) is not None:
                found.append(row)
        return found

    def _checked_row(self, row: Any) -> Solution | None:
        """Return a solution; None if it is left out."""
        if type(row) is not tuple:
            raise self.wrong(f"it is a {type(row).__name__}, where a tuple of values is expected")
        if fault := self.checker.fault(row, self.request.domains):
            raise self.wrong(fault)
        if self.seen is not None and not self._new(self.seen, [row]):
            return None
        if self.objective and not self._improves(row):
            return None
        self.count += 1
        self.left -= 1
        found: Solution = row
        return found

    def _checked_array(self, block: NDArray[Any], look: Look) -> Block:
        if found := self.checker.fault_in(block, self.request.domains, self._verdicts, look):
            raise self.wrong(found[1])
        if self.seen is not None:
            new = self._new(self.seen, block)
            block = block[new] if len(new) < len(block) else block
        if len(block) > self.left:
            block = block[: int(self.left)]
        self.count += len(block)
        self.left -= len(block)
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
        value = self.own[id(self.selection)] = self.objective.value(
            dict(zip(self.checker.model.names, solution, strict=True))
        )
        if self.objective.improves(value, self.best):
            self.best = value
            return True
        if not self.merging:
            raise self.wrong(f"its objective is {value}, which does not improve on {self.best}")
        return False

    @cached_property
    def _verdicts(self) -> list[Verdicts]:
        return self.checker.verdicts()

    def ended(self, ending: Ending) -> Ending:
        """Return how a run ended, with the best value as the bound if it is complete; WrongAnswer for a false bound,
        or for an engine that lost solutions which another one found.

        A bound proved before the end is kept in the record: see ``tighten``.
        """
        reason = ending.reason if self.left else Reason.LIMIT
        if reason is Reason.EXHAUSTED and Feature.PROVE not in self.selection.capabilities.features:
            reason = Reason.GAVE_UP
        if self._belied(ending.bound):
            raise self.wrong(f"its objective is {self.best}, better than the claimed bound {ending.bound}")
        own = self.own.get(id(self.selection))
        outdone = self.objective is not None and self.best not in (own, ending.bound)
        if reason is Reason.EXHAUSTED and (self.known or outdone):
            name = self.selection.backend.name
            raise WrongAnswer(f"{self.selection} lost a solution that another engine found", name)
        return Ending(reason, self.best if reason is Reason.EXHAUSTED else None)

    def proves(self, record: Record) -> bool:
        """Return whether the bound of one engine proves that the solution of another one is the best."""
        return self.merging and self.best is not None and self.best == record.bound

    def tighten(self, record: Record, bound: int | None) -> None:
        """Write a bound into the record if it is tighter than the one there."""
        if bound is None or self.objective is None or self._belied(bound):
            return
        if Feature.PROVE in self.selection.capabilities.features:
            record.tighten(self.checker.model, bound)

    def _belied(self, bound: int | None) -> bool:
        if self.objective is None or self.best is None or bound is None:
            return False
        return self.objective.improves(self.best, bound)

    def wrong(self, fault: str) -> WrongAnswer:
        """Return the error that names the backend and the fault."""
        return WrongAnswer(f"{self.selection} returned a wrong solution: {fault}", self.selection.backend.name)


def without_auxiliaries(search: Search, width: int, model: Model) -> Search:
    """Return a search over ``width`` variables, of which those of the stated model come first, without the others.

    Rows with another number of values stay as they are: the check refuses them.
    """
    kept = len(model.names)
    with closing(search):
        while True:
            try:
                block = next(search)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if hasattr(block, "ndim"):
                yield block[:, :kept] if block.shape[1:] == (width,) else block
            elif type(block) is list:
                yield [row[:kept] if len(row) == width else row for row in block]
            else:
                yield block[:kept] if type(block) is tuple and len(block) == width else block


def guarded(engine: object, step: Callable[..., T], *content: Any, fails: str = "failed") -> T:
    """Call an engine, named by its text; whatever it raises that is not ours becomes BackendFailed, with the words of
    ``fails``.
    """
    try:
        return step(*content)
    except (SudokuModelsError, Interruption):
        raise
    except SystemExit as error:
        raise BackendCrashed(f"{engine} tried to exit the program with code {error.code!r}") from error
    except Exception as error:
        if step is next and isinstance(error, StopIteration):  # the end of a search; from any other call it is a fault
            raise
        raise BackendFailed(f"{engine} {fails}: {type(error).__name__}: {error}") from error
