"""Patterns: they remove nothing that a solution has, whole and the easiest first; and nothing unproved is shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape, solve
from sudoku_models.collection import variants
from sudoku_models.explain import Ladder, hint, path
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.ladder import HIGHEST
from sudoku_models.explain.patterns import Board, Pattern, State, in_order
from sudoku_models.explain.patterns.deadly import uniqueness
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.explain.patterns.order import FAMILIES, TECHNIQUES, families_of, is_known
from sudoku_models.explain.step_pictures import chain_of
from sudoku_models.explain.step_words import Teller
from sudoku_models.puzzle.rules import Rule
from sudoku_models.puzzle.rules.cages import KillerCage
from sudoku_models.puzzle.rules.dots import Difference, NonConsecutive, Ratio
from sudoku_models.puzzle.rules.lines import Thermo
from sudoku_models.puzzle.rules.outside_clues import Skyscraper
from sudoku_models.puzzle.rules.regions import Diagonal, Windoku
from sudoku_models.puzzle.rules.sums import Arrow
from sudoku_models.puzzle.rules.words import title_of
from tests.explain.test_every_rule import SOLVABLE, accepted, one_of_a_kind
from tests.puzzle.rules.boards import SUDOKU

HARD = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."
SWORDFISH = "3....8..1.....1.9..8..2...6..61..4....5.7........6537.9..2......2..8....478...1.."
SINGLES = {"full house", "hidden single", "naked single"}


def wrong(state: State, patterns: Sequence[Pattern], grids: Sequence[Sequence[int]]) -> list[str]:
    """Return the names of patterns that remove what a solution of a state has, or place what some solution has not."""
    low, board = state.board.ladder.low, state.board
    inside = [g for g in grids if all(state.masks[c] >> v - low & 1 for c, v in enumerate(g))]
    true = [sum(1 << board.literal(c, v - low) for c, v in enumerate(g)) for g in inside]
    return [p.name for p in patterns if any(p.out & t or p.sets & ~t for t in true)]


def made(board: Board, grids: Sequence[Sequence[int]], rng: random.Random) -> State:
    """Return candidates that leave a few solutions: those of some grids, and others by chance."""
    low, some = board.ladder.low, rng.sample(list(grids), rng.randint(1, 2))
    noise = rng.choice((0.1, 0.3, 0.5))
    masks = [
        sum(1 << b for b in bits(full) if rng.random() < noise or any(g[c] == b + low for g in some))
        for c, full in enumerate(board.ladder.full)
    ]
    return State(board, masks, frozenset())


def of_small_boards(number: int) -> Iterator[tuple[State, list[Pattern]]]:
    board, rng = Board(Ladder(Puzzle.empty(SUDOKU))), random.Random(5)
    for _ in range(number):
        state = made(board, grids_of_boards(), rng)
        yield state, list(in_order(state))


@cache
def grids_of_boards() -> tuple[tuple[int, ...], ...]:
    """Return all boards of 4 x 4, from brute force."""
    rows = [row for row in product(range(1, 5), repeat=4) if len(set(row)) == 4]
    found = []
    for a, b in product(rows, rows):
        if all(x != y for x, y in zip(a, b, strict=True)) and len({*a[:2], *b[:2]}) == 4:
            found += [(*a, *b, *c, *d) for c, d in product(rows, rows) if _fits(a, b, c, d)]
    return tuple(found)


def _fits(*rows: tuple[int, ...]) -> bool:
    columns = all(len(set(column)) == 4 for column in zip(*rows, strict=True))
    return columns and len({*rows[2][:2], *rows[3][:2]}) == 4


def test_no_pattern_removes_what_a_solution_has_on_boards_with_several_solutions() -> None:
    assert len(grids_of_boards()) == 288
    met = Counter[str]()
    for state, found in of_small_boards(5):
        assert not wrong(state, found, grids_of_boards())
        met.update(pattern.name for pattern in found)
    assert len(met) > 12 and sum(met.values()) > 100


@pytest.mark.parametrize("kind", SOLVABLE[::16], ids=lambda kind: kind.__name__)
def test_no_pattern_of_a_rule_removes_what_a_solution_has(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    board, grids = Board(Ladder(Puzzle.empty(SUDOKU).with_rules(rule))), accepted(rule)
    state = made(board, grids, random.Random(7))
    assert not wrong(state, list(in_order(state)), grids)


@cache
def classics() -> list[tuple[str, tuple[int, ...]]]:
    solved = [(line, solve(line).grid) for line in (HARD, SWORDFISH)]
    return [(line, tuple(v for v in grid.values if v)) for line, grid in solved if grid]


def positions(line: str, truth: Sequence[int], number: int, unique: bool = False) -> Iterator[State]:
    """Yield states of a puzzle: random cells filled in, random false candidates gone."""
    ladder, rng = Ladder(Puzzle.parse(line), assume_unique=unique), random.Random(line)
    board, given = Board(ladder), [c for c, sign in enumerate(line) if sign != "."]
    for _ in range(number):
        placed = {*given, *rng.sample(range(81), rng.randrange(40))}
        keep = rng.choice((0.2, 0.5, 0.8))
        masks = [1 << v - 1 | (0 if c in placed else rng.getrandbits(9)) for c, v in enumerate(truth)]
        masks = [m if rng.random() < keep or c in placed else 511 for c, m in enumerate(masks)]
        yield State(board, masks, frozenset(placed))


@pytest.mark.parametrize("number", [0, 1])
def test_no_pattern_removes_the_solution(number: int) -> None:
    line, truth = classics()[number]
    for state in positions(line, truth, 1):
        every = list(in_order(state))
        assert not wrong(state, every, [truth])
        assert [pattern.cost for pattern in every] == sorted(pattern.cost for pattern in every)
    for state in positions(line, truth, 6, True):
        found = list(uniqueness(state))
        assert not wrong(state, found, [truth])
        assert all(pattern.assumes for pattern in found)


def test_each_name_of_a_pattern_is_looked_for_in_its_family() -> None:
    for number, (line, truth) in enumerate(classics()):
        for state in positions(line, truth, 1, unique=True):
            for family in FAMILIES if number else FAMILIES[:17]:
                titles = {title for found in islice(family.find(state), 200) for title in (found.name, *found.also)}
                assert all(is_known(title, TECHNIQUES) and family in families_of(title) for title in titles)


def test_a_planted_fault_is_seen_here_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node sees what its first literal sees."""
    good = State.common
    monkeypatch.setattr(State, "common", lambda state, node: good(state, node & -node))
    faulty = shown = 0
    for line, truth in classics():
        finder = Finder(Ladder(Puzzle.parse(line), assume_unique=True))
        for state in positions(line, truth, 4, True):
            mine = finder.state(state.masks, state.placed)
            for pattern in (p for p in in_order(mine, FAMILIES[:16]) if wrong(mine, [p], [truth])):
                faulty += 1
                step = finder.proved(mine, pattern, mine.masks) if faulty < 12 else None
                shown += step is not None and any(truth[c] == b + 1 for c, b in step.facts)
    assert faulty and not shown


