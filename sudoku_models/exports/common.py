"""What the formats share: the description of a format, names and nested texts in a file, rewrites settled before."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import dataclass

from ..engine.contract import Capabilities
from ..engine.road import planned
from ..errors import Unsupported
from ..model import And, Constraint, Domain, Element, InDomain, Linear, Model, Or, Variable
from ..model.logic import nested
from ..model.model import TOO_DEEP

Piece = str | bytes
"""A part of the output; a format yields only text or only bytes."""


@dataclass(frozen=True)
class ExportFormat:
    """A file format for models: ``title`` says whose it is, ``capabilities`` what it can state.

    ``write`` takes a model in these terms, without empty domains and without constraints over nothing, and yields text
    in pieces that end with a line. The auxiliary variables of the lowering follow the stated ones.
    """

    name: str
    title: str
    capabilities: Capabilities
    write: Callable[[Model], Iterator[str]]

    def pieces(self, model: Model) -> Iterator[Piece]:
        """Yield a model as text; Unsupported, with the reason, if no rewrites lead to what the format can state."""
        return self._written(planned(model, self.capabilities, f"the format {self.name}").model)

    def _written(self, model: Model) -> Iterator[Piece]:
        try:
            yield from self.write(settled(model))
        except RecursionError:
            raise Unsupported(f"the format {self.name} does not accept this model: {TOO_DEEP}") from None


_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")


class Names(dict[str, str]):
    """Maps each name to an identifier: itself if it is valid and not reserved, otherwise ``v`` and a number.

    Identifiers are distinct: a letter, then letters, digits and ``_``, at most 64 characters.
    """

    def __init__(self, names: Iterable[str], reserved: Collection[str] = ()) -> None:
        wanted = list(dict.fromkeys(names))
        kept = {name for name in wanted if _PLAIN.match(name) and name not in reserved}
        super().__init__()
        number = 0
        for name in wanted:
            if name not in kept:
                number += 1
                while f"v{number}" in kept:
                    number += 1
            self[name] = name if name in kept else f"v{number}"

    def remarks(self) -> list[str]:
        """Return a line for each identifier that differs from its name."""
        return [f"{quoted(name)} is {identifier}" for name, identifier in self.items() if name != identifier]


def quoted(name: str) -> str:
    """Write a name for a comment: as it is, or as a JSON string if it contains other than plain characters."""
    return name if re.fullmatch(r"[A-Za-z0-9_.]+", name) else json.dumps(name)


def refusal(kinds: frozenset[type[Constraint]]) -> Callable[[Constraint], str | None]:
    """Return a function that rejects a constraint with parts of other kinds than these, however deeply nested."""

    def refuses(constraint: Constraint) -> str | None:
        """Return why a constraint cannot be written, None if it can."""
        strange = (part for part in nested(constraint) if part is not constraint and type(part) not in kinds)
        part = next(strange, None)
        return None if part is None else f"a {type(part).__name__} cannot stand inside another constraint"

    return refuses


def no_clause(constraint: Constraint) -> str | None:
    """Return why an Or is not a clause over single values; None for one that is, and for other kinds."""
    plain = not isinstance(constraint, Or) or all(isinstance(part, InDomain) for part in constraint.parts)
    return None if plain else "an Or is a clause only when its parts are domains"


def settled(model: Model) -> Model:
    """Return a model of the same solutions without empty domains, empty scopes and domains stated as constraints.

    The domain of an Element's index contains only positions in its list, as some readers require.
    A model with an empty domain, or with a constraint over nothing that does not hold, becomes one contradiction.
    """
    domains, rest = dict(model.domains), []
    for constraint in model.constraints:
        while isinstance(constraint, And | Or) and len(constraint.parts) == 1:
            constraint = constraint.parts[0]
        if isinstance(constraint, InDomain):
            domains[constraint.x] = _meet(domains[constraint.x], frozenset(constraint.values))
        elif constraint.scope:
            rest.append(constraint)
            if isinstance(constraint, Element):
                domains[constraint.i] = _meet(domains[constraint.i], range(len(constraint.xs)))
        elif not constraint.holds({}):
            return _contradiction(model)
    if not all(domains.values()):
        return _contradiction(model)
    return Model((Variable(name, values) for name, values in domains.items()), rest, model.objective)


def _meet(values: Domain, allowed: Container[int]) -> Domain:
    return tuple(v for v in values if v in allowed)


def _contradiction(model: Model) -> Model:
    """Keep the variables, and state something impossible about the first one."""
    variables = [Variable(v.name, v.domain or (0,)) for v in model.variables] or [Variable("none", (0,))]
    first = variables[0]
    impossible = Linear((1,), (first.name,), ">=", first.domain[-1] + 1)
    return Model(variables, [impossible], model.objective)


def known(constraint: Constraint) -> bool | None:
    """Return whether a constraint without variables holds; None if it has variables."""
    return None if constraint.scope else constraint.holds({})
