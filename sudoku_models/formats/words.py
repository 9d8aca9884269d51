"""The rules in words: the kinds of rules that each sentence names, with colours and numbers.

A sentence names a kind by its usual name or by what it says ("differ by at least 5"). Sentences that only say that this
is a Sudoku, or wish good luck, say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from colorsys import rgb_to_hls
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter

_LONGEST = 10_000
"""The number of characters of a text that are examined."""
_MOST_SENTENCES = 300
_LONGEST_SENTENCE = 400
"""The number of characters of a sentence: a longer one is cut, since patterns take time that grows with its square."""
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_NUMBERS |= {"eight": 8, "nine": 9, "ten": 10}
_SHADED = r"(?:gr[ea]y|colou?red|shaded|marked|highlighted|outlined|green|blue|red|yellow|pink|purple|orange)"
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})"
_NEVER = r"(?:cannot|can't|can not|may not|must not|mustn't|do(?:es)? not|don't|never|no two|not)"
_BOX = r"(?:box|region|3 ?x ?3)"
_SUMMED = r"(?:sum|total|add|repeat|differ|distinct|unique|once|twice|same|duplicat)"

# ---- what sentences name

_KINDS: Mapping[str, str] = {
    "Thermo": r"thermo(?:meter)?s?\b|\b(?:increas\w+|ris\w+|grow\w*|ascend\w*|get\w* (?:larger|bigger"
    r"|higher))\b.*\b(?:bulb|round end)|\bbulbs?\b.*\b(?:increas|ris|grow|ascend|larger|bigger|higher)",
    "SlowThermo": r"\bslow\b|\b(?:increase|rise|grow)s? or (?:stay|remain|be)s? (?:the same|equal|constant)"
    rf"|\b(?:stay|remain)s? (?:the same|equal|constant) or\b|{_NEVER} (?:decreas|(?:get|become|be) (?:smaller|lower"
    r"|less))|non-?decreas|bulb.*\bmay repeat|\bweakly\b|\b(?:not|non)[- ](?:necessarily )?strict"
    r"|\bor equal\b.*\b(?:bulb|thermo)|\b(?:bulb|thermo).*(?:\bequal or\b|\bor equal\b|\bat least as (?:large|big"
    rf"|great|high))|{_NEVER} (?:go down|drop|fall)|\b(?:bulb|thermo).*{_NEVER} (?:smaller|lower|less)",
    "Arrow": r"\barrow (?:rules|sudoku|sums?|lines?)|\barrows?:|\b(?:arrow|shaft)\w*\b.*\b(?:sum|total|add|equal)"
    r"|\b(?:sum|total|add)\w*\b.*\b(?:arrow|shaft)",
    "DoubleArrow": r"double[- ](?:ended |headed )?arrow|(?:sum|total|add)\w*\b.*\bbetween\b.*\b(?:circles"
    r"|ends)\b.*(?:sum|total|equal)|\A(?!.*\barrow).*\blines?\b.*\b(?:sum|add|total)\w*\b.*\b(?:circles|ends)\b"
    r"|(?:circles|ends)\b.*\b(?:sum|total)\b.*\bbetween|\b(?:sum|total)\b.*\b(?:circles|ends)\b.*\bbetween",
    "Whisper": rf"whisper|\bdiffer\w*[^.]*(?:at least|minimum of|no less than|not less than) (?:of )?{_NUMBER}\b"
    rf"|\bat least {_NUMBER} (?:apart|away)|\bno closer than {_NUMBER}\b|\bdiffer\w*[^.]*(?:>=|\u2265) ?{_NUMBER}\b"
    rf"|{_NEVER}\b.*\bdiffer\w*[^.]*\b(?:less|fewer) than {_NUMBER}\b|\bdiffer\w*[^.]*\b{_NUMBER} or (?:more|greater"
    rf"|larger)|\bat least {_NUMBER} (?:more|larger|greater|higher)|\b{_NUMBER} or more apart"
    rf"|\bminimum difference of {_NUMBER}|\bseparated by at least {_NUMBER}\b|\bgap of at least {_NUMBER}\b",
    "Renban": r"(?<!anti-)(?<!anti )renban|\b(?:set|run|sequence|series|group"
    r"|collection)s? of (?:\w+[- ]){0,3}consecutive|\bconsecutive\b.*\b(?:any|no particular|no specific|arbitrary"
    r"|some|whatever|not necessarily in|not in) (?:\w+ )?order|\bstraight\b(?! (?:lines?|across|up|down))"
    r"|\bno gaps\b|\A(?!.*\b(?:dots?|adjacent|neighbou?r\w*|each three|three|3|not?|never|cannot"
    r"|no two)\b).*\blines?\b.*\b(?:consecutive (?:digits|numbers|values)|(?:is|are|be) consecutive)\b"
    r"|\bany order\b.*\bconsecutive|\bnon-?repeating consecutive|\bconsecutive,? non-?repeating|\b(?:uninterrupted"
    r"|unbroken|gapless) (?:sequence|run|series)",
    "Nabner": r"nabner|anti-?renban|\bno two (?:digits|cells|values|numbers)\b.*\b(?:line"
    r"|consecutive)\b.*\b(?:consecutive|equal|same)|\bdiffer\w*\b.*\bat least (?:2|two)\b.*\b(?:any|all|every)"
    r"|\b(?:any|every) (?:two|2|pair of) (?!adjacent|neighbou?r|consecutive|connected|successive).*\bat least (?:2"
    r"|two)\b|\b(?:neither|anywhere|nor)\b(?=.*\brepeat\w*).*\bconsecutive|\brepeat(?:ed)? (?:n?or"
    r"|and) (?:be )?consecutive|\blines?\b.*\bno two (?:digits|values|numbers) (?:\w+ ){0,2}consecutive|\b(?:any"
    r"|every) (?:two|2|pair of) (?!adjacent|neighbou?r|consecutive|connected|successive).*\b(?:2|two) or more\b"
    r"|\bno pair of (?!adjacent|neighbou?r).*\bconsecutive (?:or|nor)\b",
    "Palindrome": r"palindrom|\breads? (?:exactly )?the same|\bsame (?:digits )?(?:read )?(?:in|from) (?:both"
    r"|either)|\b(?:forwards?|either) (?:and|or) back(?:ward)?s?|\bsymmetric|\bmirror"
    r"|\bfirst\b.*\blast\b.*\bsecond\b.*\b(?:last|so on)\b|\b(?:equidistant|equally far|(?:equal"
    r"|same) distance)\b.*\b(?:same|equal|identical) (?:digits?|values?)\b|\bread\b.*\b(?:either|both) (?:ends?"
    r"|directions?|ways?)",
    "Between": r"\bbetween[- ]lines?|\A(?!.*\b(?:sum|total|add))(?:.*\bbetween\b.*\b(?:circles?|circled|ends?"
    r"|bulbs?)\b|.*\b(?:circles?|ends?)\b.*\bbetween\b)",
    "Lockout": r"lock-?out|\b(?:not|outside|neither|never|nor)\b.*\b(?:between|range)\b.*\b(?:diamond|end|circle)"
    r"|\bdiamonds?\b.*(?:\b(?:outside|not|never)\b.*\b(?:between|range)|\bat least|\bdiffer|\bapart)"
    r"|\bno digits?\b.*\bbetween\b.*\bdiamond",
    "RegionSumLine": r"region[- ]sum|\b(?:borders?|box(?:es)?|regions?) (?:divide|split|segment|separate|cut|break)"
    rf"|\b(?:divided|split|cut|separated|segmented|broken)\b.* by (?:the )?{_BOX}|\b(?:sum"
    rf"|total)s?\b.*\b{_BOX}.*\bconstant|\b(?:equal|same|identical|constant) (?:sum|total)s?\b.*\b{_BOX}"
    rf"|\b{_BOX}\b.*\b(?:equal|same|identical|common) (?:sum|total)|\b(?:sum|add up|total)s? to (?:the"
    rf"|a) same\b.*\b{_BOX}|\b{_BOX}\b.*\b(?:sum|add up|total)s? to (?:the|a) same|\bsame (?:sum|total) (?:in|within"
    rf"|for) each|\beach segment\b.*\bsame|\b(?:sum|total)\b.*\b(?:same|equal|identical)\b.*\b{_BOX}"
    rf"|\b{_BOX}\b.*\bconstant (?:sum|total)",
    "SumLine": rf"\b{_NUMBER}[- ](?:sum )?lines?\b|\bsum lines?\b(?!.*region)|\b(?:segment|group|run|piece|section"
    rf"|part)s?\b.*\b(?:sum|add|total)s?(?:ming|l?ing)?(?: up)? (?:to |of )?{_NUMBER}\b",
    "Entropic": r"entrop|\blow\b.*\b(?:mid|middle|medium)\b.*\bhigh|\{?1, ?2,? ?(?:or "
    r"|and )?3\}?.*\{?4, ?5,? ?(?:or |and )?6|\b1[-/]?2?[-/]?3\b.*\b4[-/]?5?[-/]?6\b",
    "Modular": r"\bmodular|\bmod(?:ulo)? ?3|\bdivided by (?:3|three)|\{?1, ?4,? ?(?:or "
    r"|and )?7\}?.*\{?2, ?5,? ?(?:or |and )?8|\bremainder|\bresidue|\b1[-/]?4[-/]?7\b.*\b2[-/]?5[-/]?8\b",
    "Zipper": r"\bzipper|\b(?:equidistant|equally (?:far|distant)|(?:equal|same) distance)\b.*\b(?:sum|add|total)"
    r"|\b(?:sum|add|total)\b.*\b(?:equidistant|equally (?:far|distant)|(?:equal|same) distance)",
    "AlternatingParity": r"\bparity lines?\b|\balternat\w+\b.*\b(?:odd|even|parity)|\b(?:odd|even"
    r"|parity)\b.*\balternat|\b(?:different|opposite|differing) parit|\b(?:odd|even)\b.*\bnext to\b.*\b(?:odd"
    rf"|even)\b|{_NEVER}\b.*\b(?:same|equal)[- ]parit|\bodd[-, ]+even[-, ]+odd\b|\beven[-, ]+odd[-, ]+even\b"
    r"|\bswitch\w*\b.*\b(?:odd|even|parity)|\bboth odd or both even|\bboth even or both odd",
    "EqualParity": rf"\A(?!.*{_NEVER}\b.*\bsame[- ]parity).*\b(?:same|one|a single|share a|equal)[- ]parity"
    r"|\bonly (?:odd|even)\b.*\bor only\b|\bno\b.*\bboth (?:an? )?(?:odd|even)\b(?: \w+)? and"
    r"|\bnever mix\w*\b.*\bodd|\ball (?:be |are )?(?:odd or all (?:be |are )?even|even or all (?:be |are )?odd)"
    r"|\b(?:entirely|completely|exclusively|only) (?:odd|even) or (?:\w+ )?(?:odd|even)",
    "SameValues": r"\b(?:same|identical) (?:\w+ )?(?:set|group|collection)s? of|\b(?:same|identical) (?:four|three"
    r"|five|\d)? ?(?:digits|values|numbers)\b(?! .*\b(?:direction|forward|knight|king))|\bsets? of (?:digits|values"
    r"|numbers)\b.*\b(?:same|identical)\b",
    "Difference": r"\A(?!(?=.*\bblack\b)(?!.*\bwhite\b)).*kropki|\bwhite (?:dot|circle|kropki)s?\b.*\b(?:consecutive"
    r"|differ|1 apart|one apart)|\b(?:consecutive|differ\w*)\b.*\bwhite (?:dot|circle)"
    r"|\bdots?\b.*\bconsecutive(?!.*\bwhite)|\bdifference (?:dots?|markers?)|\bwhite (?:dot"
    r"|circle)s?\b.*\bdifference|\bdots?\b.*\bwhite\b.*\bconsecutive",
    "Ratio": r"\A(?!(?=.*\bwhite\b)(?!.*\bblack\b)).*kropki|\b(?:black|solid|filled) (?:dot|circle"
    r"|kropki)s?\b.*\b(?:double|twice|ratio|1:2|2:1|half|factor)|\b(?:double|twice|ratio|1:2|2:1|half"
    r"|factor)\b.*\b(?:black|solid|filled) (?:dot|circle)|\bratio (?:dots?|markers?)"
    r"|\bdots?\b.*\bblack\b.*\b(?:double|twice|ratio|half)",
    "XV": r"\bxv\b|\bx\b.*\b(?:sum|add|total)\w*\b.*\b(?:10|ten)\b|\bv\b.*\b(?:sum|add|total)\w*\b.*\b(?:5|five)\b"
    r"|\broman\b|\b(?:sum|add|total)\w*\b.*\b(?:10|ten|5|five)\b.*\b[xv]\b|\bx(?: ?/ ?|, ?| ?and ?(?:an? )?)v\b",
    "Quadruple": r"\bquad(?:ruple)?s?\b|\A(?!.*\b(?:number of|how many)\b).*(?:\b(?:circled?|corner"
    r"|intersection)s?\b.*\b(?:surround\w*|four|4|adjacent|touch\w*|around|2 ?x ?2)\b|\b(?:surround\w*|four|4"
    r"|touch\w*|around|2 ?x ?2)\b.*\b(?:circle|corner|intersection))",
    "Odd": r"\bodd\b(?! or all)",
    "Even": r"\beven\b(?! or all)",
    "LittleKiller": r"\blittle[- ]killer|\b(?:arrow|indicated|marked|outside|clue|number)\w*\b.*\bdiagonals?\b"
    r"|\bdiagonals?\b.*\b(?:arrow|indicated|clue|sum)|\barrows?\b.*\b(?:outside|edge)|\b(?:outside"
    r"|edge)\b.*\barrows?\b",
    "Sandwich": r"sandwich|\bbread\b|\bcrusts?\b|\bbetween (?:the )?(?:digit )?(?:1"
    r"|one)s? and (?:the )?(?:digit )?(?:9|nine)",
    "XSum": r"\bx-?sums?\b|\bx sums\b|\bfirst x\b|\b(?:sum|total)\b.*\bfirst n\b|\b(?:sum|total)\b.*\b(?:n"
    r"|x) (?:closest|nearest|first)\b|\bhow many (?:cells|digits)\b.*\bsum",
    "Skyscraper": r"skyscraper|\bbuildings?\b|\btowers?\b|\b(?:how many|number of|count\w*)\b.*\b(?:seen?|visible)\b"
    r"|\bblock\w*\b.*\bview|\b(?:larger|bigger|higher|taller|hid(?:es?|den)|obscures?)\b.*\b(?:hid(?:es?|den)"
    r"|obscures?|smaller|lower|shorter)\b",
    "NumberedRoom": r"\bnumbered[- ]rooms?|\b(?:x|n)th (?:cell|digit)|\bposition\b.*\bfirst (?:cell|digit)",
    "KillerCage": rf"\bkiller\b(?<!little killer)(?<!little-killer)|\bcage[sd]?\b.*\b{_SUMMED}"
    rf"|\b{_SUMMED}\w*\b.*\bcage[sd]?\b",
    "Diagonal": r"\bdiagonals?\b",
    "Greater": r"\bgreater[- ]than\b|inequalit|\b(?:points?|pointing|opens?)\b.*\b(?:smaller|lower|larger|greater"
    r"|bigger)|[<>\u2227\u2228](?: ?signs?|.*\b(?:larger|greater|bigger|smaller|lower))|\bchevron",
    "ExtraRegion": r"\b(?:extra|additional)[- ](?:region|box|group|house)|windoku|hyper[- ]?sudoku"
    rf"|\bshaded (?:3 ?x ?3 )?(?:area|region|box|group)|\b{_SHADED} (?:area|region|box|square group|3 ?x ?3)"
    rf"|\b{_SHADED} (?:cells|squares)\b.*\b(?:once|repeat|differ|1.{{1,4}}\d)|\brepeat\w*\b.*\b{_SHADED} (?:cells"
    r"|squares)",
    "CountingCircles": r"\bcounting circles?|\bcircles?\b.*\b(?:how many|number of)\b.*\bcircles?\b"
    r"|\bcircled?\b.*\bexactly that many (?:times|circles)|\bcircle\w*\b.*\bin (?:exactly )?(?:n|that many"
    r"|as many) circles|\bcircled\b.*\b(?:how many|number of)\b.*\bcircles",
    "Minimum": r"\bminim(?:um|a)\b(?! difference)|\b(?:smaller|lower|less) than\b.*\b(?:neighbou?r|adjacent)"
    r"|\bfortress",
    "Maximum": r"\bmaxim(?:um|a)\b|\b(?:larger|greater|higher|bigger) than\b.*\b(?:neighbou?r|adjacent)|\bfortress",
    "Clone": r"\bclone",
    "BoxIndexer": r"\bbox[- ]index",
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
_OVER: Mapping[str, tuple[str, ...]] = {
    "SlowThermo": ("Thermo",),
    "DoubleArrow": ("Arrow", "Between"),
    "LittleKiller": ("Arrow", "Diagonal", "KillerCage"),
    "Lockout": ("Between", "Whisper"),
    "Nabner": ("Renban", "Difference", "SameValues", "Whisper"),
    "Renban": ("Difference",),
    "Zipper": ("Arrow", "DoubleArrow"),
    "Entropic": ("Renban",),
    "Modular": ("Renban",),
    "RegionSumLine": ("SumLine", "SameValues"),
    "AlternatingParity": ("Odd", "Even"),
    "EqualParity": ("Odd", "Even", "AlternatingParity"),
    "Sandwich": ("Between",),
    "Palindrome": ("SameValues",),
    "XSum": ("Skyscraper",),
    "CountingCircles": ("Quadruple",),
}
"""Kinds that take a sentence from others, which share words with them."""
_NUMBERED = (
    rf"\b(?:sum|add|total)s?(?:ming|l?ing)?(?: up)? (?:to |of )?({_NUMBER})\b",
    rf"(?:\b(?:least|to|of|by|minimum of|than) (?:of )?|(?:>=|\u2265) ?)({_NUMBER})\b",
    rf"\b({_NUMBER})[- ](?:sum )?lines?\b",
)
"""Where a sentence states a number."""
_DENIED = re.compile(
    r"\b(?:(?:is|are) (?:not|never)|isn't|aren't) (?:an? |any )?(?:\w+ )?"
    r"(?:whisper|renban|palindrom|(?:slow )?thermo|zipper|region sum|modular|entrop|lockout|nabner)\w*"
)
"""What a thing is said not to be."""
_ANYWHERE = re.compile(r"\b(?:diagonal|orthogonal)(?:ly)? (?:adjacent|touching|neighbou?r)|\b(?:knight|king)\b")
"""Neighbours on the whole board, not along lines."""
_THINGS: Mapping[str, str] = {
    "line": r"\b(?:lines?|paths?|loops?|snakes?|worms?)\b",
    "dot": r"\b(?:dots?|kropki|circles?)\b",
    "bulb": r"\b(?:thermo\w*|bulbs?)\b",
    "arrow": r"\b(?:arrows?|shafts?)\b",
    "cage": r"\b(?:cages?|caged)\b",
    "cell": r"\b(?:circle[sd]?|squares?|shaded|gr[ea]y)\b",
    "sign": r"\b(?:x|v|xv|signs?|inequalit\w*|chevrons?)\b",
    "clue": r"\b(?:outside|clues?|beside|edges? of|next to)\b",
    "corner": r"\b(?:corners?|circles?|intersections?)\b",
    "region": r"\b(?:regions?|areas?|shaded|gr[ea]y)\b",
    "diagonal": r"\bdiagonals?\b",
}
"""The things that a sentence may speak about."""
_ABOUT = {thing: re.compile(pattern) for thing, pattern in _THINGS.items()}

_MORE = (
    r"\b(?:line|cage|arrow|dot|circle|diagonal|thermo|knight|king|2 ?x ?2|doubl|index|indicat|which|clue|colou?r|shad"
)
"""The beginnings of words that show that a sentence says more than that this is a Sudoku."""
_SUDOKU = re.compile(
    r"\W*(?:the )?(?:(?:normal|standard|classic(?:al)?|usual|regular|ordinary)\s+)?(?:\d+ ?x ?\d+ )?"
    r"(?:(?:jigsaw|irregular|classic) )?sudoku\s*(?:rules?)?\s*(?:do )?(?:apply)?(?: here| as (?:normal|usual))?\W*\Z"
    rf"|\W*(?:place|put|fill|enter|write|insert|use|each|every|all|the|digits?|numbers?)\b(?!.*{_MORE}|not)\w*)"
    r".*\brows?\b.*\bcolumns?\b.*\Z"
    rf"|\W*(?:normal|standard|classic\w*) sudoku rules?(?: apply)?\W+(?!.*{_MORE})\w*).*\brows?\b.*\bcolumns?\b.*\Z"
    r"|\W*(?:place|fill|enter|put|write|use)\b(?:(?!\b(?:line|cage|arrow|dot|circle)).)*\b(?:grid|cells?|digits?)\b"
    r"(?:(?!\b(?:line|cage|arrow|dot|circle|may|not)).)*\Z",
    re.DOTALL,
)
_CHAT = re.compile(
    r"\b(?:good luck|have fun|enjoy|happy (?:solving|birthday)|thanks?|created|set by|made (?:by|with|for)|https?:"
    r"|www\.|solution code|difficulty|stars?|feedback|comment|tribute|dedicated|inspired|(?:discord|youtube|patreon))\b"
    r"|\A\W*(?:rules?|author|title|by \w+(?: \w+)?)\W*\Z|\A[\W\d]*\Z",
)
_NO_NEGATIVE = re.compile(
    r"\bno negative constraint|\bnot all (?:\w+ ){0,4}(?:are |is )?(?:necessarily )?(?:given|shown|marked)"
    r"|\bnot necessarily (?:all )?(?:given|shown|marked)|\bneed not be (?:given|shown|marked)",
)
_PERMITS = re.compile(
    r"\A(?!.*\b(?:not?|nor|neither|only|must|never|cannot|rows?|columns?|box\w*|regions?|cages?)\b)(?!.*n't\b)"
    r".*\b(?:may|can|might)\b",
    re.DOTALL,
)
"""Sentences that allow something that no rule forbids."""
_GAP = r"(?:(?!\b(?:but|not|never|no)\b|n't)[^.])*"
_MAY = r"\b(?:may|can|could|might|allowed to|free to)\b(?!'t| ?not\b)"
_ALLOWED = r"\b(?:allowed|permitted|possible|fine|okay)\b"
_REPEATING = re.compile(
    rf"{_MAY}{_GAP}\brepeat\w*{_GAP}\bcages?\b|\bcages?\b{_GAP}{_MAY}{_GAP}\b(?:repeat\w*|duplicate)"
    rf"|(?<!no )\b(?:repeat\w*|duplicates){_GAP}(?:{_ALLOWED}{_GAP}\bcages?\b|\bcages?\b{_GAP}{_ALLOWED})"
    rf"|\bcages?\b{_GAP}(?<!no )\brepeat\w*{_GAP}{_ALLOWED}|\bcages?\b[^.]*\bbut {_MAY} (?:be )?repeat\w*\W*\Z"
    rf"|\bcages?\b.*\. \w+ {_MAY} repeat\w*\W*\Z"
    r"|\bcages?\b[^.]*\b(?:need not|(?:not|n't) (?:have|need) to|not necessarily)\b[^.]*\b(?:differ\w*|distinct|unique)"
)
_WITHOUT_SUDOKU = re.compile(
    r"\bsudoku rules? (?:do not|don't|does not|doesn't) apply|\b(?:no|not) (?:normal |standard )?sudoku rules"
)
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?](?=\s|\Z|[A-Z\"')])|[;\n\u2022]")
_GOES_ON = re.compile(
    r"\W*(?:they|these|it|its|those|such|their|in other words|so|i\.e\.|e\.g\."
    r"|for example|the \w+ of (?:these|those)|(?:all|each|every) (?:segment|part|piece)s?"
    r"|digits (?:\w+(?:'t)? ){1,2}repeat\W*\Z|if (?:an?|the|this) (?:line|arrow|cage|thermo\w*))\b",
)


@dataclass(frozen=True)
class Sentence:
    """A sentence of the rules."""

    text: str

    @cached_property
    def lower(self) -> str:
        """The text in small letters, which the patterns expect."""
        return self.text.lower()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of rules that it names."""
        text = _DENIED.sub("", self.lower)
        found = {kind for kind, pattern in _PATTERNS.items() if pattern.search(text)}
        if _ANYWHERE.search(text) and not self.about("line"):
            found -= {"Whisper", "Renban", "Nabner", "AlternatingParity", "EqualParity"}
        return frozenset(found.difference(*(_OVER[kind] for kind in found if kind in _OVER)))

    @cached_property
    def colours(self) -> frozenset[str]:
        """The colours that it names."""
        return frozenset(_SPELLINGS.get(word, word) for word in _COLOUR_WORDS.findall(self.lower))

    def about(self, thing: str) -> bool:
        """Return whether it speaks about a thing: a line, a dot, an arrow, ..."""
        return _ABOUT[thing].search(self.lower) is not None

    @cached_property
    def number(self) -> int | None:
        """The number that follows words such as "at least", "to", "of"; None if there is none."""
        found = next(filter(None, (re.search(pattern, self.lower) for pattern in _NUMBERED)), None)
        return None if found is None else _NUMBERS.get(found[1]) or int(found[1])

    @property
    def says_nothing(self) -> bool:
        """Whether it only says that this is a Sudoku, that marks may be missing, or wishes good luck."""
        if _NO_NEGATIVE.search(self.lower):
            return True
        return not self.kinds and not self.drops_sudoku and bool(_SUDOKU.match(self.lower) or _CHAT.search(self.lower))

    @property
    def permits(self) -> bool:
        """Whether it only allows something that no rule forbids: digits may repeat on arrows."""
        return _PERMITS.match(self.lower) is not None

    @property
    def repeats_in_cages(self) -> bool:
        """Whether it says that cages may repeat values."""
        return _REPEATING.search(self.lower) is not None

    @property
    def drops_sudoku(self) -> bool:
        """Whether it says that rows, columns and boxes may repeat values."""
        return _WITHOUT_SUDOKU.search(self.lower) is not None


