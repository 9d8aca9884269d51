"""Every kind of rule on the ladder: paths end in the one board that its judge accepts, whatever is turned or reordered.

The boards are those of ``tests.explain.samples``. ``python -m tests.explain.test_conformance 20 [KIND ...]`` is the
long run: twenty changed puzzles of each kind, and each fact of each step proved by another engine.
"""

from __future__ import annotations

import copy
import random
import sys
from dataclasses import replace

import pytest

from sudoku_models import Puzzle
from sudoku_models.explain import Ladder, path
from sudoku_models.explain.steps import Reasoner
from sudoku_models.make import morph
from sudoku_models.puzzle.rules import WeightedSum
from tests.explain.samples import FIVE, SAMPLED, Sample, generated, kinds, sample_of
from tests.explain.test_ladder import Proof

Log = list[tuple[tuple[int, int], set[tuple[str, int]]]]


def log(ladder: Ladder) -> Log:
    """Return level and facts of each stage: names of cells, and values that they lose."""
    return [
        (stage.level, {(ladder.names[c], b + ladder.low) for c, b in stage.facts})
        for stage in ladder.stages(ladder.start())
    ]


def renumbered(puzzle: Puzzle, rng: random.Random) -> Log:
    """Return the log with the cells numbered, and the atoms and their cells listed, in another order."""
    ladder = copy.copy(Ladder(puzzle, None, True))
    n = len(ladder.names)
    number = rng.sample(range(n), n)
    atoms = [replace(atom, cells=tuple(number[c] for c in atom.cells)) for atom in ladder.atoms]
    back = {new: old for old, new in enumerate(number)}
    start, full = ladder.start(), ladder.full
    ladder.take(rng.sample(atoms, len(atoms)), tuple(full[back[c]] for c in range(n)))
    found = ladder.stages([start[back[c]] for c in range(n)])
    return [(s.level, {(ladder.names[back[c]], b + ladder.low) for c, b in s.facts}) for s in found]


def check(sample: Sample, seed: str, number: int) -> tuple[Puzzle, int]:
    """Walk a puzzle of a rule to the solution of its judge, and so for changed ones, stage by stage.

    Renumbered cells and reordered atoms leave each stage as it is. A turned and relabelled board has as many removals
    in each. Returns the puzzle, and how many boards differed from it.
    """
    puzzle, solution = generated(sample, seed)
    way, rng = path(puzzle), random.Random(seed)
    assert way.end == "solved", way.end
    assert way.left == {x: (value,) for x, value in solution.items()}
    want, differing = log(way.ladder), 0
    turned = len(puzzle.names) == puzzle.shape.cells
    for i in range(number):
        if i % 2 and turned:
            other = morph(puzzle, i)
            found = log(Ladder(other, None, True))
            assert [(level, len(facts)) for level, facts in found] == [(level, len(facts)) for level, facts in want]
            differing += other != puzzle
        else:
            assert renumbered(puzzle, rng) == want
    return puzzle, differing


def proved(puzzle: Puzzle, stages: int, facts: int) -> int:
    """Prove facts of each step of the hardest stages by another engine; of one stage, that they need all it names."""
    way = path(puzzle)
    proof, reasoner, count = Proof(way.ladder), Reasoner(way.ladder), 0
    hardest = sorted(way.stages, key=lambda stage: stage.level, reverse=True)[:stages]
    for stage in hardest:
        seen = set()
        for step in reasoner.steps(stage):
            seen |= step.facts
            for fact in sorted(step.facts)[:facts]:
                assert proof.follows(step, fact)
                count += 1
            if stages == 1:
                assert not any(proof.follows(step, fact, without=a) for a in step.atoms)
                assert not any(proof.follows(step, fact, unread=c) for c in step.reads)
                return count
        assert seen == stage.facts
    return count


def test_every_kind_of_rule_has_a_sample() -> None:
    assert kinds() == SAMPLED
    assert all(type(sample_of(kind).rules[0]).__name__ == kind for kind in SAMPLED)


@pytest.mark.parametrize("kind", SAMPLED)
def test_a_path_ends_in_the_solution_and_every_stage_is_the_same_for_changed_puzzles(kind: str) -> None:
    check(sample_of(kind), kind, 0 if SAMPLED.index(kind) % 4 else 2)  # some of them renumbered, and turned


def givens(line: str) -> tuple[int | None, ...]:
    return tuple(int(text) if text != "." else None for text in line)


def test_a_long_sum_that_rows_and_columns_divide_alike_has_the_same_stages_when_they_are_exchanged() -> None:
    line = "...5.2......51...3.....4."
    cells = tuple(f"R{r}C{c}" for r, c in ("12", "14", "21", "22", "23", "31", "34", "35", "44", "51", "55"))
    exchanged = tuple(f"R{name[3]}C{name[1]}" for name in cells)
    puzzle = Puzzle(FIVE, givens(line), rules=(WeightedSum(cells, 37),))
    other = Puzzle(FIVE, givens("".join(line[i::5] for i in range(5))), rules=(WeightedSum(exchanged, 37),))
    back = [(level, {(f"R{x[3]}C{x[1]}", v) for x, v in facts}) for level, facts in log(Ladder(other, None, True))]
    assert back == log(Ladder(puzzle, None, True))


@pytest.mark.parametrize("kind", [*SAMPLED[3::12], "RegionSameValues"])
def test_the_hardest_step_follows_and_needs_all_that_it_names(kind: str) -> None:
    assert proved(generated(sample_of(kind), kind)[0], 1, 1)


def main(number: int, only: list[str]) -> None:
    """Check every kind of rule at length, and print what was checked."""
    for sample in map(sample_of, SAMPLED):
        if not only or sample.kind in only:
            puzzle, differing = check(sample, f"{sample.kind} {number}", number)
            print(f"{sample}: alike, {differing} were others; {proved(puzzle, 1000, 1000)} facts proved", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:])
