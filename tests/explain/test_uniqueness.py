"""Arguments from uniqueness: only on request, true wherever there is one solution, and named as an assumption."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.explain import Ladder, hint, path
from sudoku_models.explain.ladder import ALL
from sudoku_models.explain.patterns.deadly import uniqueness
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.explain.stating import Stating
from sudoku_models.explain.step_words import Teller
from sudoku_models.explain.uniqueness import Exchange, graves, rectangles, two_ways
from sudoku_models.model import AllDifferent, Automaton, Compare, Constraint, Linear, Not, Or, Regular, Table
from sudoku_models.puzzle.rules import Rule
from sudoku_models.puzzle.rules.cages import KillerCage
from sudoku_models.puzzle.rules.chess import AntiKnight
from tests.explain.samples import buried
from tests.explain.test_every_rule import SOLVABLE, accepted, one_of_a_kind
from tests.puzzle.rules.boards import SUDOKU

Grid = tuple[int, ...]


def assumed(puzzle: Puzzle) -> list[Constraint]:
    """Return what one solution forbids by rectangles."""
    stating = Stating(puzzle)
    stating.assume({}, False)
    return [atom.stated[0] for atom in stating.atoms if atom.is_assumed]


def crosswise(forbidden: Constraint) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Yield the fillings of four corners that are forbidden, each with the one that it could be exchanged for."""
    a, b, c, d = sorted(forbidden.scope)
    for x, y in product(range(1, 5), repeat=2):
        filled = {a: x, b: y, c: y, d: x}
        if x != y and not forbidden.holds(filled):
            yield filled, {a: y, b: x, c: x, d: y}


def exchanged(grid: Grid, values: Mapping[str, int]) -> Grid:
    return tuple(values.get(x, value) for x, value in zip(SUDOKU.names, grid, strict=True))


