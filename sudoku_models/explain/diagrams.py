"""Diagrams: the solutions of an atom as paths through layers of nodes, which kernels follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .atoms import AutomatonAtom, Listed

Edge = tuple[int, int, int]
"""From one node to another, by any value of a mask."""
Ways = Sequence[Mapping[int, int]]
"""By cell: the kernel's bit for each bit of the ladder; bits that are absent cannot be used."""


@dataclass(frozen=True)
class Diagram:
    """``layers`` are the edges at each position, ``places`` the cells there; the ends are 0 and ``nodes`` - 1.

    ``starts`` are the first nodes of the layers, and the last node.
    """

    nodes: int
    starts: tuple[int, ...]
    places: tuple[int, ...]
    layers: tuple[tuple[Edge, ...], ...]


def of_automaton(automaton: AutomatonAtom, ways: Ways) -> Diagram:
    """Return the diagram of an automaton, without dead ends; equal states are merged."""
    reached = [{automaton.start}]
    for arrows in automaton.layers:
        reached.append({after for state in reached[-1] for _, after in arrows.get(state, ())})
    kind = {state: 0 for state in reached[-1] if state in automaton.accepting}
    layers: list[dict[tuple[tuple[int, int], ...], int]] = []
    for i in range(len(automaton.layers) - 1, -1, -1):
        way, seen = ways[automaton.places[i]], dict[tuple[tuple[int, int], ...], int]()
        kinds: dict[int, int] = {}
        for state in reached[i]:
            masks: dict[int, int] = {}
            for bit, after in automaton.layers[i].get(state, ()):
                if after in kind and bit in way:
                    masks[kind[after]] = masks.get(kind[after], 0) | 1 << way[bit]
            if masks:
                kinds[state] = seen.setdefault(tuple(sorted(masks.items())), len(seen))
        layers.append(seen)
        kind = kinds
    return _numbered([list(seen) for seen in reversed(layers)], automaton.places)


def of_rows(listed: Listed, ways: Ways) -> Diagram:
    """Return the diagram of listed rows: prefixes with the same continuations lead to one node."""
    width = listed.rows.shape[1]
    if not len(listed.rows):
        return _numbered([()] * width, tuple(range(width)))
    rows = np.unique(listed.rows, axis=0)
    kinds: Any = np.zeros(len(rows), np.int64)
    layers: list[list[tuple[tuple[int, int], ...]]] = []
    for i in range(width - 1, -1, -1):
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:, :i] != rows[:-1, :i]).any(axis=1)
        seen: dict[tuple[tuple[int, int], ...], int] = {}
        starts = np.flatnonzero(fresh)
        made, way = [], ways[i]
        last, after = rows[:, i].tolist(), kinds.tolist()
        for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rows)], strict=True):
            masks: dict[int, int] = {}
            for r in range(begin, end):
                if last[r] in way:
                    masks[after[r]] = masks.get(after[r], 0) | 1 << way[last[r]]
            made.append(seen.setdefault(tuple(sorted(masks.items())), len(seen)))
        layers.append(list(seen))
        rows, kinds = rows[starts], np.array(made, np.int64)
    return _numbered(layers[::-1], tuple(range(len(layers))))


def _numbered(layers: Sequence[Sequence[tuple[tuple[int, int], ...]]], places: tuple[int, ...]) -> Diagram:
    """Number the nodes through all layers; ``layers`` has for each node its edges: the next node, and a mask."""
    found: list[tuple[Edge, ...]] = []
    starts = [0]
    for layer in layers:
        at, then = starts[-1], starts[-1] + max(len(layer), 1)
        found.append(tuple((at + i, then + after, mask) for i, node in enumerate(layer) for after, mask in node))
        starts.append(then)
    return Diagram(starts[-1] + 1, tuple(starts), places, tuple(found))
