"""A reader of XCSP3's core constraints, and a small search of its own: partial values are checked as they grow."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from .maps import Found

Values = Mapping[str, int]
COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "le": operator.le,
    "lt": operator.lt,
    "ge": operator.ge,
    "gt": operator.gt,
}


@dataclass(frozen=True)
class Check:
    """A constraint; ``rows`` are the values of ``names`` that a positive table allows."""

    scope: frozenset[str]
    holds: Callable[[Values], bool]
    names: Sequence[str] = ()
    rows: Sequence[tuple[int, ...]] = ()


@dataclass
class Instance:
    domains: dict[str, list[int]]
    names: dict[str, str]
    checks: list[Check]
    goal: tuple[str, Callable[[Values], int]] | None
    dead_ends: Counter[str] = field(default_factory=Counter)


def solutions(text: str, names: Sequence[str]) -> Found:
    instance = read(text)
    of = {name: identifier for identifier, name in instance.names.items()}
    return [tuple(values[of[name]] for name in names) for values in _search(instance, {}, dict(instance.domains))]


def optimum(text: str, names: Sequence[str]) -> tuple[int, ...] | None:
    instance = read(text)
    assert instance.goal
    sense, value = instance.goal
    of = {name: identifier for identifier, name in instance.names.items()}
    best = (min if sense == "minimize" else max)(_search(instance, {}, dict(instance.domains)), key=value, default=None)
    return best and tuple(best[of[name]] for name in names)


def read(text: str) -> Instance:
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("format")) == ("instance", "XCSP3")
    instance = Instance({}, {}, [], None)
    for element in root.find("variables") or ():
        name = element.attrib["id"]
        assert element.tag == "var" and re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) and name not in instance.domains
        instance.domains[name] = _numbers(element.text or "")
        instance.names[name] = element.get("note", name)
    for element in root.find("constraints") or ():
        instance.checks += _READERS[element.tag](element)
    for element in root.find("objectives") or ():
        instance.goal = element.tag, _total(element) if element.get("type") == "sum" else expression(element.text or "")
    assert (root.get("type") == "COP") == (instance.goal is not None)
    assert all(check.scope <= instance.domains.keys() for check in instance.checks)
    return instance


def _search(instance: Instance, values: dict[str, int], left: dict[str, list[int]]) -> Iterator[dict[str, int]]:
    """Assign the variable of the fewest values for the dead ends that it had; narrow the others by its checks."""
    if not left:
        if all(check.holds(values) for check in instance.checks if not check.scope):
            yield dict(values)
        return
    name = min(left, key=lambda x: len(left[x]) / (1 + instance.dead_ends[x]) if len(left[x]) > 1 else 0)
    rest = {x: found for x, found in left.items() if x != name}
    touching = [check for check in instance.checks if name in check.scope]
    for value in left[name]:
        values[name] = value
        narrowed = _narrowed(touching, values, rest)
        if narrowed is not None:
            yield from _search(instance, values, narrowed)
        else:
            instance.dead_ends[name] += 1
        del values[name]


def _narrowed(checks: list[Check], values: dict[str, int], left: dict[str, list[int]]) -> dict[str, list[int]] | None:
    left = dict(left)
    for check in checks:
        unset = [x for x in check.scope if x in left]
        if not unset and not check.holds(values):
            return None
        if len(unset) > 1 and check.rows:
            allowed = [set(left[x]) if x in left else {values[x]} for x in check.names]
            rows = [row for row in check.rows if all(v in some for v, some in zip(row, allowed, strict=True))]
            for x, column in zip(check.names, zip(*rows, strict=True), strict=False):
                if x in left:
                    left[x] = [v for v in left[x] if v in column]
            if not rows:
                return None
        if len(unset) == 1:
            x = unset[0]
            left[x] = [v for v in left[x] if check.holds({**values, x: v})]
            if not left[x]:
                return None
    return left


def expression(text: str) -> Callable[[Values], int]:
    """Read a functional expression such as ``or(eq(x,3),lt(add(x,1),y))``."""
    tokens = re.findall(r"[A-Za-z_]\w*|-?\d+|[(),]", text)
    assert "".join(tokens) == re.sub(r"\s", "", text), text
    tree, end = _tree(tokens, 0)
    assert end == len(tokens), text
    return lambda values: _value(tree, values)


def _tree(tokens: list[str], at: int) -> tuple[object, int]:
    head = tokens[at]
    if at + 1 == len(tokens) or tokens[at + 1] != "(":
        return (int(head) if re.fullmatch(r"-?\d+", head) else head), at + 1
    parts: list[object] = []
    at += 1
    while tokens[at] != ")":
        assert tokens[at] in "(,"
        part, at = _tree(tokens, at + 1)
        parts.append(part)
    return (head, parts), at + 1


def _value(tree: object, values: Values) -> int:
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return values[tree]
    assert isinstance(tree, tuple)
    head, parts = tree
    if head == "in":
        assert parts[1][0] == "set"
        return _value(parts[0], values) in parts[1][1]
    return int(_APPLIED[head]([_value(part, values) for part in parts]))


def _product(numbers: list[int]) -> int:
    assert len(numbers) == 2
    return numbers[0] * numbers[1]


_APPLIED: dict[str, Callable[[list[int]], int]] = {
    "add": sum,
    "mul": _product,
    "and": all,
    "or": any,
    "not": lambda found: not found[0],
    "imp": lambda found: not found[0] or found[1],
    **{name: lambda found, op=op: op(found[0], found[1]) for name, op in COMPARE.items()},  # type: ignore[misc]
}


def _words(text: str) -> list[str]:
    return text.split()


def _numbers(text: str) -> list[int]:
    spans = [word.split("..") for word in text.split()]
    return [value for span in spans for value in range(int(span[0]), int(span[-1]) + 1)]


def _part(element: Element, tag: str) -> str:
    found = element.find(tag)
    assert found is not None, tag
    return found.text or ""


def _term(word: str) -> Callable[[Values], int]:
    return (lambda values: int(word)) if re.fullmatch(r"-?\d+", word) else (lambda values: values[word])


def _measured(element: Element, measure: Callable[[Values], int], scope: Sequence[str]) -> list[Check]:
    """A check that what is measured meets the condition of an element."""
    match = re.fullmatch(r"\s*\((\w+),(\S+)\)\s*", _part(element, "condition"))
    assert match
    op, right = COMPARE[match[1]], _term(match[2])
    names = {*scope, *([] if re.fullmatch(r"-?\d+", match[2]) else [match[2]])}
    return [Check(frozenset(names), lambda values: op(measure(values), right(values)))]


def _intension(element: Element) -> list[Check]:
    text = element.text or ""
    holds = expression(text)
    names = re.findall(r"[A-Za-z_]\w*(?![\w(])", text)
    return [Check(frozenset(names), lambda values: bool(holds(values)))]


def _all_different(element: Element) -> list[Check]:
    pairs = combinations(_words(element.text or ""), 2)
    return [Check(frozenset(pair), lambda values, pair=pair: values[pair[0]] != values[pair[1]]) for pair in pairs]


def _total(element: Element) -> Callable[[Values], int]:
    names, coeffs = _words(_part(element, "list")), element.find("coeffs")
    factors = [1] * len(names) if coeffs is None else [int(word) for word in _words(coeffs.text or "")]
    assert len(factors) == len(names) == len(set(names))
    return lambda values: sum(f * values[x] for f, x in zip(factors, names, strict=True))


def _sum(element: Element) -> list[Check]:
    return _measured(element, _total(element), _words(_part(element, "list")))


def _extension(element: Element) -> list[Check]:
    names = _words(_part(element, "list"))
    kind = "supports" if element.find("supports") is not None else "conflicts"
    text = _part(element, kind)
    rows = {tuple(map(int, row.split(","))) for row in re.findall(r"\(([^)]*)\)", text)}
    rows = rows if len(names) > 1 else {(value,) for value in _numbers(text)}
    assert rows and all(len(row) == len(names) == len(set(names)) for row in rows)
    allowed = list(rows) if kind == "supports" else []
    return [Check(frozenset(names), lambda v: (tuple(v[x] for x in names) in rows) == bool(allowed), names, allowed)]


def _regular(element: Element) -> list[Check]:
    names = _words(_part(element, "list"))
    arrows = re.findall(r"\((\w+),(-?\d+),(\w+)\)", _part(element, "transitions"))
    step = {(before, int(value)): after for before, value, after in arrows}
    start, final = _part(element, "start").strip(), set(_words(_part(element, "final")))
    assert len(step) == len(arrows) and final

    def holds(values: Values) -> bool:
        state: str | None = start
        for x in names:
            state = step.get((state, values[x])) if state is not None else None
        return state in final

    return [Check(frozenset(names), holds)]


def _count(element: Element) -> list[Check]:
    names, wanted = _words(_part(element, "list")), set(_numbers(_part(element, "values")))
    return _measured(element, lambda values: sum(values[x] in wanted for x in names), names)


def _n_values(element: Element) -> list[Check]:
    names = _words(_part(element, "list"))
    return _measured(element, lambda values: len({values[x] for x in names}), names)


def _extreme(pick: Callable[[list[int]], int]) -> Callable[[Element], list[Check]]:
    def reader(element: Element) -> list[Check]:
        names = _words(_part(element, "list"))
        return _measured(element, lambda values: pick([values[x] for x in names]), names)

    return reader


def _element(element: Element) -> list[Check]:
    listed = element.find("list")
    assert listed is not None and listed.get("startIndex") == "0"
    names, index, value = _words(listed.text or ""), _part(element, "index").strip(), _part(element, "value").strip()
    term = _term(value)
    scope = {*names, index, *([] if re.fullmatch(r"-?\d+", value) else [value])}

    def holds(values: Values) -> bool:
        return 0 <= values[index] < len(names) and values[names[values[index]]] == term(values)

    return [Check(frozenset(scope), holds)]


def _lex(element: Element) -> list[Check]:
    left, right = (_words(part.text or "") for part in element.findall("list"))
    op = {"lt": operator.lt, "le": operator.le}[_part(element, "operator").strip()]
    return [Check(frozenset({*left, *right}), lambda v: op([v[x] for x in left], [v[x] for x in right]))]


_READERS: Mapping[str, Callable[[Element], list[Check]]] = {
    "intension": _intension,
    "allDifferent": _all_different,
    "sum": _sum,
    "extension": _extension,
    "regular": _regular,
    "count": _count,
    "nValues": _n_values,
    "minimum": _extreme(min),
    "maximum": _extreme(max),
    "element": _element,
    "lex": _lex,
}
