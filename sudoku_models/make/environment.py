"""The environment ``SudokuModels-v0`` for gymnasium (extra ``gym``): an agent places values and removes them.

``gymnasium.make("SudokuModels-v0")`` finds it if this package is installed; importing this module also registers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from ..errors import NotOneSolution, NotUnique
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solve
from ..verbs.task import Problem, as_puzzle
from .bands import Array
from .generating import generate
from .neighbourhood import sees_of

NAME = "SudokuModels-v0"
REWARDS = ("credit", "solved")
"""What is rewarded: each correct entry, or only the solution."""

STEPS = 1000
"""After this number of steps an episode is truncated, unless ``gymnasium.make`` sets another number."""

Observation = dict[str, Array]


class SudokuEnv(gymnasium.Env):  # type: ignore[misc]
    """A puzzle with one solution on a board of ``shape``, with rules if the options ask for them.

    The observation has ``board`` (rows x columns, 0 in open cells) and ``given`` (1 for a given). The
    action ``cell * (values + 1) + value`` places a value in an open cell; with the value 0 it removes an entry. The
    mask of possible actions is ``info["action_mask"]``, for ``action_space.sample(mask)``: any value in any open cell,
    or with ``consistent`` those that no cell of its houses has. An impossible action changes nothing and costs a share.

    Rewards come from comparison with the only solution, which is proved. "credit": a correct entry earns a
    share of the open cells, a wrong one costs it, and removing an entry reverses its reward; so all rewards of a
    solved puzzle sum to 1, whatever was tried on the way. "solved": 1 for the last step, otherwise 0. The episode
    terminates when the board is solved.

    Each episode has a new puzzle: one of ``puzzles``, or one made with the options ``wishes`` of ``generate``;
    ``reset(options={"puzzle": ...})`` uses your own puzzle.
    ``render_mode`` "ansi" returns the board as text, "human" prints it. ValueError for incompatible options,
    NotOneSolution for a puzzle that does not have exactly one solution.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        puzzles: Iterable[Problem] = (),
        *,
        shape: Shape | None = None,
        reward: str = "credit",
        consistent: bool = False,
        render_mode: str | None = None,
        **wishes: Any,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"reward is {reward!r}: one of {', '.join(REWARDS)} is expected")
        self.puzzles = [as_puzzle(problem) for problem in puzzles]
        self.shape = shape or (self.puzzles[0].shape if self.puzzles else Shape.square(9))
        if any(puzzle.shape != self.shape for puzzle in self.puzzles):
            raise ValueError("puzzles of one shape are expected: observations have one size")
        self.reward, self.consistent, self.render_mode, self.wishes = reward, consistent, render_mode, wishes
        rows, columns, side = self.shape.height, self.shape.width, len(self.shape.values)
        self.observation_space = spaces.Dict(
            {"board": spaces.Box(0, side, (rows, columns), np.uint8), "given": spaces.MultiBinary((rows, columns))}
        )
        self.action_space = spaces.Discrete(self.shape.cells * (side + 1))
        self._sees = sees_of(self.shape)
        self._take(Puzzle.empty(self.shape), (0,) * self.shape.cells)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start with a new puzzle; ``options["puzzle"]`` may be your own, in any form that can be parsed."""
        super().reset(seed=seed)
        own = (options or {}).get("puzzle")
        puzzle = self._next() if own is None else as_puzzle(own)
        if puzzle.shape != self.shape:
            raise ValueError(f"a puzzle on {self.shape} is expected")
        self._take(puzzle, puzzle.stated or _only_solution(puzzle))
        return self._observed(), self._info(True)

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Place or remove a value; return observation, reward, terminated, truncated and info."""
        cell, value = divmod(int(action), len(self.shape.values) + 1)
        legal = bool(self._mask()[action])
        before = self._credit()
        if legal:
            self._values[cell] = value
        solved = bool((self._values == self._solution).all())
        change = self._credit() - before if legal else -1
        reward = change / max(int((~self._given).sum()), 1) if self.reward == "credit" else float(solved and legal)
        if self.render_mode == "human":
            print(self._board())
        return self._observed(), float(reward), solved, False, self._info(legal)

    def render(self) -> str | None:
        """Return the board as text with ``render_mode`` "ansi"; "human" prints it at each step."""
        return str(self._board()) if self.render_mode == "ansi" else None

    def _next(self) -> Puzzle:
        """Choose or make a puzzle with the environment's own random generator."""
        if self.puzzles:
            return self.puzzles[int(self.np_random.integers(len(self.puzzles)))]
        made = generate(1, shape=self.shape, seed=int(self.np_random.integers(2**31)), **self.wishes)
        if not made.puzzles:
            raise ValueError(f"no puzzle meets the options: {made.reason}")
        puzzle: Puzzle = made.puzzles[0]
        return puzzle

    def _take(self, puzzle: Puzzle, solution: Iterable[Any]) -> None:
        self.puzzle = puzzle
        self._values = np.array([value or 0 for value in puzzle.givens], np.uint8)
        self._solution = np.array(list(solution), np.uint8)
        self._given = self._values > 0

    def _credit(self) -> int:
        """Return the number of correct entries minus the number of wrong ones."""
        entered = (self._values > 0) & ~self._given
        right = self._values == self._solution
        return int((entered & right).sum()) - int((entered & ~right).sum())

    def _observed(self) -> Observation:
        size = self.shape.height, self.shape.width
        return {"board": self._values.reshape(size).copy(), "given": self._given.reshape(size).astype(np.int8)}

    def _mask(self) -> Array:
        """Return which actions are possible (int8): placing a value in an open cell, removing an entry."""
        mask = np.zeros((self.shape.cells, len(self.shape.values) + 1), np.int8)
        mask[self._values == 0, 1:] = 1
        mask[(self._values > 0) & ~self._given, 0] = 1
        if self.consistent:
            placed = self._values[:, None] == np.arange(1, len(self.shape.values) + 1)
            mask[:, 1:][self._sees @ placed] = 0
        return mask.ravel()

    def _info(self, legal: bool) -> dict[str, Any]:
        entered = (self._values > 0) & ~self._given
        right = int((entered & (self._values == self._solution)).sum())
        return {
            "action_mask": self._mask(),
            "legal": legal,
            "open": int((self._values == 0).sum()),
            "right": right,
            "wrong": int(entered.sum()) - right,
        }

    def _board(self) -> Puzzle:
        return Puzzle(self.shape, tuple(value or None for value in self._values.tolist()), rules=self.puzzle.rules)


def _only_solution(puzzle: Puzzle) -> tuple[Any, ...]:
    found = solve(puzzle, unique=True)
    if found.grid is None:
        raise NotOneSolution
    if not found.unique:
        raise NotUnique("the puzzle has several solutions: exactly one is expected")
    return tuple(found.grid.values)


def register() -> None:
    """Register the environment with gymnasium, once."""
    if NAME not in gymnasium.registry:
        gymnasium.register(NAME, entry_point=f"{__name__}:{SudokuEnv.__name__}", max_episode_steps=STEPS)


register()
