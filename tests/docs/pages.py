"""Runs what the pages of the documentation show.

A page's ``python`` blocks run one after the other in one namespace, in an empty folder. A ``text`` block right behind
one is what it prints. A block with a title is a file of that name. A ``console`` block holds commands behind ``$``,
each with what it prints; ``...`` stands for anything. A ``minizinc`` block is a program whose solutions, all of them,
are printed by the program ``minizinc``. A block behind ``<!-- needs NAME -->`` runs where that module can be imported
or that program is installed, and is for reading elsewhere. Blocks of other languages are for reading.
"""

from __future__ import annotations

import logging
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from ..running import invoke

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs"
PAGES = sorted(page for page in FOLDER.glob("*.md"))
_FENCE = re.compile(r"^```(\w*) *([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NEEDS = re.compile(r"<!-- needs (\w+) -->\s*\Z")
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the title in its head, its text and the line where it begins."""

    language: str
    title: str
    text: str
    line: int
    follows: bool
    """Whether nothing but blank lines stands between it and the block before."""
    needs: str = ""
    """The module or program that it takes to run it."""

    @property
    def runs(self) -> bool:
        """Whether what the block needs is there."""
        if not self.needs or shutil.which(self.needs):
            return True
        try:
            import_module(self.needs)
        except ImportError:
            return False
        return True


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    end = 0
    for match in _FENCE.finditer(text):
        title = _TITLE.search(match[2])
        between = text[end : match.start()]
        follows, needs = end > 0 and not between.strip(), _NEEDS.search(between)
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match[1], title[1] if title else "", match[3], line, follows, needs[1] if needs else "")
        end = match.end()


def like(shown: str, printed: str) -> bool:
    """Tell whether a text is what is shown; ``...`` stands for anything, blanks at line ends for nothing."""
    plain = ["\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (shown, printed)]
    pattern = ".*".join(map(re.escape, plain[0].split("...")))
    return re.fullmatch(pattern, plain[1], re.DOTALL) is not None


def printed_by(block: Block, names: dict[str, Any], page: Path) -> str:
    """Run a Python block; lines in errors are those of the page."""
    out = StringIO()
    with redirect_stdout(out):
        exec(compile("\n" * block.line + block.text, str(page), "exec", dont_inherit=True), names)
    return out.getvalue()


def commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """Yield the commands of a console block with what is shown under each."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield shlex.split(command, comments=True), shown


def output_of(command: list[str]) -> str:
    """Run ``sudoku-models`` in this process; return what it prints, its errors too."""

    assert command[0] == "sudoku-models", command
    with silent_about_compiling():
        return invoke(command[1:], environment={"COLUMNS": "100"}).output


@contextmanager
def silent_about_compiling() -> Iterator[None]:
    """Keep back what is said where compiled code is not on disk yet: no page shows it."""

    def other(record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith("compiling ")

    loggers = [logging.getLogger(f"sudoku_models.{name}") for name in ("bitset", "cnf")]
    for logger in loggers:
        logger.addFilter(other)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(other)


def solved(block: Block) -> str:
    """Return what MiniZinc prints of all solutions of a program."""
    Path("program.mzn").write_text(block.text, encoding="utf-8")
    command = [shutil.which("minizinc") or "minizinc", "--solver", "gecode", "-a", "program.mzn"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def mismatches(page: Path) -> Iterator[str]:
    """Run a page in the current folder; yield what it does not print as shown."""
    names: dict[str, Any] = {"__name__": "page"}
    last = None
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language in ("python", "minizinc"):
            last = None
            if block.runs:
                last = solved(block) if block.language == "minizinc" else printed_by(block, names, page)
            continue
        elif block.language == "console":
            for command, shown in commands(block):
                found = output_of(command)
                if not like(shown, found):
                    yield f"{page.name}:{block.line}: {shlex.join(command)} prints\n{found}"
        elif block.language == "text" and block.follows and last is not None and not like(block.text, last):
            yield f"{page.name}:{block.line}: the block before prints\n{last}"
        last = None
