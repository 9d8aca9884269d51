"""Reads a puzzle from an ISS constraint string or link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from ...errors import FormatError, meant
from ...puzzle import rules as r
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules.board import Board
from ...puzzle.rules.rule_base import Rule
from ..format import format_errors
from ..kinds.iss import without_comments
from .board import IssBoard, board_of
from .notation import BLOCKS, Token, bits_of, every, tokens_of
from .rules import NO_RULE, OUTSIDE, ROWS, TIES, TOP, extra_cells


@format_errors
def read_iss(text: str) -> Puzzle:
    """Read a constraint string (``.Shape~4x4.Thermo~R1C1~R1C2``) or a link that holds one.

    Raises FormatError for what is not understood: it names all unknown types together, otherwise the wrong constraint.
    """
    text, comment = without_comments(text)
    tokens = tokens_of(text)
    _refuse_unknown(tokens)
    board, groups = _with_extra_cells(board_of(tokens), tokens)
    allowed, rules = _sorted_out(tokens, board)
    single = {cell: value for cell, values in allowed.items() if len(values) == 1 for value in values}
    givens = tuple(map(single.get, range(board.shape.cells)))
    candidates = tuple((c, tuple(sorted(v))) for c, v in sorted(allowed.items()) if c not in single)
    used = set().union(*allowed.values()) if len(allowed) == board.shape.cells else None
    only = [r.OnlyValues(tuple(used))] if used and used < set(board.values) else []  # no cell may have the others
    return Puzzle(board.shape, givens, candidates, comment=comment, rules=(*only, *groups, *rules))


def _refuse_unknown(tokens: Sequence[Token]) -> None:
    types = {token.type for token in every(tokens)}
    if unknown := sorted(types - _KNOWN):
        shown = ", ".join(name[:30] for name in unknown[:20])
        raise FormatError(f"{shown}: unknown constraint{meant(unknown[0], _KNOWN)}")
    misplaced = {token.type for block in tokens if block.inside for token in every(block.inside)} - _IN_BLOCKS
    if misplaced:
        raise FormatError(f"{', '.join(sorted(misplaced))} inside a block: allowed only at the top level")
    for token in every(tokens) if types & _WITHOUT_ARGUMENTS else ():
        if token.type in _WITHOUT_ARGUMENTS and any(token.arguments):
            raise FormatError(f"{token.type}: no arguments are expected, not {'~'.join(token.arguments)[:30]}")


def _with_extra_cells(board: IssBoard, tokens: Sequence[Token]) -> tuple[IssBoard, Sequence[Rule]]:
    """Return the board with extra cells, and whether ranks may be equal; and the rules of stated groups of cells."""
    types = {token.type for token in tokens}
    made = [extra_cells(token.arguments, board.shape.width) for token in tokens if token.type == "Var"]
    groups: list[Rule] = list({one.name: one for one in made}.values())
    chaos = [r.ChaosConstruction(board.region_size)] if "ChaosConstruction" in types else []
    beside = [*groups, *chaos, *([r.Doppelganger()] if "Doppelganger" in types else [])]
    ties = {"~".join(token.arguments) or "only-unclued" for token in tokens if token.type == "FullRankTies"}
    if len(ties) > 1 and ties <= set(TIES):
        raise FormatError(f"FullRankTies: {' and '.join(sorted(ties))} are both stated: only one is allowed")
    if beside or ties == {"any"}:
        board = IssBoard(Board(board.shape, beside), board.region_size, board.box, board.window, ties == {"any"})
    return board, groups


_KNOWN = {*ROWS, *NO_RULE, *BLOCKS}
_WITHOUT_ARGUMENTS = {"Or", "And", "NoBoxes"}
_IN_BLOCKS = {*BLOCKS, *(name for name, row in ROWS.items() if row.place != TOP)}
_OUTSIDE = {name for name, row in ROWS.items() if row.place == OUTSIDE}


def _sorted_out(tokens: Sequence[Token], board: IssBoard) -> tuple[dict[int, frozenset[int]], Iterable[Rule]]:
    """Return the values allowed in cells of the grid, by number, and the other rules that count.

    The last rule wins at a place that holds only one: one end of a line, one set of cells with a quadruple.
    """
    cells, values = board.shape.places, frozenset(board.values)
    allowed: dict[int, frozenset[int]] = {}
    found: dict[object, Rule] = {}
    for token in chain.from_iterable(token.inside if token.type == "And" else (token,) for token in tokens):
        rules = _rules(token, board)
        if token.type in _OUTSIDE:
            _replace(found, zip(_ends(token), rules, strict=True))
        elif token.type not in {"Given", "Quad", "Replicate"}:
            for rule in rules:
                found[object()] = rule  # each at its own place
        else:
            one_of, quadruple = r.loaded("OneOf"), r.loaded("Quadruple")  # reading the token may have imported them
            for rule in rules:
                if isinstance(rule, one_of) and rule.cell in cells:
                    cell = cells[rule.cell]
                    allowed[cell] = allowed.get(cell, values).intersection(rule.values)
                else:
                    _replace(found, [(rule.scope if isinstance(rule, quadruple) else object(), rule)])
    return allowed, found.values()


def _replace(found: dict[object, Rule], placed: Iterable[tuple[object, Rule]]) -> None:
    for place, rule in placed:
        found.pop(place, None)
        found[place] = rule


def _ends(token: Token) -> list[object]:
    """Return the places of a token's clues: on a line of one cell both ends have the same reading."""
    first, *rest = (text.upper() for text in token.arguments)
    if token.type in ("Sandwich", "LittleKiller"):
        return [(token.type, *rest)]
    return [(token.type, first, end) for end, clue in enumerate(rest) if clue]


