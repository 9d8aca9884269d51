"""The search with clause learning: its kernels do as machine code what they do as plain Python, within their arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not installed")

from sudoku_backends.cdcl import Cdcl, kernels
from sudoku_backends.cdcl.search import COUNTERS, SECTIONS, machine, made, section, sizes_of

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.machine_code.language import place_of, size_of
from sudoku_models.engine.refutation import Cnf
from sudoku_models.prove.lrat import ProofLine, check_lrat

from .native.guarded import GAP, Guarded

Literals = list[int]


def random_formula(seed: int) -> tuple[Literals, int]:
    """Random clauses of one to five literals over few variables, ended by 0 each, and how many variables there are."""
    rng = Random(f"cdcl {seed}")
    n = rng.randint(1, 12)
    numbers: Literals = []
    for _ in range(rng.randint(1, 5 * n)):
        clause = [rng.choice((-1, 1)) * rng.randint(1, n) for _ in range(rng.choice((1, 2, 2, 3, 3, 3, 4, 5)))]
        numbers += [*clause, 0]
    return numbers, n


def pigeons(n: int) -> tuple[Literals, int]:
    """n + 1 pigeons in n holes."""
    holes = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    pairs = [[-holes[p][h], -holes[q][h]] for h in range(n) for p in range(n + 1) for q in range(p)]
    return [x for clause in holes + pairs for x in (*clause, 0)], n * (n + 1)


FORMULAS = [*(random_formula(seed) for seed in range(8)), pigeons(3), pigeons(4)]


def memory_of(numbers: Literals, variables: int) -> Any:
    return made(Cnf(array("i", numbers), numbers.count(0), variables))


def spread(memory: Any) -> kernels.Memory:
    """The memory of a search with a gap behind each section that nobody may touch."""
    moved, gaps = Guarded(memory[: size_of(kernels.Memory) // 8].tolist()), set[int]()
    seen = kernels.Memory(moved)
    for name in SECTIONS:
        part = section(memory, name).tolist()
        moved[place_of(kernels.Memory, name)] = len(moved)
        moved.extend(part)
        gaps.update(range(len(moved), len(moved) + GAP))
        moved.extend([0] * GAP)
    moved.gaps = frozenset(gaps)
    return seen


def contents(seen: kernels.Memory, sizes: dict[str, int]) -> Iterator[Literals]:
    """The counters, and each section."""
    yield [seen[place] for place in range(COUNTERS)]
    for name, size in sizes.items():
        yield [int(getattr(seen, name)[place]) for place in range(size)]


@pytest.mark.parametrize("stated", FORMULAS, ids=range(len(FORMULAS)))
def test_machine_code_and_plain_python_do_the_same_in_all_of_memory(stated: tuple[Literals, int]) -> None:
    numbers, variables = stated
    memory = memory_of(numbers, variables)
    plain, sizes = spread(memory), sizes_of(kernels.Memory(memory))
    compiled, given = machine(), array("q", numbers)
    violated = compiled.load(memory.ctypes.data, given.buffer_info()[0], len(given))
    assert kernels.load(plain, Guarded(numbers), len(numbers)) == violated
    if violated:
        assert kernels.propagate(plain) == compiled.propagate(memory.ctypes.data)
        kernels.emit_empty(plain, violated)
        compiled.emit_empty(memory.ctypes.data, violated)
    else:
        assert kernels.search(plain, 40) == compiled.search(memory.ctypes.data, 40)
    assert list(contents(plain, sizes)) == list(contents(kernels.Memory(memory), sizes))


def test_a_long_search_that_drops_old_clauses_gives_a_proof_that_holds() -> None:
    numbers, variables = pigeons(7)
    lemmas = Cdcl().refute(Cnf(array("i", numbers), numbers.count(0), variables), Budget().start())
    assert lemmas and len(lemmas) > 2 * kernels.LATEST
    formula = [tuple(clause) for clause in clauses_of(numbers)]
    lines = [ProofLine(lemma.number, lemma.clause, lemma.hints) for lemma in lemmas]
    assert check_lrat(formula, lines) == len(lines)


def clauses_of(numbers: Literals) -> list[Literals]:
    found: list[Literals] = [[]]
    for number in numbers:
        if number:
            found[-1].append(number)
        else:
            found.append([])
    return found[:-1]
