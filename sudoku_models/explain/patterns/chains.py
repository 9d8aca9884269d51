"""Chains of strong and weak links: turbot fish, W-wings, X- and XY-chains, alternating inference chains, ALS chains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from operator import attrgetter

from ..atoms import bits, union
from ..explanation import listed
from .board import LINES, Found, Pattern, State
from .links import Net, Path, als_links, links, net_of, searches, walks

Named = tuple[str, float, tuple[str, ...]] | None
"""A name, a cost and other names; None if the chain is a pattern of another family."""
Namer = Callable[[State, Path, bool], Named]

LONGEST = 12
"""The most strong links of a chain."""


def chain(state: State, path: Path, namer: Namer) -> Pattern | None:
    """Return all that a chain removes; None if that is nothing.

    One of its two ends is true, so what both exclude falls. If the ends exclude each other, too, it is a loop: then of
    each two that are weakly linked one is true, and each almost locked set in it is locked on its other values.
    """
    a, z = path[0][0], path[-1][1]
    loop = not z & ~state.common(a)
    out = _around(state, path) if loop else state.common(a) & state.common(z)
    named = namer(state, path, loop) if out & state.wanted else None
    if named is None:
        return None
    name, cost, also = named
    weak = [(first[1], second[0]) for first, second in pairwise((*path, path[0]) if loop else path)]
    drawn = [(x, y, "strong") for x, y, _ in path] + [(x, y, "weak") for x, y in weak]
    why = _of_w_wing(state, path) if name == "W-wing" else _why(state, path, loop)
    cells = union(link.where for _, _, link in path if link.in_cells)
    places = tuple((k.where, state.bit_of(k.a)) for _, _, k in path if not k.in_cells and k.kind != "rule")
    atoms = tuple(dict.fromkeys(k.where for _, _, k in path if k.kind == "rule"))
    return Pattern(name, cost, out, why, _parts(state, path), tuple(drawn), cells, places, atoms, also)


def _why(state: State, path: Path, loop: bool) -> str:
    """Say what a chain shows: which of its two ends is true, or that it is a loop."""
    a, z = path[0][0], path[-1][1]
    if loop and len(path) == 2 and (sets := _sets(state, path)):
        x, y = (state.value(state.bit_of(node)) for node in (path[0][1], z))
        both = f"the sets {' and '.join(sets)} do not both have {x} and not both {y}"
        return f"{both}: each has one of these, and all its other values"
    if loop:
        alone = _one_value(state, path)
        start = state.names(state.board.where(a)) if alone else state.say(a)
        of = f" of {state.value(state.bit_of(a))}" if alone else ""
        return f"in the loop{of} {_links_said(state, path)} - {start}, one of each two that are joined by - is true"
    if state.bit_of(a) == state.bit_of(z):
        found = f"{state.value(state.bit_of(a))} is in {state.either(state.board.where(a | z))}"
    else:
        found = f"{state.say(a)} or {state.say(z)} is true"
    return f"{found}: {_of_sets(state, path) or _links_said(state, path)}"


def _links_said(state: State, path: Path) -> str:
    """Write links in order: 2=3 in R1C1 - 3 in R1C5 = R5C5; of one value only the cells, of a set also its values."""
    alone, found = _one_value(state, path), []
    for x, y, link in path:
        cells = [state.names(state.board.where(node)) for node in (x, y)]
        values = [str(state.value(state.bit_of(node))) for node in (x, y)]
        if values[0] == values[1]:
            found.append(f"{'' if alone else f'{values[0]} in '}{cells[0]} = {cells[1]}")
        elif link.kind == "cell":
            found.append(f"{values[0]}={values[1]} in {cells[0]}")
        else:
            by = f" by {_set(state, link.where)}" if link.kind == "als" else ""
            found.append(f"{state.say(x)} = {state.say(y)}{by}")
    return " - ".join(found)


def _sets(state: State, path: Path) -> list[str]:
    """Name almost locked sets with their values; [] for chains with other links."""
    if any(link.kind != "als" for _, _, link in path):
        return []
    return [_set(state, link.where) for _, _, link in path]


def _set(state: State, cells: int) -> str:
    return f"{state.names(cells)} ({state.values(state.union(bits(cells)))})"


def _of_sets(state: State, path: Path) -> str:
    """Say which values almost locked sets do not share; "" for chains of other links."""
    sets = _sets(state, path)
    if not sets:
        return ""
    shared = [state.value(state.bit_of(y)) for _, y, _ in path[:-1]]
    if len(path) == 2:
        return f"the sets {' and '.join(sets)} do not both have {shared[0]}"
    joined = "".join(f" -{value}- {one}" for value, one in zip(shared, sets[1:], strict=True))
    return f"in {sets[0]}{joined}, two sets do not both have the value between them"


def _of_w_wing(state: State, path: Path) -> str:
    """Say why two equal cells do not both have the value that a link excludes."""
    first, (x, y, link), last = path[0][2], path[1], path[2][2]
    value, where = state.value(state.bit_of(x)), state.board.ladder.atoms[link.where].label
    cells, pair = state.both(first.where | last.where, state.masks[first.where.bit_length() - 1])
    both = f"{cells} have only {pair} and are not both {value}"
    return f"{both}, because in {where}, {value} is in {state.either(state.board.where(x | y))}"


def _around(state: State, path: Path) -> int:
    """Return what a loop removes."""
    out = 0
    for (_, x, _), (c, _, _) in pairwise((*path, path[0])):
        out |= state.common(x) & state.common(c)
    for x, y, link in path:
        others = range(state.board.values) if link.kind == "als" else ()
        for node in (state.at(b, link.where) for b in others):
            if node and not node & (x | y):
                out |= state.common(node)
    return out


def _parts(state: State, path: Path) -> tuple[tuple[str, int], ...]:
    """Return the nodes at both ends and on the way, and the cells of almost locked sets."""
    locked = [("set", state.all_of(link.where)) for _, _, link in path if link.kind == "als"]
    return (*locked, ("one side", union(x for x, _, _ in path)), ("other side", union(y for _, y, _ in path)))


def _is_grouped(path: Path) -> bool:
    return any(x & (x - 1) for link in path for x in link[:2])


def _one_value(state: State, path: Path) -> bool:
    return len({state.bit_of(x) for link in path for x in link[:2]}) == 1


def _longer(path: Path) -> float:
    return 0.1 * (len(path) - 2)


def turbot(state: State, groups: bool) -> Found:
    """Yield two strong links of one value: skyscraper, two-string kite, turbot fish, empty rectangle."""
    yield from state.of_values(_turbot, groups)


def _turbot(state: State, bit: int, groups: bool) -> Found:
    every = (link for kind in (("house", "group") if groups else ("house",)) for link in links(state, kind))
    net = Net(state, (link for link in every if state.bit_of(link.a) == bit), True)
    alike: dict[tuple[str, int], list[Pattern]] = defaultdict(list)
    for path in walks(net, net):
        (a, x, _), (c, z, _) = path
        mine = a < z and a != c and x != z and groups == _is_grouped(path)
        if mine and (found := chain(state, path, _turbot_name)):
            yield found
            for name in {found.name, *found.also} & {"two-string kite", "empty rectangle"}:
                alike[name, _inside_box(name, path)].append(found)
    for (name, _), some in alike.items():
        for two in combinations(some, 2):
            if two[0].out & ~two[1].out and two[1].out & ~two[0].out:
                yield _together(two, f"dual {name}", two[0].cost + 0.1)


def _inside_box(name: str, path: Path) -> int:
    """Return the places in its box of a two-string kite or an empty rectangle."""
    (a, x, first), (c, z, _) = path
    if name == "two-string kite":
        return x | c
    return a | x if first.kind not in LINES else c | z


def _together(some: Sequence[Pattern], name: str, cost: float) -> Pattern:
    """Return patterns of the same places as one that removes what each of them does."""
    ends, colon, how = zip(*(one.why.partition(": ") for one in some), strict=True)
    why = f"{listed(ends)}{colon[0]}{how[0]}" if len({*how}) == 1 else "; ".join(one.why for one in some)
    parts, lines, places, atoms = (
        tuple(dict.fromkeys(x for one in some for x in of(one)))
        for of in (attrgetter("parts"), attrgetter("links"), attrgetter("places"), attrgetter("atoms"))
    )
    out, cells = union(one.out for one in some), union(one.cells for one in some)
    return Pattern(name, round(cost, 1), out, why, parts, lines, cells, places, atoms, some[0].also)


def _turbot_name(state: State, path: Path, loop: bool) -> Named:
    (a, x, first), (c, z, second) = path
    bridge, ends = (
        {house.kind for house in state.board.houses_of(state.board.where(nodes))} for nodes in (x | c, a | z)
    )
    if loop and first.kind == second.kind and ends & set(LINES):
        return None  # an X-wing
    if _is_grouped(path):
        return ("grouped X-cycle", 4.4, ()) if loop else _empty_rectangle(path)
    kinds = {first.kind, second.kind}
    if len(kinds) == 1 and kinds < set(LINES) and bridge & (set(LINES) - kinds):
        return "skyscraper", 4.0, ("turbot fish",)
    if kinds == set(LINES) and bridge - set(LINES):
        return "two-string kite", 4.1, ("turbot fish",)
    if loop:
        return "X-cycle", 4.2, ("turbot fish",)
    boxed = len(kinds - set(LINES)) == 1 and len(kinds) == 2
    return "turbot fish", 4.2, ("empty rectangle", "X-chain") if boxed else ("X-chain",)


def _empty_rectangle(path: Path) -> Named:
    (a, x, first), (c, z, second) = path
    for box, line, inner in ((first, second, (c, z)), (second, first, (a, x))):
        if box.kind not in LINES and line.kind in LINES and not any(node & (node - 1) for node in inner):
            return "empty rectangle", 4.3, ("grouped turbot fish",)
    return "grouped turbot fish", 4.4, ("grouped X-chain",)


def w_wings(state: State) -> Found:
    """Yield two equal cells of two values, joined by a strong link on one of them."""
    cells, houses = net_of(state, ("cell",), True), net_of(state, ("house", "group"), True)
    for path in walks(cells, houses, cells):
        if path[0][0] <= path[2][1] and (found := chain(state, path, _w_name)):
            yield found


def _w_name(state: State, path: Path, loop: bool) -> Named:
    masks = {state.masks[link.where.bit_length() - 1] for _, _, link in (path[0], path[2])}
    if len(masks) > 1 or state.bit_of(path[0][0]) != state.bit_of(path[2][1]) or not _one_value(state, path[1:2]):
        return None
    return "W-wing", 4.6 if _is_grouped(path) else 4.4, ("AIC",)


def chains(state: State, kinds: tuple[str, ...]) -> Found:
    """Yield chains of strong links of some kinds, a shortest one for each two ends; the last kind must occur."""
    state = state.with_rules() if "rule" in kinds else state
    if not links(state, kinds[-1]):
        return
    for path in searches(net_of(state, kinds, "cell" not in kinds), LONGEST):
        if kinds[-1] == "group" and not _is_grouped(path):
            continue
        if kinds[-1] in ("rule", "als") and all(link.kind != kinds[-1] for _, _, link in path):
            continue
        if found := chain(state, path, _chain_name):
            yield found


def _chain_name(state: State, path: Path, loop: bool) -> Named:
    kinds = {link.kind for _, _, link in path}
    if kinds == {"cell"}:
        return _xy_name(state, path, loop)
    grouped = "grouped " if _is_grouped(path) else ""
    longer = _longer(path) + (0.3 if grouped else 0)
    if "als" in kinds:
        name = "loop" if loop else "AIC"
        also = (f"grouped {'continuous loop' if loop else 'AIC'}", f"grouped {'AIC' if loop else 'discontinuous loop'}")
        return f"{name} with almost locked sets", round(7.4 + _longer(path), 1), also
    if "rule" in kinds:
        return ("loop by rules" if loop else "AIC by rules"), round(7.3 + longer, 1), ()
    if _one_value(state, path):
        other = f"{grouped}continuous loop" if loop else f"{grouped}AIC"
        return f"{grouped}X-{'cycle' if loop else 'chain'}", round(6.5 + longer, 1), (other,)
    if loop:
        return f"{grouped}continuous loop", round(7.0 + longer, 1), (f"{grouped}AIC",)
    return f"{grouped}AIC", round(7.0 + longer, 1), (f"{grouped}discontinuous loop",)


def _xy_name(state: State, path: Path, loop: bool) -> Named:
    cost = round(6.5 + _longer(path), 1)
    if len({state.masks[link.where.bit_length() - 1] for _, _, link in path}) == 1:
        return ("remote pair", cost, ("XY-chain",)) if len(path) > 3 else None  # two equal cells are a naked pair
    return ("continuous loop", cost, ("XY-chain",)) if loop else ("XY-chain", cost, ("AIC", "discontinuous loop"))


def als_chains(state: State, longest: int) -> Found:
    """Yield chains of almost locked sets: ALS-XZ, ALS-XY-wing, and longer ones."""
    table = als_links(state, 5)
    net = Net(state, (some[0] for some in table.values()), same_value=True)
    alike: dict[tuple[int, ...], list[Pattern]] = defaultdict(list)
    for path in walks(*[net] * longest) if longest < 4 else searches(net, longest):
        a, z = path[0][0], path[-1][1]
        ends = state.bit_of(a) == state.bit_of(z) and (a <= z or longest > 3) and state.common(a) & state.common(z)
        loop = not z & ~state.common(a)
        if loop and len(path) == 2:  # each set is locked on its other values
            every = product(*([(x, y, link) for link in table.get((x, y)) or table[y, x]] for x, y, _ in path))
            yield from filter(None, (chain(state, ways, _als_name) for ways in every))
        elif ends or loop:
            way = min(path, tuple((y, x, link) for x, y, link in path[::-1]), key=_sets_of) if ends else path
            if found := chain(state, way, _als_name):
                yield found
                if ends and not loop and len(path) >= min(longest, 4):
                    alike[*_sets_of(way), *(state.bit_of(y) for _, y, _ in way[:-1])].append(found)
    yield from (_together(some, some[0].name, some[0].cost) for some in alike.values() if len(some) > 1)


def _sets_of(path: Path) -> list[int]:
    return [link.where for _, _, link in path]


def _als_name(state: State, path: Path, loop: bool) -> Named:
    sets = _sets_of(path)
    if any(one == other for one, other in pairwise(sets)) or state.bit_of(path[0][0]) != state.bit_of(path[-1][1]):
        return None
    size = union(sets).bit_count()
    shared = sum(one.bit_count() for one in sets) > size
    longer = (0.3 if size > 4 else 0) + 0.4 * max(0, size - 4) + 0.4 * shared
    if len(path) == 2 and loop:
        return "ALS-XZ, doubly linked", round(5.6 + longer, 1), ("ALS-XZ", "Sue de Coq")
    if len(path) == 2:
        return "ALS-XZ", round(5.5 + longer, 1), {3: ("XYZ-wing",), 4: ("WXYZ-wing",)}.get(size, ())
    if len(path) == 3:
        return "ALS-XY-wing", round(6.2 + longer, 1), ("ALS chain",)
    return "ALS chain", round(7.2 + longer, 1), ()


# ----------------------------------------------------------------------------
# Colours: linked cells, coloured in turn; one colour is true.


@dataclass(frozen=True)
class Side:
    """The cells of one colour, and all the cells that they see."""

    cells: int
    near: int


def two_colours(state: State, graph: dict[int, list[int]]) -> Iterator[tuple[Side, Side]]:
    """Yield the connected parts of a graph, each in two colours; a part with an odd circle is left out."""
    colour: dict[int, int] = {}
    for start in graph:
        if start in colour:
            continue
        colour[start], part, fits = 0, [start], True
        for x in part:
            for y in graph[x]:
                if y not in colour:
                    colour[y] = 1 - colour[x]
                    part.append(y)
                fits &= colour[y] != colour[x]
        if fits:
            sides = ([x for x in part if colour[x] == side] for side in (0, 1))
            one, other = (Side(sum(1 << c for c in side), union(state.board.peers[c] for c in side)) for side in sides)
            yield one, other


def remote_pairs(state: State) -> Found:
    """Yield cells with one pair, each seeing the next: two that are an odd number of steps apart hold both values."""
    alike: dict[int, list[int]] = defaultdict(list)
    for c in state.open:
        if state.masks[c].bit_count() == 2:
            alike[state.masks[c]].append(c)
    for mask, cells in alike.items():
        graph = {c: [d for d in cells if state.board.peers[c] >> d & 1] for c in cells}
        for one, other in two_colours(state, graph):
            every = one.cells | other.cells
            out = union(state.at(b, one.near & other.near & ~every) for b in bits(mask))
            if out & state.wanted and every.bit_count() > 3:
                (some, pair), (rest, _) = (state.both(side.cells, mask) for side in (one, other))
                why = f"{some} all have the same of {pair}, and {rest} the other"
                parts = (("one side", state.all_of(one.cells)), ("other side", state.all_of(other.cells)))
                yield Pattern("remote pair", 4.5, out, why, parts, cells=every)


Part = tuple[Side, Side]
Coloured = Iterator[tuple[str, float, int, str, tuple[int, ...]]]
"""A name, a cost, the cells that lose the value, why, and the cells of up to three sides."""


def colours(state: State) -> Found:
    """Yield simple colours (wrap and trap), and multi-colours of two parts."""
    for b in (b for b in range(state.board.values) if state.at(b, -1) & state.wanted):
        joined = tuple(link for link in links(state, "house") if state.bit_of(link.a) == b)
        graph: dict[int, list[int]] = defaultdict(list)
        for link in joined:
            x, y = (node.bit_length() - 1 - b * state.board.cells for node in (link.a, link.b))
            graph[x].append(y)
            graph[y].append(x)
        parts = list(two_colours(state, graph))
        found = [
            *(_simple(state, b, part) for part in parts),
            *(_multi(state, b, *two) for two in combinations(parts, 2)),
        ]
        for name, cost, out, why, sides in (one for some in found for one in some if state.at(b, one[2])):
            inside = state.at(b, sum(sides))
            mine = [link for link in joined if link.a & inside and link.b & inside]
            roles = zip(("one side", "other side", "third side"), sides, strict=False)
            yield Pattern(
                name,
                cost,
                state.at(b, out),
                why,
                tuple((role, state.at(b, cells)) for role, cells in roles),
                tuple((link.a, link.b, "strong") for link in mine),
                places=tuple((link.where, b) for link in mine),
                also=("simple colours",) if name.startswith("simple") else (),
            )


def _simple(state: State, bit: int, part: Part) -> Coloured:
    value, (one, two) = state.value(bit), part
    for false, true in (part, part[::-1]):
        if false.cells & false.near:
            why = f"two of {state.names(false.cells)}, which have one colour, see each other and are not both {value}"
            yield "simple colours, wrap", 4.6, false.cells, why, (false.cells, true.cells)
    if state.at(bit, out := one.near & two.near & ~one.cells & ~two.cells):
        why = f"{value} is in all of {state.names(one.cells)} or in all of {state.names(two.cells)}"
        yield "simple colours, trap", 4.5, out, why, (one.cells, two.cells)


def _multi(state: State, bit: int, first: Part, second: Part) -> Coloured:
    value = state.value(bit)
    for (p, far), (q, end) in product((first, first[::-1]), (second, second[::-1])):
        every = p.cells | far.cells | q.cells | end.cells
        if p.near & q.cells and state.at(bit, out := far.near & end.near & ~every):
            why = f"{value} is not in both {state.names(p.cells)} and {state.names(q.cells)}"
            why = f"{why}, so it is in {state.names(far.cells)} or in {state.names(end.cells)}"
            yield "multi-colours", 5.5, out, why, (far.cells, end.cells, p.cells | q.cells)
    for part, (q, end) in ((first, second), (second, first)):
        for false in part:
            if false.near & q.cells and false.near & end.cells:
                why = f"{state.names(false.cells)} see both colours of {state.names(q.cells | end.cells)}"
                whole = part[0].cells | part[1].cells
                yield "multi-colours", 5.6, false.cells, why, (whole, q.cells, end.cells)
