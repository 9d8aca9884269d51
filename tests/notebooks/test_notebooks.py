"""Every notebook runs, with the public interface alone, and its stored outputs are those of today."""

from __future__ import annotations

import ast
import copy
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REFRESH = "store the outputs of today with `jupyter execute --inplace` on the notebook"


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Any:
    return nbformat.read(request.param, as_version=4)


def test_there_are_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS][:1] == ["01_first_steps.ipynb"]


def test_a_notebook_runs_and_its_outputs_are_current(notebook: Any, client: NotebookClient, tmp_path: Path) -> None:
    """Cells tagged "varies" (times, which of several solutions) need not give the same output again.

    All share a kernel, which loads the packages once; each finds it without names, and in a folder of its own.
    """
    stored = [texts(cell) for cell in code_cells(notebook)]
    client.nb = copy.deepcopy(notebook)
    client.nb.cells.insert(0, new_code_cell(f"%reset -sf\n%cd -q {tmp_path}"))
    client.execute(cleanup_kc=False)
    for cell, before in zip(code_cells(client.nb)[1:], stored, strict=True):
        if "varies" not in cell.metadata.get("tags", ()):
            assert texts(cell) == before, f"{REFRESH}:\n{cell.source}"
        assert bool(texts(cell)) == bool(before), f"{REFRESH}:\n{cell.source}"


def test_a_notebook_names_no_place_of_the_machine_that_ran_it(notebook: Any) -> None:
    assert notebook.metadata.kernelspec.name == "python3"
    said = "\n".join(text for cell in code_cells(notebook) for text in texts(cell))
    assert not re.search(r"/(home|root|tmp|work|Users)/|Traceback|Warning", said)


def test_a_notebook_uses_the_public_interface_alone(notebook: Any) -> None:
    tree = ast.parse("\n".join(cell.source for cell in code_cells(notebook)))
    names = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names += [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [part for alias in node.names for part in alias.name.split(".")]
    assert "sudoku_models" in names
    assert "sudoku_backends" not in names
    assert [name for name in names if name.startswith("_")] == []


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookClient]:
    folder = tmp_path_factory.mktemp("kernel")
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(new_notebook(), timeout=600, startup_timeout=600, km=kernel(folder), resources=resources)
    yield client
    client._cleanup_kernel()


def kernel(folder: Path) -> AsyncKernelManager:
    """Return a kernel of this very Python and this source tree, whatever kernels are installed."""
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "here",
        "language": "python",
    }
    place = folder / "kernels" / "here"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(spec))
    specs = KernelSpecManager(kernel_dirs=[str(place.parent)], ensure_native_kernel=False)
    return AsyncKernelManager(kernel_name="here", kernel_spec_manager=specs)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell: Any) -> list[str]:
    """Return what a cell shows: printed text, and the plain form of values; not that something is compiled once."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    shown = [re.sub(r"^compiling .*; this takes some seconds, once\n", "", "".join(text)) for text in shown]
    return ["".join(shown)] if shown else []
