"""The answers to a block of boards as Results, each of which is created on first access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ..engine.record import Record
from ..puzzle import Grid, clashes
from ..verbs.results import Result, Status
from .where import NINE


@dataclass(frozen=True)
class Answered:
    """Boards (n, 81), their first solutions (n, 81) and the number of solutions, up to 2 if ``unique``."""

    boards: Any
    values: Any
    count: Any
    unique: bool
    record: Record

    def __iter__(self) -> Iterator[Result]:
        """Yield a Result for each row."""
        new = object.__new__
        for row in range(len(self.count)):
            result = new(_Unseen)
            result.__dict__["_from"] = self, row
            yield result

    def fields_of(self, row: int) -> dict[str, Any]:
        """Return the fields of the Result of a row."""
        count, known = int(self.count[row]), {"record": self.record}
        unique = count == 1 if self.unique else None
        if not count:
            clash = clashes(NINE, tuple([value or None for value in self.boards[row].tolist()]))
            return _EMPTY | known | {"status": Status.UNSATISFIABLE, "unique": unique, "clashes": clash}
        values = tuple(self.values[row].tolist())
        found = {"grid": Grid(NINE, values), "names": NINE.model.names, "solution": values, "shown": len(values)}
        return _EMPTY | known | found | {"status": Status.SOLVED, "unique": unique}


_EMPTY: dict[str, Any] = {
    "grid": None, "reason": "", "clashes": (), "names": (), "solution": None, "objective": None, "bound": None,
    "shown": None,
}  # fmt: skip


class _Field:
    """A field that is read before its Result has been filled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, result: Any, owner: object = None) -> Any:
        return self if result is None else _made(result).__dict__[self.name]


def _made(result: Any) -> Result:
    """Fill a Result, which is an ordinary one from then on."""
    answered, row = result.__dict__.pop("_from", (None, 0))
    if answered is not None:
        result.__dict__.update(answered.fields_of(row))
        object.__setattr__(result, "__class__", Result)
    return result  # type: ignore[no-any-return]


class _Unseen(Result):
    """A Result that is not filled yet; any access fills it."""

    def __eq__(self, other: object) -> bool:
        return _made(self) == other

    def __hash__(self) -> int:
        return hash(_made(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _made(self).__reduce_ex__(protocol)


for _field in fields(Result):
    setattr(_Unseen, _field.name, _Field(_field.name))
