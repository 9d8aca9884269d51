"""SMT-LIB 2 in the logic QF_LIA: an integer constant for each variable, an assertion for each constraint.

An objective is written as ``(minimize ...)`` or ``(maximize ...)``: not part of the standard, but read by the solvers
that optimise (Z3, OptiMathSAT).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from ..engine.contract import Capabilities, Feature
from ..lowering.arithmetic import merged
from ..model import Constraint, Domain, Model, kinds
from .common import ExportFormat, Names, known, refusal

_WORDS = (
    "par as exists forall let match not and or xor ite true false distinct abs div mod to_real to_int "
    "is_int select store bool int real array continued_execution error immediate_exit incomplete logic "
    "memout sat success theory unknown unsupported unsat assert minimize maximize NUMERAL DECIMAL STRING "
    "BINARY HEXADECIMAL Bool Int Real Array String Seq Set bv2nat implies iff if"
)
_RESERVED = frozenset(_WORDS.split())


def lines(model: Model) -> Iterator[str]:
    """Yield a model as SMT-LIB 2, with the commands that solve it and show the values."""
    names = Names(model.names, _RESERVED)
    yield "; sudoku-models\n"
    yield from (f"; {line}\n" for line in names.remarks())
    yield "(set-logic QF_LIA)\n"
    writer = _SmtlibWriter(model, names)
    for name, values in model.domains.items():
        yield f"(declare-fun {names[name]} () Int)\n"
        yield f"(assert {writer.among(name, values)})\n"
    yield from (f"(assert {writer.text(c)})\n" for c in model.constraints)
    if model.objective:
        o = model.objective
        constant = [_number(o.constant)] if o.constant else []
        yield f"({o.sense} {_sum([*writer.terms(o.terms), *constant])})\n"
    yield "(check-sat)\n"
    if names:
        yield f"(get-value ({' '.join(names[name] for name in model.names)}))\n"


class _SmtlibWriter:
    """Writes constraints as terms."""

    def __init__(self, model: Model, names: Names) -> None:
        self.domains, self.names = model.domains, names

    def text(self, c: Constraint) -> str:
        sure = known(c)
        return _WRITTEN[type(c)](self, c) if sure is None else "true" if sure else "false"

    def term(self, term: str | int) -> str:
        return self.names[term] if isinstance(term, str) else _number(term)

    def terms(self, factors: dict[str, int]) -> list[str]:
        return [self.names[x] if f == 1 else f"(* {_number(f)} {self.names[x]})" for x, f in factors.items()]

    def among(self, name: str, values: Domain) -> str:
        """Write that a variable has one of some values, by bounds if these have no gaps."""
        x = self.names[name]
        if len(values) > 2 and all(b == a + 1 for a, b in pairwise(values)):
            return f"(<= {_number(values[0])} {x} {_number(values[-1])})"
        return _joined("or", [f"(= {x} {_number(v)})" for v in values])

    def in_domain(self, c: kinds.InDomain) -> str:
        return self.among(c.x, c.values)

    def all_different(self, c: kinds.AllDifferent) -> str:
        return f"(distinct {' '.join(self.names[x] for x in c.xs)})" if len(c.xs) > 1 else "true"

    def linear(self, c: kinds.Linear) -> str:
        return _compared(_sum(self.terms(merged(c))), c.op, _number(c.k))

    def compare(self, c: kinds.Compare) -> str:
        right = f"(+ {self.names[c.y]} {_number(c.c)})" if c.c else self.names[c.y]
        return _compared(self.names[c.x], c.op, right)

    def row(self, xs: Iterable[str], row: Iterable[int]) -> str:
        return _joined("and", [f"(= {self.names[x]} {_number(v)})" for x, v in zip(xs, row, strict=True)])

    def table(self, c: kinds.Table) -> str:
        found = _joined("or", [self.row(c.xs, row) for row in c.tuples])
        return found if c.allowed else f"(not {found})"

    def count(self, c: kinds.Count) -> str:
        return _compared(_sum([_flag(self.among(x, c.values)) for x in c.xs]), c.op, self.term(c.y))

    def n_value(self, c: kinds.NValue) -> str:
        values = sorted({v for x in c.xs for v in self.domains[x]})
        flags = [_flag(_joined("or", [f"(= {self.names[x]} {_number(v)})" for x in c.xs])) for v in values]
        return _compared(_sum(flags), c.op, self.term(c.y))

    def min_max(self, c: kinds.MinMax) -> str:
        """An end is reached by some variable and passed by none."""
        found = []
        for end, op in ((c.lo, ">="), (c.hi, "<=")):
            if end is not None:
                found += [f"({op} {self.names[x]} {self.term(end)})" for x in dict.fromkeys(c.xs)]
                found.append(_joined("or", [f"(= {self.names[x]} {self.term(end)})" for x in dict.fromkeys(c.xs)]))
        return _joined("and", found)

    def lex_less(self, c: kinds.LexLess) -> str:
        found = "false" if c.strict else "true"
        for x, y in reversed(list(zip(c.xs, c.ys, strict=True))):
            a, b = self.names[x], self.names[y]
            found = f"(or (< {a} {b}) (and (= {a} {b}) {found}))"
        return found


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _joined(word: str, parts: list[str]) -> str:
    if not parts:
        return "true" if word == "and" else "false"
    return parts[0] if len(parts) == 1 else f"({word} {' '.join(parts)})"


def _sum(parts: list[str]) -> str:
    return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "0"


def _flag(text: str) -> str:
    return f"(ite {text} 1 0)"


def _compared(left: str, op: str, right: str) -> str:
    return f"(not (= {left} {right}))" if op == "!=" else f"({'=' if op == '==' else op} {left} {right})"


_WRITTEN: dict[type[Constraint], Callable[[_SmtlibWriter, Any], str]] = {
    kinds.AllDifferent: _SmtlibWriter.all_different,
    kinds.And: lambda w, c: _joined("and", [w.text(part) for part in c.parts]),
    kinds.Compare: _SmtlibWriter.compare,
    kinds.Count: _SmtlibWriter.count,
    kinds.Implies: lambda w, c: f"(=> {w.text(c.condition)} {w.text(c.result)})",
    kinds.InDomain: _SmtlibWriter.in_domain,
    kinds.LexLess: _SmtlibWriter.lex_less,
    kinds.Linear: _SmtlibWriter.linear,
    kinds.MinMax: _SmtlibWriter.min_max,
    kinds.NValue: _SmtlibWriter.n_value,
    kinds.Not: lambda w, c: f"(not {w.text(c.part)})",
    kinds.Or: lambda w, c: _joined("or", [w.text(part) for part in c.parts]),
    kinds.Table: _SmtlibWriter.table,
}

CAPABILITIES = Capabilities(
    kinds=frozenset(_WRITTEN),
    features=frozenset({Feature.OBJECTIVE}),
    refuses=refusal(frozenset(_WRITTEN)),
)

FORMAT = ExportFormat("smt-lib", "SMT-LIB 2, logic QF_LIA", CAPABILITIES, lines)
