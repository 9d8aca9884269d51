"""XCSP3: XML with the constraints of its core, which constraint solvers and their competitions read.

A name that is not an identifier of the format is kept in the attribute ``note`` of its variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from ..engine.contract import Capabilities, Feature
from ..lowering.arithmetic import merged
from ..model import OPERATORS, Constraint, Domain, Model, Objective, kinds
from ..model.expression import Expression, relation_of
from ..model.terms import FLIPPED
from .common import ExportFormat, Names, known, refusal
from .zero_one import tuples_of

MARK = "<!-- sudoku-models: a note is the name that an id stands for -->"
"""The first line: the notes of other files mean anything."""

_OPERATORS = {"==": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "ge", ">": "gt"}
_WORDS = (
    "neg abs add sub mul div mod sqr pow min max dist lt le ge gt ne eq set in notin not and or xor iff imp if card "
    "union inter diff sdiff hull djoint subset subseq supseq supset convex pi e fdiv fmod sqrt nroot exp ln log sin "
    "cos tan asin acos atan sinh cosh tanh others"
)
"""Operators and constants of expressions; solvers accept them in capitals too."""
_RESERVED = frozenset(word for name in _WORDS.split() for word in (name, name.upper(), name.capitalize()))


def identifiers(model: Model) -> Names:
    return Names(model.names, _RESERVED)


def lines(model: Model) -> Iterator[str]:
    """Yield a model as XML; names that are no identifiers go into notes."""
    names = identifiers(model)
    yield f'{MARK}\n<instance format="XCSP3" type="{"COP" if model.objective else "CSP"}">\n<variables>\n'
    for name, values in model.domains.items():
        shown = escape(name, {'"': "&quot;"})
        note = f' note="{shown}"' if name != names[name] else ""
        yield f'<var id="{names[name]}"{note}> {_spans(values)} </var>\n'
    yield "</variables>\n<constraints>\n"
    writer = _Xcsp3Writer(model, names)
    yield from (f"{text}\n" for text in map(writer.stated, model.constraints) if text)
    yield "</constraints>\n"
    if model.objective:
        yield f"<objectives>\n{writer.goal(model.objective)}\n</objectives>\n"
    yield "</instance>\n"


class _Xcsp3Writer:
    """Writes constraints as elements, and as functional expressions inside others."""

    def __init__(self, model: Model, names: Names) -> None:
        self.domains, self.names = model.domains, names

    def stated(self, c: Constraint) -> str:
        """Write a constraint as an element, or as an intension; nothing if it always holds."""
        if isinstance(c, kinds.Compare) and c.x == c.y:
            return self.fact(c.x, OPERATORS[c.op](0, c.c))
        write = _ELEMENTS.get(type(c))
        return write(self, c) if write else f"<intension> {self.text(c)} </intension>"

    def text(self, c: Constraint) -> str:
        holds = known(c)
        if holds is not None:
            return self.sure(next(iter(self.domains)), holds)
        return _EXPRESSIONS[type(c)](self, c)

    def sure(self, name: str, holds: bool) -> str:
        """Write something about a variable that always holds, or never: the format has no constants for that."""
        return f"{'ge' if holds else 'lt'}({self.names[name]},{self.domains[name][0]})"

    def fact(self, name: str, holds: bool) -> str:
        """State a contradiction about a variable, or nothing."""
        return "" if holds else self.total(kinds.Linear((1,), (name,), "<", self.domains[name][0]))

    def none(self, name: str, op: str, y: str | int) -> str:
        """Compare a count of 0 with a variable or a number."""
        if isinstance(y, str):
            return self.total(kinds.Linear((1,), (y,), FLIPPED[op], 0))
        return self.fact(name, OPERATORS[op](0, y))

    def term(self, term: str | int) -> str:
        return self.names[term] if isinstance(term, str) else str(term)

    def list(self, xs: Iterable[str]) -> str:
        return " ".join(self.names[x] for x in xs)

    def sum(self, factors: dict[str, int], number: int = 0) -> str:
        terms = [self.names[x] if f == 1 else f"mul({f},{self.names[x]})" for x, f in factors.items()]
        parts = [*terms, *([str(number)] if number or not terms else [])]
        return f"add({','.join(parts)})" if len(parts) > 1 else parts[0]

    def goal(self, o: Objective) -> str:
        """Write what is minimised or maximised."""
        terms = o.terms
        if o.constant or not terms:
            some = terms or dict.fromkeys(
                list(self.domains)[:1], 0
            )  # the format does not accept a number alone as a goal
            return f"<{o.sense}> {self.sum(some, o.constant)} </{o.sense}>"
        coeffs = f"<list> {self.list(terms)} </list><coeffs> {_numbers(terms.values())} </coeffs>"
        return f'<{o.sense} type="sum"> {coeffs} </{o.sense}>'

    def among(self, c: kinds.InDomain) -> str:
        values = [v for v in c.values if v in self.domains[c.x]]
        if len(values) == 1:
            return f"eq({self.names[c.x]},{values[0]})"
        return f"in({self.names[c.x]},set({','.join(map(str, values))}))" if values else self.sure(c.x, False)

    def compare(self, c: kinds.Compare) -> str:
        if c.x == c.y:
            return self.sure(c.x, OPERATORS[c.op](0, c.c))
        right = f"add({self.names[c.y]},{c.c})" if c.c else self.names[c.y]
        return f"{_OPERATORS[c.op]}({self.names[c.x]},{right})"

    def linear(self, c: kinds.Linear) -> str:
        """Write a sum as operators state it: as a comparison of two variables, or as a value, if it is one."""
        terms = merged(c)
        if not terms:
            return self.sure(c.scope[0], OPERATORS[c.op](0, c.k))
        found = relation_of(Expression(terms, -c.k), c.op)
        return (
            self.text(found) if not isinstance(found, kinds.Linear) else f"{_OPERATORS[c.op]}({self.sum(terms)},{c.k})"
        )

    def total(self, c: kinds.Linear) -> str:
        terms = merged(c)
        if not terms:
            return self.fact(c.scope[0], OPERATORS[c.op](0, c.k))
        coeffs = "" if set(terms.values()) == {1} else f"<coeffs> {_numbers(terms.values())} </coeffs>"
        return f"<sum> <list> {self.list(terms)} </list>{coeffs}{_condition(c.op, str(c.k))} </sum>"

    def table(self, c: kinds.Table) -> str:
        """Write the tuples within the domains, over distinct variables; without any, a contradiction or nothing."""
        tuples = tuples_of(c, self.domains)
        if not tuples:
            return self.fact(c.scope[0], not c.allowed)
        unary = len(c.scope) == 1
        rows = _numbers(row[0] for row in tuples) if unary else "".join(f"({','.join(map(str, r))})" for r in tuples)
        kind = "supports" if c.allowed else "conflicts"
        return f"<extension> <list> {self.list(c.scope)} </list><{kind}> {rows} </{kind}> </extension>"

    def element(self, c: kinds.Element) -> str:
        places = f'<list startIndex="0"> {self.list(c.xs)} </list><index> {self.names[c.i]} </index>'
        return f"<element> {places}<value> {self.term(c.y)} </value> </element>"

    def regular(self, c: kinds.Regular) -> str:
        """Write an automaton; one that accepts no word as a contradiction."""
        a = c.automaton
        if not a.accepting or not a.arrows:
            return self.fact(c.xs[0], False)
        arrows = "".join(f"(q{state},{value},q{after})" for state, value, after in a.arrows)
        ends = " ".join(f"q{state}" for state in a.accepting)
        return (
            f"<regular> <list> {self.list(c.xs)} </list><transitions> {arrows} </transitions>"
            f"<start> q{a.start} </start><final> {ends} </final> </regular>"
        )

    def count(self, c: kinds.Count) -> str:
        if not c.xs or not c.values:
            return self.none(c.scope[0], c.op, c.y)
        values = f"<values> {_numbers(c.values)} </values>"
        return f"<count> <list> {self.list(c.xs)} </list>{values}{_condition(c.op, self.term(c.y))} </count>"

    def n_value(self, c: kinds.NValue) -> str:
        if not c.xs:
            return self.none(c.scope[0], c.op, c.y)
        return f"<nValues> <list> {self.list(c.xs)} </list>{_condition(c.op, self.term(c.y))} </nValues>"

    def min_max(self, c: kinds.MinMax) -> str:
        """State the least and the largest of some variables, as far as they are needed."""
        ends = [("minimum", c.lo), ("maximum", c.hi)]
        return "\n".join(
            f"<{kind}> <list> {self.list(c.xs)} </list>{_condition('==', self.term(end))} </{kind}>"
            for kind, end in ends
            if end is not None
        )

    def lex(self, c: kinds.LexLess) -> str:
        lists = f"<list> {self.list(c.xs)} </list><list> {self.list(c.ys)} </list>"
        return f"<lex> {lists}<operator> {'lt' if c.strict else 'le'} </operator> </lex>"

    def joined(self, word: str, parts: tuple[Constraint, ...]) -> str:
        texts = [self.text(part) for part in parts]
        return f"{word}({','.join(texts)})" if len(texts) > 1 else texts[0]


def _condition(op: str, right: str) -> str:
    return f"<condition> ({_OPERATORS[op]},{right}) </condition>"


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _spans(values: Domain) -> str:
    """Write a domain as numbers and intervals."""
    found = []
    for _, group in groupby(enumerate(values), lambda pair: pair[1] - pair[0]):
        run = [value for _, value in group]
        found.append(_numbers(run) if len(run) < 3 else f"{run[0]}..{run[-1]}")
    return " ".join(found)


_EXPRESSIONS: dict[type[Constraint], Callable[[_Xcsp3Writer, Any], str]] = {
    kinds.And: lambda w, c: w.joined("and", c.parts),
    kinds.Compare: _Xcsp3Writer.compare,
    kinds.Implies: lambda w, c: f"imp({w.text(c.condition)},{w.text(c.result)})",
    kinds.InDomain: _Xcsp3Writer.among,
    kinds.Linear: _Xcsp3Writer.linear,
    kinds.Not: lambda w, c: f"not({w.text(c.part)})",
    kinds.Or: lambda w, c: w.joined("or", c.parts),
}
_ELEMENTS: dict[type[Constraint], Callable[[_Xcsp3Writer, Any], str]] = {
    kinds.AllDifferent: lambda w, c: f"<allDifferent> {w.list(c.xs)} </allDifferent>",
    kinds.Count: _Xcsp3Writer.count,
    kinds.Element: _Xcsp3Writer.element,
    kinds.LexLess: _Xcsp3Writer.lex,
    kinds.Linear: _Xcsp3Writer.total,
    kinds.MinMax: _Xcsp3Writer.min_max,
    kinds.NValue: _Xcsp3Writer.n_value,
    kinds.Regular: _Xcsp3Writer.regular,
    kinds.Table: _Xcsp3Writer.table,
}

CAPABILITIES = Capabilities(
    kinds=frozenset({*_EXPRESSIONS, *_ELEMENTS}),
    features=frozenset({Feature.OBJECTIVE}),
    refuses=refusal(frozenset(_EXPRESSIONS)),
)

FORMAT = ExportFormat("xcsp3", "XCSP3, its core constraints", CAPABILITIES, lines)
