"""A second encoder of certificates, written apart from the same description: a second opinion for the tests.

What it has in common with ``sudoku_models.prove.encoder`` is ``docs/certificates.md``, which says which clauses each
constraint has, and in which order. An error in one of them makes two different formulas. Here a constraint is stated
at a place (the domains, a guard, whether it or its negation holds), and a word is read as a layered diagram whose
equivalent states are merged.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from sudoku_models.errors import Unsupported
from sudoku_models.model import (
    OPERATORS,
    AllDifferent,
    And,
    Circuit,
    Compare,
    Connected,
    Constraint,
    Count,
    Cumulative,
    Domain,
    Element,
    GlobalCardinality,
    Implies,
    InDomain,
    Inverse,
    LexLess,
    Linear,
    MinMax,
    Model,
    MultisetEqual,
    NoOverlap,
    Not,
    NValue,
    Or,
    Regular,
    Table,
)
from sudoku_models.prove import Claim, Statement

Clause = tuple[int, ...]
Domains = Mapping[str, Domain]

PAIRWISE = 40
"""For domains with more values than this, "at most one" is stated by a ladder of auxiliary variables."""

FEW = 8
"""For up to this number of states in a layer, clauses state that no two are true together."""


@dataclass
class Flat:
    """Clauses in one flat array, each ended by 0. Variable 1 + k is the k-th pair of a model's variable and a value.

    ``literals`` maps (name, value) to its variable; auxiliary variables follow after those.
    """

    literals: dict[tuple[str, int], int] = field(default_factory=dict)
    numbers: array[int] = field(default_factory=lambda: array("i"))
    variables: int = 0

    @classmethod
    def over(cls, model: Model) -> Flat:
        """Return a formula without clauses whose variables are the values of the model's variables, in order."""
        pairs = ((v.name, value) for v in model.variables for value in v.domain)
        literals = {pair: number for number, pair in enumerate(pairs, 1)}
        return cls(literals, variables=len(literals))

    def fresh(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause, each literal once; one that is always true is left out."""
        literals = dict.fromkeys(clause)
        if not any(-x in literals for x in literals):
            self.numbers.extend(literals)
            self.numbers.append(0)


Digit = tuple[tuple[int, int], ...]
"""The choices at one place of a word: pairs of a value and its literal; exactly one literal is true."""

State = Hashable
Step = Callable[[int, State, int], State]
"""From a place, a state and a value to the next state."""

Arrows = dict[int, int]
"""For a state: where each value leads, for values that lead anywhere."""

Layer = Sequence[int | None]
"""The literals of the states of a layer; None if the only state needs no literal."""


def state_diagram(
    formula: Flat,
    digits: Sequence[Digit],
    start: State,
    step: Step,
    accepts: Callable[[State], bool],
    guard: Clause,
) -> None:
    """Add clauses stating that the word of ``digits`` leads from ``start`` to an accepted state.

    ``guard`` is part of each clause, so that they bind only if all its literals are false. Any accepted assignment of
    the digits extends to the auxiliary variables: the states on its path are true, the others false.
    """
    arrows = merged(_explored(digits, start, step), accepts)
    if arrows is None:
        formula.add(guard)
        return
    sizes = [*map(len, arrows), 1]
    layers = [_named(formula, size, first=not i, last=i == len(digits)) for i, size in enumerate(sizes)]
    for digit, steps, here, after in zip(digits, arrows, layers, layers[1:], strict=False):
        _join(formula, digit, steps, here, after, guard)


def _explored(digits: Sequence[Digit], start: State, step: Step) -> list[dict[State, dict[int, State]]]:
    """Follow every value from every reachable state, layer by layer."""
    layer, arrows = [start], list[dict[State, dict[int, State]]]()
    for place, digit in enumerate(digits):
        values = dict.fromkeys(value for value, _ in digit)
        found = {state: {value: step(place, state, value) for value in values} for state in layer}
        arrows.append(found)
        layer = list(dict.fromkeys(after for steps in found.values() for after in steps.values()))
    arrows.append({state: {} for state in layer})
    return arrows


def merged(arrows: list[dict[State, dict[int, State]]], accepts: Callable[[State], bool]) -> list[list[Arrows]] | None:
    """Return the smallest diagram of the same words: equivalent states are merged, dead ones are left out.

    The states of each layer are numbered in the order in which they are reached from the first. None if no word is
    accepted.
    """
    number: dict[State, int] = {state: 0 for state in arrows[-1] if accepts(state)}
    layers: list[list[Arrows]] = []
    for layer in reversed(arrows[:-1]):
        found: dict[tuple[tuple[int, int], ...], int] = {}
        before = {}
        for state, steps in layer.items():
            ways = tuple((value, number[after]) for value, after in steps.items() if after in number)
            if ways:
                before[state] = found.setdefault(ways, len(found))
        layers.append([dict(ways) for ways in found])
        number = before
    if not number:
        return None
    start = next(iter(arrows[0]))
    return _renumbered(layers[::-1], number[start]) if start in number else None


def _renumbered(layers: list[list[Arrows]], start: int) -> list[list[Arrows]]:
    """Number the states of each layer as they are reached; unreachable ones are left out."""
    order, made = [start], []
    for layer in layers:
        met: dict[int, int] = {}
        for state in order:
            for after in layer[state].values():
                met.setdefault(after, len(met))
        made.append([{value: met[after] for value, after in layer[state].items()} for state in order])
        order = list(met)
    return made


def _named(formula: Flat, size: int, first: bool, last: bool) -> Layer:
    if first or last or size == 1:
        return [None] * size
    return [formula.fresh() for _ in range(size)]


def _join(formula: Flat, digit: Digit, steps: Sequence[Arrows], here: Layer, after: Layer, guard: Clause) -> None:
    """State how a digit leads from the states of a layer to those of the next."""
    for literal, arrows in zip(here, steps, strict=True):
        source = () if literal is None else (-literal,)
        for value, x in digit:
            if value not in arrows:
                formula.add((*guard, *source, -x))
            elif (target := after[arrows[value]]) is not None:
                formula.add((*guard, *source, -x, target))
    named = [literal for literal in here if literal is not None]
    if named:
        _support_digit(formula, digit, steps, named, guard)
    _support_states(formula, steps, named, [literal for literal in after if literal is not None], guard)


def _support_digit(formula: Flat, digit: Digit, steps: Sequence[Arrows], here: Sequence[int], guard: Clause) -> None:
    """State that a value needs a state in which it leads on."""
    for value, x in digit:
        formula.add((*guard, -x, *(s for s, arrows in zip(here, steps, strict=True) if value in arrows)))


def _support_states(
    formula: Flat, steps: Sequence[Arrows], here: Sequence[int], after: Sequence[int], guard: Clause
) -> None:
    """State that one state of a layer is true (if few, only one) and has a predecessor; for states with literals."""
    if not after:
        return
    formula.add((*guard, *after))
    if len(after) <= FEW:
        for k, a in enumerate(after):
            for b in after[:k]:
                formula.add((*guard, -a, -b))
    if not here:
        return
    before: list[list[int]] = [[] for _ in after]
    for s, arrows in zip(here, steps, strict=True):
        for state in dict.fromkeys(arrows.values()):
            before[state].append(s)
    for literal, sources in zip(after, before, strict=True):
        formula.add((*guard, -literal, *sources))


Encode = Callable[[Flat, Domains, Constraint, Clause, bool], None]
"""Adds the clauses of a constraint, or of its negation, under a guard."""

REFUSED = "R"
"""The state of a word that can no longer be accepted."""


class Place:
    """A formula, domains, a guard in each clause, and whether the constraint or its negation is stated."""

    def __init__(self, formula: Flat, domains: Domains, guard: Clause, holds: bool, encode: Encode) -> None:
        self.formula, self.domains, self.guard, self.holds, self.encode = formula, domains, guard, holds, encode

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.formula.add((*self.guard, *literals))

    def define(self, *literals: int) -> None:
        """Add a clause that gives a new variable its meaning, whether the guard is true or false."""
        self.formula.add(literals)

    def digit(self, x: str, reading: Callable[[int], int] = int) -> Digit:
        """Return the values of a variable, each read by a function, with their literals."""
        return tuple((reading(value), self.formula.literals[x, value]) for value in self.domains[x])

    def word(self, digits: list[Digit], start: State, step: Callable[[int, Any, int], State], accepts: Any) -> None:
        """State that the word of the digits is accepted, or that it is not; ``step`` returns None if it is refused."""
        wanted = self.holds
        state_diagram(
            self.formula,
            digits,
            start,
            _total(step),
            lambda s: (s != REFUSED and bool(accepts(s))) == wanted,
            self.guard,
        )

    def all_of(self, constraints: Iterable[tuple[Constraint, bool]]) -> None:
        """State each of some constraints, or its negation."""
        for constraint, holds in constraints:
            self.encode(self.formula, self.domains, constraint, self.guard, holds)

    def any_of(self, constraints: Iterable[tuple[Constraint, bool]]) -> None:
        """State that one of some constraints holds (or its negation): a literal for each, which implies it."""
        clause, later = [], []
        for constraint, holds in constraints:
            if isinstance(constraint, InDomain):
                clause += [x for value, x in self.digit(constraint.x) if (value in constraint.values) == holds]
            else:
                chosen = self.formula.fresh()
                clause.append(chosen)
                later.append((constraint, holds, chosen))
        self.add(*clause)
        for constraint, holds, chosen in later:
            self.encode(self.formula, self.domains, constraint, (*self.guard, -chosen), holds)


def _total(step: Callable[[int, Any, int], State]) -> Callable[[int, Any, int], State]:
    """Return a step function that ends in REFUSED if the given one returns None."""

    def total(place: int, state: State, value: int) -> State:
        """Continue from a state; a refused word stays refused."""
        after = None if state == REFUSED else step(place, state, value)
        return REFUSED if after is None else after

    return total


DECIDED = "D"
"""The state of a sum that is satisfied whatever the remaining values are."""


def linear(place: Place, c: Linear) -> None:
    """A weighted sum of variables; the coefficients of a repeated name are added up."""
    coefficients: dict[str, int] = {}
    for k, x in zip(c.coeffs, c.xs, strict=True):
        coefficients[x] = coefficients.get(x, 0) + k
    _sum(place, [place.digit(x, k.__mul__) for x, k in coefficients.items()], c.op, c.k)


def count(place: Place, c: Count) -> None:
    """How many variables have certain values."""
    digits = [place.digit(x, lambda value: int(value in c.values)) for x in c.xs]
    _sum_and_term(place, digits, c.op, c.y)


def n_value(place: Place, c: NValue) -> None:
    """The number of values that occur: a literal for each value says that it does."""
    holders: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in place.digit(x):
            holders.setdefault(value, []).append(literal)
    digits: list[Digit] = []
    for literals in holders.values():
        present = place.formula.fresh()
        for literal in literals:
            place.define(-literal, present)
        place.define(-present, *literals)
        digits.append(((1, present), (0, -present)))
    _sum_and_term(place, digits, c.op, c.y)


def multiset_equal(place: Place, c: MultisetEqual) -> None:
    """Each value equally often on both sides: a sum of 0 for each value; for the negation, one of them is not 0."""
    values = dict.fromkeys(value for x in c.scope for value, _ in place.digit(x))
    sums = [(_difference(place, c, value), "==" if place.holds else "!=") for value in values]
    if place.holds:
        for digits, op in sums:
            _sum(place, digits, op, 0)
        return
    chosen = [place.formula.fresh() for _ in sums]
    place.add(*chosen)
    for literal, (digits, op) in zip(chosen, sums, strict=True):
        _sum(Place(place.formula, place.domains, (*place.guard, -literal), True, place.encode), digits, op, 0)


def _difference(place: Place, c: MultisetEqual, wanted: int) -> list[Digit]:
    left = [place.digit(x, lambda value: int(value == wanted)) for x in c.xs]
    return left + [place.digit(y, lambda value: -int(value == wanted)) for y in c.ys]


def _sum_and_term(place: Place, digits: list[Digit], op: str, y: str | int) -> None:
    """State ``sum op y``: a variable is moved to the other side."""
    if isinstance(y, str):
        _sum(place, [*digits, place.digit(y, int.__neg__)], op, 0)
    else:
        _sum(place, digits, op, y)


def _sum(place: Place, digits: Sequence[Digit], op: str, k: int) -> None:
    """State ``sum of digits op k``: the states are the sums so far."""
    least, most = [0], [0]
    for digit in reversed(digits):
        values = [value for value, _ in digit]
        least.append(least[-1] + min(values, default=0))
        most.append(most[-1] + max(values, default=0))

    def step(at: int, total: Any, value: int) -> Any:
        """Add a value."""
        if total == DECIDED:
            return total
        left = len(digits) - at - 1
        return _state(total + value, least[left], most[left], op, k)

    first = _state(0, least[-1], most[-1], op, k)
    start = REFUSED if first is None else first
    place.word(list(digits), start, step, lambda s: s == DECIDED or OPERATORS[op](s, k))


def _state(total: int, least: int, most: int, op: str, k: int) -> Any:
    """Return the sum so far; DECIDED if every possible end satisfies it, None if none does."""
    low, high = total + least, total + most
    if op == "==":
        return DECIDED if low == high == k else total if low <= k <= high else None
    if op == "!=":
        return DECIDED if not low <= k <= high else None if low == high else total
    ends = OPERATORS[op](low, k), OPERATORS[op](high, k)
    return DECIDED if all(ends) else total if any(ends) else None


def cumulative(place: Place, c: Cumulative) -> None:
    """At each time the demands of what runs: a sum up to the capacity; for the negation, one of them is more."""
    sums: list[list[Digit]] = []
    for tasks in c.running(place.domains):
        sums.append([])
        for need, x, window in tasks:
            sums[-1].append(tuple((need * (value in window), literal) for value, literal in place.digit(x)))
    if place.holds:
        for digits in sums:
            _sum(place, digits, "<=", c.capacity)
        return
    chosen = [place.formula.fresh() for _ in sums]
    place.add(*chosen)
    for literal, digits in zip(chosen, sums, strict=True):
        _sum(Place(place.formula, place.domains, (*place.guard, -literal), True, place.encode), digits, ">", c.capacity)


def circuit(place: Place, c: Circuit) -> None:
    """The word of the successors, of which no two are equal, read to its end."""
    n = len(c.xs)

    def step(_: int, before: Any, value: int) -> Any:
        return (*before, value) if value in range(n) and value not in before else None

    def accepts(after: Any) -> bool:
        seen, here = {0}, after[0]
        while here not in seen:
            seen.add(here)
            here = after[here]
        return len(seen) == n

    place.word([place.digit(x) for x in c.xs], (), step, accepts)


def _of_parts(place: Place, c: Any) -> None:
    parts = [(part, place.holds) for part in c.parts(place.domains)]
    (place.all_of if place.holds else place.any_of)(parts)


def connected(place: Place, c: Connected) -> None:
    """Every place inside is some number of steps from the first place inside.

    A solution extends to the new variables: a place is inside or not; the number for a place inside is the length of
    the shortest path through the group.
    """
    inside = [_inside(place, x, c) for x in c.xs]
    if not place.holds:
        _parted(place, c, inside)
        return
    steps = [[place.formula.fresh() for _ in c.xs] for _ in c.xs]
    for p, own in enumerate(steps):
        place.add(-inside[p], *own)
        for literal in own:
            place.add(-literal, inside[p])
        for q in range(p):
            place.add(-own[0], -inside[q])
        for d in range(1, len(own)):
            place.add(-own[d], *(steps[q][d - 1] for q in c.neighbours[p]))


def _parted(place: Place, c: Connected, inside: list[int]) -> None:
    """Some places are marked: both ends of an edge inside alike; one place inside is marked and one is not."""
    marked, chosen = [], []
    for literal in inside:
        yes, first, second = (place.formula.fresh() for _ in range(3))
        place.add(-first, literal)
        place.add(-first, yes)
        place.add(-second, literal)
        place.add(-second, -yes)
        marked.append(yes)
        chosen.append((first, second))
    place.add(*(first for first, _ in chosen))
    place.add(*(second for _, second in chosen))
    for p, q in c.edges:
        place.add(-inside[p], -inside[q], -marked[p], marked[q])
        place.add(-inside[p], -inside[q], marked[p], -marked[q])


def _inside(place: Place, x: str, c: Connected) -> int:
    """Return a literal for whether a variable has one of the counted values."""
    inside = place.formula.fresh()
    yes = [literal for value, literal in place.digit(x) if value in c.values]
    for literal in yes:
        place.define(-literal, inside)
    place.define(-inside, *yes)
    return inside


def encode(formula: Flat, domains: Domains, constraint: Constraint, guard: Clause = (), holds: bool = True) -> None:
    """Add the clauses of a constraint, or with ``holds=False`` of its negation.

    ``guard`` is part of each clause: they bind if all its literals are false. Unsupported for a kind without an
    encoding.
    """
    encoder = ENCODERS.get(type(constraint))
    if encoder is None:
        raise Unsupported(f"certificates cannot state the kind {type(constraint).__name__}")
    encoder(Place(formula, domains, guard, holds, encode), constraint)


def _in_domain(place: Place, c: InDomain) -> None:
    place.add(*(x for value, x in place.digit(c.x) if (value in c.values) == place.holds))


def _all_different(place: Place, c: AllDifferent) -> None:
    """No two variables have the same value; if there are as many values as variables, each value occurs."""
    if not place.holds:
        place.word([place.digit(x) for x in c.xs], frozenset(), _new_value, lambda _: True)
        return
    holders: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in place.digit(x):
            holders.setdefault(value, []).append(literal)
    for literals in holders.values():
        for a, b in combinations(literals, 2):
            place.add(-a, -b)
    if len(holders) == len(c.xs):
        for literals in holders.values():
            place.add(*literals)


def _new_value(_: int, seen: frozenset[int], value: int) -> frozenset[int] | None:
    return None if value in seen else seen | {value}


def _compare(place: Place, c: Compare) -> None:
    """Forbid each pair of values that violates the comparison."""
    relation = OPERATORS[c.op]
    for value, a in place.digit(c.x):
        for other, b in place.digit(c.y) if c.x != c.y else ((value, a),):
            if bool(relation(value, other + c.c)) != place.holds:
                place.add(-a, -b)


def _table(place: Place, c: Table) -> None:
    """Forbid tuples one by one, or read the word by the prefixes of the allowed ones."""
    if place.holds != c.allowed:
        for row in c.tuples:
            literals = [place.formula.literals.get(pair, 0) for pair in zip(c.xs, row, strict=True)]
            if all(literals):
                place.add(*(-literal for literal in literals))
        return
    beginnings = {row[:k] for row in c.tuples for k in range(len(c.xs) + 1)}

    def step(_: int, read: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        """Append a value to those read; None if no tuple starts so."""
        return (*read, value) if (*read, value) in beginnings else None

    allowed = Place(place.formula, place.domains, place.guard, True, place.encode)
    allowed.word([place.digit(x) for x in c.xs], (), step, c.members.__contains__)


def _element(place: Place, c: Element) -> None:
    """For each index: the value found there is the stated one or, for the negation, is not."""
    for index, i in place.digit(c.i):
        if not 0 <= index < len(c.xs):
            if place.holds:
                place.add(-i)
            continue
        for value, x in place.digit(c.xs[index]):
            if isinstance(c.y, int):
                if (value == c.y) != place.holds:
                    place.add(-i, -x)
                continue
            same = place.formula.literals.get((c.y, value), 0)
            if place.holds:
                place.add(-i, -x, *((same,) if same else ()))
            elif same:
                place.add(-i, -x, -same)


def _min_max(place: Place, c: MinMax) -> None:
    """Each end is the least or the greatest value so far, at the end of the word."""
    ends = [(c.lo, min), (c.hi, max)]
    asked = [(end, choose) for end, choose in ends if end is not None]
    if place.holds or len(asked) == 1:
        for end, choose in asked:
            _end(place, c, end, choose)
    elif not asked:
        place.add()
    else:
        place.any_of([(MinMax(c.xs, lo=c.lo), False), (MinMax(c.xs, hi=c.hi), False)])


def _end(place: Place, c: MinMax, end: str | int, choose: Callable[[int, int], int]) -> None:
    digits = [place.digit(x) for x in c.xs]
    if isinstance(end, str):
        digits.append(place.digit(end))

    def step(at: int, found: int | str, value: int) -> int | str | None:
        """Keep the better of two; at the last place compare the end with it."""
        if at == len(c.xs):
            return found if found == value else None
        return value if found == "" else choose(int(found), value)

    place.word(digits, "", step, lambda found: isinstance(end, str) or found == end)


def _regular(place: Place, c: Regular) -> None:
    """The states are those of the automaton."""
    arrows = c.automaton.next
    accepting = frozenset(c.automaton.accepting)
    word = [place.digit(x) for x in c.xs]
    place.word(word, c.automaton.start, lambda _, state, value: arrows.get((state, value)), accepting.__contains__)


def _lex_less(place: Place, c: LexLess) -> None:
    """Read the lists in turn: the states are "equal so far", the left value of a pair, and "less"."""
    digits = [place.digit(x) for pair in zip(c.xs, c.ys, strict=True) for x in pair]

    def step(at: int, state: int | str, value: int) -> int | str | None:
        """Keep the left value of a pair, then compare the right one with it."""
        if state == "less" or at % 2 == 0:
            return "less" if state == "less" else value
        return "less" if int(state) < value else "equal" if state == value else None

    place.word(digits, "equal", step, lambda state: state == "less" or not c.strict)


def _not(place: Place, c: Not) -> None:
    place.all_of([(c.part, not place.holds)])


def _and(place: Place, c: And) -> None:
    parts = [(part, place.holds) for part in c.parts]
    (place.all_of if place.holds else place.any_of)(parts)


def _or(place: Place, c: Or) -> None:
    parts = [(part, place.holds) for part in c.parts]
    (place.any_of if place.holds else place.all_of)(parts)


def _implies(place: Place, c: Implies) -> None:
    parts = [(c.condition, not place.holds), (c.result, place.holds)]
    (place.any_of if place.holds else place.all_of)(parts)


ENCODERS: dict[type[Constraint], Callable[[Place, Any], None]] = {
    AllDifferent: _all_different,
    And: _and,
    Circuit: circuit,
    Compare: _compare,
    Connected: connected,
    Count: count,
    Cumulative: cumulative,
    Element: _element,
    GlobalCardinality: _of_parts,
    Implies: _implies,
    InDomain: _in_domain,
    Inverse: _of_parts,
    LexLess: _lex_less,
    Linear: linear,
    MinMax: _min_max,
    MultisetEqual: multiset_equal,
    NoOverlap: _of_parts,
    Not: _not,
    NValue: n_value,
    Or: _or,
    Regular: _regular,
    Table: _table,
}
"""Every kind of constraint that a certificate can state."""


def claim_formula(statement: Statement, claim: Claim, found: Sequence[Sequence[int]]) -> Flat:
    """Return the formula that must be unsatisfiable if a claim holds.

    It states that there is a solution other than those in ``found`` (values of all variables, in the model's order),
    or, for the claim "optimal", a better one.
    """
    formula, model = formula_of(statement.model), statement.model
    for name, values in statement.domains.items():
        _narrow(formula, name, model.domains[name], values)
    known = [dict(zip(model.names, values, strict=True)) for values in found]
    if claim is not Claim.OPTIMAL:
        for solution in known:
            formula.add([-formula.literals[x, solution[x]] for x in statement.keep])
    elif model.objective is not None:
        encode(formula, model.domains, model.objective.better_than(model.objective.value(known[0])))
    return formula


def formula_of(model: Model) -> Flat:
    """Return the formula of a model: its domains, then its constraints in order, without the objective."""
    formula = Flat.over(model)
    for v in model.variables:
        _one_of(formula, [formula.literals[v.name, value] for value in v.domain])
    for constraint in model.constraints:
        encode(formula, model.domains, constraint)
    return formula


def _one_of(formula: Flat, literals: Sequence[int]) -> None:
    """State that exactly one literal is true."""
    formula.add(literals)
    if len(literals) <= PAIRWISE:
        for a, b in combinations(literals, 2):
            formula.add((-a, -b))
        return
    before = None
    for literal in literals:
        seen = formula.fresh()
        formula.add((-literal, seen))
        if before is not None:
            formula.add((-before, seen))
            formula.add((-before, -literal))
        before = seen


def _narrow(formula: Flat, name: str, stated: Domain, values: Domain) -> None:
    """State that a variable has one of the values: a given by one literal, otherwise by excluding values."""
    left = [value for value in stated if value in values]
    if len(left) == 1:
        formula.add((formula.literals[name, left[0]],))
        return
    for value in stated:
        if value not in left:
            formula.add((-formula.literals[name, value],))
