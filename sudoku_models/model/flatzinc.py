"""FlatZinc as a model: what MiniZinc makes for a solver with the standard library's predicates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..errors import FormatError
from .constraint import OPERATORS, AllDifferent, Constraint, InDomain, Table
from .counting_constraints import Element
from .expression import Variable, expression, total
from .global_constraints import Circuit, Cumulative, GlobalCardinality, Inverse
from .instances import UNREADABLE, misstated
from .logic import And, Implies, Or
from .model import Model
from .terms import count_of, maximum, minimum

_TOKEN = re.compile(r"\s*(?:-?\d{1,18}(?![\w]|\.\d)|[A-Za-z_]\w*|\.\.|::|[\[\](){},:;=])")
_ARRAYS = re.compile(r"array\s*\[\s*1\s*\.\.\s*\d+\s*\]\s*of\s*(.*)", re.S)
WIDEST = 1_000_000


def _linear(op: str) -> Callable[..., Constraint]:
    return lambda coeffs, xs, k: OPERATORS[op](total([c * x for c, x in zip(coeffs, xs, strict=True)]) + 0, k)


def _compared(op: str) -> Callable[..., Any]:
    return lambda a, b: OPERATORS[op](expression(a), b)


def _clause(positive: list[Any], negative: list[Any]) -> Constraint:
    return Or([*(x == 1 for x in map(expression, positive)), *(x == 0 for x in map(expression, negative))])


_COMPARED = {"eq": "==", "ne": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}
PREDICATES: dict[str, Callable[..., Any]] = {
    **{f"{kind}_{name}": _compared(op) for name, op in _COMPARED.items() for kind in ("int", "bool")},
    **{f"{kind}_lin_{name}": _linear(op) for name, op in _COMPARED.items() for kind in ("int", "bool")},
    "bool2int": _compared("=="),
    "bool_not": _compared("!="),
    "bool_and": lambda a, b, r: r == minimum(a, b),
    "bool_or": lambda a, b, r: r == maximum(a, b),
    "bool_xor": lambda a, b, r=1: r == abs(expression(a) - b),
    "bool_clause": _clause,
    "array_bool_and": lambda xs, r: r == minimum(xs),
    "array_bool_or": lambda xs, r: r == maximum(xs),
    "int_plus": lambda a, b, c: expression(a) + b == c,
    "int_minus": lambda a, b, c: expression(a) - b == c,
    "int_times": lambda a, b, c: expression(a) * b == c,
    "int_abs": lambda a, b: abs(expression(a)) == b,
    "int_max": lambda a, b, c: maximum(a, b) == c,
    "int_min": lambda a, b, c: minimum(a, b) == c,
    "array_int_maximum": lambda m, xs: maximum(xs) == m,
    "array_int_minimum": lambda m, xs: minimum(xs) == m,
    "set_in": lambda x, values: InDomain(x, values),
    "all_different_int": lambda xs: AllDifferent(xs),
    "count_eq": lambda xs, y, c: count_of(xs, y) == c,
    "global_cardinality": lambda xs, values, counts: GlobalCardinality(xs, values, counts),
    "global_cardinality_closed": lambda xs, values, counts: GlobalCardinality(xs, values, counts, True),
}
"""By name, without the prefixes fzn_ and gecode_ and the endings _reif and _imp; indexes from 1 are in ``_indexed``."""


def _indexed(
    name: str, arguments: list[Any], fresh: Callable[[int, int], Variable], state: Callable[[Constraint], object]
) -> Any:
    """Return a predicate with indexes from 1, over variables that are 1 less; None if it is another.

    That they are 1 less is stated apart: it holds even where a reified predicate does not.
    """

    def lowered(x: Variable | int) -> Variable:
        if isinstance(x, int):
            return fresh(x - 1, x - 1)
        less = fresh(x.domain[0] - 1, x.domain[-1] - 1)
        state(less == x - 1)
        return less

    if name in ("array_int_element", "array_bool_element", "array_var_int_element", "array_var_bool_element"):
        index, xs, y = arguments
        if all(isinstance(x, int) for x in xs):
            wanted = y if isinstance(y, Variable) else None
            rows = [(i, v) for i, v in enumerate(xs, 1) if wanted is not None or v == y]
            return Table((index, y), rows) if wanted is not None else InDomain(index, [i for i, _ in rows])
        listed = [x if isinstance(x, Variable) else fresh(x, x) for x in xs]
        return Element(listed, lowered(index), y)
    if name in ("circuit", "inverse"):
        return (Circuit if name == "circuit" else Inverse)(*(list(map(lowered, xs)) for xs in arguments))
    if name == "cumulative":
        return Cumulative(*arguments)
    return None


def flatzinc(text: str) -> Model:
    """Read a FlatZinc file; FormatError names the line and what is missing."""
    reader, line = _Reader(), 1
    for statement in re.sub(r"%[^\n]*", "", text).split(";"):
        line += statement[: len(statement) - len(statement.lstrip())].count("\n")
        if statement.strip():
            try:
                reader.read(statement.strip())
            except FormatError as error:
                raise FormatError(error.message, line=line) from None
            except UNREADABLE as error:
                short = " ".join(statement.split())
                raise misstated(f"{short:.80}", error).at(line=line) from None
        line += statement.lstrip().count("\n")
    if reader.goal is None:
        raise FormatError("a solve item is expected at the end", line=line)
    model, (sense, goal) = Model(reader.variables, reader.constraints), reader.goal
    if sense == "satisfy":
        return model
    return model.minimise(goal) if sense == "minimize" else model.maximise(goal)


class _Reader:
    def __init__(self) -> None:
        self.names: dict[str, Any] = {"true": 1, "false": 0}
        self.variables: list[Variable] = []
        self.constraints: list[Constraint] = []
        self.goal: tuple[str, Any] | None = None

    def read(self, statement: str) -> None:
        word = statement.split(None, 1)[0]
        if word == "predicate":
            return
        if word == "constraint":
            self.constraints.append(self.constraint(statement[len(word) :].split("::")[0]))
        elif word == "solve":
            how = re.search(r"\b(satisfy|minimize|maximize)\b\s*(.*)", statement, re.S)
            if how is None or self.goal is not None:
                raise FormatError("one item solve satisfy, minimize or maximize is expected")
            goal = self.value(how[2]) if how[1] != "satisfy" else 0
            if isinstance(goal, list):
                raise FormatError(f"a variable is expected to {how[1]}, not {how[2][:40]}")
            self.goal = how[1], goal
        else:
            self.declare(statement)

    def declare(self, statement: str) -> None:
        kind, _, rest = statement.partition(":")
        match = re.match(r"\s*([A-Za-z_]\w*)\s*(?:::[^=]*)?(?:=\s*(.*))?\Z", rest, re.S)
        if match is None:
            raise FormatError(f"a declaration is expected, not {statement[:50]!r}")
        name, value = match[1], match[2]
        if _ARRAYS.match(kind) or not kind.startswith("var"):
            self.names[name] = self.value(value or "")
            return
        made = self.variable(name, kind[3:].strip())
        if value:
            self.constraints.append(made == self.value(value))

    def variable(self, name: str, kind: str) -> Variable:
        values: Any = (0, 1) if kind == "bool" else None if kind == "int" else self.value(kind)
        if name in self.names:
            raise FormatError(f"a second {name}")
        if values is None:
            raise FormatError(f"{name} has no bounds: a finite domain is expected")
        made = self.names[name] = Variable(name, values)
        self.variables.append(made)
        return made

    def fresh(self, low: int, high: int) -> Variable:
        return self.variable(f"_{len(self.variables)}", f"{low}..{high}")

    def constraint(self, text: str) -> Constraint:
        match = re.match(r"\s*(?:fzn_|gecode_)?(\w+?)(_reif|_imp)?\s*\((.*)\)\s*\Z", text, re.S)
        if match is None:
            raise FormatError(f"a constraint is expected, not {text[:50]!r}")
        arguments = self.value(f"[{match[3]}]")
        truth = arguments.pop() if match[2] else None
        found = _indexed(match[1], arguments, self.fresh, self.constraints.append)
        if found is None and match[1] not in PREDICATES:
            raise FormatError(f"the predicate {match[1]} is not read")
        found = PREDICATES[match[1]](*arguments) if found is None else found
        if isinstance(found, bool):
            found = And() if found else Or()
        if truth is None:
            return found  # type: ignore[no-any-return]
        holds = expression(truth) == 1
        return holds.iff(found) if match[2] == "_reif" else Implies(holds, found)

    def value(self, text: str) -> Any:
        """Return a number, a variable, a range, a set or an array."""
        tokens, at = list[str](), 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None:
                raise FormatError(f"{text[at : at + 30].strip()!r} is not read: whole numbers, names and arrays are")
            tokens.append(match.group().strip())
            at = match.end()
        found, end = self._value(tokens, 0)
        if end < len(tokens) and tokens[end] != "::":
            raise FormatError(f"{tokens[end]!r} is not expected")
        return found

    def _value(self, tokens: list[str], at: int) -> tuple[Any, int]:
        word = tokens[at]
        if word in ("[", "{"):
            items, at = list[Any](), at + 1
            while tokens[at] not in ("]", "}"):
                item, at = self._value(tokens, at)
                items.append(item)
                at += tokens[at] == ","
            return items, at + 1
        if re.fullmatch(r"-?\d+", word):
            if tokens[at + 1 : at + 2] != [".."]:
                return int(word), at + 1
            if int(tokens[at + 2]) - int(word) > WIDEST:
                raise FormatError(f"the range {word}..{tokens[at + 2]}: at most {WIDEST:,} values are read")
            return list(range(int(word), int(tokens[at + 2]) + 1)), at + 3
        if tokens[at + 1 : at + 2] == ["["]:
            if int(tokens[at + 2]) < 1:
                raise FormatError(f"{word[:40]}[{tokens[at + 2]}]: indexes begin with 1")
            return self.names[word][int(tokens[at + 2]) - 1], at + 4
        if word not in self.names:
            raise FormatError(f"{word[:40]} is not declared")
        return self.names[word], at + 1
