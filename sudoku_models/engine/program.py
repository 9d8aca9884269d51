"""The program at work: a process that is stopped with its own children, by us or by our death."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector

from .record import Clock, OutOfTime

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
"""A shell that starts a program and stops it when a pipe closes: it does so too when this process is killed. The
program is asked to end, not killed, for it then ends its own children, which are not of its process group."""

PATIENCE = 3.0
"""Seconds in which the program may end."""

ABOVE = 10
"""The least number of the pipe's descriptor: the shell has its own below."""


class Program:
    """A program that reads a text and prints lines; to be closed."""

    def __init__(self, command: Sequence[str], text: str, memory_limit: int | None) -> None:
        """Start a command; ``memory_limit`` is in bytes of address space, for each of its processes."""
        self._remarks = tempfile.TemporaryFile()  # noqa: SIM115
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
                start_new_session=True,
                bufsize=0,
            )
        os.close(duplicate)

    def lines(self, clock: Clock) -> Iterator[bytes]:
        """Yield what the program prints, line by line, as it comes; OutOfTime when the clock has expired."""
        assert self._process.stdout
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
        """Return what the program wrote beside its answers."""
        self._remarks.seek(0)
        return self._remarks.read().decode(errors="replace").strip()

    def close(self) -> None:
        """Stop the program and what it started."""
        os.close(self._lifeline)
        ending = Clock(PATIENCE)
        ending.resume()
        try:
            for _ in self.lines(ending):  # it notices that it is to end when it is not held up in writing
                pass
            self._process.wait(ending.left)
        except (OutOfTime, subprocess.TimeoutExpired):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()
        self._remarks.close()
