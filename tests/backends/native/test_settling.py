"""With the option several=pass, native answers where there is at most one solution, and leaves the rest to others."""

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")


from sudoku_models import Puzzle
from sudoku_models.engine.contract import Feature, Reason, Request
from sudoku_models.engine.prepared import plan, prepare
from sudoku_models.engine.registry import select
from sudoku_models.engine.road import run
from sudoku_models.errors import Unsupported

ONE = ".Shape~4x4.~R1C1_1~R2C3_2.Thermo~R3C1~R3C2~R2C2"
SEVERAL = ".Shape~4x4.Thermo~R3C1~R3C2~R2C2"
NONE = ".Shape~4x4.~R3C1_4.Thermo~R3C1~R3C2~R2C2"
SPEC = "native:several=pass"


@pytest.mark.parametrize("limit", [1, 2, None])
@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [(ONE, 1, Reason.EXHAUSTED), (NONE, 0, Reason.EXHAUSTED), (SEVERAL, 0, Reason.GAVE_UP)],
)
def test_it_answers_puzzles_with_one_solution_or_none_and_gives_up_others(
    text: str, number: int, reason: Reason, limit: int | None
) -> None:
    puzzle = Puzzle.parse(text)
    with run(puzzle.structure, SPEC, Request(puzzle.domains, limit)) as found:
        solutions = list(found)
    assert solutions == list(run(puzzle.structure, "native", Request(puzzle.domains, limit)))[:number]
    assert found.outcome.reason is (Reason.LIMIT if limit == number else reason)


def test_solutions_that_agree_on_the_kept_cells_count_as_one() -> None:
    puzzle = Puzzle.parse(".Shape~4x4.~R1C1_1")
    with run(puzzle.structure, SPEC, Request(puzzle.domains, 2, keep=("R1C1",))) as found:
        assert len(list(found)) == 1


def test_a_limit_of_time_or_looks_ends_it() -> None:
    structure = Puzzle.parse(SEVERAL).structure
    for spec, limit, reason in ((SPEC, 0.0, Reason.TIME), (f"{SPEC},patience=1", None, Reason.GAVE_UP)):
        with run(structure, spec, Request(time_limit=limit)) as found:
            assert (list(found), found.outcome.reason) == ([], reason)


def test_it_declares_only_what_it_answers() -> None:
    structure = Puzzle.parse(ONE).structure
    assert not select(SPEC).capabilities.features & {Feature.BATCH, Feature.ASSUME, Feature.OBJECTIVE}
    with pytest.raises(Unsupported, match="does not declare 'trace'"):
        run(structure, SPEC, Request(trace=print))


def test_its_map_and_its_plan_are_those_of_the_whole_engine() -> None:
    structure = Puzzle.parse(".Shape~4x4.Thermo~R1C1~R1C2.WhiteDot~R1C1~R1C2").structure
    whole, settling = prepare(structure, "native").compiled, prepare(structure, SPEC).compiled
    assert settling.variable("R2C3") == whole.variable("R2C3")
    assert settling.literal("R2C3", 4) == whole.literal("R2C3", 4)
    assert settling.decode(settling.native.solve()) == whole.decode(whole.native.solve())
    assert str(plan(structure, SPEC)) == str(plan(structure, "native")) != ""
