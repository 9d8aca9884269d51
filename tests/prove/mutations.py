"""Changed certificates, by the thousand: none may be accepted.

    python -m tests.prove.mutations [--count 10000] [--seed 1]

Certificates of small problems, one for each kind of claim, are changed in one place: a number, a word, a character or a
line of one of their files; the claim, a solution, the givens; a file is cut off, or exchanged with that of another
certificate; and so are files of many certificates. What is read then and differs in meaning from
the certificate as it was must be refused. There is one exception, which is counted: a changed proof that another
checker (``plain_drat``, without hints) also takes for a proof of the same formula. Some certificates have a proof
without hints alone, with lemmas by resolution on a literal and deletions. Half of the proofs are checked in plain
Python, half in compiled code. Each case that is accepted otherwise is printed with the arguments that repeat it alone;
the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

from sudoku_models.engine.machine_code.library import possible
from sudoku_models.errors import FormatError, LimitReached
from sudoku_models.model import AllDifferent, Linear, Model, Variable
from sudoku_models.prove import Certificate, Certificates, certify, certify_many, check_many
from sudoku_models.prove.certificate_check import verified
from sudoku_models.prove.files import LRAT, NAMES, read_certificate, texts
from sudoku_models.prove.looking import Deadline
from sudoku_models.prove.many_certificates import ARRAYS, OPEN, files_of, read_many
from sudoku_models.puzzle import Shape
from tests.testing.frontier import solutions_by_frontier

from .boards import knapsack, reader, ruled
from .plain_drat import refutes

Files = dict[str, str]

MANY = 0.15
"""The part of the cases that change files of many certificates."""

PATIENCE = 60.0
"""Seconds for one check, after which a case counts as not accepted."""


@cache
def originals() -> tuple[Certificate, ...]:
    """Return a certificate of each kind of claim, and one more of a 4x4 board that looks like another."""
    stated = ["1.....2....3.4..", "2.....3....4.1..", "1..1............"]
    hinted = (*map(certify, stated), certify(ruled(), "count"), certify(knapsack()), certify(ordered(), "count"))
    return (*hinted, *unhinted())


def ordered() -> Model:
    """Return a model with several solutions."""
    xs = [Variable(name, range(4)) for name in "abc"]
    return Model(xs, [AllDifferent(xs), Linear((1, 1), xs[:2], "<=", 1)])


def unhinted() -> tuple[Certificate, ...]:
    """Return certificates whose proofs have no hints: the second one's begins with two definitions, one deleted."""
    holes = [Variable(name, range(4)) for name in "abcde"]
    plain = certify(Model(holes, [AllDifferent(holes)]), proof="drat")
    assert plain.drat
    new = plain.formula.variables + 1
    steps = [(new, -1, -6), (-new, 1), (-new, 6), (new + 1, 1, 6), (-new - 1, -1, 6), (-new - 1, 1, -6)]
    defined = (*((True, step) for step in steps), (False, steps[1]), *plain.drat)
    return plain, replace(plain, drat=defined), certify("1.....2....3.4..", proof="drat")


@cache
def written(k: int) -> Files:
    """Return the files of one of the certificates."""
    return texts(originals()[k])


def number(rng: Random, text: str) -> str:
    """Change a number."""
    words = text.split(" ")
    places = [k for k, word in enumerate(words) if word.strip("[],-\n").isdigit()]
    if not places:
        return text
    k = rng.choice(places)
    plain = words[k].strip("[],\n")
    other = rng.choice(
        [str(int(plain) + 1), str(int(plain) - 1), str(-int(plain)), rng.choice(words).strip("[],\n"), "0"]
    )
    words[k] = words[k].replace(plain, other)
    return " ".join(words)


def line(rng: Random, text: str) -> str:
    """Leave out a line, write it twice, or let it change places with another."""
    lines = text.splitlines()
    j, k = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(3)
    if what == 2:
        lines[j], lines[k] = lines[k], lines[j]
    else:
        lines[k : k + 1] = [lines[k]] * (2 * what)
    return "\n".join([*lines, ""])


def character(rng: Random, text: str) -> str:
    """Change a character, leave it out, or write another before it."""
    k = rng.randrange(len(text))
    new = rng.choice("0123456789- dpcR\n.,=<>[]{}\"'\\\x00\u00e9")
    return rng.choice((text[:k] + new + text[k + 1 :], text[:k] + text[k + 1 :], text[:k] + new + text[k:]))


def cut(rng: Random, text: str) -> str:
    """Cut a file off."""
    return text[: rng.randrange(len(text))]


BY_TEXT: Sequence[Callable[[Random, str], str]] = (number, number, number, line, line, character, cut)


