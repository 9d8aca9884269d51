"""The rules in words: the kinds of rules that each sentence names, with colours and numbers.

A sentence names a kind by its usual name or by what it says ("differ by at least 5"). Sentences that only say that this
is a Sudoku, or wish good luck, say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from itertools import chain
from operator import itemgetter

from .colours import COLOUR_WORDS, family
from .lexicon import Patterns, expression, is_known, plain, says, sections
from .regions import grouped

LONGEST = 10_000
"""The number of characters of a text that are examined."""
_MOST_SENTENCES = 300
_LONGEST_NAME = 4
"""The number of words from which on a part of a list explains a rule, and not only names it."""
_LONGEST_PART = 800
"""The number of characters that are examined at once, where nothing ends a sentence."""
_LONGEST_SENTENCE = 400
"""The number of characters of a sentence: a longer one is cut, since patterns take time that grows with its square."""

# ---- what sentences name

_PATTERNS, _EXPLAINED = (Patterns(sections()[name].items()) for name in ("kinds", "explained"))
_OVER = {kind: rows[0].split() for kind, rows in sections()["over"].items()}
_ANYWHERE = Patterns([(True, sections()["places"]["anywhere"])])
"""Neighbours on the whole board, not along lines."""
_OF_BOARD = Patterns((head, rows) for name in ("board", "freely") for head, rows in sections()[name].items())
"""The rules for the whole board that a sentence may state."""
_ASIDES = re.compile(rf"\b(?:{'|'.join(sorted(sections()['asides'], key=len, reverse=True))})\b")
_HARMLESS = {word: frozenset(" ".join(rows).split()) for word, rows in sections()["harmless"].items()}
"""Words that limit no rule for the whole board, in sentences with some word."""
_DOUBTFUL, _DOUBTFUL_OF_LINES = (frozenset(" ".join(rows).split()) for rows in sections()["doubtful"].values())
"""Words with which a sentence, or one about lines, means more than a kind says, unless they name the kind."""
_DENIABLE = frozenset(sections()["deniable"]["all"][0].split())
"""What may be denied beside what a sentence says: that digits repeat, an order, gaps."""
_DENIED = re.compile(rf"\bnever (?!(?:(?!consecutive|sum|form|set)\w+ ){{0,4}}(?:{'|'.join(_DENIABLE)})\b)")
"""That something else is denied."""
_USUAL = {kind: frozenset(rows[0].split()) for kind, rows in sections()["usual"].items()}
"""Such words that are usual in sentences about a kind."""
_TOGETHER = [frozenset(rows[0].split()) for rows in sections()["together"].values()]
"""Kinds that one sentence may name, each with its own words."""
_THINGS = {thing: frozenset(rows[0].split()) for thing, rows in sections()["things"].items()}
"""The things that a sentence may speak about."""

_NEAR = frozenset(["knight", "king", "antiknight", "antiking", "diagonally", "touch", "adjacent"])
OF_ITSELF = frozenset(["digit", "cell", "antiknight", "antiking"])
"""Words of which one is in a part of a sentence about neighbours that does not go on about the part before."""
_SUBJECTS = frozenset(" ".join(sections()["subjects"]["all"]).split())
_COLOURED = frozenset(["cell", "cage", "box", "grid", "odd", "even", "low", "high", "prime", "1to9"]).union(
    *(words for thing, words in _THINGS.items() if thing not in ("cell", "region")), ["circle", "square", "region"]
)
"""Words of sentences about coloured things: one that names a colour and has none of them is about lines."""
_OF_SUDOKU = frozenset(" ".join(sections()["sudoku"]["all"]).split())
"""The words of sentences that only say that this is a Sudoku."""
_NUMBER = re.compile(r"(?<![\w.-])\d{1,2}(?![\w-])")
_BESIDE = r"(?:\W|\b(?:and|or|as well as|the|lines?|dots?|cells?)\b)*"
_SIDE_BY_SIDE = re.compile(rf"{COLOUR_WORDS.pattern}(?:{_BESIDE}{COLOUR_WORDS.pattern})*")
_USUAL_ORDER = (
    ({"Odd", "Even"}, ("odd", "even"), ("circle", "square")),
    ({"Difference", "Ratio"}, ("consecutive", "ratio"), ("white", "black")),
)
"""Kinds that a sentence may name together, with a word of each in the order of the usual forms or colours."""
_REPEATING = frozenset(
    ["Arrow", "Between", "DoubleArrow", "LittleKiller", "RegionSumLine", "SumLine", "Whisper"]
).union(["AlternatingParity", "Entropic", "Modular", "Lockout", "Zipper"])
"""The kinds of rules that allow equal digits, so that a sentence says more that denies them."""
_SIZE = re.compile(r"(?:[1-9]|\d+x\d+)\Z")
_END = re.compile(
    r"(?i:(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bmin)(?<!\bmax)(?<!\bresp)(?<!\b[ei](?=\.[ge]\.)))[.!?](?=\s|\Z|[A-Z\"')])"
    r"|;(?!\s*\d[\d,/ ]*(?:[;.\n]|\Z))|[\n\u2022]"
)


def _explained(kind: str, met: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the words that a kind takes, those that are usual for it, and those of kinds that stand beside it."""
    beside = next((kinds & met.keys() for kinds in _TOGETHER if kind in kinds), frozenset())
    return met[kind].union(*(met[one] | _USUAL.get(one, frozenset()) for one in (kind, *beside)))


