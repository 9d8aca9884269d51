"""A coverage-guided fuzzer over readers: ``python -m tests.fuzz.harness READER,... [options of libFuzzer]``.

A reader may refuse a text with a documented error, in one second and 200 MB; anything else is a fault, and the input
that shows it is kept (``-artifact_prefix=``).
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import atheris

INSTRUMENTED = ["sudoku_models", "sudoku_backends"]

with atheris.instrument_imports(include=INSTRUMENTED):
    from tests.pace import pace

    from .changes import changed
    from .readers import READERS, Reader

SECONDS = 1.0
MEGABYTES = 200
LONGEST_INPUT = 4096
_OPTIONS = (f"-rss_limit_mb={MEGABYTES}", "-timeout=300", f"-max_len={LONGEST_INPUT}", "-verbosity=0")


def main(names: str, *options: str) -> None:
    """Fuzz readers one after the other, each in a process of its own; exit with 1 when some had a fault.

    ``names`` are parted by commas, ``all`` is every reader. Each ends by an option of libFuzzer (``-runs``,
    ``-max_total_time``) or by its first fault. A folder among the options keeps what was found worth changing again.
    """
    readers = [READERS[name] for name in (READERS if names == "all" else names.split(","))]
    with atheris.instrument_imports(include=INSTRUMENTED):  # what is imported late is imported by reading
        seeds = {reader.name: [seed[:LONGEST_INPUT] for seed in reader.seeds()] for reader in readers}
        for reader in readers:
            for seed in seeds[reader.name]:
                reader(seed)
    pace()  # measured once: the children inherit it
    gc.freeze()  # nor do they visit what is there
    clean = sum(_fuzzed(reader, seeds[reader.name], options) for reader in readers)
    sys.exit(int(clean < len(readers)))


def _fuzzed(reader: Reader, seeds: list[bytes], options: Sequence[str]) -> bool:
    """Fuzz one reader in a child process; tell whether no fault was found."""
    print(f"reader {reader.name}", flush=True)
    child = os.fork()
    if not child:
        _fuzz(reader, seeds, options)
    _, status = os.waitpid(child, 0)
    print(f"reader {reader.name}: {'no fault' if not status else 'FAULT'}", flush=True)
    return not status


def _fuzz(reader: Reader, seeds: list[bytes], options: Sequence[str]) -> NoReturn:
    def change(data: bytes, most: int, seed: int) -> bytes:
        return changed(data, most, seed, reader.kind, seeds, atheris.Mutate)

    with tempfile.TemporaryDirectory() as folder:
        for i, seed in enumerate(seeds):
            Path(folder, f"{i:03}").write_bytes(seed)
        kept = [option + reader.name + "-" if option.startswith("-artifact_prefix=") else option for option in options]
        atheris.Setup([sys.argv[0], *_OPTIONS, *kept, folder], _bounded(reader), custom_mutator=change)
        atheris.Fuzz()
    sys.exit(0)


def _bounded(reader: Reader) -> Callable[[bytes], None]:
    """Return the reader as a function that raises when it takes too long."""

    def read(data: bytes) -> None:
        began = time.process_time()
        reader(data)
        took = (time.process_time() - began) / pace()
        if took > SECONDS:
            raise AssertionError(
                f"{took:.1f} s of an ordinary machine's CPU time for one input: at most {SECONDS} s are allowed"
            )

    return read


if __name__ == "__main__":
    main(*sys.argv[1:])
