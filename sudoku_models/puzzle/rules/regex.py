"""Regular expressions over values, and deterministic automata. Patterns are never run with Python's ``re`` here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ...model import Automaton, Domain, domain
from .steps import AutomatonKey, Made, Steps

MOST_PLACES = 2_000
"""The largest number of positions of a pattern after its counted repetitions are expanded."""
MOST_STEPS = 1_000_000
"""The largest number of transitions followed to make an automaton deterministic."""
DEEPEST = 100


@dataclass(frozen=True)
class _Part:
    """A part of a pattern: whether it can be empty, and the positions (bit sets) where its words begin and end."""

    empty: bool
    first: int
    last: int


@dataclass
class _PatternReader:
    """Parses a pattern into positions (Glushkov), each with a set of values; ``follow`` holds the next positions."""

    pattern: str
    values: Domain
    at: int = 0
    takes: list[frozenset[int]] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)
    steps: Steps = field(default_factory=Steps)

    def whole(self) -> _Part:
        part = self.choice(0)
        if self.at < len(self.pattern):
            raise ValueError(f"the pattern has {self.pattern[self.at]!r} at {self.at + 1}, but nothing is open there")
        return part

    def choice(self, depth: int) -> _Part:
        """Read alternatives between bars; raise ValueError if they are nested too deeply."""
        if depth > DEEPEST:
            raise ValueError(f"the pattern is nested deeper than {DEEPEST}")
        part = self.sequence(depth)
        while self.peek() == "|":
            self.at += 1
            other = self.sequence(depth)
            part = _Part(part.empty or other.empty, part.first | other.first, part.last | other.last)
        return part

    def sequence(self, depth: int) -> _Part:
        part = _Part(True, 0, 0)
        while self.peek() not in ("", "|", ")"):
            part = self.joined(part, self.repeated(depth))
        return part

    def joined(self, a: _Part, b: _Part) -> _Part:
        self.link(a.last, b.first)
        first = a.first | b.first if a.empty else a.first
        last = a.last | b.last if b.empty else b.last
        return _Part(a.empty and b.empty, first, last)

    def link(self, last: int, first: int) -> None:
        self.steps.spend(last.bit_count())
        while last:
            lowest = last & -last
            self.follow[lowest.bit_length() - 1] |= first
            last ^= lowest

    def repeated(self, depth: int) -> _Part:
        """Read an atom and its quantifiers."""
        begin = len(self.takes)
        part = self.atom(depth)
        while (bounds := self.quantifier()) is not None:
            part = self.times(part, *bounds, begin)
        return part

    def times(self, part: _Part, low: int, high: int | None, begin: int) -> _Part:
        """Repeat a part; raise ValueError if that needs too many positions."""
        size = len(self.takes) - begin
        copies = max(low, 1) if high is None else high
        if high == 0:
            return _Part(True, 0, 0)
        if (copies - 1) * size + len(self.takes) > MOST_PLACES:
            raise ValueError(f"the pattern written out has more than {MOST_PLACES} places")
        parts = [part, *(self.copy(part, begin, size, i) for i in range(1, copies))]
        if high is None:
            self.link(parts[-1].last, parts[-1].first)
        whole = _Part(True, 0, 0)
        for i, one in enumerate(parts):
            whole = self.joined(whole, _Part(one.empty or i >= low, one.first, one.last))
        return whole

    def copy(self, part: _Part, begin: int, size: int, number: int) -> _Part:
        """Append a copy of a part's positions, with the links inside it."""
        shift = size * number
        inside = (1 << (begin + size)) - (1 << begin)
        if number == 1:
            self.original = [self.follow[begin + i] & inside for i in range(size)]
        for i in range(size):
            self.takes.append(self.takes[begin + i])
            self.follow.append(self.original[i] << shift)
        return _Part(part.empty, part.first << shift, part.last << shift)

    original: list[int] = field(default_factory=list)

    def atom(self, depth: int) -> _Part:
        """Read a group, a class or a single character."""
        sign = self.peek()
        self.at += 1
        if sign == "(":
            part = self.choice(depth + 1)
            if self.peek() != ")":
                raise ValueError("a ')' is missing in the pattern")
            self.at += 1
            return part
        if sign == ".":
            return self.place(frozenset(self.values))
        if sign == "[":
            return self.place(self.members())
        return self.place(frozenset([self.value(sign)]))

    def place(self, values: frozenset[int]) -> _Part:
        """Append a position that takes some values; raise ValueError if there are too many."""
        if len(self.takes) >= MOST_PLACES:
            raise ValueError(f"the pattern has more than {MOST_PLACES} places")
        self.takes.append(values)
        self.follow.append(0)
        bit = 1 << (len(self.takes) - 1)
        return _Part(False, bit, bit)

    def members(self) -> frozenset[int]:
        """Read a class after its '['."""
        end = self.pattern.find("]", self.at)
        if end < 0:
            raise ValueError("a ']' is missing in the pattern")
        body, self.at = self.pattern[self.at : end], end + 1
        barred = body.startswith("^")
        found: set[int] = set()
        at = int(barred)
        while at < len(body):
            if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
                found.update(self.value(chr(code)) for code in self.codes(body[at], body[at + 2]))
                at += 3
            else:
                found.add(self.value(body[at]))
                at += 1
        return frozenset(self.values) - found if barred else frozenset(found)

    @staticmethod
    def codes(low: str, high: str) -> range:
        if low > high or not (low + high).isascii():
            raise ValueError(f"the range {low}-{high} in the pattern runs downwards: the lower value comes first")
        return range(ord(low), ord(high) + 1)

    def value(self, sign: str) -> int:
        """Return the value of a character: 1 to 9, then A for 10; raise ValueError if the board does not have it."""
        found = int(sign, 36) if sign.isascii() and sign.isalnum() else None
        if found is None or found not in self.values:
            values = domain(self.values)
            whole = values[-1] - values[0] == len(values) - 1
            known = f"a value from {values[0]} to {values[-1]}" if whole else f"one of {', '.join(map(str, values))}"
            raise ValueError(f"the pattern has {sign!r} at {self.at}: a sign for {known} is expected")
        return found

    def quantifier(self) -> tuple[int, int | None] | None:
        """Read a quantifier as its minimum and maximum (None: unlimited); return None if there is none."""
        sign = self.peek()
        if sign and sign in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if sign != "{":
            return None
        end = self.pattern.find("}", self.at)
        low, comma, high = self.pattern[self.at + 1 : end].partition(",")
        if end < 0 or not _small(low) or (high and not _small(high)):
            raise ValueError(f"the pattern has a wrong count at {self.at + 1}: {{n}}, {{n,}} or {{n,m}} is expected")
        self.at = end + 1
        bounds = int(low), int(high) if high else None if comma else int(low)
        if bounds[1] is not None and bounds[1] < bounds[0]:
            raise ValueError(f"the count {{{low},{high}}} in the pattern runs downwards: the lower number comes first")
        return bounds

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]


