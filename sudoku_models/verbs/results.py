"""What the verbs return."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any

from ..engine.contract import Outcome, Run, Solution
from ..engine.record import Record
from ..model import Constraint, Domain
from ..puzzle import Clash, Grid, Shape
from ..puzzle.puzzle import dark_cells

if TYPE_CHECKING:
    from ..puzzle.rules.rule_base import Rule


SHORT = 256
"""Cells of a board whose values one line shows, and characters that one line shows of a text."""


WITHOUT_DRAWN = " without the drawn rules"
"""What is added to the name of an answer that is the answer to a puzzle without the rules that are drawn in it."""


class Status(StrEnum):
    """What ``solve`` came to.

    WITHOUT_DRAWN: what was solved is the puzzle without rules that are drawn and were not understood. Its own solution
    may be another one, or there is none.
    """

    SOLVED = "solved"
    WITHOUT_DRAWN = f"solved{WITHOUT_DRAWN}"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Result:
    """The answer of ``solve``. It has no truth value: ask for ``status``.

    ``grid`` is the solution of a puzzle, or of a model that was made of one (None when there is none, or when a model
    without a board was solved); ``values`` is the solution by variable name. ``unique`` is None when it was not asked
    for or a limit came first. ``clashes`` are equal givens in a house, which explain why there is no solution.
    ``objective`` is the value of the model's objective, if it has one, and ``bound`` a value that no solution exceeds
    for the better: equal when it is the best. ``str`` shows the first ``shown`` of the names (None: all): the cells,
    and not the auxiliary variables of rules.
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

    @property
    def values(self) -> Mapping[str, int] | None:
        """The solution by variable name; None when there is none."""
        return None if self.solution is None else dict(zip(self.names, self.solution, strict=True))

    def __str__(self) -> str:
        """What it came to, and below it the solution: drawn, and by name what stands outside the grid."""
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
        return ", ".join([*parts, *filter(None, [self.reason]), *map(str, self.clashes)])

    def _solution_text(self) -> str:
        drawn = set(self.grid.shape.names) if self.grid else set()
        shown = list((self.values or {}).items())[: self.shown]
        others = [f"{name} = {value}" for name, value in shown if name not in drawn]
        return f"{self.grid}\n{', '.join(others)}".rstrip() if self.grid else "\n".join(others)

    def __bool__(self) -> bool:
        raise TypeError("a Result has no truth value: ask for its status or its grid")


@dataclass(frozen=True)
class Count:
    """How many solutions there are: ``value`` of them, and more unless ``exact``."""

    value: int
    exact: bool
    record: Record = field(default_factory=Record, compare=False)

    def __str__(self) -> str:
        return str(self.value) if self.exact else f"at least {self.value}"

    def __repr__(self) -> str:
        return f"<Count: {self}>"

    def _repr_html_(self) -> str:
        number = f"{self.value:,}" if self.exact else f"at least {self.value:,}"
        return f"<div>{number} solution{'' if self.exact and self.value == 1 else 's'}</div>"


