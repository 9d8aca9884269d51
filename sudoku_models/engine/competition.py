"""Run programs with the interface of solver competitions: they read a file and print their findings as lines.

``s`` and a status, ``v`` and values, ``o`` and the value of an objective; other lines are comments.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..errors import BackendFailed, BadOption
from .budget import Budget, OutOfMemory
from .program import Program

SATISFIABLE, UNSATISFIABLE, OPTIMAL = "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"
"""Statuses that answer a question."""


@dataclass(frozen=True)
class ProgramAnswer:
    """A program's answer: its status, and the words of its lines of values."""

    status: str
    values: tuple[str, ...]


AUTO = "auto"
"""The programs that are tried if none is named."""


def on_the_path(option: str, known: Sequence[str]) -> None:
    """Raise BadOption if the program that an option names is not on the path; ``known`` are the defaults."""
    command = command_of(option, known)
    if option != AUTO and shutil.which(command[0]) is None:
        choices = ", ".join((AUTO, *known))
        raise BadOption(f"program={option}: {command[0]} is not on the path; {choices} and other programs are accepted")


def command_of(option: str, known: Sequence[str]) -> tuple[str, ...]:
    """Split an option into a program and its arguments; BadOption if there is none.

    ``auto`` is the first known program that is on the path, or the first known program if none is.
    """
    if option == AUTO:
        return (next(filter(shutil.which, known), known[0]),)
    try:
        words = tuple(shlex.split(option))
    except ValueError as error:
        raise BadOption(f"program={option}: {error}; a program and its arguments are expected") from None
    if not words:
        raise BadOption("program= is empty: a program on the path and its arguments are expected")
    return words


def ask(
    command: Sequence[str], text: Iterable[str], suffix: str, clock: Budget, memory_limit: int | None = None
) -> ProgramAnswer:
    """Write a text to a file and run a program on it; the file's path is the last argument of the command.

    Raises OutOfTime, OutOfMemory, or BackendFailed with the program's output if it gives no answer.
    """
    with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
        path = Path(folder, f"question{suffix}")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(text)
        return answered([*command, str(path)], clock, memory_limit)


def answered(command: Sequence[str], clock: Budget, memory_limit: int | None = None) -> ProgramAnswer:
    """Run a program that has been told what to read; raises the same errors as ``ask``."""
    with closing(Program(command, "", memory_limit)) as program:
        answer = answer_in(line.decode(errors="replace") for line in program.lines(clock))
        remarks = program.remarks()
    if answer.status in (SATISFIABLE, UNSATISFIABLE, OPTIMAL):
        return answer
    if memory_limit is not None:
        raise OutOfMemory
    said = remarks[:300] or "it printed nothing"
    raise BackendFailed(f"{Path(command[0]).name} ended with {answer.status or 'no answer'}: {said}")


def answer_in(lines: Iterable[str]) -> ProgramAnswer:
    """Parse what a program prints."""
    status, values = "", list[str]()
    for line in lines:
        match line[:2]:
            case "s ":
                status = line[2:].strip()
            case "v ":
                values += line[2:].split()
    return ProgramAnswer(status, tuple(values))


def literals(values: Iterable[str]) -> Iterator[int]:
    """Parse the values of a formula: literals, with or without a final 0; BackendFailed if they are not literals."""
    for word in values:
        try:
            literal = int(word)
        except ValueError:
            raise BackendFailed(f"literals were expected, but the program printed {word[:40]!r}") from None
        if literal:
            yield literal
