"""The ladder: each fact follows from its reason, stages do not depend on any order, and every path ends right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest

from sudoku_models import Model, Puzzle, Shape, Variable, solve
from sudoku_models.engine.switches import Part, Switches
from sudoku_models.explain import Ladder, path, rate
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.ladder import Fact
from sudoku_models.explain.stating import Stating
from sudoku_models.explain.steps import Reasoner, Step
from sudoku_models.make import morph
from sudoku_models.model import Linear
from sudoku_models.puzzle.rules import rule
from sudoku_models.puzzle.rules.cages import KillerCage
from sudoku_models.puzzle.rules.chess import AntiKnight
from sudoku_models.puzzle.rules.dots import Difference
from sudoku_models.puzzle.rules.lines import Palindrome, Thermo, Whisper

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CHAINS = ".....9......3..52..5.48...1.21...674.67.5..9.3........2.....7...1.6.4..........3."
SIX = Shape.square(6)


@rule
def Falling(board: Any, cells: Sequence[str]) -> Iterator[Any]:  # noqa: N802
    yield from (Linear((1, -1), (a, b), ">", 0) for a, b in pairwise(cells))


def variant() -> Puzzle:
    """A 6x6 board with a killer cage, a thermometer, a dot and a rule of one's own."""
    grid = solve(Puzzle.empty(SIX)).grid
    assert grid
    value = dict(zip(SIX.names, grid.values, strict=True))
    cage = KillerCage(("R1C1", "R1C2", "R2C1"), sum(value[x] for x in ("R1C1", "R1C2", "R2C1")))
    line = sorted(("R3C3", "R3C4", "R4C3"), key=value.__getitem__)
    own = Falling(tuple(sorted(("R6C1", "R6C2", "R6C3"), key=value.__getitem__, reverse=True)))
    givens = [v if i % 5 in (0, 3) else None for i, v in enumerate(grid.values)]
    rules = (cage, Thermo(tuple(line)), own) if len({value[x] for x in line}) == 3 else (cage, own)
    return Puzzle(SIX, tuple(givens), rules=rules)


PUZZLES = {"hidden": lambda: Puzzle.parse(HARD), "chains": lambda: Puzzle.parse(CHAINS), "variant": variant}


class Proof:
    """Asks CP-SAT whether facts follow: an engine that shares no code with the ladder and its proofs."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        domains: dict[str, Sequence[int]] = {**Stating(ladder.problem).domains}  # those of auxiliary variables too
        domains |= {x: self.values(mask) for x, mask in zip(ladder.names, ladder.full, strict=True)}
        base = Model([Variable(x, values) for x, values in domains.items()])
        self.switches = Switches(base, [Part("atom", atom.stated) for atom in ladder.atoms], "cp-sat")

    def values(self, mask: int) -> tuple[int, ...]:
        return tuple(bit + self.ladder.low for bit in bits(mask))

    def follows(self, step: Step, fact: Fact, without: int | None = None, unread: int | None = None) -> bool:
        """Tell whether the negation of a fact contradicts the atoms and the premises, perhaps without one of them."""
        domains = {self.ladder.names[c]: self.values(step.before[c]) for c in step.reads if c != unread}
        domains[self.ladder.names[fact[0]]] = self.values(1 << fact[1])
        return self.switches.ask([a for a in step.atoms if a != without], domains).values is None


@pytest.mark.parametrize("name", PUZZLES)
def test_each_fact_follows_from_its_reason_and_from_nothing_less(name: str) -> None:
    way = path(PUZZLES[name]())
    assert way.end == "solved"
    proof, reasoner = Proof(way.ladder), Reasoner(way.ladder)
    for stage in way.stages[::8]:
        for step in islice(reasoner.steps(stage), 2):
            fact = min(step.facts)
            assert proof.follows(step, fact)
            assert not any(proof.follows(step, fact, without=a) for a in step.atoms)
            assert not any(proof.follows(step, fact, unread=c) for c in step.reads)


@pytest.mark.parametrize("name", PUZZLES)
def test_a_path_ends_in_the_solution_and_each_fact_is_removed_once(name: str) -> None:
    puzzle = PUZZLES[name]()
    way, grid = path(puzzle), solve(puzzle).grid
    assert grid and list(way.left.values()) == [(v,) for v in grid.values]
    for stage in way.stages[:8]:
        facts = [fact for step in way.steps(stage) for fact in step.facts]
        assert sorted(facts) == sorted(stage.facts)


@pytest.mark.parametrize("text", [HARD, CHAINS])
def test_every_stage_is_the_same_under_symmetries_and_relabellings(text: str) -> None:
    want = [(stage.level, len(stage.facts)) for stage in path(text).stages]
    for seed in range(2):
        found = path(morph(Puzzle.parse(text), seed))
        assert [(stage.level, len(stage.facts)) for stage in found.stages] == want


def test_a_rating_is_the_highest_level_and_a_limit_is_no_error() -> None:
    rating = rate(CHAINS)
    assert rating.exact and rating.level == max(level for level, _ in rating.stages)
    below = rate(variant(), time_limit=1e-9)
    assert not below.exact and str(below).startswith("harder than level ")
    assert rate("1234341221434321").level == (0, 0)


def test_other_boards_and_other_values_have_paths_too() -> None:
    wide = Puzzle.empty(replace(Shape.square(4), values=(-2, 5, 70, 300))).with_candidates(
        {"R1C1": (300,), "R2C3": (5,)}
    )
    wide = wide.with_candidates({"R1C2": (70,), "R3C3": (-2,), "R4C2": (5,), "R1C3": (-2, 5)})
    found = path(wide)
    assert found.end in ("several solutions", "solved", "contradiction") and found.left["R1C1"] == (300,)
    large = Shape.square(16)
    grid = solve(Puzzle.empty(large)).grid
    assert grid
    holes = tuple(None if i % 7 == 0 else v for i, v in enumerate(grid.values))
    assert path(Puzzle(large, holes)).end == "solved"


def test_rules_of_the_whole_board_are_taken_one_constraint_at_a_time() -> None:
    ladder = Ladder(Puzzle.empty(Shape.square(6)).with_rules(AntiKnight()))
    assert {len(atom.cells) for atom in ladder.atoms if atom.part == AntiKnight()} == {2}
    lines = Whisper(("R1C1", "R1C2", "R1C3"), 3), Palindrome(("R5C5", "R6C6")), Difference(("R1C5", "R1C6"), 1)
    assert sum(atom.part in lines for atom in Ladder(Puzzle.empty(SIX).with_rules(*lines)).atoms) == 3


def test_values_too_far_apart_for_sets_of_values_are_refused() -> None:
    far = Model([Variable("x", (0, 10**6)), Variable("y", (0, 1))], [])
    with pytest.raises(ValueError, match=r"^values up to 1,000,000 apart: steps are found up to 50,000$"):
        path(far)
