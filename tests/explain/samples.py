"""A puzzle with one solution for every kind of rule, on boards small enough that the whole path is walked at once.

Kinds that some 4 x 4 board with boxes keeps stand alone on one; the others, and those that bring extra cells along,
have boards of other sizes and values in ``OTHERS``, and the rules beside them that make something of them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

from sudoku_models import Puzzle, Shape, solutions, solve
from sudoku_models.model import Linear, Model, Variable
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule
from tests.explain.techniques import HOUSES
from tests.explain.test_every_rule import SOLVABLE, accepted, one_of_a_kind
from tests.puzzle.rules.boards import LATIN, SUDOKU

FIVE, SIX = Shape.latin(5), Shape.square(6)
SPARE = Shape(4, 4, (1, 2, 3, 4, 5), SUDOKU.regions, SUDOKU.box)
ZERO = Shape(4, 4, (0, 1, 2, 3, 4), SUDOKU.regions, SUDOKU.box)
BINARY = Shape(4, 4, (0, 1), lines=False)
SHADED = Shape(4, 4, (1, 2), lines=False)
TWICE_TO_FOUR = r.Machine(4, (0,), (3,), [(0, v, s) for v in (1, 2, 3, 4) for s in (0, 1)] + [(1, 4, 3), (1, 2, 3)])
"""Machines that guess where the last two cells of a word begin."""
CHAOS = r.ChaosConstruction()
Values = dict[str, int]


@dataclass(frozen=True)
class Sample:
    """A kind of rule, and where it is met: a shape, the rule, and rules beside it."""

    kind: str
    shape: Shape
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        return self.kind


OTHERS: list[tuple[Shape, tuple[Rule, ...]]] = [
    (FIVE, (r.AntiKing(),)),
    (Shape(4, 4, (1, 3, 5, 6)), (r.AntiTaxicab(),)),
    (BINARY, (r.Balance(),)),
    (SUDOKU, (r.BoxIndexer("R1C2"),)),
    (LATIN, (r.ChaosArrow("R2C2"), CHAOS)),
    (LATIN, (CHAOS,)),
    (LATIN, (r.ChaosCount("R3C2"), CHAOS)),
    (SUDOKU, (r.DigitalRoot("R1C1 R2C3 R3C4", 7),)),
    (ZERO, (r.Doppelganger(),)),
    (Shape(4, 4, (1, 2, 5, 9)), (r.DutchFlatmates(),)),
    (
        SUDOKU,
        (r.ExtraCells("V", 2), r.Thermo("V1 R2C2 V2"), r.WeightedSum("R1C1 R4C3 V1", 0, (1, 1, -2)), r.XV("V1 V2")),
    ),
    (LATIN, (r.FullRank(("R1C1", "R1C2", "R1C3", "R1C4"), 6),)),
    (SIX, (r.GlobalEntropy(),)),
    (SIX, (r.GlobalMod(),)),
    (LATIN, (r.MachineLine((("R1C1", "R2C2", "R3C3", "R3C1"),), TWICE_TO_FOUR),)),
    (LATIN, (r.NoRankTies(),)),
    (FIVE, (r.NonConsecutive(),)),
    (SPARE, (r.OnlyValues((1, 2, 3, 5)),)),
    (SUDOKU, (r.Quadruple("R2C2 R2C3 R3C2 R3C3", (1, 2)),)),
    (SPARE, (r.RegionSameValues(),)),
    (SUDOKU, (r.RegionSumLine("R1C1 R2C2 R3C3 R4C4 R4C3"),)),
    (SUDOKU, (r.SameValues((("R1C1", "R1C2"), ("R3C3", "R3C4"))),)),
    (SHADED, (r.Singles([1, 3, 1, 4, 1, 4, 2, 2, 3, 1, 4, 1, 2, 1, 3, 3]),)),
    (Shape.latin(6), (r.StrictKropki(),)),
    (FIVE, (r.StrictRatio(), r.Ratio("R2C2 R2C3", 3))),
    (SUDOKU, (r.Unused("R1C1 R3C2"),)),
]


def kinds() -> list[str]:
    """Return the names of the package's own kinds of rules, from the registry; ``CellsRule`` is a base of others."""
    own = {name for name, kind in r.known_rules().items() if kind.__module__.startswith("sudoku_models.")}
    return sorted(own - {"CellsRule"})


ALONE = {kind.__name__: kind for kind in SOLVABLE}
BY_KIND = {type(rules[0]).__name__: (shape, rules) for shape, rules in OTHERS}
SAMPLED = sorted(ALONE.keys() | BY_KIND.keys())
"""The kinds that have a sample, by name."""


@cache
def sample_of(kind: str) -> Sample:
    """Return the sample of a kind of rule."""
    return Sample(kind, *(BY_KIND[kind] if kind in BY_KIND else (SUDOKU, (one_of_a_kind(ALONE[kind]),))))


