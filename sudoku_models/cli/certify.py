"""``sudoku-models certify`` and ``sudoku-models check``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LimitReached, SudokuModelsError
from ..formats import Entry
from ..model import Model, TextError
from ..prove import Claim, ClaimFalse, Verification, check, save
from ..prove import certify as certified
from ..prove.certify import PROOFS
from ..prove.files import holds_many
from ..prove.outside import CHECKERS, Opinion, installed_checkers, outside_opinions
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .reading import Input
from .terminal import Tally, say

if TYPE_CHECKING:
    from ..prove import Verifications


@dataclass(frozen=True)
class Wish:
    """What is to be certified, and by what."""

    claim: str | None
    count: int | None
    refuter: str
    backend: str
    time_limit: float | None
    proof: str = "lrat"


def certify(source: Input, out: Path, wish: Wish) -> Code:
    """Certify puzzle after puzzle; one goes to ``out``, several into a folder of that name, each under its number."""
    _check(wish, (Claim.UNIQUE, Claim.UNSATISFIABLE, Claim.COUNT))
    _check_place(out)
    tally = Tally()
    entries = list(source.entries(tally))
    for entry in entries:
        target = out if len(entries) == 1 else out / f"{entry.number}.zip"
        _certify(entry, target, wish, tally)
    return tally.code


def certify_model(files: Sequence[str], path: Path, out: Path, wish: Wish, together: bool) -> Code:
    """Certify a claim about a model whose text is in a file."""
    if files or together:
        raise UsageError(f"--model does not go with {'--together' if together else 'files of puzzles'}")
    _check(wish, tuple(Claim))
    _check_place(out)
    tally = Tally()
    try:
        model = Model.parse(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"--model {path}: cannot be read: {error.strerror}") from error
    except (TextError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"--model {path}: {str(error)[:500]}") from error
    _certified(model, str(path), out, wish, tally)
    return tally.code


def _check(wish: Wish, claims: Sequence[Claim]) -> None:
    """UsageError for an unknown claim, or a number that does not go with it."""
    if wish.claim is not None and wish.claim not in claims:
        raise UsageError(f"--claim {wish.claim}: one of {', '.join(claims)} is expected")
    if wish.count is not None and wish.claim not in (None, Claim.COUNT):
        raise UsageError(f"--count and --claim {wish.claim} do not go together")
    if wish.proof not in PROOFS:
        raise UsageError(f"--proof {wish.proof}: one of {', '.join(PROOFS)} is expected")


def _certify(entry: Entry, target: Path, wish: Wish, tally: Tally) -> None:
    if entry.puzzle is not None:
        _certified(entry.puzzle, entry.place, target, wish, tally)


def _certified(problem: Puzzle | Model, place: str, target: Path, wish: Wish, tally: Tally) -> None:
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
    """UsageError when no file can be below a folder because a file has the name of one of its folders."""
    above = next((path for path in out.absolute().parents if path.exists()), None)
    if above is not None and not above.is_dir():
        raise UsageError(f"--out {out}: {above} is a file, and a folder is expected there")


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Make the folder in which something is written; UsageError when the system does not let it be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise UsageError(f"--out {target}: cannot be written: {error.strerror}") from error


def certify_together(source: Input, out: Path, wish: Wish, threads: int) -> Code:
    """Certify all puzzles into one file; each has one solution, or none."""
    from ..prove import certify_many, save_many

    if wish.claim is not None or wish.count is not None or wish.backend != "auto":
        raise UsageError("--together certifies what holds: it goes with neither --claim, --count nor --backend")
    if wish.proof != "lrat":
        raise UsageError(f"--together writes proofs with hints: it does not go with --proof {wish.proof}")
    if out.suffix != ".zip":
        raise UsageError(f"--out {out}: with --together the name of one file that ends with .zip is expected")
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
            say(f"{len(made)} certificates, written to {save_many(made, out)}")
    return tally.code


def check_all(paths: Iterable[Path], time_limit: float | None, outside: bool = False) -> Code:
    """Check certificate after certificate, and say of each what was checked.

    ``outside`` checkers are asked about those that are accepted.
    """
    if outside and not installed_checkers():
        known = "; ".join(f"{checker.name}: {checker.install}" for checker in CHECKERS)
        raise UsageError(f"--outside: no independent checker is installed. {known}")
    tally = Tally()
    for path in paths:
        try:
            found = _checked(path, time_limit)
        except LimitReached as error:
            tally.problem(f"{path}: {error}", Code.LIMIT)
            continue
        except SudokuModelsError as error:
            tally.problem(f"{path}: {error}", code_of(error))
            continue
        print(f"{path}: {found}")
        if not found:
            tally.add(Code.DISAGREE)
        for opinion in _opinions(path, time_limit) if outside and found else ():
            print(f"  by {opinion}")
            if opinion.accepted is not True:
                tally.add(Code.DISAGREE if opinion.accepted is False else Code.LIMIT)
    return tally.code


def _opinions(path: Path, time_limit: float | None) -> Iterator[Opinion]:
    """Yield what the independent checkers say of a certificate, or of each in a file of many."""
    if path.is_file() and holds_many(path):
        from ..prove import load_many

        many = load_many(path, time_limit=time_limit)
        for number, certificate in zip(many.numbers, many, strict=True):
            for opinion in outside_opinions(certificate, time_limit=time_limit):
                yield replace(opinion, checker=f"{opinion.checker}, number {number}")
    else:
        yield from outside_opinions(path, time_limit=time_limit)


def _checked(path: Path, time_limit: float | None) -> Verification | Verifications:
    """Check a certificate, or a file of many."""
    if path.is_file() and holds_many(path):
        from ..prove import check_many

        return check_many(path, time_limit=time_limit)
    return check(path, time_limit=time_limit)
