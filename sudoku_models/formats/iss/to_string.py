"""Writes a puzzle as an ISS constraint string or link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.puzzle import Puzzle, board_of
from ...puzzle.rules.composed import flat
from ...puzzle.rules.rule_base import Rule, each
from ...puzzle.shape import Shape, boxes_of
from . import board as iss_board
from .board import LARGEST, NEEDS_LINES, SIGNS, IssBoard, box_of
from .meaning import together, tokens_of_constraints
from .notation import Token, every, link
from .rules import TOP, WRITERS

REGION_RULES = frozenset({"RegionSumLine", "RegionSameValues", "BoxIndexer", "Doppelganger"})


def write_iss(puzzle: Puzzle) -> str:
    """Write a puzzle as a constraint string.

    Rules without a name in the notation are written as relations, sums and automata. Raises FormatError for what it
    cannot hold: sides or values above 16, values other than 0-n or 1-n, and some rules about regions.
    """
    shape = puzzle.shape
    chaos = [rule.cells_of(shape) for rule in each(puzzle.rules) if isinstance(rule, r.ChaosConstruction)]
    head = list(_board(shape, max(chaos, default=0), {type(rule).__name__ for rule in each(puzzle.rules)}))
    target = _target(puzzle, head)
    _check(puzzle)
    tokens = [*head, *_of_all(puzzle, target)]
    rules = sorted(flat(puzzle.rules), key=lambda rule: type(rule).__name__ != "ExtraCells")
    for rule in _without_second_clues(rules):
        tokens += tokens_of_rule(rule, target, top=True)
    return "".join(map(str, tokens)) or ".Shape~9x9"


def link_of(puzzle: Puzzle) -> str:
    """Write a puzzle as a link; raise FormatError as ``write_iss`` does."""
    return link(write_iss(puzzle))


def tokens_of_rule(rule: Rule, target: IssBoard, top: bool = False) -> list[Token]:
    """Write one rule: as its own type if there is one, otherwise by its meaning."""
    if isinstance(rule, r.AnyOf):
        return [Token("Or", (), tuple(together(tokens_of_rule(part, target)) for part in rule.rules))]
    if isinstance(rule, r.AllOf):
        return [token for part in rule.rules for token in tokens_of_rule(part, target, top)]
    kind = type(rule).__name__
    write, place = WRITERS.get(kind, (None, TOP)) if type(rule) is r.loaded(kind) else (None, TOP)
    found = write(rule, target) if write is not None and (top or place != TOP) else None
    if found is not None and (target.board.shape.lines or all(token.type not in NEEDS_LINES for token in every(found))):
        return found
    return tokens_of_constraints(rule, target)


def _of_all(puzzle: Puzzle, target: IssBoard) -> Iterator[Token]:
    """Yield what is stated only at the top level: givens and candidates, and that ranks may be equal."""
    givens = ((i, (value,)) for i, value in enumerate(puzzle.givens) if value is not None)
    cells, names = [*givens, *puzzle.candidates], puzzle.shape.names
    if cells:
        texts = ("_".join([target.written(names[i]), *map(str, values)]) for i, values in cells)
        yield Token("Given", tuple(texts))
    if any(isinstance(rule, r.FullRank) and rule.ties for rule in each(puzzle.rules)):
        yield Token("FullRankTies", ("any",))


def _check(puzzle: Puzzle) -> None:
    """Raise FormatError for rules that would change their meaning together."""
    rules = list(each(puzzle.rules))
    kinds = {type(rule) for rule in rules}
    odd_dots = any(
        (isinstance(dot, r.Difference) and dot.value != 1) or (isinstance(dot, r.Ratio) and dot.value != 2)
        for dot in rules
    )
    if r.StrictKropki() in rules and odd_dots:
        raise FormatError("StrictKropki beside dots of other differences or ratios cannot be written")
    if r.StrictXV() in rules and any(isinstance(rule, r.XV) and rule.total not in (5, 10) for rule in rules):
        raise FormatError("StrictXV beside marks of other sums cannot be written")
    ties = {rule.ties for rule in rules if isinstance(rule, r.FullRank)}
    if len(ties) > 1 or (True in ties and r.NoRankTies in kinds):
        raise FormatError("ranks with ties and ranks without ties cannot be written together")
    clues = Counter((type(rule), rule.scope) for rule in flat(puzzle.rules) if type(rule).__name__ in _ONE_WAY)
    twice = next((kind for (kind, _), count in clues.items() if count > 1), None)
    if twice is not None:
        raise FormatError(f"two {twice.__name__} at one place cannot be written: only the last would count")


_ONE_WAY = ("XSum", "Skyscraper", "HiddenSkyscraper", "NumberedRoom", "FullRank")
"""Rules of which the notation allows only one for the same cells in the same direction."""


def _without_second_clues(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Replace a second clue for the same diagonal, line or square, in either order, by an equivalent rule."""
    again = {r.LittleKiller: r.WeightedSum, r.Sandwich: r.Lunchbox, r.Quadruple: r.ContainAtLeast}
    met: set[tuple[type[Rule], frozenset[str]]] = set()
    for rule in rules:
        key = type(rule), frozenset(rule.scope)
        yield again[type(rule)](*astuple(rule)) if key in met and type(rule) in again else rule
        met.add(key)


