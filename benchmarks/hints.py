"""Hints: whether each technique is named and complete, whether the easiest step is shown, and how long a hint takes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, product, takewhile
from statistics import quantiles

from sudoku_models import Puzzle, solve
from sudoku_models.explain import Ladder, hint
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.classic import walked
from sudoku_models.explain.patterns import Pattern, State, in_order
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.make import generate
from tests.explain.samples import buried
from tests.explain.techniques import MORE, TECHNIQUES, Removed, avoidable, rectangles

from .tables import Sample, Table, command, cpu

WANTED = 50
"""Positions of a technique, at most two on a board."""
PLANTED = 64
"""Boards made of each puzzle for techniques that are rare on the way to a solution."""
DEAREST = 5.7
"""The cost up to which patterns are searched on these boards: of dearer ones they have thousands."""
LIKE = {"set AIC": "AIC with almost locked sets", "set continuous loop": "loop with almost locked sets"}
LIKE |= {"set discontinuous loop": LIKE["set AIC"]}
SE_SINGLES = 23
"""The highest number of a single on the SE-like scale, in tenths."""

Position = tuple[Puzzle, list[int], frozenset[int]]
"""A puzzle, its candidates as masks, and the cells that are filled in."""


def tables(sample: Sample) -> list[Table]:
    """Measure names on boards without singles, and steps and times on boards in the middle of a game."""
    puzzles = list(generate(sample.some(100), seed=2, rating=(3.0, 9.0)))
    stuck = [position for puzzle in puzzles for position in positions(puzzle, singles=False)]
    playing = [position for puzzle in puzzles for position in positions(puzzle, singles=True)][: sample.some(500)]
    graves = (grave(puzzle, seed) for seed, puzzle in product(range(2), puzzles))
    sparse = (planted(puzzle, seed) for seed, puzzle in product(range(PLANTED), puzzles))
    every = chain(((position, 99.0) for position in stuck), ((position, DEAREST) for position in chain(graves, sparse)))
    return [families(every), steps(playing), times(playing)]


def positions(puzzle: Puzzle, singles: bool) -> Iterator[Position]:
    """Yield boards on the way to the solution, with some of the false candidates removed by chance."""
    rng, finder = random.Random(puzzle.to_line()), Finder(Ladder(puzzle))
    truth = [value - 1 for value in solve(puzzle).values.values()]  # type: ignore[union-attr]
    masks, placed = finder.ladder.start(), {c for c, v in enumerate(puzzle.givens) if v}
    for _ in range(3):
        state = finder.state(masks, placed)
        while not singles and (found := next((p for p in in_order(state) if p.cost < 2.4), None)) and found.sets:
            cell = found.sets.bit_length() - 1
            masks[cell % 81] = 1 << cell // 81
            placed.add(cell % 81)
            state = finder.state(masks, placed)
        masks = list(state.masks)
        if not state.open:
            return
        yield puzzle, list(masks), frozenset(placed)
        for c in rng.sample(state.open, min(len(state.open), 9)):
            if singles:
                placed.add(c)
                masks[c] = 1 << truth[c]
            else:
                masks[c] &= rng.getrandbits(9) | 1 << truth[c] | rng.getrandbits(9)


def planted(puzzle: Puzzle, seed: int) -> Position:
    """Return a board with few false candidates, in which the corners of a rectangle have two values."""
    rng, finder = random.Random(seed), Finder(Ladder(puzzle))
    truth = [value - 1 for value in solve(puzzle).values.values()]  # type: ignore[union-attr]
    placed = {c for c, v in enumerate(puzzle.givens) if v}
    masks = finder.state(finder.ladder.start(), placed).masks
    more = {c for c in range(81) if rng.random() < 0.3 * (seed % 3) / 2}
    while more:
        placed |= more
        masks = finder.state([1 << truth[c] if c in placed else m for c, m in enumerate(masks)], placed).masks
        more = {c for c, mask in enumerate(masks) if not mask & (mask - 1)} - placed
    pairs = ((some, 1 << truth[a] | 1 << truth[b]) for some in rectangles() for a, b in combinations(some, 2))
    able = [(some, pair) for some, pair in pairs if all(not pair & ~masks[c] for c in some) and pair & (pair - 1)]
    opposite = [x for x in able if any(truth[x[0][i]] == truth[x[0][i + 2]] for i in (0, 1))]
    corners, pair = rng.choice(opposite if opposite and seed % 2 else able) if able else ((), 0)
    extra = rng.choice([1 << truth[c] for c in corners if not pair >> truth[c] & 1] or [0])
    extra |= rng.choice((0, 0, 0, rng.getrandbits(9)))
    twins = [1 << truth[c] for c, d in zip(corners, corners[2:], strict=False) if truth[c] == truth[d]]
    spare, share = next(iter(twins), pair & -pair) * rng.getrandbits(1), rng.uniform(0.0, 0.5)
    for c in (c for c in range(81) if c not in placed):
        others = [b for b in bits(masks[c] & ~spare) if b != truth[c]] or list(bits(masks[c]))
        kept = {truth[c], rng.choice(others), *(b for b in others if rng.random() < share)}
        two = 1 << truth[c] | pair | masks[c] & extra * rng.getrandbits(1)
        masks[c] = two if c in corners else sum(1 << b for b in kept)
    return puzzle, masks, frozenset(placed)


def grave(puzzle: Puzzle, seed: int) -> Position:
    """Return a board with the solution of a puzzle, all of whose open cells but one have two values."""
    truth = list(solve(puzzle).values.values())  # type: ignore[union-attr]
    masks = buried(truth, seed)
    filled = [v if 1 << v - 1 == mask else 0 for v, mask in zip(truth, masks, strict=True)]
    return Puzzle.parse("".join(map(str, filled))), masks, frozenset(c for c, v in enumerate(filled) if v)


def families(every: Iterable[tuple[Position, float]]) -> Table:
    """Find techniques by definition, and ask whether a pattern of their name, up to a cost, has all they remove."""
    met: dict[str, list[int]] = {}
    for (puzzle, masks, placed), most in every:
        board = [frozenset(b + 1 for b in bits(mask)) for mask in masks]
        given = frozenset(c for c, v in enumerate(puzzle.givens) if v)
        able = TECHNIQUES | MORE | {"avoidable rectangle": partial(avoidable, given=given)}
        found = {name: drawn(find(board)) for name, find in able.items() if sum(met.get(name, ())) < WANTED}
        state = Finder(Ladder(puzzle, assume_unique=True)).state(masks, placed)
        shown = up_to(most, state) if any(found.values()) else []
        for name, some in found.items():
            counts = met.setdefault(name, [0, 0, 0])
            for removed in some:
                counts[judged(shown, name, removed)] += 1
    rows = [
        (name, str(sum(c)), *map(str, c), f"{c[0] / (c[0] + c[2]):.0%}" if c[0] + c[2] else "")
        for name, c in met.items()
    ]
    columns = ("technique", "positions", "named and whole", "something easier", "missed", "where it is the easiest")
    return Table("Named patterns", columns, rows)


def up_to(most: float, state: State) -> list[Pattern]:
    """Return the patterns of a board up to a cost."""
    return list(takewhile(lambda pattern: pattern.cost <= most, in_order(state)))


def drawn(found: Iterator[Removed]) -> list[Removed]:
    """Return two of the positions on a board that remove anything."""
    every = sorted({removed for removed in found if removed}, key=sorted)
    return random.Random(len(every)).sample(every, min(2, len(every)))


def judged(shown: Sequence[Pattern], name: str, removed: Removed) -> int:
    """Return 0 if a pattern of a name removes all of something, 1 if an easier one does, else 2."""
    wanted, name = sum(1 << (value - 1) * 81 + cell for cell, value in removed), LIKE.get(name, name)
    mine = [p for p in shown if any(called(title, name) for title in (p.name, *p.also))]
    whole = [p for p in shown if not wanted & ~p.out]
    if any(p in mine for p in whole):
        return 0
    return 1 if whole and whole[0].cost < min((p.cost for p in mine), default=99) else 2


def called(title: str, name: str) -> bool:
    """Return whether a title is a name, or says more: "finned Franken X-wing", "simple colours, trap"."""
    return title == name or title.startswith(f"{name},") or (name[:3] in ("Fra", "mut") and title.endswith(name))


def steps(every: Sequence[Position]) -> Table:
    """Compare the cost of the step that a hint shows with the first step of the SE-like scale."""
    other = harder = 0
    for puzzle, masks, placed in every:
        finder = Finder(Ladder(puzzle))
        found = finder.easiest(finder.state(masks, placed), masks)
        cost = 99.0 if found is None or found.pattern is None else found.pattern.cost
        first = walked([m if m & (m - 1) or c in placed else 511 for c, m in enumerate(masks)], highest=0).stages[:1]
        least = first[0].level if first else 990
        other += least in (10, 12, 15, SE_SINGLES) and cost > SE_SINGLES / 10
        harder += cost > least / 10 + 0.5
    return Table(
        "Steps", ("boards", "single shown as another", "harder by .5"), [(str(len(every)), str(other), str(harder))]
    )


def times(every: Sequence[Position]) -> Table:
    """Measure hints on boards, without and with the assumption of one solution."""
    rows = []
    for unique in (False, True):
        spent = sorted(cpu(partial(asked, *position, unique)) for position in every)
        cuts = quantiles(spent, n=100) if len(spent) > 1 else spent * 99
        rows.append(("one solution assumed" if unique else "proved", f"{cuts[49]:.3f}", f"{cuts[98]:.3f}"))
    return Table("Hints", ("hint", "median", "99 %"), rows, "CPU seconds.")


def asked(puzzle: Puzzle, masks: Sequence[int], placed: frozenset[int], unique: bool) -> None:
    """Ask for a hint on a board with its candidates."""
    values = [tuple(b + 1 for b in bits(mask)) for mask in masks]
    pairs = zip(puzzle.shape.names, values, strict=True)
    hint(puzzle, {x: v[0] if c in placed else v for c, (x, v) in enumerate(pairs)}, assume_unique=unique)


if __name__ == "__main__":
    command(__doc__, tables)
