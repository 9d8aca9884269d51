"""Write the page "Measured" as a whole: ``python -m benchmarks.measured [--short] [--only programs calls]``."""

from __future__ import annotations

import argparse
import datetime
import sys
from importlib import import_module
from pathlib import Path

from .tables import Sample, machine

SUBJECTS = {
    "calls": "Calls from Python",
    "programs": "Programs, from file to file",
    "bulk": "The solver of classic boards",
    "variants": "Variants",
    "cnf": "By clauses",
    "why": "Hints, paths and ratings",
    "make": "Making puzzles",
    "compare": "Comparisons",
}
PAGE = Path(__file__).parents[1] / "docs" / "measured.md"
HEAD = """# Measured

Every figure about speed is on this page. `python -m benchmarks.measured` measures all of them and replaces the page;
`python -m benchmarks.calls` measures one section. Seconds are CPU seconds unless a column says otherwise. Repeat a
measurement before you rely on it: other work on the machine makes it slower.
"""


def main() -> None:
    """Measure the subjects that are wanted, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer puzzles and rounds, for a first look")
    parser.add_argument("--only", nargs="+", choices=SUBJECTS, default=[*SUBJECTS], help="leave the others out")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args()
    sample = Sample(short=options.short, rounds=1 if options.short else 3)
    size = "a short run: few puzzles, one round" if options.short else "medians of three rounds"
    parts = [f"{HEAD}\n{datetime.date.today():%-d %B %Y}; {machine()}; {size}."]
    for name in options.only:
        print(name, file=sys.stderr, flush=True)
        parts.append(f"## {SUBJECTS[name]}")
        parts += [table.markdown() for table in import_module(f"benchmarks.{name}").tables(sample)]
    options.out.write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
