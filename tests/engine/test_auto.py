"""The choice of a backend follows from what the model uses, and says so."""

import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from sudoku_backends.backtracking.backend import Backtracking, BacktrackingOptions
from sudoku_backends.native import Native

from sudoku_models import Puzzle, count, solve, solve_many
from sudoku_models.bulk.where import MANY
from sudoku_models.engine import auto, orders, registry
from sudoku_models.engine.contract import Backend, Capabilities, Feature, Places, Request
from sudoku_models.engine.road import run
from sudoku_models.model import AllDifferent, Count, Model, Variable
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.verbs.results import Result

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
JIGSAW = ".Shape~4x4.Jigsaw~0001022113213332"
NONE = CLASSIC[:2] + "1" + CLASSIC[3:]
NATIVE = pytest.mark.skipif(find_spec("llvmlite") is None, reason="not applicable (feature): llvmlite is not installed")
ORDERS = [order.name for order in fields(Places) if order.name != "at_once" and not order.name.endswith("_with")]
X, Y = Variable("x", range(3)), Variable("y", range(3))


@pytest.fixture(autouse=True)
def boards_not_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what tests before these used and asked of boards: both change the choice."""
    monkeypatch.setattr(auto, "USED", set())
    for side in (4, 6, 9, 16, 49):
        Shape.square(side).model.memo.clear()


def test_houses_alone_go_to_the_solver_of_clauses() -> None:
    chosen = auto.choose(Shape.square(4).model)
    assert str(chosen.selection) == "pycosat"
    assert chosen.reason.startswith("the model has nothing but 12 AllDifferent; tried in the order pycosat, cp-sat")


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Model([X], [X < 2]), "the model has 1 Linear"),
        (Model([X, Y], [X < Y, Count([X, Y], [1], "==", 1)]), "the model has 1 Compare, 1 Count"),
    ],
)
def test_what_else_the_model_has_is_named(model: Model, reason: str) -> None:
    chosen = auto.choose(model)
    assert chosen.reason.startswith(reason)
    assert "; tried in the order native, cp-sat, pycosat, " in chosen.reason


@NATIVE
def test_native_begins_and_the_others_go_on_where_it_gives_up() -> None:
    chosen = auto.choose(Model([X, Y], [X < Y]))
    assert [member.backend.name for member in chosen.selection.options.members] == ["native", *auto.ranked("mixed")]
    assert chosen.selection.options.members[0].changed == {"patience": 5_000_000}
    assert chosen.reason.endswith("after 5,000,000 looks at constraints without an answer, cp-sat takes over")


@NATIVE
@pytest.mark.parametrize("text", [".Shape~6x6.Diagonal~1", ".Shape~4x4.NoBoxes", JIGSAW])
def test_a_board_of_houses_that_is_not_plain_goes_to_native_and_then_to_the_solver_of_clauses(text: str) -> None:
    chosen = auto.choose(Puzzle.parse(text).structure)
    assert [member.backend.name for member in chosen.selection.options.members] == ["native", *auto.ranked("houses")]
    assert "nothing but " in chosen.reason
    assert chosen.reason.endswith("after 300,000 looks at constraints without an answer, pycosat takes over")


SMALL = ".Shape~4x4.~R1C1_1~R2C3_2.Thermo~R3C1~R3C2~R2C2"


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it seem that the engine that goes first is not loaded, in a process that was asked nothing yet."""
    monkeypatch.setattr(auto, "TRIES", 3)
    monkeypatch.setattr(auto, "_tried", 0)
    monkeypatch.delitem(sys.modules, "llvmlite", raising=False)


@NATIVE
@pytest.mark.usefixtures("nothing_loaded")
def test_while_nothing_is_loaded_plain_python_begins_with_a_few_small_models() -> None:
    for _ in range(auto.TRIES):
        chosen = auto.choose(Puzzle.parse(SMALL).structure)
        begun = "backtracking:several=pass,patience=3000"
        assert str(next(iter(chosen.selection.options))) == begun
        assert [member.backend.name for member in chosen.selection.options.members][1:] == [
            "native",
            *auto.ranked("mixed"),
        ]
        assert "backtracking, which loads nothing, answers those with one solution or none" in chosen.reason
    assert next(iter(auto.choose(Puzzle.parse(SMALL).structure).selection.options)).backend.name == "native"


