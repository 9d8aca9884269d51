"""The conformance suite that every backend passes; outside packages run it on theirs.

    from sudoku_models.testing import BackendConformance

    class TestMine(BackendConformance):
        @pytest.fixture
        def spec(self):
            return "mine:option=value"          # or a backend object

It needs pytest and hypothesis: ``pip install pytest hypothesis``.
"""

from importlib.util import find_spec as _find_spec

_missing = [name for name in ("pytest", "hypothesis") if _find_spec(name) is None]
if _missing:
    raise ImportError(f"sudoku_models.testing needs {' and '.join(_missing)}: pip install {' '.join(_missing)}")

from .checks import CHECKS, Check  # noqa: E402
from .conformance import BackendConformance  # noqa: E402
from .gap import Gap, Kind, NotApplicable  # noqa: E402
from .restricted import Restricted  # noqa: E402
from .subject import SolveNative, Subject  # noqa: E402
from .wrapper import Wrapper  # noqa: E402

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