@dataclass(frozen=True)
class Sentence:
    """A sentence of the rules."""

    text: str

    @cached_property
    def lower(self) -> str:
        """The text in small letters, in which the patterns expect that grey has one spelling."""
        return self.text.lower().replace("gray", "grey")

    @cached_property
    def plain(self) -> str:
        """Its words in one form each, without those that say nothing; see ``lexicon``."""
        return plain(self.lower)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in one form each, in no order; "colour" stands for any colour."""
        found = set(self.plain.split())
        if self.colours - {"black", "white"}:
            found.update(("colour",) if found & _COLOURED else ("colour", "line"))
        return frozenset(found)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of rules that it names."""
        met = _PATTERNS.met(self.words)
        if not met or self.is_hedged or says("some", self.plain) or says("reversed", self.plain):
            return frozenset()
        elsewhere = (self.about("clue") or "cage" in self.words) and says("elsewhere", self.plain)
        again = [sentence_of(one.partition(")")[0]) for one in expression("again").split(self.text)[1:]]
        if elsewhere or any(says("limits", x.text) and met.keys().isdisjoint(x.kinds | x.explains) for x in again):
            return frozenset()
        found = self._sure(met)
        found.difference_update(*(_OVER[kind] for kind in found if kind in _OVER))
        if self._may_repeat:
            found -= {"Renban"}
        if "or" in self.words and len(self.words & {"black", "white"}) == 1 and found >= {"Difference", "Ratio"}:
            found -= {"Difference", "Ratio"}  # dots of one colour with two meanings
        if not found.isdisjoint(_REPEATING) and says("no repeat at all", self.plain):
            return frozenset()
        for kinds, first, second in _USUAL_ORDER:
            if found >= kinds and {self._is_first(*first), self._is_first(*second)} == {True, False}:
                found -= kinds  # the usual colours or forms, the other way round
        if "respectively" in self.words:  # which thing is of which kind is not told apart
            return frozenset()
        chosen = "or" in self.said.split() and len(self.colours) < 2  # this or that, not green or blue
        if chosen and any("or" not in _explained(kind, met) for kind in found):
            return frozenset()
        return frozenset(found)

    def _is_first(self, one: str, other: str) -> bool | None:
        """Return whether one word stands before another; None unless both are there."""
        words = self.plain.split()
        return words.index(one) < words.index(other) if {one, other} <= self.words else None

    def _sure(self, met: Mapping[str, frozenset[str]]) -> set[str]:
        """Return the kinds whose patterns, with what is usual for them, leave no doubtful word of it."""
        doubts = self.words & (_DOUBTFUL | _DOUBTFUL_OF_LINES if "line" in self.words else _DOUBTFUL)
        doubts = doubts and doubts.intersection(self.said.split())
        if not (self.words.isdisjoint(_DENIABLE) or _DENIED.search(self.said)):
            doubts -= {"never"}
        return {kind for kind in met if not doubts or doubts <= _explained(kind, met)}

    @cached_property
    def explains(self) -> frozenset[str]:
        """The kinds of rules of which it may be an explanation, which says nothing that they do not say."""
        return frozenset() if self.is_hedged else frozenset(self._sure(_EXPLAINED.met(self.words)))

    @cached_property
    def colours(self) -> frozenset[str]:
        return frozenset(COLOUR_WORDS.findall(self.lower))

    @cached_property
    def meant(self) -> frozenset[str]:
        """The colours of things of its kinds: those that it names side by side, or each with a number of its own."""
        named = _SIDE_BY_SIDE.search(self.lower)
        numbers = re.findall(_NUMBER, self.lower)
        if named is None or len(numbers) == len(COLOUR_WORDS.findall(self.lower)):
            return self.colours
        return frozenset(COLOUR_WORDS.findall(named[0]))

    @property
    def is_hedged(self) -> bool:
        """Whether it says that what it says does not hold, or not always, not here, or not for certain."""
        return (says("hedged", self.lower) or says("one of several", self.lower)) is not None

    @property
    def tells(self) -> frozenset[str]:
        """What it tells: the kinds that it names, of which neighbours it speaks, or of which rules for the board."""
        near = self.words & _NEAR if _ANYWHERE.met(self.words) else frozenset[str]()
        denied = {"negative"} if "never" in self.words else set[str]()  # marks that are not shown
        return self.kinds or near or frozenset(_OF_BOARD.met(self.words)) - denied

    @property
    def things(self) -> frozenset[str]:
        return self.words & _SUBJECTS | self.looks | self.forms | self.tells & _NEAR

    @property
    def looks(self) -> frozenset[str]:
        """The colours and forms of the things that it names; black and white dots belong together."""
        return (self.colours - {"black", "white"}) | (self.forms if self.words & {"odd", "even"} else frozenset())

    @cached_property
    def forms(self) -> frozenset[str]:
        """The forms of the marks that it names; shaded cells are squares."""
        return self.words & {"circle", "square"} | set(["square"] if "shaded cell" in self.lower else ())

    @cached_property
    def said(self) -> str:
        """Its words in one form each without asides: what must be understood in a rule for all cells."""
        return " ".join(_ASIDES.sub("", self.plain).split())

    def beyond(self, taken: frozenset[str]) -> frozenset[str]:
        """Return its words that are neither taken by rules nor harmless."""
        harmless = (names for word, names in _HARMLESS.items() if word == "always" or word in self.words)
        return frozenset(self.said.split()).difference(taken, *harmless)

    def about(self, thing: str) -> bool:
        """Return whether it speaks about a thing: a line, a dot, an arrow, ..."""
        return not self.words.isdisjoint(_THINGS[thing])

    @cached_property
    def number(self) -> int | None:
        """The number after words such as "at least", "to", "of", or the next after "over"; None if there is none."""
        found = says("stated number", self.said)
        return self._least(int(found[1])) if found else None

    def _least(self, number: int) -> int:
        """Return the least whole number that it means: 5 for "over 4"."""
        return number + 1 if re.search(rf"\bover {number}\b", self.plain) else number

    def number_for(self, colour: str) -> int | None:
        """Return the number for things of a colour: "at least 5 on green lines and 4 on orange ones"."""
        colours, numbers = COLOUR_WORDS.findall(self.lower), re.findall(_NUMBER, self.lower)
        if len(set(numbers)) < 2 or len(numbers) != len(colours):
            return self.number
        return next((self._least(int(n)) for n, one in zip(numbers, colours, strict=True) if one == colour), None)

    @cached_property
    def says_nothing(self) -> bool:
        """Whether it only says that this is a Sudoku, that marks may be missing, or wishes good luck."""
        if says("not all given", self.lower) and not says("but others", self.lower) and not self.kinds:
            return True
        if self.kinds or self.drops_sudoku or _ANYWHERE.met(self.words):
            return False
        denied = "colour" not in self.words and self.is_hedged and _PATTERNS.met(self.words)
        chat = not self.colours and not denied and says("chat", self.lower)
        return self.is_of_sudoku or self.values is not None or bool(chat)

    @property
    def is_of_sudoku(self) -> bool:
        """Whether it says that each row, column and box holds each digit, and no more."""
        words = frozenset(self.plain.split())
        names = not words.isdisjoint(("sudoku", "rule", "grid")) or words >= {"row", "column"}
        names = names or "1to9" in words <= {"use", "digit", "1to9", "with"}
        repeats = "never" not in words or "repeat" in words
        return names and repeats and all(_SIZE.match(word) for word in words - _OF_SUDOKU)

    @cached_property
    def values(self) -> range | None:
        """The values of the whole board that it states, if it says no more; None if it states none."""
        found = says("values", self.lower)
        if not found or int(found[2]) <= int(found[1]):
            return None
        usual = sentence_of(f"{self.lower[: found.start()]} digits 1-9 {self.lower[found.end() :]}")
        return range(int(found[1]), int(found[2]) + 1) if usual.is_of_sudoku else None

    @property
    def permits(self) -> bool:
        """Whether it only allows something that no rule forbids: digits may repeat on arrows."""
        return bool(says("permits", self.lower) and not says("some", self.plain))

    @property
    def repeats_in_cages(self) -> bool:
        """Whether it says that cages may repeat values."""
        return "cage" in self.words and self._may_repeat

    @property
    def _may_repeat(self) -> bool:
        return bool(says("may repeat", self.plain) and not says("may not repeat", self.plain))

    @property
    def drops_sudoku(self) -> bool:
        """Whether it says that rows, columns and boxes may repeat values."""
        return says("without sudoku", self.lower) is not None


