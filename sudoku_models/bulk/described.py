"""A table's metadata, and what pandas needs to restore a frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_PANDAS = b"pandas"


def described(schema: Any, like: Any, names: Mapping[str, str]) -> Any:
    """Return an Arrow schema with the metadata of another, ``like``; ``names`` maps its columns to their new names.

    Fields keep their metadata and whether they may be null. The table keeps its metadata, and pandas' description of
    its index and types, with renamed columns under their new names.
    """
    for old, new in names.items():
        at, field = schema.get_field_index(new), like.field(old)
        if at >= 0:
            nullable = field.nullable or schema.field(at).type != field.type
            kept = schema.field(at).with_metadata(field.metadata).with_nullable(nullable)
            schema = schema.set(at, kept)
    metadata = dict(like.metadata or {})
    with suppress(KeyError, ValueError, TypeError, AttributeError):
        metadata[_PANDAS] = _renamed(metadata[_PANDAS], names)
    return schema.with_metadata(metadata or None)


def _renamed(text: bytes, names: Mapping[str, str]) -> bytes:
    """Return pandas' metadata of a frame with columns under their new names; an index keeps its name."""
    metadata = json.loads(text)
    index = {entry for entry in metadata["index_columns"] if isinstance(entry, str)}
    metadata["index_columns"] = [names.get(i, i) if isinstance(i, str) else i for i in metadata["index_columns"]]
    for column in metadata["columns"]:
        field = column.get("field_name")
        if column.get("name") == field and field not in index:
            column["name"] = names.get(field, field)
        column["field_name"] = names.get(field, field)
    return json.dumps(metadata).encode()
