"""The pages are built without a warning, and need nothing from elsewhere."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import sudoku_models

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


def test_the_reference_holds_what_the_packages_offer(site: Path) -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    known = set(re.findall(r'id="(sudoku_models[\w.]+)"', told))
    offered = [(package, name) for package in packages() for name in package.__all__]
    assert len(offered) > 300
    assert [f"{package.__name__}.{name}" for package, name in offered if not known & places(package, name)] == []


def packages() -> list[Any]:
    """Return the package and its subpackages that say what they offer."""
    names = [module.name for module in pkgutil.walk_packages(sudoku_models.__path__, "sudoku_models.") if module.ispkg]
    found = map(importlib.import_module, ["sudoku_models", *names])
    return [package for package in found if hasattr(package, "__all__")]


def places(package: Any, name: str) -> set[str]:
    """Return where a name may be told: where it is defined; a plain value in any module below the package."""
    offered = getattr(package, name)
    if isinstance(offered, type | FunctionType):
        return {f"{offered.__module__}.{name}"}
    below = (module for module in sys.modules if f"{module}.".startswith(f"{package.__name__}."))
    return {f"{module}.{name}" for module in below if getattr(sys.modules[module], name, None) is offered}
