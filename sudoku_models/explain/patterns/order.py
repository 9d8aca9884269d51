"""The families of patterns, and their order by what they cost a person; the steps of single rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush

from ...puzzle.rules.rule_base import Rule
from ...puzzle.rules.words import own
from ..atoms import bits, union
from ..ladder import ALL, HIGHEST, LARGE, SIMPLE, Level, Stage
from ..stating import RegionSum
from .board import Board, Found, Pattern, State, once
from .chains import als_chains, chains, colours, remote_pairs, turbot, w_wings
from .deadly import uniqueness
from .houses import NAMES as FISH
from .houses import SIZES, blossoms, fish, intersections, sets, singles, sue_de_coq

COST = {0: 1.9, 1: 2.1, 2: 2.5, 3: 3.0, ALL: 3.5}
"""The cost of a step by one rule, by the number of its cells that are read."""

MOST_DRAWN = 6
"""The most removals to which a picture draws links."""


@once
def stage_of(state: State) -> Stage | None:
    """Return what single rules remove with the fewest cells read."""
    numbers = [number for number, _ in state.board.rules]
    return state.board.ladder.stage(state.masks, SIMPLE, numbers) if numbers else None


def rules(state: State) -> Found:
    """Yield what each rule removes on its own, at the cheapest level at which any does.

    What a rule about pairs of cells takes from all that are paired with one cell is one step.
    """
    stage = stage_of(state)
    if stage is None:
        return
    atoms, number, extra = state.board.ladder.atoms, stage.level[1], {True: 0.4, False: 0.0}
    together: dict[tuple[int, int], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for a, facts in stage.by.items():
        for c, b in facts:
            paired = number == 1 and len(atoms[a].cells) == 2
            key = (id(atoms[a].part), sum(atoms[a].cells) - c) if paired else (a, -1)
            together[key][a] |= 1 << state.board.literal(c, b)
    for some in together.values():
        atom = atoms[next(iter(some))]
        cost = COST[number] + extra[len(atom.cells) >= LARGE]
        yield Pattern(rule_name(atom.part), cost, union(some.values()), "", atoms=tuple(some))


def within_rules(state: State) -> Found:
    """Yield the values that all solutions of a rule have: what all places in its cells exclude falls."""
    for number, cells, how in state.board.listed:
        inside = sum(1 << c for c in cells if c not in state.placed)
        nodes = ((b, state.at(b, inside)) for b in range(state.board.values))
        useful = [(b, node, out) for b, node in nodes if node & (node - 1) and (out := state.alike(b, inside))]
        if not any(out & state.wanted for _, _, out in useful):
            continue
        state.check()
        rows = state.solutions(cells, how)[:, [i for i, c in enumerate(cells) if inside >> c & 1]]
        for b, node, out in useful:
            if len(rows) and (rows == b).any(axis=1).all():
                where = state.either(state.places[b] & inside)
                why = f"in {state.board.ladder.label(number)}, {state.value(b)} is in {where}"
                parts = (("base", node),)
                yield Pattern("pointing, by a rule", 2.9, out, why, parts, atoms=(number,))


def seen_by_rules(state: State) -> Found:
    """Yield what all places of a value in a house exclude, at least one of them by a rule."""
    whole = state.with_rules()
    for house in state.board.houses if whole is not state else ():
        for b in range(state.board.values):
            out = whole.common(node := state.at(b, house.cells)) & ~node
            if node & (node - 1) and out & state.wanted & ~state.alike(b, house.cells):
                where = state.either(state.places[b] & house.cells)
                why = f"in {house.title}, {state.value(b)} is in {where}"
                weak = tuple((node, 1 << x, "weak") for x in bits(out)) if out.bit_count() <= MOST_DRAWN else ()
                cost, places = round(2.7 + 0.2 * node.bit_count(), 1), ((house.atom, b),)
                yield Pattern("pointing, by rules", cost, out, why, (("base", node),), weak, places=places)


def rule_name(part: object) -> str:
    """Return the name of a step by one rule; "" if it has none."""
    if isinstance(part, Rule):
        return str(own(part, "technique") or "")
    return part.technique if isinstance(part, RegionSum) else ""


# ----------------------------------------------------------------------------
# The families of patterns, and their order by what they cost a person.
#
# A cost is a convention of players, not a theorem: it orders and names hints, and rates nothing. The costs are those of
# Sudoku Explainer where it has the pattern, and lie between them elsewhere (a fin costs .4, each further link .1).


WIDE, WIDER, ANY = 16, 25, 1000


@dataclass(frozen=True)
class Family:
    """A family of patterns. No pattern of it costs less than ``least``.

    On boards with more than ``widest`` values it is not searched for, because that would take long; one that is
    ``plain`` only on boards without rules, where it is rarely what is left. When the ladder has gone up to ``level``,
    nothing of it is left.
    """

    least: float
    find: Callable[[State], Found]
    widest: int = 9
    plain: bool = False
    level: Level = HIGHEST

    def fits(self, board: Board) -> bool:
        """Return whether it is searched for on a board."""
        return board.values <= self.widest and not (self.plain and board.rules)

    @property
    def name(self) -> str:
        """The name of the function that searches for it."""
        return str(getattr(self.find, "func", self.find).__name__)


FAMILIES = (
    Family(1.0, singles, ANY, level=(1, 1)),
    Family(1.9, rules, ANY, level=SIMPLE),
    Family(2.4, intersections, WIDER, level=(2, 2)),
    Family(2.4, partial(sets, size=2), WIDER, level=(2, 2)),
    Family(2.5, partial(sets, size=3), WIDE, level=(2, 2)),
    Family(2.9, within_rules, WIDE),
    Family(3.1, seen_by_rules, WIDE),
    Family(3.2, partial(fish, size=2), WIDER),
    Family(3.6, partial(fish, size=2, fins=5), WIDE),
    Family(3.8, partial(fish, size=3), WIDE),
    Family(4.0, partial(turbot, groups=False), WIDER),
    Family(4.2, partial(fish, size=3, fins=5)),
    Family(4.2, partial(blossoms, most=1), WIDER),
    Family(4.3, partial(turbot, groups=True), WIDE),
    Family(4.4, w_wings, WIDER),
    Family(4.5, colours, WIDER),
    Family(4.5, remote_pairs, WIDER),
    Family(4.5, uniqueness, WIDER),
    Family(5.0, partial(sets, size=4), level=(2, 2)),
    Family(5.0, sue_de_coq),
    Family(5.2, partial(fish, size=4)),
    Family(5.5, partial(als_chains, longest=2)),
    Family(5.6, partial(fish, size=4, fins=5)),
    Family(6.2, partial(als_chains, longest=3)),
    Family(6.3, partial(blossoms, most=4)),
    Family(6.5, partial(chains, kinds=("house",)), WIDE),
    Family(6.5, partial(chains, kinds=("cell",)), WIDE),
    Family(6.8, partial(chains, kinds=("cell", "house", "group"))),
    Family(7.0, partial(chains, kinds=("cell", "house")), WIDE),
    Family(7.2, partial(als_chains, longest=6)),
    Family(7.2, partial(fish, size=2, fins=3, shape="Franken "), plain=True),
    Family(7.3, partial(chains, kinds=("cell", "house", "group", "rule")), WIDE),
    Family(7.4, partial(chains, kinds=("cell", "house", "group", "als"))),
    Family(7.8, partial(fish, size=3, fins=3, shape="Franken "), plain=True),
    Family(8.4, partial(fish, size=2, fins=2, shape="mutant "), plain=True),
    Family(9.0, partial(fish, size=3, fins=1, shape="mutant "), plain=True),
)

TOLD = tuple(family for family in FAMILIES if family.least < 5.2 or (family.name == "chains" and family.least < 7.4))
"""The families that tell the stages of a path, and the way to a cell: the others take long to find, and a chain says
the same.
"""

NAMED: dict[str, tuple[str, ...]] = {
    "singles": ("full house", "hidden single", "naked single"),
    "intersections": ("pointing", "claiming", "locked candidates"),
    "within_rules": ("pointing, by a rule",),
    "seen_by_rules": ("pointing, by rules",),
    "sets": (
        *(f"{kind} {size}" for size in SIZES.values() for kind in ("naked", "hidden")),
        *("locked pair", "locked triple"),
    ),
    "rules": ("innies", "outies"),
    "fish": (
        *(f"{fins}{size}" for fins in ("", "finned ", "sashimi ") for size in FISH.values()),
        *("Franken X-wing", "Franken swordfish", "mutant X-wing", "mutant swordfish"),
    ),
    "turbot": ("skyscraper", "two-string kite", "turbot fish", "empty rectangle", "X-chain", "X-cycle"),
    "colours": ("simple colours", "multi-colours"),
    "blossoms": ("XY-wing", "XYZ-wing", "WXYZ-wing", "death blossom"),
    "w_wings": ("W-wing", "AIC"),
    "remote_pairs": ("remote pair",),
    "chains": (
        *("remote pair", "X-chain", "X-cycle", "XY-chain", "AIC", "continuous loop", "discontinuous loop"),
        *("AIC by rules", "loop by rules", "AIC with almost locked sets", "loop with almost locked sets"),
    ),
    "als_chains": ("ALS-XZ", "ALS-XY-wing", "ALS chain", "XYZ-wing", "WXYZ-wing", "Sue de Coq"),
    "sue_de_coq": ("Sue de Coq", "ALS-XZ"),
    "uniqueness": ("unique rectangle", "hidden rectangle", "avoidable rectangle", "unique loop", "BUG"),
}
"""The names, first or second, of the patterns of each family; those of rules have also the names of their rules."""

TECHNIQUES = tuple(dict.fromkeys(name for names in NAMED.values() for name in names))
"""The names that may be asked for, besides those of the steps of rules, and forms of them."""


def is_form(title: str, name: str) -> bool:
    """Return whether a title is a name or a form of it: finned, grouped, of some type. A name may be a plural."""
    title, name = title.lower(), name.lower()
    return name in (title, f"{title}s") or title.startswith((f"{name}, ", f"{name}+")) or title.endswith(f" {name}")


def is_known(name: str, known: Iterable[str]) -> bool:
    """Return whether a name is one of some known ones, its plural or a form of it."""
    return any(is_form(name, one) or name.lower() == f"{one}s".lower() for one in known)


def families_of(name: str) -> list[Family]:
    """Return the families that have patterns of a name; those of rules for a name that no family has."""
    made = {family for family, names in NAMED.items() if any(is_form(t, name) or is_form(name, t) for t in names)}
    return [family for family in FAMILIES if family.name in (made or {"rules"})]


def is_called(pattern: Pattern, name: str) -> bool:
    """Return whether a pattern has a name, first or second, or is a form of it."""
    return any(is_form(title, name) for title in (pattern.name, *pattern.also))


def in_order(state: State, every: Sequence[Family] = FAMILIES) -> Iterator[Pattern]:
    """Yield the patterns of a state, the easiest first; a family is searched only when no easier pattern is left."""
    waiting: list[tuple[tuple[float, int, str, int], int, Pattern]] = []
    shown: set[tuple[str, int, int]] = set()
    families = [family for family in every if family.fits(state.board)]
    for number, family in enumerate(families):
        state.check()
        for count, pattern in enumerate(family.find(state)):
            if pattern.out or pattern.sets:
                heappush(waiting, (pattern.order, 1000 * count + number, pattern))
        following = families[number + 1].least if number + 1 < len(families) else 99.0
        while waiting and waiting[0][0][0] <= following:
            pattern = heappop(waiting)[2]
            key = pattern.name, pattern.out, pattern.sets
            if key not in shown:
                shown.add(key)
                yield pattern
