"""The environment for gymnasium: its own checker passes, rewards come from the proved solution."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sudoku_models import Puzzle, Shape
from sudoku_models.errors import NotOneSolution
from sudoku_models.make import generate
from sudoku_models.make.environment import REWARDS, SudokuEnv, register

SMALL = Shape.square(4)
NAME = "sudoku_models.make.environment:SudokuModels-v0"


def made(**wishes: Any) -> Any:
    return gymnasium.make(NAME, shape=SMALL, **wishes)


def action(env: Any, cell: int, value: int) -> int:
    return cell * (len(env.unwrapped.shape.values) + 1) + value


def solved(env: Any, seed: int = 1) -> tuple[float, bool]:
    """Play the solution; return the sum of the rewards, and whether the episode ended with the last step."""
    env.reset(seed=seed)
    puzzle = env.unwrapped.puzzle
    total, ends = 0.0, []
    for cell, (given, value) in enumerate(zip(puzzle.givens, puzzle.stated, strict=True)):
        if given is None:
            _, reward, end, _, _ = env.step(action(env, cell, value))
            total += reward
            ends.append(end)
    return total, ends[-1] and not any(ends[:-1])


@pytest.mark.parametrize(
    "wishes", [{}, {"shape": SMALL, "render_mode": "ansi"}, {"shape": SMALL, "place": {"Thermo": 2}}]
)
def test_the_checker_of_gymnasium_is_content(wishes: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(NAME, **wishes).unwrapped, skip_render_check=False)


def test_it_is_registered_once_under_its_name() -> None:
    register()
    assert gymnasium.spec("SudokuModels-v0").max_episode_steps


@pytest.mark.parametrize("reward", REWARDS)
def test_the_solution_earns_one(reward: str) -> None:
    total, ended = solved(made(reward=reward))
    assert (round(total, 9), ended) == (1.0, True)


def test_a_wrong_entry_costs_what_taking_it_away_gives_back() -> None:
    env = made()
    env.reset(seed=3)
    puzzle = env.unwrapped.puzzle
    cell = puzzle.givens.index(None)
    wrong = puzzle.stated[cell] % 4 + 1
    board, cost, end, _, info = env.step(action(env, cell, wrong))
    assert board["board"].ravel()[cell] == wrong and not end
    assert (info["wrong"], info["right"]) == (1, 0)
    board, back, _, _, info = env.step(action(env, cell, 0))
    assert board["board"].ravel()[cell] == 0 and cost == -back < 0
    assert info["wrong"] == 0


def test_a_mask_says_what_can_be_done() -> None:
    env = made()
    board, info = env.reset(seed=5)
    given = int(np.flatnonzero(board["given"])[0])
    mask = info["action_mask"].reshape(16, 5)
    assert mask[given].sum() == 0 and mask.sum() == 4 * info["open"]
    after, reward, _, _, info = env.step(action(env, given, 0))
    assert (after["board"] == board["board"]).all() and reward < 0 and not info["legal"]
    for _ in range(30):
        _, _, end, _, info = env.step(env.action_space.sample(info["action_mask"]))
        assert info["legal"]
        if end:
            break


def test_a_consistent_mask_leaves_out_values_of_the_houses() -> None:
    env = made(consistent=True)
    _, info = env.reset(options={"puzzle": "1234341.21..4..."})
    mask = info["action_mask"].reshape(16, 5)
    assert [value for value in range(1, 5) if mask[15, value]] == [1, 2, 3]


def test_the_same_seed_has_the_same_puzzle_and_puzzles_may_be_given() -> None:
    env = made()
    assert (env.reset(seed=7)[0]["board"] == made().reset(seed=7)[0]["board"]).all()
    own = generate(1, shape=SMALL, seed=9).puzzles
    for _ in range(2):
        board, _ = SudokuEnv(own).reset()
        assert [value or None for value in board["board"].ravel().tolist()] == list(own[0].givens)


def test_the_board_is_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = made(render_mode="ansi")
    env.reset(options={"puzzle": "1234341.21..4..."})
    assert env.render() == str(Puzzle.parse("1234341.21..4..."))


@pytest.mark.parametrize(
    ("wishes", "error", "message"),
    [
        ({"reward": "most"}, ValueError, "credit, solved"),
        ({"puzzles": ["1" + "." * 15, "." * 81]}, ValueError, "one shape"),
        ({"clues": 16, "tries": 1}, ValueError, "no puzzle meets the options"),
        ({"puzzles": ["1" + "." * 15]}, NotOneSolution, "exactly one is expected"),
    ],
)
def test_what_cannot_be_played_is_refused(wishes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SudokuEnv(**{"shape": SMALL, **wishes}).reset(seed=1)
