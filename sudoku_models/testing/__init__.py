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

from ..lazy import imported

if TYPE_CHECKING:
    from .check import Check
    from .checks import CHECKS
    from .conformance import BackendConformance
    from .subject import Gap, Kind, NotApplicable, Restricted, SolveNative, Subject, Wrapper

_HOMES = {"CHECKS": "checks", "BackendConformance": "conformance", "Check": "check"}
_HOMES |= dict.fromkeys(("Gap", "Kind", "NotApplicable", "Restricted", "SolveNative", "Subject", "Wrapper"), "subject")

__all__ = [
    "CHECKS",
    "BackendConformance",
    "Check",
    "Gap",
    "Kind",
    "NotApplicable",
    "Restricted",
    "SolveNative",
    "Subject",
    "Wrapper",
]


def __getattr__(name: str) -> Any:
    """Import a name on first use: pytest is loaded with the suite, not with its small parts."""
    if name in _HOMES and find_spec("pytest") is None:
        raise ImportError("sudoku_models.testing needs pytest: pip install pytest")
    return imported(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return __all__
