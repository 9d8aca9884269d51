"""The backend ``opb``: any program on the path that takes part in the pseudo-Boolean competitions.

The program gets an OPB file and prints ``s``, ``v`` and ``o`` lines. Each question is a separate process, which ends
with this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Request, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.program import OPTIMAL, UNSATISFIABLE, ask, command_of, on_the_path
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendFailed
from sudoku_models.exports.columns import opb_lines
from sudoku_models.exports.zero_one import CAPABILITIES, PAIRS, WIDEST, ColumnRow, ZeroOne
from sudoku_models.model import Compare, Count, Linear, Model, Objective

from . import CompiledColumns

KNOWN = ("roundingsat", "exact", "minisat+")
"""Programs that are tried in this order if none is named."""

INSTALL = "apt install minisat+ (or any program of the competitions: opb:program=NAME)"

LARGEST = 2**20
"""The largest sum: the limit of the competitions' category of small numbers, which all programs take."""

NUMBERS = Numbers(
    values=WIDEST, pairs={Compare: PAIRS}, sums=dict.fromkeys((Compare, Count, Linear, Objective), LARGEST)
)


@dataclass(frozen=True)
class OpbOptions:
    """``program`` is a program on the path, with arguments if needed.

    ``auto`` is the first known program that is there. Raise BadOption if there is no such program.
    """

    program: str = field(default="auto", metadata={"programs": KNOWN})

    def __post_init__(self) -> None:
        on_the_path(self.program, KNOWN)

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return command_of(self.program, KNOWN)


class Opb(BackendBase):
    name = "opb"
    Options = OpbOptions

    def capabilities_with(self, options: OpbOptions) -> Capabilities:
        """Return the same for all programs, except for what has to be on the path."""
        return replace(
            CAPABILITIES,
            features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT}),
            programs=options.command[:1],
            install=INSTALL,
            numbers=NUMBERS,
        )

    def compile(self, model: Model, options: OpbOptions) -> CompiledOpb:
        """Take a model that the capabilities accept."""
        return CompiledOpb(model, options)


BACKEND = Opb()


class CompiledOpb(CompiledColumns):
    """A model as a text. Each question is a process, which reads the text with the solutions found forbidden."""

    label = "opb"
    options: OpbOptions

    @property
    def native(self) -> str:
        """The model in OPB."""
        return "".join(opb_lines(self.whole))

    def engine(self, form: ZeroOne, request: Request, clock: Budget) -> OpbEngine:
        return OpbEngine(self.options.command, form, clock)

    def improving(self, form: ZeroOne, engine: OpbEngine, record: Record) -> Iterator[Solution]:
        """Yield a first solution, then the program's best ones, until it proves that nothing is better."""
        goal, objective = form.goal, form.objective
        assert goal
        assert objective
        ones = engine.ask()
        while ones is not None:
            yield self.read(form, ones)
            if engine.optimal or not any(goal.terms.values()):
                return
            value = goal.constant + sum(goal.terms.get(column, 0) for column in ones)
            form.row(goal, "<" if objective.minimizes else ">", value)
            ones = engine.ask(best=True)


class OpbEngine:
    """A program that is asked about columns and rows; ``optimal``: it says that nothing is better than its answer."""

    def __init__(self, command: tuple[str, ...], form: ZeroOne, clock: Budget) -> None:
        self._command, self._form, self._clock = command, form, clock
        self.optimal = False

    def ask(self, best: bool = False) -> list[int] | None:
        """Return the columns that are 1 in a solution, or in the best one; None if there is none. Raise OutOfTime."""
        if not self._form.meanings:
            return []  # the format has no words for nothing at all; a contradiction has a column
        text = opb_lines(self._form, goal=best)
        answer = ask(self._command, text, ".opb", self._clock, self._clock.memory)
        self.optimal = answer.status == OPTIMAL
        return None if answer.status == UNSATISFIABLE else list(_ones(answer.values))

    def add(self, row: ColumnRow) -> None:
        """Demand one more row."""
        self._form.rows.append(row)


def _ones(values: tuple[str, ...]) -> Iterator[int]:
    """Read the names of the columns that are 1; raise BackendFailed if they are not names of columns."""
    for word in values:
        name = word.lstrip("-+")
        if not (name.startswith("x") and name[1:].isdecimal()):
            raise BackendFailed(f"names of columns were expected, but the program printed {word[:40]!r}")
        if not word.startswith("-"):
            yield int(name[1:]) - 1
