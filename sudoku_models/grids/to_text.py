"""Writes the texts that players of these grids exchange, which ``texts`` reads.

Each kind proposes a text for puzzles that look like its own. A text is used if it is read back as the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import groupby
from string import ascii_letters, digits

from ..puzzle import Puzzle, rules
from .texts import OPERATIONS, READERS, STEPS, wall_pairs

_SIGNS = digits + ascii_letters
_LABELS = ascii_letters + digits


def text_of(puzzle: Puzzle) -> str:
    """Write a puzzle with the name of its kind; raise ValueError if it is of no kind, or has other rules."""
    for name, body_of in WRITERS.items():
        body = body_of(puzzle)
        if body is None:
            continue
        try:
            again = READERS[name](body)
        except ValueError:
            continue
        if _content(again) == _content(puzzle):
            return f"{name}:{'' if body.startswith(chr(10)) else ' '}{body}"
    raise ValueError(f"it is not one of {', '.join(WRITERS)}")


def _content(puzzle: Puzzle) -> object:
    """Return the relevant content of a puzzle, without the order of rules, or of cells if that has no meaning."""
    stated = []
    for rule in puzzle.rules:
        names = {field.name for field in fields(rule)} - ({"cells"} if isinstance(rule, _UNORDERED) else set())
        stated.append(repr((type(rule), sorted(rule.scope), [getattr(rule, name) for name in sorted(names)])))
    return puzzle.shape, puzzle.givens, puzzle.candidates, sorted(stated)


_UNORDERED = (*(rules.Calculation, rules.KillerCage, rules.Difference, rules.WeightedSum, rules.Unused, rules.Black),)
"""The kinds of rules of which the order of the cells has no meaning."""


def _only(puzzle: Puzzle, *kinds: type[rules.Rule]) -> bool:
    return bool(puzzle.rules) and all(isinstance(rule, kinds) for rule in puzzle.rules)


def _cell(puzzle: Puzzle, name: str) -> tuple[int, int]:
    return divmod(puzzle.shape.cell(name), puzzle.shape.width)


def _size(puzzle: Puzzle) -> str:
    height, width = puzzle.shape.height, puzzle.shape.width
    return str(width) if height == width else f"{width}x{height}"


def _sided(puzzle: Puzzle, pairs: Iterable[tuple[str, ...]], mode: str) -> str | None:
    """Write an ID of Unequal: the first cell of each pair has a letter for the side of the second cell."""
    letters = {step: letter for letter, step in STEPS.items()}
    sides = [set[str]() for _ in puzzle.givens]
    for a, b in pairs:
        (r, c), (s, d) = _cell(puzzle, a), _cell(puzzle, b)
        if (s - r, d - c) not in letters:
            return None
        sides[puzzle.shape.cell(a)].add(letters[s - r, d - c])
    cells = zip(puzzle.givens, sides, strict=True)
    return f"{_size(puzzle)}{mode}:" + ",".join(f"{v or 0}{''.join(x for x in 'URDL' if x in at)}" for v, at in cells)


def _futoshiki(puzzle: Puzzle) -> str | None:
    if _only(puzzle, rules.Greater):
        return _sided(puzzle, (rule.scope for rule in puzzle.rules), "")
    if not _only(puzzle, rules.NonConsecutive, rules.Difference):
        return None
    pairs = [rule.scope for rule in puzzle.rules if isinstance(rule, rules.Difference)]
    return _sided(puzzle, [*pairs, *(pair[::-1] for pair in pairs)], "a")


def _kenken(puzzle: Puzzle) -> str | None:
    if not _only(puzzle, rules.Calculation) or puzzle.clues:
        return None
    cages = {_cell(puzzle, x): rule for rule in puzzle.rules for x in rule.scope}
    if len(cages) < puzzle.shape.cells:
        return None
    joined = [cages[a] is cages[b] for a, b in wall_pairs(puzzle.shape.height)]
    letters, run = "", 0
    for is_joined in (*joined, False):
        run += is_joined
        if run == 25 and is_joined:
            letters, run = letters + "z", 0
        elif not is_joined:
            letters, run = letters + "_abcdefghijklmnopqrstuvwxy"[run], 0
    runs = [(letter, len(list(same))) for letter, same in groupby(letters)]
    walls = "".join(letter if times == 1 else f"{letter}{times}" for letter, times in runs)
    signs = {op: letter for letter, op in OPERATIONS.items()}
    clues = [rule for place, rule in sorted(cages.items()) if place == min(_cell(puzzle, x) for x in rule.scope)]
    operations = (f"{signs[cage.op]}{cage.total}" for cage in clues if isinstance(cage, rules.Calculation))
    return f"{_size(puzzle)}:{walls},{''.join(operations)}"


def _towers(puzzle: Puzzle) -> str | None:
    if not _only(puzzle, rules.Skyscraper):
        return None
    n = puzzle.shape.height
    clues = {rule.scope: str(rule.count) for rule in puzzle.rules if isinstance(rule, rules.Skyscraper)}
    rows = [tuple(f"R{r}C{c}" for c in range(1, n + 1)) for r in range(1, n + 1)]
    columns = list(zip(*rows, strict=True))
    ways = [*columns, *(x[::-1] for x in columns), *rows, *(x[::-1] for x in rows)]
    outside = "/".join(clues.get(tuple(way), "") for way in ways)
    inside = "," if puzzle.clues else ""
    for is_open, cells in groupby(puzzle.givens if puzzle.clues else (), lambda value: value is None):
        run = list(cells)  # a letter for each stretch of open cells, and _ between two numbers
        whole, rest = divmod(len(run), 26)
        inside += "z" * whole + (chr(96 + rest) if rest else "") if is_open else "_".join(map(str, run))
    return f"{n}:{outside}{inside}"


def _binairo(puzzle: Puzzle) -> str | None:
    rule = puzzle.rules[0] if len(puzzle.rules) == 1 else None
    if not isinstance(rule, rules.Balance):
        return None
    letters, run = "", 0
    for value in (*puzzle.givens, 0):
        if value is not None:
            letter = chr(97 + run)
            letters, run = letters + (letter.upper() if value else letter), 0
        elif run == 24:
            letters, run = letters + "z", 0
        else:
            run += 1
    return f"{puzzle.shape.width}x{puzzle.shape.height}{'u' if rule.distinct else ''}:{letters}"


def _hitori(puzzle: Puzzle) -> str | None:
    rule = puzzle.rules[0] if len(puzzle.rules) == 1 else None
    if not isinstance(rule, rules.Singles) or max(rule.numbers) > 35 or min(rule.numbers) < 1:
        return None
    return f"{_size(puzzle)}:{''.join(_SIGNS[number] for number in rule.numbers)}"


def _rows(puzzle: Puzzle, texts: Iterable[str]) -> str:
    listed, width = list(texts), puzzle.shape.width
    return "\n" + "\n".join(" ".join(listed[i : i + width]) for i in range(0, len(listed), width))


def _shown(puzzle: Puzzle) -> list[str]:
    """Return the text of each cell: a value, # for black, . for open."""
    values, grid = [str(value or ".") for value in puzzle.givens], puzzle.grid
    black = [f"#{text.strip('.')}" if cell in grid.black else text for cell, text in enumerate(values)]
    return ["#" if cell in grid.unused else text for cell, text in enumerate(black)]


