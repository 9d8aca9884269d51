"""Compile kernels, functions in a small subset of Python (see ``language``), to an LLVM module.

numba accepts the same functions, but takes 40 seconds to compile them and half a second to load the result: most of
that time goes into inferring types, which are all the same here. This compiler reads the source of the functions:
numbers are 64-bit integers, parameters annotated ``Ints`` and ``Floats`` are pointers, and an expression that contains
a float is a float.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from llvmlite import ir

INT, FLOAT, BIT = ir.IntType(64), ir.DoubleType(), ir.IntType(1)
TYPES: Mapping[str, ir.Type] = {"int": INT, "float": FLOAT, "Ints": INT.as_pointer(), "Floats": FLOAT.as_pointer()}
OPERATIONS = {
    ast.Add: ("add", "fadd"), ast.Sub: ("sub", "fsub"), ast.Mult: ("mul", "fmul"), ast.Div: ("", "fdiv"),
    ast.BitAnd: ("and_", ""), ast.BitOr: ("or_", ""), ast.BitXor: ("xor", ""), ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""),
}  # fmt: skip
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class NotInTheLanguage(Exception):
    """A kernel contains something that is not part of the language."""


def module_of(kernels: Mapping[str, Callable[..., float]], entries: Iterable[str]) -> ir.Module:
    """Return a module with all kernels; ``entries`` are those that can be called from outside."""
    module, outside = ir.Module("kernels"), set(entries)
    trees = {name: _definition(function) for name, function in kernels.items()}
    for name, tree in trees.items():
        declared = ir.Function(module, _signature(tree), name)
        declared.linkage = "external" if name in outside else "internal"
        declared.attributes.add("nounwind")
        for argument, parameter in zip(declared.args, tree.args.args, strict=True):
            argument.name = parameter.arg
            if isinstance(argument.type, ir.PointerType):
                argument.attributes.add("noalias")
    for name, tree in trees.items():
        _FunctionWriter(module, module.get_global(name), kernels[name].__globals__).write(tree)
    return module


def _definition(function: Callable[..., float]) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _signature(tree: ast.FunctionDef) -> ir.FunctionType:
    assert isinstance(tree.returns, ast.Name), tree.name
    return ir.FunctionType(TYPES[tree.returns.id], [_type(a) for a in tree.args.args])


def _type(argument: ast.arg) -> ir.Type:
    assert isinstance(argument.annotation, ast.Name), argument.arg
    return TYPES[argument.annotation.id]


class _FunctionWriter:
    """Writes one function."""

    def __init__(self, module: ir.Module, function: ir.Function, names: Mapping[str, Any]) -> None:
        self.module, self.function, self.names = module, function, names
        self.entry = function.append_basic_block("entry")
        self.code = ir.IRBuilder(function.append_basic_block("body"))
        self.local: dict[str, Any] = {}
        self.loops: list[tuple[ir.Block, ir.Block]] = []

    def write(self, tree: ast.FunctionDef) -> None:
        """Write the whole function; one that ends without a return returns 0."""
        body = self.code.block
        for argument in self.function.args:
            if isinstance(argument.type, ir.PointerType):
                self.local[argument.name] = argument
            else:
                self.assign(argument.name, argument)
        self.statements(tree.body)
        if not self.code.block.is_terminated:
            self.code.ret(ir.Constant(self.function.ftype.return_type, 0))
        ir.IRBuilder(self.entry).branch(body)

    def statements(self, body: Iterable[ast.stmt]) -> None:
        """Write statements up to the first one that leaves the block."""
        for statement in body:
            if self.code.block.is_terminated:
                return
            method = getattr(self, f"do_{type(statement).__name__}", None)
            if method is None:
                raise self.error(statement)
            method(statement)

    def error(self, node: ast.AST) -> NotInTheLanguage:
        """Return an error that shows where something is not part of the language."""
        return NotInTheLanguage(f"{self.function.name}: {ast.unparse(node)}")

    # ---------------------------------------------------------------- statements

    def do_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        """``name = value`` or ``array[place] = value``."""
        if len(node.targets) > 1:
            raise self.error(node)
        self.store(node.targets[0], self.value(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        """``name += value`` and the like."""
        if isinstance(node.target, ast.Name):
            old = self.code.load(self.local[node.target.id])
            self.assign(node.target.id, self.operated(node, type(node.op), old, self.value(node.value)))
            return
        place = self.place(node.target)
        new = self.operated(node, type(node.op), self.code.load(place), self.value(node.value))
        self.code.store(self.cast(new, place.type.pointee), place)

    def do_Expr(self, node: ast.Expr) -> None:  # noqa: N802
        """A call, or a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def do_Return(self, node: ast.Return) -> None:  # noqa: N802
        """``return value``."""
        if node.value is None:
            raise self.error(node)
        self.code.ret(self.cast(self.value(node.value), self.function.ftype.return_type))

    def do_Pass(self, node: ast.Pass) -> None:  # noqa: N802
        """Nothing."""

    def do_Break(self, node: ast.Break) -> None:  # noqa: N802
        """Leave the loop."""
        self.code.branch(self.loops[-1][1])

    def do_Continue(self, node: ast.Continue) -> None:  # noqa: N802
        """Continue with the next iteration of the loop."""
        self.code.branch(self.loops[-1][0])

    def do_If(self, node: ast.If) -> None:  # noqa: N802
        """``if``, ``elif``, ``else``."""
        yes, no = self.block("then"), self.block("else")
        after = self.block("after") if node.orelse else no
        self.code.cbranch(self.condition(node.test), yes, no)
        for block, body in ((yes, node.body), (no, node.orelse)):
            if block is not after:
                self.code.position_at_end(block)
                self.statements(body)
                if not self.code.block.is_terminated:
                    self.code.branch(after)
        self.code.position_at_end(after)

    def do_While(self, node: ast.While) -> None:  # noqa: N802
        """``while``."""
        test, body, after = self.block("test"), self.block("loop"), self.block("after")
        self.code.branch(test)
        self.code.position_at_end(test)
        self.code.cbranch(self.condition(node.test), body, after)
        self.loop(node, body, test, after)
        if not self.code.block.is_terminated:
            self.code.branch(test)
        self.code.position_at_end(after)

    def do_For(self, node: ast.For) -> None:  # noqa: N802
        """``for name in range(...)``; the step is 1 or -1."""
        call = node.iter
        ranged = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not (ranged and isinstance(node.target, ast.Name)):
            raise self.error(node)
        assert isinstance(call, ast.Call)
        bounds = [self.value(a) for a in call.args[:2]]
        first, last = bounds if len(bounds) == 2 else (ir.Constant(INT, 0), bounds[0])
        down = len(call.args) == 3 and ast.unparse(call.args[2]) == "-1"
        if len(call.args) == 3 and not down:
            raise self.error(node)
        counter = self.allocate(INT)
        self.code.store(first, counter)
        test, body, step, after = (self.block(name) for name in ("test", "loop", "step", "after"))
        self.code.branch(test)
        self.code.position_at_end(test)
        now = self.code.load(counter)
        self.code.cbranch(self.code.icmp_signed(">" if down else "<", now, last), body, after)
        self.code.position_at_end(body)
        self.assign(node.target.id, now)
        self.loop(node, body, step, after)
        if not self.code.block.is_terminated:
            self.code.branch(step)
        self.code.position_at_end(step)
        self.code.store(self.code.add(self.code.load(counter), ir.Constant(INT, -1 if down else 1)), counter)
        self.code.branch(test)
        self.code.position_at_end(after)

    def loop(self, node: ast.For | ast.While, body: ir.Block, again: ir.Block, after: ir.Block) -> None:
        """Write the body of a loop."""
        if node.orelse:
            raise self.error(node)
        self.code.position_at_end(body)
        self.loops.append((again, after))
        self.statements(node.body)
        self.loops.pop()

    # ---------------------------------------------------------------- names and places

    def block(self, name: str) -> ir.Block:
        """Return a new block."""
        return self.function.append_basic_block(name)

    def allocate(self, kind: ir.Type) -> Any:
        """Return a place on the stack; all places are allocated on entry."""
        return ir.IRBuilder(self.entry).alloca(kind)

    def assign(self, name: str, value: Any) -> None:
        """Assign a value to a local name; its first value determines whether it is a float."""
        if name not in self.local:
            self.local[name] = self.allocate(FLOAT if value.type == FLOAT else INT)
        self.code.store(self.cast(value, self.local[name].type.pointee), self.local[name])

    def store(self, target: ast.expr, value: Any) -> None:
        """Assign to a name or to a place of an array."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        else:
            place = self.place(target)
            self.code.store(self.cast(value, place.type.pointee), place)

    def place(self, node: ast.expr) -> Any:
        """Return the address of ``array[place]``."""
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
            raise self.error(node)
        return self.code.gep(self.local[node.value.id], [self.value(node.slice)])

    # ---------------------------------------------------------------- expressions

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression: an integer, a float, or a bit for a comparison."""
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method is None:
            raise self.error(node)
        return method(node)

    def condition(self, node: ast.expr) -> Any:
        """Return the truth of an expression."""
        value = self.value(node)
        return value if value.type == BIT else self.code.icmp_signed("!=", value, ir.Constant(INT, 0))

    def cast(self, value: Any, kind: ir.Type) -> Any:
        """Return a value converted to another type; a float never becomes an integer."""
        if value.type == kind:
            return value
        if value.type == BIT:
            value = self.code.zext(value, INT)
        if kind == FLOAT and value.type == INT:
            return self.code.sitofp(value, FLOAT)
        if value.type != kind:
            raise NotInTheLanguage(f"{self.function.name}: a {value.type} is used as {kind}")
        return value

    def of_Constant(self, node: ast.Constant) -> Any:  # noqa: N802
        """A number, or True or False."""
        if isinstance(node.value, float):
            return ir.Constant(FLOAT, node.value)
        if isinstance(node.value, int):
            return ir.Constant(INT, int(node.value))
        raise self.error(node)

    def of_Name(self, node: ast.Name) -> Any:  # noqa: N802
        """A local name, an array, or a number of the function's module."""
        if node.id in self.local:
            found = self.local[node.id]
            return self.code.load(found) if isinstance(found, ir.AllocaInstr) else found
        number = self.names.get(node.id)
        if not isinstance(number, int | float):
            raise self.error(node)
        return ir.Constant(FLOAT if isinstance(number, float) else INT, number)

    def of_Subscript(self, node: ast.Subscript) -> Any:  # noqa: N802
        """``array[place]``."""
        return self.code.load(self.place(node))

    def of_BinOp(self, node: ast.BinOp) -> Any:  # noqa: N802
        """Arithmetic and bits."""
        return self.operated(node, type(node.op), self.value(node.left), self.value(node.right))

    def operated(self, node: ast.AST, operator: type[ast.operator], left: Any, right: Any) -> Any:
        """Return the result of an operation on two values."""
        floats = FLOAT in (left.type, right.type)
        method = OPERATIONS.get(operator, ("", ""))[floats]
        if not method:
            raise self.error(node)
        kind = FLOAT if floats else INT
        return getattr(self.code, method)(self.cast(left, kind), self.cast(right, kind))

    def of_UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: N802
        """``-x``, ``~x`` and ``not x``."""
        if isinstance(node.op, ast.Not):
            return self.code.not_(self.condition(node.operand))
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return self.code.fneg(value) if value.type == FLOAT else self.code.neg(self.cast(value, INT))
        if isinstance(node.op, ast.Invert):
            return self.code.not_(self.cast(value, INT))
        raise self.error(node)

    def of_Compare(self, node: ast.Compare) -> Any:  # noqa: N802
        """A comparison, or a chain of comparisons in which all operands are computed."""
        sides = [self.value(side) for side in (node.left, *node.comparators)]
        result = None
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            floats = FLOAT in (left.type, right.type)
            kind, compare = (FLOAT, self.code.fcmp_ordered) if floats else (INT, self.code.icmp_signed)
            bit = compare(COMPARISONS[type(operator)], self.cast(left, kind), self.cast(right, kind))
            result = bit if result is None else self.code.and_(result, bit)
        return result

    def of_BoolOp(self, node: ast.BoolOp) -> Any:  # noqa: N802
        """``and`` and ``or``: later operands are computed only if needed."""
        both = isinstance(node.op, ast.And)
        result, after = self.allocate(BIT), self.block("after")
        for part in node.values[:-1]:
            bit, more = self.condition(part), self.block("more")
            self.code.store(bit, result)
            self.code.cbranch(bit, more if both else after, after if both else more)
            self.code.position_at_end(more)
        self.code.store(self.condition(node.values[-1]), result)
        self.code.branch(after)
        self.code.position_at_end(after)
        return self.code.load(result)

    def of_IfExp(self, node: ast.IfExp) -> Any:  # noqa: N802
        """``a if condition else b``: only one branch is computed."""
        yes, no, after = self.block("then"), self.block("else"), self.block("after")
        self.code.cbranch(self.condition(node.test), yes, no)
        self.code.position_at_end(yes)
        first = self.value(node.body)
        kind = FLOAT if first.type == FLOAT else INT
        result = self.allocate(kind)
        self.code.store(self.cast(first, kind), result)
        self.code.branch(after)
        self.code.position_at_end(no)
        self.code.store(self.cast(self.value(node.orelse), kind), result)
        self.code.branch(after)
        self.code.position_at_end(after)
        return self.code.load(result)

    def of_Call(self, node: ast.Call) -> Any:  # noqa: N802
        """A call of a kernel, a bit function, min, max or abs."""
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.error(node)
        name, values = node.func.id, [self.value(a) for a in node.args]
        if name in ("min", "max"):
            left, right = (self.cast(v, INT) for v in values)
            return self.code.select(self.code.icmp_signed("<" if name == "min" else ">", left, right), left, right)
        if name == "abs":
            negative = self.code.icmp_signed("<", values[0], ir.Constant(INT, 0))
            return self.code.select(negative, self.code.neg(values[0]), values[0])
        if name == "ones":
            return self.code.ctpop(values[0])
        if name == "lowest":
            return self.code.cttz(values[0], ir.Constant(BIT, 0))
        if name == "highest":
            return self.code.sub(ir.Constant(INT, 63), self.code.ctlz(values[0], ir.Constant(BIT, 0)))
        called = self.module.globals.get(name)
        if called is None:
            raise self.error(node)
        return self.code.call(called, [self.cast(v, t) for v, t in zip(values, called.ftype.args, strict=True)])
