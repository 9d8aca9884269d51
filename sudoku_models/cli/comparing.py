"""The commands about backends, ``compare`` and ``backends``, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

from .codes import Code, UsageError
from .declarations import Option
from .groups import SourceOptions
from .options import INPUT, LIMITS, OUTPUT, MemoryLimit, read_seconds

Backends = Annotated[
    list[str] | None,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="A backend to compare, with its options; repeat it for each.",
        show_default="all installed backends",
    ),
]
First = Annotated[
    int | None,
    Option("--first", min=1, help="Use only the first N puzzles.", show_default="all", rich_help_panel=INPUT),
]
Unique = Annotated[
    bool,
    Option("--unique/--no-unique", help="Have every backend that can enumerate prove uniqueness."),
]
Counting = Annotated[bool, Option("--count", help="Count solutions instead, up to a thousand for each puzzle.")]
Seeds = Annotated[
    int,
    Option(
        "--seeds",
        min=1,
        help="The number of seeds, counting up from --seed; engines without a seed get relabelled puzzles.",
    ),
]
Cold = Annotated[
    bool, Option("--cold", help="Start a new process for each run, and include the loading of the engine in its time.")
]
EachTimeLimit = Annotated[
    float,
    Option(
        "--time-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="The time limit for each run.",
        rich_help_panel=LIMITS,
    ),
]
EachCpuLimit = Annotated[
    float | None,
    Option(
        "--cpu-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="The CPU time limit for each run, over all its threads and processes.",
        rich_help_panel=LIMITS,
    ),
]
Parallel = Annotated[
    int,
    Option(
        "--parallel",
        min=1,
        help="Measure this number of runs at the same time on one machine, although they disturb each other.",
        rich_help_panel=LIMITS,
    ),
]
FirstSeed = Annotated[
    int,
    Option(
        "--seed",
        min=0,
        rich_help_panel=LIMITS,
        help="Shuffles the order of the runs, and is the first seed of the engines (0: puzzles unchanged).",
    ),
]
Rows = Annotated[
    str | None,
    Option(
        "--out",
        "-o",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="When the comparison finishes, write every run as a line of JSON.",
    ),
]
Directory = Annotated[
    str | None,
    Option(
        "--dir",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="Store the run journal here; without this option it is deleted when the comparison finishes.",
    ),
]
Resume = Annotated[
    str | None,
    Option("--resume", metavar="DIR", help="Continue the comparison stored in this folder."),
]
Scheduler = Annotated[
    str | None,
    Option(
        "--scheduler",
        metavar="ADDRESS|local",
        help="Run on the machines of a dask scheduler (tcp://host:port), or on a local cluster.",
    ),
]
Certify = Annotated[
    bool,
    Option(
        "--certify",
        help="Afterwards prove each 'unique' and 'unsatisfiable' and check the proofs; an answer that they "
        "refute is wrong.",
    ),
]
ProofLimit = Annotated[
    float | None,
    Option(
        "--proof-limit",
        metavar="SECONDS",
        parser=read_seconds,
        help="With --certify: the time limit for making each proof, and for checking it.",
        show_default="60",
        rich_help_panel=LIMITS,
    ),
]
Repeats = Annotated[int, Option("--repeats", min=1, help="The number of times that each run is repeated.")]
Reports = Annotated[
    list[str] | None,
    Option(
        "--report",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Write a report: .html (a page), .md, .tex, .csv, .jsonl, .parquet, .xml (BenchExec); repeatable.",
    ),
]
GroupBy = Annotated[
    str | None,
    Option(
        "--group-by",
        metavar="file|side|clues|rules|rating",
        rich_help_panel=OUTPUT,
        help="Also show each group of puzzles: a table, and in a report a table and a plot.",
    ),
]
Against = Annotated[
    str | None,
    Option(
        "--against",
        metavar="OLD",
        rich_help_panel=OUTPUT,
        help="Show what is faster or slower than in an earlier run: its folder, journal or JSON lines.",
    ),
]


def alone(context: typer.Context, option: str, others: set[str]) -> None:
    """Raise UsageError for options that another option makes meaningless."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    wrong = sorted(set(given) - others)
    if wrong:
        raise UsageError(f"{option} continues with the original plan: {', '.join(wrong)} cannot be changed")


@dataclass(frozen=True)
class RunOptions:
    """Which backends run on what, how often, and within which limits."""

    backend: Backends = None
    first: First = None
    unique: Unique = True
    count: Counting = False
    certify: Certify = False
    proof_limit: ProofLimit = None
    seeds: Seeds = 1
    repeats: Repeats = 1
    cold: Cold = False
    time_limit: EachTimeLimit = 10.0
    cpu_limit: EachCpuLimit = None
    memory_limit: MemoryLimit = None
    parallel: Parallel = 1
    seed: FirstSeed = 0

    def planned(self) -> dict[str, Any]:
        """Return the parts of a plan."""
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        goal = "count" if self.count else "unique" if self.unique else "first"
        same = ("cold", "parallel", "time_limit", "cpu_limit", "memory_limit", "repeats")
        return {"goal": goal, "seeds": seeds, "shuffle": self.seed, **{name: getattr(self, name) for name in same}}


@dataclass(frozen=True)
class ReportOptions:
    """What a comparison writes: rows, its journal, reports, changes since an earlier run, and groups."""

    out: Rows = None
    directory: Directory = None
    report: Reports = None
    against: Against = None
    group_by: GroupBy = None


def compare(
    context: typer.Context,
    source: SourceOptions,
    runs: RunOptions,
    reports: ReportOptions,
    resume: Resume = None,
    scheduler: Scheduler = None,
) -> Code:
    """Solve every puzzle on every backend; compare answers and times.

    Timeouts and failures of engines are results in the table, and the exit code stays 0. A wrong answer gives exit
    code 4.
    """
    from . import compare as command

    seconds = command.proof_seconds(runs.certify, runs.proof_limit)
    if resume:
        alone(context, "--resume", command.WITH_RESUME)
        return command.resume(resume, reports, scheduler, seconds)
    return command.compare(
        source.input(), runs.backend or (), runs.first, reports, scheduler, seconds, **runs.planned()
    )


class _Listed(StrEnum):
    TEXT = "text"
    JSON = "json"


def backends(
    markdown: Annotated[
        bool, Option("--markdown", help="Write the table in Markdown.", rich_help_panel=OUTPUT)
    ] = False,
    format: Annotated[
        _Listed, Option("--format", "-f", help="How the list is written.", rich_help_panel=OUTPUT)
    ] = _Listed.TEXT,
) -> Code:
    """List the backends: which are installed, what each accepts and offers, and how to install the others."""
    from . import backends as command

    if markdown and format is _Listed.JSON:
        raise UsageError("--markdown and --format json do not go together")
    return command.backends(markdown, format is _Listed.JSON)
