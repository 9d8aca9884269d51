"""The kernels find what the definition says, compiled and as plain Python: every stage, on rules of each family."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from sudoku_models import Model, Puzzle, Shape, Variable, solve
from sudoku_models.explain import Ladder
from sudoku_models.explain import kernel as kernels
from sudoku_models.explain.atoms import Loose
from sudoku_models.explain.kernel import layout
from sudoku_models.explain.kernel.layout import KERNELS
from sudoku_models.explain.ladder import SIMPLE, Memory, Stage
from sudoku_models.model import (
    AllDifferent,
    Automaton,
    Constraint,
    Count,
    Element,
    LexLess,
    Linear,
    MinMax,
    MultisetEqual,
    NValue,
    Or,
    Regular,
)  # fmt: skip
from sudoku_models.puzzle import rules
from sudoku_models.puzzle.rules import Rule
from sudoku_models.puzzle.rules.chaos import ChaosConstruction
from sudoku_models.puzzle.rules.regions import ExtraRegion
from tests.backends.native.guarded import Guarded
from tests.explain.definition import Definition, revise
from tests.explain.test_every_rule import accepted, one_of_a_kind
from tests.explain.test_ladder import CHAINS, HARD, variant
from tests.puzzle.rules.test_all_kinds import IN_CELLS

FOUR = Shape.square(4)


def stages(puzzle: Puzzle | Model, compiled: bool, highest: tuple[int, int] = (4, 1000)) -> list[Stage]:
    """Return all stages, with the atoms that each fact is from."""
    ladder = Ladder(puzzle, None, compiled)
    found = list(ladder.stages(ladder.start(), highest))
    assert compiled == ladder.is_fast
    return found


def defined(puzzle: Puzzle | Model, highest: tuple[int, int] = (4, 1000)) -> list[Stage]:
    """Return the stages of the definition."""
    ladder = Ladder(puzzle)
    return list(Definition(ladder).stages(ladder.start(), highest))


def told(found: list[Stage]) -> list[object]:
    return [(stage.level, stage.before, stage.after, stage.by) for stage in found]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    "puzzle", [Puzzle.parse(HARD), Puzzle.parse(CHAINS), variant()], ids=["hidden", "chains", "variant"]
)
def test_the_stages_of_classics_and_of_a_rule_of_ones_own_are_those_of_the_definition(
    puzzle: Puzzle, compiled: bool
) -> None:
    assert told(stages(puzzle, compiled)) == told(defined(puzzle))


@pytest.mark.parametrize("kind", IN_CELLS[::3], ids=lambda kind: kind.__name__)
def test_the_stages_of_kinds_of_rules_are_those_of_the_definition(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    rng, grids = random.Random(11), accepted(rule)
    for given in (3, 5):
        grid, chosen = rng.choice(grids) if grids else (None,) * 16, rng.sample(range(16), given)
        puzzle = Puzzle(FOUR, tuple(grid[c] if c in chosen else None for c in range(16)), rules=(rule,))
        want = told(defined(puzzle, (2, 3)))
        assert told(stages(puzzle, True, (2, 3))) == told(stages(puzzle, False, (2, 3))) == want


X, Y, Z, U, V = "xyzuv"
ODD = Automaton(2, 0, (1,), [(s, v, (s + v) % 2) for s in range(2) for v in range(-1, 5)])
CONSTRAINTS: Sequence[Constraint] = [
    AllDifferent((X, Y, Z, U, V)),
    *(Linear((2, -1, 3, 1, -1), (X, Y, Z, U, V), op, 4) for op in ("==", "!=", "<", "<=", ">", ">=")),
    Linear((40, -7, 3, 100, 1), (X, Y, Z, U, V), "==", 253),
    Count((X, Y, Z, U), (1, 2), "==", V), Count((X, Y, Z, U, V), (1, 2), "<=", 2),
    NValue((X, Y, Z, U), "==", V), MinMax((X, Y, Z), U, V), MinMax((X, Y, Z, U, V), 0, 3),
    LexLess((X, Y), (Z, U)), LexLess((X, Y), (Y, V), False), MultisetEqual((X, Y), (U, V)),
    Regular((X, Y, Z, U, V), ODD), Element((X, Y, Z, U), V, 2), Element((X, Y, Z), U, V),
    Or(Linear((1, 1, 1, 1, 1), (X, Y, Z, U, V), "==", 3), Regular((X, Y, Z, U, V), ODD), AllDifferent((X, Y, Z))),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CONSTRAINTS)))
def test_an_atom_keeps_exactly_what_has_a_solution(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed, and by its kind: both forms, compiled and plain, against all combinations."""
    constraint, rng = CONSTRAINTS[number], random.Random(number)
    model = Model([Variable(x, range(-1, 5)) for x in "xyzuv"], [constraint])
    every = product(range(6), repeat=5)
    holding = np.array(
        [row for row in every if constraint.holds(dict(zip("xyzuv", (b - 1 for b in row), strict=True)))]
    )
    for listed in (True, False):
        if not listed:
            monkeypatch.setattr("sudoku_models.explain.stating.MOST_TRIED", 10)
            monkeypatch.setattr("sudoku_models.explain.stating.MOST_ROWS", 40)
        monkeypatch.setattr("sudoku_models.explain.stating.KEPT", {})
        plain, compiled = Ladder(model, None, False), Ladder(model, None, True)
        for _ in range(30):
            masks = [rng.randrange(1, 64) & rng.choice((63, rng.randrange(1, 64), 63)) or 8 for _ in range(5)]
            rows = holding[(np.array(masks) >> holding & 1).all(1)]
            kept = {(c, b) for c in range(5) for b in rows[:, c].tolist()}
            wanted = {(c, b) for c in range(5) for b in range(6) if masks[c] >> b & 1} - kept
            found = [ladder.stage(masks, SIMPLE, range(len(ladder.atoms))) for ladder in (plain, compiled)]
            assert found[0] == found[1]
            mine = [masks[c] for c in plain.atoms[0].cells]
            gone = plain.facts(0, mine, plain.revised(0, mine, True))
            exact = {fact for fact in wanted if fact[0] in plain.atoms[0].cells}
            assert gone == exact if len(list(constraint.variables())) == len(constraint.scope) else gone <= exact


