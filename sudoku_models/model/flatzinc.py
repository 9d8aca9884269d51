"""FlatZinc as a model, and back: what MiniZinc makes for a solver with the standard library's predicates."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, product, takewhile
from typing import Any

from ..errors import FormatError
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear, Table
from .counting_constraints import Count, Element, LexLess, MinMax, NValue
from .domain import domain_text
from .expression import Variable, expression, total
from .global_constraints import Circuit, Cumulative, GlobalCardinality, Inverse, NoOverlap
from .instances import UNREADABLE, misstated, quotient, remainder
from .logic import And, Implies, Not, Or, nested
from .model import Model, Objective
from .regular import Automaton, Regular
from .terms import count_of, maximum, minimum

WIDEST = 1_000_000

ROWS: tuple[tuple[str, type[Constraint], str, dict[str, Any]], ...] = (
    ("fzn_all_different_int", AllDifferent, "xs", {}),
    ("fzn_lex_less_int", LexLess, "xs ys", {"strict": True}),
    ("fzn_lex_lesseq_int", LexLess, "xs ys", {"strict": False}),
    ("fzn_nvalue", NValue, "y xs", {"op": "=="}),
    ("fzn_disjunctive", NoOverlap, "starts durations", {}),
    ("fzn_cumulative", Cumulative, "starts durations demands capacity", {}),
    ("fzn_global_cardinality", GlobalCardinality, "xs values counts", {"closed": False}),
    ("fzn_global_cardinality_closed", GlobalCardinality, "xs values counts", {"closed": True}),
    ("fzn_circuit", Circuit, "+xs", {}),
    ("fzn_inverse", Inverse, "+xs +ys", {}),
    ("array_var_int_element", Element, "+i xs y", {}),
    ("array_int_maximum", MinMax, "hi xs", {"lo": None}),
    ("array_int_minimum", MinMax, "lo xs", {"hi": None}),
)
"""Predicates that have a kind of constraint: its fields in their order, and those with a known value.