def _kakuro(puzzle: Puzzle) -> str | None:
    if not _only(puzzle, rules.KillerCage, rules.Unused):
        return None
    sums: dict[int, list[str]] = {cell: ["", ""] for cell in puzzle.grid.unused}
    for rule in puzzle.rules:
        if isinstance(rule, rules.KillerCage) and len(rule.cells) > 1 and rule.total is not None:
            first, second = (puzzle.shape.cell(x) for x in rule.cells[:2])
            down = second - first > 1
            before = first - (puzzle.shape.width if down else 1)
            if before not in sums:
                return None
            sums[before][0 if down else 1] = str(rule.total)
    shown = _shown(puzzle)
    return _rows(puzzle, ("\\".join(sums[cell]) if cell in sums else text for cell, text in enumerate(shown)))


def _path(king: bool) -> Callable[[Puzzle], str | None]:
    def body(puzzle: Puzzle) -> str | None:
        """Write the rows if the only rule is a path with or without diagonal steps."""
        paths = [rule.king for rule in puzzle.rules if isinstance(rule, rules.NumberPath)]
        return _rows(puzzle, _shown(puzzle)) if paths == [king] else None

    return body


def _killer(puzzle: Puzzle) -> str | None:
    if not _only(puzzle, rules.KillerCage) or puzzle.clues or len(puzzle.rules) > len(_LABELS):
        return None
    labels = {x: label for label, rule in zip(_LABELS, puzzle.rules, strict=False) for x in rule.scope}
    return _rows(puzzle, (labels.get(name, ".") for name in puzzle.shape.names))


def _star_battle(puzzle: Puzzle) -> str | None:
    sums = [rule for rule in puzzle.rules if isinstance(rule, rules.WeightedSum)]
    regions = sums[: -puzzle.shape.height - puzzle.shape.width]
    if not regions or len(regions) > len(_LABELS):
        return None
    labels = {x: label for label, rule in zip(_LABELS, regions, strict=False) for x in rule.scope}
    return f"\n{regions[0].total}" + _rows(puzzle, (labels.get(name, ".") for name in puzzle.shape.names))


def _plain_rows(puzzle: Puzzle) -> str | None:
    return _rows(puzzle, _shown(puzzle))


WRITERS: Mapping[str, Callable[[Puzzle], str | None]] = {
    "futoshiki": _futoshiki,
    "kenken": _kenken,
    "towers": _towers,
    "binairo": _binairo,
    "hitori": _hitori,
    "kakuro": _kakuro,
    "str8ts": lambda puzzle: None if puzzle.shape.lines else _plain_rows(puzzle),
    "killer": _killer,
    "star-battle": _star_battle,
    "numbrix": _path(king=False),
    "hidato": _path(king=True),
    "magic-square": lambda puzzle: None if puzzle.shape.lines else _plain_rows(puzzle),
    "quasigroup": lambda puzzle: None if puzzle.rules else _plain_rows(puzzle),
}
"""The functions that propose a text for each kind of grid; they return None for a puzzle of another kind."""
