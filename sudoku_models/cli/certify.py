"""``sudoku-models certify`` and ``sudoku-models check``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LimitReached, SudokuModelsError
from ..formats import Entry
from ..prove import Claim, ClaimFalse, Verification, check, save
from ..prove import certify as certified
from ..prove.files import holds_many
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


def certify(source: Input, out: Path, wish: Wish) -> Code:
    """Certify puzzle after puzzle; one goes to ``out``, several into a folder of that name, each under its number."""
    if wish.claim is not None and wish.claim not in (Claim.UNIQUE, Claim.UNSATISFIABLE, Claim.COUNT):
        raise UsageError(f"--claim {wish.claim}: unique, unsatisfiable or count is expected")
    if wish.count is not None and wish.claim not in (None, Claim.COUNT):
        raise UsageError(f"--count and --claim {wish.claim} do not go together")
    tally = Tally()
    entries = list(source.entries(tally))
    for entry in entries:
        target = out if len(entries) == 1 else out / f"{entry.number}.zip"
        _certify(entry, target, wish, tally)
    return tally.code


def _certify(entry: Entry, target: Path, wish: Wish, tally: Tally) -> None:
    if entry.puzzle is None:
        return
    try:
        made = certified(
            entry.puzzle, wish.claim, wish.backend, count=wish.count, refuter=wish.refuter, time_limit=wish.time_limit
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        save(made, target)
    except ClaimFalse as error:
        tally.problem(f"{entry.place}: {error}", Code.NO_SOLUTION)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(f"{entry.place}: {error}", code_of(error))
    else:
        say(f"{entry.place}: {made}, written to {target}")


def certify_together(source: Input, out: Path, wish: Wish, threads: int) -> Code:
    """Certify all puzzles into one file; each has one solution, or none."""
    from ..prove import certify_many, save_many

    if wish.claim is not None or wish.count is not None or wish.backend != "auto":
        raise UsageError("--together certifies what holds: it goes with neither --claim, --count nor --backend")
    if out.suffix != ".zip":
        raise UsageError(f"--out {out}: with --together the name of one file that ends with .zip is expected")
    tally = Tally()
    entries = [entry for entry in source.entries(tally) if entry.puzzle is not None]
    puzzles = (entry.puzzle for entry in entries if entry.puzzle is not None)
    try:
        made = certify_many(puzzles, refuter=wish.refuter, threads=threads, time_limit=wish.time_limit)
    except (SudokuModelsError, ValueError) as error:
        tally.problem(str(error), code_of(error))
        return tally.code
    for number, why in made.problems.items():
        tally.problem(f"{entries[number - 1].place}: {why}", Code.NO_SOLUTION)
    if len(made):
        out.parent.mkdir(parents=True, exist_ok=True)
        say(f"{len(made)} certificates, written to {save_many(made, out)}")
    return tally.code


def check_all(paths: Iterable[Path], time_limit: float | None) -> Code:
    """Check certificate after certificate, and say of each what was checked."""
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
    return tally.code


def _checked(path: Path, time_limit: float | None) -> Verification | Verifications:
    """Check a certificate, or a file of many."""
    if path.is_file() and holds_many(path):
        from ..prove import check_many, load_many

        return check_many(load_many(path), time_limit=time_limit)
    return check(path, time_limit=time_limit)
