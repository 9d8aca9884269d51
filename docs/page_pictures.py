"""Pictures on pages: where a page says ``<!-- picture NAME -->``, what its Python has under that name is drawn.

``<!-- picture NAME solved -->`` draws a solution in it. The blocks of Python above the place are run first.
"""

from __future__ import annotations

import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from tempfile import TemporaryDirectory
from typing import Any

from sudoku_models import solve
from sudoku_models.display import picture

_PART = re.compile(r"^```python\n(?P<code>.*?)^```$|^<!-- picture (?P<name>\w+)(?P<solved> solved)? -->$", re.M | re.S)


def with_pictures(markdown: str) -> str:
    """Return the text of a page with its pictures."""
    if "<!-- picture" not in markdown:
        return markdown
    names: dict[str, Any] = {"__name__": "page"}
    return _PART.sub(lambda part: _replaced(part, names), markdown)


def _replaced(part: re.Match[str], names: dict[str, Any]) -> str:
    if part["code"] is not None:
        with redirect_stdout(StringIO()), TemporaryDirectory() as folder, chdir(folder):  # some write files
            exec(part["code"], names)
        return part[0]
    puzzle = names[part["name"]]
    drawn = picture(puzzle, solve(puzzle) if part["solved"] else None).svg
    return f'<figure class="board" data-search-exclude>{drawn}</figure>'