def in_a_file(rng: Random, files: Files) -> tuple[str, Files]:
    """Change one file somewhere."""
    name, change = rng.choice(sorted(files)), rng.choice(BY_TEXT)
    return f"{name}: {change.__name__}", files | {name: change(rng, files[name])}


def exchanged(rng: Random, files: Files) -> tuple[str, Files]:
    """Take some files from another certificate."""
    other = written(rng.randrange(len(originals())))
    names = rng.sample(NAMES, rng.randint(1, len(NAMES) - 1))
    return "files of another certificate", files | {name: other[name] for name in names if name in other}


def without(rng: Random, files: Files) -> tuple[str, Files]:
    """Leave out a file, most often the proof with hints."""
    name = rng.choice((LRAT, LRAT, LRAT, *files))
    return f"{name}: left out", {other: text for other, text in files.items() if other != name}


FALSE = {
    "unique": ("unsatisfiable", "optimal"),
    "unsatisfiable": ("unique", "optimal"),
    "count": ("unique", "unsatisfiable", "optimal"),
    "optimal": ("unique", "unsatisfiable", "count"),
}
"""Claims that are false where another one is true. (Who has one solution has a count of one.)"""


def claimed(rng: Random, files: Files) -> tuple[str, Files]:
    """Claim something else, about the same problem or about another one."""
    head = json.loads(files["certificate.json"])
    what = rng.choice(("claim", "solution", "solutions", "givens", "domains"))
    if what == "claim":
        head["claim"] = rng.choice(FALSE[head["claim"]])
    elif what == "solution" and head["solutions"]:
        row = rng.choice(head["solutions"])
        row[rng.randrange(len(row))] += rng.choice((-1, 1, 2))
    elif what == "solutions":
        rows = head["solutions"]
        head["solutions"] = rng.choice((rows[1:], rows + rows[:1], [*rows, [1] * 16], []))
    elif what == "domains" and head["domains"]:
        head["domains"].pop(rng.choice(sorted(head["domains"])))
    elif head["puzzle"]:
        _other_givens(rng, head)
    return f"what is claimed: {what}", files | {"certificate.json": json.dumps(head)}


def _other_givens(rng: Random, head: dict[str, Any]) -> None:
    """Change a given in the puzzle and in what narrows its variables alike."""
    cell, value, row = rng.randrange(16), rng.randint(1, 4), head["puzzle"].get("givens", "." * 16)
    head["puzzle"]["givens"] = row[:cell] + str(value) + row[cell + 1 :]
    head["domains"][Shape.square(4).names[cell]] = [value]


KINDS: Sequence[Callable[[Random, Files], tuple[str, Files]]] = (
    *(in_a_file, in_a_file, in_a_file),
    *(exchanged, claimed, without),
)


def meaning(certificate: Certificate) -> tuple[Any, ...]:
    """Return all of a certificate that its check is about: not titles, nor the name of the refuter."""
    puzzle, model = certificate.statement.puzzle, certificate.statement.model
    stated = puzzle and (puzzle.shape, puzzle.givens, puzzle.candidates, puzzle.rules)
    formula = certificate.formula
    problem = stated, model, tuple(sorted(certificate.statement.domains.items()))
    return problem, certificate.claim, certificate.solutions, formula.numbers, formula.literals, formula.variables


def case(seed: str) -> tuple[str, str]:
    """Change a certificate; return what was changed and what came of it: one of the ``OUTCOMES``."""
    rng = Random(seed)
    if rng.random() < MANY and possible():
        return case_of_many(rng)
    k = rng.randrange(len(originals()))
    what, files = rng.choice(KINDS)(rng, written(k))
    try:
        changed = read_certificate(reader(files))
    except FormatError:
        return what, "cannot be read"
    whole = originals()[k]
    if meaning(changed) == meaning(whole) and (changed.proof, changed.drat) == (whole.proof, whole.drat):
        return what, "means the same"
    try:
        if not accepts(changed, compiled=rng.random() < 0.5):
            return what, "refused"
    except LimitReached:
        return what, "takes too long"
    same = meaning(changed) in map(meaning, originals())
    return what, "another proof of the same" if same and also_by_drat(changed) else "ACCEPTED"


def accepts(certificate: Certificate, compiled: bool) -> bool:
    """Return whether a certificate is accepted, with its proof in compiled code however short it is, or in plain
    Python.

    LimitReached after ``PATIENCE``.
    """
    return bool(verified(certificate, Deadline(PATIENCE), 0 if compiled else None))


OUTCOMES = ("cannot be read", "refused", "takes too long", "another proof of the same", "ACCEPTED")


