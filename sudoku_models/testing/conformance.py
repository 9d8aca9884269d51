"""The suite as a pytest class: a thin layer over the checks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

import pytest

from ..engine.registry import BackendLike, select
from .checks import CHECKS
from .subject import Check, Gap, NotApplicable, SolveNative, Subject, require

_SUBJECTS = pytest.StashKey[dict[tuple[type, str], Subject]]()


class BackendConformance:
    """Subclass it and list in ``specs`` what is tested: specifications of backends, or backends.

    Checks that do not apply to a backend, by what it declares, are not collected. In place of ``specs`` you may define
    a fixture ``spec``, for what is known only when the tests run; then such checks are skipped.

    ``gaps`` are checks that the backend is known to fail, each with a kind and a reason. They are strict: a gap that
    closes fails. ``reference`` is the trusted backend for boards out of reach of brute force. ``share`` is the fraction
    of the random cases to run, at least 200 cases in total. ``solve_native`` is for backends with maps to a native
    model: a function that asks the engine itself, to test the maps. A check that takes more than ``limit`` seconds is
    cut off and fails.
    """

    specs: ClassVar[Sequence[BackendLike]] = ()
    checks: ClassVar[Sequence[Check]] = CHECKS
    gaps: ClassVar[tuple[Gap, ...]] = ()
    reference: ClassVar[BackendLike] = "backtracking:strategy=fewest"
    share: ClassVar[float] = 1.0
    solve_native: ClassVar[SolveNative | None] = None
    limit: ClassVar[float] = 300.0

    @pytest.fixture
    def spec(self) -> BackendLike:
        """What is tested; override it."""
        raise NotImplementedError("list backends in 'specs', or define the fixture 'spec'")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each check, or of those that apply to each backend."""
        if "check" not in metafunc.fixturenames:
            return
        if self.specs:
            pairs = [(spec, check) for spec in self.specs for check in self._applying(spec)]
            ids = [f"{select(spec)}-{check.name}" for spec, check in pairs]
            metafunc.parametrize(("spec", "check"), pairs, ids=ids)
        else:
            metafunc.parametrize("check", self.checks, ids=[check.name for check in self.checks])

    def _applying(self, spec: BackendLike) -> list[Check]:
        """Return the checks that apply to a backend, and those that are marked as its gaps."""
        subject, marked = Subject.of(spec), {gap.check for gap in self.gaps}
        return [check for check in self.checks if check.name in marked or check.refusal(subject) is None]

    @pytest.fixture
    def subject(self, spec: BackendLike, request: pytest.FixtureRequest) -> Subject:
        """The backend under test, and how many cases were compared; one for all checks of a class."""
        selection = select(spec)
        subjects = request.session.stash.setdefault(_SUBJECTS, {})
        made = Subject(selection, self.reference, self.share, type(self).solve_native, self.limit)
        return subjects.setdefault((type(self), str(selection)), made)

    def test_conforms(self, check: Check, subject: Subject, request: pytest.FixtureRequest) -> None:
        """One check on one backend."""
        if check is CHECKS[-1] and not self._whole(request):
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

    def _whole(self, request: pytest.FixtureRequest) -> bool:
        """Return whether all checks of this class were selected for this run, with this backend."""
        mine = request.node
        others = [i for i in request.session.items if getattr(i, "cls", None) is mine.cls and hasattr(i, "callspec")]
        given = {key: value for key, value in mine.callspec.params.items() if key != "check"}
        same = [i for i in others if all(i.callspec.params.get(key) == value for key, value in given.items())]
        expected = self._applying(given["spec"]) if self.specs else self.checks
        return len([i for i in same if "check" in i.callspec.params]) >= len(expected)

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
