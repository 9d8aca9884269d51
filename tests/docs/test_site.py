"""The pages are built without a warning, and need nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import FOLDER, ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_built_and_leads_to_the_others(site: Path) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    for page in FOLDER.rglob("*.md"):
        address = page.relative_to(FOLDER).with_suffix(".html")
        assert (site / address).exists()
        assert address.name == "index.html" or f'href="{address}"' in start


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|iframe)[^>]*\bsrc=[\"']?([^\"' >]+)", text)
        fetched += re.findall(r"<link[^>]*rel=[\"']?(?:stylesheet|preconnect|icon)[^>]*href=[\"']?([^\"' >]+)", text)
        assert fetched
        assert [address for address in fetched if re.match(r"(https?:)?//", address)] == []


def test_no_page_names_a_place_of_the_machine_that_built_it(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", page.read_text(encoding="utf-8")), page.name


def test_the_reference_holds_what_the_package_offers(site: Path) -> None:
    import sudoku_models
    from sudoku_models.puzzle import rules

    told = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    offered = [*sudoku_models.__all__, *(name for name in vars(rules) if _is_rule(rules, name))]
    assert len(offered) > 100
    assert [name for name in offered if not re.search(rf'id="[\w.]+\.{name}"', told)] == []


def _is_rule(rules: object, name: str) -> bool:
    kind = getattr(rules, name)
    return isinstance(kind, type) and kind.__module__.startswith("sudoku_models.puzzle.rules") and name[0] != "_"