def test_a_single_is_never_shown_as_anything_else() -> None:
    said = hint(".2..5.78.4...89...7......6.23...1..5..46...3896...54..3......1...5.1.........3..7")
    assert str(said).startswith("Hidden single: R2C4 is 7, the only 7 in box 2")
    for line, truth in classics():
        finder = Finder(Ladder(Puzzle.parse(line)))
        for state in positions(line, truth, 6):
            step = finder.easiest(finder.state(state.masks, state.placed), state.masks)
            if step and step.pattern and any(state.masks[c].bit_count() == 1 for c in state.open):
                assert step.pattern.cost <= 2.3 and step.pattern.name in SINGLES


def test_a_path_by_patterns_leads_to_the_solution_in_proved_steps() -> None:
    way, grid = path(HARD, order="patterns"), solve(HARD).grid
    assert grid and way.end == "solved" and way.order == "patterns" and way.taken
    assert [value for (value,) in way.left.values()] == list(grid.values)
    costs = {step.pattern.name: step.pattern.cost for step in way.taken if step.pattern}
    assert costs["XY-wing"] == 4.2 and len(way.stages) == len(way.taken)
    assert all(list(way.steps(stage)) == [step] for stage, step in zip(way.stages, way.taken, strict=True))
    with pytest.raises(ValueError, match="'other' is not one of level, patterns"):
        path(HARD, order="other")


