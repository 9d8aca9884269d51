# ruff: noqa: E501
"""Documents as setters publish them with SudokuPad: a drawing, the rules in words, and perhaps the solution.

``documents`` makes one for each wording of each kind of rule. The rules hold in the stated solution.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.puzzle import RulesJudge

SOLUTION = "426813579578926314193574286345162897781349625269758143614237958957681432832495761"
GRID = [[int(SOLUTION[9 * i + j]) for j in range(9)] for i in range(9)]
NINE = Shape.square(9)
BOXES = [[[3 * a + i, 3 * b + j] for i in range(3) for j in range(3)] for a in range(3) for b in range(3)]
Cell = tuple[int, int]
GREY, GREEN, ORANGE, PURPLE, BLUE = "#CFCFCF", "#67F067", "#FF9A00", "#F067F0", "#2ECBFF"
RED, TEAL, PEACH, YELLOW, DARK = "#E6261F", "#30C9B0", "#FFCCAA", "#FFE060", "#2E6BFF"


def holds(rule: r.Rule) -> bool:
    return not RulesJudge(NINE, (rule,), (rule,)).violated(dict(zip(NINE.names, map(int, SOLUTION), strict=True)))


def name(cell: Cell) -> str:
    return f"R{cell[0] + 1}C{cell[1] + 1}"


def walk(random: Random, least: int, most: int, used: set[Cell]) -> list[Cell] | None:
    """Return a random path of cells that touches no used cell."""
    cell = (random.randrange(9), random.randrange(9))
    path, length = [cell], random.randint(least, most)
    while cell not in used and len(path) < length:
        steps = [(cell[0] + a, cell[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        steps = [s for s in steps if min(s) >= 0 and max(s) < 9 and s not in path and s not in used]
        if not steps:
            return None
        cell = random.choice(steps)
        path.append(cell)
    return path if cell not in used else None


def point(cell: Cell) -> list[float]:
    return [cell[0] + 0.5, cell[1] + 0.5]


def circle(cell: Cell, colour: str = "#FFFFFF", size: float = 0.8, **more: Any) -> dict[str, Any]:
    return {"center": point(cell), "width": size, "height": size, "rounded": True, "backgroundColor": colour, **more}


@dataclass
class Page:
    """A document in the making: its drawings, and the rules that they mean."""

    random: Random
    drawings: dict[str, list[Any]] = field(default_factory=dict)
    rules: list[r.Rule] = field(default_factory=list)
    used: set[Cell] = field(default_factory=set)

    def put(self, key: str, *items: dict[str, Any]) -> None:
        self.drawings.setdefault(key, []).extend(items)

    def find(self, make: Any, least: int, most: int) -> tuple[list[Cell], r.Rule]:
        """Return a path on which a rule holds in the solution."""
        for _ in range(400_000):
            path = walk(self.random, least, most, self.used)
            if path and len(path) >= least:
                try:
                    rule = make(tuple(map(name, path)))
                except (ValueError, ZeroDivisionError):
                    continue
                if rule is not None and holds(rule):
                    self.used.update(path)
                    self.rules.append(rule)
                    return path, rule
        raise AssertionError("no place found")

    def lines(self, make: Any, colour: str, count: int = 3, least: int = 3, most: int = 5) -> None:
        for _ in range(count):
            path, _ = self.find(make, least, most)
            self.put("lines", {"wayPoints": [point(c) for c in path], "color": colour, "thickness": 10})

    def thermos(self, make: Any = r.Thermo, colour: str = GREY, count: int = 3) -> None:
        for _ in range(count):
            path, _ = self.find(make, 3, 5)
            self.put("lines", {"wayPoints": [point(c) for c in path], "color": colour, "thickness": 20})
            self.put("underlays", circle(path[0], colour, borderColor=colour))

    def ended(self, make: Any, turned: bool = False, count: int = 2) -> None:
        for _ in range(count):
            path, _ = self.find(make, 3, 5)
            self.put("lines", {"wayPoints": [point(c) for c in path], "color": "#999999", "thickness": 8})
            ends = (circle(end, borderColor="#999999", **({"angle": 45, "rounded": False} if turned else {}))
                    for end in (path[0], path[-1]))  # fmt: skip
            self.put("underlays", *ends)

    def arrows(self, count: int = 3) -> None:
        for _ in range(count):
            path, _ = self.find(r.Arrow, 3, 4)
            self.put("arrows", {"wayPoints": [point(c) for c in path], "color": "#000000", "headLength": 0.3})
            self.put("overlays", circle(path[0], borderColor="#000000"))

    def cages(self, summed: bool = True, count: int = 4, repeat: bool = False) -> None:
        for _ in range(count):

            def make(cells: tuple[str, ...]) -> r.Rule | None:
                places = sorted(cells, key=NINE.cell)
                values = [int(SOLUTION[NINE.cell(c)]) for c in places]
                if repeat:
                    return r.WeightedSum(tuple(places), sum(values)) if len(set(values)) < len(values) else None
                return r.KillerCage(tuple(places), sum(values) if summed else None)

            path, rule = self.find(make, 3 if repeat else 2, 4)
            cage = {"cells": [list(c) for c in sorted(path)], **({"value": str(rule.total)} if summed else {})}
            self.put("cages", cage)

    def pairs(self, make: Any, draw: dict[str, Any], count: int = 6) -> None:
        """Put marks between neighbours."""
        found = 0
        while found < count:
            a = (self.random.randrange(9), self.random.randrange(9))
            b = (a[0] + 1, a[1]) if self.random.random() < 0.5 else (a[0], a[1] + 1)
            if max(b) < 9 and not {a, b} & self.used:
                rule = make((name(a), name(b)))
                if holds(rule):
                    self.used |= {a, b}
                    self.rules.append(rule)
                    self.put("overlays", {"center": [(a[0] + b[0]) / 2 + 0.5, (a[1] + b[1]) / 2 + 0.5], **draw})
                    found += 1

    def all_pairs(self, make: Any, draw: dict[str, Any]) -> None:
        """Put a mark between any two neighbours for which a rule holds."""
        for i, j in ((i, j) for i in range(9) for j in range(9)):
            for b in ((i + 1, j), (i, j + 1)):
                if max(b) < 9 and holds(rule := make((name((i, j)), name(b)))):
                    self.rules.append(rule)
                    self.put("overlays", {"center": [(i + b[0]) / 2 + 0.5, (j + b[1]) / 2 + 0.5], **draw})

    def quads(self, count: int = 3) -> None:
        for _ in range(count):
            i, j = self.random.randrange(8), self.random.randrange(8)
            cells = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)]
            values = tuple(sorted(self.random.sample([GRID[a][b] for a, b in cells], 2)))
            self.rules.append(r.Quadruple(tuple(map(name, cells)), values))
            text = " ".join(map(str, values))
            self.put("overlays", {"center": [i + 1, j + 1], "width": 0.6, "height": 0.6, "rounded": True,
                                  "backgroundColor": "#FFFFFF", "borderColor": "#000000", "text": text})  # fmt: skip

    def parity(self, odd: bool, count: int = 5) -> None:
        cells = [(i, j) for i in range(9) for j in range(9) if GRID[i][j] % 2 == odd]
        for cell in self.random.sample(cells, count):
            self.rules.append(r.Parity(name(cell), odd))
            self.put("underlays", circle(cell, GREY) if odd else {**circle(cell, GREY), "rounded": False})

    def outside(self, kind: Any, count: int = 5) -> None:
        for row in self.random.sample(range(9), count):
            cells = tuple(name((row, j)) for j in range(9))
            value = next(v for v in range(46) if holds(kind(cells, v)))
            self.rules.append(kind(cells, value))
            self.put("overlays", {"center": [row + 0.5, -0.5], "width": 1, "height": 1, "text": str(value)})

    def little_killers(self, count: int = 3) -> None:
        for column in self.random.sample(range(1, 8), count):
            cells = [(k, column + k) for k in range(9 - column)]
            total = sum(GRID[a][b] for a, b in cells)
            self.rules.append(r.LittleKiller(tuple(map(name, cells)), total))
            self.put("arrows", {"wayPoints": [[-0.4, column - 0.4], [-0.05, column - 0.05]], "color": "#000000"})
            self.put("overlays", {"center": [-0.5, column - 0.5], "width": 1, "height": 1, "text": str(total)})

    def regions(self, colour: str = "#B0B0B0") -> None:
        for _ in range(1):
            path, _ = self.find(lambda cells: r.ExtraRegion(tuple(sorted(cells, key=NINE.cell))), 9, 9)
            self.put(
                "underlays", *({"center": point(c), "width": 1, "height": 1, "backgroundColor": colour} for c in path)
            )

    def text(self, said: str, solution: bool, givens: str = "." * 81) -> str:
        cells = [
            [({"value": givens[9 * i + j]} if givens[9 * i + j] != "." else {}) for j in range(9)] for i in range(9)
        ]
        facts = {"title": "Made", "author": "A setter", "rules": said} | ({"solution": SOLUTION} if solution else {})
        return json.dumps({"cells": cells, "regions": BOXES, "metadata": facts, **self.drawings})

    def puzzle(self) -> Puzzle:
        return Puzzle.empty(NINE).with_rules(*dict.fromkeys(self.rules))


DOT = {"width": 0.3, "height": 0.3, "rounded": True, "borderColor": "#000000"}
WHITE, BLACK = {**DOT, "backgroundColor": "#FFFFFF"}, {**DOT, "backgroundColor": "#000000"}


def xv(page: Page) -> None:
    page.pairs(lambda cells: r.XV(cells, 10), {"text": "X", "width": 0.4, "height": 0.4}, 4)
    page.pairs(lambda cells: r.XV(cells, 5), {"text": "V", "width": 0.4, "height": 0.4}, 2)


def kropki(page: Page) -> None:
    page.pairs(lambda cells: r.Difference(cells, 1), WHITE, 5)
    page.pairs(lambda cells: r.Ratio(cells, 2), BLACK, 3)


def all_kropki(page: Page) -> None:
    page.all_pairs(lambda cells: r.Difference(cells, 1), WHITE)
    page.all_pairs(lambda cells: r.Ratio(cells, 2), BLACK)
    page.rules.append(r.StrictKropki())


def greater(page: Page) -> None:
    for row in range(1, 9, 2):
        left, right = (row, 3), (row, 4)
        more = GRID[row][3] > GRID[row][4]
        page.rules.append(r.Greater(tuple(map(name, (left, right) if more else (right, left)))))
        page.put("overlays", {"center": [row + 0.5, 4], "width": 0.3, "height": 0.3, "text": ">" if more else "<"})


KINDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "thermo": (lambda p: p.thermos(), (
        "Digits along thermometers increase from the bulb end.",
        "Along each thermometer, digits must strictly increase starting at the bulb.",
        "Thermometers: digits get larger moving away from the bulb.",
    )),
    "slow thermo": (lambda p: p.thermos(r.SlowThermo), (
        "Digits along a slow thermometer either increase or stay the same from the bulb to the tip.",
        "Digits along thermometers must not decrease from the bulb end.",
        "Thermos are slow: moving away from the bulb, digits increase or remain equal.",
    )),
    "arrow": (lambda p: p.arrows(), (
        "Digits along an arrow sum to the digit in the attached circle.",
        "The digit in each circle equals the sum of the digits along its arrow. Digits may repeat on arrows.",
        "Arrow: the digits on the shaft add up to the circled digit.",
    )),
    "whisper": (lambda p: p.lines(r.Whisper, GREEN, 2, 3, 4), (
        "Adjacent digits along a green line must differ by at least 5.",
        "German Whispers: neighbouring digits on the green lines have a difference of at least five.",
        "Green lines are German whisper lines.",
    )),
    "dutch whisper": (lambda p: p.lines(lambda c: r.Whisper(c, 4), ORANGE, 2, 3, 4), (
        "Dutch whispers: adjacent digits on an orange line differ by at least 4.",
        "Neighboring digits along orange lines must have a difference of at least four.",
        "Orange lines are Dutch Whispers.",
    )),
    "three apart": (lambda p: p.lines(lambda c: r.Whisper(c, 3), TEAL, 2), (
        "Adjacent digits along the teal lines must differ by at least 3.",
        "On turquoise lines neighbouring digits differ by three or more.",
    )),
    "renban": (lambda p: p.lines(r.Renban, PURPLE, 2, 3, 4), (
        "Purple lines contain a set of consecutive digits in any order.",
        "Renban: each pink line contains a set of consecutive, non-repeating digits in any order.",
        "Digits on a purple line form a non-repeating consecutive set, which can be in any order.",
    )),
    "nabner": (lambda p: p.lines(r.Nabner, YELLOW, 2, 3, 4), (
        "Nabner: no two digits on a yellow line may be consecutive or equal.",
        "Gold lines are nabner lines: no two digits anywhere on the line are consecutive, and digits do not repeat.",
    )),
    "palindrome": (lambda p: p.lines(r.Palindrome, GREY, 2, 3, 4), (
        "Grey lines are palindromes.",
        "Palindromes: digits along a gray line read the same in both directions.",
        "Grey lines read the same forwards and backwards.",
    )),
    "between": (lambda p: p.ended(r.Between), (
        "Digits on a line must be strictly between the digits in the circles at its ends.",
        "Between lines: digits on the line have values between those in the two circles.",
        "Digits along lines between two circles must have values strictly between the circled digits.",
    )),
    "lockout": (lambda p: p.ended(r.Lockout, True), (
        "Lockout lines: diamond endpoints differ by at least 4, digits on the line are not between or equal to the ends.",
        "Digits on a line with diamonds at its ends must be outside the range of the diamond digits, which differ by 4 or more.",
        "The digits in the diamonds at the ends of a line must be at least 4 apart. Digits along the line may not be in the range defined by the diamonds.",
    )),
    "double arrow": (lambda p: p.ended(r.DoubleArrow), (
        "Double arrows: digits on the line between the two circles sum to the same total as the digits in the circles.",
        "The sum of the digits in the two circles equals the sum of the digits on the line between them.",
    )),
    "region sum": (lambda p: p.lines(r.RegionSumLine, BLUE, 2, 4, 5), (
        "Box borders divide the blue lines into segments with the same sum.",
        "Region sum lines: digits along each blue line have an equal sum N within each box it passes through.",
        "Digits on a blue line have the same sum in each 3x3 box the line visits.",
    )),
    "zipper": (lambda p: p.lines(r.Zipper, "#C7A7FF", 2, 3, 5), (
        "Zipper lines: digits an equal distance from the middle of a lavender line sum to the digit in the centre.",
        "Lavender lines are zippers.",
        "On purple lines, digits that are equidistant from the centre of the line have the same sum. If the line has an odd length, this is the digit in the middle.",
    )),
    "entropic": (lambda p: p.lines(r.Entropic, PEACH, 2, 3, 5), (
        "Any three consecutive digits on a peach line contain one of each of low (123), middle (456) and high (789).",
        "Entropic lines: any set of three sequential cells on an orange line must contain a low, a medium and a high digit.",
        "Peach lines are entropic: every group of three adjacent cells holds a digit from {1,2,3}, {4,5,6} and {7,8,9}.",
    )),
    "modular": (lambda p: p.lines(lambda c: r.Modular(c, 3), TEAL, 2, 3, 5), (
        "Modular lines: any three adjacent digits on a teal line have different remainders when divided by 3.",
        "Every set of three sequential digits on a teal line contains one digit from {1,4,7}, one from {2,5,8} and one from "
        "{3,6,9}.",
    )),
    "parity": (lambda p: p.lines(r.AlternatingParity, RED, 2, 4, 6), (
        "Digits along a red line alternate between odd and even.",
        "Red lines are parity lines: adjacent digits have different parity.",
        "Parity alternates along the red lines.",
    )),
    "same parity": (lambda p: p.lines(r.EqualParity, RED, 2, 4, 5), (
        "Digits on a red line are either all odd or all even.",
        "All digits on a red line have the same parity.",
    )),
    "ten lines": (lambda p: p.lines(lambda c: r.SumLine(c, 10), "#888888", 2, 4, 6), (
        "Ten lines: each grey line can be divided into one or more non-overlapping groups that sum to 10.",
        "Gray lines are 10-lines: they can be cut into contiguous segments each summing to 10.",
    )),
    "killer": (lambda p: p.cages(), (
        "Digits in cages do not repeat and sum to the total in the top left corner.",
        "Killer cages: the digits in a cage add up to the clue in its corner. Digits cannot repeat within a cage.",
        "Normal killer rules apply.",
    )),
    "bare cages": (lambda p: p.cages(False), (
        "Digits may not repeat within cages.",
        "Digits in a cage are all different.",
    )),
    "cages with repeats": (lambda p: p.cages(repeat=True, count=3), (
        "Cages show their sums. Digits may repeat in cages if allowed by other rules.",
        "Digits in a cage sum to the number shown. Cages may contain repeated digits.",
    )),
    "kropki": (kropki, (
        "White dots separate consecutive digits, and black dots digits in a 1:2 ratio.",
        "Cells separated by a white dot contain consecutive digits; cells separated by a black dot have one digit double the "
        "other. Not all dots are necessarily given.",
        "Digits joined by a white dot are consecutive. Digits joined by a black dot have a ratio of 1:2. There is no negative "
        "constraint.",
    )),
    "all kropki": (all_kropki, (
        "White dots join consecutive digits, black dots join digits in the ratio 2:1. All possible dots are given.",
        "A white dot means that two digits are consecutive, a black dot that one is twice the other. All dots are shown.",
    )),
    "xv": (xv, (
        "Digits separated by an X sum to 10, digits separated by a V sum to 5.",
        "Cells joined by X add up to ten and cells joined by V add up to five. Not all Xs and Vs are given.",
        "XV pairs: X means a sum of 10, V a sum of 5.",
    )),
    "greater": (greater, (
        "Inequality signs point to the smaller digit.",
        "The wide end of a < sign faces the greater digit.",
    )),
    "quad": (lambda p: p.quads(), (
        "Digits in a circle must appear in the four surrounding cells.",
        "Quadruples: the digits in circles must be placed at least once in the four cells touching the circle.",
        "A circle at a corner lists digits that appear in the surrounding 2x2.",
    )),
    "odd": (lambda p: p.parity(True), (
        "Cells with a grey circle contain odd digits.",
        "Shaded circles are odd.",
        "A circled cell is odd.",
    )),
    "even": (lambda p: p.parity(False), (
        "Cells with a grey square contain even digits.",
        "Gray squares must be even.",
        "Shaded squares hold even digits.",
    )),
    "little killer": (lambda p: p.little_killers(), (
        "Numbers outside the grid give the sum of the digits along the indicated diagonal.",
        "Little killer clues: digits along the arrow sum to the number. Digits may repeat along diagonals.",
        "Digits along arrows outside the grid sum to the total at the arrow's base.",
    )),
    "sandwich": (lambda p: p.outside(r.Sandwich), (
        "Clues outside the grid give the sum of the digits between the 1 and the 9 in that row or column.",
        "Sandwich sums are given outside the grid.",
        "Numbers outside a row show the sum of the digits sandwiched between 1 and 9.",
    )),
    "x-sum": (lambda p: p.outside(r.XSum), (
        "X-Sums: a number outside the grid is the sum of the first X digits seen from there, where X is the first digit.",
        "A clue outside the grid shows the sum of the first X cells, X being the first cell's digit.",
    )),
    "skyscraper": (lambda p: p.outside(r.Skyscraper), (
        "Numbers outside show how many skyscrapers are visible from there; higher buildings hide lower ones.",
        "Skyscrapers: treat digits as buildings, clues outside count the visible ones.",
        "Each digit is a building of that height. A clue shows the number of buildings seen in its row from that side.",
    )),
    "numbered room": (lambda p: p.outside(r.NumberedRoom), (
        "Numbered rooms: a clue outside is the digit in the Xth cell, where X is the digit in the first cell.",
    )),
    "extra region": (lambda p: p.regions(), (
        "The grey area is an extra region, which contains the digits 1-9 once each.",
        "Shaded cells form an extra region in which digits do not repeat.",
        "The shaded area also contains the digits 1 to 9.",
    )),
}  # fmt: skip
CHAT = ("", "Normal sudoku rules apply.", "Normal Sudoku rules apply. Have fun!",
        "Place the digits 1-9 once each in every row, column and 3x3 box.")  # fmt: skip


@dataclass(frozen=True)
class Document:
    """A document, the rules that it means, and whether it states the solution."""

    name: str
    said: str
    text: str
    rules: frozenset[r.Rule]
    page: Page = field(compare=False, hash=False)


def documents(solution: bool = False) -> Iterator[Document]:
    """Yield a document for each wording of each kind."""
    for number, (kind, (draw, wordings)) in enumerate(KINDS.items()):
        for place, wording in enumerate(wordings):
            page = Page(Random(100 * number + place))
            draw(page)
            said = f"{CHAT[(number + place) % len(CHAT)]} {wording}".strip()
            yield Document(f"{kind} {place + 1}", said, page.text(said, solution), frozenset(page.rules), page)


def all_cells(kind: Any, *numbers: int, rows: bool = False) -> frozenset[r.Rule]:
    return frozenset(kind(f"R{i}C{j}") for i in range(1, 10) for j in range(1, 10) if (i if rows else j) in numbers)


DIAGONALS = frozenset({r.Diagonal(False), r.Diagonal(True)})
WHOLE: tuple[tuple[frozenset[r.Rule], tuple[str, ...]], ...] = (
    (frozenset({r.AntiKnight()}), (
        "Cells separated by a knight's move (in chess) cannot contain the same digit.",
        "Identical digits may not be a knight's move apart.",
        "Anti-knight: digits cannot repeat a knights move away.",
    )),
    (frozenset({r.AntiKing()}), (
        "Cells a king's move apart cannot contain the same digit.",
        "Diagonally adjacent cells may not contain the same digit.",
        "Identical digits cannot touch each other, not even diagonally.",
    )),
    (frozenset({r.AntiKnight(), r.AntiKing()}), (
        "Cells a knight's move or a king's move apart cannot contain the same digit.",
    )),
    (frozenset({r.NonConsecutive()}), (
        "Orthogonally adjacent digits may not be consecutive.",
        "Consecutive digits must not be placed in orthogonally adjacent cells.",
        "Nonconsecutive: no two adjacent cells contain consecutive digits.",
    )),
    (DIAGONALS, (
        "Each main diagonal contains the digits 1-9 once each.",
        "Digits may not repeat along either main diagonal.",
        "Both diagonals must contain the digits 1 to 9.",
    )),
    (frozenset({r.DisjointGroups()}), (
        "Cells in the same position within their 3x3 boxes must contain different digits.",
        "Disjoint groups rules apply.",
    )),
    (frozenset({r.GlobalEntropy()}), (
        "Every 2x2 area contains at least one low digit (1-3), one medium digit (4-6) and one high digit (7-9).",
        "Global entropy: each 2\u00d72 square must have a low, a middle and a high digit.",
    )),
    (frozenset({r.DutchFlatmates()}), (
        "Every 5 must have a 1 directly above it or a 9 directly below it.",
        "Dutch flat mates: each 5 has a 1 above or a 9 below.",
    )),
    (all_cells(r.ColumnIndexer, 1, 5, 9), (
        "Columns 1, 5 and 9 are index columns: a digit in them gives the column of that row in which 1, 5 or 9 is.",
        "Digits in columns 1, 5 and 9 indicate the column in which the digit 1, 5 or 9 respectively appears in that row.",
    )),
    (all_cells(r.ColumnIndexer, 1), ("The digit in column 1 of each row indicates the column in which the 1 is placed.",)),
    (all_cells(r.RowIndexer, 1, 9, rows=True), ("Rows 1 and 9 are indexing rows.",)),
    (frozenset(), ("Good luck and have fun!", "By A Setter", "Normal sudoku rules.", "Standard sudoku rules apply.",
                   "Fill the grid with the digits 1-9 so that no digit repeats in any row, column or box.")),
)  # fmt: skip
"""Sentences that are rules for the whole board."""

STRANGE: tuple[tuple[Any, str], ...] = (
    (
        lambda p: p.lines(r.Whisper, GREEN, 2, 3, 4),
        "On green lines the sum of the first two digits equals the sum of the rest.",
    ),
    (
        lambda p: p.lines(r.RegionSumLine, BLUE, 2, 3, 4),
        "Fibonacci lines: each digit on a blue line is the sum of the two before.",
    ),
    (lambda p: p.thermos(), "Index lines: the Nth digit on a line is the position of N on it."),
    (lambda p: p.lines(r.Renban, PURPLE, 2, 3, 4), "The product of the digits on a purple line is a square."),
    (lambda p: p.lines(r.Palindrome, GREY, 2, 3, 4), "Each grey line is a snake that eats its way through the grid."),
    (lambda p: p.pairs(r.Difference, WHITE), "Digits separated by a white dot add up to a prime."),
    (lambda p: p.pairs(lambda c: r.Ratio(c, 2), BLACK), "A black dot joins digits of which one divides the other."),
    (lambda p: p.parity(True), "Circled cells are greater than all their neighbours in the same box by some rule."),
    (lambda p: p.arrows(), "The digit at the start of an arrow says how many different digits lie on it."),
)
"""Drawings to which the words give a meaning that no rule has."""

VALUED = (
    "Every row, column and box contains one doubler, whose digit counts double in cages. Digits in cages sum to the total.",
    "Zombies count as zero towards cage totals.",
    "Each cell has a value, which is the digit or its negative; cages show the sum of values.",
)
"""Sentences that change what a cage's total means."""
