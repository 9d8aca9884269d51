"""Journals keep what was added through kills and damage, and have one writer."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models.errors import Unusable
from sudoku_models.journal import Journal, lines_of, sealed


def test_what_was_added_is_read_again_as_plain_json_lines(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.add({"a": "é \u2028 \ud800"}, {"b": [1, None, True]})
        assert list(journal.lines()) == [{"a": "é \u2028 \ud800"}, {"b": [1, None, True]}]
        journal.add({"c": 2})
    assert [line.fields for line in lines_of(tmp_path / "j")][2] == {"c": 2}
    assert [len(json.loads(line)) for line in (tmp_path / "j").read_text().split("\n") if line] == [2, 2, 2]


def test_a_line_that_a_kill_cut_off_is_left_out_wherever_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.add({"a": 1}, {"b": "x" * 100_000})
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in (0, 5, 15, first - 5, first, first + 1, first + 20, first + 70_000, len(whole) - 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        kept = ([{"a": 1}] if end >= first else []) + ([{"b": "x" * 100_000}] if end == len(whole) - 1 else [])
        assert [line.fields for line in lines_of(path)] == kept
        with Journal(path) as journal:
            assert path.read_bytes() == whole[:end]
            journal.add({"c": 3})
            assert list(journal.lines()) == [*kept, {"c": 3}]
        assert path.read_bytes() == b"".join(map(sealed, [*kept, {"c": 3}]))


def test_any_changed_bit_is_noticed_and_the_other_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.add({"a": 1}, {"b": 2}, {"c": 3})
    whole = path.read_bytes()
    lines = [line.fields for line in lines_of(path)]
    for place in range(len(whole)):
        for bit in {place % 8, 5}:
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            path.write_bytes(changed)
            found = [line.fields for line in lines_of(path)]
            assert found.count(None) in (1, 2)
            assert [fields for fields in found if fields] == [
                fields for i, fields in enumerate(lines) if fields and whole.splitlines()[i] in changed.splitlines()
            ]
            assert len([fields for fields in found if fields]) >= (1 if whole[place] == ord("\n") else 2)
            with Journal(path) as journal:
                journal.add({"d": 4})
            assert path.read_bytes().startswith(changed)
            assert [line.fields for line in lines_of(path)] == [*found, {"d": 4}]
    path.write_bytes(whole.replace(b'"b": 2', b'"b": 3'))
    with Journal(path) as journal, pytest.raises(Unusable, match=r"j: line 2 is damaged: it is not what was written"):
        list(journal.lines())


def test_a_full_disk_is_named_and_what_was_there_is_kept(tmp_path: Path) -> None:
    """The limit of this process for the size of a file stands for the size of a disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(tmp_path / "j") as journal:
        journal.add({"a": 1})
        resource.setrlimit(resource.RLIMIT_FSIZE, (journal.path.stat().st_size + 20, before[1]))
        try:
            with pytest.raises(OSError, match=r"File too large: .*j'"):
                journal.add({"b": 2})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert list(journal.lines()) == [{"a": 1}]
        journal.add({"c": 3})
        assert list(journal.lines()) == [{"a": 1}, {"c": 3}]


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
