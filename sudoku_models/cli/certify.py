"""``sudoku-models certify`` and ``check``: certificates, and whether they belong to the problems that the user has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from zipfile import is_zipfile

from .. import prove
from ..errors import FormatError, LimitReached, SudokuModelsError
from ..model import Model
from ..prove.certificate import amount
from ..prove.files import holds_many
from ..prove.looking import Deadline, alarm
from ..prove.outside import CHECKERS, Opinion, installed_checkers, outside_opinions
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of, refuse
from .inputs import Number, Positive, Seconds, SourceOptions, model_in
from .parser import command
from .terminal import Tally, Write, output, say


@dataclass(frozen=True)
class CertifyOptions:
    """What to certify, and with which engine.

    --claim  What to certify; optimal: for a model with an objective. [default: unique or unsatisfiable, whichever
        holds; optimal if there is an objective]
    --count NUMBER  With --claim count: the number of solutions.
    --refuter TEXT  The engine that writes the proof: cdcl, glucose4, cadical153, or the programs cadical and kissat.
    Output:
    --proof  lrat: lemmas with hints, which are quick to check; drat: lemmas without hints.
    """

    claim: Literal["unique", "unsatisfiable", "count", "optimal"] | None = None
    count: Number | None = None
    refuter: str = "auto"
    proof: Literal["lrat", "drat"] = "lrat"
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
    if together and model is None:
        return _certify_together(source, out, wish, threads)
    wrong = "--together" if together else "files of puzzles"
    refuse(model is None or not (source.files or together), f"--model cannot be combined with {wrong}")
    counted = wish.count is None or wish.claim in (None, "count")
    refuse(counted, f"--count and --claim {wish.claim} do not go together")
    refuse(model is not None or wish.claim != "optimal", "--claim optimal needs --model: a puzzle has no objective")
    _check_place(out)
    tally = Tally()
    chosen: Any = {name: getattr(wish, name) for name in ("count", "refuter", "proof", "time_limit")}
    for problem, place, target in _problems(source, model, out, tally):
        try:
            made = prove.certify(problem, wish.claim, wish.backend, **chosen)
            prove.save(made, _folder(target))
        except (SudokuModelsError, ValueError) as error:
            tally.problem(f"{place}: {error}", _code_of(error))
        else:
            say(f"{place}: {made}, written to {target}")
    return tally.code


def _problems(
    source: SourceOptions, model: Path | None, out: Path, tally: Tally
) -> list[tuple[Puzzle | Model, str, Path]]:
    """Return what to certify, its place, and where its certificate goes: several into a folder, by their numbers."""
    if model is not None:
        return [(model_in(model), str(model), out)]
    found = list(source.entries(tally))
    several = len(found) > 1
    return [(e.puzzle, e.place, out / f"{e.number}.zip" if several else out) for e in found if e.puzzle is not None]


def _code_of(error: Exception) -> Code:
    return Code.NO_SOLUTION if isinstance(error, prove.ClaimFalse) else code_of(error)


def _check_place(out: Path) -> None:
    """Raise UsageError if a parent folder of ``out`` is in fact a file."""
    above = next((path for path in out.absolute().parents if path.exists()), None)
    if above is not None and not above.is_dir():
        raise UsageError(f"--out {out}: {above} is a file, but a folder is expected there")


def _folder(target: Path) -> Path:
    """Return a place for a certificate, in a folder that is made if there is none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _certify_together(source: SourceOptions, out: Path, wish: CertifyOptions, threads: int) -> Code:
    """Certify all puzzles into one file; each must have one solution or none."""
    refuse(
        wish.claim is None and wish.count is None and wish.backend == "auto",
        "--together chooses the claim itself: leave out --claim, --count and --backend",
    )
    refuse(wish.proof == "lrat", f"--together always writes proofs with hints: leave out --proof {wish.proof}")
    refuse(out.suffix == ".zip", f"--out {out}: with --together, a file name ending in .zip is expected")
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
        say(f"{amount(len(made), 'certificate')}, written to {prove.save_many(made, _folder(out))}")
    return tally.code


# checking

Asked = Model | Sequence[Puzzle]
"""The problems that certificates must belong to: a model, or puzzles; none if the user named none."""


def _asked(puzzles: Path | None, model: Path | None) -> Asked:
    """Read puzzles or a model; raise UsageError if there are none, if both are given, or if one cannot be read."""
    refuse(puzzles is None or model is None, "--problem and --model do not go together")
    if model is not None:
        return model_in(model)
    return () if puzzles is None else _puzzles_in(puzzles)


def _match(asked: Asked, certificate: prove.Certificate) -> Puzzle | Model | None:
    """Return the named problem that a certificate is about; another if it matches none, None if none was named."""
    if isinstance(asked, Model):
        return asked
    wanted = (puzzle for puzzle in asked if prove.Statement.of(puzzle).same(certificate.statement))
    return next(wanted, asked[0] if asked else None)


def _puzzles_in(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file in order; unreadable ones are reported and skipped, as in ``certify``."""
    try:
        entries = list(SourceOptions([str(path)]).quiet_entries())
    except FormatError as error:
        raise UsageError(f"--problem {error}") from error
    for entry in entries:
        if entry.error:
            say(f"--problem {entry.error}")
    puzzles = [entry.puzzle for entry in entries if entry.puzzle is not None]
    refuse(bool(puzzles), f"--problem {path}: the file contains no puzzle")
    return puzzles


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
    asked = _asked(problem, model)
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


def _check_one(path: Path, time_limit: float | None, outside: bool, asked: Asked, tally: Tally, write: Write) -> None:
    if path.is_file() and not is_zipfile(path):
        raise UsageError(
            f"{path}: is not a certificate, or is incomplete: a folder or a zip file as written by certify is expected"
        )
    found: prove.Verification | prove.Verifications
    many = path.is_file() and holds_many(path)
    if many:
        if isinstance(asked, Model):
            raise UsageError(
                f"{path}: --model is for the certificate of a model, but this file holds certificates of many puzzles"
            )
        found = prove.check_many(path, problems=asked or None, time_limit=time_limit)
    else:
        look = Deadline(time_limit)
        with alarm(time_limit):
            certificate = prove.load(path, look)
            found = prove.check(certificate, problem=_match(asked, certificate), time_limit=look.left)
    write(f"{path}: {found}\n")
    if not found:
        tally.add(Code.DISAGREE)
    for opinion in _opinions(path, many, time_limit) if outside and found else ():
        write(f"  by {opinion}\n")
        if opinion.accepted is not True:
            tally.add(Code.DISAGREE if opinion.accepted is False else Code.LIMIT)


def _opinions(path: Path, many: bool, time_limit: float | None) -> Iterator[Opinion]:
    """Yield the verdicts of the independent checkers on a certificate, or on a file of many as a whole."""
    if not many:
        yield from outside_opinions(path, time_limit=time_limit)
        return
    accepted: Counter[str] = Counter()
    all_ = prove.load_many(path, time_limit=time_limit)
    for number, certificate in zip(all_.numbers, all_, strict=True):
        for opinion in outside_opinions(certificate, time_limit=time_limit):
            accepted[opinion.checker] += opinion.accepted is True
            if opinion.accepted is not True:
                yield replace(opinion, checker=f"{opinion.checker}, number {number}")
    for checker, count in accepted.items():
        if count:
            yield Opinion(checker, True, f"{count} of {amount(len(all_), 'certificate')}")