@dataclass(frozen=True)
class Words:
    """The sentences of the rules of a puzzle."""

    sentences: tuple[Sentence, ...]

    def __bool__(self) -> bool:
        """Return whether any sentence says more than that this is a Sudoku."""
        return bool(self.telling)

    @cached_property
    def telling(self) -> tuple[Sentence, ...]:
        """The sentences that say something."""
        return tuple(sentence for sentence in self.sentences if not sentence.says_nothing)

    def naming(self, kind: str) -> Iterator[Sentence]:
        """Yield the sentences that name a kind of rule."""
        return iter(self._by_kind.get(kind, ()))

    @cached_property
    def _by_kind(self) -> Mapping[str, list[Sentence]]:
        found: dict[str, list[Sentence]] = {}
        for sentence in self.telling:
            for kind in sentence.kinds:
                found.setdefault(kind, []).append(sentence)
        return found

    @cached_property
    def things(self) -> frozenset[str]:
        """The things that the sentences speak about."""
        return frozenset(thing for thing in _ABOUT if any(one.about(thing) for one in self.telling))

    def speaks(self, kind: str, colour: str, thing: str) -> tuple[int, str]:
        """Return the score that the text gives a kind of rule for a thing of some colour, and the reason.

        Without a text, each kind gets 0. A line is only of a kind that a sentence names, for its colour if the sentence
        has any; other things may be what they usually are, unless a sentence gives them another meaning.
        """
        if not self:
            return 0, ""
        exactly = any(colour in one.colours for one in self.telling)
        best = max(
            ((_closeness(colour, one.colours, exactly), one) for one in self.naming(kind)),
            key=itemgetter(0),
            default=None,
        )
        if best is None:
            other = thing == "line" or thing in self.things
            return (_AGAINST if other else -1), ""
        score, sentence = best
        if score < 0:
            return (_AGAINST if thing == "line" else 0), ""
        named = f" and {colour}" if score > _NAMED else ""
        return score, f"the rules name {spoken(kind)}{named}: {shortened(sentence.text)!r}"


