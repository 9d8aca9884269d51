"""Reads a document as its setter meant it: rules that only the words state, drawings, and the solution as a witness.

A sentence that states a rule for the whole board becomes a proposal like a drawing. A sentence that makes a rule weaker
("digits may repeat in cages") changes the rules that were read. A rule that the stated solution breaks was misread: it
leaves the puzzle's rules and is listed with the drawings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product, takewhile
from typing import Any

from ..model import domain
from ..puzzle import rules as r
from ..puzzle.drawn import Drawn, Mark, Stroke
from ..puzzle.puzzle import Puzzle
from ..puzzle.rules.board import Board
from ..puzzle.rules.rule_base import Rule
from ..puzzle.rules.words import sentence_of as described
from ..puzzle.rules.words import title_of
from ..puzzle.shape import Shape
from .drawn import Sheet
from .lexicon import Patterns, says, sections
from .regions import shape_of_regions
from .said import ARROWS, CAGES, MEASURES, magic, relation
from .sketch import MOST, composed
from .words import LONGEST, OF_ITSELF, Sentence, Words, sentence_of, shortened, spoken, words_of

_LIST = r"((?:\d{1,2}(?:,? and |, ?| ?& ?| )?)+)"
Cells = tuple[int, ...]
Made = Callable[[Sheet, Sentence, tuple[Rule, ...]], Iterable[Rule]]
"""Makes the rules that a sentence states for the board of a document, beside other rules."""


def as_meant(puzzle: Puzzle, text: str, strokes: Sequence[Stroke], marks: Sequence[Mark]) -> Puzzle:
    """Return a puzzle whose rules fit the words and the stated solution, with proposals for shapes and sentences.

    ``text`` holds the rules in words. Shapes beyond the limit are noted.
    """
    words = words_of(text)
    puzzle, unusual = _of_values(puzzle, words)
    if not (words or strokes or marks or puzzle.stated or unusual):
        return puzzle
    notes = list(puzzle.notes)
    if len(strokes) + len(marks) > MOST:
        notes.append(f"{len(strokes) + len(marks)} shapes are drawn: only the first {MOST} are examined")
    if len(text) > LONGEST:
        notes.append(f"the rules in words have {len(text):,} characters: only the first {LONGEST:,} are read")
    marks = [mark for mark in marks[:MOST] if len(mark.text) < 4 or mark.text.strip() != puzzle.title]
    kept, marks = composed(strokes[:MOST], marks, puzzle.shape)
    solution, broken, note = _witness(puzzle, words)
    notes += [note] if note else []
    puzzle, freed = _without_houses(puzzle, words, solution, broken)
    sheet = Sheet(puzzle.shape, kept, marks[: max(0, MOST - len(kept))], words, solution)
    caged = [rule for rule in puzzle.rules if isinstance(rule, r.KillerCage) and rule.total is not None]
    shown = bool(solution) and not sheet.broken(caged, puzzle.rules)
    rules, doubted = _weakened(puzzle.rules, words, shown)
    misread = sheet.broken(rules, rules)
    believed = tuple(rule for rule in rules if rule not in misread)
    drawn = [*unusual, *freed]
    drawn += (Drawn((), "a rule of the document", rule, (why,), misread=True) for rule, why in misread.items())
    told = [*doubted, *puzzle.drawn]
    broken_too = sheet.broken([one.rule for one in told if one.rule is not None], rules)
    drawn += (
        replace(one, reasons=(broken_too[one.rule],), misread=True) if one.rule in broken_too else one for one in told
    )
    for one in sheet.drawn():
        why = _doubt(one.rule, words, shown) if one.rule is not None else ""
        drawn.append(replace(one, rule=None, reasons=(why,), misread=False) if why else one)
    drawn = [one for one in drawn if one.rule is None or one.misread or one.rule not in believed]
    known = dict.fromkeys((*believed, *(one.rule for one in drawn if one.rule is not None and not one.misread)))
    drawn += _sentences(sheet, tuple(known), words)
    return replace(puzzle, rules=believed, drawn=tuple(drawn), notes=tuple(notes))


ZEROS = (0, "0")
"""What is written in open cells, or as a given where 0 is a value."""


def with_zeros(puzzle: Puzzle, written: Sequence[object]) -> Puzzle:
    """Return the puzzle with the givens that are written as 0, where 0 is a value and does not stand for open cells."""
    zeros = {index for index, value in enumerate(written) if value in ZEROS and value is not False}
    open_cells = all(value in (None, "", *ZEROS) for value in written)
    if open_cells or 0 not in puzzle.shape.values or any(len(zeros & {*x.cells}) > 1 for x in puzzle.shape.houses):
        return puzzle
    return replace(puzzle, givens=tuple(0 if i in zeros else given for i, given in enumerate(puzzle.givens)))


def _witness(puzzle: Puzzle, words: Words) -> tuple[dict[str, int], list[Cells], str]:
    """Return the stated values by cell, the houses in which one repeats, and a note if they are not used.

    No cell is stated if there is no solution, or none that can be one; that it contradicts a given is noted elsewhere.
    """
    shape = puzzle.shape
    found = {name: value for name, value in zip(shape.names, puzzle.stated or (), strict=False) if value is not None}
    if any(given not in (None, found.get(x, given)) for x, given in zip(shape.names, puzzle.givens, strict=True)):
        return {}, [], ""
    known = {cell: found[name] for cell, name in enumerate(shape.names) if name in found}
    filled = [(house.cells, [known[x] for x in house.cells if x in known]) for house in shape.houses]
    broken = [cells for cells, values in filled if len(set(values)) < len(values)]
    if len(broken) * 2 > len(shape.houses) and not any(one.drops_sudoku for one in words.sentences):
        repeated = _repeated(shape, broken[0], found)
        return {}, [], f"{repeated}, and values in most rows, columns and regions: it is not used"
    return found, broken, ""


def _without_houses(
    puzzle: Puzzle, words: Words, solution: Mapping[str, int], broken: Sequence[Cells]
) -> tuple[Puzzle, list[Drawn]]:
    """Return the puzzle without rows, columns and regions in which the words or the solution allow equal values."""
    shape, said = puzzle.shape, next((one for one in words.sentences if one.drops_sudoku), None)
    if said is None and not broken:
        return puzzle, []
    regions = () if said else tuple(region for region in shape.regions if region not in broken)
    lines = shape.lines and not said and all(cells in shape.regions for cells in broken)
    why = shortened(said.text) if said else _repeated(shape, broken[0], solution)
    freed = [] if said else [Drawn((), "rows, columns or regions may repeat values", None, (why,))]
    try:
        other = shape_of_regions(shape.width, regions, height=shape.height, lines=lines)
        return replace(puzzle, shape=other), freed
    except ValueError:  # a rule that needs them
        return puzzle, [Drawn((), "rows, columns or regions may repeat values", None, (why,))]


def _of_values(puzzle: Puzzle, words: Words) -> tuple[Puzzle, list[Drawn]]:
    """Return the puzzle with the values that a sentence states for the board, and the sentences that do not fit it."""
    shape, unread = puzzle.shape, list[Drawn]()
    for one in words.sentences:
        if one.values is None or tuple(one.values) == tuple(shape.values):
            continue
        if len(one.values) == len(shape.values) and set(puzzle.givens) <= {None, *one.values}:
            stated = puzzle.stated
            if stated and 0 in one.values and stated.count(None) == shape.height == shape.width:
                stated = tuple(value or 0 for value in stated)
            puzzle = replace(puzzle, shape=replace(shape, values=domain(one.values)), stated=stated)
        else:
            unread.append(Drawn((), _look(one), sentence=one.text))
    return puzzle, unread


def _repeated(shape: Shape, cells: Cells, solution: Mapping[str, int]) -> str:
    """Say which two of some cells have the same value in a solution."""
    names = [shape.names[cell] for cell in cells if shape.names[cell] in solution]
    first, second = next((a, b) for i, b in enumerate(names) for a in names[:i] if solution[a] == solution[b])
    return f"the stated solution repeats {solution[first]} in {first} and {second}"


# ---- sentences that make rules weaker

_SUMMED = (r.WeightedSum, r.Arrow, r.PillArrow, r.LittleKiller, r.Sandwich, r.XSum, r.RegionSumLine)


def _weakened(rules: tuple[Rule, ...], words: Words, shown: bool) -> tuple[tuple[Rule, ...], list[Drawn]]:
    """Return the rules as the words weaken them, and those that words put in doubt.

    Cages in which digits may repeat are sums. Where cells count otherwise than as their digits, no sum is believed.
    """
    if any(one.repeats_in_cages for one in words.sentences):
        rules = tuple(
            r.WeightedSum(rule.cells, rule.total) if isinstance(rule, r.KillerCage) and rule.total is not None else rule
            for rule in rules
        )
    doubts = {rule: _doubt(rule, words, shown, _CAGED) for rule in rules}
    doubted = [Drawn((), str(rule), None, (why,)) for rule, why in doubts.items() if why]
    if doubted:
        return tuple(rule for rule in rules if not doubts[rule]), doubted
    return _otherwise(rules, words)


_CAGED = (r.KillerCage, r.WeightedSum)
"""What the cages of a document with a number are."""


def _doubt(rule: Rule, words: Words, shown: bool, cages: tuple[type[Rule], ...] = (r.KillerCage,)) -> str:
    """Return why a rule is not believed, because the words change what is added or compared; "" if it is believed.

    Words about cages must say what their numbers are, unless a solution shows that they are sums.
    """
    caged = isinstance(rule, cages) and getattr(rule, "total", None) is not None
    said = (one for kind in _kinds_of(rule) for one in words.naming(kind))
    # of values, which may not be the digits
    if words.valued and (caged or isinstance(rule, _SUMMED) or any(re.search(r"\bvalues?\b", x.lower) for x in said)):
        return f"cells may not count as their digits: {shortened(words.valued.text)!r}"
    told = words.telling if caged and not shown else ()
    about = [one for one in told if one.about("cage") and not one.words.isdisjoint(_SHOWN)]
    if not about or any(not one.kinds.isdisjoint(_OF_CAGES) or one.repeats_in_cages for one in about):
        return ""
    return f"its number may mean something else: {shortened(about[0].text)!r}"


_SHOWN = frozenset(sections()["shown"]["cage"][0].split())
"""The words of sentences that say what the number in a cage means."""
_OF_CAGES = frozenset(["KillerCage", *CAGES])
"""The kinds by which a sentence says what a cage's number means."""


