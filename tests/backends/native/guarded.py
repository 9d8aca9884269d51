"""Arrays on which the kernel runs as plain Python, and which refuse what compiled code would do in silence."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from sudoku_backends.native.kernel import layout, word_diagrams
from sudoku_backends.native.kernel.search import count_many, search
from sudoku_backends.native.machine import LIBRARY
from sudoku_backends.native.network import Network, diagrams, draft, network_arrays, network_of, reductions, stating
from sudoku_backends.native.search import Searching

from sudoku_models.engine.machine_code.language import OUTSIDE, place_of

GAP = 40
"""Places between two sections that nobody may touch."""

LARGEST = (1 << 63) - 1


class Guarded(list[int]):
    """A list that refuses negative places, places in a gap, and numbers of more than 64 bits."""

    def __init__(self, values: Iterable[int], gaps: Iterable[int] = (), closed: bool = False) -> None:
        super().__init__(values)
        self.gaps, self.closed = frozenset(gaps), closed

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        if isinstance(place, slice):
            return super().__getitem__(place)
        assert place >= 0, place
        assert place not in self.gaps, f"place {place} belongs to no section"
        return super().__getitem__(place)

    def __setitem__(self, place, value):  # type: ignore[no-untyped-def]
        assert place >= 0, place
        assert place not in self.gaps, f"place {place} belongs to no section"
        assert not self.closed, "the network is written to"
        assert -LARGEST - 1 <= value <= LARGEST, value
        super().__setitem__(place, int(value))


def spread(words: list[int], of: type[layout.Net | layout.Mem], closed: bool = False) -> Guarded:
    """Return what a layout and its sections contain with a gap before each section."""
    sections = [place_of(of, name) for name, field in of._fields.items() if field.items == OUTSIDE]
    ends = [*(words[at] for at in sections), len(words)]
    moved, gaps = words[: ends[0]], set[int]()
    for at, place, end in zip(sections, ends, ends[1:], strict=False):
        gaps.update(range(len(moved), len(moved) + GAP))
        moved.extend([0] * GAP)
        moved[at] = len(moved)
        moved.extend(words[place:end])
    return Guarded(moved, gaps, closed)


def guarded_memory(network: Network, start):  # type: ignore[no-untyped-def]
    """Return the memory of a search with a gap before each section, and its weights."""
    searching = Searching(network, start)
    moved = spread(searching.mem.tolist(), layout.Mem)
    state = layout.Mem(moved)
    state.changes = state.change_list.place
    return moved, [*searching.weight.tolist()]


def built_plainly(model, monkeypatch: pytest.MonkeyPatch) -> Network:  # type: ignore[no-untyped-def]
    """Build a network with the kernels as plain Python, for which an index outside an array is an error."""
    with monkeypatch.context() as patched:
        for module in (draft, network_arrays, reductions, stating):
            patched.setattr(module, "address", lambda buffer: buffer)
            patched.setattr(module, "machine", LIBRARY.plain, raising=False)
        return network_of(model)


def net_of(network: Network) -> layout.Net:
    """Return a copy of a network that must not be written to, with a gap before each section."""
    return layout.Net(spread(network.net.tolist(), layout.Net, closed=True))


def plain_solutions(network: Network, start, most_nodes: int = 10_000):  # type: ignore[no-untyped-def]
    """Return all solutions that the kernel finds when it runs as plain Python, over the stated variables."""
    moved, weight = guarded_memory(network, start)
    n, found = network.variables, []
    out, net, state = Guarded([0] * max(1, n)), net_of(network), layout.Mem(moved)
    while state.state != layout.FINISHED:
        if search(net, state, weight, 1, most_nodes, out, 0, n):
            found += network.block(out, 1)
        assert state.state != layout.STOPPED, "more nodes than expected"
    return found


def plain_counts(network: Network, starts, limit: int, nodes: int):  # type: ignore[no-untyped-def]
    """Count the solutions of rows of masks with the kernel of batches as plain Python, some nodes at a time.

    Returns the counts, whether each search was finished, and the first solutions as rows of bit numbers.
    """
    moved, weight = guarded_memory(network, network.start)
    size, n = len(starts), network.variables
    found, counts = Guarded([0] * ((size + 1) * n)), Guarded([0] * (2 * size))
    net, fresh, state = net_of(network), Guarded(network.weights.tolist(), closed=True), layout.Mem(moved)
    rows, done = Guarded(starts.reshape(-1).tolist(), closed=True), 0
    while done < size:
        done = count_many(net, state, weight, fresh, rows, done, size, limit, nodes, found, counts)
    return counts[:size], counts[size:], [found[i * n : (i + 1) * n] for i in range(size)]


def read_plainly(entry: str, length: int, letters: int, most: int, *given):  # type: ignore[no-untyped-def]
    """Do what ``written`` does, with the kernel as plain Python on guarded lists."""
    most = min(most, 500)
    memory = [Guarded([0] * size) for size in diagrams.sizes_for(most, length, letters)]
    memory[0][word_diagrams.MOST], memory[0][word_diagrams.SLOTS] = most, len(memory[2])
    inputs = [part if isinstance(part, int) else Guarded(part.tolist()) for part in given]
    if not getattr(word_diagrams, entry)(*inputs, *memory[:4]):
        return None
    size = word_diagrams.finished(*memory[:4], length, *memory[4:])
    return diagrams.WordDiagram(length, diagrams.numbers(list(memory[-1])[:size]))


def read_diagrams_plainly(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Let diagrams of words be read as plain Python from now on; return the kernels that have read one."""
    read = set[str]()

    def written(entry: str, *given):  # type: ignore[no-untyped-def]
        read.add(entry)
        return read_plainly(entry, *given)

    monkeypatch.setattr(diagrams, "written", written)
    for made in (diagrams.of_automaton, diagrams.of_tuples):
        monkeypatch.setattr(diagrams, made.__name__, made.__wrapped__)  # nothing that was kept
    return read