_AGAINST, _NAMED = -9, 2


def _closeness(colour: str, named: frozenset[str], exactly: bool) -> int:
    """Return how well the colours in a sentence fit that of a thing, which some sentence may name ``exactly``."""
    if not named or not colour:
        return _NAMED
    if colour in named:
        return _NAMED + 2
    return _NAMED + 1 if not exactly and named & _ALIKE.get(colour, frozenset()) else -1


_PLAIN_SIGNS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00d7": "x", "\u2013": "-"})


@lru_cache(maxsize=16)
def words_of(text: str) -> Words:
    """Split a text into its sentences; one that begins with "they" or "it" belongs to the one before."""
    found, start = list[str](), 0
    plain = text[:_LONGEST].translate(_PLAIN_SIGNS)
    for stop in (*(end.start() for end in _END.finditer(plain)), len(plain)):
        after, start, part = plain[start - 1 : start], stop + 1, " ".join(plain[start:stop].split())
        for sentence in _by_colour(_BULLET.sub("", part, count=1)):
            goes_on = _GOES_ON.match(sentence.lower()) or (after == ";" and _IS_PART.match(sentence))
            if found and goes_on and len(found[-1]) + len(sentence) < _LONGEST_SENTENCE:
                found[-1] = f"{found[-1]}. {sentence}"
            else:
                cuts = range(0, len(sentence), _LONGEST_SENTENCE)
                found += [sentence[start : start + _LONGEST_SENTENCE] for start in cuts]
    return Words(tuple(map(Sentence, found[:_MOST_SENTENCES])))


