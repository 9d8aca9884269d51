"""Trials: suppose a candidate and apply the atoms in rounds, each from one snapshot; nested trials."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .layout import *  # the names of kinds, sections and numbers
from .revising import bases, revise

HALF = (1 << 31) - 1
FACTOR = 1540483477


@kernel
def gathered(net: Ints, mem: Ints, atom: int, dom: int, to: int) -> int:
    """Copy the masks of an atom's cells; return how many there are."""
    start = net[net[START] + atom]
    n = net[net[START] + atom + 1] - start
    for i in range(n):
        mem[to + i] = mem[dom + net[net[MEMBERS] + start + i]]
    return n


@kernel
def slot_of(net: Ints, mem: Ints, atom: int, n: int, at: int) -> int:
    """Return the place of the cached answer for some candidates of an atom, if there is one."""
    number = atom + 1
    for i in range(n):
        mask = mem[at + i]
        number = ((number ^ mask ^ mask >> 31) & HALF) * FACTOR
        number ^= number >> 29
    return net[CACHE] + ((number >> 7) & (net[SLOTS] - 1)) * net[SLOT]


@kernel
def remembered(net: Ints, mem: Ints, atom: int, n: int, at: int) -> int:
    """Do what ``revise`` does with an atom, but mostly only once for the same candidates of a costly one."""
    cost = net[net[COST] + atom]
    if cost < COSTLY or net[net[KIND] + atom] == HOUSE:
        mem[BUDGET] -= cost
        return revise(net, mem, atom, at, at + n)
    mem[BUDGET] -= n
    slot = slot_of(net, mem, atom, n, at)
    before = slot + 2
    same = 1 if mem[slot] == atom + 1 else 0
    i = 0
    while same and i < n:
        if mem[before + i] != mem[at + i]:
            same = 0
        i += 1
    if same == 0:
        for j in range(n):
            mem[before + j] = mem[at + j]
        mem[BUDGET] -= cost
        mem[slot] = atom + 1
        mem[slot + 1] = revise(net, mem, atom, at, at + n)
        for j in range(n):
            mem[before + n + j] = mem[at + j]
    for j in range(n):
        mem[at + j] = mem[before + n + j]
    return mem[slot + 1]


# ----------------------------------------------------------------------------
# Trials: suppose a candidate and apply the atoms in rounds, each from one snapshot; nested trials.


@kernel
def queue_users(net: Ints, mem: Ints, cell: int) -> int:
    """Queue the active atoms of a cell."""
    flags = net[FLAGS]
    use = net[USE]
    queue = net[QUEUE]
    users = net[USERS]
    count = mem[QUEUED]
    for e in range(net[net[USERS_AT] + cell], net[net[USERS_AT] + cell + 1]):
        a = net[users + e]
        if mem[flags + a] == 0 and mem[use + a]:
            mem[flags + a] = 1
            mem[queue + count] = a
            count += 1
    mem[QUEUED] = count
    return 1


@kernel
def noted(net: Ints, mem: Ints, dom: int, cell: int, left: int, changed: int) -> int:
    """Record what a round leaves of a cell; return how many cells the round has changed so far."""
    new = net[NEW] + cell
    is_touched = net[IS_TOUCHED] + cell
    if mem[is_touched]:
        mem[new] &= left
        return changed
    mem[is_touched] = 1
    mem[new] = mem[dom + cell] & left
    mem[net[TOUCHED] + changed] = cell
    return changed + 1


@kernel
def house_round(net: Ints, mem: Ints, dom: int, atom: int, changed: int) -> int:
    """Apply the singles of a house in a round; return how many cells the round has changed so far, -1 minus it if the
    house fails.
    """
    members = net[MEMBERS] + net[net[START] + atom]
    n = net[net[START] + atom + 1] - net[net[START] + atom]
    record = net[net[RECORD] + atom]
    mem[BUDGET] -= n
    seen = 0
    once = 0
    twice = 0
    several = 0
    clash = 0
    for i in range(n):
        mask = mem[dom + net[members + i]]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            clash |= seen & mask
            seen |= mask
        else:
            several |= mask
    hidden = 0
    if net[record + 1]:
        hidden = once & ~twice
        if once != net[record]:
            clash = 1
    if clash != 0:
        return -1 - changed
    if (seen | hidden) & several == 0:
        return changed
    for i in range(n):
        cell = net[members + i]
        mask = mem[dom + cell]
        if mask & (mask - 1) != 0:
            own = mask & hidden
            left = own if own != 0 else mask & ~seen
            if left == 0 or own & (own - 1) != 0:
                return -1 - changed
            if left != mask:
                changed = noted(net, mem, dom, cell, left, changed)
    return changed


