"""Cells that differ, sums, and pairs of cells that differ: the kernels of single kinds of nodes."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest, ones

from .layout import WORD, kernel


@kernel
def house_ones(mem: Ints, n: int, at: int, values: int, exact: int) -> int:
    """Remove what one cell with one value takes from the others, and all other values of one that is in no other cell.

    All of it is removed also if that leaves a cell nothing.
    """
    seen = 0
    doubly = 0
    once = 0
    twice = 0
    for i in range(n):
        mask = mem[at + i]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            doubly |= seen & mask
            seen |= mask
    hidden = once & ~twice & values if exact else 0
    changed = 0
    for i in range(n):
        mask = mem[at + i]
        kept = mask & ~(doubly if mask & (mask - 1) == 0 else seen)
        own = mask & hidden
        if own != 0:
            kept &= own if own & (own - 1) == 0 else 0
        if kept != mask:
            mem[at + i] = kept
            changed = 1
    return changed


@kernel
def augmented(mem: Ints, at: int, owner: int, visited: int, cell: int) -> int:
    """Give a cell a value, moving others; 1 if that is possible. ``owner`` has the cell of each value, or -1."""
    rest = mem[at + cell] & ~mem[visited]
    while rest != 0:
        bit = lowest(rest)
        mem[visited] |= 1 << bit
        other = mem[owner + bit]
        if other < 0 or augmented(mem, at, owner, visited, other):
            mem[owner + bit] = cell
            return 1
        rest = mem[at + cell] & ~mem[visited]
    return 0


@kernel
def matched(mem: Ints, n: int, at: int, owner: int, visited: int) -> int:
    """Give each cell a different value; return the values, 0 if that is impossible. ``owner`` has the cell of each."""
    union = 0
    for i in range(n):
        union |= mem[at + i]
    if ones(union) < n:
        return 0
    for bit in range(WORD):
        mem[owner + bit] = -1
    for i in range(n):
        mem[visited] = 0
        if augmented(mem, at, owner, visited, i) == 0:
            return 0
    taken = 0
    for bit in range(WORD):
        if mem[owner + bit] >= 0:
            taken |= 1 << bit
    return taken


@kernel
def owners(mem: Ints, values: int, owner: int) -> int:
    """Return the cells, as bits, to which values are given."""
    cells = 0
    while values != 0:
        cells |= 1 << mem[owner + lowest(values)]
        values &= values - 1
    return cells


@kernel
def house_exactly(mem: Ints, n: int, at: int, top: int) -> int:
    """Keep the values that are part of some choice of different values; 0 if there is none.

    Starting from one such choice, a cell may take a value of another cell if that cell can move on, along values that
    have room, to a free value or back to the first cell's own one.
    """
    owner = top
    visited = top + WORD
    reach = visited + 1
    taken = matched(mem, n, at, owner, visited)
    if taken == 0:
        return 0
    movable = 0
    for i in range(n):
        if mem[at + i] & ~taken != 0:
            movable |= 1 << i
        mem[reach + i] = owners(mem, mem[at + i] & taken, owner)
    for k in range(n):
        through = mem[reach + k]
        for i in range(n):
            if mem[reach + i] >> k & 1:
                mem[reach + i] |= through
    for i in range(n):
        kept = mem[at + i] & ~taken
        rest = mem[at + i] & taken
        while rest != 0:
            bit = lowest(rest)
            rest &= rest - 1
            other = mem[owner + bit]
            if other == i or mem[reach + other] & (movable | 1 << i) != 0:
                kept |= 1 << bit
        mem[at + i] = kept
    return 1


@kernel
def next_choice(mem: Ints, choice: int, k: int, n: int) -> int:
    """Advance to the next choice of k numbers below n, in order; 0 after the last one."""
    p = k - 1
    while p >= 0 and mem[choice + p] == n - k + p:
        p -= 1
    if p < 0:
        return 0
    mem[choice + p] += 1
    for q in range(p + 1, k):
        mem[choice + q] = mem[choice + q - 1] + 1
    return 1


@kernel
def naked_sets(mem: Ints, n: int, at: int, size: int, found: int, choice: int) -> int:
    """Remove from ``found`` what ``size`` cells that are confined to as many values take from the others."""
    for i in range(size):
        mem[choice + i] = i
    more = 1 if size <= n else 0
    while more:
        union = 0
        for i in range(size):
            union |= mem[at + mem[choice + i]]
        if ones(union) == size:
            chosen = 0
            for i in range(size):
                chosen |= 1 << mem[choice + i]
            for i in range(n):
                if chosen >> i & 1 == 0:
                    mem[found + i] &= ~union
        more = next_choice(mem, choice, size, n)
    return 1


@kernel
def hidden_sets(mem: Ints, n: int, at: int, values: int, size: int, found: int, choice: int, top: int) -> int:
    """Remove all other values from ``size`` cells that are the only places for as many values; the house has a place
    for each.
    """
    few = 0
    rest = values
    while rest != 0:
        bit = lowest(rest)
        rest &= rest - 1
        where = 0
        for i in range(n):
            where |= (mem[at + i] >> bit & 1) << i
        if ones(where) <= size:
            mem[top + 2 * few] = bit
            mem[top + 2 * few + 1] = where
            few += 1
    for i in range(size):
        mem[choice + i] = i
    more = 1 if size <= few else 0
    while more:
        where = 0
        kept = 0
        for i in range(size):
            kept |= 1 << mem[top + 2 * mem[choice + i]]
            where |= mem[top + 2 * mem[choice + i] + 1]
        if ones(where) == size:
            for i in range(n):
                if where >> i & 1:
                    mem[found + i] &= kept
        more = next_choice(mem, choice, size, few)
    return 1


# ----------------------------------------------------------------------------
# Sums of products: which values are part of a choice with an allowed sum.


@kernel
def moved(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers, in words of bits, another set with each number increased by a distance."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def meets(mem: Ints, wanted: int, source: int, words: int, far: int, by: int) -> int:
    """Return whether a set of numbers, each increased by a distance, has one in common with another set."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        if bits & ((1 << WORD) - 1) & mem[wanted + w] != 0:
            return 1
    return 0


