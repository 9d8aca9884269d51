"""Every notebook runs, with the public interface alone, and its stored outputs are those of today."""

from __future__ import annotations

import ast
import copy
import json
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REFRESH = "store the outputs of today with `jupyter execute --inplace` on the notebook"


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Any:
    return nbformat.read(request.param, as_version=4)


def test_there_are_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS][:1] == ["01_first_steps.ipynb"]


def test_a_notebook_runs_and_its_outputs_are_current(notebook: Any, tmp_path: Path) -> None:
    """Cells tagged "varies" (times, which of several solutions) need not give the same output again."""
    stored = [texts(cell) for cell in code_cells(notebook)]
    executed = copy.deepcopy(notebook)
    client = NotebookClient(executed, timeout=300, km=kernel(tmp_path), resources={"metadata": {"path": str(tmp_path)}})
    client.owns_km = True  # the kernel ends with the notebook, not with the tests
    client.execute()
    for cell, before in zip(code_cells(executed), stored, strict=True):
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
