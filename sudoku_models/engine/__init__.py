"""The road from a model to checked solutions: contract, registry, road, check, isolation."""

from .budget import Budget
from .contract import (
    Backend,
    Capabilities,
    Compiled,
    Ending,
    Feature,
    Isolate,
    Outcome,
    Projection,
    Reason,
    Request,
    Run,
    Search,
    Solution,
    TraceStep,
)
from .record import Phase, Record, Stopwatch
from .registry import BackendLike, Listing, Selection, install_command, listings, names, select
from .road import Prepared, plan, prepare, run
from .switches import Part, Session, core

__all__ = [
    "Backend",
    "BackendLike",
    "Budget",
    "Capabilities",
    "Compiled",
    "Ending",
    "Feature",
    "Isolate",
    "Listing",
    "Outcome",
    "Part",
    "Phase",
    "Prepared",
    "Projection",
    "Reason",
    "Record",
    "Request",
    "Run",
    "Search",
    "Selection",
    "Session",
    "Solution",
    "Stopwatch",
    "TraceStep",
    "core",
    "install_command",
    "listings",
    "names",
    "plan",
    "prepare",
    "run",
    "select",
]
