"""ACE and Choco conform, by what is exported to them: some hundred runs, in each of which Java starts."""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from sudoku_backends import xcsp3

from sudoku_models import Variable
from sudoku_models.engine import Request, run
from sudoku_models.engine.registry import Selection
from sudoku_models.model import AllDifferent, Model
from sudoku_models.testing import BackendConformance

from . import natives

if shutil.which("java") is None or find_spec("pycsp3") is None:
    pytest.skip("not applicable (platform): Java or the package pycsp3 is not installed", allow_module_level=True)

ONCE = "-XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit={}"
QUICK = "-XX:TieredStopAtLevel=1 -XX:SharedArchiveFile={}"


@pytest.fixture(scope="class", autouse=True)
def quick_java(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the classes that a first run loads: Java starts in half the time."""
    archive = tmp_path_factory.mktemp("java") / "classes.jsa"
    xs = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", ONCE.format(archive))
        list(run(Model(xs, [AllDifferent(xs), xs[0] < xs[1]]), request.cls.backend, Request(limit=None)))
        patch.setenv("JAVA_TOOL_OPTIONS", QUICK.format(archive))
        yield


class TestAce(BackendConformance):
    backend = xcsp3.ACE
    solve_native = natives.ace
    share = 0.02

    @pytest.fixture
    def spec(self):
        return Selection(xcsp3.ACE, xcsp3.ACE.Options())


class TestChoco(BackendConformance):
    backend = xcsp3.CHOCO
    solve_native = natives.choco
    share = 0.02

    @pytest.fixture
    def spec(self):
        return Selection(xcsp3.CHOCO, xcsp3.CHOCO.Options())
