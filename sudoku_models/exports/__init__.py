"""Models written for other programs: OPB, MPS, MiniZinc, XCSP3, SMT-LIB 2, and what backends export."""

from .catalogue import FORMATS, exports, exports_of, pieces
from .format import Format

__all__ = ["FORMATS", "Format", "exports", "exports_of", "pieces"]
