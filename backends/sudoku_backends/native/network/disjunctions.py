"""Disjunctions: stated as a relation or a diagram if they are small, otherwise as parts of which one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from sudoku_models.lowering.negation import pushed
from sudoku_models.model import And, Constraint, InDomain, Or

from ..kernel import layout
from . import diagrams, pairs
from .draft import Draft, shape_of

State = Callable[[Draft, Constraint], None]

MOST_PAIRS = 4096
MOST_TRIPLES = 1100
MOST_PARTS = 200
MOST_OPTIONS = 60
"""A hidden variable chooses among at most this number of parts."""


def state_or(draft: Draft, c: Constraint, state: State) -> None:
    """State an Or; ``state`` states any other constraint."""
    c = pushed(c, draft.domains)
    if isinstance(c, Or) and any(isinstance(part, InDomain) for part in c.parts):
        left = _open_parts(draft, c)
        if left is None:
            return
        c = left
    scope = c.scope
    size = prod(len(draft.domains[x]) for x in scope)
    if not isinstance(c, Or):
        state(draft, c)
    elif not scope:
        if not c.holds({}):
            draft.never()
    elif len(scope) == 1:
        (x,) = scope
        draft.among(draft.index[x], draft.mask(v for v in draft.domains[x] if c.holds({x: v})))
    elif len(scope) == 2 and size <= MOST_PAIRS:
        pairs.add_pair(draft, c)
    elif all(isinstance(part, InDomain) for part in flat(c)):
        _clause(draft, c)
    elif len(scope) == 3 and size <= MOST_TRIPLES:
        diagrams.add_diagram(draft, draft.ids(scope), _triples(draft, c, scope))
    elif draft.inside is not None:
        _chosen(draft, c)
    else:
        _parts(draft, c, state)


def _open_parts(draft: Draft, c: Or) -> Constraint | None:
    """Return an Or without the parts that its variables' domains contradict; None if these make a part hold anyway."""
    kept = []
    for part in c.parts:
        if isinstance(part, InDomain):
            values = draft.start[draft.index[part.x]]
            shared = values & draft.mask(part.values)
            if shared == values:
                return None
            if not shared:
                continue
        kept.append(part)
    if len(kept) == len(c.parts):
        return c
    return kept[0] if len(kept) == 1 else Or(kept)


def _triples(draft: Draft, c: Constraint, scope: tuple[str, ...]) -> diagrams.WordDiagram:
    """Return the diagram of the values of three variables under which a constraint holds; one for all of its shape."""
    masks = tuple([draft.start[draft.index[x]] for x in scope])
    places = {x: i for i, x in enumerate(scope)}
    key = ("triples", shape_of(c, places), tuple([draft.domains[x] for x in scope]), masks)

    def make() -> diagrams.WordDiagram:
        return diagrams.of_tuples(tuple(draft.rows_of(c, scope)), True, draft.base, masks)

    found: diagrams.WordDiagram = draft.remembered(key, make, c)
    return found


def flat(c: Constraint) -> Iterator[Constraint]:
    """Yield the parts of an Or, and in place of an Or among them its parts."""
    if isinstance(c, Or):
        for part in c.parts:
            yield from flat(part)
    else:
        yield c


def _clause(draft: Draft, c: Or) -> None:
    masks: dict[int, int] = {}
    for part in flat(c):
        assert isinstance(part, InDomain)
        x = draft.index[part.x]
        masks[x] = masks.get(x, 0) | draft.mask(part.values)
    record = [len(masks), *(n for pair in masks.items() for n in pair)]
    draft.add(layout.CLAUSE, record, masks, 0, 1)


def _chosen(draft: Draft, c: Or) -> None:
    """State an Or within a part: a hidden variable chooses one of its parts if the outer part holds, otherwise none.

    What the parts demand is stated later, next to the outer disjunction.
    """
    parts = list(flat(c))
    if len(parts) > MOST_OPTIONS:
        parts = [*parts[: MOST_OPTIONS - 1], Or(parts[MOST_OPTIONS - 1 :])]
    choice = draft.hidden(len(parts) + 1)
    draft.among(choice, (1 << len(parts)) - 1)
    full = (1 << len(parts) + 1) - 1
    draft.pending += [(choice, full & ~(1 << i), part) for i, part in enumerate(parts)]


def state_pending(draft: Draft, state: State) -> None:
    """State what hidden variables choose: the variable does not have the value, or the part holds."""
    while draft.pending:
        choice, other, part = draft.pending.pop()
        options = [[part]] if not isinstance(part, Or) else [[p] for p in flat(part)]
        _either(draft, options, state, (choice, other))


def _parts(draft: Draft, c: Or, state: State) -> None:
    """Bring an Or into normal form as far as that stays small, and state each part."""
    options: list[list[Constraint]] = []
    for part in flat(c):
        normal = _normal(draft, part)
        options += [[part]] if normal is None else normal
    _either(draft, options, state, None)


def _either(draft: Draft, options: list[list[Constraint]], state: State, literal: tuple[int, int] | None) -> None:
    """Add a disjunction of conjunctions; with ``literal``, a variable having a value of a mask is another option."""
    starts, leaves = [0], []
    xs = {x: None for option in options for part in option for x in draft.ids(part.scope)}
    if literal:
        with draft.part() as rows:
            draft.among(*literal)
        leaves += rows
        starts.append(len(leaves))
    for option in options:
        with draft.part() as rows:
            for part in option:
                state(draft, part)
        leaves += rows
        starts.append(len(leaves))
    scope = dict.fromkeys((*xs, *(x for row in leaves for x in row.scope)))
    draft.either.append((starts, leaves, tuple(scope)))


def _normal(draft: Draft, c: Constraint) -> list[list[Constraint]] | None:
    """Return conjunctions of which one holds exactly when a constraint does; None if there are too many."""
    if isinstance(c, Or) and len(c.scope) > 2:
        found: list[list[Constraint]] = []
        for part in c.parts:
            normal = _normal(draft, part)
            if normal is None or len(found) + len(normal) > MOST_PARTS:
                return None
            found += normal
        return found
    if not isinstance(c, And):
        return [[c]]
    found = [[]]
    for part in c.parts:
        normal = _normal(draft, part)
        if normal is None:
            return None
        found = [old + new for old in found for new in normal if _consistent(draft, old + new)]
        if len(found) > MOST_PARTS:
            return None
    return found


def _consistent(draft: Draft, parts: list[Constraint]) -> bool:
    """Return whether the domains that some constraints state have a value in common."""
    left: dict[int, int] = {}
    for part in parts:
        if isinstance(part, InDomain):
            x = draft.index[part.x]
            left[x] = left.get(x, draft.start[x]) & draft.mask(part.values)
            if not left[x]:
                return False
    return True