@kernel
def atom_round(net: Ints, mem: Ints, dom: int, atom: int, strong: int, changed: int) -> int:
    """Apply an atom in a round; return how many cells the round has changed so far, -1 minus it if the atom fails."""
    if strong == 0 and net[net[KIND] + atom] == HOUSE:
        return house_round(net, mem, dom, atom, changed)
    scratch = net[SCRATCH]
    n = gathered(net, mem, atom, dom, scratch)
    if remembered(net, mem, atom, n, scratch) == 0:
        return -1 - changed
    for i in range(n):
        cell = net[net[MEMBERS] + net[net[START] + atom] + i]
        if mem[scratch + i] != mem[dom + cell]:
            changed = noted(net, mem, dom, cell, mem[scratch + i], changed)
    return changed


@kernel
def ended_round(net: Ints, mem: Ints, dom: int, changed: int, write: int) -> int:
    """Forget what a round has recorded of some cells, or write it and queue the atoms of these cells."""
    touched = net[TOUCHED]
    for i in range(changed):
        cell = mem[touched + i]
        mem[net[IS_TOUCHED] + cell] = 0
        if write:
            mem[dom + cell] = mem[net[NEW] + cell]
            queue_users(net, mem, cell)
    return 1


@kernel
def round_of(net: Ints, mem: Ints, dom: int, strong: int, last: int) -> int:
    """Make all queued atoms consistent from one snapshot, in place; 0 if that fails. Builds the next queue.

    For the last round it only matters whether it fails: nothing is written. COMPLETE is 0 if something would be.
    """
    waiting = mem[QUEUED]
    following = net[NEXT]
    for i in range(waiting):
        a = mem[net[QUEUE] + i]
        mem[following + i] = a
        mem[net[FLAGS] + a] = 0
    mem[QUEUED] = 0
    fine = 1
    changed = 0
    i = 0
    while fine and i < waiting:
        changed = atom_round(net, mem, dom, mem[following + i], strong, changed)
        if changed < 0:
            changed = -1 - changed
            fine = 0
        i += 1
    for i in range(changed):
        if mem[net[NEW] + mem[net[TOUCHED] + i]] == 0:
            fine = 0
    mem[COMPLETE] = 1 if changed == 0 or last == 0 else 0
    ended_round(net, mem, dom, changed, fine and last == 0)
    return fine


@kernel
def follow(net: Ints, mem: Ints, dom: int, limit: int, strong: int) -> int:
    """Apply the queued atoms in at most some rounds, in place; return the round that fails, FAR if none does.

    COMPLETE is 1 if nothing is left to be applied; only then is the state complete.
    """
    number = 1
    mem[COMPLETE] = 1
    while number <= limit and mem[QUEUED] > 0:
        if round_of(net, mem, dom, strong, number == limit) == 0:
            return number
        number += 1
    return FAR


@kernel
def closed(net: Ints, mem: Ints, dom: int, strong: int) -> int:
    """Apply the queued atoms until nothing changes, in place; 0 if that fails."""
    return follow(net, mem, dom, FAR, strong) == FAR


@kernel
def all_closed(net: Ints, mem: Ints, strong: int) -> int:
    """Apply all active atoms to DOM until nothing changes; 0 if that fails."""
    for cell in range(net[CELLS]):
        queue_users(net, mem, cell)
    return closed(net, mem, net[DOM], strong)


# On a board of houses alone trials follow what is removed candidate by candidate. A cell with one value left, or a
# value with one place, takes effect in the next round; a cell without a value fails at once, a value without a place
# when its house is applied again.


@kernel
def begin_places(net: Ints, mem: Ints) -> int:
    """Write where each value may be in each house; 0 if there are other atoms, or if a single has not taken effect."""
    if net[ONLY_HOUSES] == 0:
        return 0
    bits = net[BITS]
    for a in range(net[ATOMS]):
        if house_round(net, mem, net[DOM], a, 0) != 0:
            forget(net, mem)
            return 0
        places = net[PLACES] + a * bits
        start = net[net[START] + a]
        for bit in range(bits):
            mem[places + bit] = 0
        for m in range(start, net[net[START] + a + 1]):
            mask = mem[net[DOM] + net[net[MEMBERS] + m]]
            while mask != 0:
                mem[places + lowest(mask)] |= 1 << (m - start)
                mask &= mask - 1
    return 1


