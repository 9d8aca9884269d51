"""What the verbs return."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from functools import total_ordering
from html import escape
from numbers import Number
from operator import add, mul, sub
from typing import TYPE_CHECKING, Any, cast

from ..dataclass import dataclass
from ..engine.contract import Closable, Outcome, Run, Solution
from ..engine.record import Record
from ..model import Constraint, Domain
from ..puzzle import Clash, Grid, Puzzle

if TYPE_CHECKING:
    from ..puzzle.rules.rule_base import Rule


SHORT = 256
"""The number of cells of a board, and of characters of a text, that one line shows."""


WITHOUT_DRAWN = " without the drawn rules"
"""The suffix for answers to a puzzle whose drawn rules were ignored."""
AS_READ = " as read"
"""The suffix for answers that the rules in words, of which some were not read, may change."""


class Status(StrEnum):
    """The outcome of ``solve``.

    WITHOUT_DRAWN: the puzzle was solved without drawn rules that were not understood. The real puzzle may have another
    solution or none. AS_READ: the solution is not known to be the only one, and rules in words were not all read.
    UNSATISFIABLE_AS_READ: there is no solution, but rules that are drawn or in words were guessed or not all read, and
    they may allow more.
    """

    SOLVED = "solved"
    WITHOUT_DRAWN = f"solved{WITHOUT_DRAWN}"
    AS_READ = "solved as read"
    UNSATISFIABLE = "unsatisfiable"
    UNSATISFIABLE_AS_READ = "unsatisfiable as read"
    UNKNOWN = "unknown"

    @property
    def no_solution(self) -> bool:
        """Whether there is no solution to the puzzle as it was read."""
        return self in (Status.UNSATISFIABLE, Status.UNSATISFIABLE_AS_READ)


def marked(status: str, problem: object, unique: bool | None = None) -> str:
    """Return the status of an answer with what the puzzle's drawings and rules in words leave open, if anything."""
    if not isinstance(problem, Puzzle) or not problem.drawn:
        return status
    if status in (Status.UNSATISFIABLE, "no solution"):
        return f"{status}{AS_READ}"
    if problem.left_out:
        return f"{status}{WITHOUT_DRAWN}"
    return f"{status}{AS_READ}" if problem.unread and unique is not True else status


@dataclass(frozen=True)
class Result:
    """The answer of ``solve``. It has no truth value: ask for ``status``.

    ``grid`` is the solution of a puzzle, or of a model made from one (None if there is no solution, or if the model has
    no board); ``values`` is the solution by variable name. ``unique`` is None if it was not requested or a limit was
    reached first. ``clashes`` are equal givens in a house, which explain why there is no solution. ``objective`` is the
    value of the model's objective, if it has one, and ``bound`` is a value that no solution can beat: both are equal if
    the solution is the best. ``failed`` are assumed constraints that contradict each other. ``str`` shows the first
    ``shown`` variables (None: all): the cells, but not the auxiliary variables of rules.
    """

    grid: Grid | None
    status: Status
    unique: bool | None
    record: Record
    reason: str = ""
    clashes: tuple[Clash, ...] = ()
    names: tuple[str, ...] = field(default=(), repr=False)
    solution: Solution | None = field(default=None, repr=False)
    objective: int | None = None
    bound: int | None = None
    shown: int | None = field(default=None, repr=False, compare=False)
    failed: tuple[Constraint, ...] = ()

    @property
    def values(self) -> Mapping[str, int] | None:
        """The solution by variable name; None if there is none."""
        return None if self.solution is None else dict(zip(self.names, self.solution, strict=True))

    def __str__(self) -> str:
        """Return the outcome, followed by the solution: a drawing, and by name any variables outside the grid."""
        return "\n".join(filter(None, (self._text(), self._solution_text())))

    def __repr__(self) -> str:
        where = f": {self.grid.to_line()}" if self.grid and self.grid.shape.cells <= SHORT else ""
        return f"<Result: {shortened(self._text())}{where}>"

    def _repr_html_(self) -> str:
        shown = self.grid._repr_html_() if self.grid else f"<pre>{escape(self._solution_text())}</pre>"
        return f"<div>{escape(self._text())}</div>{shown if self.solution else ''}"

    def _text(self) -> str:
        parts = [self.status.value]
        if self.solution is not None and self.unique is not None:
            parts.append("unique" if self.unique else "not unique")
        if self.objective is not None:
            best = "the best" if self.objective == self.bound else f"none is better than {self.bound}"
            parts.append(f"objective {self.objective} ({best})")
        return ", ".join([*parts, *filter(None, [self.reason, self.record.unconfirmed]), *map(str, self.clashes)])

    def _solution_text(self) -> str:
        drawn = set(self.grid.shape.names) if self.grid else set()
        shown = list((self.values or {}).items())[: self.shown]
        others = [f"{name} = {value}" for name, value in shown if name not in drawn]
        return f"{self.grid}\n{', '.join(others)}".rstrip() if self.grid else "\n".join(others)

    def __bool__(self) -> bool:
        raise TypeError("a Result has no truth value: ask for its status or its grid")


