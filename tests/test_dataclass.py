"""Dataclasses of the package do what those of the standard library do."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from sudoku_models import dataclass as ours

MAKERS = {"ours": ours.dataclass, "the standard library's": dataclasses.dataclass}


def made(dataclass: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Return a frozen class, a class that inherits from it, and one that is not frozen."""

    @dataclass(frozen=True)
    class Point:
        """A place."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 0
        seen: list[int] = dataclasses.field(default_factory=list, hash=False, repr=False)
        label: str = dataclasses.field(default="", compare=False)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("left of everything")

    @dataclass(frozen=True)
    class Further(Point):
        z: int = dataclasses.field(default=3, kw_only=True)
        fixed: int = dataclasses.field(default=7, init=False)

        def __repr__(self) -> str:
            return "further"

    @dataclass
    class Box:
        content: Any = None

    return Point, Further, Box


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def kinds(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    return made(request.param)


def test_objects_are_shown_compared_and_hashed_by_their_fields(kinds: tuple[Any, Any, Any]) -> None:
    point, further, box = kinds
    assert repr(point(1)).endswith("Point(x=1, y=0, label='')") and repr(further(1)) == "further"
    assert point(1, 2, [3], "a") == point(1, 2, [3], "b") != point(1, 2, [4])
    assert hash(point(1, 2, [3])) == hash(point(1, 2, [4])) and point(1) != further(1)
    assert box([1]) == box([1]) and repr(box(1)).endswith("Box(content=1)")
    with pytest.raises(TypeError, match="unhashable"):
        hash(box())


def test_an_object_that_holds_itself_is_shown(kinds: tuple[Any, Any, Any]) -> None:
    box = kinds[2]()
    box.content = box
    assert repr(box).endswith("Box(content=...)")


def test_frozen_objects_refuse_changes(kinds: tuple[Any, Any, Any]) -> None:
    point, further, box = kinds
    for one in (point(1), further(1)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
            one.x = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'y'"):
            del one.y
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.other = 2
    assert vars(box(1)) == {"content": 1}


def test_every_object_has_a_value_of_its_own_from_a_factory(kinds: tuple[Any, Any, Any]) -> None:
    point = kinds[0]
    assert point(1).seen == [] and point(1).seen is not point(1).seen


def test_keywords_and_fixed_fields_are_as_declared(kinds: tuple[Any, Any, Any]) -> None:
    _, further, _ = kinds
    assert (further(1).z, further(1, z=5).z, further(1).fixed) == (3, 5, 7)
    for wrong in ({"fixed": 1}, {"unknown": 1}, {"y": 1}):
        with pytest.raises(TypeError):
            further(**wrong)
    with pytest.raises(ValueError, match="left of everything"):
        further(-1)


def test_signatures_and_fields_are_the_same() -> None:
    for mine, theirs in zip(*map(made, MAKERS.values()), strict=True):
        assert str(inspect.signature(mine)) == str(inspect.signature(theirs))
        assert mine.__match_args__ == theirs.__match_args__
        assert [(f.name, f.type, f.kw_only) for f in dataclasses.fields(mine)] == [
            (f.name, f.type, f.kw_only) for f in dataclasses.fields(theirs)
        ]


def test_the_functions_of_the_standard_library_work(kinds: tuple[Any, Any, Any]) -> None:
    point, further, _ = kinds
    assert dataclasses.is_dataclass(point) and dataclasses.replace(further(1, z=4), x=2) == further(2, z=4)
    assert dataclasses.asdict(point(1)) == {"x": 1, "y": 0, "seen": [], "label": ""}
    with pytest.raises(ValueError, match="left of everything"):
        dataclasses.replace(point(1), x=-1)


def test_the_standard_library_makes_a_subclass() -> None:
    point = made(ours.dataclass)[0]

    @dataclasses.dataclass(frozen=True)
    class Named(point):  # type: ignore[misc]
        name: str = "n"

    assert Named(1, name="m") == Named(1, name="m") and Named(1).y == 0
    with pytest.raises(TypeError, match="non-frozen"):
        dataclasses.dataclass(type("Loose", (point,), {}))


def test_objects_are_pickled() -> None:
    from sudoku_models.model import Compare

    assert pickle.loads(pickle.dumps(Compare("a", "<", "b"))) == Compare("a", "<", "b")
