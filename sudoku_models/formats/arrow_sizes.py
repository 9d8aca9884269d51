"""Checks the sizes that Arrow messages declare before decompression, so that a small file cannot fill the memory.

A message is described by a flatbuffer, which says where the buffers of a record batch are and whether they are
compressed. A compressed buffer begins with its uncompressed size. (The formats: arrow.apache.org, "Columnar format",
and the FlatBuffers internals.)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from ..errors import FormatError

MOST = 1 << 30
"""The largest uncompressed size of one record batch, in bytes."""
_DICTIONARY, _BATCH = 2, 3
"""The kinds of messages that contain buffers."""


def messages(file: Any) -> Iterator[Any]:
    """Yield the messages of a stream; raise FormatError for one that declares more than ``MOST`` bytes."""
    from pyarrow import ipc

    reader = ipc.MessageReader.open_stream(file)
    while True:
        try:
            message = reader.read_next_message()
        except StopIteration:
            return
        size = declared(bytes(message.metadata), memoryview(message.body or b""))
        if size > MOST:
            raise FormatError(
                f"a record batch declares {size:,} bytes once unpacked: up to {MOST:,} are read (write smaller batches)"
            )
        yield message


class Checked:
    """A stream of checked messages for ``pyarrow.PythonFile``: each message is passed on only after its check."""

    closed = False

    def __init__(self, file: Any) -> None:
        self._messages, self._rest = messages(file), b""

    def read(self, size: int = -1) -> bytes:
        """Return up to this number of bytes; b"" at the end."""
        while len(self._rest) < size or size < 0:
            message = next(self._messages, None)
            if message is None:
                break
            self._rest += message.serialize().to_pybytes()
        size = len(self._rest) if size < 0 else size
        found, self._rest = self._rest[:size], self._rest[size:]
        return found

    def readable(self) -> bool:
        """Return True: the stream is readable."""
        return True

    def flush(self) -> None:
        """Do nothing, as nothing is written."""

    def close(self) -> None:
        """Do nothing: the owner closes the file."""


def declared(metadata: bytes, body: memoryview) -> int:
    """Return the uncompressed size of a message's buffers in bytes; 0 for a schema."""
    try:
        batch = _batch(metadata)
        if batch is None:
            return 0
        compressed = _field(metadata, batch, 3) is not None
        return sum(_size(body, *buffer, compressed) for buffer in _buffers(metadata, batch))
    except (struct.error, IndexError) as error:
        raise FormatError("the Arrow data is damaged: the description of a message cannot be read") from error


def _batch(data: bytes) -> int | None:
    """Return the position of the table of a record batch or dictionary batch."""
    message = _number(data, "<I", 0)
    kind, header = _field(data, message, 1), _field(data, message, 2)
    if kind is None or header is None or data[kind] not in (_DICTIONARY, _BATCH):
        return None
    table = header + _number(data, "<I", header)
    if data[kind] == _BATCH:
        return table
    inner = _field(data, table, 1)
    return None if inner is None else inner + _number(data, "<I", inner)


def _buffers(data: bytes, batch: int) -> Iterator[tuple[int, int]]:
    """Yield the offset and length of each buffer in the body."""
    at = _field(data, batch, 2)
    if at is not None:
        start = at + _number(data, "<I", at)
        for i in range(_number(data, "<I", start)):
            yield _number(data, "<q", start + 4 + 16 * i), _number(data, "<q", start + 12 + 16 * i)


def _size(body: memoryview, offset: int, length: int, compressed: bool) -> int:
    if not compressed or length < 8:
        return max(0, length)
    unpacked: int = struct.unpack_from("<q", body, offset)[0]
    return length if unpacked < 0 else unpacked


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return the position of a field of a table; None if the table omits it."""
    directory = table - _number(data, "<i", table)
    entry = 4 + 2 * number
    offset = _number(data, "<H", directory + entry) if entry < _number(data, "<H", directory) else 0
    return table + offset if offset else None


def _number(data: bytes, kind: str, at: int) -> int:
    if at < 0:
        raise IndexError(at)
    found: int = struct.unpack_from(kind, data, at)[0]
    return found
