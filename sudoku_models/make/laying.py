"""Lay rules on a board the way setters do: grow places, in orbits of the layout's symmetry, and lay the most pleasing.

A cell is a number, a place a tuple of cells, an orbit the places that the symmetry exchanges. Kinds that state no
number can be laid on an empty board; others state what holds in its solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, groupby, pairwise, product
from random import Random
from typing import NamedTuple

from ..puzzle import Shape
from ..puzzle.rules import Board, Filled, Rule
from ..puzzle.shape import reached
from .kinds import BODIES, DRAWN, PLACES, Kind, kinds_of

Place = tuple[int, ...]
Orbit = tuple[Place, ...]
Corner = tuple[int, int]

CHOICE = 40
"""Orbits of which the most pleasing one is laid."""

ASKED = 8
"""The most orbits with places of one size about which it is asked whether they leave a solution."""

FEW = 9
"""Values that are tried in each cell to see whether a kind may hold at a place."""

TRIES = 800
"""Lines, regions or samples of cells that are begun for these."""

VAIN = 100
"""Grown places without a rule that holds, or without room, after which no further ones are grown."""

STUCK = 6
"""How often an orbit is taken off again because the next one of its kind finds no place."""

EARLY = 0.3
"""The share of lines that end before their length is reached."""

MIRRORED = 0.1
"""The share of lines that are their own image, where the symmetry allows it; the only ones where one rule is left."""


class Laid(NamedTuple):
    """An orbit of a kind, and its rules."""

    name: str
    orbit: Orbit
    rules: tuple[Rule, ...]

    @property
    def kind(self) -> Kind:
        return PLACES[self.name]


@lru_cache(maxsize=64)
def neighbours_of(shape: Shape) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the cells around each cell, those at its corners too, and those at its sides."""
    h, w = shape.height, shape.width
    around, beside = [], []
    for cell in range(h * w):
        y, x = divmod(cell, w)
        near = [(v, u) for v in range(y - 1, y + 2) for u in range(x - 1, x + 2) if 0 <= v < h and 0 <= u < w]
        around.append(tuple(v * w + u for v, u in near if (v, u) != (y, x)))
        beside.append(tuple(v * w + u for v, u in near if abs(v - y) + abs(u - x) == 1))
    return tuple(around), tuple(beside)


def is_whole(cells: set[int], beside: Sequence[Sequence[int]]) -> bool:
    return reached(min(cells), lambda cell: cells.intersection(beside[cell])) == cells


