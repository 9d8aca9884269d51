"""What unpacks to far more than it is large: a clear error within 200 MB, whatever its format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import read
from sudoku_models.formats.arrow import opened_table

pytest.importorskip("resource", reason="only on POSIX: limits of processes")
pyarrow = pytest.importorskip("pyarrow", reason="not applicable (platform): pyarrow is not there")

from pyarrow import ipc  # noqa: E402

from ..bulk.made import table as made  # noqa: E402
from ..bulk.made import write  # noqa: E402
from .bombs import BOMBS, LINE  # noqa: E402

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def read_by(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, int]]]:
    """Return what each way of reading a bomb said, and the megabytes that it took."""
    folder = tmp_path_factory.mktemp("bombs")
    command = [sys.executable, "-m", "tests.formats.bombs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert max(path.stat().st_size for path in folder.iterdir()) < 12_000_000
    found: dict[str, list[tuple[str, int]]] = {bomb: [] for bomb in BOMBS}
    for bomb, said, megabytes in map(json.loads, done.stdout.splitlines()):
        found[bomb].append((said, megabytes))
    return found


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_unpacks_to_far_more_than_it_is_large_is_refused_in_bounded_memory(bomb: str, read_by: Any) -> None:
    name, _, reason = BOMBS[bomb]
    assert len(read_by[bomb]) == (1 if name in ("a.npz", "a.zip") else 2)
    for said, megabytes in read_by[bomb]:
        assert said.startswith("FormatError: ") and reason in said
        assert megabytes < 200


@pytest.mark.parametrize(("way", "packing"), [(ipc.new_file, None), (ipc.new_file, "lz4"), (ipc.new_stream, "zstd")])
def test_honest_tables_are_read_whatever_their_packing_and_types(way: object, packing: str, tmp_path: Path) -> None:
    kinds = pyarrow.array(["easy", "hard"] * 2_000).dictionary_encode()
    table = pyarrow.table({"puzzle": [LINE, f"1{LINE[1:]}"] * 2_000, "kind": kinds, "none": pyarrow.nulls(4_000)})
    with way(str(tmp_path / "a"), table.schema, options=ipc.IpcWriteOptions(compression=packing)) as writer:  # type: ignore[operator]
        writer.write_table(table, max_chunksize=999)
    with opened_table("arrow" if way is ipc.new_file else "arrow-stream", tmp_path / "a", "a") as (schema, batches):
        assert pyarrow.Table.from_batches(batches, schema).to_pylist() == table.to_pylist()
        assert schema == table.schema
    assert [entry.puzzle.givens[0] for entry in read(tmp_path / "a") if entry.puzzle] == [None, 1] * 2_000


def test_a_stream_in_a_pipe_is_passed_on_while_it_comes(tmp_path: Path) -> None:
    script = (
        "import sys, pyarrow as pa; from pyarrow import ipc\n"
        "schema = pa.schema([('puzzle', pa.string())])\n"
        "with ipc.new_stream(sys.stdout.buffer, schema, options=ipc.IpcWriteOptions(compression='zstd')) as w:\n"
        f"    for _ in range(3): w.write_batch(pa.record_batch([pa.array(['{LINE}'])], schema=schema))\n"
        "    sys.stdout.flush(); sys.stdin.read()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], **pipes) as process:  # type: ignore[call-overload]
        entries = read(process.stdout)
        assert [next(entries).puzzle is not None for _ in range(3)] == [True] * 3
        process.stdin.close()
        assert list(entries) == []


@pytest.fixture
def table(tmp_path: Path) -> Any:
    from pyarrow import parquet

    def write(*rows: object) -> Path:
        parquet.write_table(pyarrow.table({"puzzle": list(rows)}), tmp_path / "t.parquet")
        return tmp_path / "t.parquet"

    return write


@pytest.mark.parametrize(("small", "large"), [([0] * 81, [0] * 1_000_000), (LINE, "1" * 9_000_000)])
def test_a_cell_larger_than_any_puzzle_is_refused_among_small_ones(table: Any, small: object, large: object) -> None:
    with pytest.raises(FormatError, match=r"the column .puzzle. has a cell of [19],000,000 (values|bytes)"):
        list(read(table(*[small] * 9, large)))


@pytest.mark.parametrize("kept", [0, 20, 200, -10])
@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_damaged_table_is_one_clear_error(tmp_path: Path, name: str, kept: int) -> None:
    path = write(made([LINE] * 100), tmp_path / name)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FormatError, match=rf"{name}: .*(damaged|cannot be read|is empty)"):
        list(read(path))
