"""What texts mean, or why they are refused: a folder of golden files, with one or several texts of one meaning a line.

A line says what its texts are read as: the puzzle in our own JSON, what was noted, and what was drawn; or what is said
where they are refused. ``python -m tests.formats.test_golden`` writes into the files what is read and said today; for
a new text add a line that has nothing but ``texts`` and options of ``parse``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, read, write

FILES = sorted(Path(__file__).with_name("golden").glob("*.jsonl"))
ANSWERS = ("said", "puzzle", "notes", "drawn")


def cases(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n")[:-1]]


def meaning(text: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what a text is read as, or what is said of it."""
    try:
        found = parse(text, **options)
    except FormatError as error:
        return {"said": str(error)}
    content = json.loads("".join(write([found], "json")))
    kept = {"puzzle": content, "notes": found.notes, "drawn": [str(drawn) for drawn in found.drawn]}
    return json.loads(json.dumps({name: value for name, value in kept.items() if value}))


def today(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the case as it would stand in its file today: as several where its texts have several meanings."""
    options = {name: value for name, value in case.items() if name not in ("texts", *ANSWERS)}
    found: list[dict[str, Any]] = []
    for text in case["texts"]:
        now = {**options, **meaning(text, options)}
        same = next((one for one in found if one | {"texts": 0} == now | {"texts": 0}), None)
        if same is None:
            found.append({**now, "texts": [text]})
        else:
            same["texts"].append(text)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_texts_mean_what_they_are_said_to_mean(file: Path) -> None:
    assert [now for case in cases(file) if (now := today(case)) != [case]] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_of_one_text_is_read_as_the_text(file: Path, tmp_path: Path) -> None:
    for case in cases(file):
        options = {name: value for name, value in case.items() if name not in ("texts", *ANSWERS)}
        for text in case["texts"] if "puzzle" in case else ():
            (tmp_path / "one").write_bytes(text.encode())
            (entry,) = read(tmp_path / "one", **options)
            assert entry.puzzle == parse(text, **options), text


def test_a_refusal_is_one_short_line_and_every_format_has_some() -> None:
    refused = [case for file in FILES for case in cases(file) if "said" in case]
    assert [case for case in refused if not 9 < len(case["said"]) < 300 or "\n" in case["said"]] == []
    assert {case.get("input_format") for case in refused} >= {name for name, kind in FORMATS.items() if kind.reads}


if __name__ == "__main__":
    for path in FILES:
        lines = [json.dumps(now, ensure_ascii=False) + "\n" for case in cases(path) for now in today(case)]
        path.write_text("".join(lines), encoding="utf-8")
