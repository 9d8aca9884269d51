"""The backend ``z3``: what the conformance suite does not see."""

from __future__ import annotations

import sys
from ctypes import ArgumentError

import pytest
from sudoku_backends.z3 import interruption_kept

pytest.importorskip("z3")


class Interrupts:
    """An object like z3's: Ctrl-C comes while it is destroyed."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_a_ctrl_c_that_comes_in_a_destructor_is_not_lost() -> None:
    hook, after = sys.unraisablehook, []
    with pytest.raises(KeyboardInterrupt), interruption_kept():
        Interrupts()
        after.append("what was at work was not left halfway")
    assert after and sys.unraisablehook is hook


def test_a_ctrl_c_while_an_argument_is_converted_is_heard_and_other_errors_stay_what_they_are() -> None:
    with pytest.raises(KeyboardInterrupt), interruption_kept():
        raise ArgumentError("argument 1: KeyboardInterrupt: ")
    with pytest.raises(ArgumentError), interruption_kept():
        raise ArgumentError("argument 1: TypeError: wrong type")
