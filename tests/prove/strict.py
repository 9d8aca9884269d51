"""A reader of formulas and proofs that accepts only what every checker reads alike, written from their formats."""

from __future__ import annotations

import re

NUMBER = re.compile(r"-?[1-9][0-9]*\Z")

Clauses = dict[int, tuple[int, ...]]


class Malformed(AssertionError):
    """A text that some checker refuses, or reads in another way."""


def read_formula(text: str) -> tuple[int, Clauses]:
    """Return the number of variables and the clauses of a DIMACS file by number: one on each line."""
    head, *rows = text.split("\n")
    sizes = re.fullmatch(r"p cnf (\d+) (\d+)", head)
    need(sizes is not None and rows.pop() == "", f"the frame: {head}")
    assert sizes is not None
    need(len(rows) == int(sizes[2]), f"{len(rows)} clauses, not {sizes[2]}")
    variables = int(sizes[1])
    return variables, {at: clause_of(row.split(" "), variables, row) for at, row in enumerate(rows, 1)}


def clause_of(words: list[str], variables: int, row: str) -> tuple[int, ...]:
    """Return a clause that ends with 0: no variable beyond those declared, and none twice."""
    need(words[-1] == "0" and all(map(NUMBER.match, words[:-1])), f"literals and a 0: {row}")
    clause = tuple(map(int, words[:-1]))
    need(all(abs(x) <= variables for x in clause), f"a variable that is not declared: {row}")
    need(len(set(map(abs, clause))) == len(clause), f"a variable twice in one clause: {row}")
    return clause


def refutes(proof: str, variables: int, clauses: Clauses) -> None:
    """Check an LRAT proof by propagation alone; the last line is the empty clause."""
    known, last = dict(clauses), len(clauses)
    rows = proof.split("\n")
    need(rows.pop() == "", "a line that does not end")
    for row in rows:
        number, *words = row.split(" ")
        middle = words.index("0")
        clause, hints = clause_of(words[: middle + 1], variables, row), words[middle + 1 :]
        need(hints[-1] == "0" and all(map(NUMBER.match, [number, *hints[:-1]])), f"hints and a 0: {row}")
        need(int(number) > last, f"a number that does not rise: {row}")
        follow(clause, [known[int(hint)] for hint in hints[:-1]], row)
        last = int(number)
        known[last] = clause
    need(bool(rows) and known[last] == (), "no empty clause at the end")


def follow(clause: tuple[int, ...], hints: list[tuple[int, ...]], row: str) -> None:
    """Check that each hint but the last leaves one literal, and the last none."""
    false = set(clause)
    for at, hint in enumerate(hints, 1):
        left = [x for x in hint if x not in false]
        need(len(left) == (at < len(hints)) and all(-x not in false for x in left), f"hint {at}: {row}")
        false.update(-x for x in left)
    need(bool(hints), f"no hints: {row}")


def need(holds: bool, what: str) -> None:
    """Raise Malformed unless something holds."""
    if not holds:
        raise Malformed(what)


def read_strictly(files: dict[str, str]) -> None:
    """Read the formula and the proofs of a certificate, given by the names of its files; Malformed if one is not."""
    variables, clauses = read_formula(files["formula.cnf"])
    refutes(files["proof.lrat"], variables, clauses)
    lemmas = [row.split(" ")[1:] for row in files["proof.lrat"].splitlines()]
    bare = "".join(" ".join(words[: words.index("0") + 1]) + "\n" for words in lemmas)
    need(files["proof.drat"] == bare, "the proof without hints has other lemmas")
