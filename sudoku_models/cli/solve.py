"""``sudoku-models solve``.

The columns of an answer are ``solution``, ``status``, ``unique``, ``reason``, ``backend`` and ``seconds``; with
``--limit`` there is a row for each solution, numbered by ``nth``. The page about the command line describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any

from ..bulk.columns import listed
from ..bulk.question import BlockAnswers
from ..bulk.questions import Enumerating, Solving
from ..bulk.rows import Block
from ..bulk.where import NINE
from ..formats import write
from ..puzzle import Grid
from ..verbs.results import WITHOUT_DRAWN, Status
from .answers import answer
from .certifying import Certifying
from .codes import Code
from .effort import Effort, refuse
from .options import LIMITS, OUTPUT, BoardFormat, ChosenBackend, Out, Output, Sharded, read_seconds
from .outputs import at_terminal
from .parser import Option, command
from .records import details_of_records, title_of, where_it_stands
from .terminal import Tally

CertificateLimit = Annotated[
    float | None,
    Option(
        "--proof-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="With --certify: the time limit for making each certificate, and for checking it.",
        show_default="as --time-limit",
        panel=LIMITS,
    ),
]
Certificates = Annotated[
    Path | None,
    Option(
        "--certify",
        metavar="DIR",
        panel=OUTPUT,
        help="For each puzzle with one solution or none, also write DIR/NUMBER.zip: a proof that other programs "
        "can check.",
    ),
]


@command("Solve", "solve puzzles.txt --unique --out answers.csv")
def solve(
    source: Sharded,
    solver: ChosenBackend,
    limit: Annotated[int, Option("--limit", "-n", min=1, help="How many solutions of each puzzle to find.")] = 1,
    unique: Annotated[bool, Option("--unique", "-u", help="Report whether the solution is the only one.")] = False,
    format: BoardFormat = None,
    out: Out = None,
    certify: Certificates = None,
    proof_limit: CertificateLimit = None,
) -> Code:
    """Solve puzzles and write each solution as soon as it is found.

    In the formats line and grid, a puzzle without a solution becomes a comment line (#); in the others, a record.
    """
    several, choice = limit > 1, solver.choice()
    refuse(
        certify is not None or proof_limit is None, "--proof-limit needs --certify: it limits the time of each proof"
    )
    refuse(not (several and certify), "--certify and --limit cannot be combined: certificates prove uniqueness")
    unique = unique or certify is not None
    refuse(
        not (several and unique),
        "--unique and --limit cannot be combined: --limit already shows whether there are more",
    )
    refuse(not (several and choice.jobs > 1), "--jobs and --limit cannot be combined")
    choice.checked(limit if several else 2 if unique else 1)
    tally = Tally()
    proving = None if certify is None else Certifying(certify, proof_limit or choice.time_limit, tally)
    shown = Solved(choice, unique, limit if several else None, source.alphabet)
    kind = format or (Output.GRID if at_terminal(out) else None)
    return answer(source.input(), shown, kind, out, tally, proving.answered if proving else None)


@dataclass(frozen=True)
class Solved:
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

    def lines(self, block: Block, answers: BlockAnswers) -> Iterable[str]:
        """Return each solution with a remark on its uniqueness, or a comment, or "" for a row without an answer."""
        solutions, *why = map(listed, (answers.column(name) for name in _SHOWN))
        remarks = map(cache(_remark), *why)  # of thousands of rows most have the same
        if None not in solutions:
            return chain.from_iterable(zip(solutions, remarks, repeat("\n")))
        rows = enumerate(zip(solutions, remarks, *why, strict=True))
        return (
            f"{found}{remark}\n" if found else _comment(block, row, *known) for row, (found, remark, *known) in rows
        )

    def drawn(self, block: Block, answers: BlockAnswers) -> Iterator[str]:
        """Yield each solution as a drawn board under a title line, or a comment."""
        for row, (solution, status, unique, reason, nth) in enumerate(answers.lists(*_SHOWN, "nth")):
            name = title_of(block.entry(row))
            if solution is None:
                why = _no_solution(status, reason)
                yield f"# {name}: {why}\n" if why else ""
                continue
            found = answers.at(row).found
            grid = found if isinstance(found, Grid) else getattr(found, "grid", None)
            grid = grid or Grid(NINE, tuple(map(int, solution)))  # a classic board, answered in a batch
            which = "" if nth is None else f", solution {nth}"
            text = f"# {name}{which}{_remark(status, unique, reason).replace(' # ', ': ')}\n"
            yield text + "".join(write([grid], "grid", alphabet=self.alphabet))

    def details(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return how each answer was found."""
        return details_of_records(answers)


_SHOWN = ("solution", "status", "unique", "reason")


def _remark(status: str, unique: bool | None, reason: str | None) -> str:
    """Return a remark on whether a solution is the only one, and whether drawn rules were ignored."""
    if unique is None:
        remark = f" # uniqueness not settled: {reason}" if reason else ""
    else:
        remark = " # unique" if unique else " # not unique"
    return f"{remark or ' #'}{WITHOUT_DRAWN}" if status == Status.WITHOUT_DRAWN else remark


def _comment(block: Block, row: int, status: str, _: bool | None, reason: str | None) -> str:
    why = _no_solution(status, reason)
    return f"# {why} ({where_it_stands(block.entry(row))})\n" if why else ""


def _no_solution(status: str, reason: str | None) -> str:
    """Return why there is no solution, or "" for a row without an answer, which is reported elsewhere."""
    what = {str(Status.UNSATISFIABLE): "no solution", str(Status.UNKNOWN): "unknown"}.get(status)
    return "" if what is None else f"{what}: {reason}" if reason else what
