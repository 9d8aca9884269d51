"""The suite as a pytest class: a thin layer over the checks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import pytest

from ..engine.registry import BackendLike, select
from .check import Check
from .checks import CHECKS
from .subject import Gap, NotApplicable, SolveNative, Subject, require

_SUBJECTS = pytest.StashKey[dict[tuple[type, str], Subject]]()


class BackendConformance:
    """Subclass it and define the fixture ``spec``: the backend's specification, or the backend itself.

    ``gaps`` are checks that the backend is known to fail, each with a kind and a reason. They are strict: a gap that
    closes fails. ``reference`` is the trusted backend for boards out of reach of brute force. ``share`` is the fraction
    of the random cases to run, at least 200 cases in total. ``solve_native`` is for backends with maps to a native
    model: a function that asks the engine itself, to test the maps. A check that takes more than ``limit`` seconds of
    CPU time, or five times as many of wall-clock time, is cut off and fails.
    """

    gaps: ClassVar[tuple[Gap, ...]] = ()
    reference: ClassVar[BackendLike] = "backtracking:strategy=fewest"
    share: ClassVar[float] = 1.0
    solve_native: ClassVar[SolveNative | None] = None
    limit: ClassVar[float] = 60.0

    @pytest.fixture
    def spec(self) -> BackendLike:
        """What is tested; override it."""
        raise NotImplementedError("define the fixture 'spec': a backend's specification, or a backend")

    @pytest.fixture
    def subject(self, spec: BackendLike, request: pytest.FixtureRequest) -> Subject:
        """The backend under test, and how many cases were compared; one for all checks of a class."""
        selection = select(spec)
        subjects = request.session.stash.setdefault(_SUBJECTS, {})
        made = Subject(selection, self.reference, self.share, type(self).solve_native, self.limit)
        return subjects.setdefault((type(self), str(selection)), made)

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
    def test_conforms(self, check: Check, subject: Subject, request: pytest.FixtureRequest) -> None:
        """One check on one backend."""
        if check is CHECKS[-1] and not _whole(request):
            pytest.skip("not applicable: only some of the checks were selected")
        gap = next((gap for gap in self.gaps if gap.check == check.name), None)
        try:
            with _terminal(request) as terminal:
                check(subject, terminal)
        except NotApplicable as reason:
            if gap:
                pytest.fail(f"{gap} is marked as a gap, and there is no gap: {reason}")
            pytest.skip(str(reason))
        except Exception as error:
            if gap is None:
                raise
            pytest.xfail(f"{gap.kind}: {gap.reason} ({type(error).__name__})")
        if gap:
            pytest.fail(f"the gap has closed, remove it: {gap}")

    def test_gaps_name_checks(self) -> None:
        """Every gap is about a check that exists, and is marked once."""
        marked = [gap.check for gap in self.gaps]
        unknown = set(marked) - {check.name for check in CHECKS}
        require(not unknown, f"there are no such checks: {', '.join(sorted(unknown))}")
        require(len(set(marked)) == len(marked), f"a check is marked twice: {marked}")
        require(all(gap.reason for gap in self.gaps), "a gap has no reason")


@contextmanager
def _terminal(request: pytest.FixtureRequest) -> Iterator[int]:
    """Open standard error as it was before pytest began to capture it."""
    with request.getfixturevalue("capfd").disabled():
        opened = os.dup(2)
    try:
        yield opened
    finally:
        os.close(opened)


def _whole(request: pytest.FixtureRequest) -> bool:
    """Return whether all checks of this class were selected for this run, with this backend."""
    mine = request.node
    made = next(mark.args[1] for mark in mine.iter_markers("parametrize") if mark.args[0] == "check")
    others = [i for i in request.session.items if getattr(i, "cls", None) is mine.cls and hasattr(i, "callspec")]
    given = {key: value for key, value in mine.callspec.params.items() if key != "check"}
    same = [i for i in others if all(i.callspec.params.get(key) == value for key, value in given.items())]
    return len([i for i in same if "check" in i.callspec.params]) >= len(made)