Where a field is marked by a plus, the predicate has indexes from 1, and the constraint such that are 1 less.
"""


def _linear(op: str) -> Callable[..., Constraint]:
    return lambda coeffs, xs, k: OPERATORS[op](total([c * x for c, x in zip(coeffs, xs, strict=True)]) + 0, k)


def _compared(op: str) -> Callable[..., Any]:
    return lambda a, b: OPERATORS[op](expression(a), b)


def _clause(positive: list[Any], negative: list[Any]) -> Constraint | bool:
    literals = [*((x, 1) for x in positive), *((x, 0) for x in negative)]
    known = any(x == value for x, value in literals if isinstance(x, int))
    return known or Or([x == value for x, value in literals if not isinstance(x, int)])


def _table(xs: list[Any], flat: list[int]) -> Table:
    return Table(xs, zip(*[iter(flat)] * len(xs), strict=True))


def _regular(xs: list[Any], states: int, letters: int, after: list[int], start: int, ends: list[int]) -> Regular:
    """Read an automaton with states and letters from 1; 0 is the dead end."""
    places = zip(product(range(states), range(1, letters + 1)), after, strict=True)
    arrows = [(state, value, to - 1) for (state, value), to in places if to]
    return Regular(xs, Automaton(states, start - 1, [end - 1 for end in ends], arrows))


def _calculated(value: Callable[[int, int], int | None]) -> Callable[..., Any]:
    """Return what states that the third term is a value of the first two, by tuples; None is no value."""

    def stated(*terms: Any) -> Any:
        domains = [term.domain if isinstance(term, Variable) else (term,) for term in terms]
        if len(domains[0]) * len(domains[1]) > WIDEST:
            raise FormatError(f"more than {WIDEST:,} pairs of values: smaller domains are expected")
        wanted = frozenset(domains[2])
        rows = [(a, b, c) for a, b in product(*domains[:2]) if (c := value(a, b)) is not None and c in wanted]
        kept = [place for place, term in enumerate(terms) if isinstance(term, Variable)]
        return Table([terms[i] for i in kept], [[row[i] for i in kept] for row in rows]) if kept else bool(rows)

    return stated


def _power(a: int, b: int) -> int | None:
    if b < 0:
        return a ** (b % 2) if a in (1, -1) else None
    return a**b if (a.bit_length() - 1) * b <= 64 or abs(a) < 2 else None


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
    "int_div": _calculated(quotient),
    "int_mod": _calculated(remainder),
    "int_pow": _calculated(_power),
    "int_abs": lambda a, b: abs(expression(a)) == b,
    "int_max": lambda a, b, c: maximum(a, b) == c,
    "int_min": lambda a, b, c: minimum(a, b) == c,
    "array_int_maximum": lambda m, xs: maximum(xs) == m,
    "array_int_minimum": lambda m, xs: minimum(xs) == m,
    "set_in": lambda x, values: x in values if isinstance(x, int) else InDomain(x, values),
    "table_int": _table,
    "table_bool": _table,
    "regular": _regular,
    "count_eq": lambda xs, y, c: count_of(xs, y) == c,
}
"""Further predicates. All go by their names without the prefixes fzn_ and gecode_ and the endings _reif and _imp."""


def flatzinc(text: str) -> Model:
    """Read a FlatZinc file; FormatError names the line and what is missing."""
    reader, line, items = _Reader(), 1, list[tuple[int, str]]()
    for statement in re.sub(r"%[^\n]*", "", text).split(";"):
        line += statement[: len(statement) - len(statement.lstrip())].count("\n")
        items.append((line, statement.strip()))
        line += statement.lstrip().count("\n")
    # the variables that constraints add come after all that are declared, wherever a constraint stands
    for at, statement in sorted(items, key=lambda item: item[1].startswith("constraint")):
        try:
            reader.read(statement)
        except FormatError as error:
            raise FormatError(error.message, line=at) from None
        except UNREADABLE as error:
            raise misstated(f"{' '.join(statement.split()):.80}", error).at(line=at) from None
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
        word = next(iter(statement.split(None, 1)), "predicate")
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
        if not kind.startswith("var"):  # an array, or a constant
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
        found = self.stated(match[1], arguments)
        if isinstance(found, Constraint) and not found.scope:
            found = found.holds({})
        if isinstance(found, bool):
            found = And() if found else Or()
        if truth is None:
            return found  # type: ignore[no-any-return]
        holds = expression(truth) == 1
        return holds.iff(found) if match[2] == "_reif" else Implies(holds, found)

    def stated(self, name: str, arguments: Sequence[Any]) -> Any:
        """Return what a predicate states: a constraint, or whether it holds for known numbers."""
        if name in PREDICATES:
            return PREDICATES[name](*arguments)
        if re.fullmatch("array_(var_)?(int|bool)_element", name):
            return self.element(*arguments)
        for known, kind, fields, fixed in ROWS:
            if known == f"fzn_{name}":
                given = zip(fields.split(), arguments, strict=True)
                return kind(**{f.lstrip("+"): [*map(self.from_0, x)] if f[0] == "+" else x for f, x in given}, **fixed)
        raise FormatError(f"the predicate {name} is not read")

    def element(self, index: Any, xs: Sequence[Any], y: Any) -> Constraint:
        if all(isinstance(x, int) for x in xs):
            if isinstance(y, Variable):
                return Table((index, y), enumerate(xs, 1))
            return InDomain(index, [i for i, x in enumerate(xs, 1) if x == y])
        return Element([x if isinstance(x, Variable) else self.fresh(x, x) for x in xs], self.from_0(index), y)

    def from_0(self, x: Variable | int) -> Variable:
        """Return a variable that is 1 less than an index from 1.

        That it is 1 less is stated apart: it holds even where a reified predicate does not.
        """
        if isinstance(x, int):
            return self.fresh(x - 1, x - 1)
        less = self.fresh(x.domain[0] - 1, x.domain[-1] - 1)
        self.constraints.append(less == x - 1)
        return less

    def value(self, text: str) -> Any:
        """Return a number, a variable, a range, a set or an array, all of which are read as JSON."""
        try:
            return json.loads(_WORD.sub(_as_json, text), object_pairs_hook=self._named, parse_float=_no_float)
        except json.JSONDecodeError:
            raise FormatError(f"{text.strip()[:40]!r} is not read: whole numbers, names and arrays are") from None

    def _named(self, pairs: list[tuple[str, Any]]) -> Any:
        """Return a range, or what a name or a member of an array stands for."""
        [(word, at)] = pairs
        if word == "..":
            if at[1] - at[0] > WIDEST:
                raise FormatError(f"the range {at[0]}..{at[1]}: at most {WIDEST:,} values are read")
            return list(range(at[0], at[1] + 1))
        if word not in self.names:
            raise FormatError(f"{word[:40]} is not declared")
        if at == 0:
            raise FormatError(f"{word[:40]}[0]: indexes begin with 1")
        return self.names[word] if at is None else self.names[word][at - 1]


_WORD = re.compile(
    r"(?P<low>-?\d{1,18})\s*\.\.\s*(?P<high>-?\d{1,18})|(?P<name>[A-Za-z_]\w*)(?:\s*\[\s*(?P<at>\d{1,18})\s*\])?"
    r"|(?P<mark>[{}\"])|(?P<long>\d{19,})|(?P<last>,\s*(?=[\]}]))"
)


def _as_json(word: re.Match[str]) -> str:
    """Return a part of a value as JSON: a set as an array, a range and a name as an object."""
    if word["low"]:
        return f'{{"..":[{word["low"]},{word["high"]}]}}'
    if word["name"]:
        return f'{{"{word["name"]}":{word["at"] or "null"}}}'
    return {"{": "[", "}": "]"}.get(word[0], "" if word["last"] else "?")


def _no_float(text: str) -> None:
    raise FormatError(f"{text[:30]!r} is not read: whole numbers, names and arrays are")


# ---------------------------------------------------------------- a model as FlatZinc

_WORDS = "true false var par array of set int bool float predicate constraint solve"
_NAMES = {op: name for name, op in _COMPARED.items()}


def to_flatzinc(model: Model) -> Iterator[str]:
    """Yield the lines of a model in the predicates that ``flatzinc`` reads; ValueError for what they cannot state."""
    writer = _Writer(model)
    goal = writer.goal(model.objective)
    stated = [line for c in model.constraints for line in writer.stated(c)]
    for name in model.names:
        if name not in writer.stands:
            if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in _WORDS.split():
                raise ValueError(f"FlatZinc has letters, digits and _ in a name, and no keyword: not {name!r}")
            kind = "bool" if name in writer.bools else domain_text(model.domains[name])
            yield f"var {kind}: {name} :: output_var;\n"
    yield from (f"var {kind}: {name};\n" for name, kind in writer.added.items())
    yield from (f"constraint {text};\n" for text in (*writer.lines, *stated))
    yield f"solve {goal};\n"


class _Writer:
    """Writes constraints as predicates.

    ``bools`` are the variables that are truth values of others, ``stands`` says what stands for the variables that
    reading adds: for an index from 0 the variable that is 1 more, for a constant of a list its number. What has no
    predicate of its own gets ``added`` variables: sums to minimise, truth values of parts, indexes that are 1 more.
    ``lines`` define them.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.lines = model, list[str]()
        self.added, self.more = dict[str, str](), dict[str, str]()
        parts = [part for c in model.constraints for part in nested(c)]
        inside = [part for c in model.constraints for part in nested(c) if part is not c]
        self.bools = {c.x for c in inside if isinstance(c, InDomain) and model.domains[c.x] == (0, 1)}
        indexes = {x for part in parts for x in _indexes(part)}
        listed = {x for part in parts if isinstance(part, Element) for x in part.xs}
        uses = Counter(x for c in model.constraints for x in c.scope)
        added = takewhile(lambda pair: pair[1] == f"_{pair[0]}", reversed([*enumerate(model.names)]))
        own = {x for _, x in added} - set(model.objective.terms if model.objective else ())
        self.stands = {
            c.x: c.y
            for c in model.constraints
            if isinstance(c, Compare) and (c.op, c.c) == ("==", -1) and c.x in own & indexes and uses[c.x] == 2
        }
        for x in own & (indexes ^ listed):
            if len(model.domains[x]) == uses[x] == 1:
                self.stands[x] = str(model.domains[x][0] + (x in indexes))

    def goal(self, objective: Objective | None) -> str:
        """Return the objective, which is a single variable."""
        if objective is None:
            return "satisfy"
        terms, constant = objective.terms, objective.constant
        if not terms:
            return f"{objective.sense} {constant}"
        if list(terms.values()) == [1] and not constant:
            return f"{objective.sense} {next(iter(terms))}"
        ends = [[c * v for v in (self.model.domains[x][0], self.model.domains[x][-1])] for x, c in terms.items()]
        total = self.fresh(f"{constant + sum(map(min, ends))}..{constant + sum(map(max, ends))}")
        self.lines.append(self.line("int_lin_eq", [*terms.values(), -1], [*terms, total], -constant))
        return f"{objective.sense} {total}"

    def fresh(self, kind: str) -> str:
        names = (f"added{i}" for i in count(len(self.added) + 1))
        name = next(name for name in names if name not in self.added and name not in self.model.index)
        self.added[name] = kind
        return name

    def known(self, c: Constraint) -> str | bool | None:
        """Return the Boolean variable that a constraint says is true, or whether one over nothing holds; else None."""
        if isinstance(c, InDomain) and c.values == (1,) and c.x in self.bools:
            return c.x
        return None if c.scope else c.holds({})

    def truth(self, c: Constraint) -> str | bool:
        """Return what is true exactly if a constraint holds: a variable, perhaps a new one, or a truth value."""
        known = self.known(c)
        if known is not None:
            return known
        name = self.fresh("bool")
        match c:
            case And(parts=parts) | Or(parts=parts):
                line = self.line(f"array_bool_{type(c).__name__.lower()}", list(map(self.truth, parts)), name)
            case Implies(condition=condition, result=result):
                line = self.line("array_bool_or", [self.truth(Not(condition)), self.truth(result)], name)
            case Not(part=part):
                line = self.line("bool_not", self.truth(part), name)
            case _:
                line = self.text(c, "_reif", name)
        self.lines.append(line)
        return name

    def literals(self, parts: Iterable[Constraint]) -> tuple[list[Any], list[Any]]:
        """Return the truth values of which one is true, and those of which one is false unless that is so."""
        positive, negative = list[str | bool](), list[str]()
        for part in parts:
            if isinstance(part, InDomain) and part.values == (0,) and part.x in self.bools:
                negative.append(part.x)
            else:
                positive.append(self.truth(part))
        return positive, negative

    def from_1(self, x: str) -> str:
        """Return the variable that is 1 more than an index from 0."""
        if x in self.stands or x in self.more:
            return self.more.get(x, x)
        more = self.more[x] = self.fresh(domain_text(tuple(value + 1 for value in self.model.domains[x])))
        self.lines.append(self.line("int_lin_eq", [1, -1], [more, x], 1))
        return more

    def stated(self, c: Constraint) -> Iterator[str]:
        match c:
            case Compare(x=x) if x in self.stands:
                return
            case And(parts=(Implies(condition=true, result=part), Implies(condition=again, result=back))) if (
                part,
                true,
            ) == (again, back) and self.known(true) is not None:
                yield self.text(part, "_reif", self.known(true))
            case Implies(condition=true, result=part) if self.known(true) is not None:
                yield self.text(part, "_imp", self.known(true))
            case And(parts=parts) if parts:
                for part in parts:
                    yield from self.stated(part)
            case _:
                yield self.text(c)

    def text(self, c: Constraint, ending: str = "", *more: object) -> str:
        name, *arguments = self.predicate(c)
        return self.line(f"{name}{ending}", *arguments, *more)

    def line(self, name: str, *arguments: object) -> str:
        return f"{name}({', '.join(map(self.argument, arguments))})"

    def argument(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self.argument, value))}]"
        return self.stands.get(value, value) if isinstance(value, str) else str(value).lower()

    def sum(self, kind: str, op: str, terms: Sequence[tuple[int, str]], k: int) -> tuple[Any, ...]:
        """Return a sum, or a comparison of two variables, or of a variable and a number; FlatZinc has no "greater"."""
        if op[0] == ">":
            op, terms, k = op.replace(">", "<"), [(-c, x) for c, x in terms], -k
        match terms:
            case [(1 | -1 as sign, x)] if kind == "int" or sign * k in (0, 1):
                value = sign * k if kind == "int" else sign * k == 1
                return f"{kind}_{_NAMES[op]}", *((x, value) if sign == 1 else (value, x))
            case [(1, x), (-1, y)] | [(-1, y), (1, x)] if not k:
                return "bool_not" if (kind, op) == ("bool", "!=") else f"{kind}_{_NAMES[op]}", x, y
        coeffs, xs = [c for c, _ in terms], [x for _, x in terms]
        return f"{kind}_lin_{_NAMES['<=' if op == '<' else op]}", coeffs, xs, k - (op == "<")

    def predicate(self, c: Constraint) -> tuple[Any, ...]:
        """Return the name of a predicate and its arguments; ValueError if there is none."""
        if not c.scope:
            return "bool_eq", True, c.holds({})
        kind = "bool" if self.bools.issuperset(c.scope) else "int"
        match c:
            case InDomain(x=x, values=(0,) | (1,) as values) if kind == "bool":
                return "bool_eq", x, values == (1,)
            case InDomain(x=x, values=values):
                return "set_in", x, domain_text(values)
            case Compare(x=x, op="==", y=y, c=0) if x in self.bools and y not in self.bools:
                return "bool2int", x, y
            case Compare(x=x, op=op, y=y, c=k):
                return self.sum(kind, op, [(1, x), (-1, y)], k)
            case Linear(coeffs=coeffs, xs=xs, op=op, k=k):
                return self.sum(kind, op, list(zip(coeffs, xs, strict=True)), k)
            case Or(parts=parts):
                return "bool_clause", *self.literals(parts)
            case Implies(condition=condition, result=result):
                return "bool_clause", [self.truth(result)], [self.truth(condition)]
            case Not(part=part):
                return "bool_eq", self.truth(part), False
            case MinMax(xs=xs, lo=lo, hi=hi) if kind == "bool" and (lo is None) != (hi is None):
                end = hi if lo is None else lo
                return f"array_bool_{'or' if lo is None else 'and'}", xs, bool(end) if isinstance(end, int) else end
            case Table(xs=xs, tuples=tuples, allowed=True):
                numbers = [value for row in tuples for value in row]
                if kind == "bool" and {0, 1}.issuperset(numbers):
                    return "fzn_table_bool", xs, list(map(bool, numbers))
                return "fzn_table_int", xs, numbers
            case Count(xs=xs, values=(value,), op="==", y=y):
                return "fzn_count_eq", xs, value, y
            case Regular(xs=xs, automaton=a) if all(value > 0 for _, value, _ in a.arrows):
                letters = range(1, max((value for _, value, _ in a.arrows), default=1) + 1)
                after = [a.next.get((state, value), -1) + 1 for state in range(a.states) for value in letters]
                ends = "{" + ", ".join(str(state + 1) for state in a.accepting) + "}"
                return "fzn_regular", xs, a.states, len(letters), after, a.start + 1, ends
        for name, of, fields, fixed in ROWS:
            if type(c) is of and all(getattr(c, field) == value for field, value in fixed.items()):
                arguments = [self.field(c, field) for field in fields.split()]
                if None not in arguments:
                    return name, *arguments
        raise ValueError(f"FlatZinc has no predicate for {str(c)[:80]}; see export(model, 'minizinc')")

    def field(self, c: Constraint, field: str) -> Any:
        """Return a field of a constraint; its indexes from 0 as indexes from 1."""
        value = getattr(c, field.lstrip("+"))
        if field[0] != "+":
            return value
        return self.from_1(value) if isinstance(value, str) else list(map(self.from_1, value))


def _indexes(c: Constraint) -> Iterator[str]:
    """Yield the variables that are indexes from 0."""
    for field in (field for _, of, fields, _ in ROWS if type(c) is of for field in fields.split() if field[0] == "+"):
        value = getattr(c, field[1:])
        yield from [value] if isinstance(value, str) else value
