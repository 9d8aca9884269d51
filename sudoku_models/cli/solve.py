"""``sudoku-models solve``.

The columns of an answer are ``solution``, ``status``, ``unique``, ``reason``, ``backend`` and ``seconds``; with
``--limit`` there is a row for each solution, numbered by ``nth``. The page about the command line describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..bulk.columns import listed
from ..bulk.question import BlockAnswers, RowAnswer, Verb
from ..bulk.questions import Enumerating, Solving
from ..bulk.rows import Block
from ..bulk.where import NINE
from ..errors import SudokuModelsError
from ..formats import Entry, write
from ..puzzle import Grid
from ..verbs.results import AS_READ, WITHOUT_DRAWN, Result, Status
from .answers import Shown, answer, title_of, where_it_stands
from .codes import Code, UsageError, code_of
from .effort import refuse
from .options import LIMITS, OUTPUT, BoardFormat, ChosenBackend, Out, Output, Sharded, read_seconds
from .outputs import at_terminal
from .parser import Option, command
from .terminal import Tally, log, say

if TYPE_CHECKING:
    from ..prove import Claim

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
    verb: Verb = Solving(choice.backend, choice.limits, unique, source.alphabet, jobs=choice.jobs)
    if several:
        verb = Enumerating(choice.backend, choice.limits, limit, source.alphabet)
    shown = Shown(verb, "solve", _lines, doing="solving", drawn=partial(_drawn, source.alphabet))
    kind = format or (Output.GRID if at_terminal(out) else None)
    return answer(source.input(), shown, kind, out, tally, proving.answered if proving else None)


def _lines(block: Block, answers: BlockAnswers) -> Iterable[str]:
    """Return each solution with a remark on its uniqueness, or a comment, or "" for a row without an answer."""
    solutions, *why = map(listed, (answers.column(name) for name in _SHOWN))
    remarks = map(cache(_remark), *why)  # of thousands of rows most have the same
    if None not in solutions:
        return chain.from_iterable(zip(solutions, remarks, repeat("\n")))
    rows = enumerate(zip(solutions, remarks, *why, strict=True))
    return (f"{found}{remark}\n" if found else _comment(block, row, *known) for row, (found, remark, *known) in rows)


def _drawn(alphabet: str | None, block: Block, answers: BlockAnswers) -> Iterator[str]:
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
        yield text + "".join(write([grid], "grid", alphabet=alphabet))


_SHOWN = ("solution", "status", "unique", "reason")


def _remark(status: str, unique: bool | None, reason: str | None) -> str:
    """Return a remark on whether a solution is the only one, and whether rules were ignored."""
    if unique is None:
        remark = f" # uniqueness not settled: {reason}" if reason else ""
    else:
        remark = " # unique" if unique else " # not unique"
    why = status.removeprefix(Status.SOLVED)
    return f"{remark or ' #'}{why}" if why in (WITHOUT_DRAWN, AS_READ) else remark


def _comment(block: Block, row: int, status: str, _: bool | None, reason: str | None) -> str:
    why = _no_solution(status, reason)
    return f"# {why} ({where_it_stands(block.entry(row))})\n" if why else ""


_WITHOUT_SOLUTION = {
    str(Status.UNSATISFIABLE): "no solution",
    str(Status.UNSATISFIABLE_AS_READ): f"no solution{AS_READ}",
    str(Status.UNKNOWN): "unknown",
}


def _no_solution(status: str, reason: str | None) -> str:
    """Return why there is no solution, or "" for a row without an answer, which is reported elsewhere."""
    what = _WITHOUT_SOLUTION.get(status)
    return "" if what is None else f"{what}: {reason}" if reason else what


class Certifying:
    """Writes certificates into a folder, each under the number of its puzzle, and reports puzzles without one.

    ``time_limit`` (seconds) applies to making each certificate, and to checking it. Raise UsageError if the folder
    cannot be created.
    """

    def __init__(self, folder: Path, time_limit: float | None, tally: Tally) -> None:
        self._folder, self._time_limit, self._tally = folder, time_limit, tally
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "a file of that name exists" if isinstance(error, FileExistsError) else error.strerror
            raise UsageError(f"--certify {folder}: the folder cannot be created: {reason}") from error

    def answered(self, entry: Entry, answer: RowAnswer) -> None:
        """Certify an answer; a missing answer has already been reported."""
        from ..prove import Claim

        result = answer.found
        if not isinstance(result, Result):
            return
        if result.status.no_solution:
            self._certify(entry, Claim.UNSATISFIABLE, ())
        elif result.unique and result.solution is not None:
            self._certify(entry, Claim.UNIQUE, (result.solution,))
        else:
            why = "there are several solutions" if result.unique is False else "the number of solutions is not settled"
            say(f"{entry.place}: no certificate: {why}")

    def _certify(self, entry: Entry, claim: Claim, solutions: tuple[tuple[int, ...], ...]) -> None:
        from ..prove import ClaimFalse, certificate_of, check, save

        assert entry.puzzle
        target = self._folder / f"{entry.number}.zip"
        try:
            made = certificate_of(entry.puzzle, claim, solutions, time_limit=self._time_limit)
            checked = check(made, time_limit=self._time_limit)
            if not checked:
                self._tally.problem(
                    f"{entry.place}: no certificate: the check refused it: {checked.problem}", Code.DISAGREE
                )
                return
            save(made, target)
        except ClaimFalse as error:
            self._tally.problem(f"{entry.place}: no certificate: the answer is wrong: {error}", Code.DISAGREE)
        except (SudokuModelsError, ValueError, OSError) as error:
            code = Code.USAGE if isinstance(error, OSError) else code_of(error)
            self._tally.problem(f"{entry.place}: no certificate: {error}", code)
        else:
            log.info("%s: %s, written to %s", entry.place, made, target)
