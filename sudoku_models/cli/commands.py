"""The commands by name, in the order of the help. The module of a command is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from .codes import Code
from .endings import guarded
from .groups import grouped, with_verbose

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

GROUPS = {
    "Solve": {
        "solve": ("answering", "solve puzzles.txt --unique --out answers.csv"),
        "count": ("answering", "count --limit 100 puzzles.txt"),
        "candidates": ("answering", "candidates puzzles.txt --format grid"),
        "validate": ("answering", "validate --core puzzles.txt"),
    },
    "Why": {
        "explain": ("explaining", "explain puzzles.txt"),
        "hint": ("explaining", f"hint {LINE}"),
        "path": ("explaining", "path puzzle.txt --out way.html"),
        "rate": ("explaining", "rate puzzles.txt --format csv"),
    },
    "Make": {
        "generate": ("making", "generate --number 10 --seed 7"),
        "grids": ("making", "grids --number 100 --out grids.parquet"),
        "jigsaw": ("making", "jigsaw --side 9 --number 3 --seed 1"),
        "complete": ("reducing", "complete puzzles.txt"),
        "minimise": ("reducing", "minimise puzzles.txt"),
        "redundant": ("reducing", "redundant puzzles.txt"),
        "unavoidable": ("reducing", "unavoidable grids.txt"),
        "clues-needed": ("reducing", "clues-needed 1234341221434321"),
        "search": ("reducing", "search puzzles.txt --folder found --looks 20"),
        "canonical": ("reducing", "canonical puzzles.txt"),
        "automorphisms": ("reducing", "automorphisms grids.txt"),
        "same": ("reducing", "same puzzles.txt"),
        "morph": ("reducing", "morph puzzles.txt --seed 3"),
        "statistics": ("making", "statistics --population 1000 --runs 3"),
        "dataset": ("making", "dataset data --train 10000"),
        "augment": ("making", "augment answers.csv --out more.parquet"),
        "verify": ("making", "verify answers.csv"),
        "traces": ("reducing", "traces puzzles.txt --out traces.jsonl"),
    },
    "Prove": {
        "certify": ("certificates", "certify puzzle.txt --out certificate.zip"),
        "check": ("certificates", "check certificate.zip"),
    },
    "Compare": {
        "compare": ("compare", "compare puzzles.txt -b cp-sat -b pycosat --report page.html"),
        "backends": ("backends", "backends --format json"),
        "plan": ("converting", "plan puzzle.txt --backend pycosat"),
    },
    "Files": {
        "convert": ("converting", "convert puzzles.txt --format csv"),
        "export": ("converting", "export puzzle.txt --to dimacs"),
        "inspect": ("inspect", "inspect link.txt --picture board.svg"),
        "page": ("page", "page puzzle.txt --out page.html"),
        "merge": ("answering", "merge answers.csv"),
    },
}
"""The groups of the help: for each command the module that declares it, as a function of its name, and an example."""

HOMES = {name: home for commands in GROUPS.values() for name, (home, _) in commands.items()}


def command(name: str) -> Callable[..., Code]:
    """Return a command as a function whose keywords are its declared options; the function raises nothing."""
    declared = getattr(import_module(f".{HOMES[name]}", __package__), name.replace("-", "_"))
    return guarded(with_verbose(grouped(declared)))