sentence_of = lru_cache(maxsize=256)(Sentence)
"""Makes a sentence; one that was read before is kept, with what it says."""


@dataclass(frozen=True)
class Words:
    """The sentences of the rules of a puzzle."""

    sentences: tuple[Sentence, ...]

    def __bool__(self) -> bool:
        """Return whether any sentence says more than that this is a Sudoku."""
        return bool(self.telling)

    @cached_property
    def telling(self) -> tuple[Sentence, ...]:
        return tuple(sentence for sentence in self.sentences if not sentence.says_nothing)

    @cached_property
    def valued(self) -> Sentence | None:
        """The first sentence that says that cells may count otherwise than as their digits."""
        return next((one for one in self.sentences if says("valued", one.lower)), None)

    @cached_property
    def tell(self) -> bool:
        """Whether they tell more than that this is a Sudoku, in English."""
        words = [word for one in self.telling for word in re.findall(r"[^\W\d_]+", one.lower)]
        return bool(self.telling) and (len(words) < 8 or 2 * sum(map(is_known, words)) >= len(words))

    def naming(self, kind: str) -> Iterator[Sentence]:
        return iter(self._by_kind.get(kind, ()))

    def said(self, kind: str, colour: str, not_of: str = "") -> Sentence | None:
        """Return a sentence that names a kind of rule for things of a colour, and not only for those of a form."""
        fit = (one for one in self.naming(kind) if not not_of or one.forms != {not_of})
        named = sorted(fit, key=lambda one: colour not in one.meant)
        return next((one for one in named if _closeness(colour, one.meant) >= 0), None)

    def doubts(self, sentence: Sentence) -> bool:
        """Return whether another sentence says that some rules, of which it may be one, are wrong."""
        return any(not wrong or not wrong.isdisjoint(sentence.words) for wrong in self._wrong)

    @cached_property
    def _wrong(self) -> list[frozenset[str]]:
        """What the sentences speak about that say that not all rules hold; nothing if they mean any rule."""
        found = (one for one in self.telling if not one.kinds)
        return [one.words & _SUBJECTS for one in found if "wrong" in one.words or says("one of several", one.lower)]

    @cached_property
    def _untold(self) -> frozenset[str]:
        """The colours of lines of which some sentence says what is not understood."""
        said = (one for one in self.telling if "line" in one.words and not (one.kinds or one.explains or one.permits))
        return frozenset(chain.from_iterable(one.colours for one in said))

    @cached_property
    def _by_kind(self) -> Mapping[str, list[Sentence]]:
        return grouped((kind, one) for one in self.telling if not self.doubts(one) for kind in one.kinds)

    @cached_property
    def things(self) -> frozenset[str]:
        """The things that the sentences speak about."""
        return frozenset(thing for thing in _THINGS if any(one.about(thing) for one in self.telling))

    def speaks(self, kind: str, colour: str, thing: str) -> tuple[int, str]:
        """Return the score that the text gives a kind of rule for a thing of some colour, and the reason.

        Without a text, each kind gets 0. A line is only of a kind that a sentence names, for its colour if the sentence
        has any; other things may be what they usually are, unless a sentence gives them another meaning.
        """
        if not self.tell:
            return 0, ""
        close = ((_closeness(colour, one.meant), one) for one in self.naming(kind))
        best = max(close, key=itemgetter(0), default=None)
        if best is None:
            other = thing == "line" or thing in self.things
            return (_AGAINST if other else -1), ""
        score, sentence = best
        if score < 0 or (thing == "line" and kind not in _ENDED and not sentence.colours and colour in self._untold):
            return (_AGAINST if thing == "line" else 0), ""
        named = f" and {colour}" if score > _NAMED else ""
        return score, f"the rules name {spoken(kind)}{named}: {shortened(sentence.text)!r}"


