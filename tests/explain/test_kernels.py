"""The compiled ladder finds what the plain one finds: every stage, every atom, on rules of each family."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from sudoku_models import Model, Puzzle, Shape, Variable, solve
from sudoku_models.explain import Ladder, compiled_ladder
from sudoku_models.explain import kernel as kernels
from sudoku_models.explain.kernel import layout
from sudoku_models.explain.kernel.layout import KERNELS
from sudoku_models.explain.ladder import INNER_ROUNDS, ROUNDS, STRONG_ROUNDS, Stage
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
from tests.explain.test_every_rule import accepted, one_of_a_kind
from tests.explain.test_ladder import CHAINS, HARD, variant
from tests.puzzle.rules.test_all_kinds import IN_CELLS

FOUR = Shape.square(4)


def stages(puzzle: Puzzle | Model, compiled: bool, highest: tuple[int, int] = (4, 1000)) -> list[Stage]:
    """Return all stages, with the atoms that each fact is from."""
    ladder = Ladder(puzzle, None, compiled)
    ladder._plainly = 10**6  # so that the kernels are compiled where they are not kept
    found = list(ladder.stages(ladder.start(), highest))
    assert compiled == (ladder.quick is not None)
    return found


@pytest.mark.parametrize(
    "puzzle", [Puzzle.parse(HARD), Puzzle.parse(CHAINS), variant()], ids=["hidden", "chains", "variant"]
)
def test_the_stages_of_classics_and_of_a_rule_of_ones_own_are_the_same(puzzle: Puzzle) -> None:
    assert stages(puzzle, True) == stages(puzzle, False)


@pytest.mark.parametrize("kind", IN_CELLS[::3], ids=lambda kind: kind.__name__)
def test_the_stages_of_kinds_of_rules_are_the_same(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    rng, grids = random.Random(11), accepted(rule)
    for given in (3, 5):
        grid, chosen = rng.choice(grids) if grids else (None,) * 16, rng.sample(range(16), given)
        puzzle = Puzzle(FOUR, tuple(grid[c] if c in chosen else None for c in range(16)), rules=(rule,))
        assert stages(puzzle, True, (2, 3)) == stages(puzzle, False, (2, 3))


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
    """Listed, and by its kind: both forms of both ladders, against all combinations."""
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
        compiled._plainly = 10**6
        for _ in range(30):
            masks = [rng.randrange(1, 64) & rng.choice((63, rng.randrange(1, 64), 63)) or 8 for _ in range(5)]
            rows = holding[(np.array(masks) >> holding & 1).all(1)]
            kept = {(c, b) for c in range(5) for b in rows[:, c].tolist()}
            wanted = {(c, b) for c in range(5) for b in range(6) if masks[c] >> b & 1} - kept
            found = [ladder.single(masks, range(len(ladder.atoms))) for ladder in (plain, compiled)]
            assert found[0] == found[1]
            mine = [masks[c] for c in plain.atoms[0].cells]
            gone = plain.facts(0, mine, plain.revised(0, mine, True))
            exact = {fact for fact in wanted if fact[0] in plain.atoms[0].cells}
            assert gone == exact if len(list(constraint.variables())) == len(constraint.scope) else gone <= exact


def reached(puzzle: Puzzle, rng: random.Random, number: int) -> Iterator[list[int]]:
    """Yield random candidates of a puzzle, each cell with a few."""
    full = Ladder(puzzle, None, False).start()
    for _ in range(number):
        yield [mask & (rng.getrandbits(9) | rng.getrandbits(9)) or mask for mask in full]


@pytest.mark.parametrize(("kind", "bands"), [(2, ROUNDS), (3, STRONG_ROUNDS), (4, INNER_ROUNDS)])
def test_trials_fail_in_the_same_rounds(kind: int, bands: Sequence[int]) -> None:
    """On random candidates, with and without what the walk before has kept."""
    puzzle, rng = variant(), random.Random(kind)
    plain, compiled = Ladder(puzzle, None, False), Ladder(puzzle, None, True)
    compiled._plainly = 10**6
    for masks in reached(puzzle, rng, 6):
        for _ in range(3):
            found = compiled.trials(masks, kind, bands)
            assert found == plain.trials(masks, kind, bands)
            masks = [mask & ~(1 << rng.randrange(6)) or mask for mask in masks]


def plainly(self: compiled_ladder.Quick, kernel: str, *more: int) -> int:
    """Call a kernel as the plain Python that it is."""
    net, mem = self._words
    memory = Guarded(mem.tolist())
    found = int(KERNELS[kernel](layout.Net(Guarded(net.tolist(), closed=True)), layout.Mem(memory), *more))
    mem[:] = memory
    return found


def test_kernels_stay_within_their_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernels and KERNELS
    want = stages(variant(), True)
    monkeypatch.setattr("sudoku_models.explain.stating.KEPT", {})
    monkeypatch.setattr(compiled_ladder.Quick, "call", plainly)
    assert stages(variant(), True) == want
    for kind in (rules.Lunchbox, rules.ConnectedValues):
        rule = one_of_a_kind(kind)
        puzzle = Puzzle.empty(FOUR).with_rules(rule).with_candidates({"R1C1": (1,), "R2C3": (4,)})
        assert stages(puzzle, True, (2, 2)) == stages(puzzle, False, (2, 2))


def test_trials_of_houses_with_fewer_cells_than_values_are_the_same_compiled_and_plain() -> None:
    grid, rng = solve(CHAINS).grid, random.Random(4)
    assert grid
    names, chosen = Puzzle.parse(CHAINS).names, [rng.sample(range(81), 3) for _ in range(4)]
    different = [some for some in chosen if len({grid.values[c] for c in some}) == 3]
    rules = [ExtraRegion(tuple(names[c] for c in some)) for some in different]
    puzzle = Puzzle.parse(CHAINS).with_rules(*rules)
    quick, plain = Ladder(puzzle, None, True), Ladder(puzzle, None, False)
    found = [(stage.level, stage.after) for stage in quick.stages(quick.start(), together=True)]
    assert rules and max(found)[0] > (2, 0)
    assert found == [(stage.level, stage.after) for stage in plain.stages(plain.start())]


def test_a_single_atom_keeps_the_same_compiled_and_plain() -> None:
    ladder, rng = Ladder(Puzzle.empty(Shape.latin(4)).with_rules(ChaosConstruction()), None, True), random.Random(8)
    assert ladder.quick
    for number, atom in enumerate(ladder.atoms):
        full = [ladder.full[c] for c in atom.cells]
        for _ in range(6):
            masks = [mask & rng.choice((mask, rng.randrange(1, 16))) for mask in full]
            if all(masks):
                assert ladder.quick.revised(number, masks) == atom.how.revise(masks, True)
