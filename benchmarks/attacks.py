"""Attacks in numbers: killed comparisons, damaged journals, signals at random moments."""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path

from sudoku_models.compare import SCHEMA, Journal, JournalError, Plan, Row, compare, distinct, instances, resume
from sudoku_models.compare.journal import NAME
from sudoku_models.engine.registry import listings
from sudoku_models.engine.tree import descendants

PUZZLES = ["1.....2....3....", "1.3...2....3.4..", "11.............."]
SPECS = ["backtracking", "pycosat"]
ENDED = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
PATIENCE = 30.0
"""Seconds after which a program that got a signal counts as deaf."""


def print_row(row: Row) -> None:
    """Announce a row that is in the journal."""
    print(*row.key, sep="\t", flush=True)


def kills(times: int, chance: random.Random) -> int:
    """Kill a comparison this many times; return how many rows were lost or doubled."""
    with tempfile.TemporaryDirectory() as folder:
        puzzles = distinct(instances(PUZZLES))
        plan = Plan.of(SPECS, repeats=6 * times)
        journal = Journal.create(folder, plan, puzzles)
        announced: list[str] = []
        for number in range(times + 1):
            program = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.attacks", "resume", folder], stdout=subprocess.PIPE, text=True
            )
            assert program.stdout
            lines = (line for line in program.stdout if line.endswith("\n"))
            if number < times:
                announced += islice(lines, chance.randint(0, 25))
                time.sleep(chance.random() / 20)
                program.kill()
            announced += lines
            program.wait()
        rows = list(journal.rows())
        keys = Counter("\t".join(map(str, row.key)) + "\n" for row in rows)
        lost = [line for line in announced if line not in keys]
        twice = sum(count > 1 for count in (keys + Counter()).values())
        missing = plan.count(puzzles) - len(keys)
        wrong = sum(row.status not in ("solved", "unsatisfiable") for row in rows)
        print(f"{times} kills: {len(rows)} rows, {len(announced)} announced before, of which {len(lost)} are lost;")
        print(f"{twice} are there twice, {missing} are missing at the end, {wrong} have another status")
        return len(lost) + twice + missing + wrong


def damages(times: int, chance: random.Random) -> int:
    """Damage a journal this many times; return how many rows were lost or invented."""
    with tempfile.TemporaryDirectory() as folder:
        compare(PUZZLES, SPECS, directory=folder, repeats=10)
        stated = {row.key: row for row in Journal.open(folder).rows()}
        data, lost, made_up, kept = (Path(folder) / NAME).read_bytes(), 0, 0, 0
        texts = [line for line in data.splitlines(keepends=True) if SCHEMA.encode() in line]
        for number in range(times):
            damaged = changed(data, chance)
            rows = read(Path(folder) / str(number), damaged)
            whole = sum(text in damaged.splitlines(keepends=True) for text in texts)
            lost += max(0, whole - len({row.key for row in rows}))
            made_up += sum(row.key not in stated or stated[row.key].wall != row.wall for row in rows)
            made_up += len(rows) - len({row.key for row in rows})
            kept += len(rows)
        print(f"{times} damages of {len(stated)} rows: {kept} rows read, {lost} whole ones lost, {made_up} made up")
        return lost + made_up


def changed(data: bytes, chance: random.Random) -> bytes:
    """Damage some bytes: single ones, a block of zeros, the beginning, some put in between, the end cut off."""
    found, at = bytearray(data), chance.randrange(len(data))
    kind = chance.randrange(5)
    if kind == 0:
        for _ in range(chance.randint(1, 40)):
            found[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 1:
        length = chance.randint(1, 10_000)
        found[at : at + length] = bytes(len(found[at : at + length]))
    elif kind == 2:
        found[:100] = chance.randbytes(100)
    elif kind == 3:
        found[at:at] = chance.randbytes(chance.randint(1, 100))
    else:
        del found[at:]
    return bytes(found)


def read(folder: Path, data: bytes) -> list[Row]:
    """Return the rows of a damaged journal."""
    folder.mkdir()
    (folder / NAME).write_bytes(data)
    try:
        return list(Journal.open(folder).rows())
    except JournalError:  # nothing in it is whole
        return []


def signals(times: int, chance: random.Random) -> int:
    """Send a signal this many times; return how many programs did not end by it, or left a process behind."""
    for kind in ENDED:  # started in the background of a shell, this program and what it starts would ignore some
        signal.signal(kind, signal.default_int_handler)
    names = [one.name for one in listings() if not one.problem]
    codes: Counter[str] = Counter()
    faults = 0
    for number in range(times):
        name, kind = names[number % len(names)], chance.choice(list(ENDED))
        with tempfile.TemporaryDirectory() as folder:
            command = chance.choice(endless(name, folder))
            code, left = struck(command, kind, chance.uniform(0.0, 2.0))
        codes[f"{kind.name} {code}"] += 1
        if code not in (ENDED[kind], -kind) or left:
            faults += 1
            print(f"    {' '.join(command)}: {kind.name} gave {code}, left behind: {left or 'nothing'}")
        if number % 50 == 49:
            print(f"{number + 1} so far: {faults} faults", flush=True)
    print(f"{times} signals: {faults} faults; codes: {dict(sorted(codes.items()))}")
    return faults


def endless(name: str, folder: str) -> list[list[str]]:
    """Return commands that an engine would be busy with for very long."""
    empty, many = "." * 81, Path(folder) / "many.txt"
    many.write_text("\n".join([f"{empty}\n53..7....{'.' * 72}"] * 20_000))
    plan = ["--repeats", "10000", "--dir", f"{folder}/runs"]
    return [
        ["solve", str(many), "-b", name, "--unique", "--jobs", "2"],
        ["solve", str(many), "-b", name, "--time-limit", "5"],
        ["compare", str(many), "-b", name, "-b", "pycosat" if name == "backtracking" else "backtracking", *plan],
        *([] if name == "bitset" else [["count", empty, "-b", name]]),
    ]


def struck(command: list[str], kind: signal.Signals, delay: float) -> tuple[int | None, list[int]]:
    """Run a command, and send it a signal some time after it listens; return its code, and what it left behind.

    None for one that did not end. One that ended before the signal came is run again. (What comes while Python itself
    starts is Python's.)
    """
    for _ in range(5):
        program = subprocess.Popen(
            [sys.executable, "-m", "sudoku_models", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while program.poll() is None and not listens(program.pid):
            time.sleep(0.01)
        time.sleep(delay)
        below = list(descendants(program.pid))
        if program.poll() is None:
            break
    program.send_signal(kind)
    try:
        code: int | None = program.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        code = None
        program.kill()
        program.wait()
    return code, [pid for pid in below if lives(pid)]


def listens(pid: int) -> bool:
    """Return whether a process has a handler for SIGTERM."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return True
    caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt")), -1)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def lives(pid: int) -> bool:
    """Return whether a process still exists some seconds later (a zombie does not count)."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("attack", choices=["kills", "damages", "signals", "resume"])
    parser.add_argument("folder", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--times", type=int, default=0, help="how often; 200, signals 300")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.attack == "resume":
        resume(options.folder, on_row=print_row)
        return 0
    if os.name != "posix":
        sys.exit("the attacks need Linux or macOS")
    attack = {"kills": kills, "damages": damages, "signals": signals}[options.attack]
    times = options.times or (300 if options.attack == "signals" else 200)
    return bool(attack(times, random.Random(options.seed)))


if __name__ == "__main__":
    sys.exit(main())