_AGAINST, _NAMED = -9, 2
_ENDED = frozenset(["Thermo", "SlowThermo", "FastThermo", "Increasing", "Between", "Lockout", "DoubleArrow"])
"""The kinds of lines that have marks at their ends, whatever their colour."""


def _closeness(colour: str, named: frozenset[str]) -> int:
    """Return how well the colours in a sentence fit that of a thing."""
    return _NAMED if not named or not colour else _NAMED + 2 if colour in named else -1


_PLAIN_SIGNS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00d7": "x", "\u2013": "-"})


@lru_cache(maxsize=16)
def words_of(text: str) -> Words:
    """Split a text into its sentences; one that begins with "they" or "it" belongs to the one before."""
    found, start, head = list[str](), 0, ""
    text = _MARKUP.sub("\n", unescape(text[:LONGEST])).translate(_PLAIN_SIGNS)
    text = _NUMBERED.sub("\n", text) if "1)" in text and "2)" in text else text
    text = "\n".join(_unwrapped(text.split("\n")))
    text = _PARTED.sub(_parted, expression("dashed").sub(r"\1: ", text))
    plain = expression("opening").sub(r"\1\2.", expression("example").sub(" ", text))
    for stop in (*(end.start() for end in _END.finditer(plain)), len(plain)):
        after, part = plain[start - 1 : start], " ".join(plain[start:stop].split())
        if after in ("", "\n") and _BELOW.match(plain, stop) and ":" not in part and _heading(f"{part}:", True):
            part += ":"
        start = stop + 1
        bare = expression("bullet").sub("", part, count=1)
        pieces = [bare[at : at + _LONGEST_PART] for at in range(0, max(1, len(bare)), _LONGEST_PART)]
        listed = chain.from_iterable(map(_listed, pieces))
        for sentence in (one for piece in listed for each in _paired(piece) for one in _by_subject(each)):
            above = _heading(found[-1], coloured=True) if found and found[-1].endswith(":") else ""
            if above and above == found[-1] and not sentence_of(sentence).says_nothing:
                found.pop()
            else:
                above = ""
            if _OF_COLOUR.match(sentence.lower()):
                sentence = f"{head} {sentence}".lstrip()
            else:
                sentence = f"{above} {sentence}".lstrip()
                head = _heading(sentence)
            said = sentence_of(sentence)
            before = sentence_of(found[-1] if found else "")
            joins = found and bare == part and len(found[-1]) + len(sentence) < _LONGEST_SENTENCE
            if joins and _goes_on(before, said, after):
                found[-1] = f"{found[-1]}. {sentence}"
            else:
                cuts = range(0, len(sentence), _LONGEST_SENTENCE)
                found += [sentence[start : start + _LONGEST_SENTENCE] for start in cuts]
    return Words(tuple(map(sentence_of, found[:_MOST_SENTENCES])))


