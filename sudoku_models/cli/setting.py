"""``sudoku-models set``: a page on which to set a puzzle, in a browser on this machine."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

from ..errors import FormatError
from ..formats import parse
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .generate import BoardOptions
from .options import Seconds
from .outputs import output
from .parser import command, whole
from .terminal import say

Port = Annotated[int, whole(0, 65535)]


@command("Make", "set puzzle.txt")
def set(
    board: BoardOptions,
    *,
    puzzle: str | None = None,
    port: Port = 0,
    browser: bool = True,
    time_limit: Seconds | None = None,
) -> Code:
    """Open a page on which to set a puzzle: select cells, draw rules, and see how many solutions are left.

    The page shows the values that are left to each cell, the reason of a contradiction, what could be left out, and
    links for the sites of players. Only this machine reaches it. Ctrl-C, or the time limit, ends the program, which
    then writes the puzzle.

    <puzzle> [PUZZLE]  A puzzle to go on with: a file, a link or text. [default: an empty board]
    --port NUMBER  The port of the page; 0 takes a free one.
    --browser/--no-browser  Open the page in the browser.
    Limits:
    --time-limit SECONDS  End after this number of seconds.
    """
    from ..page.setting import SettingPage

    start = Puzzle.empty(board.shape()) if puzzle is None else _read(puzzle)
    try:
        page = SettingPage(start, port)
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror or error}") from None
    try:
        say(f"set a puzzle at {page.url} (Ctrl-C ends)")
        if browser:
            webbrowser.open(page.url)
        page.serve(time_limit)
    finally:
        page.close()
        texts = page.board.texts()
        with output(None) as write:
            write(next(texts[name]["text"] for name in ("iss", "json") if "text" in texts[name]) + "\n")
    return Code.SOLVED


def _read(text: str) -> Puzzle:
    path = Path(text)
    try:
        return parse(path.read_text(encoding="utf-8") if path.is_file() else text)
    except (FormatError, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{text[:200]}: {error}") from None
