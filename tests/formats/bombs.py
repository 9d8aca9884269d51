"""Small files that hold far more than they are large, and what reading one costs.

``python -m tests.formats.bombs FOLDER`` writes and reads them.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

LINE = "." * 81
TEXT = "1" * 1_000_000


def npz(path: Path) -> None:
    """Write an array of 240 MB in a few hundred kilobytes."""
    import numpy as np

    rows = 3_000_000
    head: Any = {"descr": "|u1", "fortran_order": False, "shape": (rows, 81)}
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("quizzes.npy", "w", force_zip64=True) as file,
    ):
        np.lib.format.write_array_header_1_0(file, head)
        for _ in range(rows * 81 >> 20):
            file.write(bytes(1 << 20))


def deltas(path: Path) -> None:
    """Write an Arrow stream in which a dictionary grows by two megabytes in each batch."""
    import pyarrow as pa

    schema = pa.schema([("puzzle", pa.dictionary(pa.int32(), pa.string()))])
    packed = pa.ipc.IpcWriteOptions(compression="zstd", emit_dictionary_deltas=True)
    texts: list[str] = []
    with pa.ipc.new_stream(str(path), schema, options=packed) as writer:
        for number in range(13):
            texts.append("{" * (2_000_000 + number))
            column = pa.DictionaryArray.from_arrays(pa.array([number], pa.int32()), pa.array(texts))
            writer.write_batch(pa.record_batch([column], schema=schema))


def batch(path: Path) -> None:
    """Write an Arrow file with a batch of 160 MB."""
    _arrow(path, _table(["1" * 500_000] * 320), "zstd")


def runs(path: Path) -> None:
    """Write an Arrow file with a value and how often it comes: two billion times."""
    import pyarrow as pa

    column = pa.RunEndEncodedArray.from_arrays(pa.array([2_000_000_000], pa.int32()), pa.array([LINE]))
    _arrow(path, pa.table({"puzzle": column}), None)


def dictionary(path: Path) -> None:
    """Write a dictionary of one text of a megabyte, which 8,000 rows name."""
    import pyarrow as pa

    table = pa.table({"puzzle": _named(8_000)})
    if path.suffix == ".arrow":
        _arrow(path, table, "zstd")
    else:
        _parquet(path, table)


def _named(times: int) -> Any:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([TEXT]))


def fixed(path: Path) -> None:
    """Write a Parquet column whose cells have 40 MB each, of which none is there."""
    import pyarrow as pa

    _parquet(path, pa.table({"puzzle": [LINE] * 10, "x": pa.array([None] * 10, pa.binary(40_000_000))}))


def prefixes(path: Path) -> None:
    """Write a Parquet column in which a text is that of the row before, and nothing else."""
    _parquet(path, _table([TEXT] * 160), use_dictionary=False, column_encoding={"puzzle": "DELTA_BYTE_ARRAY"})


def inner(path: Path) -> None:
    """Write a Parquet column of objects that all hold one text."""
    import pyarrow as pa

    objects = pa.StructArray.from_arrays([_named(3_000)], ["a"])
    _parquet(path, pa.table({"puzzle": objects}), store_schema=False)


def lines(line: bytes) -> Callable[[Path], None]:
    """Return what writes 150 megabytes of one line."""

    def write(path: Path) -> None:
        member = gzip.compress(line * (10_000_000 // len(line)))
        path.write_bytes(gzip.compress(LINE.encode() + b"\n" if line == b"\n" else b"") + member * 15)

    return write


def certificate(path: Path) -> None:
    """Write the certificate of a small puzzle with 120 MB of proof."""
    from sudoku_models import Puzzle
    from sudoku_models.prove import certify, save

    save(certify(Puzzle.parse("1...3..2...3..2.")), path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in kept.items():
            archive.writestr(name, data + b"1 0\n" * 30_000_000 if name == "proof.drat" else data)


def _table(column: Any) -> Any:
    import pyarrow as pa

    return pa.table({"puzzle": pa.array(column)})


def _arrow(path: Path, table: Any, packing: str | None) -> None:
    import pyarrow as pa

    with pa.ipc.new_file(str(path), table.schema, options=pa.ipc.IpcWriteOptions(compression=packing)) as writer:
        writer.write_table(table)


def _parquet(path: Path, table: Any, **options: Any) -> None:
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd", **options)


BOMBS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "array": ("a.npz", npz, "bytes once unpacked"),
    "deltas": ("a.arrow", deltas, "more than"),
    "batch": ("a.arrow", batch, "to unpack it takes more than"),
    "runs": ("a.arrow", runs, "declares 2,000,000,000 rows"),
    "arrow dictionary": ("a.arrow", dictionary, "far more than the file"),
    "parquet dictionary": ("a.parquet", dictionary, "far more than the file"),
    "fixed length": ("a.parquet", fixed, "to unpack it takes more than"),
    "prefixes": ("a.parquet", prefixes, "to unpack it takes more than"),
    "objects": ("a.parquet", inner, "to unpack it takes more than 64 MB"),
    "braces": ("a.txt.gz", lines(b"{\n"), "no puzzle was found in 300,001 lines"),
    "blank lines": ("a.txt.gz", lines(b"\n"), "no puzzle was found in"),
    "certificate": ("a.zip", certificate, "bytes once unpacked"),
}
"""For each bomb the name of its file, what writes it, and what its refusal says."""


def answers(way: str, path: Path) -> Iterator[object]:
    """Read a file in one of the ways in which its contents come in."""
    if path.suffix == ".npz":
        from sudoku_models.make.tables import load_rows

        yield load_rows(path)
    elif path.suffix == ".zip":
        from sudoku_models.prove import load

        yield load(path)
    elif way == "entries":
        from sudoku_models.formats import read

        yield from read(path)
    else:
        from sudoku_models.bulk.blocks import blocks_of

        yield from blocks_of(path)


def main(folder: str) -> None:
    """Write every bomb into a folder, and print what each way of reading it says, with its megabytes.

    Each reading is a process of its own, that begins with no memory of the others, not even that of their children.
    What all load is loaded before.
    """
    for module in ("pyarrow.parquet", "sudoku_models.bulk.blocks", "sudoku_models.prove", "tests.fuzz.answers"):
        import_module(module)
    paths = {bomb: Path(folder, f"{bomb} {name}") for bomb, (name, _, _) in BOMBS.items()}
    apart(lambda: [BOMBS[bomb][1](path) for bomb, path in paths.items()])
    for bomb, path in paths.items():
        for way in ("entries", "blocks") if path.suffix not in (".npz", ".zip") else ("whole",):
            apart(partial(measure, bomb, way, path))


def apart(step: Callable[[], object]) -> None:
    """Take a step in a forked process."""
    child = os.fork()
    if not child:
        step()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)


def measure(bomb: str, way: str, path: Path) -> None:
    """Read a file, and print what came of it."""
    from tests.fuzz.answers import peak, reset_peak

    reset_peak()
    said = ""
    try:
        for _ in answers(way, path):
            pass
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    most = max(peak() >> 20, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
    print(json.dumps([bomb, said, most]))


if __name__ == "__main__":
    main(*sys.argv[1:])