def _otherwise(rules: tuple[Rule, ...], words: Words) -> tuple[tuple[Rule, ...], list[Drawn]]:
    """Return the rules without the sums in cages and on arrows to which the words give another meaning, and those."""
    drawn = list[Drawn]()
    for usual, kinds in (("KillerCage", CAGES), ("Arrow", ARROWS)):
        kind = next((kind for kind in kinds if next(words.naming(kind), None)), None)
        if kind is None or any("sum" in one.words and kind not in one.kinds for one in words.naming(usual)):
            continue
        reason = f"the rules name {spoken(kind)}: {shortened(next(words.naming(kind)).text)!r}"
        changed = [rule for rule in rules if usual in _kinds_of(rule) and getattr(rule, "total", 0) is not None]
        drawn += [Drawn((), str(rule), _as_kind(kinds[kind], rule), (reason,)) for rule in changed]
        rules = tuple(rule for rule in rules if rule not in changed)
    return rules, drawn


def _as_kind(make: Callable[[tuple[str, ...], int | None], Rule], rule: Any) -> Rule | None:
    """Return what a cage, or an arrow, says if it is of another kind; None if it cannot be one."""
    try:
        return make(tuple(dict.fromkeys(rule.cells)), getattr(rule, "total", None))
    except ValueError:
        return None


