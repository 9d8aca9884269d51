"""Random models by the hundred thousand against brute force: ``python -m tests.backends.native.long_run 1000000``.

They are those of ``test_random``, by their numbers from 0 on, each asked in the way whose turn it is. Where the run is
lies in a file (``--state``), so that it can be stopped and goes on when it is started again, with the same code only:
another code begins anew. Every difference is printed and kept there; the exit code is 1 when there was one.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import sudoku_backends.native

from .test_random import check

EACH = 5_000
"""Models between two lines that show how far the run is."""

SOURCES = (Path(sudoku_backends.native.__file__).parent, Path(__file__).parent)


@dataclass
class Progress:
    """How far a run of one code is, how long it took (seconds by the clock and of the processor), and what differs."""

    code: str
    done: int = 0
    clock: float = 0.0
    cpu: float = 0.0
    different: list[int] = field(default_factory=list)

    def text(self, most: int) -> str:
        """Say how far the run is."""
        rate = self.done / self.clock
        left = (most - self.done) / rate / 60
        times = f"{rate:,.0f} a second, {1e3 * self.cpu / self.done:.2f} ms of the processor each, {left:.0f} min left"
        return f"{self.done:,} of {most:,} models, {len(self.different)} differ; {times}"


def code() -> str:
    """Return a digest of the engine and of what asks it."""
    found = hashlib.sha256()
    for path in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def begun(state: Path) -> Progress:
    """Return how far a run is that was begun with the same code, or one that begins."""
    if state.exists():
        found = Progress(**json.loads(state.read_text()))
        if found.code == code():
            return found
        print(f"{state} is of another code: the run begins anew", flush=True)
    return Progress(code())


def kept(progress: Progress, state: Path) -> None:
    """Write how far the run is; a run that is killed in the midst of it leaves what was written before."""
    beside = state.with_suffix(".new")
    beside.write_text(json.dumps(asdict(progress)))
    beside.replace(state)


def some(progress: Progress, until: int) -> None:
    """Check models up to a number."""
    clock, cpu = time.perf_counter(), time.process_time()
    for number in range(progress.done, until):
        try:
            check(number)
        except Exception as error:  # whatever goes wrong with one model, the others are asked
            progress.different.append(number)
            print(f"{type(error).__name__}: {error}", flush=True)
    progress.clock += time.perf_counter() - clock
    progress.cpu += time.process_time() - cpu
    progress.done = until


def main() -> None:
    """Go on with a run, and report every few thousand models how far it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=int, help="how many models in all")
    parser.add_argument("--state", type=Path, default=Path("native_long_run.json"))
    asked = parser.parse_args()
    progress = begun(asked.state)
    gc.disable()
    while progress.done < asked.models:
        some(progress, min(asked.models, progress.done + EACH))
        gc.collect()
        kept(progress, asked.state)
        print(progress.text(asked.models), flush=True)
    sys.exit(1 if progress.different else 0)


if __name__ == "__main__":
    main()
