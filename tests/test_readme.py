"""The Python of the README runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_readme_shows_python() -> None:
    assert len(BLOCKS) >= 4


def test_its_blocks_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block, str(README), "exec"), names)
    assert names["result"].unique
    assert "".join(names["board"][0]) == "534678912"