@pytest.mark.parametrize(
    ("rule", "candidates"),
    [
        (Difference(("R1C1", "R1C2")), (1, 2, 3)),
        (Ratio(("R1C1", "R1C2")), (1, 2, 4)),
    ],
    ids=["white dot", "black dot"],
)
def test_a_value_that_all_solutions_of_a_dot_have_falls_in_what_they_see(
    rule: Rule, candidates: tuple[int, ...]
) -> None:
    board = Puzzle.empty(9).with_rules(rule)
    found = hint(board, {"R1C1": candidates, "R1C2": candidates})
    assert str(found).startswith(
        f"Pointing, by a rule: in {title_of(rule)} (R1C1 R1C2), 2 is in R1C1 or R1C2, so R1C3, "
    )


def test_all_places_of_a_value_exclude_what_a_rule_does_not_allow_beside_them() -> None:
    board = Puzzle.empty(Shape.square(6)).with_rules(Arrow("R3C1 R2C2 R1C2"))
    found = hint(board, {f"R{row}C2": (1, 2, 3, 5, 6) for row in range(3, 7)}, technique="pointing, by rules")
    assert str(found) == (
        "Pointing, by rules: in column 2, 4 is in R1C2 or R2C2, so R1C1, R1C3, R2C1 and R2C3 are not 4, "
        "R1C2 and R2C2 are not 3, 5 or 6 and R3C1 is not 1 to 4, by Arrow (R3C1 R2C2 R1C2)."
    )


def test_pointing_removes_one_value_and_a_dot_is_told_in_a_step_of_its_own() -> None:
    board = Puzzle.empty(9).with_rules(Difference(("R1C1", "R1C2")))
    rest = [f"R{r}C{c}" for r, c in product((1, 2, 3), (1, 2, 3)) if (r, c) not in ((1, 1), (1, 2))]
    state = dict.fromkeys(rest, (1, 3, 4, 5, 6, 7, 8, 9))
    text = "Pointing: in box 1, 2 is in R1C1 or R1C2, so R1C4, R1C5, R1C6, R1C7, R1C8 and R1C9 are not 2."
    assert str(hint(board, state)) == text
    state |= {f"R1C{c}": state["R1C3"] for c in range(4, 10)}
    dot = "so R1C1 and R1C2 are not 4 to 9, by White dot (R1C1 R1C2)."
    assert str(hint(board, state)) == f"Pointing, by rules: in row 1, 2 is in R1C1 or R1C2, {dot}"


def test_two_links_that_close_a_loop_are_no_empty_rectangle() -> None:
    lost = {f"R{r}C2" for r in (1, 2, 3, 6, 7, 8, 9)} | {f"R{r}C{c}" for r, c in product((4, 5, 6), (4, 5, 6))}
    state = dict.fromkeys(lost - {"R5C4", "R5C5", "R5C6", "R4C4"}, range(2, 10))
    loop = "Grouped X-cycle: in the loop of 1 R4C2 = R5C2 - R5C4 R5C5 R5C6 = R4C4 - R4C2, one of "
    assert str(hint(Puzzle.empty(9), state, technique="grouped X-cycle")).startswith(loop)
    assert hint(Puzzle.empty(9), state, technique="empty rectangle").status == "no step"


def test_houses_of_rules_are_named_one_by_one_and_make_no_franken_fish() -> None:
    board = Board(Ladder(Puzzle.empty(9).with_rules(Windoku(), Diagonal(True))))
    kinds = {house.kind for house in board.houses}
    assert len(kinds) == 8 and {"row", "column", "box", "Rising diagonal (R1C9 to R9C1)"} < kinds
    state = State(board, [511 if c % 10 < 4 else 510 for c in range(81)], frozenset())
    fish = [one for family in families_of("Franken X-wing") for one in family.find(state) if "Franken" in one.name]
    assert fish and not any("Windoku" in one.why or "diagonal" in one.why for one in fish)


def test_two_turbot_fish_of_one_box_are_a_dual_empty_rectangle() -> None:
    places = {"R1": ("C2", "C5", "C6"), "R2": ("C1", "C5", "C8"), "R7": ("C2", "C8"), "R8": ("C1", "C6")}
    lost = {f"{row}C{c}" for row, able in places.items() for c in range(1, 10) if f"C{c}" not in able}
    lost |= {f"R3C{c}" for c in range(1, 4)}
    found = hint(Puzzle.empty(9), {x: range(2, 10) for x in lost}, technique="dual empty rectangle")
    assert str(found).endswith("so R1C6 and R2C8 are not 1.")


