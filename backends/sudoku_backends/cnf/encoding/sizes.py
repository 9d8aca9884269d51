"""The size of a model's formula before any puzzle, counted without building it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from . import at_most_one
from .options import EncodingOptions
from .structure import Layer, Structure


def sizes_of(structure: Structure, options: EncodingOptions) -> dict[str, int]:
    """Return the numbers of variables, clauses and literals of the formula over all candidates."""
    domains = structure.space.domains
    at_least, at_most, other = Counter(map(len, domains)), Counter[int](), Counter[int]()
    for in_house, values in zip(structure.in_house.tolist(), domains, strict=True):
        at_most[len(values)] += options.house != "minimal" or not in_house
    for layer in structure.layers:
        for exactly, lengths in _layer_lengths(structure, layer):
            (at_most if exactly else other).update(lengths)
            at_least.update(lengths if exactly and options.house == "extended" else {})
    return _total(structure, options, at_least, at_most, other)


def _layer_lengths(structure: Structure, layer: Layer) -> Iterator[tuple[bool, Counter[int]]]:
    """Yield the lengths of the layer's lists, first of the houses, then of the other groups."""
    space = structure.space
    counts = np.repeat(layer.sizes[:, None], len(space.values), axis=1)
    short = space.limited if space.width else dict(enumerate(space.domains))
    for cell, values in short.items():
        if layer.group_of[cell] < layer.groups:
            counts[layer.group_of[cell]] -= ~space.row(values)
    for exactly in (True, False):
        found = np.bincount(counts[layer.houses == exactly].ravel())
        yield exactly, Counter({k: int(found[k]) for k in np.flatnonzero(found).tolist() if k})


def _total(
    structure: Structure,
    options: EncodingOptions,
    at_least: Counter[int],
    at_most: Counter[int],
    other: Counter[int],
) -> dict[str, int]:
    variables = sum(map(len, structure.space.domains)) + structure.others.auxiliaries
    clauses = structure.others.clauses + at_least.total()
    literals = len(structure.others.lits) + sum(k * count for k, count in at_least.items())
    for complete, lengths in ((True, at_most), (False, other)):
        for k, count in lengths.items():
            sizes = _one_list(k, complete, options.amo)
            variables += count * sizes[0]
            clauses += count * sizes[1]
            literals += count * sizes[2]
    return {"variables": variables, "clauses": clauses, "literals": literals}


def _one_list(k: int, complete: bool, name: str) -> tuple[int, int, int]:
    """Return the numbers of auxiliaries, clauses and literals of at-most-one over a list of k literals."""
    if name == "pairwise" or k < at_most_one.SHORTEST:
        return 0, k * (k - 1) // 2, k * (k - 1)
    extra = 0 if complete else 1
    pattern = at_most_one.pattern(name, k + extra)
    clauses = extra + sum(len(table) for table in pattern.tables)
    return extra + pattern.auxiliaries, clauses, extra * (k + 1) + sum(table.size for table in pattern.tables)
