"""Sums that houses imply ("innies and outies"): over the cells of one to four houses that cages leave, or exceed.

A house with as many variables as values has a known sum. If cages cover all but a few of its cells, the sum of those
cells is known too; if some cages extend beyond it, the sum of the remaining cells minus that of the cells outside is
known. The same applies to several houses without a common cell. These sums hold in every solution, and an engine that
treats houses and cages one by one does not see them.

The functions from ``implied`` on are kernels: ``native`` has them as machine code, and here they run as they are. A set
of variables is bits in one or more words; a list of houses or cages is their number, and for each the sum and the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from ..model import AllDifferent, Constraint, InDomain, Linear, Model

NAME = "house-sums"
FEWEST_CAGES = 4
MOST_HOUSES = 4
MOST_LEFT = 6
"""The most cells in a sum without cells outside; longer sums say little."""
MOST_BOTH = 5
"""The most cells in a sum, inside and outside together."""
MOST_OUTSIDE = 4


class Ints(Protocol):
    """A list, or an array in machine code."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, x: int, /) -> None: ...


def house_sums(model: Model) -> list[Constraint]:
    """Return the sums that the houses and cages of a model imply; sums of one variable are returned as domains."""
    houses: list[tuple[int, int]] = []
    cages: list[tuple[int, int]] = []
    for c in model.constraints:
        if isinstance(c, AllDifferent):
            values: set[int] = set().union(*{model.domains[x] for x in c.xs})
            if len(values) == len(c.xs):
                houses.append((sum(values), _bits(model, c.xs)))
        elif isinstance(c, Linear) and c.op == "==" and set(c.coeffs) == {1} and len(set(c.xs)) == len(c.xs):
            cages.append((c.k, _bits(model, c.xs)))
    if len(cages) < FEWEST_CAGES:
        return []
    out = [0] * room_for(len(houses), 1)
    found = implied(_listed(houses), _listed(cages), 1, [0], [0] * (1 + len(cages)), out)
    return [_constraint(model.names, *out[at : at + 3]) for at in range(0, 3 * found, 3)]


def _listed(known: list[tuple[int, int]]) -> list[int]:
    return [len(known), *chain.from_iterable(known)]


def _bits(model: Model, xs: Iterable[str]) -> int:
    return sum([1 << model.index[x] for x in xs])


def _constraint(names: Sequence[str], total: int, left: int, outside: int) -> Constraint:
    xs = [names[i] for bits in (left, outside) for i in bits_in(bits)]
    if not xs:
        return InDomain(names[0], ())
    if len(xs) == 1:
        return InDomain(xs[0], (total if left else -total,))
    return Linear([1] * left.bit_count() + [-1] * outside.bit_count(), xs, "==", total)