def _small(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4


def regex_automaton(pattern: str, values: Domain, length: int, steps: Steps | None = None) -> Automaton:
    """Return the automaton of a pattern, for words of up to ``length`` values; ``steps`` limits the work.

    Raises ValueError for a pattern that is not understood or too large (2,000 positions, or no steps left).
    """
    return (steps or Steps()).made(_read, pattern, values, length)


@lru_cache(maxsize=256)
def _read(asked: AutomatonKey) -> Made:
    before, values = asked.steps.left, asked.values
    reader = _PatternReader(asked.source, values, steps=asked.steps)
    whole = reader.whole()
    start = 1 << len(reader.takes)
    reader.follow.append(whole.first)
    asked.steps.spend(3 * len(values) * len(reader.follow))
    takes = {v: sum(1 << i for i, taken in enumerate(reader.takes) if v in taken) for v in values}

    accepting = whole.last | (start if whole.empty else 0)
    arrows = {v: {i: after & takes[v] for i, after in enumerate(reader.follow)} for v in values}
    made = deterministic(start, arrows, accepting, asked.length, asked.steps)
    return Made(made, before - asked.steps.left)


def deterministic(
    start: int, arrows: Mapping[int, Mapping[int, int]], accepting: int, length: int, steps: Steps | None = None
) -> Automaton:
    """Make an automaton deterministic; states are numbers, sets of states are bit sets.

    ``arrows[symbol][state]`` is the set of next states. The sets that words of up to ``length`` symbols reach are
    explored; dead ends are dropped, and equivalent states merged. Raises ValueError if there are too many, or if this
    takes more than the remaining steps.
    """
    taken, last, inside = 0, -1, list[int]()

    def step(state: int, symbol: int) -> int | None:
        nonlocal taken, last, inside
        if state != last:  # each state is asked for all symbols in turn
            last, inside = state, members(state)
        table, after = arrows[symbol], 0
        for member in inside:
            after |= table.get(member, 0)
        taken += len(inside) + 1
        if steps:
            steps.spend(len(inside) + 1)
        if taken > MOST_STEPS:
            raise ValueError(f"more than {MOST_STEPS} steps once it is made deterministic")
        return after or None

    made = Automaton.from_step(step, start, arrows, lambda state: bool(state & accepting), length)
    return _smallest(set(made.accepting), made.next, steps)


def members(state: int) -> list[int]:
    """Return the numbers in a bit set, in ascending order."""
    found = []
    while state:
        lowest = state & -state
        found.append(lowest.bit_length() - 1)
        state ^= lowest
    return found


def _smallest(accepting: set[int], arrows: Mapping[tuple[int, int], int], steps: Steps | None = None) -> Automaton:
    """Drop dead ends, and merge states that no input distinguishes (Moore)."""
    if steps:
        steps.spend(3 * len(arrows))
    useful = _leading_to(accepting, arrows)
    kept = {(a, v): b for (a, v), b in arrows.items() if b in useful and a in useful}
    out: dict[int, list[tuple[int, int]]] = {state: [] for state in useful}
    for (a, v), b in sorted(kept.items()):
        out[a].append((v, b))
    part = {state: int(state in accepting) for state in useful}
    classes = len(set(part.values()))
    for _ in range(min(MOST_ROUNDS, 1 + MOST_STEPS // (1 + len(kept)))):
        if steps:
            steps.spend(len(kept) + 3 * len(useful))
        names: dict[object, int] = {}
        part = {
            state: names.setdefault((part[state], tuple((v, part[b]) for v, b in out[state])), len(names))
            for state in sorted(useful)
        }
        if len(names) == classes:
            break
        classes = len(names)
    else:
        part, classes = {state: i for i, state in enumerate(sorted(useful))}, len(useful)
    if 0 not in useful:
        return Automaton(1, 0, (), ())
    made = {(part[a], v, part[b]) for (a, v), b in kept.items()}
    return Automaton(classes, part[0], {part[state] for state in accepting}, made)


MOST_ROUNDS = 60
"""The number of rounds after which states are left unmerged."""


def _leading_to(accepting: set[int], arrows: Mapping[tuple[int, int], int]) -> set[int]:
    before: dict[int, list[int]] = {}
    for (a, _), b in arrows.items():
        before.setdefault(b, []).append(a)
    found, left = set(accepting), list(accepting)
    while left:
        for state in before.get(left.pop(), ()):
            if state not in found:
                found.add(state)
                left.append(state)
    return found


def python_pattern(pattern: str) -> str:
    """Rewrite a pattern so that Python's ``re`` reads it in the same way: every quantifier gets its own group."""
    found, starts, at = "", [0], 0
    last = 0
    while at < len(pattern):
        sign = pattern[at]
        end = at + 1
        if sign == "[":
            end = pattern.index("]", at) + 1
        elif sign == "{":
            end = pattern.index("}", at) + 1
        piece = {"[]": "(?!)", "[^]": "."}.get(pattern[at:end], pattern[at:end])
        if sign in "*+?{":
            found = f"{found[:last]}(?:{found[last:]}{piece})"
        else:
            last = starts.pop() if sign == ")" else len(found)
            if sign == "(":
                starts.append(len(found))
                piece = "(?:"
            found += piece
        at = end
    return found
