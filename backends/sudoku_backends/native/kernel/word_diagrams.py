"""Building diagrams: words are followed letter by letter, and states with the same rest of a word are merged.

The kernels that read words write states, layer by layer, into ``states`` and their arrows into ``arrows``; ``table``
finds a state by its key. Then ``finished`` numbers what is left, and writes it as ``diagram`` reads it.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import MOST_BITS, kernel

# Numbers at the beginning of states, whose rows follow.
STATES = 0  # the number of states
ARROWS = 1
MOST = 2  # the number of states for which there is room
SLOTS = 3  # of table, a power of two
BEGIN = 4
# A row of states.
KEY = 0
USED = 1
FIRST = 2  # its first arrow ...
COUNT = 3  # ... and their number
CLASS = 4  # its number in its layer, once it is merged; -1 leads nowhere
ROW = 5

END = -1  # where arrows of the last layer lead


@kernel
def state_of(states: Ints, table: Ints, layer: int, key: int, used: int) -> int:
    """Return the state of a layer (from ``layer`` on) with a key, adding it if it is new; -1 if there is no room."""
    slots = states[SLOTS]
    slot = (key * 40503 + used * 10007 + (key >> 7) + (used >> 5)) & (slots - 1)
    while table[slot] != 0:
        found = table[slot] - 1
        if found >= layer and states[BEGIN + ROW * found + KEY] == key and states[BEGIN + ROW * found + USED] == used:
            return found
        slot = (slot + 1) & (slots - 1)
    new = states[STATES]
    if new >= states[MOST]:
        return -1
    states[STATES] = new + 1
    table[slot] = new + 1
    states[BEGIN + ROW * new + KEY] = key
    states[BEGIN + ROW * new + USED] = used
    states[BEGIN + ROW * new + COUNT] = 0
    return new


@kernel
def add_arrow(states: Ints, arrows: Ints, source: int, target: int, mask: int) -> int:
    """Add an arrow to the state that currently gets arrows; merge it with an arrow to the same target."""
    row = BEGIN + ROW * source
    if states[row + COUNT] == 0:
        states[row + FIRST] = states[ARROWS]
    first = states[row + FIRST]
    for i in range(first, first + states[row + COUNT]):
        if arrows[2 * i] == target:
            arrows[2 * i + 1] |= mask
            return 1
    arrows[2 * states[ARROWS]] = target
    arrows[2 * states[ARROWS] + 1] = mask
    states[ARROWS] += 1
    states[row + COUNT] += 1
    return 1


@kernel
def clear(states: Ints, table: Ints) -> int:
    """Empty the table."""
    for slot in range(states[SLOTS]):
        table[slot] = 0
    return 1


@kernel
def read_automaton(
    automaton: Ints, domains: Ints, length: int, states: Ints, arrows: Ints, table: Ints, layers: Ints
) -> int:
    """Follow the words of an automaton within masks; return 0 if there is no room.

    ``automaton``: its start, the number of states, of arrows, the value of bit 0; for each state whether it accepts;
    one place more than states, for where the arrows of each begin; then arrows by state: state, value, next state.
    """
    flags = 4
    at = flags + automaton[1]
    triples = at + automaton[1] + 1
    index_arrows(automaton, at, triples)
    clear(states, table)
    layers[0] = 0
    state_of(states, table, 0, automaton[0], 0)
    for i in range(length):
        layers[i + 1] = states[STATES]
        for s in range(layers[i], layers[i + 1]):
            state = states[BEGIN + ROW * s + KEY]
            for arrow in range(automaton[at + state], automaton[at + state + 1]):
                shift = automaton[triples + 3 * arrow + 1] - automaton[3]
                after = automaton[triples + 3 * arrow + 2]
                bit = 0
                if shift >= 0 and shift < MOST_BITS:
                    bit = (1 << shift) & domains[i]
                if bit and i == length - 1:
                    if automaton[flags + after]:
                        add_arrow(states, arrows, s, END, bit)
                elif bit:
                    target = state_of(states, table, layers[i + 1], after, 0)
                    if target < 0:
                        return 0
                    add_arrow(states, arrows, s, target, bit)
    return 1


@kernel
def index_arrows(automaton: Ints, at: int, triples: int) -> int:
    """Write down where the arrows of each state begin."""
    arrow = 0
    for state in range(automaton[1]):
        automaton[at + state] = arrow
        while arrow < automaton[2] and automaton[triples + 3 * arrow] == state:
            arrow += 1
    automaton[at + automaton[1]] = arrow
    return arrow


@kernel
def read_different(diagram: Ints, length: int, states: Ints, arrows: Ints, table: Ints, layers: Ints) -> int:
    """Follow the words of a diagram that have no letter twice; return 0 if there is no room."""
    clear(states, table)
    layers[0] = 0
    state_of(states, table, 0, 0, 0)
    nodes = 3 + length
    pairs = nodes + diagram[0] + 1
    for i in range(length):
        layers[i + 1] = states[STATES]
        for s in range(layers[i], layers[i + 1]):
            node = states[BEGIN + ROW * s + KEY]
            used = states[BEGIN + ROW * s + USED]
            for arrow in range(diagram[nodes + node], diagram[nodes + node + 1]):
                rest = diagram[pairs + 2 * arrow] & ~used
                after = diagram[pairs + 2 * arrow + 1]
                if i == length - 1 and rest:
                    add_arrow(states, arrows, s, END, rest)
                while rest and i < length - 1:
                    bit = rest & -rest
                    rest ^= bit
                    target = state_of(states, table, layers[i + 1], after, used | bit)
                    if target < 0:
                        return 0
                    add_arrow(states, arrows, s, target, bit)
    return 1


@kernel
def merge(states: Ints, arrows: Ints, table: Ints, layers: Ints, length: int, sizes: Ints) -> int:
    """Number the states of each layer from the end, with equal numbers for equal arrows; return 0 if no word is left.

    ``sizes`` gets the number of different numbers in each layer.
    """
    clear(states, table)
    for back in range(length):
        i = length - 1 - back
        sizes[i] = 0
        for s in range(layers[i], layers[i + 1]):
            lead_on(states, arrows, s)
            row = BEGIN + ROW * s
            states[row + CLASS] = -1
            if states[row + COUNT]:
                slot = slot_of_arrows(states, arrows, table, s, layers[i], layers[i + 1])
                if table[slot] == 0:
                    table[slot] = s + 1
                    states[row + CLASS] = sizes[i]
                    sizes[i] += 1
                else:
                    states[row + CLASS] = states[BEGIN + ROW * (table[slot] - 1) + CLASS]
    return sizes[0]


@kernel
def lead_on(states: Ints, arrows: Ints, s: int) -> int:
    """Make the arrows of a state lead to the numbers of the next layer, in order, with one arrow for each number."""
    row = BEGIN + ROW * s
    first = states[row + FIRST]
    kept = 0
    for i in range(first, first + states[row + COUNT]):
        target = arrows[2 * i]
        mask = arrows[2 * i + 1]
        number = 0
        if target != END:
            number = states[BEGIN + ROW * target + CLASS]
        if number >= 0:
            kept += sorted_in(arrows, first, kept, number, mask)
    states[row + COUNT] = kept
    return kept


@kernel
def sorted_in(arrows: Ints, first: int, kept: int, number: int, mask: int) -> int:
    """Put an arrow among those before it, in the order of numbers; return 0 if it is merged with another."""
    place = first + kept
    while place > first and arrows[2 * place - 2] >= number:
        place -= 1
    if place < first + kept and arrows[2 * place] == number:
        arrows[2 * place + 1] |= mask
        return 0
    for k in range(first + kept - place):
        i = first + kept - k
        arrows[2 * i] = arrows[2 * i - 2]
        arrows[2 * i + 1] = arrows[2 * i - 1]
    arrows[2 * place] = number
    arrows[2 * place + 1] = mask
    return 1


@kernel
def slot_of_arrows(states: Ints, arrows: Ints, table: Ints, s: int, begin: int, end: int) -> int:
    """Return the slot of a state of the same layer with the same arrows, or an empty one."""
    slots = states[SLOTS]
    row = BEGIN + ROW * s
    first = states[row + FIRST]
    count = states[row + COUNT]
    slot = count
    for i in range(2 * first, 2 * (first + count)):
        slot = (slot * 31 + arrows[i] + (arrows[i] >> 6)) & 0xFFFFFFFF
    slot = (slot ^ (slot >> 11)) & (slots - 1)
    while table[slot] != 0:
        other = table[slot] - 1
        if other >= begin and other < end and same_arrows(states, arrows, s, other):
            return slot
        slot = (slot + 1) & (slots - 1)
    return slot


@kernel
def same_arrows(states: Ints, arrows: Ints, s: int, other: int) -> int:
    """Return whether the arrows of two states are equal: the masks and the targets, in the same order."""
    first = states[BEGIN + ROW * s + FIRST]
    second = states[BEGIN + ROW * other + FIRST]
    if states[BEGIN + ROW * s + COUNT] != states[BEGIN + ROW * other + COUNT]:
        return 0
    for i in range(2 * states[BEGIN + ROW * s + COUNT]):
        if arrows[2 * first + i] != arrows[2 * second + i]:
            return 0
    return 1


@kernel
def write_diagram(states: Ints, arrows: Ints, layers: Ints, length: int, sizes: Ints, out: Ints) -> int:
    """Write what was merged as a diagram; return its length.

    A diagram: the number of nodes, where those of each layer begin, where the arrows of each node begin, then pairs of
    a mask and a node.
    """
    nodes = 0
    for i in range(length):
        out[1 + i] = nodes
        nodes += sizes[i]
    out[0] = nodes + 1
    out[1 + length] = nodes
    out[2 + length] = nodes + 1
    arrow = 0
    pairs = 3 + length + nodes + 2
    for i in range(length):
        number = 0
        for s in range(layers[i], layers[i + 1]):
            row = BEGIN + ROW * s
            if states[row + CLASS] == number:
                out[3 + length + out[1 + i] + number] = arrow
                number += 1
                for k in range(states[row + FIRST], states[row + FIRST] + states[row + COUNT]):
                    out[pairs + 2 * arrow] = arrows[2 * k + 1]
                    out[pairs + 2 * arrow + 1] = out[2 + i] + arrows[2 * k]
                    arrow += 1
    out[3 + length + nodes] = arrow
    out[3 + length + nodes + 1] = arrow
    return pairs + 2 * arrow


@kernel
def finished(states: Ints, arrows: Ints, table: Ints, layers: Ints, length: int, sizes: Ints, out: Ints) -> int:
    """Merge what was read, and write it; return its length, 0 if there is no word."""
    if not merge(states, arrows, table, layers, length, sizes):
        return 0
    return write_diagram(states, arrows, layers, length, sizes, out)