@kernel
def forget(net: Ints, mem: Ints) -> int:
    """Forget what a round has recorded."""
    for cell in range(net[CELLS]):
        mem[net[IS_TOUCHED] + cell] = 0
    return 1


@kernel
def struck(net: Ints, mem: Ints, cell: int, bit: int) -> int:
    """Remove a candidate that is there; list its cell, and its value in a house, if one is left."""
    tried = net[TRIED] + cell
    left = mem[tried] & ~(1 << bit)
    mem[tried] = left
    waiting = mem[WAITING]
    pending = net[PENDING]
    if left & (left - 1) == 0:
        mem[pending + waiting] = cell
        waiting += 1
        if left == 0:
            mem[EMPTIED] = 1
    first = net[net[USERS_AT] + cell]
    last = net[net[USERS_AT] + cell + 1]
    within = net[WITHIN]
    tried = net[TRIED_PLACES] + bit
    for e in range(within + 2 * first, within + 2 * last, 2):
        at = net[e]
        if at >= 0:
            places = mem[tried + at] & ~net[e + 1]
            mem[tried + at] = places
            if places & (places - 1) == 0:
                mem[pending + waiting] = net[CELLS] + at + bit
                waiting += 1
                if places == 0:
                    mem[LOST] = 1
    mem[WAITING] = waiting
    return 1


@kernel
def only_values(net: Ints, mem: Ints) -> int:
    """Take the list of what has one candidate left, and write these; return how many there are."""
    waiting = mem[WAITING]
    singled = net[SINGLED]
    bits = net[BITS]
    for i in range(waiting):
        at = mem[net[PENDING] + i]
        if at < net[CELLS]:
            mem[singled + 2 * i] = at
            mem[singled + 2 * i + 1] = -1 - lowest(mem[net[TRIED] + at])
        else:
            at -= net[CELLS]
            place = lowest(mem[net[TRIED_PLACES] + at])
            a = at // bits
            mem[singled + 2 * i] = net[net[MEMBERS] + net[net[START] + a] + place]
            mem[singled + 2 * i + 1] = at - a * bits
    mem[WAITING] = 0
    return waiting


@kernel
def struck_around(net: Ints, mem: Ints, cell: int, bit: int) -> int:
    """Remove a value from all cells that share a house with one."""
    peers = net[PEERS]
    state = net[TRIED]
    for e in range(peers + net[net[PEERS_AT] + cell], peers + net[net[PEERS_AT] + cell + 1]):
        other = net[e]
        if mem[state + other] >> bit & 1:
            struck(net, mem, other, bit)
    return 1


@kernel
def struck_beside(net: Ints, mem: Ints, cell: int, bit: int) -> int:
    """Remove all other values of a cell."""
    others = mem[net[TRIED] + cell] & ~(1 << bit)
    while others != 0:
        struck(net, mem, cell, lowest(others))
        others &= others - 1
    return 1


@kernel
def supposed_in_houses(net: Ints, mem: Ints, cell: int, bit: int, limit: int) -> int:
    """Return the round in which a candidate fails by singles of houses, FAR if none does."""
    state = net[TRIED]
    start = net[DOM]
    for i in range(net[CELLS]):
        mem[state + i] = mem[start + i]
    state = net[TRIED_PLACES]
    start = net[PLACES]
    for i in range(net[ATOMS] * net[BITS]):
        mem[state + i] = mem[start + i]
    mem[WAITING] = 0
    mem[EMPTIED] = 0
    mem[LOST] = 0
    struck_beside(net, mem, cell, bit)
    number = 1
    while number <= limit:
        if mem[LOST]:
            return number
        count = only_values(net, mem)
        if count == 0:
            mem[COMPLETE] = 1
            return FAR
        mem[BUDGET] -= 20 * count
        singled = net[SINGLED]
        for i in range(count):
            one = mem[singled + 2 * i]
            value = mem[singled + 2 * i + 1]
            if value < 0:
                struck_around(net, mem, one, -1 - value)
            else:
                struck_beside(net, mem, one, value)
        if mem[EMPTIED]:
            return number
        number += 1
    mem[COMPLETE] = mem[WAITING] == 0 and mem[LOST] == 0
    return FAR


@kernel
def supposed(net: Ints, mem: Ints, dom: int, cell: int, bit: int, limit: int, strong: int) -> int:
    """Return the round in which a candidate fails, when it is supposed on a copy of a state."""
    state = net[TRIED]
    for i in range(net[CELLS]):
        mem[state + i] = mem[dom + i]
    mem[state + cell] = 1 << bit
    queue_users(net, mem, cell)
    return follow(net, mem, state, limit, strong)