@dataclass(frozen=True)
class Candidates:
    """What values each cell has in some solution, by its name: none at all when there is no solution.

    Unless ``complete`` a limit came first, which ``reason`` names: then there may be more. ``clashes`` are equal givens
    in a house, which explain why there is no solution.
    """

    values: dict[str, Domain]
    complete: bool
    reason: str = ""
    record: Record = field(default_factory=Record, compare=False)
    clashes: tuple[Clash, ...] = ()

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution; None when that is not known."""
        return True if any(self.values.values()) else False if self.complete else None

    def __str__(self) -> str:
        """What is known, then a line for each cell that has several values."""
        lines = [self._text()]
        lines += [f"{name}: {' '.join(map(str, left))}" for name, left in self.values.items() if len(left) > 1]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Candidates: {shortened(self._text())}>"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{' '.join(map(str, left))}</td></tr>"
            for name, left in self.values.items()
            if len(left) > 1
        )
        listed = f"<details><summary>cells with several values</summary><table>{cells}</table></details>"
        return f"<div>{escape(self._text())}</div>{listed if cells else ''}"

    def _text(self) -> str:
        if self.solvable is False:
            return ", ".join(["no solution", *map(str, self.clashes)])
        settled = sum(len(left) == 1 for left in self.values.values())
        summary = f"{settled} of {len(self.values)} cells have one value in all solutions"
        return summary if self.complete else f"not all is known ({self.reason}): {summary} met so far"


class Marks(dict[str, Domain]):
    """The values that each cell has in some solution, by its name; ``found`` is the same with how it came about.

    Prints in short, and as a table in a notebook.
    """

    def __init__(self, found: Candidates) -> None:
        super().__init__(found.values)
        self.found = found

    def __reduce__(self) -> tuple[type[Marks], tuple[Candidates]]:
        return Marks, (self.found,)

    def __repr__(self) -> str:
        return repr(self.found)

    def __str__(self) -> str:
        return str(self.found)

    def _repr_html_(self) -> str:
        return self.found._repr_html_()


@dataclass(frozen=True)
class Validation:
    """Whether a partly filled board is legal, and the clashes if it is not. True when legal."""

    clashes: tuple[Clash, ...]

    @property
    def legal(self) -> bool:
        """Tell whether no house holds a value twice."""
        return not self.clashes

    def __bool__(self) -> bool:
        return self.legal


@dataclass(frozen=True)
class Core:
    """Why there is no solution: givens, houses, rules and constraints that contradict each other.

    ``givens`` are narrowed cells (or variables) with what is left to them. ``minimal``: none could be left out; False
    only where a limit ended the search for fewer.
    """

    givens: tuple[tuple[str, Domain], ...]
    houses: tuple[str, ...]
    rules: tuple[Rule, ...]
    constraints: tuple[Constraint, ...]
    minimal: bool
    record: Record = field(default_factory=Record, compare=False, repr=False)

    @property
    def parts(self) -> tuple[str, ...]:
        """Each of them in words."""
        named = (*self.houses, *map(str, self.rules), *map(str, self.constraints))
        return (*(f"{x} is {_choice(values)}" for x, values in self.givens), *named)

    def __len__(self) -> int:
        return len(self.parts)

    def __bool__(self) -> bool:
        """True, however few they are: a contradiction was found."""
        return True

    def __str__(self) -> str:
        return ", ".join(self.parts) or "nothing at all has to be asked for"

    def __repr__(self) -> str:
        return f"<Core of {len(self)}{'' if self.minimal else ', perhaps not minimal'}: {shortened(str(self))}>"

    def _repr_html_(self) -> str:
        fewer = "" if self.minimal else "; perhaps fewer would do"
        listed = "".join(f"<li>{escape(part)}</li>" for part in self.parts)
        return f"<div>these {len(self)} contradict each other{fewer}</div><ul>{listed}</ul>"


def shortened(text: str) -> str:
    """Return a text, cut where it is too long for a line that only names an answer."""
    return text if len(text) <= SHORT else f"{text[: SHORT - 3]}..."


def _choice(values: Domain) -> str:
    return " or ".join(map(str, values)) or "nothing"


class Solutions(Iterator[Any]):
    """The solutions of a puzzle as grids (of a bare model as mappings), pulled one by one; ``outcome`` afterwards."""

    def __init__(self, run: Run, wrap: Any) -> None:
        self._run, self._wrap = run, wrap

    def __next__(self) -> Any:
        return self._wrap(next(self._run))

    def __repr__(self) -> str:
        return f"<Solutions by {self.record.backend}: each is found when it is asked for>"

    def close(self) -> None:
        """Stop the engine."""
        self._run.close()

    def __enter__(self) -> Solutions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def outcome(self) -> Outcome:
        """What the run came to; it is closed first when it has not ended."""
        return self._run.outcome

    @property
    def record(self) -> Record:
        """How the solutions came about."""
        return self._run.record


def grids_of(shape: Shape, rules: tuple[Any, ...] = ()) -> Callable[[Solution], Grid]:
    """Return what makes grids of the solutions of a model of that board with these rules, whose cells come first."""
    cells, (unused, black) = shape.cells, dark_cells(shape, rules)
    return lambda solution: Grid(shape, solution[:cells], unused, black)
