"""``sudoku-models certify`` and ``check``: certificates, and whether they belong to the problems that the user has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import is_zipfile

from .. import prove
from ..errors import FormatError, LimitReached, SudokuModelsError
from ..model import Model
from ..prove.certificate import amount
from ..prove.certifying import PROOFS
from ..prove.files import holds_many
from ..prove.looking import alarm, until
from ..prove.outside import CHECKERS, Opinion, installed_checkers, outside_opinions
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .inputs import Input, model_in
from .options import Number, Positive, Seconds, SourceOptions
from .outputs import Write, output
from .parser import command
from .terminal import Tally, say


@dataclass(frozen=True)
class CertifyOptions:
    """What to certify, and with which engine.

    --claim TEXT  What to certify: unique, unsatisfiable or count; for a model with an objective, optimal. [default:
        unique or unsatisfiable, whichever holds; optimal if there is an objective]
    --count NUMBER  With --claim count: the number of solutions.
    --refuter TEXT  The engine that writes the proof: cdcl, glucose4, cadical153, or the programs cadical and kissat.
    Output:
    --proof TEXT  lrat: lemmas with hints, which are quick to check; drat: lemmas without hints.
    """

    claim: str | None = None
    count: Number | None = None
    refuter: str = "auto"
    proof: str = "lrat"
    backend: str = "auto"
    time_limit: Seconds | None = None


@command("Prove", "certify puzzle.txt --out certificate.zip")
def certify(
    source: SourceOptions,
    out: Path,
    wish: CertifyOptions,
    together: bool = False,
    threads: Positive = 1,
    model: Path | None = None,
) -> Code:
    """Certify the number of solutions of puzzles, with a proof that other programs can check.

    With --model, also certify that a model's best solution is optimal.

    --threads NUMBER  With --together: the number of threads.
    Output:
    --out -o TEXT  A new folder or a name ending in .zip; for several puzzles, a folder for their certificates.
    --together  Write all certificates into one zip file, for puzzles of the same shape: much faster and smaller.
    Input:
    --model FILE  Certify a model instead of puzzles: a file with its text, as in a certificate's model.txt.
    """
    if model is not None:
        return _certify_model(source.files or (), model, out, wish, together)
    if together:
        return _certify_together(source.input(), out, wish, threads)
    return _certify_each(source.input(), out, wish)


def _certify_each(source: Input, out: Path, wish: CertifyOptions) -> Code:
    """Certify each puzzle. A single certificate goes to ``out``; several go into a folder of that name, by number."""
    _check(wish, [prove.Claim.UNIQUE, prove.Claim.UNSATISFIABLE, prove.Claim.COUNT])
    _check_place(out)
    tally = Tally()
    entries = list(source.entries(tally))
    for entry in entries:
        target = out if len(entries) == 1 else out / f"{entry.number}.zip"
        if entry.puzzle is not None:
            _certified(entry.puzzle, entry.place, target, wish, tally)
    return tally.code


def _certify_model(files: Sequence[str], path: Path, out: Path, wish: CertifyOptions, together: bool) -> Code:
    """Certify a claim about a model whose text is in a file."""
    if files or together:
        raise UsageError(f"--model cannot be combined with {'--together' if together else 'files of puzzles'}")
    _check(wish, list(prove.Claim))
    _check_place(out)
    tally = Tally()
    model = model_in(path)
    _certified(model, str(path), out, wish, tally)
    return tally.code


def _check(wish: CertifyOptions, claims: Sequence[prove.Claim]) -> None:
    """Raise UsageError for an unknown claim, or for a number that does not go with it."""
    if wish.claim is not None and wish.claim not in claims:
        raise UsageError(f"--claim {wish.claim}: one of {', '.join(claims)} is expected")
    if wish.count is not None and wish.claim not in (None, prove.Claim.COUNT):
        raise UsageError(f"--count and --claim {wish.claim} do not go together")
    if wish.proof not in PROOFS:
        raise UsageError(f"--proof {wish.proof}: one of {', '.join(PROOFS)} is expected")


def _certified(problem: Puzzle | Model, place: str, target: Path, wish: CertifyOptions, tally: Tally) -> None:
    try:
        made = prove.certify(
            problem,
            wish.claim,
            wish.backend,
            count=wish.count,
            refuter=wish.refuter,
            proof=wish.proof,
            time_limit=wish.time_limit,
        )
        with _writing(target):
            prove.save(made, target)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(f"{place}: {error}", _code_of(error))
    else:
        say(f"{place}: {made}, written to {target}")


def _code_of(error: Exception) -> Code:
    return Code.NO_SOLUTION if isinstance(error, prove.ClaimFalse) else code_of(error)


def _check_place(out: Path) -> None:
    """Raise UsageError if a parent folder of ``out`` is in fact a file."""
    above = next((path for path in out.absolute().parents if path.exists()), None)
    if above is not None and not above.is_dir():
        raise UsageError(f"--out {out}: {above} is a file, but a folder is expected there")


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Create the folder for what is written; raise UsageError if the target cannot be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise UsageError(f"--out {target}: cannot be written: {error.strerror}") from error


def _certify_together(source: Input, out: Path, wish: CertifyOptions, threads: int) -> Code:
    """Certify all puzzles into one file; each must have one solution or none."""
    if wish.claim is not None or wish.count is not None or wish.backend != "auto":
        raise UsageError("--together chooses the claim itself: leave out --claim, --count and --backend")
    if wish.proof != "lrat":
        raise UsageError(f"--together always writes proofs with hints: leave out --proof {wish.proof}")
    if out.suffix != ".zip":
        raise UsageError(f"--out {out}: with --together, a file name ending in .zip is expected")
    _check_place(out)
    tally = Tally()
    entries = [entry for entry in source.entries(tally) if entry.puzzle is not None]
    puzzles = (entry.puzzle for entry in entries if entry.puzzle is not None)
    try:
        made = prove.certify_many(puzzles, refuter=wish.refuter, threads=threads, time_limit=wish.time_limit)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(str(error), code_of(error))
        return tally.code
    for number, why in made.problems.items():
        tally.problem(f"{entries[number - 1].place}: {why}", _code_of(why))
    if len(made):
        with _writing(out):
            say(f"{amount(len(made), 'certificate')}, written to {prove.save_many(made, out)}")
    return tally.code


# checking


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
    paths: list[Path],
    outside: bool = False,
    problem: Path | None = None,
    model: Path | None = None,
    time_limit: Seconds | None = None,
) -> Code:
    """Check certificates: the puzzle, its solutions, the formula and its proof.

    The check does not trust whatever wrote the certificate: it rebuilds the formula and checks each step of the proof.

    <paths> NAME  Certificates: folders or zip files.
    --outside  Also run the independent checkers that are installed: cake_lpr, drat-trim, dratify, drup, lrat-check.
    Input:
    --problem FILE  The puzzles that the certificates must belong to; others are refused. In a file of many puzzles, the
        numbers must match too.
    --model FILE  The model that the certificates must belong to: a file with its text.
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
    if not (path.is_file() and holds_many(path)):
        yield from outside_opinions(path, time_limit=time_limit)
        return
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
