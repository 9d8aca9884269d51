"""How the tests of quirks judge an engine by itself: the fault is there in the releases that are said to have it."""

from __future__ import annotations

Release = tuple[int, ...]


def release(text: str) -> Release:
    """Return the first two numbers of a version."""
    return tuple(int(part) for part in text.split(".")[:2])


def judge(engine: str, version: str, first: Release, last: Release, found: object, truth: object) -> None:
    """Hold an engine's own answer against the releases that are said to have the fault.

    One that fails says what to do: note that a later release has the fault too, or that an earlier one does not.
    """
    has_it, said = found != truth, first <= release(version) <= last
    if has_it and not said:
        raise AssertionError(f"{engine} {version} has the quirk too ({found}, truth {truth}): extend its versions")
    if said and not has_it:
        raise AssertionError(
            f"{engine} {version} does not have the quirk: its versions are said to be wider than they are"
        )
