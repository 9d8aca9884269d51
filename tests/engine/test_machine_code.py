"""Kernels are the same compiled and as plain Python; code is kept safely, and not made where that is forbidden."""

from __future__ import annotations

import array
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_models.engine.machine_code import library as libraries
from sudoku_models.engine.machine_code.compiler import NotInTheLanguage, Settings
from sudoku_models.engine.machine_code.language import (
    LARGE,
    Bytes,
    Ints,
    Kernels,
    Layout,
    Shorts,
    Signed,
    Words,
    after,
    bits,
    highest,
    items,
    lowest,
    memory_of,
    ones,
    place_of,
    room,
    section,
    size_of,
)
from sudoku_models.engine.machine_code.library import FOLDER, Library, address
from tests.docs.pages import mismatches

POSIX = pytest.mark.skipif(os.name != "posix", reason="only on POSIX")
ROOT = Path(__file__).parents[2]
KERNELS, SMALL = Kernels(), Kernels()


class State(Layout):
    depth: int
    weight: float
    flags: Bytes = items(5)
    masks: Shorts = items(7)
    words: Words = items(9)
    differences: Signed = items(5)
    tails: Ints = section()
    queue: Ints = section()


@KERNELS.mark
def total_of(values: Ints, n: int) -> int:
    found = 0
    for i in range(n):
        found += values[i]
    return found


@KERNELS.mark
def mix(s: State, a: int, b: int) -> int:
    """Something of everything."""
    total, last = 0, 0
    s.depth += a
    s.weight = s.weight * 2.0 + b
    own = room(Ints, 4)
    for i in range(5):
        s.flags[i] = a * i + b
        s.masks[i] ^= ~s.flags[i] << 5
        s.words[i + 2] -= s.masks[i] * b
        s.differences[i] = a - s.words[i] * i
        s.tails[i] += s.words[i] // 7 - (a - 3 * b) % 5 + (a // (b + 100)) + s.differences[i]
        own[i & 3] += s.tails[i]
        if i == 3 and a > b:
            continue
        last = i
        total ^= s.tails[i] + (s.queue[i] if s.flags[i] > 9 and b > 0 else lowest(s.masks[i] | 1 << 20))
    for i in range(8, -1, -2):
        total += s.words[i] - min(a, i) * max(b, i) + abs(a - b * i) + ones(s.words[i]) - highest(s.words[i])
    while total > 1 << 40 or not a:
        total, a = total >> 3, a + 1
        if a > 60:
            break
    for i in bits(a & 63):
        if i == 1:
            continue
        total += i << b % 3
    total += total_of(after(own, 1), 3) + total_of(s.queue, 2) + s[0] + (1 < a < 40)
    return total + s.tails.place + last + int(s.weight / 3.0)


def of(kernels: Kernels, entries: dict[str, str], settings: Callable[[], Settings] | None = None) -> Library:
    return Library("of_tests", entries, [Path(__file__)], lambda: kernels, settings)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_compiled_and_plain_kernels_leave_the_same_memory() -> None:
    rng, made = random.Random(5), of(KERNELS, {"mix": "mii"})
    fast, slow = made.load().mix, made.plain().mix
    for _ in range(500):
        state = State()
        state[place_of(State, "tails")] = size_of(State) // 8
        state[place_of(State, "queue")] = size_of(State) // 8 + 6
        numbers = array.array("q", [rng.randrange(-99, 99) for _ in range(12)])
        state.words[4] = rng.getrandbits(32)
        x = bytearray(state._memory) + numbers.tobytes()
        y, a, b = bytearray(x), rng.randrange(-50, 50), rng.randrange(-50, 50)
        assert (fast(address(x), a, b), x) == (slow(y, a, b), y), (a, b)
    y = bytearray(x)
    assert (fast(address(x), 3, 4), x) == (slow(address(y), 3, 4), y), "plain Python takes addresses as well"


@POSIX
def test_a_forked_process_has_large_memory_of_its_own() -> None:
    state = State(memory_of(State, tails=LARGE))
    if not (fork := os.fork()):
        state.depth = state.tails[LARGE - 1] = 1
        os._exit(0)
    os.waitpid(fork, 0)
    assert (state.depth, state.tails[LARGE - 1]) == (0, 0)


def wrong_name(a: int) -> int:
    return a + unknown  # noqa: F821


