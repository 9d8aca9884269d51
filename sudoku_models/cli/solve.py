"""``sudoku-models solve``.

The columns of an answer are ``solution``, ``status``, ``unique``, ``reason``, ``backend`` and ``seconds``; with
``--limit`` there is a row for each solution, numbered by ``nth``. The page about the command line describes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bulk.question import BlockAnswers, RowAnswer
from ..bulk.questions import Enumerating, Solving
from ..bulk.where import NINE
from ..formats import Entry, write
from ..puzzle import Grid
from ..verbs.results import WITHOUT_DRAWN, Status
from .answers import answer
from .certifying import Certifying
from .codes import Code
from .effort import Effort, refuse
from .inputs import Input
from .options import Output
from .outputs import at_terminal
from .shown import WithRecord, base_of, title_of, where_it_stands
from .terminal import Tally

if TYPE_CHECKING:
    from ..bulk.joined_text import TextPart


@dataclass(frozen=True)
class Folder:
    """The folder for certificates, and the seconds that each may take; None uses the time limit of each puzzle."""

    path: Path
    limit: float | None

    @classmethod
    def of(cls, path: Path | None, limit: float | None) -> Folder | None:
        """Return the folder from the options; raise UsageError for a limit without a folder."""
        refuse(path is not None or limit is None, "--proof-limit needs --certify: it limits the time of each proof")
        return None if path is None else cls(path, limit)


def solve(
    source: Input,
    choice: Effort,
    limit: int | None,
    unique: bool,
    format: Output | None,
    out: str | None,
    certify: Folder | None = None,
) -> Code:
    """Solve each puzzle and write each answer as soon as it is known; write certificates to the folder ``certify``."""
    several = limit is not None and limit > 1
    refuse(not (several and certify), "--certify and --limit cannot be combined: certificates prove uniqueness")
    unique = unique or certify is not None
    refuse(
        not (several and unique),
        "--unique and --limit cannot be combined: --limit already shows whether there are more",
    )
    refuse(not (several and choice.jobs > 1), "--jobs and --limit cannot be combined")
    choice.checked(limit if several else 2 if unique else 1)
    tally = Tally()
    proving = None if certify is None else Certifying(certify.path, certify.limit or choice.time_limit, tally)
    shown = Solved(choice, unique, limit if several else None, source.alphabet)
    kind = format or (Output.GRID if at_terminal(out) else None)
    return answer(source, shown, kind, out, tally, proving.answered if proving else None)


@dataclass(frozen=True)
class Solved(WithRecord):
    """How solutions are written; with a ``limit``, each of several solutions."""

    choice: Effort
    unique: bool
    limit: int | None
    alphabet: str | None
    name: str = "solve"
    doing: str = "solving"

    @cached_property
    def verb(self) -> Solving | Enumerating:
        """The verb that answers."""
        backend, limits, jobs = self.choice.backend, self.choice.limits, self.choice.jobs
        if self.limit is not None:
            return Enumerating(backend, limits, self.limit, self.alphabet)
        return Solving(backend, limits, self.unique, self.alphabet, jobs=jobs)

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the solution with a remark on its uniqueness, or a comment, or "" for a row without an answer."""
        if answer.values["solution"] is not None:
            return f"{answer.values['solution']}{_remark(answer.values)}\n"
        why = _no_solution(answer.values)
        return f"# {why} ({where_it_stands(entry)})\n" if why else ""

    def drawn(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the solution as a drawn board under a title line, or a comment."""
        values, name = answer.values, title_of(entry)
        grid = answer.found if isinstance(answer.found, Grid) else getattr(answer.found, "grid", None)
        if grid is None and values["solution"] is not None:
            grid = Grid(NINE, tuple(map(int, values["solution"])))  # a classic board, answered in a batch
        if grid is None:
            why = _no_solution(values)
            return f"# {name}: {why}\n" if why else ""
        which = f", solution {values['nth']}" if "nth" in values else ""
        text = f"# {name}{which}{_remark(values).replace(' # ', ': ')}\n"
        return text + "".join(write([grid], "grid", alphabet=self.alphabet))

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return the lines of boards that have a solution; other rows are written separately."""
        from ..bulk.joined_text import chosen, same

        status, unique, solution = (base_of(answers[name]) for name in ("status", "unique", "solution"))
        odd = {*answers.alone, *(status.index == 0).nonzero()[0].tolist()}
        remarks = [" # not unique\n", " # unique\n"]
        ending = chosen(remarks, unique.data.view("u1")) if self.unique else same(len(status), "\n")
        return [solution.part("", ""), ending], sorted(odd)


def _remark(values: dict[str, Any]) -> str:
    """Return a remark on whether a solution is the only one, and whether drawn rules were ignored."""
    unique, reason = values.get("unique"), values["reason"]
    if unique is None:
        remark = f" # uniqueness not settled: {reason}" if reason else ""
    else:
        remark = " # unique" if unique else " # not unique"
    return f"{remark or ' #'}{WITHOUT_DRAWN}" if values["status"] == Status.WITHOUT_DRAWN else remark


def _no_solution(values: dict[str, Any]) -> str:
    """Return why there is no solution, or "" for a row without an answer, which is reported elsewhere."""
    what = {str(Status.UNSATISFIABLE): "no solution", str(Status.UNKNOWN): "unknown"}.get(values["status"])
    return "" if what is None else f"{what}: {values['reason']}" if values["reason"] else what
