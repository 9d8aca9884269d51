"""The code of an automaton: states, start states, accepting states and transitions as a bit stream."""

from __future__ import annotations

from functools import lru_cache

from ...errors import FormatError
from ...model import Automaton
from ...puzzle.rules.machines import Machine
from ...puzzle.rules.regex import deterministic, members
from ...puzzle.rules.steps import AutomatonKey, Made, Steps
from .bits import BitReader, BitWriter, bytes_of

Arrows = dict[int, dict[int, int]]
"""The set of next states, as bits, by symbol and then by state."""

MOST_CODE = 100_000
"""The longest code, in characters."""


def automaton_of(code: str, low: int, length: int, steps: Steps | None = None) -> Automaton:
    """Read a code as a deterministic automaton over values; symbol i is ``low`` + i; ``steps`` limits the work.

    ``length`` is the length of the longest word that will be tested. Raises FormatError for a code that cannot be read,
    and ValueError for an automaton that becomes too large.
    """
    if len(code) > MOST_CODE:
        raise FormatError(f"an automaton's code of {len(code)} characters: at most {MOST_CODE} are possible")
    return (steps or Steps()).made(_read, code, (low,), length)


@lru_cache(maxsize=128)
def _read(asked: AutomatonKey) -> Made:
    before = asked.steps.left
    asked.steps.spend(len(asked.source))
    starts, accepting, arrows = _decoded(BitReader(bytes_of(asked.source))) if asked.source else (0, 0, {})
    if not starts or not accepting:
        return Made(Automaton(1, 0, (), ()), before - asked.steps.left)
    shifted = {symbol + asked.values[0]: table for symbol, table in arrows.items()}
    made = deterministic((1 << starts) - 1, shifted, accepting, asked.length, asked.steps)
    return Made(made, before - asked.steps.left)


def machine_of(code: str, low: int) -> Machine:
    """Read a code as a nondeterministic automaton; symbol i is ``low`` + i. Raise FormatError for an invalid code."""
    starts, accepting, arrows = _decoded(BitReader(bytes_of(code)))
    listed = [(a, symbol + low, b) for symbol, table in arrows.items() for a, bs in table.items() for b in members(bs)]
    ends = members(accepting)
    states = 1 + max([starts - 1, *ends, *(state for a, _, b in listed for state in (a, b))], default=0)
    return Machine(states, range(starts), ends, listed)


def _decoded(bits: BitReader) -> tuple[int, int, Arrows]:
    """Return the number of start states, the set of accepting states, and the transitions."""
    form = bits.take(2)
    if form > 1:
        raise FormatError(f"an automaton's code of format {form}: 0 and 1 are known")
    width, symbols = bits.take(4) + 1, bits.take(4) + 1
    starts, accepts = bits.take(width), bits.take(width)
    at_start = bits.take(starts)
    accepting = at_start | ((1 << accepts) - 1) << starts
    counted = bits.take(4) if form == 0 else 0
    arrows: Arrows = {symbol: {} for symbol in range(symbols)}
    state = 0
    while bits.left >= (counted if form == 0 else symbols) and (form == 1 or counted):
        found = _counted(bits, counted, symbols, width) if form == 0 else _masked(bits, symbols, width)
        for symbol, target in found:
            if symbol >= symbols:
                raise FormatError(f"an automaton's code names symbol {symbol} of {symbols}")
            arrows[symbol][state] = arrows[symbol].get(state, 0) | 1 << target
        state += 1
    return starts, accepting, arrows


def _counted(bits: BitReader, counted: int, symbols: int, width: int) -> list[tuple[int, int]]:
    size = (symbols - 1).bit_length()
    return [(bits.take(size), bits.take(width)) for _ in range(bits.take(counted))]


def _masked(bits: BitReader, symbols: int, width: int) -> list[tuple[int, int]]:
    mask = bits.take(symbols)
    return [(symbol, bits.take(width)) for symbol in range(symbols) if mask >> symbol & 1]


def code_of_automaton(automaton: Automaton, low: int, symbols: int) -> str:
    """Write a deterministic automaton; raise FormatError if it has more states or symbols than the code can hold."""
    machine = Machine(automaton.states, (automaton.start,), automaton.accepting, automaton.arrows)
    return code_of_machine(machine, low, symbols)


def code_of_machine(machine: Machine, low: int, symbols: int) -> str:
    """Write an automaton; raise FormatError if it has more states or symbols than the code can hold.

    The states are ordered: start, accepting, others. The packed form is used if it is possible and shorter.
    """
    order: dict[int, int] = {}
    for state in (*machine.starts, *machine.accepting, *range(machine.states)):
        order.setdefault(state, len(order))
    at_start = [state in machine.accepting for state in machine.starts]
    accepts = len(machine.accepting) - sum(at_start)
    width = max((len(order) - 1).bit_length(), accepts.bit_length(), len(at_start).bit_length(), 1)
    table: list[list[tuple[int, int]]] = [[] for _ in order]
    for a, value, b in machine.arrows:
        if 0 <= value - low < symbols:
            table[order[a]].append((value - low, order[b]))
    counted = max(map(len, table)).bit_length()
    if width > 16 or symbols > 16 or counted > 15:
        raise FormatError(f"an automaton of {len(order)} states and {symbols} symbols is too large for this notation")
    head = (width, symbols, at_start, accepts)
    plain = _plain(table, counted, *head)
    one_way = all(len({symbol for symbol, _ in arrows}) == len(arrows) for arrows in table)
    return min(_packed(table, *head), plain, key=len) if one_way else plain


def _head(bits: BitWriter, form: int, width: int, symbols: int, at_start: list[bool], accepts: int) -> None:
    for value, size in (
        (form, 2),
        (width - 1, 4),
        (symbols - 1, 4),
        (len(at_start), width),
        (accepts, width),
        (sum(1 << i for i, accepted in enumerate(at_start) if accepted), len(at_start)),
    ):
        bits.put(value, size)


def _packed(table: list[list[tuple[int, int]]], width: int, symbols: int, at_start: list[bool], accepts: int) -> str:
    bits = BitWriter()
    _head(bits, 1, width, symbols, at_start, accepts)
    for arrows in table:
        bits.put(sum(1 << symbol for symbol, _ in arrows), symbols)
        for _, target in sorted(arrows):
            bits.put(target, width)
    return bits.code()


def _plain(
    table: list[list[tuple[int, int]]], counted: int, width: int, symbols: int, at_start: list[bool], accepts: int
) -> str:
    bits = BitWriter()
    _head(bits, 0, width, symbols, at_start, accepts)
    bits.put(counted, 4)
    for arrows in table if counted else []:
        bits.put(len(arrows), counted)
        for symbol, target in sorted(arrows):
            bits.put(symbol, (symbols - 1).bit_length())
            bits.put(target, width)
    return bits.code()