def _goes_on(before: Sentence, said: Sentence, after: str) -> bool:
    """Return whether a sentence, which stands after some sign, belongs to the one before it."""
    other = said.kinds and before.tells.isdisjoint(said.kinds) and said.things - before.things - {"line"}
    if says("goes on", said.lower) and not (other and before.tells):
        return True
    if says("all such", said.lower) and before.kinds == {"XV"}:
        return True
    if said.kinds and said.kinds <= before.kinds and "adjacent" in said.words and "line" not in said.words:
        return True  # it explains what neighbours on such lines are
    if after != ";" or not said.text[:1].islower() or before.says_nothing or said.says_nothing:
        return False
    whole = said.tells and not said.kinds
    own = said.kinds and (said.colours or said.things - before.things)
    return not (whole or own or _speaks_of_others(before, said))


def _heading(text: str, coloured: bool = False) -> str:
    """Return the heading with which a sentence begins ("Dots: "), if it names a thing, coloured or not; else ""."""
    head, colon, _ = text.partition(":")
    said = sentence_of(head if len(head) <= 30 else "")
    things = said.words.difference(*(f"colour {one} {family(one)}".split() for one in said.colours))
    if not things or not things <= _NAMED_THINGS or re.search(r"\b(?:is|are|have|has|contains?)\b", said.lower):
        return ""
    return f"{head}:" if colon and (coloured or not said.colours) else ""