@kernel
def keep_closed(net: Ints, mem: Ints, candidate: int, end: int) -> int:
    """Keep what is left when a candidate has been followed to the end without failing."""
    mem[net[IS_CLOSED] + candidate] = 1
    for i in range(net[CELLS]):
        mem[end + i] = mem[net[TRIED] + i]
    return 1


@kernel
def stays_closed(net: Ints, mem: Ints, candidate: int, strong: int) -> int:
    """Return whether a candidate that did not fail before still does not fail now that others are removed."""
    end = net[CLOSED] + candidate * net[CELLS]
    stale = 0
    for i in range(net[CELLS]):
        left = mem[end + i] & mem[net[DOM] + i]
        mem[net[TRIED] + i] = left
        if left != mem[end + i]:
            stale = 1
            if left == 0:
                return 0
    if stale == 0:
        return 1
    for i in range(net[CELLS]):
        if mem[net[TRIED] + i] != mem[end + i]:
            queue_users(net, mem, i)
    if closed(net, mem, net[TRIED], strong) == 0:
        return 0
    return keep_closed(net, mem, candidate, end)


@kernel
def tried(net: Ints, mem: Ints, cell: int, bit: int, strong: int, houses: int) -> int:
    """Return the round in which a candidate fails, FAR if it does not fail up to BEST."""
    candidate = (strong * net[CELLS] + cell) * net[BITS] + bit
    if houses == 0 and mem[net[IS_CLOSED] + candidate]:
        if stays_closed(net, mem, candidate, strong):
            return FAR
        mem[net[IS_CLOSED] + candidate] = 0
    if houses:
        depth = supposed_in_houses(net, mem, cell, bit, mem[BEST])
    else:
        depth = supposed(net, mem, net[DOM], cell, bit, mem[BEST], strong)
    if houses == 0 and depth == FAR and mem[COMPLETE]:
        keep_closed(net, mem, candidate, net[CLOSED] + candidate * net[CELLS])
    return depth


@kernel
def trials(net: Ints, mem: Ints, strong: int) -> int:
    """Try every candidate, from the cell AT on; BEST is the highest band that counts, and decreases. 0: the budget
    ended.

    OUT has the depths, FOUND counts those that fail.
    """
    bands = net[BANDS] + 16 * strong
    bases(net, mem)
    houses = 0 if strong else begin_places(net, mem)
    for cell in range(mem[AT], net[CELLS]):
        if mem[BUDGET] < 0:
            mem[AT] = cell
            return 0
        mask = mem[net[DOM] + cell]
        for bit in range(net[BITS]):
            depth = FAR
            if mask >> bit & 1 and mask & (mask - 1) != 0:
                depth = tried(net, mem, cell, bit, strong, houses)
            mem[net[OUT] + cell * net[BITS] + bit] = depth
            if depth < FAR:
                mem[FOUND] += 1
                band = bands
                while net[band] < depth:
                    band += 1
                mem[BEST] = min(mem[BEST], net[band])
    mem[AT] = 0
    return 1


@kernel
def sweep(net: Ints, mem: Ints, inner: int) -> int:
    """Remove candidates from DOM that fail within some rounds, and their consequences, until no trial changes anything.

    Continues from the candidate AT. Returns 1 when no more fail, 2 at a contradiction, 0 when the budget ends.
    """
    bits = net[BITS]
    every = net[CELLS] * bits
    cell = 0
    bit = 0
    at = mem[AT]
    bases(net, mem)
    houses = begin_places(net, mem)
    while at >= bits:
        at -= bits
        cell += 1
    bit = at
    while mem[SINCE] < every:
        if mem[BUDGET] < 0:
            mem[AT] = cell * bits + bit
            return 0
        mask = mem[net[DOM] + cell]
        mem[SINCE] += 1
        depth = FAR
        if mask >> bit & 1 and mask & (mask - 1) != 0:
            if houses:
                depth = supposed_in_houses(net, mem, cell, bit, inner)
            else:
                depth = supposed(net, mem, net[DOM], cell, bit, inner, 0)
        if depth < FAR:
            mem[net[DOM] + cell] &= ~(1 << bit)
            queue_users(net, mem, cell)
            if closed(net, mem, net[DOM], 0) == 0:
                return 2
            bases(net, mem)
            houses = begin_places(net, mem)
            mem[SINCE] = 0
        bit += 1
        if bit == bits:
            bit = 0
            cell += 1
            if cell == net[CELLS]:
                cell = 0
    return 1
