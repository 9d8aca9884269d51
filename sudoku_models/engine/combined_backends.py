"""Backends made of several others: what those that run side by side and those that run in turn have in common.

Written ``name:(spec)|(spec)``. Each member lowers the model itself and keeps its own options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..errors import BadOption, Unsupported
from ..model import Model
from .contract import Capabilities, Compiled, Feature
from .registry import Selection, select

ALONE = {Feature.ATTEMPT, Feature.BATCH, Feature.INCREMENTAL, Feature.CORE}
"""Features of a single compiled form, which a combined backend does not have."""


@dataclass(frozen=True)
class Members:
    """The options of a combined backend: its members, each in parentheses, separated by ``|``."""

    members: tuple[Selection, ...] = ()

    def __iter__(self) -> Iterator[Selection]:
        yield from self.members

    @property
    def first(self) -> Selection:
        """The member that starts, if there is an order."""
        return self.members[0]

    def __str__(self) -> str:
        return "|".join(f"({member})" for member in self)


class Begun(Members):
    """Members of which only the first is known; the others are chosen when they are first needed."""

    def __init__(self, first: Selection, others: Callable[[], tuple[Selection, ...]]) -> None:
        vars(self).update(_first=first, _others=others)

    @property
    def first(self) -> Selection:
        """The member that starts."""
        first: Selection = vars(self)["_first"]
        return first

    @cached_property
    def members(self) -> tuple[Selection, ...]:
        """All members, in their order."""
        return self.first, *vars(self)["_others"]()

    def __iter__(self) -> Iterator[Selection]:
        yield self.first
        yield from self.members[1:]

    def __repr__(self) -> str:
        return f"Begun({self.first!r})"


class Combined:
    """A backend made of others."""

    name: str
    Options = Members
    capabilities = Capabilities(frozenset())

    def capabilities_with(self, options: Members) -> Capabilities:
        """What the backend can do with these members."""
        raise NotImplementedError

    def compile(self, model: Model, options: Members) -> Compiled:
        """Refuse: each member compiles the model itself."""
        raise Unsupported(f"a {self.name} has no compiled form: each of its members compiles the model")

    def of(self, text: str) -> Selection:
        """Parse ``(spec)|(spec)``; BadOption if it is malformed or has fewer than two members."""
        parts = list(_parted(text))
        for part in parts:
            if not (part.startswith("(") and part.endswith(")")):
                raise BadOption(f"{self.name}:{text}: {part!r} is not a specification in parentheses")
        if len(parts) < 2:
            example = f"{self.name}:(pycosat)|(cp-sat)"
            raise BadOption(f"{self.name}:{text}: two or more members are expected, {example}")
        return Selection(self, Members(tuple(select(part[1:-1]) for part in parts)))


def _parted(text: str) -> Iterator[str]:
    """Yield the parts of a text between each ``|`` outside parentheses."""
    part, depth = "", 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and not depth:
            yield part.strip()
            part = ""
        else:
            part += sign
    yield part.strip()
