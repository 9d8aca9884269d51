"""``sudoku-models merge``, and what ``--shard`` means for a command: answers in parts, merged in order."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Annotated

from ..bulk.shards import Shard
from ..errors import FormatError
from ..formats.source import opened
from ..formats.target import packed, replaced
from .codes import Code
from .effort import refuse
from .inputs import Input
from .parser import Argument, command
from .terminal import say

PIECE = 1 << 20


def file_of_shard(source: Input, shard: Shard, format: str | None, out: str | None) -> str | None:
    """Return the file beside ``out`` for the answers of a shard; None if it exists.

    A file appears only when it is complete, so an existing file holds all answers of the shard.
    """
    refuse(
        out not in (None, "-"), "--shard writes a separate file for each shard: name the merged file with --out FILE"
    )
    assert out
    files = list(source.files)
    refuse(len(files) == 1 and Path(files[0]).is_file(), "--shard needs one input file, which exists and is no pipe")
    refuse(
        format not in ("grid", "json"),
        f"--shard and --format {format} cannot be combined: choose line, csv, jsonl or parquet",
    )
    csv = out.removesuffix(".gz").removesuffix(".zst").endswith(".csv")
    refuse(
        format is None or csv == (format == "csv"), "with --shard, a CSV file must be named .csv: use --out NAME.csv"
    )
    part = shard.file(out)
    if part.exists():
        say(f"{part}: already exists, so shard {shard} is not answered again (delete the file to do so)")
        return None
    return str(part)


@command("Files", "merge answers.csv")
def merge(
    out: Annotated[str, Argument(metavar="FILE", help="The file name that was given as --out for every shard.")],
) -> Code:
    """Merge the answers of all shards in order: the result is the same as that of one run.

    The files of the shards are kept.
    """
    from ..bulk.shards import parts_of
    from ..bulk.sinks import format_of

    parts = parts_of(out)
    if format_of(out) in ("parquet", "arrow"):
        _merge_tables(out, parts)
    else:
        _merge_text(out, parts, header=format_of(out) == "csv")
    return Code.SOLVED


def _merge_tables(out: str, parts: list[Path]) -> None:
    from ..bulk.sinks import written
    from ..formats.arrow import opened_table, sniffed

    with written(out, {}) as sink:
        for part in parts:
            with sniffed(part) as (kind, found), opened_table(str(kind), found, str(part)) as (schema, batches):
                same = {name: name for name in schema.names}
                for batch in batches:
                    sink.write(dict(zip(schema.names, batch.columns, strict=True)), schema, same)


def _merge_text(out: str, parts: list[Path], header: bool) -> None:
    first: bytes | None = None
    with replaced(out) as file, packed(file, out) as target:
        for part in parts:
            if part.stat().st_size == 0:
                continue
            with opened(part) as stream:
                if header:
                    line = stream.readline()
                    if first is not None and line != first:
                        raise FormatError("its columns differ from those of the earlier shards", source=str(part))
                    if first is None:
                        target.write(line)
                    first = line
                _copy(stream, target)


def _copy(stream: IO[bytes], target: IO[bytes]) -> None:
    while piece := stream.read(PIECE):
        target.write(piece)
