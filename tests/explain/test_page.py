"""The page of a path: self-contained, and its steps lead to the solution."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path as File
from typing import Any

import pytest

from sudoku_models import Model, Puzzle, Variable, solve
from sudoku_models.explain import path
from sudoku_models.puzzle.rules.cages import KillerCage

TEXT = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


class Parts(HTMLParser):
    """Collects what a page names, and the text of its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids |= {value for key, value in attrs if key == "id" and value}
        self.links += [value for key, value in attrs if key in ("src", "href") and value]


def data_of(text: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found[1])


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = path(TEXT).to_html("A <way> & back")
    parts = Parts(text)
    assert not parts.links and "import(" not in text and "fetch(" not in text
    assert {"board", "back", "forward", "at", "where", "text", "data"} <= parts.ids
    assert "<title>A &lt;way&gt; &amp; back</title>" in text and "$" not in re.sub(r"[$][{]", "", text)


def test_its_steps_lead_from_the_givens_to_the_solution() -> None:
    data = data_of(path(TEXT).to_html())
    left = [set(values) for values in data["start"]]
    for step in data["steps"]:
        assert step["text"] and step["level"]
        for cell, value in step["removed"]:
            left[cell].remove(value)
            assert str(value) in data["cells"][cell]["marks"]
    grid = solve(TEXT).grid
    assert grid and left == [{value} for value in grid.values]
    assert [cell["given"] for cell in data["cells"]] == [c != "." for c in TEXT]


def test_a_rule_of_the_author_is_in_words_and_its_cells_are_shaded() -> None:
    puzzle = Puzzle.parse("................").with_rules(KillerCage(("R1C1", "R1C2"), 3))
    first = data_of(path(puzzle).to_html())["steps"][0]
    assert "Killer cage (R1C1 R1C2, total 3)" in first["text"] and first["stated"] == [0, 1]


def test_a_bare_model_has_no_page() -> None:
    with pytest.raises(TypeError, match="no picture"):
        path(Model([Variable("x", (1,))])).to_html()


def test_the_command_writes_a_page(program: Any, tmp_path: File) -> None:
    target = tmp_path / "way.html"
    assert program("path", "-o", str(target), "-", input=TEXT).exit_code == 0
    assert target.read_text().startswith("<!doctype html>")
    done = program("path", "-o", str(tmp_path / "two.html"), "-", input=f"{TEXT}\n{TEXT}\n")
    assert done.exit_code == 2 and "one puzzle" in done.stderr and not (tmp_path / "two.html").exists()
