"""The options of ``compare`` alone."""

from __future__ import annotations

from typing import Annotated

import typer

from .codes import UsageError
from .options import INPUT, LIMITS, OUTPUT, read_seconds

Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="A backend to compare, with its options; repeat it for each.",
        show_default="all that are installed",
    ),
]
First = Annotated[
    int | None,
    typer.Option("--first", min=1, help="Take only the first N puzzles.", show_default="all", rich_help_panel=INPUT),
]
Unique = Annotated[
    bool,
    typer.Option("--unique/--no-unique", help="Have uniqueness proved, by every backend that can enumerate."),
]
Counting = Annotated[
    bool, typer.Option("--count", help="Have solutions counted instead, up to a thousand of a puzzle.")
]
Seeds = Annotated[
    int,
    typer.Option("--seeds", min=1, help="Number of seeds from --seed on; engines without one get relabelled puzzles."),
]
Cold = Annotated[
    bool, typer.Option("--cold", help="Start a new process for each run, and count the loading of the engine.")
]
EachTimeLimit = Annotated[
    float,
    typer.Option("--time-limit", metavar="SECONDS", parser=read_seconds, help="For each run.", rich_help_panel=LIMITS),
]
EachCpuLimit = Annotated[
    float | None,
    typer.Option(
        "--cpu-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="For each run: CPU time of all its threads and processes.",
        rich_help_panel=LIMITS,
    ),
]
Parallel = Annotated[
    int,
    typer.Option(
        "--parallel",
        min=1,
        help="Measure this number of runs at once on a machine: they disturb each other.",
        rich_help_panel=LIMITS,
    ),
]
FirstSeed = Annotated[
    int,
    typer.Option(
        "--seed",
        min=0,
        rich_help_panel=LIMITS,
        help="Shuffles the order of the runs; also the first seed of the engines (0: puzzles as they are).",
    ),
]
Rows = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Write every run as a line of JSON, at the end.",
    ),
]
Directory = Annotated[
    str | None,
    typer.Option(
        "--dir",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="Keep the journal of all runs in this folder; otherwise it is kept until all is done.",
    ),
]
Resume = Annotated[
    str | None,
    typer.Option("--resume", metavar="DIR", help="Go on with the comparison in this folder, where it stopped."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS|local",
        help="Run on the machines of a dask scheduler (tcp://host:port), or on a local cluster.",
    ),
]
Certify = Annotated[
    bool,
    typer.Option(
        "--certify",
        help="Afterwards prove each 'unique' and 'unsatisfiable', and check the proof; it judges the answers.",
    ),
]
ProofLimit = Annotated[
    float | None,
    typer.Option(
        "--proof-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="With --certify: for making each proof, and for checking it.",
        show_default="60",
        rich_help_panel=LIMITS,
    ),
]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="How often each run is repeated.")]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Write a report: .html (a page), .md, .tex, .csv, .jsonl, .parquet, .xml (BenchExec); repeatable.",
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        "--group-by",
        metavar="file|side|clues|rules|rating",
        rich_help_panel=OUTPUT,
        help="Show each group of puzzles too: a table, and in a report a table and a plot.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="OLD",
        rich_help_panel=OUTPUT,
        help="Tell what became faster or slower since an earlier run: its folder, journal or JSON lines.",
    ),
]


def alone(context: typer.Context, option: str, others: set[str]) -> None:
    """Refuse options that an option makes meaningless."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    wrong = sorted(set(given) - others)
    if wrong:
        raise UsageError(f"{option} goes on with what was planned: {', '.join(wrong)} cannot be chosen anew")
