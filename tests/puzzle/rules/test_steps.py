"""Patterns and automata are paid for out of one purse of steps."""

from __future__ import annotations

import json

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.formats.iss import read_iss
from sudoku_models.formats.iss.notation import code_of_machine
from sudoku_models.model import Automaton
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import Line, Machine


def line(lengths: tuple[int, ...], states: int) -> Line:
    """A line that counts modulo ``states``, on segments of these lengths."""
    arrows = [(s, v, (s + v) % states) for s in range(states) for v in range(1, 11)]
    segments = tuple(tuple(f"R{i + 1}C{j + 1}" for j in range(length)) for i, length in enumerate(lengths))
    return Line(segments, Automaton(states, 0, [0], arrows))


def test_automata_of_our_own_json_are_paid_for_out_of_the_purse_of_the_document() -> None:
    def written(many: int, states: int) -> str:
        rules = [line((3, 4 + i % 5), states) for i in range(many)]
        return "".join(write([Puzzle.empty(Shape.square(9)).with_rules(*rules)], "json"))

    few = written(2, 200)
    assert len(parse(few).rules) == 2
    one = json.loads(few)["rules"][0]
    other = json.loads(few)
    other["rules"] = [{**one, "segments": [["R1C1"] * (100 + i), ["R1C2"] * 100]} for i in range(30)]
    with pytest.raises(FormatError, match=r"rule \d+: Line: .* more than 3000000 steps in total"):
        parse(json.dumps(other))


def test_a_constraint_string_pays_for_its_segments_too() -> None:
    made = line((1,), 200).automaton
    code = code_of_machine(Machine(made.states, (made.start,), made.accepting, made.arrows), 1, 10)
    groups = "~".join(f"{'~'.join(['R1C1'] * (100 + i))}~-~{'~'.join(['R2C2'] * 100)}~" for i in range(30))
    with pytest.raises(FormatError, match=r"NFA: .* more than 3000000 steps in total"):
        read_iss(f".NFA~{code}~_~{groups}")