@kernel
def moved_back(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers another set with each number decreased by a distance."""
    for w in range(words - far):
        bits = mem[source + w + far] >> by
        if by > 0 and w + far + 1 < words:
            bits |= mem[source + w + far + 1] << (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def distances(net: Ints, mem: Ints, n: int, at: int, moves: int, stride: int, top: int) -> int:
    """Write the least and the greatest distance of each cell's values; return by how much sums may differ."""
    span = 0
    for i in range(n):
        rest = mem[at + i]
        least = 1 << 40
        most = 0
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            far = net[move] * WORD + net[move + 1]
            least = min(least, far)
            most = max(most, far)
        mem[top + i] = least
        span += most - least
    return span


@kernel
def window(net: Ints, words: int, from_: int, least: int) -> int:
    """Return the numbers from ``least`` on in a set of numbers, as one word."""
    w = 0
    while least >= WORD:
        least -= WORD
        w += 1
    if w >= words:
        return 0
    found = net[from_ + w] >> least
    if least > 0 and w + 1 < words:
        found |= net[from_ + w + 1] << (WORD - least) & ((1 << WORD) - 1)
    return found


@kernel
def summed_closely(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Do what ``summed`` does for sums that differ by less than a word, from the least distances at ``top``."""
    stride = 2 * net[record + 1]
    moves = record + 2 + net[record]
    least = 0
    ahead = 1
    for i in range(n):
        least += mem[top + i]
        mem[top + n + i] = ahead
        rest = mem[at + i]
        reached = 0
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            reached |= ahead << (net[move] * WORD + net[move + 1] - mem[top + i])
        ahead = reached
    wanted = window(net, net[record], record + 2, least) & ahead
    for i in range(n - 1, -1, -1):
        kept = 0
        before = 0
        rest = mem[at + i]
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            far = net[move] * WORD + net[move + 1] - mem[top + i]
            some = wanted >> far & mem[top + n + i]
            if some != 0:
                kept |= rest & -rest
                before |= some
            rest &= rest - 1
        if kept == 0:
            return 0
        mem[at + i] = kept
        wanted = before
    return 1


@kernel
def summed(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Keep the values that are part of a choice with an allowed sum, using the sets of reachable sums."""
    words = net[record]
    stride = 2 * net[record + 1]
    moves = record + 2 + words
    if distances(net, mem, n, at, moves, stride, top) < WORD:
        return summed_closely(net, mem, n, at, record, top)
    for i in range((n + 1) * words):
        mem[top + i] = 0
    mem[top] = 1
    for i in range(n):
        rest = mem[at + i]
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            moved(mem, top + (i + 1) * words, top + i * words, words, net[move], net[move + 1])
    wanted = top + (n + 1) * words
    before = wanted + words
    for w in range(words):
        mem[wanted + w] = net[record + 2 + w]
    for i in range(n - 1, -1, -1):
        kept = 0
        for w in range(words):
            mem[before + w] = 0
        rest = mem[at + i]
        while rest != 0:
            bit = lowest(rest)
            move = moves + i * stride + 2 * bit
            rest &= rest - 1
            if meets(mem, wanted, top + i * words, words, net[move], net[move + 1]):
                kept |= 1 << bit
                moved_back(mem, before, wanted, words, net[move], net[move + 1])
        if kept == 0:
            return 0
        mem[at + i] = kept
        for w in range(words):
            mem[wanted + w] = mem[before + w]
    return 1


# ----------------------------------------------------------------------------
# Pairs of cells that differ: no two pairs have both values in common.


# The record: pairs, codes of pairs of values, bits of a cell; for each pair its two cells; then, from the bits of both
# cells, the code. In a row of work lie the pair that has each code (or -1), the marks of codes that were visited, and
# what ``link_pairs`` and ``part_pairs`` write.


@kernel
def are_open(net: Ints, mem: Ints, at: int, record: int) -> int:
    """Return, quickly, whether so few pairs are narrowed, and each so little, that nothing can follow.

    If pairs use up their codes, none of them can have all codes.
    """
    pairs = net[record]
    codes = net[record + 1]
    narrowed = 0
    fewest = codes
    for pair in range(pairs):
        size = ones(mem[at + net[record + 3 + 2 * pair]]) * ones(mem[at + net[record + 4 + 2 * pair]])
        if size < codes:
            narrowed += 1
            fewest = min(fewest, size)
    return 1 if fewest > narrowed else 0


@kernel
def given_code(net: Ints, mem: Ints, at: int, record: int, top: int, pair: int, moving: int) -> int:
    """Give a pair a code that no pair has, or (``moving``) that of a pair which can move; 1 if that is possible."""
    bits = net[record + 2]
    codes = record + 3 + 2 * net[record]
    first = mem[at + net[record + 3 + 2 * pair]]
    while first != 0:
        second = mem[at + net[record + 4 + 2 * pair]]
        while second != 0:
            code = net[codes + lowest(first) * bits + lowest(second)]
            found = 0
            if moving == 0:
                found = 1 if mem[top + code] < 0 else 0
            elif mem[top + net[record + 1] + code] == 0:
                mem[top + net[record + 1] + code] = 1
                other = mem[top + code]
                found = given_code(net, mem, at, record, top, other, 0)
                if found == 0:
                    found = given_code(net, mem, at, record, top, other, 1)
            if found:
                mem[top + code] = pair
                return 1
            second &= second - 1
        first &= first - 1
    return 0


@kernel
def given_codes(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Give each pair a different code; 0 if that is impossible."""
    codes = net[record + 1]
    for code in range(codes):
        mem[top + code] = -1
    for pair in range(net[record]):
        if given_code(net, mem, at, record, top, pair, 0) == 0:
            for code in range(codes):
                mem[top + codes + code] = 0
            if given_code(net, mem, at, record, top, pair, 1) == 0:
                return 0
    return 1


@kernel
def link_pairs(net: Ints, mem: Ints, at: int, record: int, top: int, ways: int, words: int) -> int:
    """Mark for each pair the pairs whose codes it could take, and after all of these the pairs that could take its own.

    The number after the last pair represents the codes that no pair has.
    """
    pairs = net[record]
    bits = net[record + 2]
    back = ways + (pairs + 1) * words
    for i in range(2 * (pairs + 1) * words):
        mem[ways + i] = 0
    for pair in range(pairs):
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                other = mem[top + net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]]
                if other < 0:
                    other = pairs
                set_bit(mem, ways + pair * words, other)
                set_bit(mem, back + other * words, pair)
                second &= second - 1
            first &= first - 1
    return 1


@kernel
def visit(mem: Ints, ways: int, words: int, left: int, order: int, pair: int) -> int:
    """Visit everything unvisited that can be reached from a pair along ways, and list it: what is finished last comes
    first.

    The length of the list so far is stored in front of it.
    """
    mem[left + (pair >> 5)] &= ~(1 << (pair & 31))
    for w in range(words):
        rest = mem[ways + pair * words + w] & mem[left + w]
        while rest != 0:
            visit(mem, ways, words, left, order, 32 * w + lowest(rest))
            rest = mem[ways + pair * words + w] & mem[left + w]
    mem[order] += 1
    mem[order + mem[order]] = pair
    return 1


@kernel
def leave_all(mem: Ints, left: int, words: int, number: int) -> int:
    """Mark this number of items as unvisited."""
    for w in range(words):
        mem[left + w] = 0
    for i in range(number):
        set_bit(mem, left, i)
    return 1


@kernel
def part_pairs(mem: Ints, pairs: int, ways: int, words: int, top: int) -> int:
    """Number for each pair its part, the pairs that can exchange codes in a circle; return how many parts there are.

    Two visits, the second one against the ways, as Kosaraju and Sharir do (1981). Pairs that can reach a free code are
    in part 0, together with it.
    """
    back = ways + (pairs + 1) * words
    order = top + words
    second = order + pairs + 2
    part = second + pairs + 2
    leave_all(mem, top, words, pairs + 1)
    mem[order] = 0
    for pair in range(pairs):
        if has_bit(mem, top, pair):
            visit(mem, ways, words, top, order, pair)
    leave_all(mem, top, words, pairs + 1)
    mem[second] = 0
    visit(mem, back, words, top, second, pairs)
    number = 0
    done = 0
    i = mem[order]
    while done <= pairs:
        while done < mem[second]:
            done += 1
            mem[part + mem[second + done]] = number
        while i > 0 and has_bit(mem, top, mem[order + i]) == 0:
            i -= 1
        if i == 0:
            return number + 1
        number += 1
        visit(mem, back, words, top, second, mem[order + i])
    return number + 1


@kernel
def set_bit(mem: Ints, place: int, number: int) -> int:
    """Set a bit in a row of words of 32 bits."""
    mem[place + (number >> 5)] |= 1 << (number & 31)
    return 1


@kernel
def has_bit(mem: Ints, place: int, number: int) -> int:
    """Return whether a bit is set in a row of words of 32 bits."""
    return mem[place + (number >> 5)] >> (number & 31) & 1


@kernel
def paired(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values that are part of some choice of different pairs; 0 if there is none."""
    pairs = net[record]
    bits = net[record + 2]
    words = (pairs >> 5) + 1
    ways = top + 2 * net[record + 1]
    work = ways + 2 * (pairs + 1) * words
    part = work + words + 2 * (pairs + 2)
    if are_open(net, mem, at, record):
        return 1
    if given_codes(net, mem, at, record, top) == 0:
        return 0
    link_pairs(net, mem, at, record, top, ways, words)
    part_pairs(mem, pairs, ways, words, work)
    for pair in range(pairs):
        kept = 0
        along = 0
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                other = mem[top + net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]]
                if other < 0 or mem[part + other] == 0 or mem[part + other] == mem[part + pair]:
                    kept |= first & -first
                    along |= second & -second
                second &= second - 1
            first &= first - 1
        mem[at + net[record + 3 + 2 * pair]] = kept
        mem[at + net[record + 4 + 2 * pair]] = along
    return 1
