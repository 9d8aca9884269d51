"""Documents as setters publish them: each is read as its words say, and as its solution shows."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Status, inspect, solve
from sudoku_models.formats import parse, read, write
from sudoku_models.formats.lexicon import sections
from sudoku_models.puzzle import rules as r

SOLUTION = "426813579578926314193574286345162897781349625269758143614237958957681432832495761"
KEPT = json.loads(Path(__file__).with_name("setters.json").read_text("utf-8"))
"""Drawings with the words that setters say of them, and the rules that these mean; the rules hold in the solution.

``drawn`` has a drawing of each kind, ``whole`` sentences about the whole board, ``some`` about some cells or digits,
``allowed`` what no rule forbids, ``strange`` drawings to which the words give a meaning that no rule has, ``valued``
sentences that change what a cage's total means, ``coloured`` those that give each colour its own meaning, ``denied``
those that deny a rule, and ``similar`` those that share words with one. ``worded`` has for some drawings sentences in
``fresh`` words, by the kinds of rules that they state, and ``twisted`` ones that state a rule of no kind.
"""
CHAT = ("", "Normal sudoku rules apply.", "Normal Sudoku rules apply. Have fun!",
        "Place the digits 1-9 once each in every row, column and 3x3 box.")  # fmt: skip
DRAWN = [
    (f"{CHAT[place % len(CHAT)]} {words}".strip(), kind["drawings"], kind["rules"])
    for kind in KEPT["drawn"]
    for place, words in enumerate(kind["said"])
]
CAGES = next(kind["drawings"] for kind in KEPT["drawn"] if kind["kind"] == "killer")
BOXES = [[[3 * a + i, 3 * b + j] for i in range(3) for j in range(3)] for a in range(3) for b in range(3)]
TURNED = (
    *(r.Palindrome, r.Renban, r.Whisper, r.Nabner, r.Between, r.Lockout, r.DoubleArrow, r.RegionSumLine, r.Zipper),
    *(r.Entropic, r.Modular, r.AlternatingParity, r.EqualParity, r.SumLine),
)


def document(said: str = "", stated: bool = True, givens: str = "." * 81, **drawings: Any) -> str:
    """Return a document as SudokuPad keeps it, with its solution or without."""
    cells = [[{"value": value} if value != "." else {} for value in givens[i : i + 9]] for i in range(0, 81, 9)]
    facts = {"title": "Made", "author": "A setter", "rules": said} | ({"solution": SOLUTION} if stated else {})
    return json.dumps({"cells": cells, "regions": BOXES, "metadata": facts, **drawings})


def meant(rules: list[dict[str, Any]]) -> set[r.Rule]:
    """Return rules that are written as in files of our own."""
    head = {"schema": "sudoku-models/puzzle", "version": 1, "height": 9, "width": 9, "values": [*range(1, 10)]}
    return set(parse(json.dumps({**head, "box": [3, 3], "givens": "." * 81, "rules": rules})).rules)


def turned(rules: Any) -> set[r.Rule]:
    """Return rules with the cells of lines that may be read both ways in one direction."""
    return {replace(x, cells=min(x.cells, x.cells[::-1])) if isinstance(x, TURNED) else x for x in rules}


@pytest.mark.parametrize("stated", [False, True])
@pytest.mark.parametrize(("said", "drawings", "rules"), DRAWN)
def test_a_document_is_read_as_its_setter_meant_it(said: str, drawings: Any, rules: list[Any], stated: bool) -> None:
    found = parse(document(said, stated, **drawings), guess=True)
    assert turned(found.rules) == turned(meant(rules)), said
    assert (found.left_out, found.unread) == ((), ()), said
    assert all(one.reasons for one in found.drawn if one.shapes)


@pytest.mark.parametrize(("rules", "said"), [(kind["rules"], one) for kind in KEPT["whole"] for one in kind["said"]])
def test_a_sentence_about_the_whole_board_is_a_rule(rules: list[Any], said: str) -> None:
    for before in ("", "Normal sudoku rules apply. "):
        text = document(before + said, False)
        found = parse(text, guess=True)
        assert (set(found.rules), found.left_out, found.unread) == (meant(rules), (), ())
        plain = parse(text)
        assert (plain.rules, len(plain.left_out)) == ((), len(rules))


@pytest.mark.parametrize("some", KEPT["worded"], ids=lambda some: some["on"])
def test_a_rule_is_read_in_fresh_words_and_not_where_it_is_twisted(some: Any) -> None:
    for kinds, sentences in some["fresh"].items():
        for said in sentences:
            found = parse(document(said, False, **some["drawings"]), guess=True)
            assert ({type(rule).__name__ for rule in found.rules}, found.unread) == (set(kinds.split()), ()), said
    for said in some["twisted"]:
        found = parse(document(f"Normal sudoku rules apply. {said}", False, **some["drawings"]), guess=True)
        assert found.rules == () and found.unread, said


def test_a_sentence_about_such_pairs_is_about_the_marks_of_the_sentence_before() -> None:
    shapes = {some["on"]: some["drawings"]["overlays"] for some in KEPT["worded"] if some["on"] in ("xv", "dots")}
    dots = "White dots join consecutive digits, black dots digits in a 1:2 ratio."
    letters = "Cells joined by V sum to 5 and by X sum to 10."
    marked = {r.XV, r.Difference, r.Ratio}
    for said, kind in ((f"{dots} {letters}", r.StrictXV), (f"{letters} {dots}", None)):
        text = document(f"{said} All such pairs are marked.", False, overlays=[*shapes["xv"], *shapes["dots"]])
        found = parse(text, guess=True)
        assert ({type(rule) for rule in found.rules} - marked, bool(found.unread)) == ({kind} - {None}, kind is None)


NEAR = [
    ("Cells a knight's move apart sum to at most 15.", "R1C1 R2C3", lambda a, b: a + b <= 15),
    ("Cells a knight's move apart may not contain consecutive digits.", "R1C1 R2C3", lambda a, b: abs(a - b) != 1),
    ("Orthogonally adjacent digits may not sum to 10.", "R1C1 R1C2", lambda a, b: a + b != 10),
    ("Adjacent cells never add up to 7 or 11.", "R1C1 R1C2", lambda a, b: a + b not in (7, 11)),
    ("Orthogonally adjacent cells differ by at most 5.", "R1C1 R1C2", lambda a, b: abs(a - b) <= 5),
    ("No two adjacent digits may sum to 10.", "R1C1 R1C2", lambda a, b: a + b != 10),
    ("Adjacent digits must not have a sum divisible by 5.", "R1C1 R1C2", lambda a, b: (a + b) % 5),
    ("Adjacent digits may not sum to a multiple of 3 or 7.", "R1C1 R1C2", lambda a, b: (a + b) % 3 and (a + b) % 7),
    ("Adjacent digits sum to at least 6 and at most 12.", "R1C1 R1C2", lambda a, b: 6 <= a + b <= 12),
    ("Adjacent digits cannot have opposite parity.", "R1C1 R1C2", lambda a, b: (a - b) % 2 == 0),
    ("Adjacent digits have opposite parity.", "R1C1 R1C2", lambda a, b: (a - b) % 2 == 1),
    ("Digits a knight's move apart may not differ by 1.", "R1C1 R2C3", lambda a, b: abs(a - b) != 1),
    ("Digits a king's move apart must differ by at least 2.", "R1C1 R1C2", lambda a, b: abs(a - b) >= 2),
]


@pytest.mark.parametrize("said", KEPT["some"])
def test_a_sentence_about_some_cells_or_digits_is_no_rule_for_all(said: str) -> None:
    found = parse(document(said, False), guess=True)
    assert (found.rules, len(found.unread)) == ((), 1)


@pytest.mark.parametrize("said", KEPT["allowed"])
def test_what_is_allowed_is_no_rule(said: str) -> None:
    assert parse(document(said, False), guess=True).rules == ()


def test_odd_and_even_are_digits_or_only_a_manner_of_speech() -> None:
    (even,) = parse(document("A knight's move apart no even digit may repeat.", False), guess=True).rules
    assert even == r.Leaper(values=(2, 4, 6, 8))
    for aside in (", even on the diagonal", ", even in different boxes", ", not even across the grid"):
        said = f"Identical digits may not be a knight's move apart{aside}."
        assert parse(document(said, False), guess=True).rules == (r.AntiKnight(),)


XV = {"overlays": [{"center": [0.5, 1.0], "width": 0.3, "height": 0.3, "text": "X"}]}
MARKED = "Cells with an X between them sum to 10, cells with a V sum to 5."


@pytest.mark.parametrize(
    "said", ["All other orthogonally adjacent digits cannot", "Orthogonally adjacent digits may not"]
)
def test_what_the_other_neighbours_may_not_sum_to_spares_those_with_a_mark(said: str) -> None:
    found = parse(document(f"{MARKED} {said} sum to 5 or 10.", False, **XV), guess=True)
    assert (found.rules, found.unread) == ((r.XV("R1C1 R1C2", 10), r.StrictXV()), ())


def test_a_given_of_0_is_one_where_0_is_a_value_and_not_all_open_cells_are_0() -> None:
    for said, givens, first in (("digits 0-8", "03", 0), ("digits 0-8", "00", None), ("rows", "03", None)):
        found = parse(document(f"Normal sudoku rules apply with {said}.", False, f"{givens:.<81}"))
        assert found.givens[:1] == (first,)


def test_neighbours_that_are_not_consecutive_are_those_without_a_dot() -> None:
    dot = {"center": [0.5, 1.0], "width": 0.3, "height": 0.3, "rounded": True, "backgroundColor": "#FFFFFF"}
    for said in ("Other adjacent digits may not be consecutive.", "Adjacent digits may not be consecutive."):
        found = parse(document(f"White dots join consecutive digits. {said}", False, overlays=[dot]), guess=True)
        assert (found.rules, found.unread) == ((r.Difference("R1C1 R1C2"), r.NonConsecutive(True)), ())
        if "Other" in said:
            assert not parse(document(said, False), guess=True).rules


def test_each_head_of_the_table_of_words_stands_once_and_has_rows() -> None:
    for name, heads in sections().items():
        assert name in ("forms", "asides") or all(heads.values()), name


@pytest.mark.parametrize(("said", "cells", "holds"), NEAR)
def test_a_sentence_about_all_neighbours_is_a_rule(said: str, cells: str, holds: Any) -> None:
    (rule,) = parse(document(said, False), guess=True).rules
    pairs = [pair for pair in rule.rules if " ".join(pair.cells[:2]) == cells]
    assert pairs == [r.Pair.of(pairs[0].cells, holds)]


@pytest.mark.parametrize("kind", KEPT["strange"], ids=lambda kind: kind["said"])
@pytest.mark.parametrize("stated", [False, True])
def test_a_drawing_with_a_meaning_of_its_own_is_no_rule(kind: Any, stated: bool) -> None:
    found = parse(document(kind["said"], stated, **kind["drawings"]), guess=True)
    assert (found.rules, len(found.unread)) == ((), 1)
    assert solve(found).status is Status.WITHOUT_DRAWN


@pytest.mark.parametrize("said", KEPT["valued"])
def test_sums_are_not_believed_where_cells_count_otherwise(said: str) -> None:
    found = parse(document(said, False, **CAGES))
    assert (found.rules, len(found.left_out)) == ((), 4)
    doubts = "cells may not count as their digits", "its number may mean something else"
    assert any(doubt in str(found.left_out[0]) for doubt in doubts)


def line(colour: str, *cells: tuple[float, float]) -> dict[str, Any]:
    return {"wayPoints": [list(cell) for cell in cells], "color": colour, "thickness": 10}


FIRST = tuple((0.5, column + 0.5) for column in range(3))
NAMES = ("R1C1", "R1C2", "R1C3")


def test_the_stated_solution_shows_that_a_rule_was_misread() -> None:
    wrong = sum(map(int, SOLUTION[:2])) + 1
    found = parse(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}]))
    assert found.rules == ()
    (misread,) = found.left_out
    assert misread.misread
    assert str(misread).endswith(f"(the stated solution breaks it: R1C1={SOLUTION[0]} R1C2={SOLUTION[1]})")
    assert solve(found).status is Status.WITHOUT_DRAWN
    assert inspect(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}])).sections["misread"] == [str(misread)]
    assert not parse(document(cages=[{"cells": [[0, 0], [0, 1]], "value": wrong}]), guess=True).rules


def test_the_stated_solution_chooses_among_readings() -> None:
    assert SOLUTION[:3] == "426"  # not consecutive, and neighbours differ by 2 or more
    said = "Renbans: digits are consecutive in any order. Whispers: neighbours differ by at least 2."
    for colour in ("#F067F0", "#CFCFCF"):
        drawn = {"lines": [line(colour, *FIRST)]}
        assert parse(document(said, **drawn), guess=True).rules == (r.Whisper(NAMES, 2),)
        without = parse(document(said, stated=False, **drawn), guess=True)
        assert without.rules in ((), (r.Renban(NAMES),))


def test_a_part_of_a_solution_is_a_witness_of_its_cells() -> None:
    cages = [{"cells": [[row, 0], [row, 1]], "value": 16} for row in (0, 8)]
    said, known = "Anti-knight rules apply.", SOLUTION[:40]
    found = parse(document(said, cages=cages).replace(SOLUTION, known + "." * 41), guess=True)
    assert found.rules == (r.KillerCage("R9C1 R9C2", 16),)
    assert [one.rule for one in found.left_out] == [r.KillerCage("R1C1 R1C2", 16), r.AntiKnight()]
    assert all(one.misread for one in found.left_out)
    assert inspect(found).sections["board"] == ["9 x 9, boxes 3 x 3, 0 givens, a part of the solution is stated"]
    assert parse("".join(write([found], "f-puzzles"))).stated == (*map(int, known), *[None] * 41)
    assert parse(document().replace(SOLUTION, known + "a" * 41)).stated is None


def test_a_solution_that_contradicts_a_given_is_said_and_not_used() -> None:
    cage = {"cells": [[0, 0], [0, 1]], "value": 16}
    for stated in ("7" + SOLUTION[1:], "7" + "?" * 80):
        found = parse(document("", True, SOLUTION[:1] + "." * 80, cages=[cage]).replace(SOLUTION, stated))
        assert found.rules == (r.KillerCage("R1C1 R1C2", 16),)
        (note,) = found.notes
        assert "contradicts the givens: R1C1 is given as 4 and solved as 7; it is not used" in note


def test_a_solution_that_breaks_a_formal_rule_is_noted(tmp_path: Path) -> None:
    solution, rules = "1234341221434321", (r.Difference("R1C1 R2C1"), r.Thermo("R1C1 R1C2"))
    puzzle = Puzzle.parse("." * 16).with_rules(*rules).with_title("", solution=Puzzle.parse(solution).grid)
    (tmp_path / "table.csv").write_text(f"puzzle,solution\n.Shape~4x4.WhiteDot~R1C1~R2C1,{solution}\n")
    (row,) = read(tmp_path / "table.csv")
    for found in (parse("".join(write([puzzle], "json"))), row.puzzle):
        assert found is not None and found.rules[0] == rules[0]
        assert found.notes == ("the stated solution breaks the rule White dot (R1C1 R2C1)",)


def test_another_kind_of_cage_is_no_rule_if_the_solution_breaks_it() -> None:
    cages = [{"cells": [[0, 0], [0, 1]], "value": 24}, {"cells": [[4, 4], [4, 5]], "value": 100}]
    found = parse(document("Look-and-say cages tell counts and digits.", cages=cages), guess=True)
    assert found.rules == () and all(one.misread or one.rule is None for one in found.left_out)
    assert solve(found).status is not Status.UNSATISFIABLE_AS_READ
    primes = document("Digits in cages sum to a prime.", False, cages=[{"cells": [[0, 0], [0, 1]]}])
    assert "prime" in parse(primes, guess=True).unread[0].sentence


def test_a_solution_that_no_board_can_have_is_no_witness() -> None:
    cage = {"cells": [[0, 0], [0, 1]], "value": 17}
    text = document(cages=[cage]).replace(SOLUTION, "1" * 81)
    found = parse(text)
    assert found.rules == (r.KillerCage("R1C1 R1C2", 17),)
    assert "the stated solution repeats 1 in R1C1 and R1C2" in found.notes[0]


def test_what_words_leave_open_is_said_with_the_answer() -> None:
    clash = [{"cells": [[0, 0], [0, 1]], "value": 3}, {"cells": [[0, 1], [0, 2]], "value": 17}]
    said = "Draw a loop that visits every box."
    assert solve(parse(document("", stated=False, cages=clash))).status is Status.UNSATISFIABLE
    assert solve(parse(document(said, stated=False, cages=clash))).status is Status.UNSATISFIABLE_AS_READ
    assert solve(parse(document(said, stated=False)), unique=True).status is Status.AS_READ
    full = document(said, False, SOLUTION[:78] + "...")
    assert (solve(parse(full), unique=True).status, parse(full).unread[0].sentence) == (Status.SOLVED, said[:-1])
    found = inspect(document(said, stated=False))
    assert found.sections["said, not read"] == [f'the sentence "{said[:-1]}"']
    assert found.to_json()["not_read"] == found.sections["said, not read"]
    assert not found.complete


def test_no_document_with_a_solution_has_none_when_it_is_solved() -> None:
    """Give all but some cells, as the readings were compared with the rules themselves."""
    givens = "".join(value if (i // 9 + i % 9) % 3 else "." for i, value in enumerate(SOLUTION))
    for number, (said, drawings, _) in enumerate(DRAWN[::5]):
        stated = bool(number % 2)
        result = solve(parse(document(said, stated, givens, **drawings), guess=True))
        assert result.grid is not None and (not stated or result.grid == Puzzle.parse(SOLUTION).grid)


@pytest.mark.parametrize("rule", [r.AntiTaxicab(), r.DiagonalNonConsecutive(), r.AntiKnight(), r.AntiKing()])
def test_a_rule_that_was_written_in_words_is_not_read_as_another_one(rule: r.Rule) -> None:
    for text in write([Puzzle.empty(9).with_rules(rule)], "f-puzzles", partly=True):
        assert set(parse(text, guess=True).rules) <= {rule}


@pytest.mark.parametrize("said", KEPT["coloured"])
def test_each_colour_has_its_own_meaning(said: str) -> None:
    colours = (("#F06767", r.Renban), ("#67B5F0", r.RegionSumLine), ("#67F067", r.Whisper))
    lines = [line(colour, (row + 0.5, 2.5), (row + 0.5, 3.5)) for row, (colour, _) in enumerate(colours)]
    found = parse(document(said, stated=False, lines=lines), guess=True)
    assert tuple(map(type, found.rules)) == tuple(kind for _, kind in colours)
    assert not found.unread


@pytest.mark.parametrize("said", KEPT["denied"])
def test_what_is_denied_is_no_rule(said: str) -> None:
    cages = [{"cells": [[0, 0], [0, 1]]}, {"cells": [[1, 0], [1, 1]], "value": 12}]
    found = parse(document(said, stated=False, lines=[line("#CFCFCF", *FIRST)], cages=cages), guess=True)
    allowed = set() if "cages" in said.lower() else {r.KillerCage("R2C1 R2C2", 12)}
    assert {x for x in found.rules if not isinstance(x, r.WeightedSum)} <= allowed
    assert "repeat" in said or said[:-1] in {one.sentence for one in found.unread}


def test_a_guess_may_be_the_reason_that_there_is_no_solution() -> None:
    drawn = {"lines": [line("#67F067", *((0.5, column + 0.5) for column in range(9)))]}
    found = parse(document("Green lines are whispers.", stated=False, **drawn), guess=True)
    assert solve(found).status is Status.UNSATISFIABLE_AS_READ


def test_more_than_a_number_is_at_least_the_next() -> None:
    for said in ("more than 4", "over 4", "at least 5"):
        text = document(f"Neighbours on a green line differ by {said}.", False, lines=[line("#67F067", *FIRST)])
        assert parse(text, guess=True).rules in ((r.Whisper(NAMES),), (r.Whisper(NAMES, 5),))


@pytest.mark.parametrize("again", ["red lines and blue ", ", even on ", "if and only if ", "all but not all "])
def test_a_long_sentence_is_read_at_once(again: str) -> None:
    assert parse(document(again * 12_000, stated=False)).unread


@pytest.mark.parametrize("said", KEPT["similar"])
def test_a_sentence_with_the_words_of_a_rule_is_not_that_rule(said: str) -> None:
    found = parse(document(said, stated=False, lines=[line("#67F067", *FIRST)]), guess=True)
    assert (found.rules, [one.sentence for one in found.unread]) == ((), [said[:-1]])


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Adjacent digits on a green line differ by at most 5.", lambda a, b: abs(a - b) <= 5),
        ("Neighbors along green lines have a difference of no more than 3.", lambda a, b: abs(a - b) <= 3),
        ("Adjacent digits on green lines may not differ by more than 3.", lambda a, b: abs(a - b) <= 3),
        ("Two digits adjacent on a green line are within 3 of each other.", lambda a, b: abs(a - b) <= 3),
        ("Digits next to each other on a green line must differ by exactly two.", lambda a, b: abs(a - b) == 2),
        ("Digits that are adjacent on a green line are consecutive.", lambda a, b: abs(a - b) == 1),
        ("No two adjacent digits on a green line are consecutive.", lambda a, b: abs(a - b) != 1),
        ("Neighbouring digits on a green line add up to at least 10.", lambda a, b: a + b >= 10),
        ("Two neighbours on a green line have a sum of less than 9.", lambda a, b: a + b < 9),
        ("The difference of neighbours on a green line cannot exceed 2.", lambda a, b: abs(a - b) <= 2),
        ("Adjacent digits along green lines never sum to 10.", lambda a, b: a + b != 10),
        ("Adjacent digits on green lines sum to a prime number.", lambda a, b: a + b in (2, 3, 5, 7, 11, 13, 17)),
    ],
)
def test_a_sentence_may_limit_the_sums_and_differences_on_a_line(said: str, holds: Any) -> None:
    found = parse(document(said, stated=False, lines=[line("#67F067", *FIRST)]), guess=True)
    (rule,) = found.rules
    assert isinstance(rule, r.Pair) and set(rule.allowed) == set(r.Pair.of(NAMES, holds).allowed)
    assert not found.unread


BULB = [{"center": [0.5, 0.5], "width": 0.85, "height": 0.85, "rounded": True, "backgroundColor": "#CFCFCF"}]


@pytest.mark.parametrize("said", ["Adjacent cells without an X", "Cells without an X between them"])
def test_what_is_said_of_pairs_without_a_mark_is_not_taken_for_what_the_mark_says(said: str) -> None:
    cross = {"center": [0.5, 1.0], "width": 0.3, "height": 0.3, "text": "X"}
    text = document(f"Cells with an X sum to 10. {said} do not sum to 10.", False, overlays=[cross])
    found = parse(text, guess=True)
    cross_rule, others = found.rules
    assert cross_rule == r.XV("R1C1 R1C2", 10) and isinstance(others, r.AllOf) and not found.unread
    pairs = {rule.cells: set(rule.allowed) for rule in others.rules if isinstance(rule, r.Pair)}
    assert len(pairs) == 2 * 9 * 8 - 1 and ("R1C1", "R1C2") not in pairs
    assert pairs["R1C1", "R2C1"] == {(a, b) for a in range(1, 10) for b in range(1, 10) if a + b != 10}


FOUR = tuple((row, column) for row, column in ((2.5, 0.5), (2.5, 1.5), (2.5, 2.5), (1.5, 3.5)))


def test_each_part_of_a_sentence_about_the_board_is_a_rule_of_its_own() -> None:
    said = "Cells a knight's move apart cannot hold the same digit, and adjacent cells cannot hold consecutive digits."
    assert set(parse(document(said, False), guess=True).rules) == {r.AntiKnight(), r.NonConsecutive()}
    denied = "The anti-knight constraint applies, but the anti-king constraint does not."
    found = parse(document(denied, False), guess=True)
    assert (found.rules, [one.sentence for one in found.unread]) == (
        (r.AntiKnight(),),
        ["the anti-king constraint does not"],
    )


DOT = {"center": [7.5, 8.0], "width": 0.3, "height": 0.3, "rounded": True}
CIRCLE = {"center": list(FOUR[0]), "width": 0.8, "height": 0.8, "rounded": True, "borderColor": "#000"}


@pytest.mark.parametrize(
    ("said", "drawings"),
    [
        ("Purple lines hold consecutive digits in any order. Digits may repeat.", {"lines": [line("#F067F0", *FIRST)]}),
        ("Purple lines are renbans in which digits may repeat.", {"lines": [line("#F067F0", *FIRST)]}),
        ("Grey lines are anti-palindromes.", {"lines": [line("#CFCFCF", *FIRST)]}),
        ("Each line has a rule to be determined: renban, palindrome.", {"lines": [line("#CFCFCF", *FIRST)]}),
        ("Thermometers increase from the tip to the bulb.", {"lines": [line("#CFCFCF", *FIRST)], "underlays": BULB}),
        ("Black dots: one is double the other, or they are consecutive.",
         {"overlays": [{**DOT, "backgroundColor": "#000"}]}),
        ("White dots join cells that are consecutive or in a 1:2 ratio.",
         {"overlays": [{**DOT, "backgroundColor": "#FFF", "borderColor": "#000"}]}),
        ("Thermometers increase from the bulb, i.e. by exactly 1.",
         {"lines": [line("#CFCFCF", *FIRST)], "underlays": BULB}),
        ("Each row and column contains two stars.", {}),
        ("One of these rules is false. Grey lines are palindromes.\nAntiking.", {"lines": [line("#CFCFCF", *FIRST)]}),
        ("Grey lines are palindromes, but only in row 1.", {"lines": [line("#CFCFCF", *FIRST)]}),
        ("Grey lines do not contain consecutive digits in any order.", {"lines": [line("#CFCFCF", *FIRST)]}),
        ("Cells that sum to 10 have a bar. All such pairs are marked.", {}),
    ],
)  # fmt: skip
def test_a_text_that_says_something_else_is_not_taken_for_a_usual_rule(said: str, drawings: Any) -> None:
    found = parse(document(said, False, **drawings), guess=True)
    assert found.rules == () and (found.left_out or found.unread), said


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("Purple lines are consecutive in any order, e.g. 3 4 5; green lines are whispers.", "Renban Whisper"),
        ("Purple lines are consecutive in any order, e.g. 3 4 5, while green lines are whispers.", "Renban Whisper"),
        ("Any three cells along a purple line are from the groups: 1,4,7; 2,5,8; 3,6,9. Green: diff \u2265 5.",
         "Modular Whisper"),
        ("Low digits (1, 2, 3) go in grey cells, high ones (7, 8, 9) in green cells, and digits along green lines "
         "differ by at least 5. Purple lines are renbans.", "Renban Whisper"),
        ("Non-consecutive rules apply AND PURPLE LINES ARE RENBANS; neighbours on green differ by at least 5.",
         "NonConsecutive Renban Whisper"),
    ],
)  # fmt: skip
def test_no_rule_is_lost_behind_an_example_or_a_list(said: str, kinds: str) -> None:
    drawn = {"lines": [line("#F067F0", *FIRST), line("#67F067", *FOUR)]}
    rules = parse(document(said, False, **drawn), guess=True).rules
    assert sorted(type(rule).__name__ for rule in rules) == kinds.split()
    assert all(rule.difference in (None, 5) for rule in rules if isinstance(rule, r.Whisper))


def test_each_part_of_a_sentence_tells_its_own_things_apart() -> None:
    square = {"width": 0.8, "height": 0.8}
    grounds = [{**square, "center": [7.5, 0.5], "backgroundColor": "#FFFF00"},
               {**square, "center": [7.5, 1.5], "backgroundColor": "#67F067"}]  # fmt: skip
    said = "Killer rules apply, while yellow cells hold low digits (1-4) and green cells high digits (6-9)."
    found = parse(document(said, False, underlays=grounds, cages=[{"cells": [[0, 0], [0, 1]], "value": 9}]), guess=True)
    assert {r.OneOf("R8C1", (1, 2, 3, 4)), r.OneOf("R8C2", (6, 7, 8, 9))} < set(found.rules)
    letters = [{"center": [0.5, 1.0 + 2 * at], "width": 0.3, "height": 0.3, "text": "XV"[at]} for at in (0, 1)]
    said = "An X separates cells that sum to 10, a V those that sum to 5, and each circle is the sum of its arrow."
    text = document(said, False, overlays=[CIRCLE, *letters], arrows=[line("#000", *FOUR)])
    assert {type(rule) for rule in parse(text, guess=True).rules} == {r.XV, r.Arrow}


def test_all_dots_are_given_whatever_else_is_summed() -> None:
    dots = [{**DOT, "center": [7.5, at], "backgroundColor": fill} for at, fill in ((8.0, "#000000"), (4.0, "#FFFFFF"))]
    marks = "White dots: consecutive. Black dots: ratio 1:2."
    for said in ("All dots are shown; clues give the sandwich sum.", "All such pairs are marked, and clues are sums."):
        for shown in (dots, dots[:1], dots[1:]):  # there are none of the other colour
            found = parse(document(f"{marks} {said}", False, overlays=shown), guess=True)
            assert (len(found.rules), found.rules[-1]) == (len(shown) + 1, r.StrictKropki())


@pytest.mark.parametrize(
    ("said", "total"), [("All Xs are given. Not all Vs are given.", 10), ("All V's are given, but not all X.", None)]
)
def test_all_letters_of_one_sort_leave_the_other_free(said: str, total: int | None) -> None:
    letters = [{"center": [0.5, 1.0 + 2 * at], "width": 0.3, "height": 0.3, "text": "XV"[at]} for at in (0, 1)]
    found = parse(document(f"X: sum 10. V: sum 5. {said}", False, overlays=letters), guess=True)
    others = [rule for rule in found.rules if not isinstance(rule, r.XV)]
    assert (len(others), len(found.unread)) == ((1, 0) if total else (0, 1))
    for rule in others:
        assert isinstance(rule, r.AllOf) and all(isinstance(pair, r.Pair) for pair in rule.rules)
        barred = {
            a + b for pair in rule.rules for a in range(1, 10) for b in range(1, 10) if (a, b) not in pair.allowed
        }
        assert barred == {total}


def test_a_text_that_is_too_long_is_noted() -> None:
    found = parse(document("Renbans. " + "and so on " * 1_500, False))
    assert "the rules in words have 15,009 characters: only the first 10,000 are read" in found.notes


def test_what_is_said_again_is_left_out_only_if_it_says_the_same() -> None:
    for said, kind in (
        ("Thermometers increase from the bulb, i.e. each digit is larger than the one before.", r.Thermo),
        ("Thermometers increase from the bulb, in other words, digits rise or stay the same.", r.SlowThermo),
    ):
        found = parse(document(said, False, lines=[line("#CFCFCF", *FIRST)], underlays=BULB), guess=True)
        assert found.rules == (kind(NAMES),) and not found.unread


def test_a_sentence_of_cages_that_speaks_of_kings_is_listed_and_an_example_may_come_first() -> None:
    cages = [{"cells": [[0, 0], [0, 1]], "value": 9}]
    found = parse(document("Anti-king killer sudoku with thermos.", False, cages=cages), guess=True)
    assert (found.rules, len(found.unread)) == ((r.KillerCage("R1C1 R1C2", 9),), 1)
    found = parse(document("Example: R1C1 is not 2 if R1C2 is 3. Anti-knight rules apply.", False), guess=True)
    assert (found.rules, found.unread) == ((r.AntiKnight(),), ())