def _rules(token: Token, board: IssBoard) -> list[Rule]:
    """Return the rules of one token; a FormatError names the token."""
    if row := ROWS.get(token.type):
        if row.place == OUTSIDE and board.move is not None:
            raise FormatError(f"{token.type} in a Replicate: a clue outside the grid cannot be moved")
        try:
            if row.need and (lacking := row.need(board.values)):
                raise FormatError(lacking)
            rules = list(row.read(board, token.arguments))
            board.rules.spend(1 + len(rules))
        except ValueError as error:
            reason = error.message if isinstance(error, FormatError) else str(error)
            raise FormatError(reason if reason.startswith(token.type) else f"{token.type}: {reason}") from None
        return rules
    if token.type == "Replicate":
        return _replicated(token, board)
    inside = [tuple(_rules(inner, board)) for inner in token.inside]
    if token.type == "Or":
        return [r.AnyOf(tuple(rules[0] if len(rules) == 1 else r.AllOf(rules) for rules in inside))]
    return [r.AllOf(tuple(chain.from_iterable(inside)))] if token.type == "And" else []


def _replicated(token: Token, board: IssBoard) -> list[Rule]:
    bits, origin = (*token.arguments, "R1C1")[:2] if token.arguments else ("", "R1C1")
    if len(token.arguments) > 2:
        raise FormatError("Replicate: a set of targets and an origin are expected")
    group, row, column = board.board.place((board.moved(None) if board.move else board).known[origin])
    if board.move is not None and board.move[0] != group:
        raise FormatError("Replicate: the inner origin is in another group than the outer one")
    width, size = board.board.groups[group].width, board.board.groups[group].size
    start = row * width + column
    _, first, left = board.move or (group, 0, 0)
    found: list[Rule] = []
    for bit in bits_of(bits, size - start):
        board.rules.spend(1)
        down, right = (start + bit) // width - row, (start + bit) % width - column
        there = board.moved((group, first + down, left + right))
        for inner in token.inside:
            found += _rules(inner, there)
    return found
