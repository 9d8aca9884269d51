from __future__ import annotations

import threading
from itertools import islice
from pathlib import Path

import pytest
from sudoku_backends.cnf import pycosat
from sudoku_backends.cnf.pycosat import BACKEND

from sudoku_models.engine.contract import Feature, Reason, Request
from sudoku_models.model import AllDifferent, Compare, Linear, Model, Variable, brute_force
from sudoku_models.puzzle.shape import Shape

from .helpers import attempt, compiled, domains_of, legal, random_domains, random_model, shared_lines, solutions

NINE = Shape.square(9)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_an_attempt_settles_an_ordinary_puzzle_and_its_uniqueness() -> None:
    run = attempt(compiled(NINE.model), Request(domains=domains_of(NINE, PUZZLE), limit=2))
    assert run is not None
    found = list(run)
    assert len(found) == 1
    assert legal(NINE.model, found[0], domains_of(NINE, PUZZLE))
    assert (run.outcome.count, run.outcome.complete, run.outcome.reason) == (1, True, Reason.EXHAUSTED)
    assert {"encode", "run"} <= set(run.record.phases)


def test_an_attempt_stops_at_the_limit_of_solutions() -> None:
    run = attempt(compiled(NINE.model), Request(limit=5))
    assert run is not None
    assert len(set(run)) == 5
    assert (run.outcome.complete, run.outcome.reason) == (False, Reason.LIMIT)


def test_an_attempt_that_reaches_its_propagations_is_not_settled() -> None:
    hole = _pigeons(11, 10)
    for limit in (1, 2):
        assert attempt(compiled(hole, prop_limit=3000), Request(limit=limit)) is None
    small = attempt(compiled(_pigeons(5, 4), prop_limit=1_000_000), Request(limit=2))
    assert small is not None
    assert (list(small), small.outcome.complete) == ([], True)


def _pigeons(pigeons: int, holes: int) -> Model:
    """Pairwise different, said pair by pair, so that no counting finds the contradiction."""
    birds = [Variable(f"p{i}", range(holes)) for i in range(pigeons)]
    return Model(birds, [AllDifferent([x, y]) for i, x in enumerate(birds) for y in birds[:i]])


@pytest.mark.parametrize("prop_limit", [1, 10, 100, 300, 1000, 3000, 10_000, 1_000_000])
def test_whatever_the_bound_an_attempt_is_right_or_gives_up(prop_limit: int) -> None:
    for seed in range(30):
        model = random_model(seed)
        expected = len(list(brute_force(model)))
        run = attempt(compiled(model, prop_limit=prop_limit), Request(limit=60))
        if run is not None:
            assert len(set(run)) == min(60, expected)
            assert run.outcome.complete == (expected < 60 or run.outcome.reason is Reason.EXHAUSTED)


@pytest.mark.parametrize("prop_limit", [1, 30, 300, 1500])
def test_an_attempt_cut_short_never_claims_that_a_second_solution_is_missing(prop_limit: int) -> None:
    line = "." * 40 + PUZZLE[40:]
    run = attempt(compiled(NINE.model, prop_limit=prop_limit), Request(domains=domains_of(NINE, line), limit=2))
    assert run is None or len(list(run)) == 2


def test_requests_for_many_solutions_are_not_attempted() -> None:
    assert attempt(compiled(NINE.model), Request(limit=None)) is None
    assert attempt(compiled(NINE.model), Request(limit=65)) is None


def test_a_run_is_lazy_and_can_be_closed() -> None:
    run = compiled(NINE.model).run(Request(limit=None))
    assert len(set(islice(run, 3))) == 3
    run.close()
    assert run.outcome.reason is Reason.CLOSED
    assert list(run) == []


def test_a_run_ends_at_its_limit_and_reports_exhaustion() -> None:
    four = compiled(Shape.square(4).model)
    for limit, count, reason in ((0, 0, Reason.LIMIT), (3, 3, Reason.LIMIT), (289, 288, Reason.EXHAUSTED)):
        run = four.run(Request(limit=limit))
        assert len(list(run)) == count
        assert run.outcome.reason is reason