def _board(shape: Shape, region_size: int, kinds: set[str]) -> Iterator[Token]:
    height, width, values = shape.height, shape.width, shape.values
    low, high, side = values[0], values[-1], max(shape.height, shape.width)
    if side > LARGEST or len(values) > LARGEST or low not in (0, 1) or len(values) != high - low + 1:
        raise FormatError(
            f"{shape} with {len(values)} values from {low} on: sides and values up to {LARGEST} are possible"
        )
    if shape.lines and len(values) < side:
        raise FormatError(f"{len(values)} values in lines of {side} cells cannot be written")
    span = "" if (low, high) == (1, side) else str(high) if low == 1 else f"0-{high}"
    kind = () if shape.lines else ("Raw",)
    if (height, width, span, kind) != (9, 9, "", ()):
        yield Token("Shape", (f"{height}x{width}", span, *kind) if span or kind else (f"{height}x{width}",))
    yield from _regions(shape, region_size, kinds) if shape.lines else _as_groups(shape, shape.regions, kinds)


def _regions(shape: Shape, wanted: int, kinds: set[str]) -> Iterator[Token]:
    side = max(shape.height, shape.width)
    found = {frozenset(region) for region in shape.regions}
    sizes = {len(region) for region in found} or {wanted or side}
    size = next(iter(sizes)) if len(sizes) == 1 else 0
    if wanted and size != wanted:
        raise FormatError(f"unknown regions of {wanted} cells beside regions of another size cannot be written")
    if size and (size != side or ("Windoku" in kinds and size != len(shape.values))):
        yield Token("RegionSize", (str(size),))
    box = box_of(shape.height, shape.width, size or side)
    boxes = {frozenset(region) for region in (boxes_of(shape.height, shape.width, box) if box else ())}
    if boxes and not boxes <= found:
        yield Token("NoBoxes")
        boxes = set()
    rest = [region for region in shape.regions if frozenset(region) not in boxes]
    if not rest:
        return
    layout = _layout(shape, rest) if size else None
    if layout is None:
        yield from _as_groups(shape, rest, kinds)
    else:
        yield Token("Jigsaw", (layout,))


def _layout(shape: Shape, regions: Sequence[Sequence[int]]) -> str | None:
    """Write pieces as a layout; return None if they overlap, or if the remaining cells would look like a piece."""
    labels = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    cells = [cell for region in regions for cell in region]
    left = shape.cells - len(cells)
    side, size = max(shape.height, shape.width), len(regions[0])
    as_piece = left and (left == size or not (left < side or left > len(shape.values)))
    if len(set(cells)) < len(cells) or len(regions) > len(labels) or as_piece or (len(regions) == 1 and not left):
        return None
    found = ["0"] * shape.cells
    for label, region in zip(labels, regions, strict=False):
        for cell in region:
            found[cell] = label
    return "".join(found)


def _as_groups(shape: Shape, regions: Iterable[Sequence[int]], kinds: set[str]) -> Iterator[Token]:
    regions = list(regions)
    if regions and REGION_RULES & kinds:
        raise FormatError(f"these regions beside {', '.join(sorted(REGION_RULES & kinds))} cannot be written")
    for region in regions:
        names = (divmod(cell, shape.width) for cell in region)
        yield Token("AllDifferent", tuple(f"R{SIGNS[row]}C{SIGNS[column]}" for row, column in names))


def _target(puzzle: Puzzle, head: Sequence[Token]) -> IssBoard:
    """Return the board being written; ``head`` are the tokens of its shape and regions."""
    read = iss_board.board_of(head)
    return IssBoard(board_of(puzzle.shape, puzzle.rules), read.region_size, read.box, read.window)
