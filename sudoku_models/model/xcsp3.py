"""XCSP3 (core) as a model: variables, arrays, groups, and the constraints for which the language has a kind."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise, product
from math import prod
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element as Xml

from ..errors import FormatError
from .constraint import OPERATORS, AllDifferent, Constraint, InDomain, Linear, Table
from .counting_constraints import Element, LexLess, NValue
from .expression import Variable, expression
from .global_constraints import Cumulative, GlobalCardinality, Inverse, NoOverlap
from .instances import UNREADABLE, misstated, quotient, remainder
from .logic import And, Implies, Not, Or
from .model import Model
from .regular import Automaton, Regular
from .terms import Term, all_different, count_of, maximum, minimum

_OPS = {"eq": "==", "ne": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: OPERATORS[op] for name, op in _OPS.items()},
    "add": lambda *xs: reduce(operator.add, xs),
    "sub": operator.sub,
    "mul": lambda *xs: reduce(operator.mul, xs),
    "div": lambda a, b: Term("towards_0", [a, b], lambda found: quotient(*found), needs="!="),
    "mod": lambda a, b: Term("left_over", [a, b], lambda found: remainder(*found), needs="!="),
    "pow": lambda a, b: expression(a) ** b,  # which bounds the exponent
    "abs": abs,
    "neg": operator.neg,
    "dist": lambda a, b: abs(a - b),
    "min": minimum,
    "max": maximum,
    "and": And,
    "or": Or,
    "not": Not,
    "imp": Implies,
    "iff": lambda a, b: a.iff(b),
    "xor": lambda a, b: a.xor(b),
}
READ = {
    "intension": "function", "extension": "list supports conflicts", "allDifferent": "list", "allEqual": "list",
    "sum": "list coeffs condition", "count": "list values condition", "nValues": "list condition",
    "minimum": "list condition", "maximum": "list condition", "element": "list index value",
    "regular": "list transitions start final", "lex": "list operator", "channel": "list",
    "noOverlap": "origins lengths", "cumulative": "origins lengths heights condition",
    "cardinality": "list values occurs",
}  # fmt: skip
"""The constraints that are read, each by the method of its name, and the elements that they may have."""

MOST_VALUES = 5_000_000


def xcsp3(text: str) -> Model:
    """Read an instance; FormatError names what is missing in the language."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError("documents with entities are not read")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FormatError(f"not XML: {error}") from None
    if root.tag != "instance" or root.get("format", "XCSP3") != "XCSP3":
        raise FormatError("<instance format='XCSP3'> is expected")
    reader = _Reader("<!-- sudoku-models" in text)
    try:
        declared = root.findall("variables/*")
        for one in declared:
            try:
                reader.declare(one)
            except UNREADABLE as error:
                raise misstated(f"<{one.tag} id={one.get('id', '')!r}>", error) from None
        stated = [c for one in root.iterfind("constraints/*") for c in reader.read(one)]
        model = Model(reader.variables.values(), stated)
        goals = root.findall("objectives/*")
        if len(goals) > 1:
            raise FormatError("a second objective: at most one is read")
        for goal in goals:
            total = reader.total(goal) if goal.get("type") else reader.term((goal.text or "").strip())
            model = {"minimize": model.minimise, "maximize": model.maximise}[goal.tag](total)
    except UNREADABLE as error:
        raise misstated("this instance", error) from None
    return model


