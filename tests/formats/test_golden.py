"""What texts mean, or why they are refused: a folder of golden files, with one or several texts of one meaning a line.

A line says what its texts are read as: the puzzle in our own JSON, what was noted, and what was drawn; or what is said
where they are refused. ``python -m tests.formats.test_golden`` writes into the files what is read and said today; for
a new text add a line that has nothing but ``texts`` and options of ``parse``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, read, write
from sudoku_models.puzzle import Puzzle, Shape

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


LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_a_shape_that_is_given_is_used() -> None:
    assert parse("." * 36, shape=Shape.square(6, (3, 2))).shape.box == (3, 2)
    assert parse("1.3..2", shape=Shape(2, 3, (1, 2, 3))).givens == (1, None, 3, None, None, 2)
    assert parse("1234523451345124512351234", shape=Shape.latin).shape == Shape.latin(5)
    with pytest.raises(FormatError, match="36 are expected"):
        parse(LINE, shape=Shape.square(6))
    for rest in (" easy", ",easy", " # 1", f" {LINE}", "  ; a # b "):
        assert replace(parse(LINE + rest, shape=Shape.latin(9)), shape=Shape.square(9)) == parse(LINE + rest)


@pytest.mark.parametrize("text", [None, b"1..." * 4, [1, 2]])
def test_only_a_text_is_parsed(text: Any) -> None:
    with pytest.raises(TypeError, match=f"a text is expected, not {type(text).__name__}"):
        Puzzle.parse(text)


if __name__ == "__main__":
    for path in FILES:
        lines = [json.dumps(now, ensure_ascii=False) + "\n" for case in cases(path) for now in today(case)]
        path.write_text("".join(lines), encoding="utf-8")
