"""The verb export: writes a puzzle's model, or a bare model, for another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from ..model import Model
from .task import Problem, as_puzzle

if TYPE_CHECKING:
    from ..engine.registry import BackendLike
    from ..exports import ExportFormat


Texts = Literal["dimacs", "opb", "mps", "cp-sat-text", "minizinc", "xcsp3", "smt-lib", "model", "lowered"]


@overload
def export(problem: Problem, to: Texts, *, backend: BackendLike | None = None) -> str: ...
@overload
def export(problem: Problem, to: Literal["cp-sat"], *, backend: BackendLike | None = None) -> bytes: ...
@overload
def export(problem: Problem, to: str | ExportFormat, *, backend: BackendLike | None = None) -> str | bytes: ...
def export(problem: Problem, to: str | ExportFormat, *, backend: BackendLike | None = None) -> str | bytes:
    """Return a model in a file format of another program: text, or bytes if ``to`` is a binary format (``cp-sat``).

    ``to`` is one of ``dimacs``, ``opb``, ``mps``, ``cp-sat``, ``cp-sat-text``, ``minizinc``, ``xcsp3``, ``smt-lib``;
    ``model`` for the model as stated, ``lowered`` for the model rewritten for a backend (``Model.parse`` reads both); a
    format that another backend exports; or your own ``ExportFormat``. ``backend`` chooses the exporter if several offer
    the format, with options (``pysat:amo=product``). Constraints are rewritten to what the format can state; comments
    in the file explain its names. Raises BadOption for an unknown name or a backend that does not offer it,
    BackendMissing if the engine is not installed, and Unsupported if the format cannot state the model.
    """
    from ..exports import pieces

    if isinstance(problem, Model):
        found = list(pieces(problem, {}, to, backend))
    else:
        puzzle = as_puzzle(problem)
        found = list(pieces(puzzle.structure, puzzle.domains, to, backend))
    if found and isinstance(found[0], bytes):
        return b"".join(piece for piece in found if isinstance(piece, bytes))
    return "".join(piece for piece in found if isinstance(piece, str))
