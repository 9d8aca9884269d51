"""Fixtures for all tests, and the rule that nothing is skipped without a known reason."""

from __future__ import annotations

import gc
import logging
import os
import re
import signal
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ALLOWED_SKIPS = (
    r"not applicable \((feature|constraint|family|platform)\): ",
    r"not applicable: only some of the checks were selected",
    r"only on (Linux|POSIX)",
    r"not on this processor",
)
"""Reasons (regular expressions, at the start of the text) for which a test may be skipped in CI."""

LONG = ("conformance", "notebooks", "docs", "calls", "compare", "fuzz", "cli", "prove", "explain", "engine", "bulk")
"""Folders with long files. They come first: where several processes share the tests, the last ones end together."""

TESTS = Path(__file__).parent

# Bytecode is kept even where the environment says otherwise: the tests start hundreds of processes that load the same
# sources, and several collect the same tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every process that a test starts finds the sources that are tested, wherever it runs.
SOURCES = (str(TESTS.parent), str(TESTS.parent / "backends"))
os.environ["PYTHONPATH"] = os.pathsep.join([*SOURCES, *filter(None, [os.environ.get("PYTHONPATH")])])

_skipped: dict[str, str] = {}

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # no verdict depends on how fast the machine is


@pytest.fixture(autouse=True)
def log_as_found() -> Iterator[None]:
    """Leave the log as the test found it: a command that runs in this process sets it up anew."""
    log = logging.getLogger("sudoku_models")
    before = log.level, log.propagate, log.handlers[:]
    yield
    log.setLevel(before[0])
    log.propagate, log.handlers[:] = before[1:]


@pytest.fixture(autouse=True, scope="session")
def patience() -> Iterator[None]:
    """Let what is searched for some seconds, where no limit is given, be found on a busy machine too."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("explain.explaining", "explain.hinting", "page.contents", "compare.report.report"):
            patch.setattr(f"sudoku_models.{module}.PATIENCE", 300.0)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, for the times when a test waits; each collects all tests, which takes its time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let the classes of the conformance suite, one for each engine, be shared: as one file they end long after all."""
    if config.option.dist != "loadfile":
        return None
    scheduler = import_module("xdist.scheduler").LoadFileScheduling(config, log)
    scheduler._split_scope = shared_together
    return scheduler


def shared_together(node: str) -> str:
    """Return what the tests that stay in one process have in common: their file, their engine's class, the browser."""
    file, _, rest = node.partition("::")
    if "conformance/" in file:
        return f"{file}::{rest.partition('::')[0]}"
    return "browser" if asks_a_browser(file) else file


@cache
def asks_a_browser(file: str) -> bool:
    """Tell whether a file of tests uses a browser, which takes long to start."""
    return "browser import" in (TESTS.parent / file).read_text(encoding="utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Keep the tests of a file together where several processes share them: some tests ask what the others ran."""
    if getattr(config.option, "numprocesses", None) and config.option.dist in ("no", "load"):
        config.option.dist = "loadfile"


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected: there is little garbage among what is loaded
    hear_ctrl_c()
    begin_to_collect_apart(config)


def hear_ctrl_c() -> None:
    """Let this process and those that tests start hear Ctrl-C: a shell lets the jobs in its background ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def begin_to_collect_apart(config: pytest.Config) -> None:
    """Let each of several processes begin to collect at another folder: it compiles the tests there for the others."""
    worker = getattr(config, "workerinput", None)
    if worker and [Path(arg).resolve() for arg in config.args] == [TESTS]:
        parts = sorted(str(path) for path in TESTS.iterdir() if (path / "__init__.py").exists() or is_test(path))
        begin = len(parts) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args[:] = parts[begin:] + parts[:begin]


def is_test(path: Path) -> bool:
    """Tell whether a path is a file of tests."""
    return path.match("test_*.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long folders first, in their order; the order within a file stays."""
    rank = {name: place for place, name in enumerate(LONG)}
    folder = len(TESTS.parts)
    items.sort(key=lambda item: (rank.get(next(iter(item.path.parts[folder:]), ""), len(LONG)), item.path))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of collected tests: each full collection would visit them all.

    And let it come less often: models are many small objects without cycles.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 20, 20)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped[report.nodeid] = _reason(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        _skipped[report.nodeid] = _reason(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("CI") and unknown_skips(_skipped) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    unknown = unknown_skips(_skipped)
    if unknown:
        terminalreporter.section("skipped without a known reason (an error where CI is set)")
        for node, reason in unknown.items():
            terminalreporter.line(f"{node}: {reason}")


def unknown_skips(skipped: dict[str, str]) -> dict[str, str]:
    """Return those skipped tests whose reason is not on the list."""
    return {node: reason for node, reason in skipped.items() if not re.match("|".join(ALLOWED_SKIPS), reason)}


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
