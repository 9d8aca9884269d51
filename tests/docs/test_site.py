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
from tests.browser import chromium, until

from .pages import FOLDER, ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # A fifth faster without the collector, and as much without ruff, a process of which wraps each signature.
    fast = "import gc, sys; gc.disable(); sys.modules['ruff'] = None"
    program = f"{fast}; from mkdocs.__main__ import cli; cli(sys.argv[1:])"
    command = [sys.executable, "-c", program, "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_built_and_leads_to_the_others(site: Path) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    for page in FOLDER.rglob("*.md"):
        address = page.relative_to(FOLDER).with_suffix(".html")
        assert (site / address).exists()
        assert address.name == "index.html" or f'href="{address}"' in start


def test_every_notebook_is_a_page_with_its_outputs(site: Path) -> None:
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        assert f'href="{notebook.stem}.html"' in page  # in the navigation
    assert 'class="output"' in page and "<svg" in page


def test_the_search_finds_a_rule_where_the_site_is_opened_from_a_file(site: Path) -> None:
    with chromium() as driver:
        driver.get((site / "index.html").as_uri())
        field = driver.find_element("css selector", "input.md-search__input")
        field.click()
        field.send_keys("palindrome")
        found = "return [...document.querySelectorAll('a.md-search-result__link')].map((link) => link.href)"
        links = until(driver, lambda _: driver.execute_script(found))
        assert any(link.partition("?")[0].endswith("gallery/lines.html") for link in links)


def test_pages_fit_on_a_phone(site: Path) -> None:
    with chromium(390) as driver:
        for address in ("gallery/lines", "notebooks/03_variants", "variants", "reference/puzzle"):
            driver.get((site / f"{address}.html").as_uri())
            assert driver.execute_script("return document.documentElement.scrollWidth") == 390, address


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
    said = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    known = set(re.findall(r'id="(sudoku_models[\w.]+)"', said))
    offered = [(package, name) for package in packages() for name in package.__all__]
    assert len(offered) > 300
    missing = [f"{package.__name__}.{name}" for package, name in offered if not known & places(package, name)]
    assert not missing, missing


def packages() -> list[Any]:
    """Return the package and its subpackages that say what they offer."""
    names = [module.name for module in pkgutil.walk_packages(sudoku_models.__path__, "sudoku_models.") if module.ispkg]
    found = map(importlib.import_module, ["sudoku_models", *names])
    return [package for package in found if hasattr(package, "__all__")]


def places(package: Any, name: str) -> set[str]:
    """Return where a name may be documented: where it is defined; a plain value in any module below the package."""
    offered = getattr(package, name)
    if isinstance(offered, type | FunctionType):
        return {f"{offered.__module__}.{name}"}
    below = (module for module in sys.modules if f"{module}.".startswith(f"{package.__name__}."))
    return {f"{module}.{name}" for module in below if getattr(sys.modules[module], name, None) is offered}
