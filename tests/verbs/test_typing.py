"""What a type checker says of calls of the verbs: keywords are known by name and by type."""

from __future__ import annotations

from pathlib import Path

from mypy import api

CALLS = """
from sudoku_models import solve, solve_many

solve("1", time_limit=2.0, seed=3)
solve("1", time_limmit=2.0)  # typed-1
solve("1", time_limit="2")  # typed-2
for result in solve_many(["1"]):
    reveal_type(result)  # typed-3
for answer in solve_many(["1"], on_error="return"):
    reveal_type(answer)  # typed-4
"""
EXPECTED = (
    'Unexpected keyword argument "time_limmit"',
    'incompatible type "str"',
    'results.Result"',
    'results.Result | Exception"',
)


def test_keywords_and_results_are_typed(tmp_path: Path) -> None:
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    cache = Path(__file__).parents[2] / ".mypy_cache"
    told, errors, _ = api.run(["--strict", "--no-error-summary", f"--cache-dir={cache}", str(file)])
    assert not errors
    lines = [line for line in told.splitlines() if "calls.py" in line]
    for number, part in enumerate(EXPECTED, 1):
        where = CALLS.splitlines().index(next(x for x in CALLS.splitlines() if f"typed-{number}" in x)) + 1
        assert any(f":{where}: " in line and part in line for line in lines), told
    assert not any(":4: " in line for line in lines)
