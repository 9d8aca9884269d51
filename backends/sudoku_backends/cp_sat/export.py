"""CP-SAT's own model, as its protocol buffer: binary or text. Its variables have the names of the model's variables."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_models.model import Domain

if TYPE_CHECKING:
    from .backend import CompiledCpSat


def binary(compiled: CompiledCpSat, domains: Mapping[str, Domain]) -> Iterator[bytes]:
    """Yield a ``CpModelProto``, narrowed by further domains, in the binary form."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.pb")
        compiled.narrowed(domains).export_to_file(str(file))
        yield file.read_bytes()


def text(compiled: CompiledCpSat, domains: Mapping[str, Domain]) -> Iterator[str]:
    """Yield a ``CpModelProto``, narrowed by further domains, in the text form."""
    yield "# proto-message: operations_research.sat.CpModelProto\n"
    yield from str(compiled.narrowed(domains).proto).splitlines(keepends=True)


EXPORTS: Mapping[str, Callable[[CompiledCpSat, Mapping[str, Domain]], Iterator[str] | Iterator[bytes]]] = {
    "cp-sat": binary,
    "cp-sat-text": text,
}
