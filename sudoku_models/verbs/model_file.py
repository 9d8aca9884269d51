"""The verb export: a puzzle's model, or a bare model, written for another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Model
from .task import Problem, as_puzzle

if TYPE_CHECKING:
    from ..engine.registry import BackendLike
    from ..exports import Format


def export(problem: Problem, to: str | Format, *, backend: BackendLike | None = None) -> str | bytes:
    """Return a model as a file of another program: text, or bytes where ``to`` is a binary format (``cp-sat``).

    ``to`` is one of ``dimacs``, ``opb``, ``mps``, ``cp-sat``, ``cp-sat-text``, ``minizinc``, ``xcsp3``, ``smt-lib``;
    ``model`` for the model as stated, ``lowered`` for the model in a backend's terms (both read by ``Model.parse``);
    what another backend exports; or a ``Format`` of your own. ``backend`` chooses who exports where several do, with
    options (``pysat:amo=product``). Whatever the model uses is rewritten to what the format can state; comments in
    the file tell what its names stand for. Raises BadOption for an unknown name or a backend that does not offer it,
    BackendMissing when its engine is not installed, Unsupported when the model cannot be stated there.
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
