"""The commands of certificates, ``certify`` and ``check``, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .codes import Code
from .declared import Argument, Option
from .groups import SourceOptions
from .options import INPUT, OUTPUT, Backend, TimeLimit

Out = Annotated[
    Path,
    Option(
        "--out",
        "-o",
        help="A new folder, or a name that ends with .zip; for several puzzles, a folder for their certificates.",
        rich_help_panel=OUTPUT,
    ),
]

Together = Annotated[
    bool,
    Option(
        "--together",
        help="Write all certificates, of puzzles of one shape, into one zip file: much faster and smaller.",
        rich_help_panel=OUTPUT,
    ),
]

Threads = Annotated[int, Option("--threads", min=1, help="With --together: how many threads to use.")]

ModelFile = Annotated[
    Path | None,
    Option(
        "--model",
        metavar="FILE",
        help="Certify a model in place of puzzles: its text, as in a certificate's model.txt.",
        rich_help_panel=INPUT,
    ),
]

Claimed = Annotated[
    str | None,
    Option(
        "--claim",
        help="What is certified: unique, unsatisfiable or count; of a model with an objective optimal.",
        show_default="whichever of unique and unsatisfiable holds; optimal where there is an objective",
    ),
]

Number = Annotated[int | None, Option("--count", min=0, help="With the claim count: the number of solutions.")]

Refuter = Annotated[
    str,
    Option(
        "--refuter",
        help="Which engine writes the proof: cdcl, glucose4, cadical153, or the programs cadical and kissat.",
    ),
]


Proof = Annotated[
    str,
    Option(
        "--proof",
        help="lrat: with hints, so that the check has nothing to look for; drat: the refuter's lemmas without.",
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
    """Certify how many solutions puzzles have, with a proof that other programs can check.

    With --model also that no solution of a model is better than the best one.
    """
    from . import certify as command

    wish = command.CertifyOptions(claim, count, refuter, backend, time_limit, proof)
    if model is not None:
        return command.certify_model(source.files or (), model, out, wish, together)
    if together:
        return command.certify_together(source.input(), out, wish, threads)
    return command.certify(source.input(), out, wish)


def check(
    paths: Annotated[list[Path], Argument(help="Certificates: folders or zip files.")],
    outside: Annotated[
        bool,
        Option(
            "--outside",
            help="Also ask independent checkers that are installed: cake_lpr, drat-trim, dratify, drup, lrat-check.",
        ),
    ] = False,
    problem: Annotated[
        Path | None,
        Option(
            "--problem",
            metavar="FILE",
            help="The puzzles that you asked about. Certificates of others are refused, and in a file of many "
            "puzzles also those whose numbers differ.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        Option("--model", metavar="FILE", help="The model that you asked about: its text.", rich_help_panel=INPUT),
    ] = None,
    time_limit: TimeLimit = None,
) -> Code:
    """Check certificates: the stated puzzle, its solutions, the formula and its proof.

    Nothing that wrote the certificate is believed: the formula is built again, and each step of the proof is checked.
    """
    from .checking import AskedProblems, check_all

    return check_all(paths, time_limit, outside, AskedProblems.of(problem, model))
