"""The notebooks as pages: their text, their code and the outputs that are stored in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the address and the Markdown of the page of each notebook in a folder."""
    for path in sorted(folder.glob("*.ipynb")):
        yield f"notebooks/{path.stem}.md", page(json.loads(path.read_text("utf-8")), path.name)


def titles(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the address and the first heading of the page of each notebook in a folder."""
    for address, text in pages(folder):
        yield address, text.partition("\n")[0].lstrip("# ")


def page(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as Markdown: a block for each cell, behind it what the cell printed and drew."""
    parts = [part for cell in notebook["cells"] for part in _cell(cell)]
    note = f"The notebook `notebooks/{name}`, with its outputs. To run it: `jupyter lab notebooks/`."
    return "\n\n".join([*parts[:1], note, *parts[1:]]) + "\n"


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
    elif source.strip():
        yield _fenced(source, "python")
        yield from _outputs(cell["outputs"])


def _outputs(outputs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what a cell printed, as one block, and what it showed: a picture or a table, else text."""
    printed = "".join("".join(output["text"]) for output in outputs if "text" in output)
    if printed.strip():
        yield _fenced(printed, "text")
    for data in (output["data"] for output in outputs if "data" in output):
        rich = data.get("image/svg+xml") or data.get("text/html")
        if rich:
            yield f'<div class="output" data-search-exclude>{_one_block("".join(rich))}</div>'
        elif "text/plain" in data:
            yield _fenced("".join(data["text/plain"]), "text")


def _one_block(html: str) -> str:
    """Return HTML without blank lines, which would end it for Markdown."""
    return re.sub(r"\n\s*\n", "\n", html.strip())


def _fenced(text: str, language: str) -> str:
    return f"````{language}\n{_COLOURS.sub('', text).rstrip()}\n````"
