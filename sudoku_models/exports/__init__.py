"""Models written for other programs: OPB, MPS, MiniZinc, XCSP3, SMT-LIB 2, and what backends export."""

from .catalogue import FORMATS, exports, exports_of, pieces
from .common import ExportFormat

__all__ = ["FORMATS", "ExportFormat", "exports", "exports_of", "pieces"]
