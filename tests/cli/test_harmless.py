"""What a file says moves no cursor and changes no colour of the terminal on which a command shows it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.cli.main import _run
from sudoku_models.cli.parser import HOMES
from sudoku_models.engine import tree

EVIL = "\x1b]0;owned\x07\x9b5m\u202e"
ESCAPED = r"\x1b]0;owned\x07\x9b5m\u202e"
"""A new title for the window, a bell, text that blinks, and text that runs backwards."""
PUZZLE, SOLUTION = "1...3..2...3..2.", "1234341221434321"

TITLED = ["{titled}"]
COMMANDS: dict[str, list[list[str]]] = {
    "solve": [TITLED, ["{table}"], ["{bad}"], ["{titled}", "--to", "grid"], ["{titled}", "--verbose"]]
    + [["{titled}", "{table}", "-f", form] for form in ("line", "json", "jsonl", "csv")],
    "count": [TITLED, ["{table}", "-f", "csv"], ["{titled}", "-f", "json"]],
    "candidates": [TITLED, ["{titled}", "-f", "json"]],
    "validate": [TITLED, ["{table}", "-f", "jsonl"]],
    "explain": [TITLED, ["{clash}"]],
    "hint": [TITLED, ["{titled}", "-f", "json"]],
    "path": [TITLED],
    "rate": [TITLED, ["{titled}", "-f", "csv"]],
    "compare": [["{titled}", "{table}", "-b", "backtracking", "-b", "pycosat", "--dir", "{new}", "--group-by", "file"]],
    "convert": [["{titled}", "--to", form] for form in ("line", "grid", "json", "f-puzzles-json", "csv", "numbers")]
    + [["{table}", "--to", "grid"], ["{bad}", "--to", "line"]],
    "export": [["{titled}", "--to", form] for form in ("model", "dimacs", "minizinc", "smt-lib")],
    "plan": [["{titled}", "-b", "pycosat"]],
    "merge": [["{shards}"]],
    "backends": [[]],
    "inspect": [TITLED, ["{drawn}"]],
    "page": [TITLED],
    "certify": [["{titled}", "--out", "{folder}/made"]],
    "check": [["{folder}/made"], ["{bad}"], ["{folder}/made", "--problem", "{titled}"]],
    "generate": [["--like", "{titled}", "--clues", "6-16", "--seed", "1"]],
    "grids": [["--side", "4", "--seed", "1"]],
    "statistics": [["--population", "100", "--runs", "2", "--seed", "1"]],
    "dataset": [["{new}", "--train", "1", "--validation", "1", "--test", "1", "--mix", "{bad}"]],
    "jigsaw": [["--side", "4", "--seed", "1"]],
    "augment": [["{table}"], ["{table}", "-f", "jsonl"]],
    "verify": [["{table}"], ["{table}", "-f", "csv"]],
    "complete": [["{open}"], ["{open}", "--to", "json"]],
    "minimise": [TITLED, ["{titled}", "--to", "json"]],
    "redundant": [TITLED],
    "unavoidable": [["{solved}"], ["{titled}"]],
    "clues-needed": [["{solved}"], ["{titled}"]],
    "search": [["{titled}", "--folder", "{new}", "--looks", "1"]],
    "canonical": [TITLED, ["{titled}", "--to", "grid"]],
    "automorphisms": [TITLED],
    "same": [["{titled}", "{titled}"]],
    "morph": [TITLED, ["{titled}", "--to", "grid"]],
    "traces": [TITLED],
    "set": [["{titled}", "--no-browser", "--time-limit", "0.1"]],
}
"""For each command what it is asked; the words in braces are files that hold what they are called."""
SHOW = {"solve", "convert", "candidates", "minimise", "morph", "compare", "inspect", "page", "same"}
"""Commands that show titles, comments, columns or names of files."""


class Screen(io.TextIOWrapper):
    """What a terminal gets."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)

    def isatty(self) -> bool:
        return True

    def seen(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def files(folder: Path) -> dict[str, str]:
    """Write files of each kind, all with what is evil wherever a text can be."""
    head = {"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4]}
    boxes = {"box": [2, 2], "title": f"T{EVIL}", "comment": f"C{EVIL}\nD{EVIL}"}
    made = {
        f"titled.json{EVIL}": json.dumps({**head, **boxes, "givens": PUZZLE}),
        "clash.json": json.dumps({**head, **boxes, "givens": "11.............."}),
        "open.json": json.dumps({**head, **boxes, "givens": "1..............."}),
        "solved.json": json.dumps({**head, **boxes, "givens": SOLUTION}),
        "table.csv": f"question,answer,col{EVIL}\n{PUZZLE},{SOLUTION},cell{EVIL}\n{PUZZLE}{EVIL},{SOLUTION}{EVIL},x\n",
        "bad.txt": f"{PUZZLE} # {EVIL}\n{EVIL}\n{PUZZLE[:-1]}{EVIL}\n",
        "drawn.json": json.dumps(
            {"size": 4, "title": EVIL, EVIL: [1], "text": [{"cells": ["R1C1"], "value": EVIL}], "grid": [[{}] * 4] * 4}
        ),
        "shards.1-of-1.jsonl": json.dumps({"number": 1, f"k{EVIL}": f"v{EVIL}"}) + "\n",
    }
    for name, text in made.items():
        (folder / name).write_text(text)
    named = {name.partition(".")[0]: str(folder / name) for name in made}
    return named | {"shards": str(folder / "shards.jsonl"), "folder": str(folder)}


@pytest.mark.parametrize("command", HOMES)
def test_no_command_shows_control_characters_of_a_file_on_a_terminal(command: str, tmp_path: Path) -> None:
    assert COMMANDS.keys() == HOMES.keys()
    kept = files(tmp_path)
    if command == "check":
        shown("certify", COMMANDS["certify"][0], kept)
    texts = [
        shown(command, words, {**kept, "new": str(tmp_path / f"new{i}")}) for i, words in enumerate(COMMANDS[command])
    ]
    for text, words in zip(texts, COMMANDS[command], strict=True):
        raw = [sign for sign in ("\x1b]", "\x07", "\x9b", "\u202e") if sign in text]
        assert not raw, f"{command} {words}: {text!r:.3000}"
    assert command not in SHOW or any(ESCAPED in text.replace("\n", "") for text in texts)


def shown(command: str, words: list[str], kept: dict[str, str]) -> str:
    """Return what a terminal gets on both of its streams."""
    screens = Screen(), Screen()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "on_command_line", tree.on_command_line)  # put back afterwards
        patch.setattr(sys, "stdout", screens[0])
        patch.setattr(sys, "stderr", screens[1])
        patch.setattr(sys, "argv", ["sudoku-models", command, *(word.format(**kept) for word in words)])
        patch.setenv("COLUMNS", "500")
        assert _run() != 5, screens[1].seen()
    return "".join(screen.seen() for screen in screens)


@pytest.mark.parametrize("name", ["-", "made.json"])
def test_what_goes_into_a_pipe_or_a_file_stays_as_it_is(name: str, tmp_path: Path, program: Any) -> None:
    kept, out = files(tmp_path), tmp_path / name
    found = program("convert", kept["titled"], "--to", "json", "--out", name if name == "-" else out)
    written = json.loads(found.stdout if name == "-" else out.read_text())
    assert (written["title"], written["comment"]) == (f"T{EVIL}", f"C{EVIL}\nD{EVIL}")
