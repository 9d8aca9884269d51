"""At-most-one: clauses that let at most one literal of a list be true, by name of the encoding.

An encoding is a template over the local literals 1..k of a list and auxiliaries from k + 1. It is written once for each
length and applied to all lists of that length together. When exactly one literal is true, every auxiliary is
determined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil, isqrt
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[Any]]
"""An array of integers, one-dimensional unless stated otherwise."""

SHORTEST = 5
"""Lists shorter than this are always pairwise: no other encoding of them is smaller."""


class Template:
    """The clauses of one list while they are collected; ``literals`` counts the local literals."""

    def __init__(self, literals: int) -> None:
        self.literals = literals
        self.clauses: list[tuple[int, ...]] = []

    def add(self, *clause: int) -> None:
        self.clauses.append(clause)

    def fresh(self, count: int) -> list[int]:
        """Return new auxiliary literals."""
        self.literals += count
        return list(range(self.literals - count + 1, self.literals + 1))


Encoding = Callable[[Template, Sequence[int]], None]


def pairwise(out: Template, xs: Sequence[int]) -> None:
    """Forbid each of the k (k - 1) / 2 pairs; no auxiliaries."""
    for x, y in combinations(xs, 2):
        out.add(-x, -y)


def sequential(out: Template, xs: Sequence[int]) -> None:
    """Auxiliary s[i]: one of the first i literals is true (Sinz 2005); 3 k - 4 clauses, k - 1 auxiliaries."""
    if len(xs) < SHORTEST:
        return pairwise(out, xs)
    s = out.fresh(len(xs) - 1)
    for i in range(len(xs) - 1):
        out.add(-xs[i], s[i])
        out.add(-xs[i + 1], -s[i])
        if i:
            out.add(-s[i - 1], s[i])
    return None


def product(out: Template, xs: Sequence[int]) -> None:
    """Arrange the literals in a rectangle; at most one row and at most one column holds a true literal (Chen 2010)."""
    if len(xs) < SHORTEST:
        return pairwise(out, xs)
    wide = isqrt(len(xs) - 1) + 1
    rows, columns = out.fresh(ceil(len(xs) / wide)), out.fresh(wide)
    for i, x in enumerate(xs):
        out.add(-x, rows[i // wide])
        out.add(-x, columns[i % wide])
    product(out, rows)
    return product(out, columns)


def commander(out: Template, xs: Sequence[int]) -> None:
    """Groups of three, each with a commander that is true when one of them is (Klieber and Kwon 2007)."""
    if len(xs) < SHORTEST:
        return pairwise(out, xs)
    groups = [xs[i : i + 3] for i in range(0, len(xs), 3)]
    commanders = out.fresh(len(groups))
    for group, leader in zip(groups, commanders, strict=True):
        pairwise(out, group)
        out.add(-leader, *group)
        for x in group:
            out.add(-x, leader)
    return commander(out, commanders)


def bimander(out: Template, xs: Sequence[int]) -> None:
    """Pairs of literals; the pair that holds the true literal is numbered in binary (Nguyen and Mai 2015)."""
    if len(xs) < SHORTEST:
        return pairwise(out, xs)
    groups = [xs[i : i + 2] for i in range(0, len(xs), 2)]
    bits = out.fresh((len(groups) - 1).bit_length())
    for number, group in enumerate(groups):
        pairwise(out, group)
        for x in group:
            for place, bit in enumerate(bits):
                out.add(-x, bit if number >> place & 1 else -bit)
    return None


ENCODINGS: dict[str, Encoding] = {
    "pairwise": pairwise,
    "sequential": sequential,
    "commander": commander,
    "product": product,
    "bimander": bimander,
}


@dataclass(frozen=True)
class Pattern:
    """A template in arrays: the number of auxiliaries, the binary clauses (n, 2), and the longer ones by length (n, k).

    Literals are local; the sign is stored separately so that a literal can serve as an index.
    """

    auxiliaries: int
    tables: tuple[Ints, ...]


@lru_cache(maxsize=4096)
def pattern(name: str, k: int) -> Pattern:
    """Return the pattern of an encoding for lists of k literals."""
    out = Template(k)
    ENCODINGS[name](out, range(1, k + 1))
    lengths = sorted({len(clause) for clause in out.clauses})
    tables = (np.array([c for c in out.clauses if len(c) == n], dtype=np.int32) for n in lengths)
    return Pattern(out.literals - k, tuple(tables))
