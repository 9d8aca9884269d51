"""What a rule is: frozen data that yields core constraints, and judges a filled board by a sentence of its own.

A rule of one's own takes three lines: a subclass of ``CellsRule`` with ``constraints``, or a function under ``@rule``:

    @rule
    def Falling(board, cells):
        return [a > b for a, b in pairwise(cells)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...model import Constraint
from . import fields as f
from .signature import Signature

if TYPE_CHECKING:
    from ..shape import Shape
    from .board import Board, Filled, Group
    from .sentences import Sentence


@dataclass(frozen=True)
class Rule:
    """Base of the rules: a frozen dataclass.

    A subclass gives ``constraints`` (what solvers get) and ``judge`` (its sentence, executed on a filled board). What
    depends on the board is validated in ``check``. Rules are compared, hashed and pickled as data.
    """

    kinds: ClassVar[dict[str, type[Rule]]] = {}
    """The kinds that are loaded, by name; ``known_rules`` returns all of them."""

    def __init_subclass__(cls) -> None:
        ours = cls.__module__.startswith(f"{__package__}.")  # these are imported at any time: another's class stays
        if not cls.__name__.startswith("_") and not (ours and cls.__name__ in Rule.kinds):
            Rule.kinds[cls.__name__] = cls

    def __new__(cls, *values: Any, **named: Any) -> Self:
        """Make a rule; TypeError, with the fields that there are, for others."""
        known = _accepted(cls)  # type: ignore[arg-type]  # mypy: a class had no hash
        if known is not None and (len(values) > len(known) or not known.issuperset(named)):
            raise TypeError(_unexpected(cls, values, named))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        try:
            content = vars(self)
            for name, check in _metadata(type(self), "check"):  # type: ignore[arg-type]  # mypy: a class had no hash
                content[name] = check(content[name])
            self.validate()
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}: {error}") from None

    def validate(self) -> None:
        """Raise ValueError when the fields do not go together."""

    @property
    def scope(self) -> tuple[str, ...]:
        """The cells that the rule names, in order, repeats included."""
        found: list[str] = []
        for name, scope in _metadata(type(self), "scope"):  # type: ignore[arg-type]
            found += scope(getattr(self, name))
        return tuple(found)

    @property
    def parts(self) -> tuple[Rule, ...]:
        """The rules inside this one, if it is made of rules."""
        return ()

    def groups(self, shape: Shape) -> Iterable[Group]:
        """Return the groups of extra cells that the rule brings along."""
        return ()

    def check(self, board: Board) -> None:
        """Raise ValueError when the rule cannot stand on this board."""

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield the core constraints that say the rule; auxiliary variables come from ``board.auxiliary``."""
        raise NotImplementedError

    def judge(self, grid: Filled) -> bool:
        """Return whether a filled board keeps the rule."""
        raise NotImplementedError

    def sentences(self, board: Board) -> Iterable[Sentence]:
        """Return sentences about few cells each, all of which a filled board keeps just where it keeps the rule.

        By default the judge is one sentence. A rule about all pairs of cells a move apart has one for each pair.
        """
        return (self.judge,)

    def __str__(self) -> str:
        """What the rule is called and where it stands: Killer cage (R1C1 R1C2, total 6)."""
        from ...display.words import rule_text

        return rule_text(self)


@lru_cache(maxsize=1024)
def _accepted(kind: type[Rule]) -> frozenset[str] | None:
    """Return the fields that a kind of rule is made of; None where it has an ``__init__`` of its own."""
    params = kind.__dict__.get("__dataclass_params__")
    return frozenset(field.name for field in fields(kind) if field.init) if params and params.init else None


def _unexpected(kind: type[Rule], values: Sequence[object], named: Iterable[str]) -> str:
    """Say which fields a kind of rule has, and not what it was given."""
    known = [field.name for field in fields(kind) if field.init]
    strange = next((name for name in named if name not in known), None)
    if strange is not None:
        return f"{kind.__name__} has no field {strange!r}: {', '.join(known) or 'none'} are expected"
    taken = f"{kind.__name__} takes at most {len(known)} values ({', '.join(known)}), not {len(values)}"
    return f'{taken}: several cells are one list, or one text: "R1C1 R1C2"'


@lru_cache(maxsize=1024)
def _metadata(kind: type[Rule], key: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the fields of a kind of rule that have something under a key of their metadata, each with it."""
    return tuple((field.name, field.metadata[key]) for field in fields(kind) if key in field.metadata)


@dataclass(frozen=True)
class CellsRule(Rule):
    """Base of rules that are about one list of cells. By default the judge evaluates what the rule yields."""

    cells: tuple[str, ...] = f.cells()

    def judge(self, grid: Filled) -> bool:
        """Return whether the filled board satisfies the constraints that the rule yields."""
        return grid.satisfies(self.constraints)


def rule(function: Callable[..., Constraint | Iterable[Constraint]]) -> type[CellsRule]:
    """Make a rule about a list of cells from a function of the cells, which are variables.

    Its parameters say what it gets: ``(board, cells)`` the board and all cells, ``(cells)`` all cells, ``(a, b)`` or
    ``(board, a, b)`` each cell by itself, ``(*cells)`` any number of them. TypeError for a function without such ones.

    The function returns a constraint or several, or yields them: ``return sum(cells) == 5``. It is its own judge: on a
    filled board it is run on the numbers in the cells, and no constraint takes part where its operators compute with
    numbers; what names kinds of constraints is evaluated by these.
    """

    def constraints(self: CellsRule, board: Board) -> Iterable[Constraint]:
        from .stated import constraints_of

        return constraints_of(function, board, self.cells)

    def judge(self: CellsRule, grid: Filled) -> bool:
        from .stated import judged

        found = judged(function, grid, self.cells)
        return CellsRule.judge(self, grid) if found is None else found

    def validate(self: CellsRule) -> None:
        taken.check(self.cells)

    taken = Signature.of(function)
    content: dict[str, Any] = {"constraints": constraints, "judge": judge, "validate": validate}
    content |= {"__doc__": function.__doc__}
    content |= {"__module__": function.__module__, "__qualname__": function.__qualname__}
    return dataclass(frozen=True)(type(function.__name__, (CellsRule,), content))


def each(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules and the rules inside them, depth first."""
    for found in rules:
        yield found
        yield from each(found.parts)
