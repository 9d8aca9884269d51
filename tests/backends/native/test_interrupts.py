"""Ctrl-C ends a batch while the kernel searches one of its rows, on one thread and on several."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

SEARCH = """
import os, signal, sys, threading
from random import Random
from unittest.mock import Mock, patch

import numpy as np
from sudoku_backends.native import batches

from sudoku_models.engine.batch import run_batch
from sudoku_models.engine.contract import Request
from sudoku_models.model import Automaton, Model, Regular, Variable

rng, kernels = Random(1), batches.machine()
odd = Automaton(2, 0, (1,), [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)])
xs = [Variable(f"x{i}", (0, 1)) for i in range(400)]
model = Model(xs, [Regular(rng.sample(xs, 5), odd) for _ in range(420)])
calls = []


def count_many(*given):
    if not calls:
        calls.append(threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)))
        calls[0].start()
    return kernels.count_many(*given)


with patch.object(batches, "machine", lambda: Mock(count_many=count_many)), patch.object(batches, "BLOCK", 1):
    try:
        run_batch(model, "native", np.zeros((4, 400), np.uint8), Request(workers=int(sys.argv[1])))
    except KeyboardInterrupt:
        print("interrupted")
"""
"""Searches for solutions of sums modulo 2, each over five of 400 variables, which no backtracking search finishes."""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_batch_ends_at_an_interrupt_whatever_is_left_to_search(workers: int) -> None:
    command = [sys.executable, "-c", SEARCH, str(workers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout.strip() == "interrupted", done.stderr