@NATIVE
@pytest.mark.usefixtures("nothing_loaded")
@pytest.mark.parametrize("needs", [{Feature.TRACE}, {Feature.SEED}, {Feature.WORKERS}])
def test_what_plain_python_might_do_otherwise_is_not_asked_of_it(needs: set[Feature]) -> None:
    chosen = auto.choose(Puzzle.parse(SMALL).structure, frozenset(needs))
    assert "patience=3000" not in str(chosen.selection)
    for text in (".Thermo~R1C1~R1C2", "." * 16):
        assert "patience=3000" not in str(auto.choose(Puzzle.parse(text).structure).selection)


@NATIVE
def test_a_small_puzzle_with_one_solution_loads_no_engine_and_one_with_several_has_the_same_answer() -> None:
    several = ".Shape~4x4.Thermo~R1C1~R1C2~R2C2"
    code = f"""
import sys
from sudoku_models import count, solve
one = solve({SMALL!r}, unique=True)
print(one.unique, one.record.backend, "numpy" in sys.modules or "llvmlite" in sys.modules)
print(solve({several!r}).grid.to_line(), count({SMALL!r}).value, count({several!r}).value)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert found[:3] == ["True", "backtracking", "False"]
    assert found[3:] == [solve(several, "native").grid.to_line(), "1", str(count(several, "native").value)]


@NATIVE
@pytest.mark.parametrize(("side", "looks"), [(9, "300,000"), (16, "150,000"), (20, "50,000"), (25, "50,000")])
def test_the_larger_a_board_of_houses_the_sooner_the_solver_of_clauses_goes_on(side: int, looks: str) -> None:
    chosen = auto.choose(Shape.latin(side).model)
    assert chosen.reason.endswith(f"after {looks} looks at constraints without an answer, pycosat takes over")


@NATIVE
def test_all_solutions_of_a_plain_board_are_found_by_native_first() -> None:
    chosen = auto.choose(Shape.square(4).model, frozenset({Feature.ENUMERATE}))
    assert [member.backend.name for member in chosen.selection.options.members] == ["native", *auto.ranked("houses")]
    counted = count("." * 16)
    assert (counted.value, counted.record.backend) == (288, "native")


@pytest.mark.parametrize("side", [4, 6, 8])
def test_small_plain_boards_go_to_the_solver_of_clauses(side: int) -> None:
    assert str(auto.choose(Shape.square(side).model).selection) == "pycosat"


@NATIVE
@pytest.mark.parametrize("side", [10, 16, 36])
def test_plain_boards_of_10_to_36_a_side_go_to_native_for_a_while_and_then_to_the_solver_of_clauses(side: int) -> None:
    chosen = auto.choose(Shape.square(side).model)
    assert [member.backend.name for member in chosen.selection.options.members] == ["native", *auto.ranked("houses")]
    assert chosen.reason.endswith("after 50,000 looks at constraints without an answer, pycosat takes over")
    alone = auto.choose(Shape.square(side).model, alone=True)
    assert str(alone.selection) == "pycosat"


@pytest.mark.parametrize(
    ("cores", "goes_on", "reason"),
    [
        (2, "portfolio:(pycosat)|(pysat:solver=cadical153)", "pysat:solver=cadical153 runs beside it"),
        (1, "pysat:solver=cadical153", "takes over, for lack of a second core"),
    ],
)
def test_a_second_engine_goes_on_with_plain_boards_beyond_36_a_side(
    monkeypatch: pytest.MonkeyPatch, cores: int, goes_on: str, reason: str
) -> None:
    pytest.importorskip("pysat", reason="not applicable (feature): python-sat is not installed")
    monkeypatch.setattr(auto, "cores", lambda: cores)
    chosen = auto.choose(Shape.square(49).model)
    assert str(chosen.selection) == f"relay:(pycosat:hard=pass)|({goes_on})"
    assert chosen.reason.endswith(reason)
    assert str(registry.select(str(chosen.selection))) == str(chosen.selection)


def test_what_the_first_engine_does_not_settle_the_second_settles(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat", reason="not applicable (feature): python-sat is not installed")
    Shape.square(49).model.memo.clear()
    monkeypatch.setattr(auto, "cores", lambda: 1)
    monkeypatch.setattr("sudoku_backends.cnf.solvers.attempt.PER_CLAUSE", 0)
    relayed = str(auto.choose(Shape.square(49).model).selection).replace("pass", "pass,propagate=none,prop_limit=1")
    with run(Shape.square(9).model, relayed, Request(limit=2)) as found:
        assert (sum(1 for _ in found), found.record.backend) == (2, "pysat")
    assert any(note.startswith("pycosat:") and note.endswith("gave up") for note in found.record.notes)


def test_a_classic_puzzle_with_one_solution_needs_nothing_that_has_to_be_loaded() -> None:
    chosen = auto.choose(Shape.square(9).model)
    assert str(chosen.selection) == "relay:(bitset:lanes=1,several=pass)|(pycosat)"
    assert solve(CLASSIC).record.options == solve(NONE).record.options == {"lanes": "1", "several": "pass"}
    several = solve("." * 81).record
    assert several.backend == "pycosat"
    assert "bitset:lanes=1,several=pass gave up" in several.notes


def test_where_native_is_not_installed_the_choice_is_one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Native, "capabilities", replace(Native.capabilities, requires=("no_such_module",)))
    registry._select_text.cache_clear()
    try:
        chosen = auto.choose(Model([X, Y], [X < Y]))
    finally:
        registry._select_text.cache_clear()
    assert str(chosen.selection) == "cp-sat"
    assert "not native: native needs no_such_module: pip install 'sudoku-models[fast]'" in chosen.reason


@pytest.mark.parametrize(
    ("model", "needs", "alone", "backend"),
    [
        (Model([X, Y], [X < Y]).minimise(X + Y), frozenset[Feature](), False, "cp-sat"),
        (Model([X, Y], [X < Y]), frozenset({Feature.TRACE}), False, "backtracking"),
        (Model([X, Y], [X < Y]), frozenset[Feature](), True, "cp-sat"),
    ],
)
def test_objectives_traces_and_cores_go_to_one_engine(
    model: Model, needs: frozenset[Feature], alone: bool, backend: str
) -> None:
    assert str(auto.choose(model, needs, alone=alone).selection) == backend


@NATIVE
def test_a_model_that_native_does_not_take_goes_to_the_next_with_the_reason() -> None:
    far = Variable("far", (0, 1 << 50))
    chosen = auto.choose(Model([X, far], [far > X]))
    assert str(chosen.selection) == "cp-sat"
    assert "not native: native:patience=5000000 does not accept this model: it has values of" in chosen.reason


def test_a_backend_that_was_passed_over_is_reported_with_its_reason() -> None:
    chosen = auto.choose(Shape.square(4).model, frozenset({Feature.WORKERS}))
    assert str(chosen.selection) == "cp-sat"
    assert "not pycosat: it does not declare workers" in chosen.reason


def test_the_record_tells_the_choice_of_variants_and_classic_puzzles() -> None:
    variant = solve(Puzzle.empty(Shape.square(4)).with_rules(r.Thermo("R1C1 R1C2"))).record
    assert variant.backend in ("native", *auto.ranked("mixed"))
    assert variant.choice.startswith("the model has 1 Compare beside 12 AllDifferent; tried in the order native")
    assert "nothing but 12 AllDifferent" in solve("." * 16).record.choice
    assert solve("." * 16, "pycosat").record.choice == ""
    assert variant.as_dict()["choice"] == variant.choice


def test_the_choice_of_batches_is_reported() -> None:
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    results = list(solve_many([CLASSIC] * (MANY + 1)))
    said = {(result.record.backend, result.record.choice) for result in results if isinstance(result, Result)}
    assert said == {("bitset", "many classic boards, which it solves in batches")}


def test_the_choice_and_the_grid_do_not_depend_on_what_was_solved_before() -> None:
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    open_board = "." * 81
    before = solve(open_board)
    solve(CLASSIC, "bitset")
    list(solve_many([CLASSIC] * (MANY + 1)))
    after = solve(open_board)
    assert (after.record.backend, after.grid) == (before.record.backend, before.grid)
    assert [r.grid for r in solve_many([open_board]) if isinstance(r, Result)] == [before.grid]


def test_an_outside_backend_declares_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Backtracking):
        name = "other"

        def capabilities_with(self, options: BacktrackingOptions) -> Capabilities:
            return replace(super().capabilities_with(options), places=Places(houses=5, mixed=50))

    class Entry:
        package = "other"

        def load(self) -> Backend:
            return Other()

    known = registry._entry_points()
    monkeypatch.setattr(registry, "_entry_points", lambda: {**known, "other": Entry()})
    monkeypatch.setattr(auto, "ranked", orders.ranked.__wrapped__)
    assert auto.ranked("houses") == ("other", "pycosat", "cp-sat", "python-constraint", "backtracking")
    assert auto.ranked("mixed")[-1] == "other"
    assert str(auto.choose(Model([X, Y], [AllDifferent([X, Y])]), alone=True).selection) == "other"


@pytest.mark.parametrize("order", ORDERS)
def test_the_backends_that_declare_a_place_in_an_order_and_no_others_are_asked(order: str) -> None:
    declared = [
        name for name in registry.names() if getattr(registry.load(name).capabilities.places, order) is not None
    ]
    assert registry.in_order(order) == declared != []


def test_no_name_of_a_backend_is_a_text_in_the_engine() -> None:
    paths = sorted(Path(auto.__file__).parent.glob("*.py"))
    said = {(path.name, word) for path in paths for word in re.findall(r'"([a-z0-9-]+)[":]', path.read_text())}
    assert ("combined.py", "portfolio") in said
    assert [(path, word) for path, word in sorted(said) if word in registry.names()] == []


def test_a_choice_is_made_when_lowering_takes_longer_than_the_limit_allows() -> None:
    model, same = Model([X, Y], [X < Y]), Model([X, Y], [X < Y])
    assert str(auto.choose(model, time_limit=0.0).selection) == str(auto.choose(same).selection)


def test_a_large_model_is_not_lowered_for_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "LARGE", 0)
    monkeypatch.setattr(auto, "plan", lambda *_: pytest.fail("it was lowered"))
    assert str(auto.choose(Model([X, Y], [X < Y]), alone=True).selection) == "cp-sat"


BROKEN = """
from sudoku_models import Shape, solve, solve_many
from sudoku_models.bulk.where import MANY
from sudoku_models.engine import prepare
from sudoku_models.errors import BackendMissing
from sudoku_models.bulk import candidates_arrays, solve_into
text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
found = {result.record.backend for result in solve_many([text] * (MANY + 2))}
found |= set(solve_into([text] * (MANY + 2), "solved.csv").counts)
found |= {solve(text, f"pycosat:propagate={level}").status.value for level in ("auto", "singles", "locked")}
found.add(int(candidates_arrays([text])[0, 0]))
try:
    prepare(Shape.square(9).model, "bitset")
