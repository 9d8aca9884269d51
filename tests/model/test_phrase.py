"""Constraints as short texts: what is written is read back, and nothing else than a constraint is read."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Constraint,
    Implies,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    Not,
    NValue,
    Or,
    Table,
    Variable,
    count_of,
    element,
    maximum,
    minimum,
)
from sudoku_models.model.phrase import MOST_LETTERS, Phrase, phrase

NAMES = ("A1", "A2", "A3")
DOMAINS = dict.fromkeys(NAMES, (0, 1, 2, 3))
XS = {name: Variable(name, DOMAINS[name]) for name in NAMES}
X, Y, Z = XS.values()
KINDS: dict[str, Constraint] = {
    "A1 < A2 + 2": Compare("A1", "<", "A2", 2),
    "A1 == 2": InDomain("A1", [2]),
    "A1 in [0, 3]": InDomain("A1", [0, 3]),
    "A1 in []": InDomain("A1", []),
    "2*A1 - A2 <= 3": Linear([2, -1], ["A1", "A2"], "<=", 3),
    "-A1 == -2": Linear([-1], ["A1"], "==", -2),
    'Linear([1, 1], [A1, A1], "==", 4)': Linear([1, 1], ["A1", "A1"], "==", 4),
    'Linear([1], [A1], "==", 2)': Linear([1], ["A1"], "==", 2),
    'Compare(A1, "<", A1, 1)': Compare("A1", "<", "A1", 1),
    "all_different(A1, A2, A3)": AllDifferent(NAMES),
    "Table([A1, A2], [[0, 1], [2, 2]], True)": Table(["A1", "A2"], [(0, 1), (2, 2)]),
    "MinMax([A1, A2], None, A3)": MinMax(["A1", "A2"], hi="A3"),
    "LexLess([A1], [A2], False)": LexLess(["A1"], ["A2"], strict=False),
    'NValue([A1, A2, A3], ">=", 2)': NValue(NAMES, ">=", 2),
    "A1 < A2 or (A3 == 1 and A1 in [1, 2])": Or(Compare("A1", "<", "A2"), And(Z == 1, InDomain("A1", [1, 2]))),
    "not (A1 == 1 or A2 == 1)": Not(Or(X == 1, Y == 1)),
    "implies(A1 < A2, A3 == 0)": Implies(X < Y, Z == 0),
    "And([])": And(),
}

STATED: dict[str, Constraint] = {
    "(A1 * A2) == 6": X * Y == 6,
    "abs(A1 - A2) >= A3 + 1": abs(X - Y) >= Z + 1,
    "2*(A1 // A2) + 1 > (A3 % 2)": 2 * (X // Y) + 1 > Z % 2,
    "max(A1, A2) - min(A1, A3) == 2": maximum(X, Y) - minimum(X, Z) - 2 == 0,
    "(A1 < A2) + (A2 < A3) == 1": (X < Y) + (Y < Z) == 1,
    "count([A1, A2], [1, 2]) == A3": count_of([X, Y], 1, 2) == Z,
    "element([A1, A2], A3) == 2": element([X, Y], Z) == 2,
}


@pytest.mark.parametrize("text", KINDS)
def test_each_kind_is_written_as_a_text_that_is_read_as_the_same(text: str) -> None:
    assert Phrase(text).over(XS) == KINDS[text]
    again = phrase(KINDS[text])
    assert Phrase(again).over(XS) == KINDS[text]
    assert again == text


def accepted(constraint: Constraint) -> list[tuple[int, ...]]:
    rows = product(*DOMAINS.values())
    return [row for row in rows if constraint.holds(dict(zip(NAMES, row, strict=True)))]


@pytest.mark.parametrize("text", STATED)
def test_what_operators_state_is_written_as_it_was_stated(text: str) -> None:
    written = phrase(STATED[text])
    assert accepted(Phrase(written).over(XS)) == accepted(STATED[text]) == accepted(Phrase(text).over(XS))
    assert "Table" not in written and len(written) < 50


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("A1 + A2 * A3 == 3", X + Y * Z == 3),
        ("(A1 + A2) * A3 == 3", (X + Y) * Z == 3),
        ("not A1 < A2 and A3 == 1", And(Not(X < Y), Z == 1)),
        ("A1 - A2 - A3 == 0", X - Y - Z == 0),
        ("iff(A1 < A2, A2 < A3)", (X < Y).iff(Y < Z)),
        ("(A1 < A2) == (A2 < A3)", (X < Y).iff(Y < Z)),
        ("xor(A1 < A2, A2 < A3)", (X < Y).xor(Y < Z)),
        ("sum([A1, A2, A3]) == 4", X + Y + Z == 4),
        ("sum(A1, A2, A3) == 4", X + Y + Z == 4),
        ("count([A1, A2, A3], 1) == 2", count_of([X, Y, Z], 1) == 2),
        ("A1 < A2 < A3", And(X < Y, Y < Z)),
        ("1 <= A1 + A2 <= 2", And(X + Y >= 1, X + Y <= 2)),
        ("A1 + A2 in [2, 4]", (X + Y == 2) | (X + Y == 4)),
        ("3 > A1", X < 3),
        ("1 < 2 or A1 == 1", And()),
        ("-A1 ** 2 == -4", X * X == 4),
    ],
)
def test_operators_bind_as_in_python(text: str, same: Constraint) -> None:
    assert accepted(Phrase(text).over(XS)) == accepted(same)
    assert accepted(pickle.loads(pickle.dumps(Phrase(text))).over(XS)) == accepted(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A1 = 3", "column 4: '= 3' cannot be read; == is for comparing"),
        ("A1 <", "ends too early"),
        ("A1 + A2", "states no constraint: a comparison is expected"),
        ("A1 < A2)", r"column 8: '\)' cannot be read: unmatched"),
        ("alldifferent(A1)", "alldifferent is not a function; did you mean"),
        ("__import__(A1)", "__import__ is not a function"),
        ("A1.domain == 1", "column 3: '.domain == 1' cannot be read"),
        ("A1 < 1.5", "cannot be read"),
        ("A1 in A2", "'in' needs a list of numbers"),
        ("A1 and A2 == 1", "states no constraint"),
        ("abs(A1, A2) == 1", "states no constraint"),
        ("Inverse([A1])", "states no constraint: missing 1 required positional argument"),
        ("-(" * 100 + "A1" + ")" * 100 + " == 1", "nested deeper than"),
        ("(" * 1000 + "A1" + ")" * 1000 + " == 1", "column 201: .* cannot be read: too many nested"),
        ("-" * 50_000 + "A1 == 1", "nested deeper than"),
        ("A1 / A2 + 1 == 1", "column 1: a comparison of cells and numbers is expected"),
        ("A1 if A2 else A3", "column 1: a comparison of cells and numbers is expected"),
        ("[x for x in A1] == 1", "column 1: a comparison"),
        (" + ".join(["A1"] * 1100) + " == 1", "more than 1000 operands"),
        ("A1 == 1" + " " * MOST_LETTERS, "characters: at most"),
        ("", "ends too early"),
    ],
)
def test_what_states_no_constraint_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Phrase(text).over(XS)
