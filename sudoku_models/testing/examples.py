"""Models whose numbers of solutions are known from elsewhere, models that are hard for every engine, random boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from random import Random

from ..model import AllDifferent, Compare, Constraint, Domain, InDomain, Linear, Model, Objective, Table, Variable
from ..puzzle import Shape

Known = tuple[str, Model, int]


def known() -> Iterator[Known]:
    """Yield a name, a model, and how many solutions it has."""
    yield from _differences()
    yield from _orders()
    yield from _sums()
    yield from _tables()
    yield from _colourings()
    yield from _squares()


def _line(count: int, low: int, high: int) -> list[Variable]:
    return [Variable(f"x{i}", range(low, high + 1)) for i in range(count)]


def _differences() -> Iterator[Known]:
    for n, count in ((1, 1), (3, 6), (4, 24), (5, 120)):
        yield f"permutations of {n}", Model(xs := _line(n, 1, n), [AllDifferent(xs)]), count
    yield "injections of 3 into 5", Model(xs := _line(3, 1, 5), [AllDifferent(xs)]), 60
    for n in (2, 4, 6):
        yield f"{n + 1} pigeons in {n} holes", Model(xs := _line(n + 1, 1, n), [AllDifferent(xs)]), 0
    xs = _line(4, 1, 4)
    moved = [InDomain(x, [v for v in range(1, 5) if v != i + 1]) for i, x in enumerate(xs)]
    yield "derangements of 4", Model(xs, [AllDifferent(xs), *moved]), 9
    for n, count in ((4, 2), (5, 10), (6, 4)):
        xs = _line(n, 1, n)
        pairs = [(a, b, j - i) for (i, a), (j, b) in combinations(enumerate(xs), 2)]
        diagonals = [Compare(a, "!=", b, c) for a, b, d in pairs for c in (d, -d)]
        yield f"{n} queens", Model(xs, [AllDifferent(xs), *diagonals]), count


def _orders() -> Iterator[Known]:
    for op, count in (("<", 20), ("<=", 56), (">", 20), (">=", 56)):
        xs = _line(3, 1, 6)
        yield f"3 of 1..6 in the order {op}", Model(xs, [Compare(xs[0], op, xs[1]), Compare(xs[1], op, xs[2])]), count
    xs = _line(2, 1, 6)
    for c, count in ((0, 6), (1, 5), (-5, 1), (6, 0)):
        yield f"pairs that differ by {c}", Model(xs, [Compare(xs[0], "==", xs[1], c)]), count
        yield f"pairs that do not differ by {c}", Model(xs, [Compare(xs[0], "!=", xs[1], c)]), 36 - count


def _sums() -> Iterator[Known]:
    ways = {3: 1, 4: 3, 5: 6, 10: 27, 11: 27, 18: 1, 19: 0}
    for total, count in ways.items():
        xs = _line(3, 1, 6)
        yield f"three dice with the sum {total}", Model(xs, [Linear((1, 1, 1), xs, "==", total)]), count
    for op, count in (("<=", 81), ("<", 56), (">=", 160), (">", 135), ("!=", 191)):
        xs = _line(3, 1, 6)
        yield f"three dice with a sum {op} 9", Model(xs, [Linear((1, 1, 1), xs, op, 9)]), count
    change = [Variable(name, range(51 // coin + 1)) for name, coin in (("q", 25), ("d", 10), ("n", 5), ("p", 1))]
    yield "change of 50 cents", Model(change, [Linear((25, 10, 5, 1), change, "==", 50)]), 49


def _tables() -> Iterator[Known]:
    xor = [row for row in product((0, 1), repeat=3) if sum(row) % 2 == 0]
    for n in (3, 5, 8):
        xs = _line(n, 0, 1)
        yield f"parity along {n}", Model(xs, [Table(xs[i : i + 3], xor) for i in range(n - 2)]), 4
    for n, count in ((2, 3), (5, 13), (8, 55)):
        xs = _line(n, 0, 1)
        apart = [Table(pair, [(1, 1)], allowed=False) for pair in pairwise(xs)]
        yield f"independent sets of a path of {n}", Model(xs, apart), count


def _colourings() -> Iterator[Known]:
    ring = [(i, (i + 1) % 5) for i in range(5)]
    petersen = [*ring, *((i, i + 5) for i in range(5)), *((5 + i, 5 + (i + 2) % 5) for i in range(5))]
    complete = list(combinations(range(4), 2))
    for name, vertices, edges, count in (
        ("a ring of 5", 5, ring, 30),
        ("the Petersen graph", 10, petersen, 120),
        ("the complete graph of 4", 4, complete, 0),
    ):
        xs = _line(vertices, 1, 3)
        yield f"3-colourings of {name}", Model(xs, [Compare(xs[a], "!=", xs[b]) for a, b in edges]), count


def _squares() -> Iterator[Known]:
    yield "4x4 Sudoku", structure(2, 2), 288
    for n, count in ((2, 2), (3, 12), (4, 576)):
        yield f"{n}x{n} Latin squares", Shape.latin(n).model, count
    latin = Shape.latin(5).model
    first = [InDomain(f"R1C{c}", (c,)) for c in range(1, 6)]
    yield "5x5 Latin squares with a fixed first row", latin.with_(*first), 1344
    xs = _line(9, 1, 9)
    lines = [xs[i : i + 3] for i in (0, 3, 6)] + [xs[i::3] for i in range(3)] + [xs[0::4], xs[2:7:2]]
    yield "3x3 magic squares", Model(xs, [AllDifferent(xs), *(Linear((1, 1, 1), x, "==", 15) for x in lines)]), 8


def parity(vertices: int, seed: int = 1) -> Model:
    """Return an unsatisfiable parity problem on a random cubic graph (Tseitin): hard for every engine that searches.

    The parities at the vertices add up to an odd number, and every edge counts at two of them.
    """
    edges = _cubic(Random(seed), vertices)
    xs = [Variable(f"e{i}", (0, 1)) for i in range(len(edges))]
    constraints: list[Constraint] = []
    for v in range(vertices):
        at = [x for x, edge in zip(xs, edges, strict=True) if v in edge]
        constraints.append(Table(at, [row for row in product((0, 1), repeat=3) if sum(row) % 2 == (v == 0)]))
    return Model(xs, constraints)


def _cubic(rng: Random, vertices: int) -> list[tuple[int, int]]:
    while True:
        ends = rng.sample([v for v in range(vertices) for _ in range(3)], 3 * vertices)
        edges = [(min(a, b), max(a, b)) for a, b in zip(ends[::2], ends[1::2], strict=True)]
        if len(set(edges)) == len(edges) and all(a != b for a, b in edges):
            return edges


def independent_set(vertices: int = 120, neighbours: int = 18) -> Model:
    """As many vertices of a random graph as can be chosen without two neighbours: easy to begin, hard to finish.

    A vertex has ``degree`` neighbours on average.
    """
    rng, xs = Random(2027), [Variable(f"x{i}", (0, 1)) for i in range(vertices)]
    edges = [pair for pair in combinations(xs, 2) if rng.random() * (vertices - 1) < neighbours]
    return Model(xs, [Linear((1, 1), pair, "<=", 1) for pair in edges], Objective("maximize", [1] * vertices, xs))


def structure(height: int, width: int) -> Model:
    """Return the model of the empty Sudoku with boxes of height x width cells."""
    return Shape.square(height * width, (height, width)).model


def solved(rng: Random, height: int, width: int) -> list[int]:
    """Return a solved grid, row by row: the cyclic one with rows, columns and values shuffled as the boxes allow."""
    n = height * width
    rows = [height * band + i for band in _shuffled(rng, width) for i in _shuffled(rng, height)]
    columns = [width * stack + j for stack in _shuffled(rng, height) for j in _shuffled(rng, width)]
    digits = _shuffled(rng, n)
    return [1 + digits[(width * (r % height) + r // height + c) % n] for r in rows for c in columns]


@dataclass(frozen=True)
class NarrowedBoard:
    """A structure with domains for some of its cells."""

    model: Model
    domains: dict[str, Domain]

    def __str__(self) -> str:
        return f"{len(self.model.names)} cells with {self.domains}"


def random_board(rng: Random, model: Model, height: int, width: int, givens: int) -> NarrowedBoard:
    """Return a board with a number of givens, some with candidates in further cells, and one in six with a wrong
    given.
    """
    grid = dict(zip(model.names, solved(rng, height, width), strict=True))
    chosen = rng.sample(model.names, givens)
    domains: dict[str, Domain] = {name: (grid[name],) for name in chosen}
    values = range(1, height * width + 1)
    if rng.random() < 1 / 6 and chosen:
        domains[chosen[0]] = (rng.choice([v for v in values if v != grid[chosen[0]]]),)
    if rng.random() < 0.5:
        for name in rng.sample(model.names, len(model.names) // 6):
            some = rng.sample(values, rng.randint(1, len(values) - 1))
            domains.setdefault(name, tuple(sorted({*some, grid[name]} if rng.random() < 0.95 else some)))
    return NarrowedBoard(model, domains)


def _shuffled(rng: Random, n: int) -> list[int]:
    return rng.sample(range(n), n)