def _as_number(operation: Callable[[int, int], int]) -> Callable[[SolutionCount, SolutionCount | int], int]:
    """Return a method of a count that computes with its number and another one."""

    def method(self: SolutionCount, other: SolutionCount | int) -> int:
        return operation(int(self), int(other)) if isinstance(other, SolutionCount | int) else NotImplemented

    return method


@total_ordering
@dataclass(frozen=True, eq=False)
class SolutionCount:
    """The number of solutions: ``value``, or at least ``value`` unless ``exact``.

    An exact count is compared, computed with and converted as its number: ``count(puzzle) == 1``. One that is not exact
    raises TypeError there, as the number is not known: ask for its ``value``. No count has a truth value.
    """

    value: int
    exact: bool
    record: Record = field(default_factory=Record, compare=False)

    def __int__(self) -> int:
        if not self.exact:
            raise TypeError(
                f"the number of solutions is not known, only that it is {self}: ask for the value of the count"
            )
        return self.value

    __index__ = __int__

    def __float__(self) -> float:
        return float(int(self))

    def __bool__(self) -> bool:
        raise TypeError("a SolutionCount has no truth value: compare it with a number, or ask for its value")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SolutionCount):
            return (self.value, self.exact) == (other.value, other.exact)
        return int(self) == cast(Any, other) if isinstance(other, Number) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value) if self.exact else hash((self.value, self.exact))

    def __lt__(self, other: SolutionCount | float) -> bool:
        if isinstance(other, SolutionCount):
            return int(self) < int(other)
        return int(self) < other if isinstance(other, Number) else NotImplemented

    __add__ = __radd__ = _as_number(add)
    __sub__, __rsub__ = _as_number(sub), _as_number(lambda mine, other: other - mine)
    __mul__ = __rmul__ = _as_number(mul)

    def __format__(self, form: str) -> str:
        return format(int(self), form) if form else str(self)

    def __str__(self) -> str:
        doubt = f" ({self.record.unconfirmed})" if self.record.unconfirmed else ""
        return f"{self.value if self.exact else f'at least {self.value}'}{doubt}"

    def __repr__(self) -> str:
        return f"<SolutionCount: {self}>"

    def _repr_html_(self) -> str:
        number = f"{self.value:,}" if self.exact else f"at least {self.value:,}"
        doubt = f" ({escape(self.record.unconfirmed)})" if self.record.unconfirmed else ""
        return f"<div>{number} solution{'' if self.exact and self.value == 1 else 's'}{doubt}</div>"


