"""The kinds of rules that can be laid on a board, and what each states at a place: as its ``Placing`` says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from ..puzzle import rules as r
from ..puzzle.rules import Rule
from ..puzzle.rules.traits import Placing

Names = tuple[str, ...]
State = Callable[[Names, Sequence[int]], Rule | None]

LAYERS = {"line": "line", "middle": "line", "cage": "cage", "couple": "pair", "square": "corner"}
LAYERS |= {"single": "mark", "anywhere": "mark"}
"""The layer of each kind of place; that of all others is ``outside``. Places of one layer do not overlap."""

BODIES = "line", "cage"
"""The layers whose places fill their cells: they do not overlap each other either."""
DRAWN = "line", "corner"
"""The layers that are drawn over corners of cells: no two of them over the same one."""


@dataclass(frozen=True)
class Kind:
    """A kind of rule: where it lies, and which rule it ``states`` for the values of a place (None: none holds there).

    ``bare`` makes the rule without knowing values, if it states no number. ``directed`` says that a place read
    backwards is another one. ``vague`` says how many ways there are to keep a rule on a board of some side: of rules
    with few ways easy boards are made.
    """

    placing: Placing
    states: State
    bare: Callable[[Names], Rule] | None = None
    directed: bool = False
    vague: Callable[[Any, int], int] | None = None

    @property
    def layer(self) -> str:
        """What it shares its cells with: see ``LAYERS``."""
        return LAYERS.get(self.placing.place, "outside")

    @property
    def shares(self) -> bool:
        """Return whether places of this kind may have cells in common."""
        return self.layer in ("pair", "outside")

    @property
    def size(self) -> tuple[int, int]:
        """The least and the greatest number of cells, unless others are wanted."""
        return self.placing.least, self.placing.most


def _kind(rule: Any, placing: Placing) -> Kind:
    """Return a kind of rule that states its cells, and perhaps a number."""
    single, value = placing.place == "single", placing.value

    def states(names: Names, values: Sequence[int]) -> Rule | None:
        """Return the rule with the number that these values have."""
        if value is None:
            return made(names)
        number = value(values)
        return None if number is None else made(names, **{placing.number: number})

    def made(names: Names, **number: Any) -> Rule:
        found: Rule = rule(names[0] if single else names, **number)
        return found

    free = value is None and LAYERS.get(placing.place) in BODIES
    directed = "order" not in vars(rule) and placing.place in ("line", "couple", "outside")
    return Kind(placing, states, made if free else None, directed)


def _dot(names: Names, values: Sequence[int]) -> Rule:
    return r.Difference(names) if abs(values[0] - values[1]) == 1 else r.Ratio(names)


def _circle(size: int) -> Kind:
    """Return circles with the ``size`` greatest of the values around them."""
    return Kind(Placing("square", 4, 4), lambda names, values: r.Quadruple(names, tuple(sorted(values)[-size:])))


@lru_cache(maxsize=32)
def _sums(side: int) -> Counter[int]:
    """Return how many sets of the values between the ends have each sum."""
    inner = range(2, side)
    return Counter(sum(chosen) for size in range(len(inner) + 1) for chosen in combinations(inner, size))


_KINDS = {name: _kind(kind, vars(kind)["placing"]) for name, kind in r.known_rules().items() if "placing" in vars(kind)}
PLACES: Mapping[str, Kind] = {
    **_KINDS,
    "Sandwich": replace(_KINDS["Sandwich"], vague=lambda rule, side: _sums(side)[rule.total]),
    "Kropki": Kind(Placing("couple", 2, 2), _dot),
    "Quadruple": _circle(4),
    "Quadruple3": _circle(3),
    "Quadruple2": _circle(2),
}
"""The kinds of rules that can be placed on a board, by name; Kropki are white and black dots."""


def kinds_of(rule: Rule) -> frozenset[str]:
    """Return the names of the kinds that a rule belongs to: its class, and others under which it is placed."""
    kinds = {type(rule).__name__}
    if isinstance(rule, r.Difference | r.Ratio):
        kinds.add("Kropki")
    if isinstance(rule, r.Quadruple):
        kinds.add(f"Quadruple{len(rule.values)}")
    return frozenset(kinds)
