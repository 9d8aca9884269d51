"""Diagrams of words: what the kernel writes as plain Python on guarded arrays, against all words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native.kernel import word_diagrams
from sudoku_backends.native.network import diagrams

from sudoku_models.model import Automaton

from .guarded import Guarded

VALUES = range(4)


def words_of(diagram: diagrams.WordDiagram) -> set[tuple[int, ...]]:
    """Read a diagram as the search does; a letter is the number of a bit."""
    flat, length = diagram.flat.tolist(), diagram.length
    if not flat:
        return set()
    arrows_at, pairs = 3 + length, 3 + length + flat[0] + 1

    def rests(node: int, left: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
            return
        for arrow in range(flat[arrows_at + node], flat[arrows_at + node + 1]):
            mask, after = flat[pairs + 2 * arrow], flat[pairs + 2 * arrow + 1]
            for letter in VALUES:
                if mask >> letter & 1:
                    yield from ((letter, *rest) for rest in rests(after, left - 1))

    found = list(rests(0, length))
    assert len(set(found)) == len(found), "a word is read in two ways"
    return set(found)


def case(number: int) -> tuple[Automaton, tuple[int, ...]]:
    """Return a random automaton and masks of the letters of a word."""
    rng = Random(f"diagram {number}")
    states, length = rng.randint(1, 5), rng.randint(1, 4)
    arrows = [(s, v, rng.randrange(states)) for s in range(states) for v in VALUES if rng.random() < 0.7]
    accepting = [s for s in range(states) if rng.random() < 0.5]
    return Automaton(states, 0, accepting, arrows), tuple(rng.randint(1, 15) for _ in range(length))


def all_words(domains: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return product(*([v for v in VALUES if mask >> v & 1] for mask in domains))


def read_plainly(entry: str, length: int, letters: int, most: int, *given: object) -> diagrams.WordDiagram | None:
    """Do what ``written`` does, with the kernel as plain Python on lists that refuse a place outside of them."""
    memory = [Guarded([0] * size) for size in diagrams.sizes_for(most, length, letters)]
    memory[0][word_diagrams.MOST], memory[0][word_diagrams.SLOTS] = most, len(memory[2])
    inputs = [part if isinstance(part, int) else Guarded(part.tolist()) for part in given]  # type: ignore[attr-defined]
    if not getattr(word_diagrams, entry)(*inputs, *memory[:4]):
        return None
    size = word_diagrams.finished(*memory[:4], length, *memory[4:])
    return diagrams.WordDiagram(length, diagrams.numbers(list(memory[-1])[:size]))


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagrams, "written", read_plainly)


def test_a_diagram_has_the_words_that_its_automaton_accepts() -> None:
    for number in range(15):
        automaton, domains = case(number)
        expected = {word for word in all_words(domains) if automaton.accepts(word)}
        assert words_of(diagrams.of_automaton.__wrapped__(automaton, 0, domains)) == expected, number


def test_words_are_read_by_how_many_letters_are_in_each_mask() -> None:
    for number in range(15):
        rng, (_, domains) = Random(number), case(number)
        spans = [(rng.randint(1, 15), rng.randint(-1, 2), rng.choice((0, 1, 2, 15))) for _ in range(rng.randint(1, 3))]
        made = diagrams.of_counts.__wrapped__(domains, tuple(spans), 1000)

        def fits(word: tuple[int, ...], spans: list[tuple[int, int, int]] = spans) -> bool:
            return all(low <= sum(mask >> v & 1 for v in word) <= high for mask, low, high in spans)

        assert made is not None and words_of(made) == set(filter(fits, all_words(domains))), number