def _by_colour(text: str) -> list[str]:
    """Cut a sentence that gives things of several colours a meaning each: red lines are ..., blue lines are ..."""
    if len(text) > _LONGEST_SENTENCE or len(Sentence(text).colours - {"black", "white"}) < 2:
        return [text]
    found = [""]
    for part in _AND.split(text):
        before = Sentence(found[-1])
        if before.colours and before.kinds and Sentence(part).colours:
            found.append(part)
        else:
            found[-1] = f"{found[-1]}, {part}".lstrip(", ")
    return found if Sentence(found[-1]).kinds else [text]


def shortened(text: str, most: int = 100) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= most else text[: most - 3] + "..."


def spoken(kind: str) -> str:
    """Return the name of a kind of rule in a sentence."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower() if kind not in ("XV", "XSum") else kind


# ---- colours

_HEX = re.compile(r"#?([0-9a-fA-F]{1,8})\Z")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})")
_NAMES = frozenset({"black", "white", "red", "green", "blue", "orange", "purple", "yellow", "pink", "grey", "teal"})
_SPELLINGS = {"gray": "grey", "silver": "grey", "cyan": "teal", "turquoise": "teal", "aqua": "teal", "lime": "green"}
_SPELLINGS |= {"magenta": "purple", "violet": "purple", "lavender": "purple", "lilac": "purple", "gold": "yellow"}
_HUES = ((15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (187, "teal"), (255, "blue"), (335, "purple"))
_COLOUR_WORDS = re.compile(
    rf"\b({'|'.join(sorted({*_NAMES, *_SPELLINGS, 'peach', 'brown', 'beige', 'tan', 'salmon'}))})\b"
)
_BULLET = re.compile(r"\A\W*(?:[-*\u00b7>\u25cf]|\(?\d{1,2}\))\s+")
_AND = re.compile(r"\s*(?:[,;]|\b(?:and|while|whereas|but)\b)[\s,]*")
_IS_PART = re.compile(rf"(?!.*{_COLOUR_WORDS.pattern})[a-z]")
"""The part behind a semicolon that says more about the same things."""
_ALIKE: Mapping[str, frozenset[str]] = {
    name: frozenset(others.split())
    for name, others in {
        "purple": "pink",
        "pink": "purple red salmon",
        "red": "pink orange salmon",
        "orange": "peach yellow brown tan beige",
        "peach": "orange salmon tan beige pink brown",
        "yellow": "orange beige",
        "green": "teal",
        "teal": "blue green",
        "blue": "teal",
        "grey": "black white",
        "black": "grey",
        "white": "grey",
    }.items()
}
"""The words by which people also call a colour."""


def name_of(colour: str) -> str:
    """Return the name of a colour (#rgb, #rrggbb, #F for white, rgb(...), a word); "" if it is invisible."""
    word = colour.strip().lower()
    if _SPELLINGS.get(word, word) in _NAMES:
        return _SPELLINGS.get(word, word)
    parts = _parts(word)
    if parts is None:
        return ""
    red, green, blue = parts
    hue, light, fullness = rgb_to_hls(red / 255, green / 255, blue / 255)
    if light > 0.97 or light < 0.08:
        return "white" if light > 0.5 else "black"
    if max(parts) - min(parts) < 24:
        return "grey"
    if light > 0.8 and 10 <= hue * 360 <= 45 and fullness > 0.5:
        return "peach"
    return next((name for end, name in _HUES if hue * 360 < end), "red")


def _parts(text: str) -> tuple[int, int, int] | None:
    found = _RGB.match(text)
    if found:
        red, green, blue = (min(int(part), 255) for part in found.groups())
        return red, green, blue
    match = _HEX.match(text)
    if not match:
        return None
    digits = match[1] * 6 if len(match[1]) == 1 else match[1]
    if len(digits) in (4, 8) and int(digits[len(digits) * 3 // 4 :], 16) == 0:
        return None  # wholly transparent
    if len(digits) in (3, 4):
        digits = "".join(c * 2 for c in digits[:3])
    if len(digits) < 6:
        return None
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
