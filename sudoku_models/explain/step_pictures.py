"""Pictures of steps: the candidates, the parts and links of the pattern, what is removed and what is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ..display import Picture, picture
from ..display.svg.canvas import CELL, Canvas, Point
from ..display.svg.grid_lines import mark_place
from ..puzzle import Puzzle
from ..puzzle.rules.rule_base import Rule
from .atoms import bits, union
from .ladder import Ladder
from .paths import LEGIBLE, values_of
from .patterns.board import Pattern
from .stating import RegionSum
from .step_words import Teller
from .steps import Step, Tree

READ, GONE, SETTLED, STATED = "#2e86ab", "#d1495b", "#3a9d5d", "#e08e1b"
ROLES = {
    "base": READ, "set": READ, "pivot": READ, "corners": READ, "one side": READ, "single": SETTLED,
    "other side": SETTLED, "pincer": SETTLED, "petal": SETTLED, "fin": "#8e5bb5", "guards": "#8e5bb5",
    "third side": "#8e5bb5",
}  # fmt: skip
"""The colours of the parts of patterns, by their role."""
WEAK = "3 4"
"""The dashes of weak links."""
FEW = 20
"""The most links of a trial by rules that are drawn."""

Line = tuple[int, int, str]
"""A link between two nodes: "strong" or "weak"."""
Linked = tuple[list[Line], list[int]]
"""Links, and the candidates that are true by them."""


def step_picture(puzzle: Puzzle, teller: Teller | None, step: Step | None, legend: bool = False) -> Picture:
    """Draw the board before a step; settled cells that it does not change are filled in.

    Cells of houses and rules are orange, innies and outies violet, removals are struck out in red. The candidates of a
    pattern have the colours of their roles, and its links are lines: solid if one of both ends is true, dashed if not
    both are.
    """
    if teller is None or step is None:
        return picture(puzzle, legend=legend)
    ladder = teller.ladder
    shown = {cell for cell, _ in step.facts}.union(step.placed)
    left = {x: step.before[c] for c, x in enumerate(ladder.names) if c not in shown}
    filled = {x: mask.bit_length() - 1 + ladder.low for x, mask in left.items() if mask and not mask & (mask - 1)}
    drawn = pencilled(puzzle, ladder, step.before)
    return picture(drawn, filled, legend=legend, marked=lambda canvas: _marked(canvas, teller, step))


def pencilled(puzzle: Puzzle, ladder: Ladder, masks: Sequence[int]) -> Puzzle:
    """Return the puzzle with the candidates of a state."""
    cells = range(puzzle.shape.cells)
    names = puzzle.shape.names
    left = {c: values_of(ladder, masks[ladder.index[names[c]]]) for c in cells}
    marks = tuple((c, values) for c, values in left.items() if puzzle.givens[c] is None and values)
    return replace(puzzle, candidates=marks)


def _marked(canvas: Canvas, teller: Teller, step: Step) -> None:
    ladder = teller.ladder
    for number in step.atoms:
        part = ladder.atoms[number].part
        if not isinstance(part, Rule) or len(ladder.atoms[number].cells) <= 9:
            _shaded(canvas, ladder, ladder.cells_of(number), STATED, 0.10)
        if isinstance(part, RegionSum):
            _shaded(canvas, ladder, ladder.atoms[number].cells, ROLES["fin"], 0.15)
    chain = step.pattern or chain_of(teller, step)
    if chain and (chain.why or chain.links):
        _pattern(canvas, ladder, chain)
    else:
        _shaded(canvas, ladder, sorted(step.reads), READ, 0.22)
    for cell, bit in sorted(step.facts):
        _struck(canvas, ladder.names[cell], bit + ladder.low)
    for cell in step.placed:
        x, y = canvas.corner(ladder.names[cell])
        ring = {"fill": "none", "stroke": SETTLED, "stroke_width": 3}
        canvas.add("mark", "rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, **ring)


def chain_of(teller: Teller, step: Step) -> Pattern | None:
    """Return the links of a trial: those of the smallest tree of singles, or of what rules do; None if it has none.

    Of more links than are legible there are none; those by rules run in all directions.
    """
    if step.trial is None or step.level[0] == 4:
        return None
    n = len(step.before)
    by_houses = all(teller.ladder.atoms[a].house for a in step.atoms)
    links, true = _of_tree(Tree(teller.ladder, step), n) if by_houses else _of_trace(teller, step)
    supposed = 1 << step.trial[1] * n + step.trial[0]
    roles = ("fin", supposed), ("one side", union(true) & ~supposed)
    return Pattern("", 0, 0, "", roles, tuple(links)) if 0 < len(links) <= (LEGIBLE if by_houses else FEW) else None


def _of_tree(tree: Tree, cells: int) -> Linked:
    """Return the links of a tree of singles, and what is true in it."""
    links, true = list[Line](), list[int]()
    for part, forced in tree.order:
        true += [1 << forced[1] * cells + forced[0]] if forced else []
        for member in (m for m in part.members if m != forced):
            x, y = (1 << b * cells + c for c, b in (tree.false_by[member], member))
            links += [(x, y, "weak"), *([(y, true[-1], "strong")] if forced else [])]
    return links, true


def _of_trace(teller: Teller, step: Step) -> Linked:
    """Return links from the cells that a trial has changed to what an atom then excludes, and what is true by that."""
    assert step.trial is not None
    n, (cell, bit), links = len(step.before), step.trial, list[Line]()
    state, changed = {cell: 1 << bit}, {cell: 1 << bit * n + cell}
    for a, c, mask in (teller.trace(step) or ([], 0))[0]:
        gone, left = (sum(1 << b * n + c for b in bits(m)) for m in (state.get(c, step.before[c]) & ~mask, mask))
        causes = [other for other in changed if other != c and other in teller.ladder.atoms[a].cells]
        settled = [other for other in causes if not state[other] & (state[other] - 1)]
        links += [(changed[other], gone, "weak") for other in settled or causes[-1:]]
        if not mask & (mask - 1):
            links.append((gone, left, "strong"))
        state[c], changed[c] = mask, left
    return links, [changed[c] for c, mask in state.items() if not mask & (mask - 1)]


def _pattern(canvas: Canvas, ladder: Ladder, pattern: Pattern) -> None:
    """Draw the candidates of a pattern in the colours of their roles, and its links."""
    for role, literals in pattern.parts:
        cells = sorted({x % len(ladder.names) for x in bits(literals)})
        _shaded(canvas, ladder, cells, ROLES[role], 0.10)
        for x in bits(literals):
            (at, room), ring = _place(canvas, ladder, x), {"fill": ROLES[role], "fill_opacity": 0.35}
            canvas.circle("mark", at, min(7.0, room / 2), **ring)
    for first, second, kind in pattern.links:
        ends = (_place(canvas, ladder, x)[0] for x in _nearest(canvas, ladder, first, second))
        dashes = {"stroke_dasharray": WEAK} if kind == "weak" else {}
        canvas.path("mark", list(ends), GONE if kind == "weak" else READ, 1.6, stroke_opacity=0.8, **dashes)


def _place(canvas: Canvas, ladder: Ladder, literal: int) -> tuple[Point, float]:
    """Return the position of a candidate, and its height."""
    bit, cell = divmod(literal, len(ladder.names))
    return mark_place(canvas, ladder.names[cell], bit + ladder.low)


def _nearest(canvas: Canvas, ladder: Ladder, first: int, second: int) -> tuple[int, int]:
    """Return the candidates of two nodes that are nearest to each other."""

    def apart(pair: tuple[int, int]) -> float:
        (x, y), (z, w) = (_place(canvas, ladder, literal)[0] for literal in pair)
        return (x - z) ** 2 + (y - w) ** 2

    return min(product(bits(first), bits(second)), key=apart)


def _shaded(canvas: Canvas, ladder: Ladder, cells: Sequence[int], colour: str, opacity: float) -> None:
    canvas.shade([ladder.names[cell] for cell in cells], colour, opacity)


def _struck(canvas: Canvas, name: str, value: int) -> None:
    (x, y), room = mark_place(canvas, name, value)
    half = min(6.0, room / 2)
    canvas.path("digit", [(x - half, y + half), (x + half, y - half)], GONE, 2)
