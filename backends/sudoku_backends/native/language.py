"""The kernels of this engine, and the language that they are written in: see ``sudoku_models.engine.machine_code``."""

from sudoku_models.engine.machine_code.language import Floats, Ints, Kernels, highest, lowest, ones

KERNELS = Kernels()
"""Every kernel by its name, in the order of definition."""

kernel = KERNELS.mark

__all__ = ["KERNELS", "Floats", "Ints", "highest", "kernel", "lowest", "ones"]
