"""Joins PDF documents into one, with the pages of all in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_TABLE = re.compile(rb"xref\s+0 (\d+)\s+")
_ENTRY = 20
"""The length in bytes of an entry in the table of objects."""
_REFERENCE = re.compile(rb"\b(\d+) 0 (R|obj)\b")
_TYPE = re.compile(rb"/Type\s*/(\w+)")
_CATALOG, _PAGES = 1, 2
"""The numbers of the two objects that the joined document adds."""


def joined(documents: Iterable[bytes]) -> bytes:
    """Return one document with the pages of all; each must be plain PDF with an object table, as written by svg2pdf.

    Raises ValueError for a document with another structure.
    """
    found: dict[int, bytes] = {}
    pages: list[int] = []
    following = _PAGES + 1
    for document in documents:
        objects = _objects(document)
        kinds = {number: _kind(text) for number, text in objects.items()}
        moved = {number: following + place for place, number in enumerate(objects)}
        following += len(objects)
        moved |= {number: _PAGES for number, kind in kinds.items() if kind == b"Pages"}
        kept = [number for number, kind in kinds.items() if kind not in (b"Pages", b"Catalog")]
        found |= {moved[number]: _renumbered(objects[number], moved) for number in kept}
        pages += [moved[number] for number in kept if kinds[number] == b"Page"]
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    found[_CATALOG] = b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (_CATALOG, _PAGES)
    found[_PAGES] = b"%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj\n" % (_PAGES, len(pages), kids)
    return _written(found, following)


def _objects(document: bytes) -> dict[int, bytes]:
    """Return the text of each object by its number, from the table at the end of the document."""
    start = _START.search(document)
    table = _TABLE.match(document, int(start[1])) if start else None
    if start is None or table is None:
        raise ValueError("a PDF document without a plain table of objects cannot be joined")
    entries = (document[table.end() + _ENTRY * i :][:_ENTRY] for i in range(int(table[1])))
    places = {number: int(entry[:10]) for number, entry in enumerate(entries) if entry[17:18] == b"n"}
    ends = dict(zip(sorted(places.values()), [*sorted(places.values())[1:], int(start[1])], strict=True))
    return {number: document[place : ends[place]].rstrip() + b"\n" for number, place in places.items()}


def _kind(text: bytes) -> bytes:
    match = _TYPE.search(text.partition(b"stream")[0])
    return match[1] if match else b""


def _renumbered(text: bytes, moved: Mapping[int, int]) -> bytes:
    """Renumber objects, except inside a stream."""
    head, stream, rest = text.partition(b"stream")
    return _REFERENCE.sub(lambda match: b"%d 0 %s" % (moved[int(match[1])], match[2]), head) + stream + rest


def _written(objects: Mapping[int, bytes], count: int) -> bytes:
    text, places = b"%PDF-1.7\n%\x80\x80\x80\x80\n", dict[int, int]()
    for number, piece in sorted(objects.items()):
        places[number] = len(text)
        text += piece
    free = b"0000000000 65535 f\r\n"
    table = b"".join(b"%010d 00000 n\r\n" % places[i] if i in places else free for i in range(count))
    end = b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, _CATALOG, len(text))
    return text + b"xref\n0 %d\n" % count + table + end
