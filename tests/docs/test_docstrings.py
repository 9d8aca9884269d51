"""What the reference pages print from the sources is written with care."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITH_TEXT = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(said: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of the files in which something is said, with their places."""
    for path in sorted([*(ROOT / "sudoku_models").rglob("*.py"), *(ROOT / "backends").rglob("*.py")]):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if said.search(source) else ():  # few are parsed: that takes a while
            text = ast.get_docstring(node) if isinstance(node, WITH_TEXT) else None
            if text:
                yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'module')}", text


def test_no_word_of_a_docstring_stands_twice() -> None:
    twice = re.compile(r"\b([A-Za-z]{2,})\s+\1\b")
    found = [f"{place}: {match[0]!r}" for place, text in docstrings(twice) for match in twice.finditer(text)]
    assert found == []
