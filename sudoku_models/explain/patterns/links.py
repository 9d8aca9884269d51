"""The table of strong links, and the chains that alternate strong and weak ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from ..atoms import bits
from .board import Node, State, once

MOST_STEPS = 200_000
"""Walks that take more steps than this end: boards with very many links have easier steps."""


class Link(NamedTuple):
    """A strong link. ``kind`` is "cell", "group", "als", "rule", or the kind of the house.

    ``where`` are the cells that are read (of a cell or an almost locked set), or the number of the house's or rule's
    atom.
    """

    a: Node
    b: Node
    kind: str
    where: int

    @property
    def in_cells(self) -> bool:
        """Return whether the link holds by the candidates of its cells."""
        return self.kind in ("cell", "als")


Path = tuple[tuple[Node, Node, Link], ...]
"""Strong links in order, each from its first to its second node; the second is weakly linked to the next first."""


@once
def links(state: State, kind: str) -> list[Link]:
    """Return the strong links of a kind: of cells with two values ("cell"), of houses with two places ("house") or two
    groups of places ("group"), of almost locked sets of two or three cells ("als"), of rules ("rule").
    """
    if kind == "cell":
        two = [(c, state.cell(c)) for c in state.open if state.masks[c].bit_count() == 2]
        return [Link(x & -x, x & (x - 1), "cell", 1 << c) for c, x in two]
    if kind == "rule":
        return [Link(a, b, "rule", atom) for a, b, atom in state.rule_links]
    if kind == "als":
        return [link for (link, *_) in als_links(state, 3).values() if link.where & (link.where - 1)]
    return _in_houses(state, kind == "group")


def _in_houses(state: State, grouped: bool) -> list[Link]:
    found, seen = list[Link](), set[tuple[Node, Node]]()
    for number, house in enumerate(state.board.houses):
        for b in range(state.board.values):
            where = state.places[b] & house.cells
            if where.bit_count() == 2 and not grouped:
                pairs = [(where & -where, where & (where - 1))]
            else:
                pairs = list(_groups(state, number, where)) if where.bit_count() > 2 and grouped else []
            nodes = ((state.at(b, one), state.at(b, other)) for one, other in pairs)
            new = [pair for pair in nodes if not grouped or (pair not in seen and pair[::-1] not in seen)]
            seen.update(new)
            found += [Link(x, y, house.kind, house.atom) for x, y in new]
    return found


def _groups(state: State, house: int, where: int) -> Iterator[tuple[int, int]]:
    """Yield the ways to split places in a house in two, each part inside another house."""
    board = state.board
    crossing = {where & board.houses[j].cells for c in bits(where) for j in board.at[c] if j != house}
    for part in crossing:
        rest = where & ~part
        if rest and any(not rest & ~other for other in crossing):
            yield part, rest


@once
def almost_locked(state: State, most: int) -> list[tuple[int, int]]:
    """Return all (cells, values) of a house with one value more than cells, single cells included; smallest first."""
    found: dict[int, int] = {}
    for house in state.board.houses:
        state.check()
        cells = [c for c in bits(house.cells) if c not in state.placed and state.masks[c].bit_count() > 1]
        waiting = [(0, 0, 0, 0)]
        while waiting:
            start, inside, values, size = waiting.pop()
            for j in range(start, len(cells)):
                mask = values | state.masks[cells[j]]
                if mask.bit_count() == size + 2:
                    found[inside | 1 << cells[j]] = mask
                if size + 1 < most and mask.bit_count() <= most + 1:
                    waiting.append((j + 1, inside | 1 << cells[j], mask, size + 1))
    return sorted(found.items(), key=lambda one: (one[0].bit_count(), one[0]))


@once
def als_links(state: State, most: int) -> dict[tuple[Node, Node], list[Link]]:
    """Return almost locked sets as strong links: without one of two values, a set is locked on the others.

    Sets with the same places of two values stand together, the smallest first.
    """
    table: dict[tuple[Node, Node], list[Link]] = defaultdict(list)
    for cells, values in almost_locked(state, most):
        nodes = [state.at(b, cells) for b in bits(values)]
        for x, y in combinations([node for node in nodes if state.common(node)], 2):
            table[x, y].append(Link(x, y, "als", cells))
    return table


class Net:
    """Strong links by node, and the weak links to nodes that begin a strong one."""

    def __init__(self, state: State, table: Iterable[Link], same_value: bool = False) -> None:
        """Take the links of a table; ``same_value``: weak links only between nodes of one value."""
        self.state, self.same_value = state, same_value
        self.strong: dict[Node, list[tuple[Node, Link]]] = defaultdict(list)
        for link in table:
            self.strong[link.a].append((link.b, link))
            self.strong[link.b].append((link.a, link))
        self._beginning: dict[int, list[Node]] = defaultdict(list)
        for x in self.strong:
            self._beginning[x & -x].append(x)
        self._weak: dict[Node, list[Node]] = {}

    def weak(self, b: Node) -> list[Node]:
        """Return the nodes that begin a strong link and are excluded by a node."""
        if b not in self._weak:
            common = self.state.common(b)
            if self.same_value:
                common &= self.state.at(self.state.bit_of(b), -1)
            found = []
            rest = common
            while rest:
                low = rest & -rest
                rest ^= low
                found += [x for x in self._beginning.get(low, ()) if not x & ~common]
            self._weak[b] = found
        return self._weak[b]

    def starts(self) -> Iterator[tuple[Node, int, int]]:
        """Yield where chains may begin, what each such node excludes, and which of that is wanted.

        A loop that removes anything wanted does so at a weak link, at one end of which it may begin; or else an almost
        locked set in it does.
        """
        for a, ends in self.strong.items():
            excluded = self.state.common(a)
            useful = excluded & self.state.wanted
            if useful or any(link.kind == "als" for _, link in ends):
                yield a, excluded, useful


@once
def net_of(state: State, kinds: tuple[str, ...], same_value: bool) -> Net:
    """Return the net of the strong links of some kinds."""
    return Net(state, [link for kind in kinds for link in links(state, kind)], same_value)


def walks(*nets: Net) -> Iterator[Path]:
    """Yield every chain whose i-th strong link is of the i-th net, whose ends have the same value, and that may remove
    something.
    """
    state, left = nets[0].state, MOST_STEPS

    def onwards(path: Path, value: Node, excluded: int, useful: int) -> Iterator[Path]:
        nonlocal left
        left -= 1
        if left % 1000 == 0:
            state.check()
        net, last = nets[len(path)], len(path) == len(nets) - 1
        for c in net.weak(path[-1][1]) if left > 0 else ():
            for d, link in net.strong[c]:
                if last and (d & ~value or (d & ~excluded and not state.common(d) & useful)):
                    continue
                if all(link is not other for _, _, other in path):
                    longer = (*path, (c, d, link))
                    if last:
                        yield longer
                    else:
                        yield from onwards(longer, value, excluded, useful)

    for a, excluded, useful in nets[0].starts():
        for b, link in nets[0].strong[a]:
            yield from onwards(((a, b, link),), state.at(state.bit_of(a), -1), excluded, useful)


def searches(net: Net, longest: int) -> Iterator[Path]:
    """Yield for each two nodes a shortest chain of two to ``longest`` strong links, if it may remove something."""
    for a, excluded, useful in net.starts():
        net.state.check()
        before: dict[Node, tuple[Node, Node, Link]] = {}
        layer = []
        for x, link in net.strong[a]:
            if x not in before:
                before[x] = (0, a, link)
                layer.append(x)
        for _ in range(longest - 1):
            layer = list(_further(net, layer, before))
            for d in layer:
                if not d & ~excluded or net.state.common(d) & useful:
                    yield _back(d, before)


def _further(net: Net, layer: list[Node], before: dict[Node, tuple[Node, Node, Link]]) -> Iterator[Node]:
    """Yield the nodes that one more strong link reaches first."""
    for x in layer:
        last = before[x][2]
        for c in net.weak(x):
            for d, link in net.strong[c]:
                if d not in before and not (link.kind == last.kind == "als" and link.where == last.where):
                    before[d] = (x, c, link)
                    yield d


def _back(end: Node, before: dict[Node, tuple[Node, Node, Link]]) -> Path:
    path: list[tuple[Node, Node, Link]] = []
    while end:
        previous, begin, link = before[end]
        path.append((begin, end, link))
        end = previous
    return tuple(reversed(path))
