"""What readers answer to hostile inputs, and what it costs; ``python -m tests.fuzz.answers`` prints JSON lines."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

from sudoku_models.formats import FORMATS, parse, read
from sudoku_models.formats.arrays import read_blocks

from .hostile import TABLE, Case
from .readers import READERS, REFUSALS

_RESET, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def refusal(name: str, case: Case, data: bytes) -> str:
    """Return the error of a reader as text; "" where it read. What is no documented refusal is raised."""
    try:
        return next(_errors(name, data, case.strict), "")
    except REFUSALS as error:
        return str(error)


def _errors(name: str, data: bytes, strict: bool) -> Iterator[str]:
    """Read, and yield what is reported about each place that cannot be read."""
    text = _text(data)
    if name not in FORMATS and name not in ("recognised", "file", "blocks"):
        READERS[name].read(data)
    elif name == "blocks":
        for block in read_blocks(data):
            yield from map(str, block.errors.values())
    elif name == "file" or text is None:
        for entry in read(io.BytesIO(data), input_format=name if name in FORMATS else None, strict=strict):
            yield "" if entry.error is None else f"line {entry.line}: {entry.error}"
    else:
        parse(text, input_format=name if name in FORMATS else None, strict=strict)


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def main() -> None:
    """Answer every case: kind, reader, refusal, most bytes of memory."""
    for kind, cases in TABLE.items():
        for name, case in cases.items():
            data = case.data()
            reset_peak()
            said = refusal(name, case, data)
            print(json.dumps([kind, name, said, peak()]), flush=True)


def reset_peak() -> None:
    if _RESET.exists():
        _RESET.write_text("5")


def peak() -> int:
    """Return the most resident bytes since the reset; 0 where the system does not tell."""
    if not _STATUS.exists():
        return 0
    return next(int(line.split()[1]) << 10 for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
