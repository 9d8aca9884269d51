"""``sudoku-models certify``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import SudokuModelsError
from ..formats import Entry
from ..model import Model
from ..prove import Claim, ClaimFalse, save
from ..prove import certify as certified
from ..prove.certificate import amount
from ..prove.certifying import PROOFS
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .inputs import Input
from .models import model_in
from .terminal import Tally, say


@dataclass(frozen=True)
class CertifyOptions:
    """What to certify, and with which engine."""

    claim: str | None
    count: int | None
    refuter: str
    backend: str
    time_limit: float | None
    proof: str = "lrat"


def certify(source: Input, out: Path, wish: CertifyOptions) -> Code:
    """Certify each puzzle. A single certificate goes to ``out``; several go into a folder of that name, by number."""
    _check(wish, (Claim.UNIQUE, Claim.UNSATISFIABLE, Claim.COUNT))
    _check_place(out)
    tally = Tally()
    entries = list(source.entries(tally))
    for entry in entries:
        target = out if len(entries) == 1 else out / f"{entry.number}.zip"
        _certify(entry, target, wish, tally)
    return tally.code


def certify_model(files: Sequence[str], path: Path, out: Path, wish: CertifyOptions, together: bool) -> Code:
    """Certify a claim about a model whose text is in a file."""
    if files or together:
        raise UsageError(f"--model cannot be combined with {'--together' if together else 'files of puzzles'}")
    _check(wish, tuple(Claim))
    _check_place(out)
    tally = Tally()
    model = model_in(path)
    _certified(model, str(path), out, wish, tally)
    return tally.code


def _check(wish: CertifyOptions, claims: Sequence[Claim]) -> None:
    """Raise UsageError for an unknown claim, or for a number that does not go with it."""
    if wish.claim is not None and wish.claim not in claims:
        raise UsageError(f"--claim {wish.claim}: one of {', '.join(claims)} is expected")
    if wish.count is not None and wish.claim not in (None, Claim.COUNT):
        raise UsageError(f"--count and --claim {wish.claim} do not go together")
    if wish.proof not in PROOFS:
        raise UsageError(f"--proof {wish.proof}: one of {', '.join(PROOFS)} is expected")


def _certify(entry: Entry, target: Path, wish: CertifyOptions, tally: Tally) -> None:
    if entry.puzzle is not None:
        _certified(entry.puzzle, entry.place, target, wish, tally)


def _certified(problem: Puzzle | Model, place: str, target: Path, wish: CertifyOptions, tally: Tally) -> None:
    try:
        made = certified(
            problem,
            wish.claim,
            wish.backend,
            count=wish.count,
            refuter=wish.refuter,
            proof=wish.proof,
            time_limit=wish.time_limit,
        )
        with _writing(target):
            save(made, target)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(f"{place}: {error}", _code_of(error))
    else:
        say(f"{place}: {made}, written to {target}")


def _code_of(error: Exception) -> Code:
    return Code.NO_SOLUTION if isinstance(error, ClaimFalse) else code_of(error)


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


def certify_together(source: Input, out: Path, wish: CertifyOptions, threads: int) -> Code:
    """Certify all puzzles into one file; each must have one solution or none."""
    from ..prove import certify_many, save_many

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
        made = certify_many(puzzles, refuter=wish.refuter, threads=threads, time_limit=wish.time_limit)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(str(error), code_of(error))
        return tally.code
    for number, why in made.problems.items():
        tally.problem(f"{entries[number - 1].place}: {why}", _code_of(why))
    if len(made):
        with _writing(out):
            say(f"{amount(len(made), 'certificate')}, written to {save_many(made, out)}")
    return tally.code