@lru_cache(256)
def generated(sample: Sample, seed: str) -> tuple[Puzzle, Values]:
    """Return a puzzle with one solution that the judges of its rules accept, and that: givens as far as needed."""
    rng = random.Random(seed)
    if len(sample.rules) == 1 and sample.shape == SUDOKU:
        return _listed(sample.rules[0], rng)
    empty = Puzzle(sample.shape, (None,) * sample.shape.cells, rules=sample.rules)
    values = _random(empty, rng)
    puzzle = _unique(empty, values, rng)
    board = Board(puzzle.shape, puzzle.rules)
    assert all(rule.judge(Filled(board, values)) for rule in puzzle.rules), sample
    return puzzle, values


def _listed(rule: Rule, rng: random.Random) -> tuple[Puzzle, Values]:
    """Choose among all boards that the judge of a rule accepts: no engine takes part."""
    grids = accepted(rule)
    grid = rng.choice(grids)
    givens = rng.sample(range(16), 16)
    for cell in tuple(givens):
        fewer = [c for c in givens if c != cell]
        if sum(all(found[c] == grid[c] for c in fewer) for found in grids) == 1:
            givens = fewer
    puzzle = Puzzle(SUDOKU, tuple(grid[c] if c in givens else None for c in range(16)), rules=(rule,))
    return puzzle, dict(zip(SUDOKU.names, grid, strict=True))


def _random(puzzle: Puzzle, rng: random.Random) -> Values:
    """Return a solution of a puzzle, by chance: some cells get random values where that leaves one."""
    cells = puzzle.shape.cells
    for cell in rng.sample(range(cells), 4):
        tried = _with(puzzle, {cell: rng.choice(puzzle.shape.values)})
        if solve(tried).values:
            puzzle = tried
    return _cells(puzzle, solve(puzzle).values)


def _unique(puzzle: Puzzle, values: Values, rng: random.Random) -> Puzzle:
    """Give cells of a solution until it is the only one; an extra cell gets its value by a rule."""
    while others := [found for found in _two(puzzle) if found != values]:
        name = rng.choice([name for name, value in values.items() if others[0][name] != value])
        if name in puzzle.shape.names:
            puzzle = _with(puzzle, {puzzle.shape.cell(name): values[name]})
        else:
            puzzle = replace(puzzle, rules=(*puzzle.rules, r.OneOf(name, (values[name],))))
    for cell in rng.sample(range(puzzle.shape.cells), puzzle.shape.cells):
        fewer = _with(puzzle, {cell: None})
        if puzzle.givens[cell] is not None and len(_two(fewer)) == 1:
            puzzle = fewer
    return puzzle


def _two(puzzle: Puzzle) -> list[Values]:
    return [_cells(puzzle, found) for found in solutions(puzzle.model, limit=2)]


def _cells(puzzle: Puzzle, values: Mapping[str, int] | None) -> Values:
    """Leave out the auxiliary variables of rules."""
    assert values, puzzle
    return {name: values[name] for name in puzzle.names}


def _with(puzzle: Puzzle, givens: Mapping[int, int | None]) -> Puzzle:
    return replace(puzzle, givens=tuple(givens.get(c, given) for c, given in enumerate(puzzle.givens)))


def buried(truth: Sequence[int], seed: int) -> list[int]:
    """Return candidates of a 9x9 board, as masks: two in each open cell but one, which has three.

    Without the true value of that cell, each value has two open places in a house, or none.
    """
    rng, every = random.Random(seed), range(1, 10)
    centre = rng.randrange(81)
    spare, other = truth[centre], rng.choice([v for v in every if v != truth[centre]])
    groups = [[(c, v) for v in every] for c in range(81)] + [[(c, v) for c in h] for h, v in product(HOUSES, every)]
    names = {x: f"c{x[0]}v{x[1]}" for x in product(range(81), every)}
    stated = [Linear((1,), (names[centre, v],), "==", int(v == other)) for v in (spare, other)]
    for number, group in enumerate(groups):
        twice, true = f"two{number}", next(x for x in group if truth[x[0]] == x[1])
        stated.append(Linear((*[1] * 9, -2), (*(names[x] for x in group), twice), "==", 0))
        stated.append(
            Linear((1,), (twice,), "==", 1)
            if true == (centre, spare)
            else Linear((1, -1), (names[true], twice), "==", 0)
        )
    switches = [*names.values(), *(f"two{number}" for number in range(len(groups)))]
    found = solve(Model([Variable(x, (0, 1)) for x in switches], stated)).values
    assert found is not None
    return [sum(1 << v - 1 for v in every if v == truth[c] or found[names[c, v]]) for c in range(81)]
