"""Rules: frozen data that yields core constraints, and judges a filled board independently of them.

To define your own rule, subclass ``CellsRule`` with ``constraints``, or decorate a function with ``@rule``:

    @rule
    def Falling(board, cells):
        return [a > b for a, b in pairwise(cells)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

from ...dataclass import dataclass
from ...model import Constraint
from . import fields as f
from .words import rule_text

if TYPE_CHECKING:
    from ..shape import Shape
    from .board import Board, Filled, Group, Sentence
    from .traits import Placing, Split


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Rule:
    """Base class of the rules, which are frozen dataclasses: those of this package without saying so.

    A subclass defines ``constraints`` (for solvers) and ``judge`` (its sentence, evaluated on a filled board).
    ``check`` validates whatever depends on the board. Rules are compared, hashed and pickled as data. Attributes of the
    class, which may be left out, tell the other parts of the library how to name, draw, turn and place its rules.
    """

    kinds: ClassVar[dict[str, type[Rule]]] = {}
    """The kinds that have been loaded, by name; ``known_rules`` returns all of them."""
    title: ClassVar[str]
    """Its name, if the name of the class in words is unsuitable."""
    named: ClassVar[bool] = False
    """Whether its field ``name`` is its title."""
    sentence: ClassVar[str]
    """What it says, for people who look at the board, if the docstring mentions fields."""
    told: ClassVar[str]
    """Its place in words with its fields in braces, if a list of these is unsuitable."""
    drawing: ClassVar[tuple[str, str]]
    """How it is drawn (see ``sudoku_models.display.svg``), and its colour ("": the next one of the palette)."""
    technique: ClassVar[str]
    """The name of a step that it takes alone to explain."""
    turning: ClassVar[str]
    """``cells`` if it may be turned and reflected by moving its cells, ``whole grid`` if it stays the same then."""
    order: ClassVar[str]
    """``any`` if the order of its cells does not matter, ``both ways`` if only their direction does not."""
    _only_shape: ClassVar[bool] = False
    """Whether its constraints depend on the shape of the board alone: they are stated once for all such boards."""
    only_differ: ClassVar[bool]
    """True if it only states that cells differ, so that values may be renamed."""
    placing: ClassVar[Placing]
    """Where its rules can be placed at random."""
    split: ClassVar[Split]
    """Splits one of its rules into weaker ones that together say the same."""

    def __init_subclass__(cls) -> None:
        ours = cls.__module__.startswith(f"{__package__}.")  # these are imported at any time: another's class stays
        if ours:
            dataclass(frozen=True)(cls)
        else:
            cls._only_shape = False  # another's subclass may look at the rest of the board
        if not cls.__name__.startswith("_") and not (ours and cls.__name__ in Rule.kinds):
            Rule.kinds[cls.__name__] = cls

    def __new__(cls, *values: Any, **named: Any) -> Self:
        """Make a rule; for unknown fields, raise TypeError with the known ones."""
        known = _accepted(cls)  # type: ignore[arg-type]  # mypy: a class had no hash
        if known is not None and (len(values) > len(known) or (named and not known.issuperset(named))):
            raise TypeError(_unexpected(cls, values, named))
        return object.__new__(cls)

    def __post_init__(self) -> None:
        try:
            content = vars(self)
            for name, check in _metadata(type(self), "check"):  # type: ignore[arg-type]  # mypy: a class had no hash
                content[name] = check(content[name])
            self.validate()
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}: {error}") from None

    def validate(self) -> None:
        """Raise ValueError if the fields are inconsistent."""

    @property
    def scope(self) -> tuple[str, ...]:
        """The cells that the rule names, in order, including repeats."""
        found: list[str] = []
        for name, scope in _metadata(type(self), "scope"):  # type: ignore[arg-type]
            found += scope(getattr(self, name))
        return tuple(found)

    @property
    def parts(self) -> tuple[Rule, ...]:
        """The rules inside this one, if it is composed of rules."""
        return ()

    def groups(self, shape: Shape) -> Iterable[Group]:
        """Return the groups of extra cells that the rule adds."""
        return ()

    def check(self, board: Board) -> None:
        """Raise ValueError if the rule does not fit this board."""

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield the core constraints that express the rule; auxiliary variables come from ``board.auxiliary``."""
        raise NotImplementedError

    def pieces(self, board: Board) -> Iterable[Constraint]:
        """Yield constraints that say the rule too, and do not depend on the order in which its parts are listed.

        Explanations reason with these, with each by itself where there are many cells. By default: ``constraints``.
        """
        return self.constraints(board)

    def judge(self, grid: Filled) -> bool:
        """Return whether a filled board satisfies the rule."""
        raise NotImplementedError

    def sentences(self, board: Board) -> Iterable[Sentence]:
        """Return sentences about few cells each; a filled board satisfies all of them exactly if it satisfies the rule.

        By default the judge is one sentence. A rule about all pairs of cells one move apart has a
        sentence for each pair.
        """
        return (self.judge,)

    def __str__(self) -> str:
        """Return the rule's title, clue and place: Killer cage 6 (R1C1 R1C2)."""
        return rule_text(self)


@lru_cache(maxsize=1024)
def _accepted(kind: type[Rule]) -> frozenset[str] | None:
    """Return the fields of a kind of rule; None if it defines ``__init__`` itself."""
    params = kind.__dict__.get("__dataclass_params__")
    return frozenset(field.name for field in fields(kind) if field.init) if params and params.init else None


def _unexpected(kind: type[Rule], values: Sequence[object], named: Iterable[str]) -> str:
    """Return the message for unexpected arguments of a kind of rule, with its fields."""
    known = [field.name for field in fields(kind) if field.init]
    strange = next((name for name in named if name not in known), None)
    if strange is not None:
        return f"{kind.__name__} has no field {strange!r}: {', '.join(known) or 'none'} are expected"
    taken = f"{kind.__name__} takes at most {len(known)} values ({', '.join(known)}), not {len(values)}"
    return f'{taken}: pass several cells as one list or one text: "R1C1 R1C2"'


@lru_cache(maxsize=1024)
def _metadata(kind: type[Rule], key: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the fields of a kind of rule whose metadata has a key, with its values."""
    return tuple((field.name, field.metadata[key]) for field in fields(kind) if key in field.metadata)


class _OfCells(Rule):
    """A rule about a list of cells, its first field."""

    cells: f.Cells = f.cells()


class _Clued(_OfCells):
    """A rule whose number follows from the values of its cells, as its ``placing`` says."""

    def judge(self, grid: Filled) -> bool:
        stated = self.placing
        assert stated.value is not None
        return bool(stated.value(grid.along(self.cells)) == getattr(self, stated.number))


class CellsRule(_OfCells):
    """Base class of rules about one list of cells. By default the judge evaluates the constraints."""

    def judge(self, grid: Filled) -> bool:
        """Return whether the filled board satisfies the constraints that the rule yields."""
        return grid.satisfies(self.constraints)


def each(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules and the rules inside them, depth first."""
    for found in rules:
        yield found
        if found.parts:
            yield from each(found.parts)
