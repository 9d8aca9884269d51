"""An interactive grid for JupyterLab, VS Code and other notebooks (extra ``notebook``)."""

from importlib.util import find_spec

if find_spec("anywidget") is None:
    raise ImportError("sudoku_models.widget needs anywidget: pip install 'sudoku-models[notebook]'")

from .widget import SudokuWidget

__all__ = ["SudokuWidget"]