class _Reader:
    def __init__(self, noted: bool) -> None:
        """``noted``: notes are names, as ``export`` writes those that are no identifiers."""
        self.variables: dict[str, Variable] = {}
        self.arrays: dict[str, list[int]] = {}
        self.noted = noted

    def declare(self, one: Xml) -> None:
        name, values = one.attrib["id"], _numbers(one.text or "")
        if name in self.variables or name in self.arrays or "as" in one.attrib:
            raise FormatError(f"<{one.tag} id='{name}'> is not read: it is like another, or a second one of this name")
        if int(one.get("startIndex", 0)):
            raise FormatError(f"<{one.tag} id='{name}'> is not read: indexes from 0 are")
        if one.tag == "var":
            self.variables[name] = Variable(one.get("note", name) if self.noted else name, values)
            return
        if one.tag != "array" or len(one):
            raise FormatError(f"<{one.tag} id='{name}'> is not read: variables and arrays of one domain are")
        self.arrays[name] = sizes = [int(size) for size in re.findall(r"\[(\d{1,7})\]", one.attrib["size"])]
        if not sizes or prod(sizes) > MOST_VALUES:
            raise FormatError(f"the size {one.attrib['size'][:40]} of {name}: up to {MOST_VALUES:,} cells are read")
        for place in product(*map(range, sizes)):
            cell = name + "".join(f"[{i}]" for i in place)
            self.variables[cell] = Variable(cell, values)

    def read(self, one: Xml) -> Iterator[Constraint]:
        if one.tag == "block":
            for inner in one:
                yield from self.read(inner)
        elif one.tag == "group" and one[0].tag != "args":
            for arguments in one.findall("args"):
                yield from self.read(_filled(one[0], (arguments.text or "").split()))
        elif one.tag == "instantiation":
            pairs = zip(self.listed(one), _numbers(one.findtext("values") or ""), strict=True)
            yield from (x == value for x, value in pairs)
        elif one.tag not in READ:
            raise FormatError(f"the constraint <{one.tag[:40]}> is not read")
        else:
            tags = [inner.tag for inner in one]
            if strange := [tag for tag in tags if tag not in READ[one.tag].split()]:
                raise FormatError(f"<{one.tag}> with <{strange[0][:40]}> is not read")
            if len({*tags}) < len(tags) and one.tag not in ("lex", "channel"):
                raise FormatError(f"<{one.tag}> with two <{max(tags, key=tags.count)}> is not read")
            if any("reif" in key for key in one.attrib) or any(int(x.get("startIndex", 0)) for x in (one, *one)):
                raise FormatError(f"<{one.tag}> is read where it holds, and with indexes from 0")
            try:
                found = getattr(self, one.tag)(one)
            except UNREADABLE as error:
                raise misstated(f"<{one.tag}> {' '.join(''.join(one.itertext()).split()):.60}", error) from None
            yield from [found] if isinstance(found, Constraint) else found

    def listed(self, one: Xml, tag: str = "list") -> list[Any]:
        """Return the variables, numbers and expressions of a list."""
        inner = one.find(tag)
        words = re.findall(r"[^\s()]+(?:\([^\s]*\))?", (one.text if inner is None else inner.text) or "")
        return [x for word in words for x in self.named(word)]

    def named(self, word: str) -> list[Any]:
        """Return what a word stands for: x, x[2][], x[0..3], a number, an expression."""
        base = word.split("[")[0]
        if base not in self.arrays or "(" in word:
            return [self.term(word)]
        spans = []
        for part, size in zip(re.findall(r"\[([^]]*)\]", word), self.arrays[base], strict=True):
            low, _, high = part.partition("..")
            if part and not 0 <= int(low) <= int(high or low) < size:
                raise FormatError(f"{word[:40]}: the indexes of {base[:40]} are 0 to {size - 1}")
            spans.append(range(size) if not part else range(int(low), int(high or low) + 1))
        return [self.variables[base + "".join(f"[{i}]" for i in place)] for place in product(*spans)]

    def term(self, text: str) -> Any:
        """Return the value of an expression in functional notation."""
        tokens = re.findall(r"[^\s(),]+|[(),]", text)
        found, end = self._term(tokens, 0)
        if end != len(tokens):
            raise FormatError(f"{text[:60]!r} is not an expression")
        return found

    def _term(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        word, at = tokens[at], at + 1
        if tokens[at : at + 1] != ["("]:
            if re.fullmatch(r"[+-]?\d{1,18}", word):
                return int(word), at
            if word not in self.variables:
                raise FormatError(f"{word[:40]} is not declared")
            return self.variables[word], at
        arguments: list[Any] = []
        while tokens[at] != ")":
            found, at = self._term(tokens, at + 1)
            arguments.append(found)
        if word == "set":
            return arguments, at + 1
        if word == "in":
            x, values = arguments
            plain = isinstance(x, Variable) and all(isinstance(value, int) for value in values)
            return InDomain(x, values) if plain else Or(x == value for value in values), at + 1
        if word not in _FUNCTIONS:
            raise FormatError(f"the function {word[:30]} is not read")
        if word not in ("and", "or", "not", "imp", "iff", "xor"):
            arguments = [expression(x) if isinstance(x, Constraint) else x for x in arguments]
        found = _FUNCTIONS[word](*arguments)
        return (And() if found else Or()) if isinstance(found, bool) else found, at + 1

    def condition(self, left: Any, one: Xml) -> Constraint:
        """Compare something by the element's condition: (le,5), (in,1..3)."""
        op, _, operand = (one.findtext("condition") or "").strip()[1:-1].partition(",")
        if op == "in":
            return Or(left == value for value in _numbers(operand.strip("{}").replace(",", " ")))
        found: Constraint = OPERATORS[_OPS[op]](expression(left), self.term(operand))
        return found

    def total(self, one: Xml) -> Any:
        """Return a weighted sum, or another combination of an objective."""
        xs, coeffs = self.listed(one), one.find("coeffs")
        factors = [1] * len(xs) if coeffs is None else self.listed(one, "coeffs")
        kind = one.get("type", "sum")
        if kind != "sum" and coeffs is not None:
            raise FormatError(f"a {kind} with <coeffs> is not read")
        if kind != "sum":
            return {"minimum": minimum, "maximum": maximum}[kind](xs)
        return sum((c * x for c, x in zip(factors, xs, strict=True)), 0)

    # the constraints, by the names of their elements

    def intension(self, one: Xml) -> Any:
        return self.term((one.findtext("function") or one.text or "").strip())

    def extension(self, one: Xml) -> Any:
        xs, allowed = self.listed(one), one.find("supports") is not None
        if allowed == (one.find("conflicts") is not None):
            raise FormatError("<extension> with either <supports> or <conflicts> is read")
        text = (one.findtext("supports" if allowed else "conflicts") or "").strip()
        if "*" in text:
            raise FormatError("tables with * are not read")
        rows = [tuple(map(int, row.split(","))) for row in re.findall(r"\(([^)]*)\)", text)]
        rows = rows or [(value,) for value in _numbers(text)]
        return Table(xs, rows, allowed)

    def allDifferent(self, one: Xml) -> Any:  # noqa: N802
        xs = self.listed(one)
        plain = all(isinstance(x, Variable) for x in xs) and len({*map(str, xs)}) == len(xs)
        return AllDifferent(xs) if plain else all_different(xs)

    def allEqual(self, one: Xml) -> Any:  # noqa: N802
        first, *others = self.listed(one)
        return (first == x for x in others)

    def sum(self, one: Xml) -> Any:
        xs = self.listed(one)
        coeffs = self.listed(one, "coeffs") if one.find("coeffs") is not None else [1] * len(xs)
        stated = re.fullmatch(r"\(\s*([a-z]{2})\s*,\s*([+-]?\d{1,18})\s*\)", (one.findtext("condition") or "").strip())
        if stated and all(isinstance(x, Variable) for x in xs) and all(isinstance(c, int) for c in coeffs):
            return Linear(coeffs, xs, _OPS[stated[1]], int(stated[2]))
        return self.condition(self.total(one), one)

    def count(self, one: Xml) -> Any:
        return self.condition(count_of(self.listed(one), *self.listed(one, "values")), one)

    def nValues(self, one: Xml) -> Any:  # noqa: N802
        op, _, operand = (one.findtext("condition") or "").strip()[1:-1].partition(",")
        return NValue(self.listed(one), _OPS[op], self.term(operand))

    def minimum(self, one: Xml) -> Any:
        return self.condition(minimum(self.listed(one)), one)

    def maximum(self, one: Xml) -> Any:
        return self.condition(maximum(self.listed(one)), one)

    def element(self, one: Xml) -> Any:
        index, value = (one.findtext(tag) or "" for tag in ("index", "value"))
        return Element(self.listed(one), self.term(index.strip()), self.term(value.strip()))

    def regular(self, one: Xml) -> Any:
        arrows = re.findall(r"\(([^,]+),([^,]+),([^)]+)\)", one.findtext("transitions") or "")
        start, final = (one.findtext("start") or "").strip(), (one.findtext("final") or "").split()
        states = dict.fromkeys([start, *(s for a, _, b in arrows for s in (a, b)), *final])
        numbered = all(re.fullmatch(r"q\d{1,5}", name) for name in states)
        numbers = {name: int(name[1:]) if numbered else i for i, name in enumerate(states)}
        made = [(numbers[a], int(value), numbers[b]) for a, value, b in arrows]
        ends = [numbers[name] for name in final]
        return Regular(self.listed(one), Automaton(max(numbers.values()) + 1, numbers[start], ends, made))

    def lex(self, one: Xml) -> Any:
        op = (one.findtext("operator") or "").strip()
        if op not in ("lt", "le", "gt", "ge"):
            raise FormatError(f"<lex> with the operator {op[:40]!r} is not read")
        pairs = pairwise(map(self.listed, one.findall("list")))
        return (LexLess(*(pair if op in ("lt", "le") else pair[::-1]), strict=op in ("lt", "gt")) for pair in pairs)

    def channel(self, one: Xml) -> Any:
        first, *others = map(self.listed, one.findall("list") or [one])
        return Inverse(first, *(others or [first]))

    def noOverlap(self, one: Xml) -> Any:  # noqa: N802
        return NoOverlap(self.listed(one, "origins"), self.listed(one, "lengths"))

    def cumulative(self, one: Xml) -> Any:
        op, _, most = (one.findtext("condition") or "").strip()[1:-1].partition(",")
        if op != "le":
            raise FormatError("<cumulative> is read with the condition (le,NUMBER)")
        return Cumulative(
            self.listed(one, "origins"), self.listed(one, "lengths"), self.listed(one, "heights"), int(most)
        )

    def cardinality(self, one: Xml) -> Any:
        stated, xs, values = one.find("values"), self.listed(one), _numbers(one.findtext("values") or "")
        closed = stated is not None and stated.get("closed") == "true"
        spans = [re.fullmatch(r"(\d{1,18})\.\.(\d{1,18})", text) for text in (one.findtext("occurs") or "").split()]
        bounds = [(int(span[1]), int(span[2])) for span in spans if span]
        if len(bounds) < len(spans):
            occurs = self.listed(one, "occurs")
            if all(isinstance(x, Variable) for x in xs):
                return GlobalCardinality(xs, values, occurs, closed)
            bounds = [(n, n) for n in occurs]
        if len(bounds) != len(values):
            raise ValueError(f"{len(values)} values, and {len(bounds)} statements of how often they occur")
        counts = [(expression(count_of(xs, v)), *within) for v, within in zip(values, bounds, strict=True)]
        held: list[Constraint] = [bound for n, low, high in counts for bound in (n >= low, n <= high)]
        return held + ([Or(*(expression(x) == v for v in values)) for x in xs] if closed else [])


def _filled(template: Xml, arguments: Sequence[str]) -> Xml:
    """Return a template with its arguments %0, %1, ... and %... in place."""
    made = ElementTree.Element(template.tag, template.attrib)

    def argument(match: re.Match[str]) -> str:
        if match[1] != "...":
            return arguments[int(match[1])]
        used = [int(i) for i in re.findall(r"%(\d+)", "".join(template.itertext()))]
        return " ".join(arguments[max(used, default=-1) + 1 :])

    made.text = re.sub(r"%(\d+|\.\.\.)", argument, template.text or "")
    for inner in template:
        copy = ElementTree.SubElement(made, inner.tag, inner.attrib)
        copy.text = re.sub(r"%(\d+|\.\.\.)", argument, inner.text or "")
    return made


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for word in text.split():
        low, _, high = word.partition("..")
        if int(high or low) - int(low) + len(found) > MOST_VALUES:
            raise FormatError(f"{word}: at most {MOST_VALUES:,} values are read")
        found += range(int(low), int(high or low) + 1)
    return found
