"""Writing puzzles and grids as text, whole or the part of a puzzle that a format can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..puzzle.drawn import Drawn, Mark
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle, author_and_words, comment_of
from ..puzzle.rules.rule_base import Rule
from ..puzzle.rules.stated import Condition
from ..puzzle.rules.words import by_kind, place_of, sentence_of
from .catalogue import ISS, format_named
from .cells import symbols_of
from .format import ALL, RULES, Format, one_line, refuse

Board = Puzzle | Grid


def write(
    puzzles: Board | Iterable[Board], format: str, *, alphabet: str | None = None, partly: bool = False
) -> Iterator[str]:
    """Write a puzzle or a grid, or several, as pieces of text, each ending with a complete line.

    ``format`` is a name in ``FORMATS``, ``alphabet`` a name in ``ALPHABETS`` or the symbols of 1, 2, ... (by default
    digits, then letters up to side 25, otherwise numbers). Raises FormatError for what the format cannot hold:
    candidates and rules, except in formats for variants (``json`` holds all, ``iss`` and ``f-puzzles`` most); irregular
    regions, except in those and ``jigsaw``; boards other than 9 x 9 in ``sdm``; a second puzzle in ``sdk``; too few
    symbols. Formats that hold only cells do not record unusual boxes, or that there are none.

    With ``partly``, rules that a format for variants cannot hold are stated in words, and their cells are shaded where
    the format has colours; ``unwritten`` lists them.
    """
    kind = _writable(format)
    assert kind.write is not None
    puzzles = (puzzles,) if isinstance(puzzles, Puzzle | Grid) else puzzles
    if partly and kind.name == ISS:
        return (text for board in puzzles for text in _with_words(board, kind))
    return kind.write((_held(board, kind, partly) for board in puzzles), symbols_of(alphabet))


def unwritten(puzzle: Puzzle, format: str) -> tuple[Rule, ...]:
    """Return the rules of a puzzle that a format cannot hold, in the order in which they are stated."""
    return _divided(puzzle, _writable(format))[1]


def _writable(name: str) -> Format:
    return format_named(name, "format", lambda kind: kind.writes)


def _held(board: Board, kind: Format, partly: bool) -> Puzzle:
    """Return a board as a puzzle that the format can hold; raise FormatError for parts that it cannot hold."""
    puzzle = Puzzle.of(board) if isinstance(board, Grid) else board
    if partly and RULES in kind.holds:
        kept, left = _divided(puzzle, kind)
        puzzle = _in_words(puzzle, kept, left) if left else puzzle
    refuse(puzzle, kind.name, ALL - kind.holds)
    return puzzle


def _with_words(board: Board, kind: Format) -> Iterator[str]:
    """Write a constraint string with a comment: title, author, words, and the rules that it cannot hold.

    The notation itself has no comments: what stands before the ``#`` is for Interactive Sudoku Solver.
    """
    assert kind.write is not None
    puzzle = _held(board, kind, True)
    lines = [f"title: {puzzle.title}"] * bool(puzzle.title) + puzzle.comment.splitlines()
    said = "; ".join(filter(None, map(one_line, lines)))  # a second line would be a second puzzle
    yield from (f"{text.rstrip()}{f' # {said}' if said else ''}\n" for text in kind.write([puzzle], None))


# ---- what a format cannot hold, in words

_SHADES = ("#A3E048", "#F7D038", "#34BBE6", "#EB7532", "#D23BE7", "#49DA9A", "#E6261F", "#4355DB")


def _divided(puzzle: Puzzle, kind: Format) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Divide the rules into those that a format can hold together, and the others."""
    if _fits(puzzle, puzzle.rules, kind):
        return puzzle.rules, ()
    kept: list[Rule] = []
    for rule in puzzle.rules:
        if _fits(puzzle, (*kept, rule), kind):
            kept.append(rule)
    left = list(puzzle.rules)
    for rule in kept:
        left.remove(rule)
    return tuple(kept), tuple(left)


def _fits(puzzle: Puzzle, rules: tuple[Rule, ...], kind: Format) -> bool:
    """Return whether a format can hold a puzzle with these of its rules."""
    assert kind.write is not None
    try:
        for _ in kind.write([replace(puzzle, rules=rules)], None):
            pass
    except ValueError:  # a FormatError, or a rule about extra cells without the rule that adds them
        return False
    return True


def _in_words(puzzle: Puzzle, kept: Sequence[Rule], left: Sequence[Rule]) -> Puzzle:
    """Return a puzzle with some of its rules, the others in words, and their cells shaded in a colour for each kind.

    Without rules in words, all rules are stated in words.
    """
    shades = dict(zip(by_kind(left), _SHADES * len(left), strict=False))
    author, words = author_and_words(puzzle.comment)
    if not words.strip():
        words = "\n".join(["Normal sudoku rules apply." * puzzle.shape.lines, *_sentences(kept)])
    comment = comment_of(author, "\n".join(filter(None, [words.strip("\n"), *_sentences(left, shades)])))
    drawn = tuple(_shaded(puzzle, kind[0], rules, shades[kind]) for kind, rules in by_kind(left).items())
    return replace(puzzle, rules=tuple(kept), comment=comment, drawn=(*puzzle.drawn, *drawn))


def _sentences(rules: Sequence[Rule], shades: Mapping[tuple[str, type[Rule]], str] | None = None) -> Iterator[str]:
    """Yield a line for each kind of rules: its title, its sentence, and with ``shades`` its cells."""
    from .colours import name_of  # its patterns are compiled when it is loaded

    for key, kind in by_kind(rules).items():
        places = "; ".join(filter(None, map(place_of, kind)))
        sentence = "" if isinstance(kind[0], Condition) else sentence_of(kind[0]).rstrip(".")
        shaded = f" ({name_of(shades[key])} cells)" if shades and any(rule.scope for rule in kind) else ""
        where = places if not sentence else f"{sentence} ({places})" if places and shades else sentence
        line = f"{key[0]}{shaded}{': ' if where else ''}{where}"
        yield re.sub(r"[.;]\s+", ", ", line) + "."  # one sentence for readers of sentences


def _shaded(puzzle: Puzzle, title: str, rules: Sequence[Rule], colour: str) -> Drawn:
    places = dict.fromkeys(name for rule in rules for name in rule.scope if name in puzzle.shape.names)
    spots = (divmod(puzzle.shape.cell(name), puzzle.shape.width) for name in places)
    marks = (Mark(title, (row + 0.5, column + 0.5), 1.0, 1.0, fill=colour) for row, column in spots)
    return Drawn(tuple(marks), title)
