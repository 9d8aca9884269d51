"""The choice of a backend follows from what the model uses, and says so."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sudoku_models import Puzzle, count, solve, solve_many
from sudoku_models.bulk.rows import MANY
from sudoku_models.engine import auto, combined, registry
from sudoku_models.engine.combined import Combined
from sudoku_models.model import AllDifferent, Model, Variable
from sudoku_models.puzzle import Shape
from sudoku_models.verbs.results import Result

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
JIGSAW = ".Shape~4x4.Jigsaw~0001022113213332"
NONE = CLASSIC[:2] + "1" + CLASSIC[3:]
NATIVE = pytest.mark.skipif(find_spec("llvmlite") is None, reason="not applicable (feature): llvmlite is not installed")
X, Y = Variable("x", range(3)), Variable("y", range(3))
ON_HOUSES = ["pycosat", "pysat", "cp-sat", "backtracking", "python-constraint"]
OTHERS = ["cp-sat", "pycosat", "pysat", "backtracking", "python-constraint"]


def asked(choice: auto.Choice) -> list[str]:
    """Return the names of the engines that a choice asks, in their order."""
    chosen = choice.selection
    return [member.backend.name for member in (chosen.options if isinstance(chosen.backend, Combined) else [chosen])]


@pytest.fixture(autouse=True)
def boards_not_asked_before() -> None:
    """Forget what tests before these chose for boards."""
    for side in (4, 6, 9, 16, 49):
        Shape.square(side).model.memo.clear()


@NATIVE
def test_native_begins_and_the_others_go_on_where_it_gives_up() -> None:
    chosen = auto.choose(Model([X, Y], [X < Y]))
    assert asked(chosen) == ["native", *OTHERS]
    assert chosen.selection.options.members[0].changed == {"patience": auto.PATIENCE}
    assert chosen.selection.options.turns
    assert chosen.reason.endswith("after 5,000,000 looks at constraints without an answer, the next one takes over")


def test_with_full_houses_the_second_engine_has_shorter_turns() -> None:
    board = Puzzle.parse(".Shape~4x4.Thermo~R1C1~R1C2").structure
    loose = Model(board.variables, [c for c in board.constraints if not isinstance(c, AllDifferent)])
    assert (combined._turn(board), combined._turn(loose)) == (combined.TURN_WITH_HOUSES, combined.TURN)


@NATIVE
def test_an_engine_that_is_installed_later_is_asked_about_the_next_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        found = registry.find_spec
        patch.setattr(registry, "find_spec", lambda name: None if name == "ortools" else found(name))
        registry._select_text.cache_clear()
        assert "cp-sat" not in asked(auto.choose(Model([X, Y], [X < Y])))
    assert "cp-sat" in asked(auto.choose(Model([X, Y], [X < Y])))


@NATIVE
@pytest.mark.parametrize(
    "text", [".Shape~6x6.Diagonal~1", ".Shape~4x4.NoBoxes", JIGSAW, "." * 16, "." * 256, ". " * 49**2]
)
def test_a_board_of_houses_goes_to_native_and_then_to_the_solver_of_clauses(text: str) -> None:
    chosen = auto.choose(Puzzle.parse(text).structure)
    assert asked(chosen) == ["native", *ON_HOUSES]
    assert chosen.selection.options.turns
    assert chosen.selection.options.alone == 2
    assert "nothing but " in chosen.reason
    assert chosen.reason.endswith("after 100,000 looks at constraints without an answer, the next one takes over")


@NATIVE
def test_a_classic_board_goes_to_bitset() -> None:
    chosen = auto.choose(Shape.square(9).model)
    assert asked(chosen)[0] == "bitset"
    assert {solve(text).record.backend for text in (CLASSIC, NONE, "." * 81)} == {"bitset"}
    assert count(CLASSIC).record.backend == "native"  # where all solutions are asked for, they come in blocks


@NATIVE
def test_a_model_that_native_does_not_take_goes_to_the_next_with_the_reason() -> None:
    far = Variable("far", (0, 1 << 50))
    chosen = auto.choose(Model([X, far], [far > X]))
    assert asked(chosen)[0] == "cp-sat"
    assert "not native: native:patience=5000000 does not accept this model: it has values from" in chosen.reason


def test_the_choice_and_the_grid_do_not_depend_on_what_was_solved_before() -> None:
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    open_board = "." * 81
    before = solve(open_board)
    solve(CLASSIC, "bitset")
    list(solve_many([CLASSIC] * (MANY + 1)))
    after = solve(open_board)
    assert (after.record.backend, after.grid) == (before.record.backend, before.grid)
    assert [r.grid for r in solve_many([open_board]) if isinstance(r, Result)] == [before.grid]


BROKEN = """
from sudoku_models import Shape, solve, solve_many
from sudoku_models.bulk import questions
from sudoku_models.engine import prepare
from sudoku_models.errors import BackendMissing
from sudoku_models.bulk import candidates_arrays
text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
questions.MANY = 20
found = {result.record.backend for result in solve_many([text] * 22)}
found.add(solve(text, "pycosat:propagate=auto").status.value)
found.add(int(candidates_arrays([text])[0, 0]))
try:
    prepare(Shape.square(9).model, "bitset")
except BackendMissing as error:
    found.add(str(error))
print(sorted(found, key=str))
"""


def test_without_an_llvmlite_that_can_be_imported_all_but_bitset_works(tmp_path: Path) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite/__init__.py").write_text("raise SystemError('it lacks its library')")
    root = Path(__file__).parents[2]
    paths = os.pathsep.join(map(str, (tmp_path, root, root / "backends")))
    command, environment = (
        [sys.executable, "-c", BROKEN],
        {**os.environ, "PYTHONPATH": paths, "SUDOKU_MODELS_CACHE": str(tmp_path)},
    )
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    why = "bitset: llvmlite cannot be imported: it lacks its library; with the option lanes=1 it works in plain Python"
    assert done.stdout.strip() == f"[16, {why!r}, 'pycosat', 'solved']"
