"""What the kernels of classic boards do, written anew with sets of (cell, value) and nothing in common with them."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any

from sudoku_models import Puzzle, solve
from sudoku_models.explain.classic.board import KernelMachine, machine, plain_machine
from tests.explain.techniques import TECHNIQUES

Literal = tuple[int, int]
Candidates = dict[int, set[int]]
NEVER = 1 << 20
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CHAINS = ".....9......3..52..5.48...1.21...674.67.5..9.3........2.....7...1.6.4..........3."
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
HOUSES = [
    *([(r, c) for c in range(9)] for r in range(9)),
    *([(r, c) for r in range(9)] for c in range(9)),
    *([(r, c) for r in range(9) for c in range(9) if r // 3 * 3 + c // 3 == b] for b in range(9)),
]
CELLS = [[9 * r + c for r, c in house] for house in HOUSES]
MACHINES = [plain_machine, machine]


@cache
def peers(cell: int) -> frozenset[int]:
    return frozenset(other for house in CELLS if cell in house for other in house) - {cell}


def candidates_of(line: str) -> Candidates:
    return {c: {int(line[c])} if line[c] in "123456789" else set(range(1, 10)) for c in range(81)}


def places(state: Candidates, house: int, value: int) -> set[int]:
    return {c for c in CELLS[house] if value in state[c]}


def masks(state: Candidates) -> list[int]:
    return [sum(1 << v - 1 for v in state[c]) for c in range(81)]


def literals(flags: Any) -> set[Literal]:
    return {(i // 9, i % 9 + 1) for i, flag in enumerate(flags) if flag}


def number(literal: Literal) -> int:
    return 9 * literal[0] + literal[1] - 1


def closed(state: Candidates) -> Candidates:
    """Follow hidden singles, and remove what settled cells see, until nothing changes."""
    found = {c: set(values) for c, values in state.items()}
    again = True
    while again:
        again = False
        for h, v in product(range(27), range(1, 10)):
            where = places(found, h, v)
            if len(where) == 1 and found[min(where)] != {v}:
                found[min(where)] = {v}
                again = True
        for c, values in found.items():
            if len(values) == 1:
                for other in peers(c):
                    if values <= found[other]:
                        found[other] -= values
                        again = True
    return found


@cache
def solution(line: str) -> tuple[int, ...]:
    grid = solve(Puzzle.parse(line)).grid
    assert grid
    return tuple(v or 0 for v in grid.values)


@cache
def states(count: int, seed: int = 1) -> list[Candidates]:
    """Return candidates of hard puzzles from which wrong ones were removed by chance, and what settled cells see."""
    rng, found = random.Random(seed), list[Candidates]()
    for i in range(count):
        line = (CHAINS, HARD, ESCARGOT)[i % 3]
        state = closed(candidates_of(line))
        loose = [(c, v) for c in state for v in state[c] if v != solution(line)[c]]
        for c, v in rng.sample(loose, rng.randrange(len(loose) * 2 // 5)):
            state[c].discard(v)
        found.append(closed(state))
    return found


def base_variables(state: Candidates) -> list[list[Literal]]:
    found = [[(c, v) for v in sorted(state[c])] for c in range(81)]
    return found + [[(c, v) for c in sorted(places(state, h, v))] for h in range(27) for v in range(1, 10)]


def sizes(
    state: Candidates,
    supposed: Literal,
    able: Callable[[int, list[Literal], int], bool],
    extra: Callable[[int], int] = lambda k: 0,
    holds: bool = True,
) -> int:
    """Return the size of the smallest tree, by relaxing all costs until none gets smaller.

    ``able`` says whether a base variable (number, candidates, how many may be left) may be used, ``extra`` what the
    last one adds by its number of candidates; ``holds`` whether the candidate is supposed to be true.
    """
    variables = base_variables(state)
    true, false = ({supposed: 0}, dict[Literal, int]()) if holds else (dict[Literal, int](), {supposed: 0})
    best = NEVER
    again = True
    while again:
        again = False
        for (c, v), cost in list(true.items()):
            seen = [(c, u) for u in state[c] if u != v] + [(d, v) for d in peers(c) if v in state[d]]
            for other in seen:
                if able(-1, [(c, v), other], 0) and cost < false.get(other, NEVER):
                    false[other], again = cost, True
        for w, members in enumerate(variables):
            gone = [false.get(m, NEVER) for m in members]
            if sum(gone) < NEVER and able(w, members, 0):
                best = min(best, 1 + sum(gone) + extra(len(members)))
            for i, member in enumerate(members):
                cost = 1 + sum(gone) - gone[i]
                if cost < true.get(member, NEVER) and able(w, members, 1):
                    true[member], again = cost, True
    return best


def relaxed(
    state: Candidates,
    true: dict[Literal, int],
    false: dict[Literal, int],
    able: Callable[[int, list[Literal], int], bool],
    extra: Callable[[int], int] = lambda k: 0,
    fallen: dict[Literal, int] | None = None,
) -> int:
    """Add the least costs of what follows by singles from what is true and false; return that of a contradiction.

    What is given keeps its cost, but for what has ``fallen`` just now; candidates that are gone from the state count.
    """
    given, best, again = ({**true}, {**false}), NEVER, True
    false |= fallen or {}
    gone = {c: set(range(1, 10)) - state[c] for c in state}
    variables = [([(c, v) for v in sorted(state[c])], [(c, v) for v in gone[c]]) for c in range(81)]
    for h, v in product(range(27), range(1, 10)):
        variables.append(([(c, v) for c in sorted(places(state, h, v))], [(c, v) for c in CELLS[h] if v in gone[c]]))
    spent = [sum(given[1].get(x, 0) for x in out) for _, out in variables]
    while again:
        again = False
        for (c, v), cost in list(true.items()):
            for other in [(c, u) for u in state[c] if u != v] + [(d, v) for d in peers(c) if v in state[d]]:
                if other not in given[1] and cost < false.get(other, NEVER):
                    false[other], again = cost, True
        for w, (members, _) in enumerate(variables):
            costs = [false.get(m, NEVER) for m in members]
            if sum(costs) < NEVER and able(w, members, 0):
                best = min(best, 1 + spent[w] + sum(costs) + extra(len(members)))
            for i, member in enumerate(members if sum(x == NEVER for x in costs) < 2 else []):
                cost = 1 + spent[w] + sum(costs) - costs[i]
                if member not in given[0] and cost < true.get(member, NEVER) and able(w, members, 1):
                    true[member], again = cost, True
    return best


def inner_trials(
    state: Candidates, supposed: Literal, kinds: int, modes: list[tuple[Callable[..., bool], Callable[[int], int]]]
) -> int:
    """Return the size of the smallest tree of a trial in which inner steps of the first some kinds are made.

    ``modes`` are, of each kind, the base variables that it may use and what the last one adds.
    """
    true, false, fallen = {supposed: 0}, dict[Literal, int](), dict[Literal, int]()
    while True:
        size = relaxed(state, true, false, modes[0][0], fallen=fallen)
        if size < NEVER:
            return size
        left = {c: {v for v in state[c] if (c, v) not in false} for c in state}
        kind, fallen = 1, {}
        while kind <= kinds and not fallen:
            patterns = removed(left, "pointing", "claiming", "naked pair", "hidden pair", "X-wing")
            for x in [(c, v) for c in left for v in left[c] if len(left[c]) > 1]:
                if kind > 1 or x in patterns:
                    inner = relaxed(left, {x: 0}, {**false}, *modes[kind - 1])
                    fallen |= {x: inner} if inner < NEVER else {}
            kind += 1
        if not fallen:
            return NEVER


def removed(state: Candidates, *techniques: str) -> set[Literal]:
    """Return what techniques remove by their definitions."""
    board = [frozenset(state[c]) for c in range(81)]
    return {literal for name in techniques for found in TECHNIQUES[name](board) for literal in found}


def excluded_pairs(state: Candidates) -> set[Literal]:
    found = set[Literal]()
    for a, b in combinations([c for c in range(81) if len(state[c]) > 1], 2):
        both = [state[c] for c in peers(a) & peers(b) if len(state[c]) == 2]
        left = [(v, u) for v, u in product(state[a], state[b]) if not (v == u and b in peers(a)) and {v, u} not in both]
        found |= {(a, v) for v in state[a] - {v for v, _ in left}} | {(b, u) for u in state[b] - {u for _, u in left}}
    return found


def excluded_triples(state: Candidates) -> set[Literal]:
    found = set[Literal]()
    able = [c for c in range(81) if len(state[c]) > 1]
    excluding = {c: {p for p in peers(c) if 2 <= len(state[p]) <= 3} for c in able}
    for cells in combinations(able, 3):
        out = [state[c] for c in set.intersection(*(excluding[c] for c in cells))]
        if len(out) > 1:
            same = [(i, j) for i, j in combinations(range(3), 2) if cells[j] in peers(cells[i])]
            left = [
                some
                for some in product(*(state[c] for c in cells))
                if all(some[i] != some[j] for i, j in same) and not any(values <= set(some) for values in out)
            ]
            found |= {(c, v) for i, c in enumerate(cells) for v in state[c] - {some[i] for some in left}}
    return found


def cycles(state: Candidates, in_houses: bool, limit: int) -> set[Literal]:
    """Return what sees both ends of chains of at most some strong links whose ends see each other."""
    pairs = [set(some) for some in base_variables(state)[81 if in_houses else 0 : None if in_houses else 81]]
    strong: dict[Literal, set[Literal]] = {}
    for a, b in (sorted(some) for some in pairs if len(some) == 2):
        strong.setdefault(a, set()).add(b)
        strong.setdefault(b, set()).add(a)

    def seen(literal: Literal) -> set[Literal]:
        c, v = literal
        return {(d, v) for d in peers(c) if v in state[d]} | {(c, u) for u in state[c] if u != v}

    found = set[Literal]()
    for start in strong:
        true, false = set[Literal](), {start}
        for _ in range(limit):
            new = {b for a in false for b in strong.get(a, ())} - true
            true |= new
            false |= {b for a in new for b in seen(a) if not in_houses or b[1] == a[1]}
        found |= {z for end in true & seen(start) for z in seen(start) & seen(end)}
    return found


def run_marking(on: KernelMachine, name: str, state: Candidates, *arguments: Any, memory: int = 0) -> set[Literal]:
    """Run a kernel that marks literals of a state; the marks come last, or before a work memory."""
    from sudoku_models.explain.classic.board import state_of

    marked = on.empty(729)
    more = [on.empty(memory)] if memory else []
    on.run(name, on.memory(state_of(masks(state))), *arguments, marked, *more)
    return literals(marked)