def bits_in(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask, from the lowest."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


# ---------------------------------------------------------------- kernels

ones = int.bit_count


def room_for(houses: int, words: int) -> int:
    """Return the room for all sums that a number of houses imply."""
    return (2 * MOST_HOUSES * houses + 2) * (1 + 2 * words)


def implied(houses: Ints, cages: Ints, words: int, whole: Ints, crossing: Ints, out: Ints) -> int:
    """Write the sums that houses and cages imply, each once; return their number.

    For each its total, the set of variables that are added, and the set of those that are subtracted; both empty if
    houses and cages contradict each other. ``whole`` has room for a set, ``crossing`` for one number more than cages.
    """
    largest = 0
    for i in range(houses[0]):
        largest = max(largest, common(houses, 2 + i * (1 + words), houses, 2 + i * (1 + words), words))
    at = 0
    for span in range(1, MOST_HOUSES + 1):
        for i in range(houses[0] - span + 1):
            if entered(houses, 1 + i * (1 + words), span, words, whole, out, at):
                if covered(largest, cages, words, whole, crossing, out, at):
                    at = noted(words, out, at)
                if crossed(cages, words, whole, crossing, out, at):
                    at = noted(words, out, at)
    return at // (1 + 2 * words)


def entered(houses: Ints, house: int, span: int, words: int, whole: Ints, out: Ints, at: int) -> int:
    """Begin with the sum of some houses, one after the other; return 0 if they have a variable in common."""
    out[at] = 0
    for w in range(words):
        whole[w] = out[at + 1 + words + w] = 0
    for _ in range(span):
        both = 0
        for w in range(words):
            both |= whole[w] & houses[house + 1 + w]
            whole[w] |= houses[house + 1 + w]
            out[at + 1 + w] = whole[w]
        if both:
            return 0
        out[at] += houses[house]
        house += 1 + words
    return 1


def covered(largest: int, cages: Ints, words: int, whole: Ints, crossing: Ints, out: Ints, at: int) -> int:
    """Cover a region by disjoint cages inside it, and list those that may cross its border.

    These have at most half of their cells outside. A cage as large as the largest house is not used. Return how many
    cover the region.
    """
    done = crossing[0] = first = 0
    last, cage = words, 1
    while first < words - 1 and whole[first] == 0:
        first += 1
    while last > first + 1 and whole[last - 1] == 0:
        last -= 1
    for _ in range(cages[0]):
        w = first
        while w < last and cages[cage + 1 + w] & whole[w] == 0:
            w += 1
        if w < last:
            size = common(cages, cage + 1, cages, cage + 1, words)
            beyond = size - common(cages, cage + 1, whole, 0, words)
            if beyond == 0 and size < largest:
                done += take(cages, cage, words, whole, out, at)
            elif beyond <= min(MOST_OUTSIDE, size // 2) and size < largest:
                crossing[0] += 1
                crossing[crossing[0]] = cage
        cage += 1 + words
    return done


def crossed(cages: Ints, words: int, whole: Ints, crossing: Ints, out: Ints, at: int) -> int:
    """Cover more by cages that cross the border; return how many do."""
    done = 0
    for i in range(1, crossing[0] + 1):
        done += take(cages, crossing[i], words, whole, out, at)
    return done


def take(cages: Ints, cage: int, words: int, whole: Ints, out: Ints, at: int) -> int:
    """Subtract a cage from a sum, unless it has a variable that is already covered, or too many are outside then."""
    outside = 0
    for w in range(words):
        bits, left, beyond = cages[cage + 1 + w], out[at + 1 + w], out[at + 1 + words + w]
        if bits & (whole[w] & ~left | beyond):
            return 0
        outside += ones(beyond | bits & ~whole[w])
    if outside > MOST_OUTSIDE:
        return 0
    for w in range(words):
        out[at + 1 + w] &= ~cages[cage + 1 + w]
        out[at + 1 + words + w] |= cages[cage + 1 + w] & ~whole[w]
    out[at] -= cages[cage]
    return 1


def noted(words: int, out: Ints, at: int) -> int:
    """Keep the sum at a place if it is short and new; return the place of the next one, equal at first."""
    step = 1 + 2 * words
    outside = common(out, at + 1 + words, out, at + 1 + words, words)
    n = common(out, at + 1, out, at + 1, words) + outside
    if n > (MOST_BOTH if outside else MOST_LEFT) or (n == 0 and out[at] == 0):
        return at
    for i in range(at // step):
        if out[i * step + 1] == out[at + 1] and same(out, i * step + 1, out, at + 1, 2 * words):
            return at
    for i in range(at, at + step):
        out[i + step] = out[i]
    return at + step


def common(xs: Ints, i: int, ys: Ints, j: int, words: int) -> int:
    """Return how many variables two sets have in common."""
    found = 0
    for w in range(words):
        found += ones(xs[i + w] & ys[j + w])
    return found


def same(xs: Ints, i: int, ys: Ints, j: int, n: int) -> int:
    """Return whether ``n`` numbers from two places on are the same."""
    for k in range(n):
        if xs[i + k] != ys[j + k]:
            return 0
    return 1


KERNELS = (implied, entered, covered, crossed, take, noted, common, same)
