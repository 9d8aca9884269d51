"""Other programs, compared with the engines of a benchmark: ``--outside NAME=COMMAND``, which may be repeated.

The command is started once, without a shell; ``{limit}`` in it becomes the seconds that a proof may take. It reads a
puzzle a line from its standard input, as text of constraints (``.Shape~6x6.Cage~9~R1C1~R1C2``, what the reader of the
format ``iss`` takes), and writes a line for each before it reads the next, flushed::

    1 0.0123

The first word is how many solutions there are: ``0``, ``1``, ``2`` for several, ``?`` where the program does not know.
The second is the seconds of processor time that it took, by its own measure: from the rules to the proof, reading the
text and starting the program left out if it can. What follows is the reason of a ``?``. The same puzzle comes several
times in a row, and the least time counts; the program must not keep answers. At the end of its input it ends.
A program that says nothing within three times the limit and twenty seconds is killed, and started anew.

``outside_example.py`` is such a program: it asks the version of this package that is on its path. So the choice of an
earlier version is measured beside that of today, here the last one without ``native``::

    git worktree add /tmp/before ed1f3f1
    python benchmarks/variants.py unique.jsonl --engines auto,cp-sat --base before --outside \
      "before=env -C /tmp/before PYTHONPATH=/tmp/before:/tmp/before/backends \
       python $PWD/benchmarks/outside_example.py auto {limit}"
"""

from __future__ import annotations

import selectors
import shlex
import subprocess
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import dataclass

SLACK = 20.0
"""Seconds beyond three times the limit, in which a program may start."""


@dataclass
class Outside:
    """A program that proves puzzles, line by line."""

    name: str
    command: str
    process: subprocess.Popen[bytes] | None = None

    def __str__(self) -> str:
        return self.name

    def prove(self, text: str, limit: float) -> tuple[float, str]:
        """Return milliseconds to the proof that a puzzle has one solution, and what went wrong."""
        try:
            line = self._answer(text, limit)
        except OSError as error:
            return 0.0, str(error)
        number, seconds, *reason = [*line.split(maxsplit=2), "", ""]
        took = _number(seconds)
        if took is None or number not in ("0", "1", "2", "?"):
            return 0.0, f"it said {line!r}, not how many solutions there are and seconds"
        return 1000 * took, "" if number == "1" else f"{number} solutions, {reason[0]}"

    def _answer(self, text: str, limit: float) -> str:
        """Return the line that the program writes for a puzzle; empty when it writes none in time."""
        if self.process is None or self.process.poll() is not None:
            words = [word.replace("{limit}", f"{limit:g}") for word in shlex.split(self.command)]
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text.strip().encode() + b"\n")
        said = b""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            while not said.endswith(b"\n"):
                piece = self.process.stdout.read(4096) if waiting.select(3 * limit + SLACK) else b""
                if not piece:
                    self.close()
                    return ""
                said += piece
        return said.decode(errors="replace").strip()

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def program(words: str) -> Outside:
    """Read ``NAME=COMMAND``."""
    name, equals, command = words.partition("=")
    if not equals or not name.strip() or not command.strip():
        raise ArgumentTypeError(f"{words!r} is not NAME=COMMAND")
    return Outside(name.strip(), command)


def add_option(parser: ArgumentParser) -> None:
    """Add ``--outside`` to a benchmark."""
    text = "NAME=COMMAND: a program to measure beside the engines; what it reads and writes is in benchmarks/outside.py"
    parser.add_argument("--outside", type=program, action="append", default=[], metavar="NAME=COMMAND", help=text)
