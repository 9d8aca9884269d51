"""Certificates of uniqueness: making one, checking it, and how large it is, for each refuter that is installed.

    python benchmarks/certificates.py [FILE] [--first 100] [--refuter NAME ...]

FILE holds one puzzle of 81 characters a line. Printed are medians a puzzle, warm: milliseconds of CPU time for
``certify`` (solving, stating, refuting, hints), for ``check`` (stating again, solutions, proof) and, where dratify is
installed, for its check of the same proof without hints; then lemmas and bytes of LRAT. With ``--together`` all of them
go through ``certify_many`` and ``check_many``, in one and in two threads: CPU time and time by the clock, a puzzle, and
how many were certified and checked in a minute. With ``--variants`` every shipped variant puzzle is certified, those
with several solutions by a count, and checked; one that is not accepted ends the run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any

from by_hand import puzzles

from sudoku_models.collection import variants
from sudoku_models.engine.refutation import installed
from sudoku_models.prove import Certificate, certify, certify_many, check, check_many
from sudoku_models.prove.files import drat_text, lrat_text


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds of CPU time that a call takes, and what it returns."""
    start = time.process_time()
    result = call()
    return 1e3 * (time.process_time() - start), result


def independently(certificate: Certificate) -> float:
    """Return the milliseconds that dratify takes, reading included."""
    from dratify import check_proof, parse_dimacs

    formula, proof = certificate.formula.dimacs, drat_text(certificate.steps)
    spent, found = timed(lambda: check_proof(parse_dimacs(formula), proof))
    assert found.ok
    return spent


def profile(refuter: str, texts: list[str]) -> None:
    """Print one line for a refuter."""
    for text in texts[:3]:
        check(certify(text, refuter=refuter))
    made, checked, other, lemmas, sizes = [], [], [], [], []
    for text in texts:
        spent, certificate = timed(lambda text=text: certify(text, refuter=refuter))  # type: ignore[misc]
        made.append(spent)
        spent, verdict = timed(lambda certificate=certificate: check(certificate))  # type: ignore[misc]
        assert verdict, verdict
        checked.append(spent)
        lemmas.append(len(certificate.proof))
        sizes.append(len(lrat_text(certificate.proof)))
        if find_spec("dratify") is not None:
            other.append(independently(certificate))
    beside = f"{median(other):12.1f}" if other else f"{'-':>12}"
    print(f"{refuter:12}{median(made):10.1f}{median(checked):10.1f}{beside}{median(lemmas):10.0f}{median(sizes):12.0f}")


def together(texts: list[str], threads: int) -> None:
    """Print the cost of certifying and checking several puzzles together."""
    check_many(certify_many(texts[:3], threads=threads))
    clock, start = time.perf_counter(), time.process_time()
    made = certify_many(texts, threads=threads)
    middle, passed = time.process_time(), time.perf_counter()
    verdict = check_many(made, threads=threads)
    end, over = time.process_time(), time.perf_counter()
    assert verdict.accepted == len(texts) == len(made)
    spent = (middle - start, passed - clock, end - middle, over - passed)
    making, waited, checking, waited_too = (f"{1e3 * seconds / len(texts):.3f}" for seconds in spent)
    print(
        f"{threads} threads: certify {making} ms of CPU, {waited} by the clock; check {checking} and {waited_too};",
        end="",
    )
    print(f" {60 * len(texts) / (over - clock):,.0f} certified and checked a minute")


def shipped() -> None:
    """Print the cost of certifying and checking the shipped variant puzzles."""
    made, checked, lemmas = [], [], []
    for variant in variants():
        claim = "unique" if variant.solutions == 1 else "count"
        count = None if variant.solutions == 1 else variant.solutions
        spent, certificate = timed(lambda v=variant, claim=claim, n=count: certify(v.puzzle, claim, count=n))  # type: ignore[misc]
        made.append(spent)
        spent, verdict = timed(lambda certificate=certificate: check(certificate))  # type: ignore[misc]
        assert verdict, (variant.name, verdict)
        checked.append(spent)
        lemmas.append(certificate.lemmas)
    print(f"{len(made)} variants: certify {median(made):.1f} ms, at most {max(made):.0f};", end="")
    print(f" check {median(checked):.1f} ms, at most {max(checked):.0f}; {median(lemmas):.0f} lemmas")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--refuter", action="append")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--variants", action="store_true")
    options = parser.parse_args()
    if options.variants:
        shipped()
        return
    texts = puzzles(options.file, options.first)
    if options.together:
        for threads in (1, 2):
            together(texts, threads)
        return
    print(f"{'refuter':12}{'certify':>10}{'check':>10}{'dratify':>12}{'lemmas':>10}{'bytes':>12}")
    for refuter in options.refuter or installed():
        profile(refuter, texts)


if __name__ == "__main__":
    main()
