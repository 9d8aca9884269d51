"""What mkdocs asks for while it builds the pages: those that are made from code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent), str(DOCS.parent / "backends")]

import gallery  # noqa: E402
import notebook_pages  # noqa: E402
import page_pictures  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402

NOTEBOOKS = DOCS.parent / "notebooks"
BOOSTS = {"measured": 0.2, "notebooks/": 0.4, "reference/": 0.4, "": 2.0}
"""How much a page counts in the search, by the beginning of its address, unless its head says so itself."""


def on_config(config: Any) -> Any:
    """List the notebooks in the navigation, each by its first heading."""
    section = next(entry for entry in config.nav if "Notebooks" in entry)
    section["Notebooks"] = [{title: address} for address, title in notebook_pages.titles(NOTEBOOKS)]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the gallery of rules and the notebooks."""
    for address, content in (*gallery.pages(), *notebook_pages.pages(NOTEBOOKS)):
        files.append(File.generated(config, address, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Draw what a page's own Python has made; let the search prefer pages of tasks and rules."""
    boost = next(boost for begin, boost in BOOSTS.items() if page.file.src_uri.startswith(begin))
    page.meta.setdefault("search", {"boost": boost})
    return page_pictures.with_pictures(markdown)