def reached(puzzle: Puzzle, rng: random.Random, number: int) -> Iterator[list[int]]:
    """Yield random candidates of a puzzle, each cell with a few."""
    full = Ladder(puzzle).start()
    for _ in range(number):
        yield [mask & (rng.getrandbits(9) | rng.getrandbits(9)) or mask for mask in full]


@pytest.mark.parametrize("highest", [(2, 1000), (3, 1000), (4, 1000)])
def test_stages_are_the_same_from_random_candidates(highest: tuple[int, int]) -> None:
    """With and without what the walk before has kept."""
    rng, ladder = random.Random(highest[0]), Ladder(variant(), None, True)
    definition = Definition(ladder)
    for masks in reached(variant(), rng, 6):
        for _ in range(3):
            assert ladder.stage(masks, highest) == definition.stage(masks, highest)
            masks = [mask & ~(1 << rng.randrange(6)) or mask for mask in masks]


def test_what_trials_within_trials_keep_for_later_ones_changes_no_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle.parse(
        ".~R1C2_1~R1C4_9~R2C8_2~R3C1_6~R3C8_5~R4C6_3~R4C7_6~R5C2_4~R5C6_5~R6C1_7~R7C5_8~R9C1_8~R9C9_9.AntiKnight"
    )
    nested = [stage for stage in stages(puzzle, True) if stage.level > (4, 0)]
    monkeypatch.setattr("sudoku_models.explain.ladder.MOST_PAIRS", 0)
    assert len(nested) > 3
    assert nested == [Ladder(puzzle, None, True).stage(stage.before) for stage in nested]


def guarded(self: Memory, kernel: str, look: Callable[[], object], *more: int) -> int:
    """Call a kernel as the plain Python that it is, where each access is checked."""
    net, mem = self.packed.net, self._words
    words = Guarded(mem.tolist())
    found = int(KERNELS[kernel](layout.Net(Guarded(net.tolist(), closed=True)), layout.Mem(words), *more))
    mem[:] = words
    return found


def test_kernels_stay_within_their_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernels and KERNELS
    want = stages(variant(), True)
    monkeypatch.setattr("sudoku_models.explain.stating.KEPT", {})
    monkeypatch.setattr(Memory, "plain", guarded)
    assert stages(variant(), False) == want
    for kind in (rules.Lunchbox, rules.ConnectedValues):
        rule = one_of_a_kind(kind)
        puzzle = Puzzle.empty(FOUR).with_rules(rule).with_candidates({"R1C1": (1,), "R2C3": (4,)})
        assert stages(puzzle, False, (2, 2)) == stages(puzzle, True, (2, 2)) == defined(puzzle, (2, 2))


def test_values_too_many_for_a_word_and_constraints_without_a_form_are_taken_in_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y, z = (Variable(name, range(70)) for name in "xyz")
    wide = Model([x, y, z], [x < y, y < z, z < 5, AllDifferent((x, y, z)), Linear((1, 1, 1), (x, y, z), "==", 9)])
    assert stages(wide, False) == defined(wide)
    monkeypatch.setattr("sudoku_models.explain.stating.KEPT", {})
    monkeypatch.setattr("sudoku_models.explain.stating.MOST_TRIED", 10)
    monkeypatch.setattr("sudoku_models.explain.stating.MOST_ROWS", 40)
    monkeypatch.setattr("sudoku_models.explain.stating.as_words", lambda *_: None)
    a, b, c = (Variable(name, range(9)) for name in "abc")
    loose = Model([a, b, c], [Linear((1, 2, 3), (a, b, c), "==", 40), LexLess((a, b), (b, c))])
    assert stages(loose, False) == defined(loose)
    assert any(isinstance(atom.how, Loose) for atom in Ladder(loose).atoms)


def test_trials_of_houses_with_fewer_cells_than_values_are_those_of_the_definition() -> None:
    grid, rng = solve(CHAINS).grid, random.Random(4)
    assert grid
    names, chosen = Puzzle.parse(CHAINS).names, [rng.sample(range(81), 3) for _ in range(4)]
    different = [some for some in chosen if len({grid.values[c] for c in some}) == 3]
    rules = [ExtraRegion(tuple(names[c] for c in some)) for some in different]
    puzzle = Puzzle.parse(CHAINS).with_rules(*rules)
    found = stages(puzzle, True)
    assert rules and max(found, key=lambda stage: stage.level).level > (2, 0)
    assert found == defined(puzzle)


def test_a_single_atom_keeps_what_the_definition_says() -> None:
    ladder, rng = Ladder(Puzzle.empty(Shape.latin(4)).with_rules(ChaosConstruction()), None, True), random.Random(8)
    for number, atom in enumerate(ladder.atoms):
        full = [ladder.full[c] for c in atom.cells]
        for _ in range(6):
            masks = [mask & rng.choice((mask, rng.randrange(1, 16))) for mask in full]
            if all(masks):
                assert ladder.revised(number, masks, True) == revise(atom.how, masks)