def wrong_loop(values: Ints, n: int) -> int:
    for x in values:
        n += x
    return n


def wrong_array(values: Ints, others: Ints, n: int) -> int:
    values, others = others, values
    return values[n]


def wrong_element(values: Bytes) -> int:
    return total_of(values, 3)


def wrong_float(x: float) -> int:
    return x


@pytest.mark.parametrize("function", [wrong_name, wrong_loop, wrong_array, wrong_element, wrong_float])
def test_what_is_not_in_the_language_is_refused_with_its_place(function: Callable[..., int]) -> None:
    with pytest.raises(NotInTheLanguage, match=function.__name__):
        of(Kernels(total_of=total_of, **{function.__name__: function}), {}).compiled()


# ---------------------------------------------------------------- kept code


@SMALL.mark
def one_more(n: int) -> int:
    return n + 1


class Counted(Library):
    """A small library that counts how often it is compiled."""

    def __init__(self) -> None:
        super().__init__("small", {"one_more": "i"}, [], lambda: SMALL)
        self.times = 0

    def compiled(self) -> bytes:
        self.times += 1
        return super().compiled()


def compiled_anew() -> bool:
    made = Counted()
    assert made.load().one_more(5) == 6
    return made.times == 1


def test_code_is_compiled_once_and_then_loaded(own_folder: Path) -> None:
    made = Counted()
    assert not made.is_kept
    assert compiled_anew() and not compiled_anew()
    assert made.is_kept and made.times == 0
    assert sorted(file.suffix for file in own_folder.iterdir()) == [".lock", ".o"], "nothing half written"
    assert Library("small", {"one_more": "i", "more": "i"}, [], lambda: SMALL).file != made.file


PROGRAM = """
import sys
from tests.engine.test_machine_code import Counted
made = Counted()
print(made.load().one_more(1), made.times, "llvmlite" in sys.modules, "numpy" in sys.modules)
"""


def started(**places: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "backends"), *filter(None, sys.path)])
    command, env = [sys.executable, "-c", PROGRAM], {**os.environ, "PYTHONPATH": path, **places}
    return subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, cwd=ROOT)


def test_of_processes_that_start_at_once_one_compiles_and_a_third_loads() -> None:
    said = [process.communicate(timeout=300)[0].split() for process in [started(), started()]]
    assert sorted(words[1] for words in said) == ["0", "1"]
    assert started().communicate(timeout=300)[0].split()[:2] == ["2", "0"]


def test_code_is_also_loaded_by_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "is_native_elf", lambda: False)
    assert compiled_anew() and not compiled_anew()
    rng, made = random.Random(2), of(KERNELS, {"total_of": "mi"})
    numbers = array.array("q", [rng.randrange(99) for _ in range(9)])
    assert made.load().total_of(address(numbers), 9) == sum(numbers)


def planted(number: int) -> bytes:
    """A file that loads, with another kernel than ours."""
    other = Kernels(one_more=_ten_more)
    code = Library("small", {"one_more": "i"}, [], lambda: other).compiled()
    return libraries.hashlib.sha256(code).digest() + code


def _ten_more(n: int) -> int:
    return n + 10


Change = Callable[[Path, bytes], object]
CHANGES: dict[str, Change] = {
    "cut off": lambda file, code: file.write_bytes(code[:-100]),
    "empty": lambda file, code: file.write_bytes(b""),
    "one bit changed": lambda file, code: file.write_bytes(code[:500] + bytes([code[500] ^ 1]) + code[501:]),
    "the group may write": lambda file, code: file.chmod(0o620),
    "all may write": lambda file, code: file.chmod(0o602),
    "a link": lambda file, code: (file.rename(file.with_suffix(".x")), file.symlink_to(file.with_suffix(".x"))),
    "a pipe": lambda file, code: (file.unlink(), os.mkfifo(file)),
    "a folder": lambda file, code: (file.unlink(), file.mkdir()),
    "a folder that all may write": lambda file, code: file.parent.chmod(0o777),
    "a folder that the group may write": lambda file, code: file.parent.chmod(0o770),
    "a link to the folder": lambda file, code: (
        file.parent.rename(file.parent.with_suffix(".x")),
        file.parent.symlink_to(file.parent.with_suffix(".x")),
    ),
}
BY_ROOT: dict[str, Change] = {
    "another's file": lambda file, code: os.chown(file, 65534, 65534),
    "another's folder": lambda file, code: os.chown(file.parent, 65534, 65534),
}