# ---- sentences that are rules


def _sentences(sheet: Sheet, known: tuple[Rule, ...], words: Words) -> Iterator[Drawn]:
    """Yield the rules that sentences state, and the sentences that are not read."""
    own = {title_of(rule): described(rule) for rule in known}
    titles = {sentence_of(title).plain: sentence_of(f"{title} {said}").words for title, said in own.items()}
    found, stating = dict.fromkeys(known), set[Sentence]()
    for one in words.telling:
        stated = [] if words.doubts(one) else list(_stated(sheet, one, tuple(found)))
        new = [rule for rule in dict.fromkeys(stated) if rule not in found]
        broken = sheet.broken(new, (*found, *new))
        for rule in new:
            why = (broken[rule],) if rule in broken else ()
            yield Drawn((), _look(one), rule, why, misread=rule in broken, sentence=one.text)
        found |= {rule: None for rule in new if rule not in broken}
        stating.update([one] if stated else [])
    named = {kind for rule in (*known, *found.keys() & {r.StrictKropki()}) for kind in _kinds_of(rule)}
    summed = any(isinstance(rule, r.WeightedSum | r.LookAndSay) for rule in known)
    for one in words.telling:
        titled = (head := sentence_of(one.text.partition(":")[0]).plain) in titles and one.words <= titles[head]
        others = says("without mark", one.lower) or says("but others", one.lower) or one.words & _OF_BOARD
        more = others or "Diagonal" in one.kinds - named  # it says more than the rules that it names
        named_here = frozenset() if more else (one.kinds | one.explains) & named
        weaker = one.permits or one.drops_sudoku or (one.repeats_in_cages and summed)
        if not (one in stating or titled or named_here or weaker):
            yield Drawn((), _look(one), sentence=one.text)


