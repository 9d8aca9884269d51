"""Run a program in a process that ends, with its own children, when it is closed or when this process dies.

Programs with the interface of solver competitions read a file and print their findings as lines: ``s`` and a status,
``v`` and values, ``o`` and the value of an objective; other lines are comments.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector

from ..errors import BackendFailed, BadOption
from . import tree
from .budget import Budget, OutOfMemory, OutOfTime
from .tree import undisturbed

KEEPER = """
exec 3<&0
ulimit -v "$1" 2>/dev/null
shift
"$@" <&3 3<&- &
exec 3<&- >&- 2>&-
read _ <"$0"
kill $!
wait $!
"""
"""A shell that starts a program and stops it when a pipe closes, even if this process is killed. The program is asked
to terminate, not killed, so that it ends its own children, which are not in its process group.
"""

PATIENCE = 0.3 if tree.SEEN else 3.0
"""Seconds that the program has to terminate: few where everything that it started is found and killed anyway."""

MARK = "SUDOKU_MODELS_PROGRAM"
"""The environment variable by which the processes of a program are found if they left its group and its tree."""

ABOVE = 10
"""The lowest number of the pipe's descriptor: the shell uses those below."""


class Program:
    """A program that reads a text and prints lines; must be closed."""

    _process: subprocess.Popen[bytes] | None = None
    _lifeline = -1

    def __init__(self, command: Sequence[str], text: str = "", memory_limit: int | None = None) -> None:
        """Start a command; ``memory_limit`` is in bytes of address space, for each of its processes.

        Ctrl-C during the start leaves no process behind.
        """
        self._remarks = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            with undisturbed():
                self._start(command, text, memory_limit)
        except BaseException:
            self.close()
            raise

    def _start(self, command: Sequence[str], text: str, memory_limit: int | None) -> None:
        import fcntl  # not on Windows

        self._owner, self._mark = os.getpid(), os.urandom(8).hex()
        pipe, self._lifeline = os.pipe()
        duplicate = fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, ABOVE)
        os.close(pipe)
        most = "unlimited" if memory_limit is None else str(memory_limit >> 10)
        with tempfile.TemporaryFile() as source:
            source.write(text.encode())
            source.seek(0)
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, f"/dev/fd/{duplicate}", most, *command],
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=self._remarks,
                pass_fds=(duplicate,),
                env={**os.environ, MARK: self._mark},
                start_new_session=True,
                bufsize=0,
            )
        os.close(duplicate)

    def lines(self, clock: Budget) -> Iterator[bytes]:
        """Yield what the program prints, line by line, as it comes; OutOfTime when the clock has expired."""
        assert self._process and self._process.stdout
        output, rest = self._process.stdout.fileno(), b""
        with DefaultSelector() as selector:
            selector.register(output, EVENT_READ)
            while True:
                if clock.expired or not selector.select(clock.left):
                    raise OutOfTime
                data = os.read(output, 1 << 16)
                *lines, rest = (rest + data).split(b"\n")
                yield from lines
                if not data:
                    return

    def remarks(self) -> str:
        """Return what the program wrote to standard error."""
        self._remarks.seek(0)
        return self._remarks.read().decode(errors="replace").strip()

    def close(self) -> None:
        """Stop the program and everything it started, once; in a fork of the starting process, only forget it."""
        with undisturbed():
            if self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1
            if self._process and self._owner == os.getpid():
                self._end(self._process)
            self._process = None
            self._remarks.close()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        ending = Budget(PATIENCE).start()
        try:
            for _ in self.lines(ending):  # it notices the request to end only if it is not blocked in writing
                pass
            process.wait(ending.left)
        except (OutOfTime, subprocess.TimeoutExpired):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        tree.kill_marked(f"{MARK}={self._mark}")
        assert process.stdout
        process.stdout.close()

    def __del__(self) -> None:
        """Close a program that nothing else has closed: Ctrl-C arrived just after it was started."""
        if self._lifeline >= 0:
            os.close(self._lifeline)


# the interface of competitions

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
    with closing(Program(command, memory_limit=memory_limit)) as program:
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
