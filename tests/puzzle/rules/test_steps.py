"""Patterns and automata are paid for out of one purse of steps."""

from __future__ import annotations

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import read_iss
from sudoku_models.formats.iss.notation import code_of_machine
from sudoku_models.model import Automaton
from sudoku_models.puzzle.rules import Line, Machine


def line(lengths: tuple[int, ...], states: int) -> Line:
    """A line that counts modulo ``states``, on segments of these lengths."""
    arrows = [(s, v, (s + v) % states) for s in range(states) for v in range(1, 11)]
    segments = tuple(tuple(f"R{i + 1}C{j + 1}" for j in range(length)) for i, length in enumerate(lengths))
    return Line(segments, Automaton(states, 0, [0], arrows))


def test_a_constraint_string_pays_for_its_segments_too() -> None:
    made = line((1,), 200).automaton
    code = code_of_machine(Machine(made.states, (made.start,), made.accepting, made.arrows), 1, 10)
    groups = "~".join(f"{'~'.join(['R1C1'] * (100 + i))}~-~{'~'.join(['R2C2'] * 100)}~" for i in range(30))
    with pytest.raises(FormatError, match=r"NFA: .* more than 3000000 steps in total"):
        read_iss(f".NFA~{code}~_~{groups}")
