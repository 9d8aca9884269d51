"""The data from which the page's script draws: plain, and by columns if there are many entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from ...puzzle import Puzzle
from ...verbs.agreement import Verdict
from ..run_rows import Row
from ..statistics import BackendPair, Interval, Study
from ..statistics.matrix import Matrix
from ..summary import PHASES

if TYPE_CHECKING:
    from .report import Report

Plain = dict[str, Any]


def page_data(report: Report) -> Plain:
    """Return everything that the script needs: backends in the order of the standings, instances, runs, pairs.

    Indexes refer to backends, instances, statuses and phases. A missing number is None; a median without an answer is
    -1.
    """
    study = report.study
    names = [standing.backend for standing in study.standings]
    firsts: dict[str, Row] = {}
    for row in report.rows:
        firsts.setdefault(row.sha256, row)
    shas = sorted(firsts, key=lambda sha: firsts[sha].puzzle)
    return {
        "limit": study.limit,
        "backends": [_backend(s.backend, s.ranked, s.phases) for s in study.standings],
        "statuses": [str(verdict) for verdict in Verdict],
        "settled": [verdict.settled for verdict in Verdict],
        "instances": [_instance(firsts[sha], report.boards.get(sha)) for sha in shas],
        "ranked": [sha in set(study.matrix.instances) for sha in shas],
        "medians": _medians(report.rows, names, shas),
        "runs": _runs(report.rows, names, shas),
        "pairs": [_pair(pair, names) for pair in study.pairs],
    }


def _backend(name: str, ranked: bool, phases: Mapping[str, float]) -> Plain:
    return {"name": name, "ranked": ranked, "phases": {phase: _short(time) for phase, time in phases.items()}}


def _instance(row: Row, board: Puzzle | None) -> Plain:
    line = "" if row.line is None else f":{row.line}"
    file = row.source.replace("\\", "/").rpartition("/")[2]
    return {
        "n": row.puzzle,
        "name": row.title or (f"{file}{line}" if file else f"puzzle {row.puzzle}"),
        "place": f"{row.source}{line}",
        "sha": row.sha256,
        "side": row.side,
        "cells": row.cells,
        "clues": row.clues,
        "board": None if board is None else _board(board),
    }


def _board(puzzle: Puzzle) -> Plain:
    shape = puzzle.shape
    return {
        "height": shape.height,
        "width": shape.width,
        "regions": [-1 if region is None else region for region in shape.region_of],
        "givens": [given if given is not None else 0 for given in puzzle.givens],
    }


def _medians(rows: Sequence[Row], names: Sequence[str], shas: Sequence[str]) -> list[list[float | None]]:
    matrix = Matrix.of(rows, names)
    place = {sha: i for i, sha in enumerate(matrix.instances)}
    lines = matrix.median[:, [place[sha] for sha in shas]].tolist()
    return [[-1 if isinf(value) else _short(value) for value in line] for line in lines]


def _runs(rows: Iterable[Row], names: Sequence[str], shas: Sequence[str]) -> Plain:
    """Return the runs by columns, with a column for each phase."""
    backend = {name: i for i, name in enumerate(names)}
    instance = {sha: i for i, sha in enumerate(shas)}
    status = {str(verdict): i for i, verdict in enumerate(Verdict)}
    ordered = sorted(rows, key=lambda row: (instance[row.sha256], backend[row.backend], row.seed, row.repeat))
    met = {phase for row in ordered for phase in row.phases}
    phases = [*(phase for phase in PHASES if phase in met), *sorted(met - set(PHASES))]
    reasons = list(dict.fromkeys(row.reason for row in ordered))
    reason = {text: i for i, text in enumerate(reasons)}
    return {
        "instance": [instance[row.sha256] for row in ordered],
        "backend": [backend[row.backend] for row in ordered],
        "status": [status[row.status] for row in ordered],
        "wall": [_short(row.wall) for row in ordered],
        "cpu": [_short(row.cpu) for row in ordered],
        "memory": [row.memory for row in ordered],
        "unique": [row.unique for row in ordered],
        "seed": [row.seed for row in ordered],
        "repeat": [row.repeat for row in ordered],
        "reason": [reason[row.reason] for row in ordered],
        "reasons": reasons,
        "phases": {phase: [_short(row.phases.get(phase, {}).get("wall")) for row in ordered] for phase in phases},
    }


def _pair(pair: BackendPair, names: Sequence[str]) -> Plain:
    return {
        "first": names.index(pair.first),
        "second": names.index(pair.second),
        "speedup": _interval(pair.speedup),
        "counts": [pair.faster, pair.ties, pair.slower, pair.neither, pair.censored],
        "p": _short(pair.corrected),
    }


def _interval(interval: Interval) -> list[float | None]:
    return [_short(value) for value in interval]


def _short(value: float | None) -> float | None:
    """Round to six digits; None for what is not a number."""
    return None if value is None or isnan(value) or isinf(value) else float(f"{value:.6g}")


def colours(study: Study) -> dict[str, int]:
    """Return the number of each backend's colour, by its place."""
    return {standing.backend: i % 10 for i, standing in enumerate(study.standings)}
