"""What no format can read is one clear error: `refused.jsonl` has a text and what is said of it in each line.

For a new text add a line with an empty ``said``: ``python -m tests.formats.test_refused`` writes what is said today.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse

FILE = Path(__file__).with_name("refused.jsonl")
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").split("\n")[:-1]]


def as_said_today(case: dict[str, Any]) -> dict[str, Any]:
    """Return the case with today's error, which is "" where the text is read."""
    options = {name: value for name, value in case.items() if name not in ("said", "format", "text")}
    try:
        parse(case["text"], input_format=case.get("format"), **options)
    except FormatError as error:
        return {**case, "said": str(error)}
    return {**case, "said": ""}


def test_each_text_is_refused_in_these_words() -> None:
    assert [today for case in CASES if (today := as_said_today(case)) != case] == []


def test_a_refusal_is_one_short_line_and_every_format_has_some() -> None:
    assert [case for case in CASES if not case["said"] or "\n" in case["said"] or len(case["said"]) > 300] == []
    assert {case["format"] for case in CASES if "format" in case} >= {name for name, f in FORMATS.items() if f.reads}


if __name__ == "__main__":
    lines = [json.dumps(as_said_today(case), ensure_ascii=False) + "\n" for case in CASES]
    FILE.write_text("".join(lines), encoding="utf-8")
