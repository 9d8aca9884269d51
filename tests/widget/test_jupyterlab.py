"""The grid in JupyterLab itself: a notebook is opened in a browser, and the grid is used with a kernel behind it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbformat
import pytest

from ..compare.report.browser import chromium

ROOT = Path(__file__).parents[2]
PATIENCE = 240
"""Seconds for what takes a few where nothing else is at work."""
CELLS = [
    "from sudoku_models.widget import SudokuWidget\n"
    "SudokuWidget('53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79', marks='houses')"
]
LABELS = "return [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label'))"
CLICK = """
const buttons = document.querySelectorAll(".sudoku-models-widget button");
[...buttons].find((button) => button.textContent === arguments[0]).click();"""
KERNEL = "return window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


def answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as found:
            return bool(found.status == 200)
    except OSError:
        return False


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Start JupyterLab on a folder, with settings of its own; yield its address."""
    port = free_port()
    own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    paths = os.pathsep.join([str(ROOT), str(ROOT / "backends")])
    options = ["--no-browser", "--allow-root", "--expose-app-in-browser", f"--ServerApp.port={port}"]
    options += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options, "--LabApp.workspaces_dir", str(folder / "workspaces")],
        env={**os.environ, **own, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}/lab"
        until(lambda: server.poll() is not None or answers(address))
        assert server.poll() is None
        yield address
    finally:
        server.terminate()
        server.wait(60)


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    missing = [name for name in ("jupyterlab", "jupyterlab_widgets") if find_spec(name) is None]
    if missing or not shutil.which("chromium"):
        pytest.skip("not applicable (platform): JupyterLab and Chromium are not both installed")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, tmp_path / "grid.ipynb")
    return tmp_path / "grid.ipynb"


def test_the_grid_is_used_in_jupyterlab(notebook: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    with lab(notebook.parent) as address, chromium() as driver:

        def labels() -> dict[str, str]:
            return dict(text.split(": ", 1) for text in driver.execute_script(LABELS))

        def said() -> str:
            return str(driver.execute_script("return document.querySelector('.said').textContent"))

        def press(*keys: str) -> None:
            for key in keys:
                ActionChains(driver).send_keys(key).perform()

        driver.get(f"{address}/tree/{notebook.name}?reset")
        until(lambda: driver.execute_script(KERNEL) == "idle")
        driver.execute_script("jupyterapp.commands.execute('notebook:run-all-cells')")
        until(lambda: labels().get("R1C3") == "open, candidates 1 2 4")
        driver.find_elements("css selector", "[role=gridcell]")[2].click()
        press("4")
        until(lambda: labels()["R2C2"] == "open, candidates 2 7")  # the kernel took the 4 out
        cells = "return document.querySelectorAll('.jp-CodeCell').length"
        before = driver.execute_script(cells)
        press("\ue014", "x", "2", "v", "7", "z", "d", "d")  # no letter cuts or deletes a cell of the notebook
        assert labels()["R1C4"] == "open, corner 2, colour 7" and driver.execute_script(cells) == before
        ActionChains(driver).key_down("\ue009").send_keys("z").send_keys("z").key_up("\ue009").perform()
        until(lambda: labels()["R1C4"].startswith("open, candidates"))
        driver.execute_script(CLICK, "Path")
        until(lambda: said().startswith("Step 1 of "))
        driver.execute_script(CLICK, "Next step")
        driver.execute_script(CLICK, "Show reason")
        until(lambda: "Step 2 of " in said() and "level" in said())
        driver.execute_script(CLICK, "Solve")
        until(lambda: "the only solution" in said())
