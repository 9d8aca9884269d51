"""The requirements for generated puzzles, parsed from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FormatError, meant
from ..formats import parse
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule, known_rules
from .codes import UsageError
from .options import BoxSize, read_boxes

if TYPE_CHECKING:
    from .make import GenerateOptions

_SPAN = re.compile(r"(\d+)(?:-(\d+))?\Z")


def span_of(text: str | None, option: str = "--clues", example: str = "22-25") -> tuple[int, int] | None:
    """Parse the smallest and largest number, of givens for example; ``option`` and ``example`` are for messages."""
    match = _SPAN.match(text or "")
    if text is not None and not match:
        raise UsageError(f"{option} {text}: a number, or a range such as {example}, is expected")
    return (int(match[1]), int(match[2] or match[1])) if match else None


def levels_of(level: str | None) -> tuple[str, str] | None:
    """Parse a range of levels."""
    if level is None:
        return None
    low, _, high = level.partition("-")
    return low, high or low


def rating_of(rating: str | None) -> tuple[float, float] | float | None:
    """Parse a range of SE-like ratings, or the smallest one."""
    try:
        numbers = None if rating is None else [float(number) for number in rating.split("-")]
    except ValueError:
        numbers = []
    if numbers is None:
        return None
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) != 2:
        raise UsageError(f"--rating {rating}: a number such as 8.3, or a range such as 8-8.9, is expected")
    return numbers[0], numbers[1]


def strata_of(levels: Sequence[str] | None, ratings: Sequence[str] | None) -> list[Any]:
    """Parse the ranges of levels or ratings of a data set."""
    if levels and ratings:
        raise UsageError("--level and --rating cannot be combined: choose one of them")
    found = [(band, 100.0) if isinstance(band, float) else band for band in map(rating_of, ratings or ())]
    return [*map(levels_of, levels or ()), *found]


def mix_of(path: str | None) -> list[dict[str, Any]]:
    """Read kinds of puzzles from a file; raise UsageError if they are invalid."""
    if path is None:
        return []
    try:
        stated = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--mix {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"--mix {path}: not JSON: {error}") from None
    if not isinstance(stated, list) or not stated or not all(isinstance(sort, dict) for sort in stated):
        raise UsageError(f"--mix {path}: a list of objects is expected")
    return [_sort(path, sort) for sort in stated]


def _sort(path: str, stated: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in stated.items() if name not in ("side", "boxes", "rules")}
    try:
        if "side" in stated or "boxes" in stated:
            boxes = read_boxes(stated["boxes"]) if "boxes" in stated else None
            found["shape"] = shape_of(stated.get("side", 9), boxes)
        if "rules" in stated:
            found["rules"] = rules_of(stated["rules"])
        bands = {name: tuple(found[name]) for name in ("clues", "level", "rating") if isinstance(found.get(name), list)}
    except (TypeError, ValueError) as error:
        raise UsageError(f"--mix {path}: {error}") from None
    return found | bands


def rules_of(kinds: Sequence[str]) -> tuple[Rule, ...]:
    """Return rules about the whole grid, by the names of their classes."""
    found = []
    for kind in kinds:
        try:
            found.append(known_rules()[kind]())
        except (KeyError, TypeError):
            raise UsageError(
                f"--rule {kind}: a rule about the whole grid, such as AntiKnight, is expected{_meant_rule(kind)}"
            ) from None
    return tuple(found)


def placed(wish: GenerateOptions) -> dict[str, tuple[int, int] | str]:
    """Return the smallest and largest number of rules of each kind to place, or "all"."""
    expected = "a kind and a number are expected, such as KillerCage=12, Thermo=1-3 or Kropki=all"
    parts = {text: text.partition("=") for text in wish.place or ()}
    return {
        kind: "all" if amount == "all" else _span(f"--place {text}", amount, expected)
        for text, (kind, _, amount) in parts.items()
    }


def sizes_of(wish: GenerateOptions) -> dict[str, tuple[int, int]]:
    """Return the smallest and largest number of cells of placed rules, by kind."""
    expected = "a kind and a number of cells are expected, such as Thermo=4-7"
    parts = {text: text.partition("=") for text in wish.size or ()}
    return {kind: _span(f"--size {text}", size, expected) for text, (kind, _, size) in parts.items()}


def _span(option: str, text: str, expected: str) -> tuple[int, int]:
    if not (match := _SPAN.match(text)):
        raise UsageError(f"{option}: {expected}")
    return int(match[1]), int(match[2] or match[1])


def board_of(wish: GenerateOptions) -> Puzzle:
    """Return an empty board: its shape and its rules."""
    rules = rules_of(wish.rule or ())
    if wish.like is None:
        return Puzzle.empty(shape_of(wish.side, wish.boxes)).with_rules(*rules)
    path = Path(wish.like)
    try:
        model = parse(path.read_text(encoding="utf-8") if path.is_file() else wish.like)
    except FormatError as error:
        raise UsageError(f"--like {wish.like}: {error}{'' if path.is_file() else '; there is no such file'}") from None
    return Puzzle.empty(model.shape).with_rules(*model.rules, *rules)


def shape_of(side: int, boxes: BoxSize | None) -> Shape:
    """Return the shape of a board; raise UsageError for boxes that do not tile it."""
    try:
        if boxes is not None and not boxes.height:
            return Shape.latin(side)
        return Shape.square(side, (boxes.height, boxes.width) if boxes else None)
    except ValueError as error:
        plain = " (--boxes none)" if "Latin" in str(error) else ""
        raise UsageError(f"{error}{plain}") from None


def _meant_rule(kind: str) -> str:
    """Suggest a rule about the whole grid with a similar name, if there is one."""
    known = known_rules()
    return "" if kind in known else meant(kind, (name for name, rule in known.items() if _is_whole(rule)))


def _is_whole(rule: type[Rule]) -> bool:
    try:
        rule()
    except TypeError:
        return False
    return True
