"""Journals keep what was added through kills and damage, and have one writer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models.errors import Unusable
from sudoku_models.journal import Journal, lines_of


def test_what_was_added_is_read_again_as_plain_json_lines(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.add({"a": "é \u2028 \ud800"}, {"b": [1, None, True]})
        assert list(journal.lines()) == [{"a": "é \u2028 \ud800"}, {"b": [1, None, True]}]
        journal.add({"c": 2})
    assert [line.fields for line in lines_of(tmp_path / "j")][2] == {"c": 2}
    assert [len(json.loads(line)) for line in (tmp_path / "j").read_text().split("\n") if line] == [2, 2, 2]


def test_a_line_that_a_kill_cut_off_is_dropped_wherever_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.add({"a": 1}, {"b": "x" * 100_000})
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in (first - 1, first, first + 1, first + 70_000, len(whole) - 1):
        path.write_bytes(whole[:end])
        kept = [{"a": 1}] if end >= first else []
        assert [line.fields for line in lines_of(path)] == kept
        with Journal(path) as journal:
            journal.add({"c": 3})
            assert list(journal.lines()) == [*kept, {"c": 3}]


def test_any_changed_bit_is_noticed_and_the_other_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.add({"a": 1}, {"b": 2}, {"c": 3})
    whole = path.read_bytes()
    lines = [line.fields for line in lines_of(path)]
    start, end = whole.index(b"\n") + 1, whole.index(b"\n", whole.index(b"\n") + 1)
    for place in range(start, end):
        for bit in range(8):
            changed = whole[place] ^ 1 << bit
            path.write_bytes(whole[:place] + bytes([changed]) + whole[place + 1 :])
            found = [line.fields for line in lines_of(path)]
            expected = [lines[0], None, lines[2]] if changed != ord("\n") else [lines[0], None, None, lines[2]]
            assert found == expected
    path.write_bytes(whole.replace(b'"b": 2', b'"b": 3'))
    with Journal(path) as journal, pytest.raises(Unusable, match=r"j: line 2 is damaged: it is not what was written"):
        list(journal.lines())


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    program = (
        "import sys; from sudoku_models.journal import Journal; j = Journal(sys.argv[1]); print(); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stdout.readline()
        with pytest.raises(Unusable, match=r"j: another process is using this journal"):
            Journal(path)
        process.kill()
    with Journal(path) as journal:
        journal.add({"a": 1})


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"nowhere/j: the journal cannot be written: No such file"):
        Journal(tmp_path / "nowhere" / "j")