def _speaks_of_others(before: Sentence, after: Sentence) -> bool:
    """Return whether a part of a sentence says of what kind other things are than those of the part before it."""
    short = any(len(part.plain.split()) < 3 for part in (before, after))
    if short or not after.tells or not after.tells.isdisjoint(before.tells) or not (before.tells or before.permits):
        return False
    if not after.kinds and OF_ITSELF.isdisjoint(after.words) and (after.words & _NEAR or not after.tells):
        return False
    return bool(after.things - before.things) or not sentence_of(f"{before.text}, {after.text}").tells


def _listed(text: str) -> list[str]:
    """Cut a sentence at dashes, slashes, commas and the like if it only lists the names of rules."""
    first, *others = parts = [part for part in _NAMES.split(text) if part] or [text]
    if len(parts) < 3 - (_PARTED.search(text) is not None) or any(
        len(part.split()) >= _LONGEST_NAME for part in others
    ):
        return [text]
    named = sentence_of(first).is_of_sudoku or (sentence_of(first).tells and len(first.split()) < _LONGEST_NAME)
    return parts if named and all(one.tells or one.says_nothing for one in map(sentence_of, others)) else [text]


def _parted(sign: re.Match[str]) -> str:
    """Return the end of a line instead of a dash or a slash between sentences that explain a rule each, or Sudoku."""
    ahead = sign.string[max(0, sign.start() - _LONGEST_SENTENCE) : sign.start()].rpartition("\n")[2].strip()
    behind = _END.split(sign.string[sign.end() : sign.end() + _LONGEST_SENTENCE], maxsplit=1)[0]
    last = [part.strip() for part in _END.split(ahead.rpartition(sign[0])[2]) if part.strip()][-1:]
    ways = [sentence_of(part) for part in (*last, behind.partition(sign[0])[0].strip())]
    told = [one.is_of_sudoku or (len(one.text.split()) >= _LONGEST_NAME and bool(one.tells)) for one in ways]
    return "\n" if last and all(told) and ways[0].tells.isdisjoint(ways[1].tells) else sign[0]