def test_enumeration_splits_the_space_again_and_again_without_losing_or_repeating(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = set(solutions(Shape.square(4).model))
    for chunk in (1, 2, 7):
        monkeypatch.setattr(pycosat, "CHUNK", chunk)
        for reduction in ("givens", "none"):
            found = solutions(Shape.square(4).model, reduction=reduction, propagate="auto")
            assert (len(found), set(found)) == (288, expected)
        for seed in range(15):
            model, domains = random_model(seed), random_domains(seed, random_model(seed))
            for reduction in ("givens", "none"):
                found = solutions(model, domains, reduction=reduction, propagate="auto")
                assert sorted(found) == list(brute_force(model.narrowed(domains)))


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_of_solutions_that_agree_on_the_kept_variables_one_is_yielded(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pycosat, "CHUNK", chunk)
    for seed in range(60):
        model = random_model(seed)
        keep = tuple(reversed(model.names[::2]))
        places = [model.index[name] for name in keep]
        expected = {tuple(row[i] for i in places) for row in brute_force(model)}
        every = set(brute_force(model))
        found = list(compiled(model).run(Request(limit=None, keep=keep)))
        assert every.issuperset(found)
        assert sorted(tuple(row[i] for i in places) for row in found) == sorted(expected)
        run = attempt(compiled(model), Request(limit=2, keep=keep))
        assert run is not None
        few = set(run)
        assert every.issuperset(few)
        assert len({tuple(row[i] for i in places) for row in few}) == len(few) == min(2, len(expected))


def test_keeping_no_variable_asks_whether_there_is_a_solution() -> None:
    found = list(compiled(Shape.square(4).model).run(Request(limit=None, keep=())))
    assert [legal(Shape.square(4).model, solution, {}) for solution in found] == [True]
    assert list(compiled(_pigeons(4, 3)).run(Request(limit=None, keep=()))) == []


def test_threads_share_a_compiled_model() -> None:
    form = compiled(NINE.model)
    puzzles = [PUZZLE, "." * 20 + PUZZLE[20:]] * 10
    alone = [_answers(form, line) for line in puzzles]
    together: list[object] = [None] * len(puzzles)

    def work(first: int) -> None:
        for i in range(first, len(puzzles), 4):
            together[i] = _answers(form, puzzles[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def _answers(form: object, line: str) -> list[tuple[int, ...]]:
    return list(attempt(form, Request(domains=domains_of(NINE, line), limit=2)))  # type: ignore[attr-defined]


def test_no_literal_reaches_the_bound_at_which_picosat_aborts() -> None:
    from sudoku_backends.cnf.encoding import NEVER, Formula

    with pytest.raises(OverflowError, match="2\\^31"):
        Formula(2**31 - 1, NEVER.first, NEVER.second, NEVER.others)


def test_capabilities_name_what_is_carried_and_refuse_the_rest() -> None:
    capabilities = BACKEND.capabilities
    assert Feature.SEED not in capabilities.features
    assert capabilities.accepts(Linear([1], ["x"], "==", 1))
    x, y = (Variable(name, range(4000)) for name in "xy")
    assert capabilities.accepts_model(Model([x, y], [Compare(x, "!=", y)])) is None
    assert "too large" in (capabilities.accepts_model(Model([x, y], [Compare(x, "<", y)])) or "")
    assert "at most 4000" in (capabilities.accepts_model(Model([Variable("z", range(4001))])) or "")
    assert capabilities.accepts_model(NINE.model) is None


@pytest.mark.parametrize("name", ["17_clue.txt", "hardest_1106.txt", "top1465.txt", "hardest_11plus.txt"])
def test_proper_puzzles_have_one_solution(name: str, shared_data: Path) -> None:
    form = compiled(NINE.model)
    for line in shared_lines(shared_data, name, 40):
        domains = domains_of(NINE, line.replace(".", "0"))
        run = attempt(form, Request(domains=domains, limit=2))
        assert run is not None
        assert [legal(NINE.model, s, domains) for s in run] == [True]
        assert run.outcome.complete


def test_grids_with_several_solutions_have_two(shared_data: Path) -> None:
    form = compiled(NINE.model)
    for line in shared_lines(shared_data, "several_solutions.txt", 60):
        domains = domains_of(NINE, line.replace(".", "0"))
        run = attempt(form, Request(domains=domains, limit=2))
        assert run is not None
        assert [legal(NINE.model, s, domains) for s in run] == [True, True]


@pytest.mark.parametrize("name", ["16-1", "25-1", "64-2", "81-1", "100-1"])
def test_large_boards_are_solved(name: str, shared_data: Path) -> None:
    rows = (shared_data / "large" / f"{name}.txt").read_text().replace(".", "0").split()
    n = round(len(rows) ** 0.5)
    shape = Shape.square(n)
    domains = {cell: (int(word),) for cell, word in zip(shape.names, rows, strict=True) if int(word)}
    run = compiled(shape.model).run(Request(domains=domains))
    assert [legal(shape.model, s, domains) for s in run] == [True]
