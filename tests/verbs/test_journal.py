"""An append-only file of sealed lines: what was written is read back, damage is named, one writes at a time."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models.verbs.journal import CUT, JournalError, Writer, create, damage, entries

ENTRIES = [{"number": i, "text": f"entry {i}, \u00e9\n\ud800"} for i in range(20)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "journal.jsonl", ENTRIES)
    return tmp_path / "journal.jsonl"


def numbers(path: Path) -> list[int | None]:
    return [None if entry is None else entry["number"] for _, entry in entries(path)]


def test_what_is_written_is_read_back_and_every_line_is_json(path: Path) -> None:
    with Writer(path) as writer:
        writer.add({"number": 20})
    found = [entry for _, entry in entries(path)]
    assert found == [*ENTRIES, {"number": 20}]
    assert [json.loads(line)["number"] for line in path.read_text().splitlines()] == list(range(21))


def test_each_changed_bit_is_named_with_its_line_and_costs_that_entry_alone(path: Path) -> None:
    data = path.read_bytes()
    chance = random.Random(3)
    for at in [len(data) - 1, *chance.sample(range(len(data)), 300)]:
        damaged = bytearray(data)
        damaged[at] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        lost = {number for number, entry in entries(path) if entry is None}
        line = data.count(b"\n", 0, at) + 1
        assert line in lost
        assert {n for n in numbers(path) if n is not None} >= set(range(20)) - {line - 1, line}
        assert [entry for _, entry in entries(path) if entry is not None and entry not in ENTRIES] == []
        assert f"line{'s' if len(lost) > 1 else ''} {line}" in damage(path, sorted(lost))
        assert path.read_bytes() == damaged


def test_an_unfinished_line_is_no_damage_and_stays_apart_from_what_is_added_later(path: Path) -> None:
    data = path.read_bytes()
    begin = data.rindex(b"{")
    for end in range(begin, len(data)):
        path.write_bytes(data[:end])
        assert numbers(path) == list(range(20 if end == len(data) - 1 else 19))
        with Writer(path) as writer:
            assert path.read_bytes() == data[:end]
            writer.add({"number": 21})
        assert numbers(path) == [*range(20 if end == len(data) - 1 else 19), 21]
        assert path.read_bytes().startswith(data[:end])
    assert CUT not in data


def test_only_one_writes_at_a_time_and_the_lock_ends_with_its_process(path: Path) -> None:
    with Writer(path), pytest.raises(JournalError, match="another process is writing to this journal"):
        Writer(path)
    code = "import sys, time; from pathlib import Path; from sudoku_models.verbs.journal import Writer; "
    code += "w = Writer(Path(sys.argv[1])); print('held', flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with pytest.raises(JournalError, match="another process"):
            Writer(path)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with Writer(path) as writer:
        writer.add({"number": 20})
    assert len(numbers(path)) == 21


def test_a_journal_is_made_once_and_a_missing_one_is_reported(path: Path) -> None:
    with pytest.raises(JournalError, match="there is a journal already"):
        create(path, [])
    for missing in (path.parent / "none", path.parent / "none" / "none"):
        with pytest.raises(JournalError, match="cannot be read: No such file"):
            list(entries(missing))
        with pytest.raises(JournalError, match="cannot be written: No such file"):
            Writer(missing)
    with pytest.raises(JournalError, match="cannot be written: No such file"):
        create(path.parent / "none" / "none", [])


def test_a_full_disk_is_reported_and_what_was_there_is_kept(path: Path) -> None:
    """The limit of this process for the size of a file stands for the size of a disk."""
    size = path.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Writer(path) as writer:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
        try:
            writer.add({"number": 20, "text": "x" * 200})
            with pytest.raises(JournalError, match="cannot be written: File too large"):
                writer.sync()
            with pytest.raises(JournalError, match="cannot be written: File too large"):
                create(path.with_name("other"), [{"text": "x" * 2 * size}])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert numbers(path) == list(range(20))
        writer.add({"number": 21})
    assert numbers(path) == [*range(20), 21]
    assert list(path.parent.iterdir()) == [path]


def test_an_entry_is_durable_when_it_was_synced(path: Path) -> None:
    writer = Writer(path)
    writer.add({"number": 20})
    assert 20 not in numbers(path)
    writer.sync()
    assert 20 in numbers(path)
    writer.close()