def _unwrapped(lines: Iterable[str]) -> list[str]:
    """Join the lines that go on amid a sentence."""
    found = [""]
    for line in lines:
        if _WRAPPED.search(f"{found[-1][-_LONGEST_SENTENCE:]}\n{line}") and _joins(found[-1].rstrip(), line.lstrip()):
            found[-1] = f"{found[-1]} {line}"
        else:
            found.append(line)
    return found[1:]


def _joins(ahead: str, behind: str) -> bool:
    """Return whether a line goes on with the sentence at the end of the one before it."""
    ahead = ahead[-_LONGEST_SENTENCE:]
    long, last, first = len(ahead.split()), ahead.split()[-1].lower(), re.split(r"\W", behind, maxsplit=1)[0]
    before, after = sentence_of(_END.split(ahead)[-1].strip()), sentence_of(_END.split(behind, maxsplit=1)[0])
    if behind[0] in "({=":
        return True
    if last in _OPEN or COLOUR_WORDS.fullmatch(last):  # but for titles
        return not after.says_nothing and not (behind[0].isupper() and (long < 5 or last not in _OPEN))
    goes_on = first in _GOING_ON or last[-1] == ","
    # else it may be a name, or each line has its own rule, of which it may say something unknown
    own = long < 3 or ":" in behind[:30] or not before.text[:1].isupper() or (before.tells and after.tells)
    return behind[0].islower() and not before.says_nothing and (goes_on or not own)


def _paired(text: str) -> list[str]:
    """Cut a sentence that pairs things with what it says of them, respectively, or says the same of several things."""
    text = _NEITHER.sub(r"\1 and \2 \3 not", text)
    paired = says("respectively", text)
    bare = expression("respectively").sub("", text.replace(" or ", " and ")).strip(" ,()") if paired else text
    differing = "repeat" in text or "differ" in text
    whole = (says("of both", text) or says("behind both", text)) if differing else None
    things = _LISTED.search(bare) if bare != text else None
    if things and (things.start() or " or " not in text):
        ahead, items, behind = bare[: things.start()], _ITEM.split(things[0]), bare[things.end() :]
        for verb in reversed(list(expression("before items").finditer(behind or ahead))):
            joint = behind[: verb.end()] if behind else ahead[verb.start() :]
            told = _ITEM.split(behind[verb.end() :] if behind else ahead[: verb.start()].strip())
            noun = told[-1].split()[-1:]  # German and Dutch whispers
            for named in (told, [" ".join([one, *noun]) for one in told[:-1]] + told[-1:]):
                pairs = zip(items, named, strict=True) if len(items) == len(told) else ()
                parts = [f"{ahead}{one}{joint} {what}" if behind else f"{what} {joint}{one}" for one, what in pairs]
                if parts and all(sentence_of(part).tells for part in parts):
                    return parts
    if whole:
        first, second = (f"{whole[1] or ''}{whole[one]}{whole[4]}" for one in (2, 3))
        parts = [first, *_paired(second)]
        told = [one.kinds & _DIFFERING if "sum" not in one.words else () for one in map(sentence_of, parts)]
        if all(told) and len(set(told)) > 1:
            return parts
    return [text]


def _by_subject(text: str) -> list[str]:
    """Cut a sentence that gives several things, or things of several colours or forms, a meaning each.

    The things may stand before their meaning or behind it: red lines are ..., low digits go into red cells.
    """
    whole = sentence_of(text)
    if len(whole.things) < 2 or says("respectively", text) or whole.is_hedged:  # of what is paired, or in doubt
        return [text]
    parts = _cut(whole.text, _speaks_of_others)
    told = [sentence_of(part).tells for part in parts]
    taken = frozenset(chain(whole.kinds, *(_OVER.get(kind, ()) for kind in whole.kinds)))
    if len(parts) > 1 and frozenset(chain(*told)) - taken:
        return [one for part in parts for one in _by_looks(part)]
    return _by_looks(text)