except BackendMissing as error:
    found.add(str(error))
print(sorted(found, key=str))
"""


@pytest.mark.parametrize("error", ["ImportError", "SystemError"])
def test_without_an_llvmlite_that_can_be_imported_all_but_bitset_works(tmp_path: Path, error: str) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite/__init__.py").write_text(f"raise {error}('it lacks its library')")
    root = Path(__file__).parents[2]
    paths = os.pathsep.join(map(str, (tmp_path, root, root / "backends")))
    command, environment = (
        [sys.executable, "-c", BROKEN],
        {**os.environ, "PYTHONPATH": paths, "SUDOKU_MODELS_CACHE": str(tmp_path)},
    )
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    why = "bitset: llvmlite cannot be imported: it lacks its library; with the option lanes=1 it works in plain Python"
    assert done.stdout.strip() == f"[16, 'bitset', {why!r}, 'solved']"


def test_puzzles_with_many_solutions_are_counted_in_blocks_after_many_as_before() -> None:
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    model = Shape.square(9).model
    model.memo.clear()
    several = CLASSIC.replace("5", ".").replace("8", ".").replace("9", ".").replace("1", ".")
    before = count(several, limit=500)
    for _ in range(auto.OFTEN):
        auto.choose(model, frozenset({Feature.ENUMERATE}))
    after = count(several, limit=500)
    assert (str(after), after.record.backend) == (str(before), before.record.backend) == ("at least 500", "native")
    assert after.record.notes == ["bitset:several=pass gave up"]
    assert count(CLASSIC, limit=2).record.backend == "bitset"
