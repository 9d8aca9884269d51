"""Paths of generated boards beside what each technique removes by its usual definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from sudoku_models.explain import Path, path
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.classic import walked
from sudoku_models.explain.patterns import in_order
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.explain.patterns.order import FAMILIES
from tests.explain.classic.reference import masks_of

from .techniques import SEEN, TECHNIQUES, Board, Removed

WINGS = "3....8..1.....1.9..8..2...6..61..4....5.7........6537.9..2......2..8....478...1.."
"""A generated board. On the SE-like scale it takes pointing, claiming, naked and hidden pairs, naked triples,
swordfish and both wings; the next one an X-wing and a hidden triple, the last one a naked quad."""
BOARDS = (
    WINGS,
    "67....8..8..4....2.....8.73.91..5..6......2......4.98..8........2..57.1.4.5.6....",
    ".....1.67.64..85.........43.7..93..4..6.......2..75.9.7...8.....953.6.....8......",
)
IN_ORDER = (
    "pointing", "claiming", "naked pair", "X-wing", "hidden pair", "naked triple", "swordfish", "hidden triple",
    "XY-wing", "XYZ-wing", "naked quad", "jellyfish", "hidden quad",
)  # fmt: skip
"""Techniques in the order of the SE-like scale."""


def every(technique: str, board: Board) -> Removed:
    """Return all that a technique removes."""
    return frozenset[tuple[int, int]]().union(*TECHNIQUES[technique](board))


def walk(line: str) -> Iterator[tuple[int, str, Board, Removed]]:
    """Yield the stages of a walk: level, technique, the candidates before it, what it removes.

    What settled cells see is crossed out beforehand, which is no stage there.
    """
    cells = masks_of(line)
    left = [{bit + 1 for bit in range(9) if mask >> bit & 1} for mask in cells]
    for stage in walked(cells).stages:
        settled = [c for c in range(81) if len(left[c]) == 1]
        for c in settled:  # it grows while it is read
            for d in SEEN[c]:
                if len(left[d]) > 1 and left[c] <= left[d]:
                    left[d] -= left[c]
                    settled += [d] if len(left[d]) == 1 else []
        removed = frozenset((x // 9, x % 9 + 1) for x in stage.removed if x % 9 + 1 in left[x // 9])
        yield stage.level, stage.technique, [frozenset(values) for values in left], removed
        for c, value in removed:
            left[c].discard(value)


def exactly(line: str) -> Counter[str]:
    """Assert that each stage of the SE-like scale is all that its technique removes, and no earlier one removes any."""
    met = Counter[str]()
    for _, technique, board, removed in walk(line):
        if technique in IN_ORDER:
            assert removed == every(technique, board)
            assert not any(every(earlier, board) for earlier in IN_ORDER[: IN_ORDER.index(technique)])
            met[technique] += 1
    return met


def boards(way: Path) -> list[Board]:
    """Return the candidates before each stage of a path."""
    return [[frozenset(b + 1 for b in range(9) if m >> b & 1) for m in stage.before] for stage in way.stages]


def whole_patterns(way: Path, every_nth: int = 1) -> Counter[str]:
    """Assert that patterns of a technique's name remove all that it removes by definition, and nothing else."""
    met, finder = Counter[str](), Finder(way.ladder)
    for stage, board in list(zip(way.stages, boards(way), strict=True))[::every_nth]:
        state = finder.state(stage.before, [c for c, mask in enumerate(stage.before) if not mask & (mask - 1)])
        named: dict[str, set[tuple[int, int]]] = {}
        for pattern in in_order(state, [family for family in FAMILIES if family.least < 5.5]):
            for name in (pattern.name, *pattern.also):
                named.setdefault(name, set()).update((x % 81, x // 81 + 1) for x in bits(pattern.out))
        for technique in TECHNIQUES if stage.level > (1, 1) else ():
            want = every(technique, board)
            found = named.get(technique, set()) | named.get("X-wing", set())  # two links that form a loop are an X-wing
            assert want <= found, technique
            met[technique] += bool(want)
    return met


@pytest.mark.parametrize("line", BOARDS)
def test_a_stage_of_the_se_like_scale_is_all_that_its_technique_removes(line: str) -> None:
    assert exactly(line)


def test_the_boards_take_most_techniques_of_the_se_like_scale() -> None:
    met = {technique for line in BOARDS for _, technique, _, _ in walk(line)}
    assert set(IN_ORDER) - met == {"jellyfish", "hidden quad"}


def test_patterns_remove_all_that_techniques_remove_by_definition() -> None:
    met = whole_patterns(path(WINGS), 3)
    assert {"swordfish", "XYZ-wing", "W-wing", "skyscraper", "empty rectangle", "finned X-wing"} <= met.keys()