@dataclass
class Ground:
    """A board, the images of its cells under a symmetry (``maps``), and what was laid.

    ``values`` is the solution; without it, only what states no number can be laid, and ``possible`` says whether there
    is a solution with some further rules.
    """

    shape: Shape
    maps: Sequence[Place]
    rng: Random
    overlap: bool = False
    easy: bool = False
    values: Sequence[int] | None = None
    possible: Callable[[tuple[Rule, ...]], bool] = lambda rules: True
    laid: list[Laid] = field(default_factory=list)
    taken: dict[str, set[int]] = field(default_factory=dict)  # by layer
    there: set[tuple[str, Place]] = field(default_factory=set)
    corners: set[Corner] = field(default_factory=set)  # that a line passes or a circle covers
    steps: Counter[Corner] = field(default_factory=Counter)  # directions of the lines

    def __post_init__(self) -> None:
        self.around, self.beside = neighbours_of(self.shape)

    @cached_property
    def _board(self) -> Board:
        return Board(self.shape)

    def filled(self, values: Sequence[int]) -> Filled:
        """Return a solution as rules judge it."""
        return Filled(self._board, dict(zip(self.shape.names, values, strict=True)))

    @cached_property
    def _solved(self) -> Filled:
        assert self.values is not None
        return self.filled(self.values)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for entry in self.laid for rule in entry.rules)

    def names(self, place: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.shape.names[cell] for cell in place)

    def seen(self, place: Iterable[int]) -> list[int]:
        """Return the values of some cells in the solution."""
        assert self.values is not None
        return [self.values[cell] for cell in place]

    def step(self, a: int, b: int) -> Corner:
        """Return the rows and columns from one cell to another."""
        width = self.shape.width
        return b // width - a // width, b % width - a % width

    def corners_of(self, place: Sequence[int]) -> list[Corner]:
        """Return the corners of cells that a line passes or a circle covers: nothing else is drawn over them."""
        steps = [(*divmod(a, self.shape.width), *divmod(b, self.shape.width)) for a, b in pairwise(place)]
        return [(y + v, x + u) for y, x, v, u in steps if y != v and x != u]

    def images(self, place: Iterable[int]) -> list[Place]:
        """Return the images of a place, without the place itself."""
        cells = tuple(place)
        return [tuple(image[cell] for cell in cells) for image in self.maps]

    def orbit(self, kind: Kind, place: Place) -> Orbit:
        """Return a place and its images, each once; for most kinds a place read backwards is the same place."""
        key: Callable[[Place], object] = tuple if kind.directed else frozenset
        return tuple({key(p): p for p in (place, *self.images(place))}.values())

    def rule(self, kind: Kind, place: Place) -> Rule | None:
        """Return the rule that a kind states at a place; None if it states none that holds there."""
        names = self.names(place)
        bare = None if kind.bare is None or self.values is not None else kind.bare(names)
        rule = bare if self.values is None else kind.states(names, self.seen(place))
        try:
            if rule is not None:
                rule.check(self._board)
        except ValueError:  # an index of a box where there are no boxes
            return None
        return rule if rule is None or self.values is None or rule.judge(self._solved) else None

    def apart(self, place: Place) -> tuple[tuple[int, int], ...]:
        """Return the pairs of cells of a place that share a house, by their positions in it."""
        names, houses = self.names(place), self.shape.houses_of
        return tuple((i, k) for i, k in combinations(range(len(place)), 2) if houses[names[i]] & houses[names[k]])

    def may_hold(self, kind: Kind, place: Place) -> bool:
        """Return whether a kind holds at a place for some of the first values, which differ in cells of one house."""
        names, apart = self.names(place), self.apart(place)
        for values in product(self.shape.values[:FEW], repeat=len(place)):
            rule = kind.states(names, values) if all(values[i] != values[k] for i, k in apart) else None
            if rule is not None and rule.judge(Filled(self._board, dict(zip(names, values, strict=True)))):
                return True
        return False

    def rules_of(self, kind: Kind, orbit: Orbit) -> tuple[Rule, ...] | None:
        """Return the rules at each place of an orbit; None if none holds at one of them."""
        found: list[Rule] = []
        for place in orbit:
            if (rule := self.rule(kind, place)) is None:
                return None
            found.append(rule)
        return tuple(found)

    def blocked(self, kind: Kind) -> set[int]:
        """Return the cells that a kind may not use."""
        if kind.shares or (self.overlap and kind.layer == "line"):
            return set()
        layers = BODIES if kind.layer in BODIES and not self.overlap else (kind.layer,)
        return set().union(*(self.taken.get(layer, set()) for layer in layers))

    def is_free(self, kind: Kind, orbit: Orbit) -> bool:
        """Return whether no place of an orbit meets another one, of the orbit or of the layer, or crosses a line."""
        if kind.shares:
            ways = [place if kind.directed else min(place, place[::-1]) for place in orbit]
            return not any((kind.layer, way) in self.there for way in ways)
        cells = [cell for place in orbit for cell in place]
        if len(set(cells)) < len(cells) or not self.blocked(kind).isdisjoint(cells):
            return False
        corners = [corner for place in orbit for corner in self.corners_of(place)] if kind.layer in DRAWN else []
        return len(set(corners)) == len(corners) and (self.overlap or self.corners.isdisjoint(corners))

    def put(self, entry: Laid) -> None:
        self.laid.append(entry)
        kind = entry.kind
        for place in entry.orbit:
            self.taken.setdefault(kind.layer, set()).update(place)
            self.there.add((kind.layer, place if kind.directed else min(place, place[::-1])))
            if kind.layer in DRAWN:
                self.corners.update(self.corners_of(place))
            if kind.layer == "line":
                self.steps.update(self.step(a, b) for a, b in pairwise(place))

    def number(self, name: str) -> int:
        """Return how many rules of a kind were laid."""
        return sum(len(entry.rules) for entry in self.laid if entry.name == name)

    def take_off(self, name: str) -> None:
        """Remove a random rule of a kind, with its images under the symmetry."""
        gone = self.rng.choice([entry for entry in self.laid if entry.name == name])
        kept = [entry for entry in self.laid if entry is not gone]
        self.laid, self.taken, self.there, self.corners, self.steps = [], {}, set(), set(), Counter()
        for entry in kept:
            self.put(entry)

    def lay_given(self, rules: Iterable[Rule]) -> None:
        """Lay rules of known kinds where they are, so that others keep away from them."""
        numbers = {name: cell for cell, name in enumerate(self.shape.names)}
        for rule in rules:
            name = next((kind for kind in sorted(kinds_of(rule)) if kind in PLACES), None)
            if name is not None:
                self.put(Laid(name, (tuple(numbers[x] for x in rule.scope),), (rule,)))


