"""Ctrl-C while a process is started or stopped: it is raised, and no process stays."""

import subprocess
import sys

import pytest

STRUCK = """
import os, signal, subprocess, sys
from sudoku_models.engine.workers import Child
from sudoku_models.engine.program import Program
from sudoku_models.testing.processes import left_behind
import threading

class Struck(subprocess.Popen):
    def __init__(self, *words, **options):
        {before}
        super().__init__(*words, **options)
        {after}

    def wait(self, timeout=None):
        {waiting}
        return super().wait(timeout)

subprocess.Popen = Struck
try:
    started = {started}
    {end}
    print("nothing was raised")
except KeyboardInterrupt:
    print("raised", left_behind({{threading.main_thread()}}, set()))
"""
STRIKE = "os.kill(os.getpid(), signal.SIGINT)"
STARTED = {
    "program": ("Program(['sleep', '600'], '', None)", "started.close()"),
    "child": ("Child()", "started.kill()"),
}
MOMENTS = ["before", "after", "waiting"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", STARTED)
def test_ctrl_c_leaves_no_process(kind, moment):
    started, end = STARTED[kind]
    strikes = {other: STRIKE if other == moment else "pass" for other in MOMENTS}
    code = STRUCK.format(started=started, end=end, **strikes)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.strip() == "raised", done.stderr
