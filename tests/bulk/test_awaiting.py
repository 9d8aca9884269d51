"""``asolve_many``: classic boards go in batches, others to child processes, in order and with their rows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from sudoku_models import FormatError, Result, asolve_many
from sudoku_models.bulk import awaiting_many

from .made import CLASH, LINES, SMALL

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")


async def everything(problems: Any, backend: str = "auto", **keywords: Any) -> list[Any]:
    return [result async for result in asolve_many(problems, backend, **keywords)]


def test_boards_go_in_batches_and_others_keep_their_places() -> None:
    problems = [*LINES * 30, SMALL, "nonsense", CLASH, *LINES[9:20]]
    found = asyncio.run(everything(problems, on_error="return", unique=True))
    assert [str(one.status) if isinstance(one, Result) else type(one).__name__ for one in found] == (
        ["solved"] * 1201 + ["FormatError", "unsatisfiable"] + ["solved"] * 11
    )
    assert str(found[1201]).startswith("row 1202: ")
    assert found[1199].record.backend == "bitset"


def test_no_more_problems_are_solved_at_once_than_jobs_also_from_within_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_work, most = 0, 0

    async def asolve(*_: Any, **__: Any) -> str:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0)
        at_work -= 1
        return "solved"

    monkeypatch.setattr(awaiting_many, "asolve", asolve)
    assert len(asyncio.run(everything([*LINES[:9], SMALL] * 30, jobs=2))) == 300
    assert most <= 2


def test_an_error_is_raised_in_its_turn_and_the_source_is_read_no_further_than_needed() -> None:
    read = []

    def source() -> Iterator[str]:
        for number, line in enumerate([LINES[0], LINES[1], "nonsense", *LINES * 100]):
            read.append(number)
            yield line

    async def first_three() -> None:
        results = asolve_many(source(), "bitset")
        assert [str((await anext(results)).status) for _ in range(2)] == ["solved"] * 2
        assert len(read) < 8
        with pytest.raises(FormatError, match="row 3"):
            await anext(results)

    asyncio.run(first_three())