# ---- where a kind can lie


def orbit_sizes(shape: Shape, maps: Sequence[Place], kind: Kind) -> set[int]:
    """Return how many places of a kind the orbits of a symmetry may have."""
    whole, where = len(maps) + 1, kind.placing.place
    if where in ("cage", "anywhere"):
        return set(range(1, whole + 1))
    ground = Ground(shape, maps, Random(0))
    if where in ("line", "middle"):  # some lines without a direction are their own image
        own = whole == 2 and not kind.directed and _keeps_its_image(ground, kind)
        return {1, whole} if own else {whole}
    every = (ground.orbit(kind, place) for place in _fixed_places(ground, where, kind.directed, kind.size))
    return {len(orbit) for orbit in every if ground.is_free(kind, orbit)}


def _keeps_its_image(ground: Ground, kind: Kind) -> bool:
    """Return whether a line that is its own image may keep a rule, judged by the three cells in its middle."""
    image = ground.maps[0]
    fixed = [cell for cell, other in enumerate(image) if cell == other]
    if kind.placing.place != "middle" or not kind.placing.grows:
        return bool(fixed)
    inner = ((cell, middle, image[cell]) for middle in fixed for cell in ground.around[middle] if image[cell] != cell)
    unlike = {ground.apart(place): place for place in inner}  # what holds at a place depends on its houses alone
    return any(ground.may_hold(kind, place) for place in unlike.values())


def places(ground: Ground, kind: Kind, size: tuple[int, int], room: int = 1) -> Iterator[Place]:
    """Yield places of a kind in random order, for ``room`` rules; lines and cages are grown, with ``size`` cells."""
    where, rng, shape = kind.placing.place, ground.rng, ground.shape
    if where in ("line", "middle"):
        return _lines(ground, kind, size, room)
    if where == "cage":
        return _regions(ground, kind, size)
    if where == "anywhere":
        sizes = range(TRIES if size[1] <= shape.cells else 0)
        return (tuple(sorted(rng.sample(range(shape.cells), rng.randint(*size)))) for _ in sizes)
    found = _fixed_places(ground, where, kind.directed, size)
    return iter(rng.sample(found, len(found)))


