"""The commands for certificates, ``certify`` and ``check``, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .codes import Code
from .declarations import Argument, Option
from .groups import SourceOptions
from .options import INPUT, OUTPUT, Backend, TimeLimit

Out = Annotated[
    Path,
    Option(
        "--out",
        "-o",
        help="A new folder or a name ending in .zip; for several puzzles, a folder for their certificates.",
        rich_help_panel=OUTPUT,
    ),
]

Together = Annotated[
    bool,
    Option(
        "--together",
        help="Write all certificates into one zip file, for puzzles of the same shape: much faster and smaller.",
        rich_help_panel=OUTPUT,
    ),
]

Threads = Annotated[int, Option("--threads", min=1, help="With --together: the number of threads.")]

ModelFile = Annotated[
    Path | None,
    Option(
        "--model",
        metavar="FILE",
        help="Certify a model instead of puzzles: a file with its text, as in a certificate's model.txt.",
        rich_help_panel=INPUT,
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
        rich_help_panel=OUTPUT,
    ),
]


def certify(
    source: SourceOptions,
    out: Out,
    together: Together = False,
    threads: Threads = 1,
    model: ModelFile = None,
    claim: Claimed = None,
    count: Number = None,
    refuter: Refuter = "auto",
    proof: Proof = "lrat",
    backend: Backend = "auto",
    time_limit: TimeLimit = None,
) -> Code:
    """Certify the number of solutions of puzzles, with a proof that other programs can check.

    With --model, also certify that a model's best solution is optimal.
    """
    from . import certify as command

    wish = command.CertifyOptions(claim, count, refuter, backend, time_limit, proof)
    if model is not None:
        return command.certify_model(source.files or (), model, out, wish, together)
    if together:
        return command.certify_together(source.input(), out, wish, threads)
    return command.certify(source.input(), out, wish)


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
            rich_help_panel=INPUT,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        Option(
            "--model",
            metavar="FILE",
            help="The model that the certificates must belong to: a file with its text.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    time_limit: TimeLimit = None,
) -> Code:
    """Check certificates: the puzzle, its solutions, the formula and its proof.

    The check does not trust whatever wrote the certificate: it rebuilds the formula and checks each step of the proof.
    """
    from .checking import AskedProblems, check_all

    return check_all(paths, time_limit, outside, AskedProblems.of(problem, model))
