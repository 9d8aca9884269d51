"""Every example in the documentation runs, and prints what the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models.engine import Feature, listings
from sudoku_models.exports import exports

from .pages import FOLDER, PAGES, ROOT, blocks, like, mismatches


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not list(mismatches(page))


def test_the_backend_that_a_page_shows_passes_the_suite_as_printed(tmp_path: Path) -> None:
    shown = blocks((FOLDER / "write_a_backend.md").read_text(encoding="utf-8"))
    files = {block.title: block.text for block in shown if block.title.endswith(".py")}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert set(files) == {"plain.py", "test_plain.py"}
    slow = "flat_memory or boards_against or ctrl_c or known_counts or lowered_models or large_numbers"  # in Python
    slow += " or consumer_time or closing_leaves or dropping_leaves or kept_cells"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-k", f"not ({slow})", "test_plain.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 45


def test_every_notebook_is_reported_of() -> None:
    said = (FOLDER / "notebooks.md").read_text(encoding="utf-8")
    notebooks = [path.name for path in (ROOT / "notebooks").glob("*.ipynb")]
    assert len(notebooks) >= 6
    assert [name for name in notebooks if f"`{name}`" not in said] == []


def test_every_export_is_reported_of() -> None:
    said = (FOLDER / "exports.md").read_text(encoding="utf-8")
    assert [name for name in exports() if f"`{name}`" not in said] == []


def rows_by_name(text: str) -> dict[str, str]:
    """Return the rows of a page's tables by the names in their first column, of which a row may have several."""
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return {name: row for row in rows for name in row.split("|")[1].split("`")[1::2]}


def test_every_named_backend_is_reported_of() -> None:
    said = (FOLDER / "backends.md").read_text(encoding="utf-8")
    assert [listing.name for listing in listings() if listing.name not in rows_by_name(said)] == []


def test_the_maps_of_every_backend_are_reported_of() -> None:
    said = (FOLDER / "embed.md").read_text(encoding="utf-8")
    rows = rows_by_name(said)
    for listing in listings():
        assert listing.backend
        grows = Feature.ASSUME in listing.backend.capabilities.features
        assert rows[listing.name].rstrip("| ").endswith("–") is not grows, listing.name


def test_what_is_shown_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    given = '```text title="p.txt"\n11..............\n```\n'
    shown = given + "\n```python\nprint(6)\nprint(7)\n```\n\n```text\n6\n%s\n```\n"
    console = "\n```console\n$ sudoku-models validate p.txt\n%s\n```\n"
    for number, verdict, wrong in ((7, "...illegal...", 0), (8, "...illegal...", 1), (8, "legal", 2)):
        page.write_text(shown % number + console % verdict)
        assert len(list(mismatches(page))) == wrong


def test_a_block_runs_where_what_it_needs_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    for name, expected in (("json", 1), ("nowhere_to_be_found", 0)):
        page.write_text(f"<!-- needs {name} -->\n```python\nprint(1)\n```\n\n```text\n2\n```\n")
        assert len(list(mismatches(page))) == expected


@pytest.mark.parametrize(("name", "needed"), [("cpmpy", "cpmpy"), ("minizinc", "minizinc"), ("pysat", "pysat")])
def test_a_page_for_those_who_come_from_elsewhere_shows_both_sides(name: str, needed: str) -> None:
    shown = list(blocks((FOLDER / f"from_{name}.md").read_text(encoding="utf-8")))
    assert sum(block.needs == needed for block in shown) >= 3
    assert sum(block.language == "python" and not block.needs for block in shown) >= 3


def test_dots_stand_for_anything_and_nothing_else_does() -> None:
    assert like("a ... c\n", "a b\nb c  \n\n")
    assert not like("a ... c", "a b d")
    assert not like("a.b", "axb")