def _by_looks(text: str) -> list[str]:
    """Cut a sentence that gives things of several colours or forms a meaning each."""
    if len(sentence_of(text).looks) < 2:
        return [text]
    found = _cut(text, lambda before, after: before.kinds and before.looks and after.looks - before.looks)
    last = sentence_of(found[-1])
    return found if last.kinds and last.looks else [text]


def _cut(text: str, begins: Callable[[Sentence, Sentence], object]) -> list[str]:
    """Cut a sentence before each part that begins something else than the part before it."""
    found, start, end, ahead = list[str](), 0, 0, 0
    for stop, following in [*(joint.span() for joint in _AND.finditer(text)), (len(text), 0)]:
        before, part = sentence_of(text[start:end]), sentence_of(text[ahead:stop])
        if begins(before, part):
            found.append(text[start:end])
            start, end = ahead, stop
        else:
            end = stop
        ahead = following
    return [*found, text[start:]]


def shortened(text: str, most: int = 100) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= most else text[: most - 3] + "..."


def spoken(kind: str) -> str:
    """Return the name of a kind of rule in a sentence."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower() if kind not in ("XV", "XSum") else kind


# ---- how a text is cut

_LOOK = rf"(?:{COLOUR_WORDS.pattern.replace('((', '(?:(')}|circles?|squares?|diamonds?|[xv]'?s?|odd|even)"
_LISTED = re.compile(rf"\b{_LOOK}(?: \w+)?(?:(?:, (?:and )?| and | & ){_LOOK})+\b", re.IGNORECASE)
_ITEM = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+", re.IGNORECASE)
_DIFFERING = frozenset(["Diagonal", "NoRepeat", "KillerCage", "ExtraRegion"])
_NEITHER = re.compile(r"\bneither ([^,.;:]{3,40}?) nor ([^,.;:]{3,40}?) (may|can|must|do)\b(?! not)", re.IGNORECASE)
_MARKUP = re.compile(r"<(?:br|/?(?:p|div|li|ul|ol|h\d))\b[^<>]{0,99}>", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![,\d&]\s)(?<!\band\s)(?<!\bor\s)(?<=\s)\(?[1-9]\)(?= [a-zA-Z])")
_PARTED = re.compile(r"(?:[ \t]+[-/|+\u2014]{1,2})+[ \t]+(?!\d+(?:[^-\w]|\Z))")
_WRAPPED = re.compile(r"[\w,'\")=][ \t]*\n[ \t]*(?=[\w({=])(?![a-z]\))")
"""The end of a line that may be amid a sentence."""
_OPEN, _GOING_ON = (frozenset(sections()["open"][name][0].split()) for name in ("ends", "begins"))
"""Words that end no sentence, and that begin none."""
_NAMES = re.compile(rf"{_PARTED.pattern}|\s*,\s*(?:and\s+)?|\s+(?:and|&|with|plus)\s+", re.IGNORECASE)
_LOOKING = r"\s*(?:\d|(?:marked|shown|drawn|indicated|colou?red|shaded|given) (?:in|by|with|as)\b)"
"""What goes on behind a comma about the thing before it."""
_AND = re.compile(rf"\s*(?:[,;](?!{_LOOKING})|\b(?:and|while|whereas|but)\b)[\s,]*", re.IGNORECASE)
_BELOW = re.compile(r"\n\s{0,9}[^\s.!?]+(?: [^\s.!?]+){3}")
"""A line of at least four words below a heading."""
_OF_COLOUR = re.compile(rf"\W*{COLOUR_WORDS.pattern}\s*[:=]")
"""The part of a list below a heading that tells what things of one colour are."""
_NAMED_THINGS = _COLOURED.union(
    _THINGS["dot"],
    ("german", "dutch", "rule", "constraint", "clue", "sum"),
    (row for rows in sections()["kinds"].values() for row in rows if row.isalpha()),
)
"""The words of headings: things, and the names of kinds of rules."""
