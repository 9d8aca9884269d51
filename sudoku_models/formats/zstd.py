"""Decompresses Zstandard data while reading. Needs the package ``zstandard`` (extra ``data``)."""

from __future__ import annotations

from typing import Any, Protocol

from ..errors import FormatError

MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE = 256
"""The number of compressed bytes to read at a time: 4 bytes may become 128 KB, so these become at most 8 MB."""


class Readable(Protocol):
    """An object from which bytes can be read."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; b"" at the end."""


class Unpacked:
    """The bytes of one or several frames. A damaged or truncated frame raises FormatError."""

    def __init__(self, packed: Readable) -> None:
        self._packed, self._left = packed, memoryview(b"")
        self._frame: Any = None
        self._library = library()

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; b"" at the end."""
        while not self._left:
            data = self._packed.read(_PIECE)
            if not data:
                if self._frame is not None:
                    raise FormatError("the zstd data ends too early")
                return b""
            self._left = memoryview(self._unpack(data))
        found, self._left = self._left[:size], self._left[size:]
        return bytes(found)

    def _unpack(self, data: bytes) -> bytes:
        found = list[bytes]()
        while data:
            frame = self._frame = self._frame or self._library.ZstdDecompressor().decompressobj()
            try:
                found.append(frame.decompress(data))
            except self._library.ZstdError as error:
                raise FormatError(f"the zstd data is damaged ({error})") from error
            data = b""
            if frame.eof:
                data, self._frame = frame.unused_data, None
        return b"".join(found)


def library() -> Any:
    """Return the package; if it is missing, raise FormatError with the command that installs it."""
    try:
        import zstandard
    except ImportError as error:
        raise FormatError("zstd data need zstandard: pip install 'sudoku-models[data]'") from error
    return zstandard