@pytest.mark.parametrize("kind", SOLVABLE[::9], ids=lambda kind: kind.__name__)
def test_a_solution_inside_a_forbidden_rectangle_has_a_twin_by_the_word_of_the_judge(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    grids = set(accepted(rule))
    for forbidden in assumed(Puzzle.empty(SUDOKU).with_rules(rule)):
        for filled, other in crosswise(forbidden):
            inside = [grid for grid in grids if exchanged(grid, filled) == grid]
            assert all(exchanged(grid, other) in grids for grid in inside)


@pytest.mark.parametrize("kind", SOLVABLE[4::9], ids=lambda kind: kind.__name__)
def test_a_solution_inside_any_pattern_of_pairs_has_a_twin_by_the_word_of_the_judge(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    rng, grids = random.Random(kind.__name__), accepted(rule)
    stating = Stating(Puzzle.empty(SUDOKU).with_rules(rule))
    exchange = Exchange((c for atom in stating.atoms for c in atom.stated), stating.domains)
    for one, other in ((rng.choice(grids), rng.choice(grids)) for _ in range(40)):
        pairs = {x: (v, w) for x, v, w in zip(SUDOKU.names, one, other, strict=True) if v != w}
        _, ways = two_ways(next(iter(pairs)), pairs, exchange.differing) if pairs else ((), None)
        if ways and exchange.goes_unnoticed(*ways):
            for way, twin in (ways, ways[::-1]):
                inside = [grid for grid in grids if exchanged(grid, way) == grid]
                assert all(exchanged(grid, twin) in set(grids) for grid in inside)


LOW_OR_HIGH = Automaton(
    3, 0, (1, 2), [*((s, v, 1) for s in (0, 1) for v in (1, 2, 3)), *((s, v, 2) for s in (0, 2) for v in range(4, 10))]
)
CORNERS = ("R1C1", "R1C4", "R2C1", "R2C4")


@pytest.mark.parametrize(
    ("constraint", "pairs"),
    [
        (Linear((1, 1), ("R1C1", "R1C4"), "==", 5), 36),
        (Linear((1, 1), ("R1C1", "R9C9"), "==", 5), 10),
        (Compare("R1C1", ">", "R9C9", 7), 28),
        (Or(Not(Compare("R1C1", "!=", "R2C4")), AllDifferent(("R1C4", "R2C1"))), 36),
        (Table(("R1C1", "R9C9"), [(1, 1), (2, 1), (3, 2)]), 16),
        (Regular(("R1C1", "R9C9"), LOW_OR_HIGH), 18),
    ],
    ids=str,
)
def test_a_pair_may_be_exchanged_where_no_constraint_notices(constraint: Constraint, pairs: int) -> None:
    board = Puzzle.parse("." * 81)
    constraints = [*board.model.constraints, constraint]
    found = rectangles(board.shape, Exchange(constraints, board.model.domains))
    mine = next((one.stated for one in found if {*one.stated.scope} == {*CORNERS}), None)
    fillings = [(x, y) for x in range(1, 10) for y in range(1, x)]
    forbidden = [
        f for f in fillings if mine is not None and not mine.holds(dict(zip(CORNERS, (*f, *f[::-1]), strict=True)))
    ]
    assert len(forbidden) == pairs


def test_a_rectangle_has_no_givens_and_lies_in_two_boxes() -> None:
    corners = [set(c.scope) for c in assumed(Puzzle.empty(SUDOKU))]
    assert {"R1C1", "R1C3", "R2C1", "R2C3"} in corners and {"R1C1", "R1C3", "R3C1", "R3C3"} not in corners
    stated = Puzzle.empty(SUDOKU).with_rules(KillerCage(("R1C1", "R1C2"), 5)).with_candidates({"R2C3": (1,)})
    assert not any("R2C3" in c.scope or {"R1C1", "R2C1"} <= {*c.scope} for c in assumed(stated))
    assert not assumed(Puzzle.parse("." * 36).with_rules(AntiKnight()))


PAIR = (1, 2)
NO_ONE = {f"R{r}C{c}": tuple(range(2, 7)) for r in (1, 2) for c in (2, 3, 5, 6)}
TYPES = {
    "type 1": ({"R1C4": PAIR, "R2C1": PAIR}, ("R2C4", 1)),
    "type 2": ({"R1C4": PAIR, "R2C1": (1, 2, 3), "R2C4": (1, 2, 3)}, ("R2C6", 3)),
    "type 3": ({"R1C4": PAIR, "R2C1": (1, 2, 3), "R2C4": (1, 2, 4), "R2C6": (3, 4)}, ("R2C5", 3)),
    "type 4": ({**NO_ONE, "R1C4": PAIR, "R2C1": (1, 2, 3), "R2C4": (1, 2, 4)}, ("R2C1", 2)),
    "type 5": ({"R1C4": (1, 2, 3), "R2C1": (1, 2, 3), "R2C4": PAIR}, ("R1C2", 3)),
    "type 6": ({**NO_ONE, "R1C4": (1, 2, 3), "R2C1": (1, 2, 4), "R2C4": PAIR}, ("R1C4", 1)),
}


@cache
def open_board() -> Ladder:
    return Ladder(Puzzle.parse("." * 36), None, True, assume_unique=True)


@pytest.mark.parametrize("kind", TYPES)
def test_a_unique_rectangle_is_named_with_its_type_and_its_assumption(kind: str) -> None:
    candidates, removed = TYPES[kind]
    ladder = open_board()
    text, label = told(ladder, {**candidates, "R1C1": PAIR}, f"unique rectangle, {kind}", removed)
    assert text.startswith(f"Unique rectangle, {kind}: ") and text.endswith("if there is one solution")
    assert label == "the assumption of one solution (R1C1 R1C4 R2C1 R2C4)"


def told(
    ladder: Ladder, candidates: Mapping[str, tuple[int, ...]], name: str, removed: tuple[str, int]
) -> tuple[str, str]:
    """Return the text of a proved pattern that removes a candidate, and the assumption that it makes."""
    masks, finder = list(ladder.full), Finder(ladder)
    for x, values in candidates.items():
        masks[ladder.index[x]] = ladder.mask(values)
    ladder.assumed(masks, with_loops=True)
    fact = ladder.index[removed[0]], removed[1] - 1
    state = finder.state(masks, ())
    steps = (finder.proved(state, one, masks) for one in uniqueness(state) if one.name == name)
    step = next(step for step in steps if step and fact in step.facts)
    text = Teller(ladder).text(step)
    assert removed[0] in text.split(", so ")[1]
    return text, ladder.atoms[step.atoms[-1]].label


LOOP = ("R1C1", "R1C2", "R3C2", "R3C3", "R5C3", "R5C1")
LOOPS = {
    "type 1": ({"R1C1": (1, 2, 3)}, ("R1C1", 1)),
    "type 2": ({"R1C1": (1, 2, 3), "R1C2": (1, 2, 3)}, ("R1C6", 3)),
    "type 3": ({"R1C1": (1, 2, 3), "R1C2": (1, 2, 4), "R1C6": (3, 4)}, ("R1C5", 3)),
    "type 4": (
        {"R1C1": (1, 2, 3), "R1C2": (1, 2, 4)} | {f"R1C{c}": (2, 3, 4, 5, 6) for c in (3, 4, 5, 6)},
        ("R1C1", 2),
    ),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_a_unique_loop_has_the_types_of_a_rectangle(kind: str) -> None:
    candidates, removed = LOOPS[kind]
    ladder = Ladder(Puzzle.parse("." * 36), assume_unique=True)
    text, label = told(ladder, {**dict.fromkeys(LOOP, PAIR), **candidates}, f"unique loop, {kind}", removed)
    assert text.startswith(f"Unique loop, {kind}: ") and text.endswith("if there is one solution")
    assert set(label.rpartition("(")[2].strip(")").split()) == set(LOOP)


def test_a_loop_that_a_house_notices_is_not_deadly() -> None:
    cells = dict.fromkeys(("R1C1", "R1C2", "R3C2", "R3C4", "R5C4"), PAIR) | {"R5C1": (1, 2, 3)}
    ladder = Ladder(Puzzle.parse("." * 36), assume_unique=True)
    masks = [ladder.mask(cells.get(x, range(3, 7))) for x in ladder.names]
    assert ladder.assumed(masks) == ladder.assumed(masks, with_loops=True)


BUG = ".2..8.1...9....7..5..7...32...2.....1..4..3..98...15.....5..9.......3..6.7.....4."


def test_the_last_cell_with_three_candidates_settles_where_all_others_have_two() -> None:
    way, right = path(BUG, assume_unique=True), solve(BUG).values
    teller = Teller(way.ladder)
    named = {teller.pattern(step): step for stage in way.stages if stage.level == (1, ALL) for step in way.steps(stage)}
    step = named["BUG+1"]
    assert right and way.end == "solved" and step.level == (1, ALL)
    assert {way.ladder.names[c]: b + 1 for c, b in step.placed.items()} == {"R4C6": right["R4C6"]} == {"R4C6": 7}
    assert teller.text(step).startswith("BUG+1: otherwise all 22 open cells would have two values")
    assert not any(atom.is_assumed for atom in path(BUG).ladder.atoms)


@pytest.mark.parametrize("seed", range(3))
def test_a_board_with_two_candidates_in_all_open_cells_but_one_is_bug_plus_one(seed: int) -> None:
    truth = list(solve(BUG).values.values())  # type: ignore[union-attr]
    masks = buried(truth, seed)
    filled = [str(v) if mask == 1 << v - 1 else "." for v, mask in zip(truth, masks, strict=True)]
    finder = Finder(Ladder(Puzzle.parse("".join(filled)), assume_unique=True))
    state = finder.state(masks, [c for c, sign in enumerate(filled) if sign != "."])
    (cell,) = (c for c, mask in enumerate(masks) if mask.bit_count() == 3)
    (found,) = (one for one in uniqueness(state) if one.name == "BUG+1")
    assert found.cost == 5.6 and found.out == state.cell(cell) & ~(1 << state.board.literal(cell, truth[cell] - 1))
    for one in (one for one in uniqueness(state) if one.name == "unique rectangle, type 6"):
        assert re.search(r"could change places in .*, because there is no other place of [1-9]", one.why)


def test_a_bare_model_knows_such_boards_too_and_a_rule_that_notices_forbids_them() -> None:
    differ = [AllDifferent(xs) for xs in (("a", "b"), ("c", "d"), ("a", "c"), ("b", "d"))]
    domains = {"a": (1, 2, 3), "b": (1, 2), "c": (1, 2), "d": (1, 2)}
    assert [str(one.stated) for one in graves(domains, Exchange(differ, domains))] == ["Or([InDomain(a, [3])])"]
    assert not list(graves(domains, Exchange([*differ, Compare("a", "<", "b")], domains)))


def test_nothing_is_assumed_unless_asked_for_or_of_several_solutions() -> None:
    assert not any(atom.is_assumed for atom in Ladder(Puzzle.parse("." * 81)).atoms)
    assert "assumption" not in str(hint("1" + "." * 15, assume_unique=True))
    assert path("1" + "." * 15, assume_unique=True).stages == ()
