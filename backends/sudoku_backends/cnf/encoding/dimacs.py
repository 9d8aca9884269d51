"""The DIMACS CNF format, with what each literal means in comment lines.

    c sudoku-models: a comment of our own
    c R1C1=5 is 37
    c R1C2=4 is decided
    p cnf 729 8829
    37 -41 0

A name is written as it is, in JSON quotes when it holds blanks or quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from sudoku_models.errors import FormatError

from .encode import Problem
from .plain import NativeClauses, native_of

_MEANING = re.compile(
    r'c (?P<name>"(?:[^"\\]|\\.)*"|[^\s"]+)=(?P<value>-?[0-9]{1,18}) is (?P<literal>[0-9]{1,10}|decided)\s*\Z'
)
_CHUNK = 1000


def to_dimacs(native: NativeClauses) -> Iterator[str]:
    """Yield the lines (each with its newline) of a formula with its map."""
    yield "c sudoku-models: clauses of a model; the meaning of each literal follows\n"
    for name, value in native.decided.items():
        yield f"c {_quoted(name)}={value} is decided\n"
    for literal, (name, value) in enumerate(native.candidates, 1):
        yield f"c {_quoted(name)}={value} is {literal}\n"
    yield f"p cnf {native.variables} {len(native.clauses)}\n"
    yield from _clause_lines(native.clauses)


def export(problem: Problem) -> Iterator[str]:
    """Yield the lines of a problem in the same form, without building a list of its clauses."""
    bare = native_of(problem, clauses=False)
    lines = to_dimacs(bare)
    yield from islice(lines, 1 + len(bare.decided) + len(bare.candidates))
    yield f"p cnf {problem.formula.variables} {problem.formula.clauses}\n"
    yield from _clause_lines(problem.formula)


def _clause_lines(clauses: Iterable[Iterable[int]]) -> Iterator[str]:
    """Write a thousand clauses at a time."""
    lines = (" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
    while chunk := list(islice(lines, _CHUNK)):
        yield "".join(chunk)


def _quoted(name: str) -> str:
    return json.dumps(name) if re.search(r'[\s"]', name) or not name else name


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        name = str(json.loads(text))
        name.encode()
    except ValueError as error:
        raise FormatError(f"the name {text[:40]} is not quoted as in JSON: {error}") from None
    return name


def read_dimacs(text: str) -> NativeClauses:
    """Read clauses and their map; raise FormatError with the line and what was expected.

    A file without a map has no candidates; other comment lines are skipped. Clauses may span lines.
    """
    reader = _DimacsReader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.line(line)
        except FormatError as error:
            raise error.at(line=number) from None
    return reader.finish()


class _DimacsReader:
    """Reads a file line by line. ``read_dimacs`` adds the number of the line to a FormatError."""

    def __init__(self) -> None:
        self.header: tuple[int, int] | None = None
        self.meanings: dict[int, tuple[str, int]] = {}
        self.decided: dict[str, int] = {}
        self.clauses: list[list[int]] = []
        self.clause: list[int] = []

    def line(self, line: str) -> None:
        """Read a line: a comment, the ``p cnf`` line, or literals."""
        if line.startswith("c"):
            self.comment(line)
        elif line.startswith("p"):
            self.problem(line)
        elif line.strip():
            self.literals(line)

    def comment(self, line: str) -> None:
        """Read a comment, which may state the meaning of a variable of the file."""
        match = _MEANING.match(line)
        if not match:
            return
        name = _unquoted(match["name"])
        candidate = (name, int(match["value"]))
        if match["literal"] == "decided":
            self.decided[name] = candidate[1]
        elif self.meanings.setdefault(int(match["literal"]), candidate) != candidate:
            raise FormatError(f"literal {match['literal']} has two meanings")

    def problem(self, line: str) -> None:
        """Read the numbers of variables and clauses, which are given once, before any clause."""
        words = line.split()
        if self.header:
            raise FormatError("there is a second 'p cnf' line")
        if len(words) != 4 or words[:2] != ["p", "cnf"] or not all(re.fullmatch("[0-9]{1,10}", w) for w in words[2:]):
            raise FormatError(f"'p cnf VARIABLES CLAUSES' is expected, not {line[:40]!r}")
        self.header = int(words[2]), int(words[3])

    def literals(self, line: str) -> None:
        """Read the literals of a line; a clause ends at a 0, on whatever line that is."""
        if self.header is None:
            raise FormatError(f"'p cnf VARIABLES CLAUSES' is expected before the first clause, not {line[:40]!r}")
        for word in line.split():
            literal = self.literal(word)
            if literal:
                self.clause.append(literal)
            else:
                self.clauses.append(self.clause)
                self.clause = []

    def literal(self, word: str) -> int:
        """Return a literal as a number; raise FormatError for other words and for variables beyond those announced."""
        if not re.fullmatch(r"-?[0-9]{1,10}", word):
            raise FormatError(f"a literal or 0 is expected, not {word[:40]!r}")
        assert self.header
        if abs(int(word)) > self.header[0]:
            raise FormatError(f"the literal {word} is beyond the {self.header[0]} variables of the 'p cnf' line")
        return int(word)

    def finish(self) -> NativeClauses:
        """Return the formula; raise FormatError if a clause is open or the number of clauses is wrong."""
        if self.header is None:
            raise FormatError("the file has no 'p cnf VARIABLES CLAUSES' line")
        if self.clause:
            raise FormatError(f"the last clause does not end with 0: {self.clause[:5]}")
        if len(self.clauses) != self.header[1]:
            raise FormatError(f"{len(self.clauses)} clauses where the 'p cnf' line says {self.header[1]}")
        last = len(self.meanings)
        if (self.meanings and (min(self.meanings), max(self.meanings)) != (1, last)) or last > self.header[0]:
            raise FormatError(f"the map does not name the literals 1 to {last} of {self.header[0]}")
        return NativeClauses(self.clauses, self.header[0], [self.meanings[i] for i in range(1, last + 1)], self.decided)
