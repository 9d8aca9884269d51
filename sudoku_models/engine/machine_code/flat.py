"""Kernels as plain Python over flat memory: the fields of layouts become numbers, as they do in machine code.

As they stand, kernels see memory through the views of ``language``, which check each access; that takes five to ten
times as long. Here all items are words of 64 bits (or, in an array of objects, integers of any size).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from inspect import getsource
from typing import Any

from .language import Element, Kernels, Layout, lowest, place_of


def flat(kernels: Kernels) -> dict[str, Callable[..., Any]]:
    """Return kernels by name, over words in place of layouts. They find each other, and what they use, in the result.

    Each layout is given as an indexable array that begins with its fields.
    """
    found: dict[str, Any] = {"lowest": lowest, "ones": int.bit_count}
    for module in dict.fromkeys(kernel.__module__ for kernel in kernels.values()):
        known = vars(sys.modules[module])
        found |= {name: value for name, value in known.items() if isinstance(value, int | Element)}
        tree = ast.parse(getsource(sys.modules[module]))
        mine = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in kernels]
        tree.body = [_flattened(node, known) for node in mine]
        exec(compile(ast.fix_missing_locations(tree), str(known["__file__"]), "exec"), found)
    return found


def _flattened(kernel: ast.FunctionDef, known: Mapping[str, Any]) -> ast.stmt:
    layouts = {}
    for argument in kernel.args.args:
        kind = known.get(getattr(argument.annotation, "id", ""))
        if isinstance(kind, type) and issubclass(kind, Layout):
            layouts[argument.arg] = kind
    kernel.decorator_list = []
    flattened: ast.stmt = _Flattening(layouts).visit(kernel)
    return flattened


class _Flattening(ast.NodeTransformer):
    """Reads ``mem.size`` as ``mem[3]``, ``mem.rows[i]`` as ``mem[mem[7] + i]``, ``mem.rows.place`` as ``mem[7]``."""

    def __init__(self, layouts: Mapping[str, type[Layout]]) -> None:
        self.layouts = layouts

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # the name that ast calls
        if node.attr == "place":
            node = node.value  # type: ignore[assignment]
        assert isinstance(node.value, ast.Name)
        place = place_of(self.layouts[node.value.id], node.attr)
        return ast.Subscript(ast.Name(node.value.id, ast.Load()), ast.Constant(place), node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:  # the name that ast calls
        section, index = node.value, self.visit(node.slice)
        if isinstance(section, ast.Attribute):
            index = ast.BinOp(self.visit(section), ast.Add(), index)
            section = section.value
        return ast.Subscript(section, index, node.ctx)