def test_a_picture_of_a_hint_fills_in_the_cells_that_are_settled() -> None:
    board = Puzzle.parse("1..434..........")
    found = hint(board, {"R1C2": 2})
    assert 'font-size="27" text-anchor="middle" fill="currentColor" fill-opacity="0.6">2</text>' in found.picture().svg


def test_a_trial_by_rules_is_drawn_with_its_links() -> None:
    way = path(variants("8x8-killer-01")[0].puzzle)
    stage = next(stage for stage in way.stages if stage.level == (2, 2))
    trial = next(step for step in way.steps(stage) if step.trial)
    chain = chain_of(Teller(way.ladder), trial)
    assert trial.trial and chain and {kind for _, _, kind in chain.links} <= {"weak", "strong"}
    supposed = 1 << Board(way.ladder).literal(*trial.trial)
    assert chain.links[0][0] == supposed == dict(chain.parts)["fin"]


@pytest.mark.parametrize(
    ("rule", "state", "text"),
    [
        (
            KillerCage(("R6C1", "R6C2", "R6C3"), 17),
            {f"R6C{c}": (1, 2, 3, 4, 6, 7) for c in (1, 2, 3)},
            "Cage combinations: in Killer cage 17 (R6C1 R6C2 R6C3), R6C1, R6C2 and R6C3 are not 5, 8 or 9, so R6C1, "
            "R6C2 and R6C3 are not 1, 2 or 3",
        ),
        (
            Thermo(("R9C5", "R8C4", "R7C4", "R6C3")),
            {},
            "Bounds of a thermometer: in Thermo (R9C5 R8C4 R7C4 R6C3), R9C5 is 1 to 6, R8C4 is 2 to 7, R7C4 is 3 to 8 "
            "and R6C3 is 4 to 9",
        ),
        (
            Skyscraper(tuple(f"R1C{c}" for c in range(1, 10)), 3),
            {"R1C1": (1, 4), "R1C2": (1, 4, 5, 8), "R1C3": (1, 4, 5), "R1C7": 9},
            "Visible skyscrapers: in Skyscraper 3 (R1C1 to R1C9), R1C1 is 1 or 4, R1C2 is 1, 4, 5 or 8, R1C3 is 1, 4 "
            "or 5 and R1C7 is 9, so R1C2 is 8 and R1C4, R1C5 and R1C6 are not 8",
        ),
        (
            NonConsecutive(),
            {"R1C2": 4, "R9C9": 9},
            "Neighbours that are not consecutive: in Non-consecutive, R1C2 is 4, so R1C1, R1C3 and R2C2 are not 3 or 5",
        ),
    ],
    ids=["all cells of a cage", "along a line", "by an exact search", "around a cell"],
)
def test_a_rule_is_told_once_with_all_that_it_removes(rule: Rule, state: dict[str, Any], text: str) -> None:
    board = Puzzle.empty(9).with_rules(rule)
    finder = Finder(Ladder(board, for_hints=True))
    masks = finder.ladder.start()
    for x, values in state.items():
        masks[finder.ladder.index[x]] = finder.ladder.mask([values] if isinstance(values, int) else values)
    placed = [finder.ladder.index[x] for x, values in state.items() if isinstance(values, int)]
    steps = (step for step, _, _ in finder.walk(masks, placed, HIGHEST))
    told = (Teller(finder.ladder).text(step) for step in steps)
    assert next(one for one in told if "not 9" not in one) == text


def test_rules_have_patterns_of_their_own_and_link_candidates() -> None:
    cage = Puzzle.empty(SUDOKU).with_rules(KillerCage(("R1C1", "R1C2"), 3))
    found = hint(cage).step
    assert found and found.pattern and found.pattern.name == "cage combinations" and found.level == (1, 0)
    ladder = Ladder(Puzzle.empty(Shape.square(6)).with_rules(Thermo(("R1C1", "R2C2", "R3C3"))))
    linked = State(Board(ladder), ladder.start(), frozenset()).with_rules()
    board = linked.board
    high, low = board.literal(ladder.index["R1C1"], 4), board.literal(ladder.index["R2C2"], 3)
    assert linked.seen(high) >> low & 1 and not board.seen(high) >> low & 1
