"""Patterns and automata are paid for out of one purse of steps."""

from __future__ import annotations

import pytest

from sudoku_models.formats.iss.nfa import automaton_of
from sudoku_models.puzzle.rules.regex import regex_automaton
from sudoku_models.puzzle.rules.steps import Steps

NINE = tuple(range(1, 10))


def test_the_same_thing_asked_for_again_costs_nothing() -> None:
    steps = Steps()
    first = regex_automaton("[12]+3", NINE, 5, steps)
    left = steps.left
    assert left < steps.most
    assert regex_automaton("[12]+3", NINE, 5, steps) == first
    assert steps.left == left


def test_what_another_document_made_costs_as_much() -> None:
    purses = Steps(), Steps()
    for steps in purses:
        regex_automaton("[1-4]+5", NINE, 7, steps)
        automaton_of("QO_XqA", 1, 3, steps)
    assert purses[0].left == purses[1].left < purses[0].most


def test_patterns_and_automata_share_a_purse_and_are_refused_when_it_is_empty() -> None:
    steps = Steps(1_000)
    while steps.left > 50:
        automaton_of("QO_XqA", 1, steps.left, steps)
    with pytest.raises(ValueError, match="more than 1000 steps in all"):
        regex_automaton("[1-9]*2", NINE, 9, steps)
