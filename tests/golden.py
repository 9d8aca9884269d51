"""Golden texts: files of sections under titles (``#``), with what is asked and what is answered.

What stands before the first section of a file is there in all of them. ``REWRITE=1 pytest FILE`` writes down what is
answered now: look at the difference.
"""

from __future__ import annotations

import os
import re
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest


def sections(*folder: str) -> list[Any]:
    """Return the files of a folder of the tests with each of their sections, as parameters of a test."""
    return [
        pytest.param(path, section, id=f"{path.stem}: {section[2:].splitlines()[0]}")
        for path in sorted(Path(__file__).parent.joinpath(*folder).glob("*.txt"))
        for section in re.split(r"(?m)^(?=# )", path.read_text(encoding="utf-8"))[1:]
    ]


def head(path: Path) -> str:
    """Return what stands before the first section of a file."""
    return re.split(r"(?m)^# ", path.read_text(encoding="utf-8"))[0]


def hold(path: Path, section: str, now: str) -> None:
    """Hold a section to what it is now, or write it down."""
    if os.environ.get("REWRITE"):
        path.write_text(path.read_text(encoding="utf-8").replace(section, now), encoding="utf-8")
    elif now != section:
        told = unified_diff(section.splitlines(), now.splitlines(), f"written in {path.name}", "now", "", "", 2, "")
        pytest.fail("\n".join(told), pytrace=False)
