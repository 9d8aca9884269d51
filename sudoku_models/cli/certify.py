"""``sudoku-models certify``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from .. import prove
from ..errors import SudokuModelsError
from ..formats import Entry
from ..model import Model
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of
from .inputs import Input, model_in
from .options import INPUT, OUTPUT, Backend, SourceOptions, TimeLimit
from .parser import Option, command
from .terminal import Tally, say

Out = Annotated[
    Path,
    Option(
        "--out",
        "-o",
        help="A new folder or a name ending in .zip; for several puzzles, a folder for their certificates.",
        panel=OUTPUT,
    ),
]

Together = Annotated[
    bool,
    Option(
        "--together",
        help="Write all certificates into one zip file, for puzzles of the same shape: much faster and smaller.",
        panel=OUTPUT,
    ),
]

Threads = Annotated[int, Option("--threads", min=1, help="With --together: the number of threads.")]

ModelFile = Annotated[
    Path | None,
    Option(
        "--model",
        metavar="FILE",
        help="Certify a model instead of puzzles: a file with its text, as in a certificate's model.txt.",
        panel=INPUT,
    ),
]

Claimed = Annotated[
    str | None,
    Option(
        "--claim",
        help="What to certify: unique, unsatisfiable or count; for a model with an objective, optimal.",
        show_default="unique or unsatisfiable, whichever holds; optimal if there is an objective",
    ),
]

Number = Annotated[int | None, Option("--count", min=0, help="With --claim count: the number of solutions.")]

Refuter = Annotated[
    str,
    Option(
        "--refuter",
        help="The engine that writes the proof: cdcl, glucose4, cadical153, or the programs cadical and kissat.",
    ),
]

Proof = Annotated[
    str,
    Option(
        "--proof",
        help="lrat: lemmas with hints, which are quick to check; drat: lemmas without hints.",
        panel=OUTPUT,
    ),
]


@dataclass(frozen=True)
class CertifyOptions:
    """What to certify, and with which engine."""

    claim: Claimed = None
    count: Number = None
    refuter: Refuter = "auto"
    proof: Proof = "lrat"
    backend: Backend = "auto"
    time_limit: TimeLimit = None


@command("Prove", "certify puzzle.txt --out certificate.zip")
def certify(
    source: SourceOptions,
    out: Out,
    wish: CertifyOptions,
    together: Together = False,
    threads: Threads = 1,
    model: ModelFile = None,
) -> Code:
    """Certify the number of solutions of puzzles, with a proof that other programs can check.

    With --model, also certify that a model's best solution is optimal.
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
        _certify(entry, target, wish, tally)
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
    from ..prove.certifying import PROOFS

    if wish.claim is not None and wish.claim not in claims:
        raise UsageError(f"--claim {wish.claim}: one of {', '.join(claims)} is expected")
    if wish.count is not None and wish.claim not in (None, prove.Claim.COUNT):
        raise UsageError(f"--count and --claim {wish.claim} do not go together")
    if wish.proof not in PROOFS:
        raise UsageError(f"--proof {wish.proof}: one of {', '.join(PROOFS)} is expected")


def _certify(entry: Entry, target: Path, wish: CertifyOptions, tally: Tally) -> None:
    if entry.puzzle is not None:
        _certified(entry.puzzle, entry.place, target, wish, tally)


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
    from ..prove.certificate import amount

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
