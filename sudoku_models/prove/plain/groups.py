"""Connected in clauses, as the second encoder writes it: how many steps each place is from the first of its group."""

from __future__ import annotations

from ...model import Connected
from .clauses import PlainClauses


def group(clauses: PlainClauses, c: Connected, true: bool, unless: tuple[int, ...]) -> None:
    """Write that the places inside are connected, or that they fall into two parts without a connection."""
    inside, wanted = [], frozenset(c.values)
    for name in c.xs:
        member = clauses.new()
        literals = [x for value, x in clauses.values(name) if value in wanted]
        for x in literals:
            clauses.say(-x, member)
        clauses.say(-member, *literals)
        inside.append(member)
    if true:
        _one_part(clauses, c, inside, unless)
    else:
        _two_parts(clauses, c, inside, unless)


def _one_part(clauses: PlainClauses, c: Connected, inside: list[int], unless: tuple[int, ...]) -> None:
    """A place inside is 0, 1, 2 ... steps away: 0 only for the first, otherwise a neighbour is one step nearer."""
    size = len(inside)
    clauses.step(size * size)
    away = [[clauses.new() for _ in range(size)] for _ in range(size)]
    for place in range(size):
        clauses.step(len(c.edges))
        clauses.say(*unless, -inside[place], *away[place])
        for steps in away[place]:
            clauses.say(*unless, -steps, inside[place])
        for earlier in range(place):
            clauses.say(*unless, -away[place][0], -inside[earlier])
        beside = dict.fromkeys(b if a == place else a for a, b in c.edges if place in (a, b))
        for steps in range(1, size):
            nearer = [away[other][steps - 1] for other in beside]
            clauses.say(*unless, -away[place][steps], *nearer)


def _two_parts(clauses: PlainClauses, c: Connected, inside: list[int], unless: tuple[int, ...]) -> None:
    """Each place has a colour: one place inside is coloured, one is not, and neighbours inside are alike."""
    colour, ones, others = [], [], []
    for member in inside:
        painted, one, other = clauses.new(), clauses.new(), clauses.new()
        clauses.say(*unless, -one, member)
        clauses.say(*unless, -one, painted)
        clauses.say(*unless, -other, member)
        clauses.say(*unless, -other, -painted)
        colour.append(painted)
        ones.append(one)
        others.append(other)
    clauses.say(*unless, *ones)
    clauses.say(*unless, *others)
    for a, b in c.edges:
        if a != b:
            clauses.say(*unless, -inside[a], -inside[b], -colour[a], colour[b])
            clauses.say(*unless, -inside[a], -inside[b], colour[a], -colour[b])