def _look(sentence: Sentence) -> str:
    return f'the sentence "{shortened(sentence.text)}"'


_OF_BOARD = frozenset(["antiknight", "antiking", "knight", "king", "disjoint", "diagonally", "windoku"])
"""Words that no rule of a drawn thing takes."""


def _kinds_of(rule: Rule) -> Iterator[str]:
    kind = type(rule).__name__
    yield kind
    yield from _ALSO.get(kind, ())
    if isinstance(rule, r.Parity):
        yield "Odd" if rule.odd else "Even"


_ALSO = {kind: rows[0].split() for kind, rows in sections()["also"].items()}
"""Further names of kinds."""


def _stated(sheet: Sheet, sentence: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield the rules for the whole board that a sentence states; those that do not fit the board are left out."""
    if sentence.is_hedged or says("lifted", sentence.plain) or "wrong" in sentence.words:
        return
    if sheet.strokes and _marks_diagonals(sentence):
        return
    for part in _parts(sentence.text, lambda one: next(_everywhere_stated(sheet, one, known), None) is not None):
        yield from _everywhere_stated(sheet, sentence_of(part), known)


_JOINT = re.compile(r"\s*(?:[;.]\s|,?\s(?:and|while|whereas|but)\b)\s*", re.IGNORECASE)


def _parts(text: str, states: Callable[[Sentence], bool]) -> list[str]:
    """Cut a sentence into parts each of which states a rule about subjects of its own, if it consists of such."""
    joints = [joint.span() for joint in _JOINT.finditer(text)][:8]
    starts, found = [0, *(end for _, end in joints)], dict[int, list[str]]()
    for start in reversed(starts):  # the ways to cut what follows
        for stop, end in (*joints, (len(text), -1)):
            rest = [] if end < 0 else found.get(end)
            part = sentence_of(text[start:stop])
            if stop > start and rest is not None and (not start or _SUBJECT & part.words) and states(part):
                found[start] = [part.text, *rest]
                break
    return found.get(0, [text])


_SUBJECT = OF_ITSELF | {"nonconsecutive", "disjoint", "entropy", "modulo", "2x2", "row", "column", "diagonal", "1to9"}


def _everywhere_stated(sheet: Sheet, sentence: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield the rules for the whole board that a sentence without parts states."""
    rules, left = list[Rule](), sentence.beyond(frozenset())
    for make, taken in _STATED["board"].met(sentence.words).items():
        if rules and left.isdisjoint(taken):  # it says again what is known
            continue
        found = _made(make, sheet, sentence, known)
        rules += found
        if found:
            left -= taken
            left -= {word for word in left if make in _MEASURED and (word.isdecimal() or word in MEASURES)}
    yield from [] if left else rules  # rules for all cells must take all its words
    for make in _STATED["freely"].met(sentence.words):
        yield from _made(make, sheet, sentence, known)


def _made(make: Made, sheet: Sheet, sentence: Sentence, known: tuple[Rule, ...]) -> list[Rule]:
    """Return the rules that a sentence states for a board, or for each of its grids; none if they do not fit it."""
    grids = [rule for rule in known if isinstance(rule, r.SubGrid)]
    try:
        found = list(make(sheet, sentence, known))
        if grids:
            shared = sum(x.height * x.width for x in grids) > sum(map(len, sheet.shape.regions))
            shared = shared or bool(says("across grids", sentence.lower))
            moves = [_MOVES[type(rule)] for rule in found if type(rule) in _MOVES and not shared]
            found = [_near(sheet.shape, grids, near, int.__ne__) for near in moves]
        Board(sheet.shape, (*known, *found)).check()
    except ValueError:
        return []
    return found


def _diagonals(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield both diagonals, or those that are named, unless they are drawn."""
    text = said.lower
    drawn = _marks_diagonals(said) and (not says("several diagonals", text) or "cell" in said.words)
    if drawn or says("any diagonals", text):
        return
    if sheet.shape.height == sheet.shape.width and not any(
        isinstance(rule, r.Diagonal | r.LittleKiller) for rule in known
    ):
        negative, positive = says("falling", text), says("rising", text)
        if not negative and not positive and says("edges", text):
            return
        yield from [r.Diagonal(False)] if negative or not positive else []
        yield from [r.Diagonal(True)] if positive or not negative else []


def _marks_diagonals(said: Sentence) -> bool:
    return "diagonal" in said.words and bool(said.colours or said.words & {"colour", "indicate", "indicated", "mark"})


def _equal_cages(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield that all cages without a number have one sum."""
    cages = tuple(rule.cells for rule in known if isinstance(rule, r.KillerCage) and rule.total is None)
    yield from [r.EqualSums(cages)] if len(cages) > 1 else []


def _negative(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield the rules that all marks of some kinds are given."""
    text = said.lower
    denied, limited = "never" in said.words, "unless" in said.words
    if not says("denies marks" if denied else "all given", said.plain) or (limited and not denied):
        return
    of_marks = not said.words.isdisjoint(("neversum", "unconsecutive")) and not says("unmarked", said.plain)
    if of_marks or says("other than marks", text):  # what cells with a mark never do
        return
    kinds, pairs = {type(rule) for rule in known}, {r.Difference: "white|difference", r.Ratio: "black|ratio"}
    others = says("other pairs", text)
    if others or said.words & {"unless", "unconsecutive"}:  # the sentence says itself what needs a dot
        pairs = {r.Difference: f"{pairs[r.Difference]}|consecutive", r.Ratio: f"{pairs[r.Ratio]}|double|twice|1:2"}
    named = [kind for kind, word in pairs.items() if re.search(rf"\b(?:{word})\b", text)]
    if others and kinds.isdisjoint(named or (r.XV,)):
        return  # other than pairs that are not read
    explained = [kind for kind in pairs if kind in kinds or next(sheet.words.naming(kind.__name__), None)]
    marked = named or (explained if not kinds.isdisjoint(pairs) else [])
    if said.text.lower().startswith("all such") and not named and r.XV in kinds and marked:
        return  # which of them is not said
    dotted = re.search(r"\b(?:dots?|kropki|pearls?)\b", text) or (marked and text.startswith("all such"))
    letters = set(re.findall(r"\b(?:([xv])'?s?|x'?s?/?v'?s?)\b", text))
    if "sum" in said.words and ("5" in said.words) != ("10" in said.words):
        yield _unmarked(sheet.shape, known, 5 if "5" in said.words else 10)
    elif len(letters) == 1 and letters < {"x", "v"}:
        yield _unmarked(sheet.shape, known, 5 if letters == {"v"} else 10)
    elif re.search(_LETTERS, text) or (r.XV in kinds and not (marked if dotted or "sum" not in said.words else ())):
        yield r.StrictXV()
    elif len(marked) == 1:
        yield r.StrictRatio() if marked == [r.Ratio] else r.NonConsecutive(True)
    elif marked or dotted:
        yield r.StrictKropki()


def _unmarked(shape: Shape, known: tuple[Rule, ...], total: int) -> Rule:
    """Return the rule that neighbours without an X or a V do not have one letter's sum, whatever the other's."""
    marked = {frozenset(rule.cells) for rule in known if isinstance(rule, r.XV)}
    allowed = tuple((a, b) for a in shape.values for b in shape.values if a + b != total)
    right = [(f"R{i}C{j}", f"R{i}C{j + 1}") for i in range(1, shape.height + 1) for j in range(1, shape.width)]
    down = [(f"R{i}C{j}", f"R{i + 1}C{j}") for i in range(1, shape.height) for j in range(1, shape.width + 1)]
    return r.AllOf(tuple(r.Pair(pair, allowed) for pair in (*right, *down) if frozenset(pair) not in marked))


_LETTERS = r"\b(?:xv|x|v)\b|\bx'?s\b|\bv'?s\b"
_COUNTED = "one first two second three third four fourth five fifth six sixth seven seventh eight eighth nine ninth"
_NUMBERS = {word: f"{place // 2 + 1}{'th' * (place % 2)}" for place, word in enumerate(_COUNTED.split())}
_EDGES = {"column": "left(?:most|-hand)?", "row": "top(?:most)?"}


def _indexers(kind: Callable[[str], Rule], which: str) -> Made:
    """Return a function that yields indexers for the cells of the rows or columns that a sentence lists."""
    edge = re.compile(rf"\b{_EDGES[which]} (?:{which}|digit|cell)s?\b")
    listed = re.compile(rf"\b{which}s? {_LIST}|((?:\d{{1,2}}(?:st|nd|rd|th)(?:,? and |, ?| )?)+){which}s?\b")

    def make(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
        text = edge.sub(f"{which} 1", re.sub(r"\b[a-z]+\b", lambda word: _NUMBERS.get(word[0], word[0]), said.lower))
        numbers = {int(number) for found in listed.finditer(text) for number in re.findall(r"\d+", found[0])}
        if {int(number) for number in re.findall(r"\bof (?:the |all )?(?:digit )?(\d+)s?\b", text)} - numbers:
            return  # the places of another digit
        for name in sheet.shape.names:
            row, column = map(int, re.findall(r"\d+", name))
            if (column if which == "column" else row) in numbers:
                yield kind(name)

    return make


def _magic_boxes(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield that the boxes that a sentence names are magic squares."""
    names = [
        [sheet.shape.names[cell] for cell in region] for region in sheet.shape.regions if sheet.shape.box == (3, 3)
    ]
    numbers = [int(n) for found in re.findall(rf"\bbox(?:es)? {_LIST}", said.lower) for n in re.findall(r"\d+", found)]
    if re.search(r"\b(?:cent(?:ral|re|er)|middle) (?:3x3|box|nonet|region)", said.lower):
        numbers.append(5)
    elif re.search(r"\b(?:each|every|all)(?: of)?(?: the)?(?: nine)? box", said.lower):
        numbers = list(range(1, 10))
    yield from (magic(names[number - 1]) for number in dict.fromkeys(numbers) if 1 <= number <= len(names))


def _squares(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield for each 2 x 2 square that it is not wholly of one of the named sorts: odd, even, low, high."""
    text = said.lower
    sorts = [odd for name, odd in (("odd", True), ("even", False)) if name in text]
    sorts = sorts or ([True, False] if "parity" in text else [])
    for i in range(1, sheet.shape.height):
        for j in range(1, sheet.shape.width):
            square = (f"R{i}C{j}", f"R{i}C{j + 1}", f"R{i + 1}C{j}", f"R{i + 1}C{j + 1}")
            yield from (r.AnyOf(tuple(r.Parity(cell, not odd) for cell in square)) for odd in sorts)


_MOVES: Mapping[type[Rule], str] = {r.AntiKnight: "knight", r.AntiKing: "king"}
"""The rules that are read for each of several grids, and the step after which cells differ."""
_STEPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "adjacent": ((0, 1), (1, 0)),
    "diagonal": ((1, 1), (1, -1)),
    "king": ((0, 1), (1, 0), (1, 1), (1, -1)),
    "knight": ((1, 2), (1, -2), (2, 1), (2, -1)),
}


def _everywhere(near: str) -> Made:
    """Return a function that makes the rule of all cells that are near each other: their sum, difference, ..."""

    def make(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
        holds = relation(said)
        if near == "adjacent" and any(isinstance(rule, r.XV | r.Difference | r.Ratio) for rule in known):
            raise ValueError("pairs with a mark may be exempt")
        yield _near(sheet.shape, (), near, holds)

    return make


def _near(shape: Shape, grids: Sequence[r.SubGrid], near: str, holds: Callable[[int, int], bool]) -> Rule:
    """Return the rule of all cells that are near each other on a board, or in one of its grids."""
    allowed = tuple((a, b) for a in shape.values for b in shape.values if holds(a, b))
    boards = [(divmod(shape.cell(one.corner), shape.width), one.height, one.width) for one in grids]
    lines = list[tuple[str, ...]]()
    for (top, left), height, width in boards or [((0, 0), shape.height, shape.width)]:
        places = list(product(range(top + 1, top + height + 1), range(left + 1, left + width + 1)))
        for (down, right), (row, column) in product(_STEPS[near], places):
            if (row - down, column - right) not in places:
                way = ((row + i * down, column + i * right) for i in range(height + width))
                lines.append(tuple(f"R{i}C{j}" for i, j in takewhile(places.__contains__, way)))
    return r.AllOf(tuple(r.Pair(line, allowed) for line in lines if len(line) > 1))


def _knight(sheet: Sheet, said: Sentence, known: tuple[Rule, ...]) -> Iterator[Rule]:
    """Yield that equal values, or the odd or even ones that are named, are no knight's move apart."""
    sort = re.search(r"\b(odd|even) digit\b", said.plain)
    odd = sort is not None and sort[1] == "odd"
    yield r.Leaper(values=tuple(v for v in sheet.shape.values if v % 2 == odd)) if sort else r.AntiKnight()


def _plainly(kind: str, *_: object) -> Iterator[Rule]:
    yield getattr(r, kind)()


_MADE: Mapping[str, Made] = {
    "knight": _knight,
    # where a dot says that neighbours are consecutive, they are
    "nonconsecutive": lambda sheet, said, known: [r.NonConsecutive(any(isinstance(x, r.Difference) for x in known))],
    "adjacent sums": _everywhere("adjacent"),
    "knight sums": _everywhere("knight"),
    "king sums": _everywhere("king"),
    "diagonals": _diagonals,
    "magic boxes": _magic_boxes,
    "equal cages": _equal_cages,
    "negative": _negative,
    "columns": _indexers(r.ColumnIndexer, "column"),
    "rows": _indexers(r.RowIndexer, "row"),
    "squares": _squares,
}
"""What makes rules for the whole board, by the heads of ``words.txt`` that name no kind of rule."""
_MEASURED = frozenset(make for name, make in _MADE.items() if name.endswith(("sums", "magic boxes")))
"""The makers of rules that take the numbers in a sentence."""
_STATED = {
    section: Patterns((_MADE.get(name) or partial(_plainly, name), rows) for name, rows in sections()[section].items())
    for section in ("board", "freely")
}
