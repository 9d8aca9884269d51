"""One pass of the rules over a state: branch-free, so that every lane of a vector can run it on its own puzzle.

All rules read the state as it was at the start of the pass and act together at its end. See `layout` for the words,
and for "row" and "minirow", which stand for "column" and "minicolumn" along the second axis.
"""

from __future__ import annotations

from .bit_words import Word, also, and_both, differ, either, left, neither, odd, twice, unless, without
from .layout import ALL, AXES, D0, THREE, Axis, turn_digits

State = list[Word]  # or anything that is indexed alike, such as rows of memory
Minirows = list[list[Word]]  # [d][row inside its band]


def propagate(x: State) -> tuple[Word, Word, Word]:
    """Apply every rule once, in place. Return words that are not zero when, respectively:

    the state has no solution; cells are open (that is, not naked singles); the state has changed.
    A state without any of the three is a solution: each cell has one candidate and each house has each digit.
    """
    alone, empty, open_ = naked_singles(x)
    found: list[tuple[Minirows, Minirows, Minirows]] = []
    full: Word = ALL
    for axis in AXES:
        some, many = minirows(x, axis)
        if not found:  # a box is the same along both axes
            full = boxes_with_all(some)
        sure, full = sure_minirows(axis, some, full)
        hidden = [[s & ~m for s, m in zip(sure[d], many[d], strict=True)] for d in THREE]
        found.append((sure, hidden, closed_minirows(sure)))
    put, gone = {}, {}
    for d in THREE:
        put.update(singles(x, d, alone, found[0][1][d], found[1][1][d]))
        for axis in AXES:
            sure, _, shut = found[axis.number]
            gone[axis.number, d] = eliminations(axis, d, put, sure[d], shut[d])
    return (empty | ~full) & ALL, open_ & ALL, update(x, put, gone)


def naked_singles(x: State) -> tuple[list[Word], Word, Word]:
    """Return, for the nine words of cells: the cells with one candidate; then the cells without any, and the open.

    A cell's candidates over d are reduced across words, over D by a turn: at most one is left where no d is there
    twice and no other D at all, which is at the D of that candidate, or at every D of an empty cell.
    """
    alone, empty, open_ = [], 0, 0
    for cell in range(9):
        digits = [x[3 * cell + d] for d in THREE]
        some = either(*digits)
        most = neither(twice(*digits), *turn_digits(some))
        alone.append(most)
        empty, open_ = left(empty, most, some), left(open_, some, most)
    return alone, empty, open_


def minirows(x: State, axis: Axis) -> tuple[Minirows, Minirows]:
    """Return the minirows that can hold the digit, and those that can in two or three of their cells."""
    some, many = [], []
    for d in THREE:
        cells = [[x[axis.word(r, c, d)] for c in THREE] for r in THREE]
        some.append([either(*words) for words in cells])
        many.append([twice(*words) for words in cells])
    return some, many


def boxes_with_all(some: Minirows) -> Word:
    """Return the boxes that can hold the digit, whatever d."""
    full = ALL
    for minirows_of_box in some:
        full = full & either(*minirows_of_box)
    return full


def sure_minirows(axis: Axis, some: Minirows, full: Word) -> tuple[Minirows, Word]:
    """Return the minirows that must hold the digit, and ``full`` less the rows that cannot.

    A minirow must hold a digit that it can hold and that cannot lie elsewhere in its row (claiming) or elsewhere in
    its box (pointing); or when no more than three digits are possible in its three cells (a naked triple).
    """
    more = [more_than_three([some[d][r] for d in THREE]) for r in THREE]
    sure: Minirows = []
    for d in THREE:
        sure.append([])
        for r in THREE:
            here, row = some[d][r], axis.others(some[d][r])
            full = also(full, here, row)
            elsewhere_in_both = also(row, some[d][r - 1], some[d][r - 2])
            sure[d].append(unless(here, elsewhere_in_both, more[r]))
    return sure, full


def closed_minirows(sure: Minirows) -> Minirows:
    """Return the digits that three sure ones shut out of a minirow (a hidden triple)."""
    closed: Minirows = [[], [], []]
    for r in THREE:
        packed = just_three([sure[d][r] for d in THREE])
        for d in THREE:
            closed[d].append(packed & ~sure[d][r])
    return closed


def singles(x: State, d: int, alone: list[Word], across: list[Word], down: list[Word]) -> dict[int, Word]:
    """Return the cells that take the digit, by word: naked singles, and the one cell left in a sure minirow."""
    put = {}
    for r in THREE:
        for c in THREE:
            k = 9 * r + 3 * c + d
            put[k] = x[k] & either(across[r], down[c], alone[3 * r + c])
    return put


def eliminations(axis: Axis, d: int, put: dict[int, Word], sure: list[Word], shut: list[Word]) -> list[Word]:
    """Return the minirows that lose the digit: another of its row or of its box holds it, or it is shut out."""
    hold = [sure[r] | either(*[put[axis.word(r, c, d)] for c in THREE]) for r in THREE]
    return [axis.others(hold[r], either(hold[r - 1], hold[r - 2], shut[r])) for r in THREE]


def update(x: State, put: dict[int, Word], gone: dict[tuple[int, int], list[Word]]) -> Word:
    """Write the new state: the eliminations of both axes, and in each cell that takes a digit the others go."""
    change: Word = 0
    for r in THREE:
        for c in THREE:
            k = 9 * r + 3 * c
            taken = [put[k + d] for d in THREE]
            one, other = turn_digits(either(*taken))
            for d in THREE:
                old = x[k + d]
                lost = either(gone[0, d][r], gone[1, d][c], one)
                new = without(old, lost, either(other, taken[d - 1], taken[d - 2]))
                x[k + d] = new
                change = differ(change, old, new)
    return change


def more_than_three(words: list[Word]) -> Word:
    """Return all three D of each place where the words have four ones or more over them.

    They have when two of the four twos in the sum are there.
    """
    _, carry, pairs = _sum(words)
    return _spread(and_both(twice(*pairs), carry, either(*pairs)))


def just_three(words: list[Word]) -> Word:
    """Return all three D of each place where the words have three ones over them.

    And of some with more: more than three sure digits are a contradiction, of which anything may be said.
    """
    unit, carry, pairs = _sum(words)
    return _spread(also(unit, carry, either(*pairs)))


def _sum(words: list[Word]) -> tuple[Word, Word, list[Word]]:
    """Add nine bits: three words at three neighbouring bits D.

    The sum (at D = 0) is unit + 2 * (carry + pairs[0] + pairs[1] + pairs[2]).
    """
    low, high = odd(*words), twice(*words)
    ones, pairs = (low, low >> 1, low >> 2), [high, high >> 1, high >> 2]
    return odd(*ones), twice(*ones), pairs


def _spread(flag: Word) -> Word:
    """Copy the bit at D = 0 to all three D."""
    flag = flag & D0
    return (flag << 3) - flag
