"""Changed certificates, by the thousand: none may be accepted.

    python -m tests.prove.mutations [--count 10000] [--seed 1]

Certificates of small problems, one for each kind of claim, are changed in one place: a number, a word, a character or a
line of one of their files; the claim, a solution, the givens; a file is cut off, or exchanged with that of another
certificate; and so are files of many certificates (``many_mutations``). What is read then and differs in meaning from
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

from sudoku_models.engine.machine_code.library import possible
from sudoku_models.errors import FormatError, LimitReached
from sudoku_models.model import AllDifferent, Linear, Model, Objective, Variable
from sudoku_models.prove import Certificate, certify
from sudoku_models.prove.certificate_check import verified
from sudoku_models.prove.drat import parse_drat
from sudoku_models.prove.files import DRAT, LRAT, NAMES, drat_text, read_certificate, texts
from sudoku_models.prove.looking import Deadline
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import KillerCage, Thermo

from .boards import reader
from .plain_drat import refutes

Files = dict[str, str]

MANY = 0.15
"""The part of the cases that change files of many certificates."""

PATIENCE = 60.0
"""Seconds for one check, after which a case counts as not accepted."""


@cache
def originals() -> tuple[Certificate, ...]:
    """Return a certificate of each kind of claim, and one more of a 4x4 board that looks like another."""
    xs = [Variable(name, range(4)) for name in "abc"]
    best = Model(xs, [Linear((3, 4, 5), xs, "<=", 15), AllDifferent(xs)], Objective("maximize", (5, 6, 8), xs))
    cages = KillerCage(("R3C3", "R4C3"), 6), KillerCage(("R4C1", "R4C2"), 3), KillerCage(("R1C4", "R2C4"), 6)
    ruled = Puzzle(Shape.square(4), (None,) * 16, rules=(Thermo(("R1C1", "R1C2", "R1C3")), *cages))
    stated = ["1.....2....3.4..", "2.....3....4.1..", "1..1............"]
    ordered = Model(xs, [AllDifferent(xs), Linear((1, 1), xs[:2], "<=", 1)])
    hinted = (*map(certify, stated), certify(ruled, "count"), certify(best), certify(ordered, "count"))
    return (*hinted, *unhinted())


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


def word(rng: Random, text: str) -> str:
    """Leave out a word, or write it twice."""
    words = text.split(" ")
    k = rng.randrange(len(words))
    return " ".join([*words[:k], *[words[k]] * rng.choice((0, 2)), *words[k + 1 :]])


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


BY_TEXT: Sequence[Callable[[Random, str], str]] = (number, number, number, word, line, line, character, cut)


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


def step(rng: Random, files: Files) -> tuple[str, Files]:
    """Change the proof without hints, alone: add a clause or delete one, or another literal in one, or fewer."""
    steps = parse_drat(files[DRAT])
    formula = read_certificate(reader(files)).formula
    clauses = [rng.choice(list(formula)), *(clause for _, clause in steps)]
    at, clause = rng.randrange(len(steps)), list(rng.choice(clauses))
    what = rng.choice(("deleted", "weaker", "stronger", "other", "order", "left out"))
    if what == "weaker":
        clause.insert(0, rng.randint(1, formula.variables + 2) * rng.choice((1, -1)))
    elif what == "stronger" and clause:
        clause.pop(rng.randrange(len(clause)))
    elif what == "other" and clause:
        k = rng.randrange(len(clause))
        clause[k] = rng.choice((-clause[k], clause[k] + 1 or 1))
    elif what == "order":
        rng.shuffle(clause)
    steps[at : at + (what == "left out")] = [] if what == "left out" else [(what != "deleted", tuple(clause))]
    return f"a step: {what}", {**{n: text for n, text in files.items() if n != LRAT}, DRAT: drat_text(steps)}


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
    elif what == "domains":
        _other_domains(rng, head, read_certificate(reader(files)).statement.model)
    elif head["puzzle"]:
        _other_givens(rng, head)
    return f"what is claimed: {what}", files | {"certificate.json": json.dumps(head)}


def _other_domains(rng: Random, head: dict[str, Any], model: Model) -> None:
    """Narrow a variable to other values, or to none, or no longer."""
    domains = head["domains"]
    if domains and rng.random() < 0.5:
        domains.pop(rng.choice(sorted(domains)))
    else:
        x = rng.choice(model.names)
        domains[x] = rng.sample(model.domains[x], rng.randrange(len(model.domains[x])))


def _other_givens(rng: Random, head: dict[str, Any]) -> None:
    """Change a given in the puzzle and in what narrows its variables alike."""
    puzzle = read_certificate(reader(written(0))).statement.puzzle
    assert puzzle
    cell, value = rng.randrange(16), rng.randint(1, 4)
    row = head["puzzle"].get("givens")
    if isinstance(row, str):
        head["puzzle"]["givens"] = row[:cell] + str(value) + row[cell + 1 :]
    elif isinstance(row, list):
        row[cell] = value
    head["domains"][puzzle.names[cell]] = [value]


KINDS: Sequence[Callable[[Random, Files], tuple[str, Files]]] = (
    *(in_a_file, in_a_file, in_a_file),
    *(exchanged, claimed, without, step),
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
        from .many_mutations import case_of_many

        return case_of_many(rng, PATIENCE)
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