def _fixed_places(ground: Ground, where: str, directed: bool, size: tuple[int, int]) -> list[Place]:
    """Return all places of a kind that does not grow."""
    shape = ground.shape
    height, width, cells = shape.height, shape.width, range(shape.cells)
    if where == "single":
        return [(cell,) for cell in cells]
    if where == "couple":
        return [(a, b) for a in cells for b in ground.beside[a] if directed or a < b]
    if where == "square":
        starts = [c for c in cells if c % width < width - 1 and c // width < height - 1]
        return [(c, c + 1, c + width, c + width + 1) for c in starts]
    if where == "diagonal":
        slanted = [_slanted(shape, start, dy, dx) for start in cells for dy in (1, -1) for dx in (1, -1)]
        return [place for place in slanted if size[0] <= len(place) <= size[1]]
    lines = [tuple(range(y * width, (y + 1) * width)) for y in range(height)]
    lines += [tuple(range(x, shape.cells, width)) for x in range(width)]
    lines += [line[::-1] for line in lines] if where == "outside" else []
    return [line for line in lines if len(line) >= size[0]]


def _slanted(shape: Shape, start: int, dy: int, dx: int) -> Place:
    """Return the diagonal from a cell at the rim; empty from a cell that is not its first one."""
    (y, x), h, w = divmod(start, shape.width), shape.height, shape.width
    if 0 <= y - dy < h and 0 <= x - dx < w:
        return ()
    ends = range(min(h, w))
    return tuple((y + i * dy) * w + x + i * dx for i in ends if 0 <= y + i * dy < h and 0 <= x + i * dx < w)


def _keeps(ground: Ground, kind: Kind, place: Place) -> bool:
    """Return whether a place that may still grow, and each of its images, keeps the rule so far."""
    if ground.values is None or not kind.placing.grows or len(place) < 2:
        return True
    return all(ground.rule(kind, p) is not None for p in (place, *ground.images(place)))


def _lines(ground: Ground, kind: Kind, size: tuple[int, int], room: int) -> Iterator[Place]:
    """Grow lines by steps to side or corner neighbours, at both ends if they grow from their middle.

    Some lines without a direction grow from a cell that is its own image, so that they are their own image.
    """
    rng, taken, both = ground.rng, ground.blocked(kind), kind.placing.place == "middle"
    free = [cell for cell in range(ground.shape.cells) if cell not in taken]
    image = ground.maps[0] if len(ground.maps) == 1 and not kind.directed else ()
    fixed = [cell for cell in free if image and image[cell] == cell]
    for _ in range(TRIES if free else 0):
        goal = rng.randint(*size)
        own = image if fixed and (room == 1 or rng.random() < MIRRORED) else ()
        path: Place = (rng.choice(fixed if own else free),)
        if both and goal % 2 == 0 and not own:
            path += tuple(_ahead(ground, path, taken)[:1])
        if not own and not _apart(ground, path):
            continue
        while len(path) < goal - bool(own):
            longer = _longer(ground, path, taken, both or bool(own), own)
            more = next((p for p in longer if (own or _apart(ground, p)) and _keeps(ground, kind, p)), None)
            if more is None:
                break
            path = more
            if len(path) >= size[0] and ground.values is not None and rng.random() < EARLY:
                yield path
        regions = sum(1 for _ in groupby(ground.shape.region_of[cell] for cell in path))
        if size[0] <= len(path) <= size[1] and regions >= kind.placing.regions:
            yield path


def _apart(ground: Ground, path: Place) -> bool:
    """Return whether a line does not meet its images."""
    return all(set(path).isdisjoint(image) for image in ground.images(path))


def _longer(ground: Ground, path: Place, taken: set[int], both: bool, image: Place = ()) -> Iterator[Place]:
    """Yield lines with one further cell, or with one at each end, which is the image of the other if there is one."""
    heads = _ahead(ground, path, taken)
    if not both:
        yield from ((*path, cell) for cell in heads)
        return
    for tail in _ahead(ground, path[::-1], taken):
        for head in heads:
            longer = (tail, *path, head)
            corners = ground.corners_of(longer)
            if tail != head and len(set(corners)) == len(corners) and (not image or image[head] == tail):
                yield longer


def _ahead(ground: Ground, path: Place, taken: set[int]) -> list[int]:
    """Return the cells after the last one: first those that bend little and touch no other cell of the line."""
    head, passed, found = path[-1], {*ground.corners, *ground.corners_of(path)}, []
    before = ground.step(path[-2], head) if len(path) > 1 else None
    for cell in ground.around[head]:
        if cell in taken or cell in path or not passed.isdisjoint(ground.corners_of((head, cell))):
            continue
        bend = 0 if before is None else sum(abs(a - b) for a, b in zip(before, ground.step(head, cell), strict=True))
        touch = sum(near in path for near in ground.around[cell]) - 1
        found.append((max(0, bend - 1) ** 2 + 2 * touch + 2.5 * ground.rng.random(), cell))
    return [cell for _, cell in sorted(found)]


def _regions(ground: Ground, kind: Kind, size: tuple[int, int]) -> Iterator[Place]:
    """Grow connected regions, compact ones more often."""
    rng, taken = ground.rng, ground.blocked(kind)
    free = [cell for cell in range(ground.shape.cells) if cell not in taken]
    for _ in range(TRIES if free else 0):
        cells, goal = [rng.choice(free)], rng.randint(*size)
        while len(cells) < goal:
            edge = sorted({d for c in cells for d in ground.beside[c] if d not in cells and d not in taken})
            fitting = [d for d in edge if _keeps(ground, kind, (*cells, d))]
            if not fitting:
                break
            cells.append(max(fitting, key=lambda d: 0.4 * sum(e in cells for e in ground.beside[d]) + rng.random()))
        if len(cells) >= size[0]:
            yield tuple(sorted(cells))


# ---- what pleases


def pleases(ground: Ground, kind: Kind, orbit: Orbit, goal: float) -> float:
    """Return the score of an orbit: its length, its distance from what lies there, directions that are rare, bends."""
    score = 0.0
    for place in orbit:
        others = {cell for other in orbit if other != place for cell in other}
        if kind.layer in BODIES:
            score -= 1.2 * abs(len(place) - goal)
        if not kind.shares:
            near = {d for c in place for d in ground.around[c]}.difference(place)
            score -= 0.25 * len(near & (ground.taken.get(kind.layer, set()) | others))
        if kind.layer == "outside" or (kind.layer == "line" and kind.directed):
            score -= (3 if kind.shares else 1) * _crowd(ground, kind, place, orbit)
        if kind.layer == "line":
            score -= _stiffness(ground, place)
        if kind.layer == "pair":  # a mark on a line hides it
            lines = (line for entry in ground.laid if entry.kind.layer == "line" for line in entry.orbit)
            score -= any({*place} == {*step} for line in lines for step in pairwise(line))
    return score / len(orbit) + 0.5 * ground.rng.random()


def _crowd(ground: Ground, kind: Kind, place: Place, orbit: Orbit) -> int:
    """Return how many clues outside, or beginnings of lines, lie beside that of a place, which is hard to read."""

    def written(place: Place) -> Corner:
        dy, dx = ground.step(place[0], place[1]) if kind.shares and len(place) > 1 else (0, kind.shares)
        return place[0] // ground.shape.width - dy, place[0] % ground.shape.width - dx

    laid = (e for e in ground.laid if e.kind.layer == kind.layer and (kind.shares or e.kind.directed))
    begun = [p for entry in laid for p in entry.orbit]
    y, x = written(place)
    ends = [written(p) for p in (*begun, *(p for p in orbit if p != place))]
    return sum(max(abs(y - v), abs(x - u)) < 2 for v, u in ends)


def _stiffness(ground: Ground, place: Place) -> float:
    """Return what a line costs: turns of a right angle, coils, no bend at all, and directions that many lines have."""
    moves, bends = [ground.step(a, b) for a, b in pairwise(place)], _bends(ground, place)
    coils = sum(b in ground.around[a] for i, a in enumerate(place) for b in place[i + 2 :])
    total = sum(ground.steps.values()) or 1
    usual = sum(ground.steps[y, x] + ground.steps[-y, -x] for y, x in moves) / total / max(len(moves), 1)
    return 0.3 * sum(bend > 1 for bend in bends) + 0.6 * (not any(bends)) + 0.3 * coils + usual


def _bends(ground: Ground, place: Place) -> list[int]:
    """Return how much a line turns in each of its inner cells: from 0, straight on, to 3, sharply back."""
    moves = [ground.step(a, b) for a, b in pairwise(place)]
    return [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(moves)]


# ---- laying


def lay(ground: Ground, name: str, number: int | None, size: tuple[int, int] | None = None) -> None:
    """Lay rules of a kind until there are ``number`` (None: wherever one holds), or no place is left.

    If no place is found for an orbit, others are taken off, and laid anew.
    """
    kind, stuck = PLACES[name], 0
    low, high = size or kind.size
    if number is None:
        for place in places(ground, kind, (low, high)):
            if ground.is_free(kind, (place,)) and (rules := ground.rules_of(kind, (place,))):
                ground.put(Laid(name, (place,), rules))
        return
    while (done := ground.number(name)) < number:
        goal = max(low, high - (high - low) * (done + 0.5) / number)  # the longest first: there is room
        if lay_one(ground, name, number - done, (low, high), goal):
            continue
        if stuck == STUCK or not done:
            break
        stuck += 1
        ground.take_off(name)


def lay_one(
    ground: Ground,
    name: str,
    room: int,
    size: tuple[int, int] | None = None,
    goal: float | None = None,
    wrong: Sequence[Filled] = (),
) -> bool:
    """Lay the most pleasing of some orbits of at most ``room`` rules that are free and hold; return whether any is.

    What refuses more of the ``wrong`` solutions is preferred.
    """
    kind, vain = PLACES[name], 0
    size = size or kind.size
    goal = sum(size) / 2 if goal is None else goal
    found: dict[frozenset[int], tuple[float, Laid]] = {}
    for place in places(ground, kind, size, room):
        orbit, key = ground.orbit(kind, place), frozenset(place)
        fits = len(orbit) <= room and key not in found and ground.is_free(kind, orbit)
        rules = ground.rules_of(kind, orbit) if fits else None
        if rules is None:
            vain += 1
            if vain > (VAIN if found else 4 * VAIN):
                break
            continue
        refused = sum(not all(rule.judge(filled) for rule in rules) for filled in wrong) / max(1, len(wrong))
        score = pleases(ground, kind, orbit, goal) + 3 * refused
        if ground.easy and kind.vague is not None:
            score -= sum(kind.vague(rule, ground.shape.height) for rule in rules)
        found[key] = score, Laid(name, orbit, rules)
        if len(found) >= CHOICE:
            break
    asked = Counter[int]()
    for _, entry in sorted(found.values(), key=lambda pair: -pair[0]):
        if kind.layer == "line" and any(bend > 2 for place in entry.orbit for bend in _bends(ground, place)):
            continue
        asked[len(entry.orbit[0])] += 1
        if asked[len(entry.orbit[0])] <= ASKED and (ground.values is not None or ground.possible(entry.rules)):
            ground.put(entry)
            return True
    return False


def some_rule(kind: str, shape: Shape) -> Rule | None:
    """Return a rule of a kind on a board, which need not hold on any grid; None if there is no room."""
    known, ground = PLACES[kind], Ground(shape, (), Random(0))
    place = next(places(ground, known, known.size), None)
    if place is None:
        return None
    names, one = ground.names(place), [1] * len(place)
    tries = (known.states(names, values) for values in (range(1, len(place) + 1), (1, 4, *one[2:]), one))
    return next((rule for rule in tries if rule is not None), None)
