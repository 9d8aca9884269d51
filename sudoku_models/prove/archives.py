"""The zip files and folders of certificates: reading is bounded, and anything unusual is refused."""

from __future__ import annotations

import io
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import FormatError
from ..formats.source import check_sizes

ONE = "certificate.json"
"""The files of a certificate of one problem."""

MANY = "certificates.json"
"""The file that marks certificates of many problems."""

LARGEST = 500_000_000
"""The most bytes that a file of a certificate may have."""

SPARE, RATIO = 4_000_000, 6
"""The files in a zip file may together have these bytes, and as many times the bytes of the zip file.

Proofs pack to a quarter. What was made to fill the memory packs to a thousandth, and takes thirty times as much when it
is read.
"""

LONGEST_END, LONGEST_LIST = (1 << 16) + 22, 100_000
"""The offset from its end at which a zip file gives the length of its list of files, and the most bytes of that list.
"""


KINDS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""The supported compression methods."""


class Missing(FormatError):
    """A file of a certificate is not there."""


def holds_many(path: str | Path) -> bool:
    """Return whether a file holds certificates of many puzzles."""
    try:
        with opened(path) as archive:
            return MANY in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        return False


def write_zip(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip file completely, or not at all."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".certificate-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(made.getvalue())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def opened(path: str | Path) -> zipfile.ZipFile:
    """Open a zip file; ValueError if its list of files is much longer than that of a certificate."""
    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, io.SEEK_END) - LONGEST_END))
        end = stream.read()
    at = end.rfind(b"PK\5\6")
    if at >= 0 and int.from_bytes(end[at + 12 : at + 16], "little") > LONGEST_LIST:
        raise ValueError("the zip file holds more files than a certificate has")
    return zipfile.ZipFile(path)


def zip_reader(path: Path, kind: str) -> Callable[[str], bytes]:
    """Return a function that reads a file of a zip file; FormatError if it is unreadable or too large.

    ``kind`` is ONE or MANY: FormatError also if the zip file has the other kind.
    """

    def read(name: str) -> bytes:
        """Return the bytes of a file; Missing when it is not there."""
        try:
            with opened(path) as archive:
                check_kind(archive.namelist(), kind, path)
                check_sizes(archive, SPARE + RATIO * path.stat().st_size, path)
                return _content(archive, name, path)
        except FormatError:
            raise
        except KeyError:
            raise Missing(f"{name} is missing", source=str(path)) from None
        except (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError) as error:
            raise FormatError(f"{name} cannot be read: {error}", source=str(path)) from None
        except MemoryError:
            raise FormatError(f"{name} needs more memory than is available", source=str(path)) from None

    return read


def _content(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    found = archive.getinfo(name)
    if archive.namelist().count(name) > 1:
        raise FormatError(f"the zip file holds {name} twice", source=str(path))
    if found.compress_type not in KINDS:
        raise FormatError(f"{name} has an unsupported compression: store or deflate it", source=str(path))
    if found.file_size > LARGEST:
        raise FormatError(f"{name} has more than {LARGEST:,} bytes", source=str(path))
    return archive.read(name)


def check_kind(names: list[str], kind: str, path: Path) -> None:
    """Raise FormatError if the names include certificates of the other kind, or of both."""
    if ONE in names and MANY in names:
        raise FormatError(f"both {ONE} and {MANY} are there: one of them is expected", source=str(path))
    if kind == ONE and MANY in names:
        raise FormatError(
            "the file holds certificates of many puzzles: check_many and load_many read them", source=str(path)
        )
    if kind == MANY and ONE in names:
        raise FormatError("the file holds the certificate of one problem: check and load read it", source=str(path))


def bytes_of(path: Path) -> bytes:
    """Read a regular file; FormatError for anything else (a pipe might never be written, a device might never end)."""
    if path.exists() and not path.is_file():
        raise FormatError("a regular file is expected", source=str(path))
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise FormatError(f"the file has more than {LARGEST:,} bytes", source=str(path))
    return data