def also_by_drat(certificate: Certificate) -> bool:
    """Return whether a proof is one without its hints too."""
    clauses, steps = list(certificate.formula), certificate.steps
    return refutes(clauses, [step for step in steps if step[0]]) or refutes(clauses, steps)


# ---- files of many certificates

STATED = ("1.....2....3.4..", "2.....3....4.1..", "1..1............", "3.....4....1.2..")


@cache
def many() -> Certificates:
    """Return certificates of four boards, three with one solution and one with none."""
    return certify_many(STATED)


def case_of_many(rng: Random) -> tuple[str, str]:
    """Change a file of many; return what was changed and what came of it.

    What is accepted must be true: as an oracle that counts finds, and as the proofs show without their hints.
    """
    whole = files_of(many())
    name = rng.choice((*ARRAYS, *ARRAYS, "certificates.json", "model.txt"))
    data, what = bytearray(whole[name]), rng.choice(("number", "row", "byte", "cut off", "overwritten"))
    if what == "cut off":
        data = data[: rng.randrange(len(data))]
    elif what == "byte" or name not in ARRAYS:
        data[rng.randrange(len(data))] = rng.randrange(256)
    else:
        data = _other_numbers(rng, what, np.frombuffer(data, "<i4").copy())
    changed_files = whole | {name: bytes(data)}
    if what == "overwritten":  # a false claim under the number of another one
        changed_files = whole | _overwritten(rng, whole)
    what = f"many: {name}: {what}"
    try:
        changed = read_many(changed_files.__getitem__)
    except FormatError:
        return what, "cannot be read"
    if files_of(replace(changed, refuter=many().refuter)) == whole:
        return what, "means the same"
    if not check_many(changed, time_limit=PATIENCE, plain=rng.random() < 0.5):
        return what, "refused"
    return what, "another proof of the same" if is_true(changed) else "ACCEPTED"


def _other_numbers(rng: Random, what: str, numbers: Any) -> bytearray:
    """Change one number, or let a row be that of another certificate."""
    if what == "row" and len(numbers) % len(STATED) == 0:
        table = numbers.reshape(len(STATED), -1)
        j, k = rng.sample(range(len(STATED)), 2)
        table[j] = table[k]
    else:
        k = rng.randrange(len(numbers))
        near = int(numbers[k]) ^ 1, -int(numbers[k])
        new = rng.choice((0, 1, 2, 3, 4, -1, OPEN, 1000, int(rng.choice(numbers)), *near))
        numbers[k] = max(OPEN, min(new, -OPEN - 1))
    return bytearray(numbers.tobytes())


def _overwritten(rng: Random, files: dict[str, bytes]) -> dict[str, bytes]:
    solutions = np.frombuffer(files["solutions"], "<i4").reshape(len(STATED), -1).copy()
    numbers = np.frombuffer(files["numbers"], "<i4").copy()
    j, k = sorted(rng.sample(range(len(STATED)), 2))
    solutions[j], numbers[j] = OPEN, numbers[k]
    return {"solutions": solutions.tobytes(), "numbers": numbers.tobytes()}


def is_true(certificates: Certificates) -> bool:
    """Return whether all claims are true, each under a different number, and also follow without hints."""
    if sorted(set(certificates.numbers)) != sorted(certificates.numbers) or min(certificates.numbers) < 1:
        return False
    for puzzle, solution, whole in zip(certificates.puzzles, certificates.solutions, certificates, strict=True):
        if solutions_by_frontier(puzzle) != (0 if solution is None else 1):
            return False
        if solution is not None and not puzzle.model.holds(dict(zip(puzzle.structure.names, solution, strict=True))):
            return False
        if not refutes(whole.formula, whole.steps):
            return False
    return True


# ---- the program


def mutations(count: int, seed: int, show: Callable[[str], object] = print) -> Counter[str]:
    """Try this number of changes that change something; return how many came to each end. Those accepted are shown."""
    found: Counter[str] = Counter()
    number = 0
    while found.total() - found["means the same"] < count:
        number += 1
        what, outcome = case(f"{seed} {number}")
        found[outcome] += 1
        if outcome == "ACCEPTED":
            show(f"ACCEPTED: {what}: --one '{seed} {number}'")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", metavar="SEED", help="repeat one case alone")
    options = parser.parse_args(arguments)
    if options.one:
        what, outcome = case(options.one)
        print(f"{what}: {outcome}")
        return int(outcome == "ACCEPTED")
    found = mutations(options.count, options.seed)
    print(f"seed {options.seed}: {options.count} changes of {len(originals())} certificates")
    for outcome in OUTCOMES:
        print(f"{found[outcome]:8} {outcome}")
    return int(found["ACCEPTED"] > 0)


if __name__ == "__main__":
    sys.exit(main())
