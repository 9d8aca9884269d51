"""The conformance suite that every backend passes; other packages run it on their own backends.

    from sudoku_models.testing import BackendConformance

    class TestMine(BackendConformance):
        @pytest.fixture
        def spec(self):
            return "mine:option=value"          # or a backend object

It needs pytest: ``pip install pytest``.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .checks import CHECKS
    from .conformance import BackendConformance
    from .subject import Check, Gap, Kind, NotApplicable, Restricted, SolveNative, Subject, Wrapper

__all__ = [
    "CHECKS", "BackendConformance", "Check", "Gap", "Kind", "NotApplicable", "Restricted", "SolveNative", "Subject",
    "Wrapper",
]  # fmt: skip

_imported, __dir__ = on_first_use(__name__, __all__, {
    "checks": "CHECKS",
    "conformance": "BackendConformance",
    "subject": "Check Gap Kind NotApplicable Restricted SolveNative Subject Wrapper",
})  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a name on first use: pytest is loaded with the suite, not with its small parts."""
    if name in __all__ and find_spec("pytest") is None:
        raise ImportError("sudoku_models.testing needs pytest: pip install pytest")
    return _imported(name)
