"""Programs that speak as competitions ask: they read a file, and say in lines what they found.

``s`` and a status, ``v`` and values, ``o`` and the value of an objective; other lines are remarks.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import BackendFailed, BadOption
from .program import Program
from .record import Clock, OutOfMemory

SATISFIABLE, UNSATISFIABLE, OPTIMAL = "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"
"""Statuses that answer a question."""


@dataclass(frozen=True)
class ProgramAnswer:
    """What a program found: its status, and the words of its lines of values."""

    status: str
    values: tuple[str, ...]


AUTO = "auto"
"""What is taken for a program where none is named."""


def on_the_path(option: str, known: Sequence[str]) -> None:
    """Raise BadOption when an option names no program that is there; ``known`` are those that it may be by default."""
    command = command_of(option, known)
    if option != AUTO and shutil.which(command[0]) is None:
        choices = ", ".join((AUTO, *known))
        raise BadOption(f"program={option}: no program {command[0]} is on the path; {choices} and others are taken")


def command_of(option: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the words of an option: a program and its arguments; BadOption when there are none.

    ``auto`` is the first of the known programs that is on the path, or the first of all.
    """
    if option == AUTO:
        return (next(filter(shutil.which, known), known[0]),)
    try:
        words = tuple(shlex.split(option))
    except ValueError as error:
        raise BadOption(f"program={option}: {error}; a program and its arguments are expected") from None
    if not words:
        raise BadOption("program= names no program: one on the path is expected, and its arguments")
    return words


def ask(
    command: Sequence[str], text: Iterable[str], suffix: str, clock: Clock, memory_limit: int | None = None
) -> ProgramAnswer:
    """Write a text to a file and let a program read it, whose path is the last word of the command.

    Raises OutOfTime, OutOfMemory, or BackendFailed with the program's words when it gives no answer.
    """
    with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
        path = Path(folder, f"question{suffix}")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(text)
        program = Program([*command, str(path)], "", memory_limit)
        try:
            answer = answer_in(line.decode(errors="replace") for line in program.lines(clock))
            remarks = program.remarks()
        finally:
            program.close()
    if answer.status in (SATISFIABLE, UNSATISFIABLE, OPTIMAL):
        return answer
    if memory_limit is not None:
        raise OutOfMemory
    said = remarks[:300] or "it said nothing"
    raise BackendFailed(f"{Path(command[0]).name} ended with {answer.status or 'no answer'}: {said}")


def answer_in(lines: Iterable[str]) -> ProgramAnswer:
    """Read what a program prints."""
    status, values = "", list[str]()
    for line in lines:
        match line[:2]:
            case "s ":
                status = line[2:].strip()
            case "v ":
                values += line[2:].split()
    return ProgramAnswer(status, tuple(values))


def literals(values: Iterable[str]) -> Iterator[int]:
    """Read the values of a formula: literals, ended by a 0 or not; BackendFailed where they are not literals."""
    for word in values:
        try:
            literal = int(word)
        except ValueError:
            raise BackendFailed(f"literals were expected, and the program said {word[:40]!r}") from None
        if literal:
            yield literal
