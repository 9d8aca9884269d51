"""``sudoku-models check``: certificates, and whether they belong to the problems that the user has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated
from zipfile import is_zipfile

from .. import prove
from ..errors import FormatError, LimitReached, SudokuModelsError
from ..model import Model
from ..prove.looking import alarm, until
from ..prove.outside import CHECKERS, Opinion, installed_checkers, outside_opinions
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .inputs import Input, model_in
from .options import INPUT, TimeLimit
from .outputs import Write, output
from .parser import Argument, Option, command
from .terminal import Tally, say


@dataclass(frozen=True)
class AskedProblems:
    """The problems that certificates must belong to; empty if the user named none."""

    puzzles: Sequence[Puzzle] = ()
    model: Model | None = None

    @classmethod
    def of(cls, puzzles: Path | None, model: Path | None) -> AskedProblems:
        """Read puzzles or a model; raise UsageError if there are none, if both are given, or if one cannot be read."""
        if puzzles is not None and model is not None:
            raise UsageError("--problem and --model do not go together")
        if model is not None:
            return cls((), model_in(model))
        return cls() if puzzles is None else cls(_puzzles_in(puzzles))

    def match(self, certificate: prove.Certificate) -> Puzzle | Model | None:
        """Return the named problem that a certificate is about; another if it matches none, None if none was named."""
        if self.model is not None:
            return self.model
        wanted = (puzzle for puzzle in self.puzzles if prove.Statement.of(puzzle).same(certificate.statement))
        return next(wanted, self.puzzles[0] if self.puzzles else None)


def _puzzles_in(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file in order; unreadable ones are reported and skipped, as in ``certify``."""
    try:
        entries = list(Input((str(path),)).quiet_entries())
    except FormatError as error:
        raise UsageError(f"--problem {error}") from error
    for entry in entries:
        if entry.error:
            say(f"--problem {entry.error}")
    if not any(entry.puzzle for entry in entries):
        raise UsageError(f"--problem {path}: the file contains no puzzle")
    return [entry.puzzle for entry in entries if entry.puzzle is not None]


@command("Prove", "check certificate.zip")
def check(
    paths: Annotated[list[Path], Argument(metavar="NAME", help="Certificates: folders or zip files.")],
    outside: Annotated[
        bool,
        Option(
            "--outside",
            help="Also run the independent checkers that are installed: cake_lpr, drat-trim, dratify, drup, "
            "lrat-check.",
        ),
    ] = False,
    problem: Annotated[
        Path | None,
        Option(
            "--problem",
            metavar="FILE",
            help="The puzzles that the certificates must belong to; others are refused. In a file of many puzzles, "
            "the numbers must match too.",
            panel=INPUT,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        Option(
            "--model",
            metavar="FILE",
            help="The model that the certificates must belong to: a file with its text.",
            panel=INPUT,
        ),
    ] = None,
    time_limit: TimeLimit = None,
) -> Code:
    """Check certificates: the puzzle, its solutions, the formula and its proof.

    The check does not trust whatever wrote the certificate: it rebuilds the formula and checks each step of the proof.
    """
    asked = AskedProblems.of(problem, model)
    if outside and not installed_checkers():
        known = "; ".join(f"{checker.name}: {checker.install}" for checker in CHECKERS)
        raise UsageError(f"--outside: no independent checker is installed. {known}")
    tally = Tally()
    with output(None) as write:
        for path in paths:
            try:
                _check_one(path, time_limit, outside, asked, tally, write)
            except LimitReached as error:
                tally.problem(f"{path}: {error}", Code.LIMIT)
            except SudokuModelsError as error:
                tally.problem(str(error) if str(error).startswith(f"{path}: ") else f"{path}: {error}", code_of(error))
    return tally.code


def _check_one(
    path: Path, time_limit: float | None, outside: bool, asked: AskedProblems, tally: Tally, write: Write
) -> None:
    found = _checked(path, time_limit, asked)
    write(f"{path}: {found}\n")
    if not found:
        tally.add(Code.DISAGREE)
    for opinion in _opinions(path, time_limit) if outside and found else ():
        write(f"  by {opinion}\n")
        if opinion.accepted is not True:
            tally.add(Code.DISAGREE if opinion.accepted is False else Code.LIMIT)


def _checked(path: Path, time_limit: float | None, asked: AskedProblems) -> prove.Verification | prove.Verifications:
    """Check a certificate, or a file of many."""
    from ..prove.files import holds_many

    if path.is_file() and not is_zipfile(path):
        raise UsageError(
            f"{path}: is not a certificate, or is incomplete: a folder or a zip file as written by certify is expected"
        )
    if path.is_file() and holds_many(path):
        if asked.model is not None:
            raise UsageError(
                f"{path}: --model is for the certificate of a model, but this file holds certificates of many puzzles"
            )
        return prove.check_many(path, problems=asked.puzzles or None, time_limit=time_limit)
    look = until(time_limit)
    with alarm(time_limit):
        certificate = prove.load(path, look)
        return prove.check(certificate, problem=asked.match(certificate), time_limit=look.left)


def _opinions(path: Path, time_limit: float | None) -> Iterator[Opinion]:
    """Yield the verdicts of the independent checkers on a certificate, or on a file of many as a whole."""
    from ..prove.files import holds_many

    if not (path.is_file() and holds_many(path)):
        yield from outside_opinions(path, time_limit=time_limit)
        return
    from ..prove.certificate import amount

    accepted: Counter[str] = Counter()
    many = prove.load_many(path, time_limit=time_limit)
    for number, certificate in zip(many.numbers, many, strict=True):
        for opinion in outside_opinions(certificate, time_limit=time_limit):
            accepted[opinion.checker] += opinion.accepted is True
            if opinion.accepted is not True:
                yield replace(opinion, checker=f"{opinion.checker}, number {number}")
    for checker, count in accepted.items():
        if count:
            yield Opinion(checker, True, f"{count} of {amount(len(many), 'certificate')}")
