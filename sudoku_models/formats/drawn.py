"""The drawings of a document: where each shape lies, the rules that it may stand for, and which of them is proposed.

A shape has ideas: kinds of rules, each with a score from its looks and from the rules in words (see ``words``). Shapes
that look alike mean the same, and a stated solution refutes ideas that it breaks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice, pairwise, product, starmap, takewhile
from math import dist, floor
from typing import NamedTuple

from ..puzzle import rules as r
from ..puzzle.drawn import Drawn, Mark, Point, Stroke
from ..puzzle.rules.board import Board, Filled
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .colours import called, family, name_of, tone, unseen
from .regions import grouped, outside, ray, touching
from .said import ALIKE, ARROWS, BESIDE, BETWEEN, CAGES, CELLS, LINES, OF_SETS, Names, dot_step, fast_thermo, magic
from .sketch import BULB, DOT, MOST, WHOLE, Cell, cell_of, in_corner, is_inside, path_of, says_something
from .words import Words, spoken

ENOUGH = 1
"""The least score of a proposal: one sure sign, or the text."""
_DISTINCT = (r.Thermo, r.Renban, r.KillerCage, r.ExtraRegion)
_NEAR = 0.2
"""The largest distance, in cells, of a mark from a corner or the middle of a side."""
Tried = tuple[Rule | None, str, bool]
"""The rule of an idea or None, why there is none or how the solution breaks it, and whether it does."""


class Idea(NamedTuple):
    """A kind of rule that shapes may stand for: the score, the reasons, and a function that makes the rule."""

    kind: str
    score: int
    reasons: tuple[str, ...]
    make: Callable[[], Rule]


class Reading(NamedTuple):
    """Shapes that belong together, their look in words, what they look like in general, and what they may mean."""

    shapes: tuple[Stroke | Mark, ...]
    look: str
    like: tuple[object, ...]
    ideas: tuple[Idea, ...]


@dataclass
class Sheet:
    """The shapes of a document, the rules in words and the stated solution, by cell (empty if there is none).

    ``used`` holds the marks that belong to something found.
    """

    shape: Shape
    strokes: Sequence[Stroke]
    marks: Sequence[Mark]
    words: Words
    solution: Mapping[str, int]
    used: set[int] = field(default_factory=set)
    tried: dict[Idea, Tried] = field(default_factory=dict)

    def drawn(self) -> list[Drawn]:
        """Return the meaning of each shape."""
        readings = [*self._strokes(), *self._marks()]
        groups = grouped((reading.like, reading) for reading in readings)
        refuted = {like: self._refuted(group) for like, group in groups.items()}
        return [self._settled(reading, refuted[reading.like]) for reading in readings]

    # ---- from ideas to a proposal

    def idea(self, kind: str, score: int, sign: str, colour: str, thing: str, make: Callable[[], Rule]) -> Idea:
        """Combine the evidence for a kind of rule: its appearance (``score``, ``sign``) and the text."""
        said, words = self.words.speaks(kind, colour, thing)
        return Idea(kind, score + said, tuple(filter(None, (sign, words))), make)

    def _refuted(self, group: Sequence[Reading]) -> frozenset[str]:
        """Return the kinds that the solution breaks on more than a quarter of shapes that look alike."""
        ideas = (idea for reading in group for idea in reading.ideas if self.solution and idea.score >= ENOUGH)
        tried = ((idea.kind, self._tried(idea)) for idea in ideas)
        found = grouped((kind, broken) for kind, (rule, _, broken) in tried if rule is not None)
        return frozenset(kind for kind, broken in found.items() if sum(broken) * 4 > len(broken))

    def _settled(self, reading: Reading, refuted: frozenset[str]) -> Drawn:
        """Choose the idea with the highest score; propose nothing if two are equal or the score is too low."""
        shapes, look = reading.shapes, reading.look
        likely = sorted((idea for idea in reading.ideas if idea.score >= ENOUGH), key=lambda idea: -idea.score)
        found = [idea for idea in likely if idea.kind not in refuted]
        if not likely:
            return Drawn(shapes, look)
        first = [idea for idea in found if idea.score == found[0].score]
        if len(first) > 1:
            alike = " and ".join(spoken(idea.kind) for idea in first)
            return Drawn(shapes, look, None, (f"{alike} are equally likely",))
        best = (found or likely)[0]
        rule, why, broken = self._tried(best)
        if not found or broken:
            why = why or "the stated solution breaks it where others look like this"
            return Drawn(shapes, look, rule, (why,), misread=rule is not None)
        if rule is None:
            return Drawn(shapes, look, None, (f"it looks like {spoken(best.kind)}, but {why}",))
        return Drawn(shapes, look, rule, best.reasons)

    def _tried(self, idea: Idea) -> Tried:
        """Return the rule of an idea, or why there is none, and whether and how the solution breaks it."""
        if idea not in self.tried:
            try:
                rule = idea.make()
                board = fitting(rule, self.shape)
                broken = bool(self.solution) and self._breaks(rule, board)
                self.tried[idea] = rule, self._contradiction(rule, board) if broken else "", broken
            except ValueError as error:
                self.tried[idea] = None, str(error), False
        return self.tried[idea]

    def broken(self, rules: Sequence[Rule], beside: Sequence[Rule]) -> dict[Rule, str]:
        """Return the rules that the stated solution breaks, and how; ``beside`` are those that they may depend on."""
        if not self.solution or not rules:
            return {}
        board = Board(self.shape, beside)
        return {rule: self._contradiction(rule, board) for rule in rules if self._breaks(rule, board)}

    def _breaks(self, rule: Rule, board: Board) -> bool:
        try:
            return not rule.judge(Filled(board, self.solution))
        except KeyError:  # a rule about cells of which the solution says nothing
            return bool(self._first_broken(rule, board))

    def _contradiction(self, rule: Rule, board: Board) -> str:
        """Say that the stated solution breaks a rule, and where."""
        names = rule.scope or self._first_broken(rule, board)
        cells = " ".join(f"{name}={self.solution[name]}" for name in dict.fromkeys(names) if name in self.solution)
        return "the stated solution breaks it" + (f": {cells}" if cells else "")

    def _first_broken(self, rule: Rule, board: Board) -> tuple[str, ...]:
        """Return the cells of the first constraint of a rule that the solution breaks."""
        known = (c for c in rule.constraints(board) if all(x in self.solution for x in c.variables()))
        return next((tuple(c.variables()) for c in known if not c.holds(self.solution)), ())

    # ---- lines and arrows

    def _strokes(self) -> Iterator[Reading]:
        """Yield the readings of lines and arrows; lines on top of each other count as one."""
        ways = ((stroke.arrow, min(stroke.points, stroke.points[::-1])) for stroke in self.strokes)
        for group in grouped(zip(ways, self.strokes, strict=True)).values():
            strong = next((s for s in group if name_of(s.colour) not in ("", "white", "black")), group[-1])
            if strong.arrow and not self._points_along(strong):
                yield self._arrow(strong, tuple(group))
            elif not (strong.arrow or self._frames(strong) or all(unseen(one.colour) for one in group)):
                yield self._line(strong, tuple(group))

    def _points_along(self, stroke: Stroke) -> bool:
        """Return whether an arrow shows the row or column that the number beside it is about, as its place does."""
        if len(stroke.points) != 2 or self.inside(cell_of(stroke.points[0])):
            return False
        (r1, c1), (r2, c2) = stroke.points
        numbered = any(mark.text.strip().isdecimal() for mark in self.by_cell.get(cell_of(stroke.points[0]), ()))
        return numbered and min(abs(r1 - r2), abs(c1 - c2)) < 0.05

    def _frames(self, stroke: Stroke) -> bool:
        """Return whether a line runs wholly beside the board, as a frame or another ornament does."""
        sizes = (self.shape.height, self.shape.width)

        def is_beside(one: Point, other: Point) -> bool:
            return any(max(a, b) <= 0 or min(a, b) >= size for a, b, size in zip(one, other, sizes, strict=True))

        plain = self.words.tell or name_of(stroke.colour) in ("", "black", "grey", "white")
        return plain and len(stroke.points) > 1 and all(starmap(is_beside, pairwise(stroke.points)))

    def _line(self, stroke: Stroke, group: tuple[Stroke, ...]) -> Reading:
        path, look, colour = self.path(stroke), described(stroke.colour, "line"), self.called(stroke.colour)
        rising = self._diagonal(stroke)
        if rising is not None:
            sign = "it goes from corner to corner"
            along = self.idea("Diagonal", 2, sign, "", "diagonal", lambda: r.Diagonal(rising))
            diagonals = list(self.words.naming("Diagonal"))
            coloured = [one for one in self.words.telling if colour in one.colours]
            means_it = not coloured or any(one in diagonals for one in coloured)  # else it is another thing
            if path is None or (means_it and (diagonals or len(stroke.points) == 2)):
                return Reading(group, f"{look} along a diagonal", ("diagonal",), (along,))
        if path is None or len(path) < 2:
            return Reading(group, f"{look} that does not go from cell to cell", ("line", colour), ())
        ends = [self._bulbs((row + 0.5, column + 0.5)) for row, column in (path[0], path[-1])]
        if len(ends[1]) and not len(ends[0]):
            path, ends = path[::-1], ends[::-1]
        names = named(path if path[0] != path[-1] else self._from_a_border(path))
        ended = tuple(self._of_ends(colour, names, ends))
        bulbs = (*ends[0], *ends[1])
        shapes: tuple[Stroke | Mark, ...] = group
        if any(idea.score >= ENOUGH for idea in ended):
            self.used.update(map(id, bulbs))
            shapes = (*group, *bulbs)
        like = ("line", stroke.colour, bool(ends[0]), bool(ends[1]))
        net = next((net for net in self._nets[stroke.colour] if net.issuperset(path)), frozenset(path))
        whole = names if len(net) == len(set(path)) else named(sorted(net))
        return Reading(shapes, f"{look} {' '.join(names)}", like, (*ended, *self._plain(colour, names, whole)))

    @cached_property
    def _paths(self) -> list[tuple[str, tuple[Cell, ...]]]:
        """The colours of lines, and the cells of each."""
        lines = ((stroke.colour, self.path(stroke)) for stroke in self.strokes if not stroke.arrow)
        return [(colour, path) for colour, path in dict.fromkeys(lines) if path is not None and len(path) > 1]

    @cached_property
    def _nets(self) -> Mapping[str, list[frozenset[Cell]]]:
        """The cells of lines of one colour that hang together: three or more meet, or one begins amid another."""
        nets, paths = defaultdict[str, list[frozenset[Cell]]](list), self._paths
        ends = Counter((colour, cell) for colour, path in paths for cell in {path[0], path[-1]})
        amid = {(colour, cell) for colour, path in paths for cell in path[1:-1]}
        for colour, path in paths:
            here = {cell for cell in (path[0], path[-1]) if ends[colour, cell] > 2 or (colour, cell) in amid}
            inner = {cell for cell in path[1:-1] if ends[colour, cell]}
            near = [net for net in nets[colour] if not net.isdisjoint(here | inner)]
            nets[colour] = [net for net in nets[colour] if net not in near] + [frozenset(path).union(*near)]
        return nets

    def _from_a_border(self, loop: Sequence[Cell]) -> Sequence[Cell]:
        """Return a loop as it begins in another region than it ends in, if it can."""
        regions = [self.shape.region_of[row * self.shape.width + column] for row, column in loop]
        at = next((i for i in range(1, len(loop)) if regions[i - 1] != regions[i]), 0)
        return (*loop[at:], *loop[1 : at + 1])

    def _of_ends(self, colour: str, names: Names, ends: Sequence[Sequence[Mark]]) -> Iterator[Idea]:
        """Yield ideas for lines with marks at their ends, which are part of the line."""
        make = partial(self.idea, colour=colour, thing="line")
        if ends[0] and ends[1]:
            turned = all(any(mark.turned for mark in end) for end in ends)
            sign = "a diamond at both ends" if turned else "a circle at both ends"
            apart = (one.number for one in self.words.naming("Lockout") if one.words & {"atleast", "over"})
            lockout = partial(r.Lockout, difference=next(filter(None, apart), 4))
            form, other = ("diamond", "circle") if turned else ("circle", "diamond")
            for kind, usual in (("Lockout", turned), ("Between", not turned), ("DoubleArrow", False)):
                said = list(self.words.naming(kind))  # more likely than what any line may be
                if not said or any(form in one.words or other not in one.words for one in said):
                    rule = lockout if kind == "Lockout" else getattr(r, kind)
                    yield make(kind, 2 * (usual + bool(said)), sign, make=partial(rule, names))
        elif ends[0]:
            slow = next(self.words.naming("SlowThermo"), None) is not None
            fast = partial(fast_thermo, names, self.words.said("FastThermo", colour), self.shape.values)
            yield make("FastThermo", 0, "a bulb at one end", make=fast)
            sure = 2 * (slow or next(self.words.naming("Thermo"), None) is not None)  # whatever the colour means
            yield make("Increasing", 3, "a bulb at one end", make=lambda: r.Thermo(names))
            yield make("Thermo", 2 + sure, "a bulb at one end", make=lambda: r.Thermo(names))
            yield make("SlowThermo", 3 + sure if slow else 1, "a bulb at one end", make=lambda: r.SlowThermo(names))

    def _plain(self, colour: str, names: Names, whole: Names) -> Iterator[Idea]:
        """Yield ideas for lines; ``whole`` are the cells of all lines with which a line hangs together."""
        for kind, (usual, make) in LINES.items():
            alike = family(colour) in usual and (kind in _BY_COLOUR or self.words.tell)
            line = partial(make, whole if kind in OF_SETS else names, self.words.said(kind, colour), self.shape.values)
            yield self.idea(kind, int(alike), "the usual colour of such lines" * alike, colour, "line", line)
        yield from (self.idea(kind, 0, "", colour, "line", of) for kind, of in self._alike.get(colour, {}).items())
        common = family(colour) in ("green", "orange")
        sign = "the usual colour of such lines" * common
        whisper = partial(self._whisper, colour, names)
        yield self.idea("Whisper", int(common), sign, colour, "line", whisper)

    def _whisper(self, colour: str, names: Names) -> Rule:
        """Return a whisper with the difference that the text states, by default the usual one of its colour."""
        named = sorted(self.words.naming("Whisper"), key=lambda one: colour not in one.colours)
        numbers = (one.number_for(colour) for one in named if colour in one.colours or len(named) == 1)
        stated = next(filter(None, numbers), None)
        said = named[0].lower if named else ""
        if stated is None and any("atleast" in one.words for one in named):
            raise ValueError("the rules do not say by how much its neighbours differ")
        dutch = "dutch" in said or (family(colour) == "orange" and "german" not in said)
        usual = 4 if dutch and len(self.shape.values) == 9 else None
        half = -(-len(self.shape.values) // 2)
        return r.Whisper(names, usual if stated is None or stated == (usual or half) else stated)

    @cached_property
    def _alike(self) -> Mapping[str, dict[str, Callable[[], Rule]]]:
        """What two or more lines of a colour may say of each other, by that colour and the kind."""
        found = grouped(dict.fromkeys((self.called(colour), named(path)) for colour, path in self._paths))
        return {
            colour: {kind: partial(make, tuple(lines)) for kind, make in ALIKE.items()}
            for colour, lines in found.items()
            if len(lines) > 1
        }

    def _diagonal(self, stroke: Stroke) -> bool | None:
        """Return whether a line is the rising diagonal (True) or the other one (False); None if neither."""
        side = self.shape.height
        for rising in (False, True) if len(stroke.points) > 1 and side == self.shape.width else ():
            seen = sorted((side - row if rising else row, column) for row, column in stroke.points)
            first, last = seen[0], seen[-1]
            whole = max(map(abs, (*first, side - last[0], side - last[1]))) <= 0.6
            if whole and all(abs(row - column) <= 0.1 for row, column in seen):
                return rising
        return None

    def _bulbs(self, point: Point) -> list[Mark]:
        """Return the round or rotated marks without text whose middle is close to a point."""
        found = (m for m in self.around(point) if (m.round or m.turned) and not m.text)
        sized = (m for m in found if min(m.height, m.width) >= BULB and max(m.height, m.width) <= 1.2)
        return [m for m in sized if all(abs(a - b) <= 0.3 for a, b in zip(m.centre, point, strict=True))]

    def _arrow(self, stroke: Stroke, group: tuple[Stroke, ...]) -> Reading:
        look, colour = described(stroke.colour, "arrow"), self.called(stroke.colour)
        if len(stroke.points) < 2:
            return Reading(group, f"{look} without a direction", ("arrow",), ())
        start_point = stroke.points[0]
        if not self.inside(cell_of(start_point)):
            return self._beside(stroke, group, look)
        path = self.path(stroke)
        bases = [m for m in self.around(start_point) if not m.text and holds(m, start_point)]
        bases = [m for m in bases if BULB <= min(m.height, m.width) <= (1.2 if m.round else WHOLE)]
        circles = [m for m in bases if m.round] or self._bulbs(start_point)[:1] or bases
        if path is None or (len(path) < 2 and not circles):
            return Reading(group, f"{look} that does not go from cell to cell", ("arrow", colour), ())
        if not circles and self._bulbs(stroke.points[-1]):
            return Reading(group, f"{look} that ends at a circle", ("arrow", colour), ())
        cells = [cell for cell in covered(circles[0]) if self.inside(cell)] if circles else list(path[:1])
        cells = cells or ([cell_of(circles[0].centre)] if circles else [])
        shaft = [cell for cell in path if cell not in cells]
        sign = "an arrow that begins at a circle" if circles else ""
        ideas = [self.idea("Arrow", 2 * bool(circles), sign, colour, "arrow", partial(_arrow_rule, cells, shaft))]
        if len(cells) == 1 and shaft:
            made = {kind: partial(make, named([*cells, *shaft]), None) for kind, make in ARROWS.items()}
            ideas += [self.idea(kind, 0, sign, colour, "line", make) for kind, make in made.items()]
        self.used.update(map(id, circles))
        return Reading((*group, *circles), f"{look} {' '.join(named(path))}", ("arrow", len(cells)), tuple(ideas))

    def _beside(self, stroke: Stroke, group: tuple[Stroke, ...], look: str) -> Reading:
        """Interpret an arrow outside the board: with a number in the same place it is a little killer clue."""
        names = self.ray(stroke.points[0], stroke.points[-1])
        beside = (m for m in self.by_cell.get(cell_of(stroke.points[0]), ()) if id(m) not in self.used)
        numbers = (m for m in beside if m.text.strip().isdecimal())
        number = min(numbers, key=lambda m: dist(m.centre, stroke.points[0]), default=None)
        if not names or number is None:
            return Reading(group, f"{look} beside the board", ("beside",), ())
        total = int(number.text.strip()[:6])
        self.used.add(id(number))
        sign = "a number and an arrow along a diagonal"
        idea = self.idea("LittleKiller", 2, sign, "", "clue", lambda: r.LittleKiller(names, total))
        return Reading((*group, number), f"{look} with {total} along {' '.join(names)}", ("beside",), (idea,))

    # ---- marks, shades and cages

    def _marks(self) -> Iterator[Reading]:
        """Yield the reading of each mark that belongs to no line, then of shaded areas and cages."""
        cages = [self._cage(mark) for mark in self.marks if mark.cells]
        free = (mark for mark in self.marks if id(mark) not in self.used and not mark.cells)
        left = [m for m in free if m.text or not (m.fill or m.border) or name_of(m.fill) or name_of(m.border)]
        left = [mark for mark in left if not self._adorns(mark)]
        large = (mark for mark in left if not (mark.round or mark.text) and min(mark.height, mark.width) > WHOLE)
        shades = {mark: [cell for cell in covered(mark) if self.inside(cell)] for mark in large}
        yield from (self._mark(mark) for mark in left if not shades.get(mark))
        yield from self._areas(shades)
        yield from cages

    def _adorns(self, mark: Mark) -> bool:
        """Return whether a mark beside the board is an ornament, such as a title, and no clue of which words speak."""
        if all(0 < at < size for at, size in zip(mark.centre, (self.shape.height, self.shape.width), strict=True)):
            return False
        if not mark.text and any(map(self.inside, covered(mark))):
            return False
        if named := frozenset(re.findall(r"[^\W\d_]{3,}|©", mark.text.lower())):
            told = frozenset().union(*(one.words for one in self.words.telling))
            small = len(named) == 1 and max(mark.height, mark.width) < 1.5
            stated = _NUMERAL.search(mark.text.lower()) or re.search(r"[:=]\s*\d", mark.text)
            if "clue" in self.words.things and (small or stated):
                return False  # it may be a clue in letters
            return named.isdisjoint(told) or (len(named) > 1 and not re.search(r"\d", mark.text))
        return self.words.tell and not says_something(mark.text) and mark.text.strip() not in _DOTS

    def _mark(self, mark: Mark) -> Reading:
        cells = self.cells_around(mark.centre)
        names = named(cells)
        if len(cells) == 2:
            ideas, where = self._pair(mark, names), f"between {' and '.join(names)}"
        elif len(cells) == 4:
            ideas, where = self._corner(mark, names), f"at the corner of {' '.join(names)}"
        elif len(cells) == 1:
            ideas, where = self._single(mark, names[0]), f"in {names[0]}"
        else:
            ideas, where = self._outside(mark), "beside the board"
        like = (len(cells), mark.round, mark.turned, name_of(mark.fill), mark.text.strip() if len(cells) == 2 else "")
        return Reading((mark,), f"{_look(mark)} {where}", like, tuple(ideas))

    def _pair(self, mark: Mark, names: Names) -> Iterator[Idea]:
        text = mark.text.strip()
        if text in _DOTS:
            mark, text = replace(mark, text="", round=True, fill=_DOTS[text]), ""
        downwards = text == "v" and self._has_signs
        if text in ("X", "V", "x", "v"):
            total, sign = 10 if text in "Xx" else 5, f"{text.upper()} between two cells"
            yield self.idea("XV", 0 if downwards else 2, sign, "", "sign", lambda: r.XV(names, total))
        if text in _SIGNS:
            ordered = names if _SIGNS[text] == ">" else names[::-1]
            sure = 2 if downwards or text != "v" else 0
            yield self.idea("Greater", sure, "a sign between two cells", "", "sign", lambda: r.Greater(ordered))
        if text.isdecimal():
            for kind, make in BETWEEN.items():
                number, colour = partial(make, names, int(text[:6])), "black" if tone(mark.fill) == "black" else ""
                yield self.idea(kind, 0, "a number between two cells", colour, "sum", number)
        fill, thing, said = tone(mark.fill), "border" if text else "dot", next(self.words.naming("Difference"), None)
        dot = mark.round and max(mark.height, mark.width) <= DOT and (not text or text.isdecimal())
        bar = not (text or mark.turned) and min(mark.height, mark.width) <= DOT / 2 < max(mark.height, mark.width)
        if dot and fill == "black":
            ratio = partial(r.Ratio, names, int(text[:4]) if text else 2)
            yield self.idea("Ratio", 2, "a black dot between two cells", "", thing, ratio)
        elif (dot and fill in ("white", "")) or (bar and fill != "black"):
            sign = f"a {'white dot' if dot else 'bar'} between two cells"
            step = partial(int, text[:4]) if text else partial(dot_step, said)
            yield self.idea("Difference", 1 + dot, sign, "", thing, lambda: r.Difference(names, step()))

    @cached_property
    def _has_signs(self) -> bool:
        """Whether a v between two cells is rather a sign that points down than the letter."""
        texts = {mark.text.strip() for mark in self.marks}
        return not texts.isdisjoint(("<", ">", "^")) and texts.isdisjoint(("x", "X", "V"))

    def _corner(self, mark: Mark, names: Names) -> Iterator[Idea]:
        if _DIGITS.match(mark.text):
            text = mark.text.strip()
            apart = re.search(r"[\s,]", text) or len(self.shape.values) > 9
            values = tuple(map(int, re.split(r"[\s,]+", text) if apart else list(text)))
            if not self.shape.contents.issuperset(values):  # digits in two rows
                values = tuple(map(int, re.sub(r"[\s,]+", "", text)))
            sign = "digits in a circle at a corner" if mark.round else "digits at a corner"
            if self.shape.contents.issuperset(values):
                yield self.idea("Quadruple", 1 + mark.round, sign, "", "corner", lambda: r.Quadruple(names, values))
            if mark.text.strip().isdecimal():
                total = int(mark.text)
                yield self.idea("CornerSum", 0, "a number at a corner", "", "sum", lambda: r.WeightedSum(names, total))

    def _single(self, mark: Mark, name: str) -> Iterator[Idea]:
        """Interpret a digit as given, a grey circle as odd and a grey square as even, unless words say otherwise."""
        text = mark.text.strip()
        given = bool(self.solution) or not self.words.tell  # else words may give it another meaning
        plain = not (mark.fill or mark.border or mark.round) and all(abs(at % 1 - 0.5) <= 0.1 for at in mark.centre)
        inner = (one for one in self.by_cell[cell_of(mark.centre)] if one.text and is_inside(one.centre, 0.1))
        others = (one for one in inner if one is not mark)  # candidates
        if given and plain and text in map(str, self.shape.values) and all(map(in_corner, others)):
            yield Idea("OneOf", ENOUGH, ("a digit in a cell",), partial(r.OneOf, name, (int(text),)))
        if text or mark.turned:
            return
        colour = self.called(mark.fill) or self.called(mark.border)
        other = _SQUARE if mark.round else _ROUND
        for kind, odd in (("Odd", True), ("Even", False)):
            if next(self.words.naming(kind), None) and not self.words.said(kind, colour, other):
                continue
            usual = (name_of(mark.fill) or name_of(mark.border)) == "grey" and mark.round == odd
            sign = f"a grey {'circle' if odd else 'square'} in a cell" if usual else ""
            yield self.idea(kind, int(usual), sign, "", "cell", partial(r.Parity, name, odd))
        yield from (
            idea for idea in self._of_cell(name, colour, "a mark in a cell", other) if idea.kind not in ("Odd", "Even")
        )
        if mark.round and next(self.words.naming("CountingCircles"), None):
            yield self.idea("CountingCircles", 1, "a circle in a cell", "", "cell", self._counting)

    def _of_cell(self, name: str, colour: str, sign: str, other: str) -> Iterator[Idea]:
        """Yield what the sentences say of the values of marked cells, unless they are about those of another form."""
        for kind, make in CELLS.items():
            if (said := self.words.said(kind, colour, other)) is not None:
                rule = partial(make, name, said, self.shape.values)
                yield self.idea(kind, 0, sign, colour, "cell", rule)

    @cached_property
    def _counting(self) -> Callable[[], Rule]:
        """Makes the rule of all circles in cells."""
        free = (m for m in self.marks if id(m) not in self.used)
        marks = (m for m in free if m.round and not m.text and not m.cells and min(m.height, m.width) >= BULB)
        places = [self.cells_around(mark.centre) for mark in marks]
        return partial(r.CountingCircles, named(dict.fromkeys(cells[0] for cells in places if len(cells) == 1)))

    def _outside(self, mark: Mark) -> Iterator[Idea]:
        row, column = cell_of(mark.centre)
        row = min(max(row, -1), self.shape.height) if -2 <= row <= self.shape.height + 1 else row  # a second ring
        column = min(max(column, -1), self.shape.width) if -2 <= column <= self.shape.width + 1 else column
        names = self._in_grid(outside(self.shape.height, self.shape.width).get((row + 1, column + 1), ()))
        text = mark.text.strip()
        if names and text.isdecimal():
            # a frame sum adds the first three cells, if the words say so, or those in the first box
            boxes = [self.shape.region_of[self.shape.cell(name)] for name in names]
            three = any(one.words & {"3", "three"} for one in self.words.naming("FrameSum")) or boxes[0] is None
            framed = names[: 3 if three else boxes.count(boxes[0])]
            said = " ".join(one.lower for one in self.words.naming("Sandwich"))
            others = set(re.findall(r"\b1 and (?:the )?(\d+)", said)) - {str(self.shape.values[-1])}
            for kind, make in BESIDE.items() if not others else ():  # it adds what is between the least and the largest
                rule = partial(make, framed if kind == "FrameSum" else names, int(text[:6]))
                yield self.idea(kind, 0, "a number beside a row or column", "", "clue", rule)

    def _areas(self, shades: Mapping[Mark, Sequence[Cell]]) -> Iterator[Reading]:
        """Yield shaded areas: connected cells of one colour."""
        colours: dict[str, dict[Cell, Mark]] = {}
        pairs = ((mark, cell) for mark, cells in shades.items() for cell in cells)
        for mark, cell in islice(pairs, 20 * MOST):  # so that many large shades take no longer than many small ones
            colours.setdefault(mark.fill or mark.border, {}).setdefault(cell, mark)
        for colour, cells in colours.items():
            places = {row * self.shape.width + column for row, column in cells}
            whole = sum(len(region) for region in self.shape.regions if places.issuperset(region))
            if len(cells) in (self.shape.cells, whole) and not next(self.words.naming("MagicSquare"), None):
                continue  # which tells nothing of any cell
            groups = self._groups(self.called(colour), sorted(cells))
            if len(groups) > 1 and next(self.words.naming("Clone"), None):
                groups = [tuple(cell for group in groups for cell in group)]
            for group in groups:
                marks = tuple({id(cells[cell]): cells[cell] for cell in group}.values())
                yield self._area(colour, tuple(group), marks)

    def _groups(self, colour: str, cells: Sequence[Cell]) -> list[Sequence[Cell]]:
        """Return the areas of shaded cells: each cell alone if a sentence speaks about the values of such cells."""
        if any(self.words.said(kind, colour) for kind in CELLS) and not self.words.said("ExtraRegion", colour):
            return [(cell,) for cell in cells]
        size = len(self.shape.values)
        windows = len(cells) % size == 0 and len(cells) > size
        return [cells] if len(cells) == size and not windows else list(touching(cells))

    def _area(self, colour: str, cells: Sequence[Cell], marks: tuple[Mark, ...]) -> Reading:
        names, shade = named(cells), self.called(colour)
        look, size = f"{described(colour, 'shade')} of {' '.join(names)}", len(self.shape.values)
        ideas = list(self._of_cell(names[0], shade, "a shaded cell", _ROUND)) if len(names) == 1 else []
        said = self.words.said("ExtraRegion", shade)
        if len(names) == size or (1 < len(names) < size and said and not said.words.isdisjoint(("repeat", "distinct"))):
            sign = "as many cells as there are values" if len(names) == size else "a shaded area"
            region = partial(r.ExtraRegion, names)
            ideas.append(self.idea("ExtraRegion", 0, sign, shade, "region", region))
            ideas.append(self.idea("MagicSquare", 0, sign, shade, "region", partial(magic, names)))
        groups = [sorted(group) for group in touching(cells)]
        forms = {tuple((row - group[0][0], column - group[0][1]) for row, column in group) for group in groups}
        if len(groups) > 1 and len(forms) == 1:
            first, *copies = map(named, groups)
            make = partial(r.AllOf, tuple(r.Clone(first, copy) for copy in copies))
            one = partial(r.Clone, first, copies[0])
            sign = "areas of one colour and form"
            ideas.append(self.idea("Clone", 0, sign, shade, "region", one if len(copies) == 1 else make))
        return Reading(marks, look, ("shade", shade), tuple(ideas))

    def _cage(self, mark: Mark) -> Reading:
        text, shapes = mark.text.strip(), [mark]
        if not text:  # the number in the upper left corner of its first cell
            first = min(divmod(self.shape.cell(name), self.shape.width) for name in mark.cells)
            numbers = (one for one in self.by_cell.get(first, ()) if one.text.strip().isdecimal())
            if (number := next(filter(in_corner, numbers), None)) is not None:
                text, shapes = number.text.strip(), [mark, number]
                self.used.add(id(number))
        total = int(text[:6]) if text.isdecimal() else None
        look = f"a cage {' '.join(mark.cells)}" + (f" with {text[:20]!r}" if text else "")
        if not total and text:
            return Reading(tuple(shapes), look, ("cage", text), ())
        sign = "a cage that shows a number" if total else ""
        idea = self.idea("KillerCage", int(bool(total)), sign, "", "cage", lambda: r.KillerCage(mark.cells, total))
        values, size = self.shape.values, len(mark.cells)
        no_sum = total and not sum(values[:size]) <= total <= sum(values[-size:])
        free = no_sum or (not total and any(one.repeats_in_cages for one in self.words.sentences))
        made = {kind: partial(make, mark.cells, total) for kind, make in CAGES.items()}
        filled = not total and any(self.words.naming("FilledCage"))  # that its digits are distinct may be said too
        scores = {kind: int(filled and kind == "FilledCage") for kind in made}
        ideas = [self.idea(kind, scores[kind], sign, "", "line", make) for kind, make in made.items()]
        if not total and size == len(values):
            region = partial(r.ExtraRegion, mark.cells)
            ideas.append(self.idea("ExtraRegion", 0, "as many cells as there are values", "", "region", region))
        return Reading(tuple(shapes), look, ("cage", bool(total)), tuple(ideas if free else [idea, *ideas]))

    # ---- colours and places

    def called(self, colour: str) -> str:
        """Return the word for a colour, that of the text if it has one."""
        return self._called.get(colour) or name_of(colour)

    @cached_property
    def _called(self) -> Mapping[str, str]:
        seen = [*(stroke.colour for stroke in self.strokes), *(mark.fill or mark.border for mark in self.marks)]
        return called(seen, {word for one in self.words.telling for word in one.colours})

    @cached_property
    def by_cell(self) -> Mapping[Cell, list[Mark]]:
        """The marks by the cell in which their centres lie."""
        return grouped((cell_of(mark.centre), mark) for mark in self.marks)

    def around(self, point: Point) -> Iterator[Mark]:
        """Yield the marks whose centres lie in the cell of a point or next to it."""
        row, column = cell_of(point)
        for i in (row - 1, row, row + 1):
            for j in (column - 1, column, column + 1):
                yield from self.by_cell.get((i, j), ())

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.shape.height and 0 <= cell[1] < self.shape.width

    def cells_around(self, centre: Point) -> tuple[Cell, ...]:
        """Return the cells around a point: one, two at a border, four at a corner; () for other points."""
        axes: list[tuple[int, ...]] = []
        for value in centre:
            if abs(value - round(value)) <= _NEAR:
                axes.append((round(value) - 1, round(value)))
            else:
                axes.append((floor(value),) if abs(value - floor(value) - 0.5) <= 0.3 else ())
        rows, columns = axes
        found = tuple(product(rows, columns))
        return found if all(map(self.inside, found)) else ()

    def path(self, stroke: Stroke) -> tuple[Cell, ...] | None:
        """Return the cells of the board that a line passes through in order; see ``path_of``."""
        found = path_of(stroke.points)
        return found if found is not None and all(map(self.inside, found)) else None

    def ray(self, start: Point, towards: Point) -> Names:
        """Return the diagonal of cells that a diagonal arrow beside the board points along; () if there is none."""
        down, right = ((b - a > 1e-6) - (b - a < -1e-6) for a, b in zip(start, towards, strict=True))
        if not down or not right:
            return ()
        end = (towards[0] + down * 0.01, towards[1] + right * 0.01)
        places = ((row + 1, column + 1) for row, column in map(cell_of, (start, end)))
        rays = (ray(self.shape.height, self.shape.width, place, (down, right)) for place in places)
        return next(filter(None, map(self._in_grid, rays)), ())

    def _in_grid(self, names: Names) -> Names:
        """Return the first cells of a row, a column or a diagonal that are in one grid, if there are several grids."""
        side, places = len(self.shape.values), map(self.shape.cell, names)
        if side == max(self.shape.height, self.shape.width):
            return names
        used = takewhile(lambda cell: self.shape.region_of[cell] is not None, places)
        return tuple(self.shape.names[cell] for cell in islice(used, side))


def fitting(rule: Rule, shape: Shape) -> Board:
    """Return a board with a rule; raise ValueError if no filled board can satisfy it, or if it does not fit there."""
    if isinstance(rule, _DISTINCT) and len(set(rule.cells)) > len(shape.values):
        raise ValueError(f"its {len(set(rule.cells))} cells cannot differ with {len(shape.values)} values")
    board = Board(shape, (rule,))
    board.check()
    return board


_ROUND, _SQUARE = "circle", "square"
_BY_COLOUR = frozenset({"Renban", "RegionSumLine", "Palindrome", "Entropic", "Modular"})
"""Lines that their colour tells without words."""
_SIGNS = {**dict.fromkeys("<^∧˄⌃ᐸᐱ⋀‹＜", "<"), **dict.fromkeys(">∨˅⌄ᐳᐯ⋁›＞v", ">")}
"""Signs between two cells, with the left (upper) cell before the right (lower) one."""
_DOTS = {**dict.fromkeys("●⚫⬤•", "black"), **dict.fromkeys("○◯⚪", "white")}
"""Texts that are dots."""
_NUMERAL = re.compile(r"\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twen|thir|for)ty)\b")
_DIGITS = re.compile(r"\s*\d{1,2}(?:[\s,]*\d{1,2}){0,3}\s*\Z")


def _arrow_rule(circle: Sequence[Cell], shaft: Sequence[Cell]) -> Rule:
    if not shaft:
        raise ValueError("its shaft crosses no cell")
    if len(circle) == 1:
        return r.Arrow(named([*circle, *shaft]))
    return r.PillArrow(named(sorted(circle)), named(shaft))


def described(colour: str, what: str) -> str:
    """Return a description with the colour: "a green line"."""
    text = f"{name_of(colour)} {what}".strip()
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def _look(mark: Mark) -> str:
    if mark.text and not (mark.fill or mark.border):
        return f"the text {mark.text[:20]!r}"
    what = described(mark.fill or mark.border, "circle" if mark.round else "diamond" if mark.turned else "rectangle")
    return f"{what} with {mark.text[:20]!r}" if mark.text else what


def named(cells: Iterable[Cell]) -> Names:
    return tuple(f"R{row + 1}C{column + 1}" for row, column in cells)


def holds(mark: Mark, point: Point) -> bool:
    sizes = (mark.height, mark.width)
    return all(abs(a - b) <= size / 2 + 0.05 for a, b, size in zip(mark.centre, point, sizes, strict=True))


def covered(mark: Mark) -> tuple[Cell, ...]:
    """Return the cells of which a mark covers the middle, at most MOST, row by row; they may be outside the board."""
    rows, columns = (
        range(floor(at - size / 2 + 0.5), floor(at + size / 2 - 0.5) + 1)
        for at, size in zip(mark.centre, (mark.height, mark.width), strict=True)
    )
    return tuple(islice(product(rows, columns), MOST)) if len(columns) <= MOST else ()
