"""Names of trials in houses: wings, fish and chains, recognised on the smallest tree within a proved reason.

A step's reason is proved before it is named. Within the houses of that reason and the cells that it reads, the smallest
tree of singles that refutes the candidate is searched; the name follows from its cells and places of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING

from .atoms import bits
from .ladder import Fact, Ladder

if TYPE_CHECKING:
    from .steps import Step

FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


@dataclass(frozen=True)
class ExactlyOne:
    """A cell (``kind`` is "cell"), or a value in a house: exactly one of its ``members`` (cell, bit) is true."""

    kind: str
    members: tuple[Fact, ...]

    @property
    def two(self) -> bool:
        """Return whether there are two members."""
        return len(self.members) == 2


class Tree:
    """The smallest tree of singles that refutes a candidate, within the houses of a reason and the cells it reads."""

    def __init__(self, ladder: Ladder, step: Step) -> None:
        """Find the tree: ``looked`` is what it uses, () if there is none; ``last`` has the contradiction."""
        assert step.trial is not None
        atoms = [ladder.atoms[a] for a in step.atoms]
        known = {c for atom in atoms for c in atom.cells} | {step.trial[0]}
        self.before = step.before
        self.masks = {c: step.before[c] for c in known}
        self.numbers, self.houses = step.atoms, [frozenset(atom.cells) for atom in atoms]
        self.looks = [ExactlyOne("cell", tuple((c, b) for b in bits(self.masks[c]))) for c in step.reads if c in known]
        self.owners = [-1] * len(self.looks)
        for number, atom, house in reversed([*zip(step.atoms, atoms, self.houses, strict=True)]):  # boxes first
            if atom.house is not None and atom.house.exact:
                kind = str(atom.part).split(" ")[0]
                for b in bits(atom.house.values):
                    places = tuple((c, b) for c in sorted(house) if self.masks[c] >> b & 1)
                    self.looks.append(ExactlyOne(kind, places))
                    self.owners.append(number)
        self.users: dict[Fact, list[int]] = {}
        for number, look in enumerate(self.looks):
            for member in look.members:
                self.users.setdefault(member, []).append(number)
        self.true_by: dict[Fact, int] = {}
        self.false_by: dict[Fact, Fact] = {}
        last = self._refuted(step.trial)
        self.used = [] if last is None else sorted(self._used(last))
        self.looked = tuple(self.looks[i] for i in self.used)
        self.last = None if last is None else self.looks[last]

    def _seen(self, literal: Fact) -> Iterator[Fact]:
        cell, bit = literal
        yield from ((cell, b) for b in bits(self.masks[cell]) if b != bit)
        for house in self.houses:
            if cell in house:
                yield from ((c, bit) for c in house if c != cell and self.masks[c] >> bit & 1)

    def _refuted(self, supposed: Fact) -> int | None:
        """Return the index of what runs out of members at the lowest cost; None if nothing does."""
        left = [len(look.members) for look in self.looks]
        cost = [1] * len(left)
        queue, done = [(0, -1, supposed, -1)], set[Fact]()
        while queue:
            spent, end, literal, number = heappop(queue)
            if end >= 0:
                return end
            if literal in done:
                continue
            done.add(literal)
            self.true_by[literal] = number
            for other in self._seen(literal):
                if other in self.false_by:
                    continue
                self.false_by[other] = literal
                for w in self.users.get(other, ()):
                    left[w] -= 1
                    cost[w] += spent
                    if left[w] == 0:
                        heappush(queue, (cost[w], w, other, w))
                    elif left[w] == 1:
                        forced = next(m for m in self.looks[w].members if m not in self.false_by)
                        heappush(queue, (cost[w], -1, forced, w))
        return None

    def _used(self, last: int) -> set[int]:
        """Return the indexes of what a contradiction uses; each one forces the one member that it does not falsify."""
        found, waiting = set[int](), list(self.looks[last].members)
        found.add(last)
        while waiting:
            sees = self.false_by[waiting.pop()]
            number = self.true_by[sees]
            if number >= 0 and number not in found:
                found.add(number)
                waiting += [member for member in self.looks[number].members if member != sees]
        return found

    def atoms(self) -> list[int]:
        """Return the numbers of the houses in the tree: those where values run out of places, and those where
        one sees.
        """
        found = {self.owners[i] for i in self.used} - {-1}
        for look in self.looked:
            for cell, other in ((self.false_by[member][0], member[0]) for member in self.false_members(look)):
                shared = [a for a, house in zip(self.numbers, self.houses, strict=True) if {cell, other} <= house]
                if cell != other and not found & {*shared}:
                    found.add(shared[0])
        return sorted(found)

    def false_members(self, look: ExactlyOne) -> list[Fact]:
        """Return the members of something in the tree without the one that it forces."""
        if look is self.last:
            return list(look.members)
        forced = {literal for literal, number in self.true_by.items() if number >= 0 and self.looks[number] is look}
        return [member for member in look.members if member not in forced]

    @property
    def weak_links(self) -> list[tuple[Fact, Fact]]:
        """The pairs (true, false) that connect the steps of the tree, without those of the candidate."""
        pairs = [(self.false_by[member], member) for look in self.looked for member in self.false_members(look)]
        return [(true, false) for true, false in pairs if self.true_by[true] >= 0]

    @property
    def touched(self) -> int:
        """The number of looks with members that the candidate falsifies: two if it sees both ends of a chain.

        One if it leads to a value that then fails on its own.
        """
        return sum(any(self.true_by[self.false_by[m]] < 0 for m in self.false_members(look)) for look in self.looked)

    @property
    def is_grouped(self) -> bool:
        """Return whether the tree is a chain in which several places that one candidate sees act as one."""
        sources = [(look, {self.false_by[m] for m in self.false_members(look)}) for look in self.looked]
        return all(len(found) <= (2 if look is self.last else 1) for look, found in sources)


def trial_name(ladder: Ladder, step: Step) -> str:
    """Return the usual name of a trial in houses; "" if there is none."""
    assert step.trial is not None
    if step.level[0] == 4:
        return _full_fish(ladder, step) or _sue_de_coq(ladder, step) or "nested forcing chain"
    tree = Tree(ladder, step)
    if not tree.looked:
        return _full_fish(ladder, step) or _sue_de_coq(ladder, step)
    cells = [look for look in tree.looked if look.kind == "cell"]
    places = [look for look in tree.looked if look.kind != "cell"]
    if not cells and {look.members[0][1] for look in places} == {step.trial[1]}:
        return _on_one_value(ladder, step.trial, places, tree)
    if not places:
        return _of_cells(cells, tree) or _locked_sets(ladder, step.trial, cells) or _chain(tree)
    return _w_wing(cells, places, tree) or _chain(tree)


def _of_cells(cells: Sequence[ExactlyOne], tree: Tree) -> str:
    """Name patterns of cells only: naked pairs across houses, wings, XY-chains."""
    sizes = sorted(len(look.members) for look in cells)
    if tree.touched == 2 and all(look.two for look in cells):
        names = {2: "naked pair", 3: "XY-wing"}
        alike = len({frozenset(b for _, b in look.members) for look in cells}) == 1
        return names.get(len(cells), f"{'remote pair' if alike else 'XY-chain'} of {len(cells)} cells")
    wings = {(2, 2, 3): "XYZ-wing", (2, 2, 2, 4): "WXYZ-wing"}
    return wings.get(tuple(sizes), "") if tree.touched == len(cells) else ""


def _locked_sets(ladder: Ladder, fact: Fact, cells: Sequence[ExactlyOne]) -> str:
    """Name two almost locked sets, each in a house with one value more than cells, and a value that only one can have.

    The candidate's value is in both, and it is seen by every cell with that value.
    """
    for size in range(1, len(cells) // 2 + 1):
        for chosen in combinations(cells, size):
            some, others = _by_value(chosen), _by_value([look for look in cells if look not in chosen])
            common = some.keys() & others.keys() - {fact[1]}
            apart = any(all(_share(ladder, c, d) for c in some[b] for d in others[b]) for b in common)
            if apart and fact[1] in some.keys() & others.keys() and _almost(ladder, some) and _almost(ladder, others):
                return "ALS-XZ"
    return ""


def _by_value(cells: Iterable[ExactlyOne]) -> dict[int, list[int]]:
    """Return the places of each value in some cells."""
    found: dict[int, list[int]] = {}
    for look in cells:
        for cell, bit in look.members:
            found.setdefault(bit, []).append(cell)
    return found


def _almost(ladder: Ladder, places: dict[int, list[int]]) -> bool:
    """Return whether cells, given the places of their values, see each other and have one value more than cells."""
    cells = {cell for where in places.values() for cell in where}
    return len(places) == len(cells) + 1 and all(_share(ladder, c, d) for c, d in combinations(cells, 2))


def _sue_de_coq(ladder: Ladder, step: Step) -> str:
    """Name a box and a line that together confine as many cells as values, some of them at the intersection."""
    kinds = sorted(str(ladder.atoms[a].part).split(" ")[0] for a in step.atoms)
    if kinds not in (["box", "column"], ["box", "row"]):
        return ""
    first, second = (set(ladder.atoms[a].cells) for a in step.atoms)
    values = 0
    for cell in step.reads:
        values |= step.before[cell]
    crossed = {cell for cell in step.reads if cell in first and cell in second}
    inside = all(step.reads & house - crossed for house in (first, second))
    return "Sue de Coq" if len(crossed) > 1 and inside and values.bit_count() == len(step.reads) else ""


def _w_wing(cells: Sequence[ExactlyOne], places: Sequence[ExactlyOne], tree: Tree) -> str:
    """Name two cells with the same two candidates, joined by a value with two places in a house."""
    alike = tree.touched == 2 and len({frozenset(b for _, b in look.members) for look in cells}) == 1
    return "W-wing" if alike and len(cells) == 2 and len(places) == 1 and cells[0].two and places[0].two else ""


def _chain(tree: Tree) -> str:
    """Name a chain by how it branches."""
    number = len(tree.looked)
    if all(look.two for look in tree.looked):
        return f"{'AIC' if tree.touched == 2 else 'forcing chain'} of {number} links"
    if tree.is_grouped and tree.touched == 2:
        return f"grouped AIC of {number} links"
    if all(look.two for look in tree.looked if look is not tree.last):
        return f"multiple forcing chain of {number} links"
    return f"dynamic forcing chain of {number} links"


def _on_one_value(ladder: Ladder, fact: Fact, places: Sequence[ExactlyOne], tree: Tree) -> str:
    """Name a pattern of one value: locked candidates, fish, colouring, X-chains."""
    kinds = sorted(look.kind for look in places)
    if len(places) == 1:
        return {"box": "pointing", "row": "claiming", "column": "claiming"}.get(kinds[0], "locked candidates")
    name = _fish(ladder, fact, places) if kinds in (["row"] * len(kinds), ["column"] * len(kinds)) else ""
    if not name and len(places) == 2 and tree.touched == 2:
        name = _short_chain(places, kinds)
    if name:
        return name
    if tree.touched != 2:
        return "chain on one value"
    if not all(look.two for look in places):
        return f"grouped X-chain of {len(places)} links" if tree.is_grouped else "chain on one value"
    coloured = all(_conjugate(ladder, tree, *pair) for pair in tree.weak_links)
    return f"{'simple colouring' if coloured else 'X-chain'} of {len(places)} links"


def _conjugate(ladder: Ladder, tree: Tree, literal: Fact, other: Fact) -> bool:
    """Return whether two places are the only ones of their value in a house."""
    for atom in (ladder.atoms[a] for a in set(ladder.users[literal[0]]) & set(ladder.users[other[0]])):
        if atom.house is not None and atom.house.exact:
            where = {c for c in atom.cells if tree.before[c] >> literal[1] & 1}
            if where == {literal[0], other[0]}:
                return True
    return False


def _short_chain(places: Sequence[ExactlyOne], kinds: Sequence[str]) -> str:
    """Name a pattern of two houses of different kinds."""
    if kinds == ["column", "row"]:
        return "two-string kite" if all(look.two for look in places) else ""
    if "box" in kinds:
        return "turbot fish" if all(look.two for look in places) else "empty rectangle"
    return ""


def _fish(ladder: Ladder, fact: Fact, places: Sequence[ExactlyOne]) -> str:
    """Name parallel lines: a plain fish, a skyscraper, or a fish with fins that the candidate sees."""
    size, lines = len(places), "column" if places[0].kind == "row" else "row"
    across = {c: h for h, cells in _houses(ladder, lines) for c in cells}
    where = [{across.get(c, -1) for c, _ in look.members} for look in places]
    every = set().union(*where)
    if size not in FISH or -1 in every:
        return ""
    if len(every) == size:
        return FISH[size]
    if size == 2 and all(look.two for look in places) and where[0] & where[1]:
        return "skyscraper"
    mine = across[fact[0]]
    for covers in combinations(sorted(every - {mine}), size - 1):
        fins = [c for look in places for c, _ in look.members if across[c] not in (mine, *covers)]
        if mine in every and all(_share(ladder, c, fact[0]) for c in fins):
            kept = {mine, *covers}
            return f"{'sashimi' if any(len(lines & kept) < 2 for lines in where) else 'finned'} {FISH[size]}"
    return ""


def _full_fish(ladder: Ladder, step: Step) -> str:
    """Name as many rows as columns, if a value has no place in the rows outside the columns, or vice versa."""
    assert step.trial is not None
    parts = [(str(ladder.atoms[a].part).split(" ")[0], ladder.atoms[a].cells) for a in step.atoms]
    lines = {kind: [cells for found, cells in parts if found == kind] for kind in ("row", "column")}
    size, bit = len(lines["row"]), step.trial[1]
    if size != len(lines["column"]) or 2 * size != len(step.atoms):
        return ""
    for base, cover in (("row", "column"), ("column", "row")):
        covered = {c for cells in lines[cover] for c in cells}
        if not any(step.before[c] >> bit & 1 for cells in lines[base] for c in cells if c not in covered):
            return FISH.get(size, "")
    return ""


def _houses(ladder: Ladder, kind: str) -> Iterator[tuple[int, Sequence[int]]]:
    for number, atom in enumerate(ladder.atoms):
        if atom.house is not None and str(atom.part).startswith(f"{kind} "):
            yield number, atom.cells


def _share(ladder: Ladder, cell: int, other: int) -> bool:
    """Return whether two cells share a house."""
    shared: Iterable[int] = set(ladder.users[cell]) & set(ladder.users[other])
    return any(ladder.atoms[a].house is not None for a in shared)
