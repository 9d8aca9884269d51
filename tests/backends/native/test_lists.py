"""How a network becomes one array: compiled and as plain Python, on arrays that refuse a place outside of them."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native.kernel import layout, lists
from sudoku_backends.native.network import network_arrays, network_of

from sudoku_models import Puzzle
from sudoku_models.model import Model, Variable

from .guarded import Guarded
from .test_random import case


def plainly(given: array[int], *others: np.ndarray) -> int:
    """Do what ``assembled`` does with the kernel as plain Python: what is read is closed, what is written is not."""
    read = [Guarded(part.reshape(-1).tolist(), closed=True) for part in others[:-2]]
    net, weights = Guarded([0] * len(others[-2])), others[-1].tolist()
    place = lists.assemble(Guarded(given, closed=True), *read, layout.Net(net), weights)
    others[-2][:], others[-1][:] = list(net), weights
    return place


def models() -> list[Model]:
    """Return models of every kind: none, houses alone, a puzzle with narrowed houses and cages, random ones."""
    cages = Puzzle.parse(".Shape~6x6.Cage~9~R1C1~R1C2~R2C1.Cage~4~R5C5~R5C6~R6C6.~R1C1~R3C3_4").structure
    return [
        Model(), Model([Variable("x", (1, 2))]), Puzzle.parse(".Shape~4x4").structure, cages,
        *(case(number)[0] for number in range(150)),
    ]  # fmt: skip


def test_the_array_is_the_same_from_plain_python_and_no_place_outside_is_touched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = [network_of(model) for model in models()]
    monkeypatch.setattr(network_arrays, "assembled", plainly)
    for number, (model, compiled) in enumerate(zip(models(), expected, strict=True)):
        plain = network_of(model)
        assert plain.net.tolist() == compiled.net.tolist(), number
        assert plain.weights.tolist() == compiled.weights.tolist(), number
