"""Everything that the README shows runs as it stands, and prints what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .docs.pages import blocks, mismatches

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not list(mismatches(README))


def test_a_newcomer_meets_python_and_the_command_line_first() -> None:
    text = README.read_text(encoding="utf-8")
    shown = [block.language for block in blocks(text)]
    assert shown[:2] == ["sh", "python"] and shown.count("console") >= 3 and shown.count("python") >= 3
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[:4] == ["Install", "Solve", "State a variant", "See why"]


def test_its_pictures_and_pages_are_there() -> None:
    text = README.read_text(encoding="utf-8")
    named = re.findall(r'src="([^"]+)"', text) + re.findall(r"\]\(([^)#:]+)\)", text)
    assert len(named) >= 7
    assert [name for name in named if not (README.parent / name).exists()] == []