class Candidates(dict[str, Domain]):
    """The values that each cell takes in some solution, by cell name; all are empty if there is no solution.

    If not ``complete``, a limit, named in ``reason``, was reached first, and values may be missing. ``clashes`` are
    equal givens in a house, which explain why there is no solution. ``solvable`` says whether there is a solution; None
    if that is not known. The ``repr`` is short; a notebook shows a table.
    """

    def __init__(
        self,
        values: Mapping[str, Domain],
        complete: bool,
        reason: str = "",
        record: Record | None = None,
        clashes: tuple[Clash, ...] = (),
        solvable: bool | None = None,
    ) -> None:
        super().__init__(values)
        self.complete, self.reason, self.record = complete, reason, record or Record()
        self.clashes, self.solvable = clashes, solvable

    def __str__(self) -> str:
        """Return a summary, followed by a line for each cell with several values."""
        lines = [self._text()]
        lines += [f"{name}: {' '.join(map(str, left))}" for name, left in self.items() if len(left) > 1]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Candidates: {shortened(self._text())}>"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{' '.join(map(str, left))}</td></tr>"
            for name, left in self.items()
            if len(left) > 1
        )
        listed = f"<details><summary>cells with several values</summary><table>{cells}</table></details>"
        return f"<div>{escape(self._text())}</div>{listed if cells else ''}"

    def _text(self) -> str:
        if self.solvable is False:
            return ", ".join(["no solution", *map(str, self.clashes)])
        settled = sum(len(left) == 1 for left in self.values())
        summary = f"{settled} of {len(self)} cells have one value in all solutions"
        return summary if self.complete else f"incomplete ({self.reason}): {summary} found so far"


@dataclass(frozen=True)
class Validation:
    """Whether a partly filled board is legal, and the clashes if it is not. Its truth value is ``legal``."""

    clashes: tuple[Clash, ...]

    @property
    def legal(self) -> bool:
        """Return whether no house holds a value twice."""
        return not self.clashes

    def __bool__(self) -> bool:
        return self.legal


@dataclass(frozen=True)
class Core:
    """Why there is no solution: givens, houses, rules and constraints that contradict each other.

    ``givens`` maps narrowed cells (or variables) to their remaining values. ``minimal`` says that no part can be left
    out; it is False only if a limit ended the search for fewer parts.
    """

    givens: tuple[tuple[str, Domain], ...]
    houses: tuple[str, ...]
    rules: tuple[Rule, ...]
    constraints: tuple[Constraint, ...]
    minimal: bool
    record: Record = field(default_factory=Record, compare=False, repr=False)

    @property
    def parts(self) -> tuple[str, ...]:
        """Each part in words."""
        named = (*self.houses, *map(str, self.rules), *map(str, self.constraints))
        given = (f"{x} is {' or '.join(map(str, values)) or 'nothing'}" for x, values in self.givens)
        return (*given, *named)

    def __len__(self) -> int:
        return len(self.parts)

    def __bool__(self) -> bool:
        """Return True, even without parts, as a contradiction was found."""
        return True

    def __str__(self) -> str:
        return ", ".join(self.parts) or "there is a contradiction even without any of them"

    def __repr__(self) -> str:
        return f"<Core of {len(self)}{'' if self.minimal else ', perhaps not minimal'}: {shortened(str(self))}>"

    def _repr_html_(self) -> str:
        fewer = "" if self.minimal else "; fewer may be enough"
        listed = "".join(f"<li>{escape(part)}</li>" for part in self.parts)
        return f"<div>these {len(self)} contradict each other{fewer}</div><ul>{listed}</ul>"


def shortened(text: str) -> str:
    """Return a text, shortened if it is too long for one line."""
    return text if len(text) <= SHORT else f"{text[: SHORT - 3]}..."


class Solutions(Closable, Iterator[Any]):
    """An iterator over the solutions of a puzzle as grids (of a bare model as mappings); see ``outcome`` at its end."""

    def __init__(self, run: Run, wrap: Any) -> None:
        self._run, self._wrap = run, wrap

    def __next__(self) -> Any:
        return self._wrap(next(self._run))

    def __repr__(self) -> str:
        return f"<Solutions by {self.record.backend}: each is found when requested>"

    def close(self) -> None:
        """Stop the engine."""
        self._run.close()

    @property
    def outcome(self) -> Outcome:
        """The outcome of the run, which is closed first if it has not ended."""
        return self._run.outcome

    @property
    def record(self) -> Record:
        """How the solutions were found."""
        return self._run.record