@POSIX
@pytest.mark.parametrize("name", [*CHANGES, *BY_ROOT])
def test_code_that_is_damaged_or_could_be_anothers_is_not_loaded(name: str, own_folder: Path) -> None:
    if name in BY_ROOT and os.getuid():
        pytest.skip("not applicable (platform): only root can give a file away")
    assert compiled_anew()
    file = own_folder / Counted().file
    whole = file.read_bytes()
    file.write_bytes(planted(10))
    assert Counted().load().one_more(1) == 11, "what is ours is loaded, or the rest would say nothing"
    if name not in ("cut off", "empty", "one bit changed"):
        whole = file.read_bytes()
    ({**CHANGES, **BY_ROOT}[name])(file, whole)
    assert compiled_anew()


@POSIX
def test_code_is_not_loaded_from_a_folder_that_is_exchanged_all_the_time(own_folder: Path, tmp_path: Path) -> None:
    """A link (which another user can make in a common folder) points now to our folder, now to theirs."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for place in (ours, theirs):
        place.mkdir(mode=0o700)
    (theirs / Counted().file).write_bytes(planted(10))
    theirs.chmod(0o777)
    flip = "import os, sys\nours, theirs, link = sys.argv[1:]\nwhile True:\n" + "".join(
        f"    os.symlink({to}, link + '.new'); os.replace(link + '.new', link)\n" for to in ("ours", "theirs")
    )
    flipping = subprocess.Popen([sys.executable, "-c", flip, ours, theirs, own_folder])
    try:
        while not own_folder.is_symlink():
            assert flipping.poll() is None
        assert {Counted().load().one_more(1) for _ in range(60)} == {2}
    finally:
        flipping.kill()
        flipping.wait()


@POSIX
@pytest.mark.parametrize("home", ["/", "/absent/home"])
def test_without_a_home_nothing_is_kept_anywhere(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (FOLDER, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", home)
    if home != "/" and os.access("/", os.W_OK):
        monkeypatch.setattr(libraries.Path, "mkdir", _no_folder)
    for name in ("TMPDIR", "TEMP"):
        monkeypatch.setenv(name, str(tmp_path))
    assert compiled_anew() and compiled_anew()
    assert not list(tmp_path.iterdir())


def _no_folder(*_: Any, **__: Any) -> None:
    raise PermissionError


# ---------------------------------------------------------------- systems that forbid machine code

FORBIDDEN = """
import ctypes, logging
logging.basicConfig(format="%(message)s")
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN
    print("not on this system")
    raise SystemExit
import sudoku_models as sm
from sudoku_models.explain import rate
from sudoku_models.make import generate
easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
for engine in ("auto", "native", "native"):
    print(sm.solve(easy, engine).grid.to_line())
print(sm.count(easy).value, rate(easy), sm.is_unique(next(iter(generate(seed=1)))))
print(sm.solve(".Shape~4x4.Thermo~R1C1~R1C2~R2C2.~R3C3_4", unique=True).record.backend)
print(len({r.grid.to_line() for r in sm.solve_many([easy] * 20)}))
try:
    sm.solve(easy, "bitset")
except sm.BackendMissing as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
def test_plain_forms_and_other_engines_answer_where_machine_code_is_forbidden() -> None:
    """Memory may not be made executable in services of systemd, for instance."""
    done = subprocess.run([sys.executable, "-c", FORBIDDEN], capture_output=True, text=True, timeout=600)
    if done.stdout.startswith("not on this system"):
        pytest.skip("not applicable (platform): PR_SET_MDWE is not known")
    assert done.returncode == 0, done
    *grids, numbers, variant, many, missing = done.stdout.splitlines()
    assert grids == ["534678912672195348198342567859761423426853791713924856961537284287419635345286179"] * 3
    assert (numbers, many) == ("1 level 1.1 True", "1") and variant != "native"
    assert "executable" in missing and "lanes=1" in missing
    assert done.stderr.count("native runs as plain Python") == 1 and "executable" in done.stderr


def test_the_page_about_kernels_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert list(mismatches(ROOT / "docs" / "reference" / "kernels.md")) == []
