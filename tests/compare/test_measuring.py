"""What happens inside a worker before the first measured run."""

from __future__ import annotations

from dataclasses import replace

from sudoku_backends.backtracking import Backtracking, BacktrackingOptions

from sudoku_models.compare.measuring import loaded
from sudoku_models.engine.contract import Capabilities, Compiled
from sudoku_models.engine.registry import Selection
from sudoku_models.model import Model


class NineByNine(Backtracking):
    """Takes boards of 81 cells and no others; remembers what it compiled."""

    name = "nine-by-nine"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def capabilities_with(self, options: BacktrackingOptions) -> Capabilities:
        own = super().capabilities_with(options)
        return replace(own, refuses_model=lambda model: None if len(model.variables) == 81 else "it is not 9 x 9")

    def compile(self, model: Model, options: BacktrackingOptions) -> Compiled:  # type: ignore[override]
        self.sizes.append(len(model.variables))
        return super().compile(model, options)


def test_an_engine_is_loaded_with_a_puzzle_of_a_size_that_it_takes() -> None:
    backend = NineByNine()
    puzzle = loaded(Selection(backend, BacktrackingOptions()))
    assert puzzle.shape.cells == 81
    assert set(backend.sizes) == {81}
