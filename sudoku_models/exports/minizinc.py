"""MiniZinc, with the globals of its standard library. Its program makes FlatZinc of that for any of its solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..engine.contract import Capabilities, Feature
from ..lowering.arithmetic import merged
from ..lowering.negation import pushed
from ..model import Constraint, Domain, Model, domain_text, kinds
from ..model.logic import nested
from .common import ExportFormat, Names, known, refusal

_WORDS = (
    "ann annotation any array bool case constraint default diff div else elseif endif enum exists false "
    "float forall function if in include int intersect let list maximize maxby minby minimize mod not of "
    "op opt output par predicate record satisfy set solve string subset superset symdiff test then true "
    "tuple type union var where xor abs acos acosh arg_max arg_min array1d array2d asin asinh assert atan "
    "atanh bool2float bool2int bool2str card ceil clause concat cos cosh count dom exp fix floor "
    "float2int iffall infinity int2float is_fixed join length lex_less lex_lesseq ln log log10 log2 max "
    "min mzn_version nvalue pow product regular round show show_int sin sinh sort sqrt sum table tan tanh "
    "trace ub lb xorall all_different among"
)
_ANNOTATIONS = (
    "add_to_output annotated_expression anti_first_fail array_check_form bool_search bounds cache_result complete "
    "constraint_name ctx_mix ctx_neg ctx_pos ctx_root defines_var doc_comment dom_w_deg domain "
    "domain_change_constraint empty_annotation expression_name expression_name_dbg first_fail float_max_goal "
    "float_min_goal float_search goal_hierarchy impact indomain indomain_interval indomain_max indomain_median "
    "indomain_middle indomain_min indomain_random indomain_reverse_split indomain_split indomain_split_random "
    "input_order int_max_goal int_min_goal int_search is_defined_var is_reverse_map largest max_goal max_regret "
    "maybe_partial min_goal most_constrained no_cse no_output occurrence outdomain_max outdomain_median outdomain_min "
    "outdomain_random output_array output_only output_var promise_ctx_antitone promise_ctx_monotone promise_total "
    "relax_and_reconstruct restart_constant restart_geometric restart_linear restart_luby restart_none sat_goal "
    "seq_search set_search smallest value_propagation var_is_introduced warm_start warm_start_array debug_mode"
)
_RESERVED = frozenset((_WORDS + " " + _ANNOTATIONS).split())


def identifiers(model: Model) -> Names:
    own = {name for name in model.names if name.startswith("mzn_")}  # as much in the standard library begins
    return Names(model.names, _RESERVED | own)


def lines(model: Model) -> Iterator[str]:
    """Yield a model as MiniZinc; every variable is printed by name."""
    names = identifiers(model)
    yield "% sudoku-models\n"
    yield from (f"% {line}\n" for line in names.remarks())
    met = {type(part) for c in model.constraints for part in nested(c)}  # not all files compile with every solver
    yield from (f'include "{file}.mzn";\n' for kind, files in _FILES.items() if kind in met for file in files)
    for name, values in model.domains.items():
        yield f"var {domain_text(values)}: {names[name]};\n"
    writer = _MiniZincWriter(model, names)
    yield from (f"constraint {writer.stated(c)};\n" for c in model.constraints)
    yield f"solve {writer.goal(model)};\n"


class _MiniZincWriter:
    """Writes constraints as expressions."""

    def __init__(self, model: Model, names: Names) -> None:
        self.domains, self.names = model.domains, names

    def stated(self, c: Constraint) -> str:
        """Write a constraint that must hold: with global constraints if possible, and negations pushed inwards.

        A counter under a negation is read wrongly by MiniZinc 2.6 for solvers with half-reification (Gecode).
        """
        c = pushed(c, self.domains)
        write = _GLOBALS.get(type(c))
        return write(self, c) if write else self.text(c)

    def text(self, c: Constraint) -> str:
        """Write a constraint that may be a part of another one, in parentheses."""
        sure = known(c)
        return f"({_WRITTEN[type(c)](self, c)})" if sure is None else "true" if sure else "false"

    def goal(self, model: Model) -> str:
        o = model.objective
        if not o:
            return "satisfy"
        return f"{o.sense} {self.sum(o.terms)} + {_number(o.constant)}"

    def term(self, term: str | int) -> str:
        return self.names[term] if isinstance(term, str) else _number(term)

    def list(self, xs: Iterable[str]) -> str:
        return f"[{', '.join(self.names[x] for x in xs)}]"

    def sum(self, factors: dict[str, int]) -> str:
        return " + ".join(f"{_number(f)}*{self.names[x]}" for x, f in factors.items()) or "0"

    def in_domain(self, c: kinds.InDomain) -> str:
        return f"{self.names[c.x]} in {domain_text(c.values)}"

    def differences(self, c: kinds.AllDifferent) -> str:
        pairs = [(x, y) for i, x in enumerate(c.xs) for y in c.xs[i + 1 :]]
        return " /\\ ".join(f"{self.names[x]} != {self.names[y]}" for x, y in pairs) or "true"

    def linear(self, c: kinds.Linear) -> str:
        return f"{self.sum(merged(c))} {c.op} {_number(c.k)}"

    def compare(self, c: kinds.Compare) -> str:
        return f"{self.names[c.x]} {c.op} {self.names[c.y]} + {_number(c.c)}"

    def tuples(self, c: kinds.Table) -> str:
        """Write a table as its tuples, one by one."""
        op, inner, outer = ("==", " /\\ ", " \\/ ") if c.allowed else ("!=", " \\/ ", " /\\ ")
        pairs = (zip(c.xs, row, strict=True) for row in c.tuples)
        rows = [f"({inner.join(f'{self.names[x]} {op} {_number(v)}' for x, v in row)})" for row in pairs]
        return outer.join(rows) or str(not c.allowed).lower()

    def table(self, c: kinds.Table) -> str:
        if not c.allowed or not c.tuples:
            return self.text(c)
        return f"table({self.list(c.xs)}, {_matrix(c.tuples)})"

    def element(self, c: kinds.Element) -> str:
        index = self.names[c.i]
        return f"{index} in 0..{len(c.xs) - 1} /\\ {self.list(c.xs)}[{index} + 1] == {self.term(c.y)}"

    def number(self, xs: Iterable[str], values: Domain) -> str:
        """Write the number of variables that have one of some values."""
        return " + ".join(f"bool2int({self.names[x]} in {domain_text(values)})" for x in xs) or "0"

    def count(self, c: kinds.Count) -> str:
        return _compared(self.number(c.xs, c.values), c.op, self.term(c.y))

    def n_value(self, c: kinds.NValue) -> str:
        """Write for each value whether it occurs; the sum of these is the number of values."""
        values = sorted({v for x in c.xs for v in self.domains[x]})
        there = (" \\/ ".join(f"{self.names[x]} == {_number(v)}" for x in dict.fromkeys(c.xs)) for v in values)
        number = " + ".join(f"bool2int({text})" for text in there) or "0"
        return _compared(number, c.op, self.term(c.y))

    def n_values(self, c: kinds.NValue) -> str:
        return f"nvalue({self.term(c.y)}, {self.list(c.xs)})" if c.op == "==" and c.xs else self.text(c)

    def min_max(self, c: kinds.MinMax) -> str:
        ends = [("min", c.lo), ("max", c.hi)]
        parts = [f"{name}({self.list(c.xs)}) == {self.term(end)}" for name, end in ends if end is not None]
        return " /\\ ".join(parts) or "true"

    def lex_less(self, c: kinds.LexLess) -> str:
        return f"{'lex_less' if c.strict else 'lex_lesseq'}({self.list(c.xs)}, {self.list(c.ys)})"

    def regular(self, c: kinds.Regular) -> str:
        """Write an automaton with states and values counted from 1; 0 is the dead end."""
        a = c.automaton
        values = {v for x in c.xs for v in self.domains[x]}
        low, high = min(values), max(values)
        rows = [[a.next.get((state, v), -1) + 1 for v in range(low, high + 1)] for state in range(a.states)]
        letters = ", ".join(f"{self.names[x]} - {_number(low - 1)}" for x in c.xs)
        accepting = "{" + ", ".join(str(state + 1) for state in a.accepting) + "}"
        return f"regular([{letters}], {a.states}, {high - low + 1}, {_matrix(rows)}, {a.start + 1}, {accepting})"


def _compared(left: str, op: str, right: str) -> str:
    """Write a comparison of counts; Gecode 6.2 ignores the factors of a sum in a ``!=`` that is part of another one."""
    return f"({left} < {right} \\/ {left} > {right})" if op == "!=" else f"{left} {op} {right}"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def _matrix(rows: Iterable[Iterable[int]]) -> str:
    return "[|" + "|".join(", ".join(map(str, row)) for row in rows) + "|]"


_WRITTEN: dict[type[Constraint], Callable[[_MiniZincWriter, Any], str]] = {
    kinds.AllDifferent: _MiniZincWriter.differences,
    kinds.And: lambda w, c: " /\\ ".join(w.text(part) for part in c.parts),
    kinds.Compare: _MiniZincWriter.compare,
    kinds.Count: _MiniZincWriter.count,
    kinds.Element: _MiniZincWriter.element,
    kinds.Implies: lambda w, c: f"{w.text(c.condition)} -> {w.text(c.result)}",
    kinds.InDomain: _MiniZincWriter.in_domain,
    kinds.Linear: _MiniZincWriter.linear,
    kinds.MinMax: _MiniZincWriter.min_max,
    kinds.NValue: _MiniZincWriter.n_value,
    kinds.Not: lambda w, c: f"not {w.text(c.part)}",
    kinds.Or: lambda w, c: " \\/ ".join(w.text(part) for part in c.parts),
    kinds.Table: _MiniZincWriter.tuples,
}
_GLOBALS: dict[type[Constraint], Callable[[_MiniZincWriter, Any], str]] = {
    kinds.AllDifferent: lambda w, c: f"all_different({w.list(c.xs)})",
    kinds.LexLess: _MiniZincWriter.lex_less,
    kinds.NValue: _MiniZincWriter.n_values,
    kinds.Regular: _MiniZincWriter.regular,
    kinds.Table: _MiniZincWriter.table,
}
_FILES: dict[type[Constraint], tuple[str, ...]] = {
    kinds.AllDifferent: ("alldifferent",),
    kinds.LexLess: ("lex_less", "lex_lesseq"),
    kinds.NValue: ("nvalue",),
    kinds.Regular: ("regular",),
    kinds.Table: ("table",),
}

CAPABILITIES = Capabilities(
    kinds=frozenset({*_WRITTEN, *_GLOBALS}),
    features=frozenset({Feature.OBJECTIVE}),
    refuses=refusal(frozenset(_WRITTEN)),
)

FORMAT = ExportFormat("minizinc", "MiniZinc", CAPABILITIES, lines)
