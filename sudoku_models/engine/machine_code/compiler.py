"""Compile kernels, functions in the language of ``language``, to an LLVM module: source to syntax tree to instructions.

Every local name is a place on the stack, which LLVM turns into registers. Numbers are 64-bit integers or doubles; a
narrower item is widened (without a sign) when it is loaded and cut off when it is stored. A vector is a value like a
number. Everything else that an expression can be (memory, a layout, what staged Python returns) exists only here.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from llvmlite import ir

from .language import FLOAT as DOUBLES
from .language import INT as NUMBERS
from .language import OUTSIDE, Element, Field, Layout
from .library import Width, machine
from .vectors import Vec, declared, vector_of

INT, FLOAT, BIT, BYTE = ir.IntType(64), ir.DoubleType(), ir.IntType(1), ir.IntType(8)
OPERATIONS = {
    ast.Add: ("add", "fadd"), ast.Sub: ("sub", "fsub"), ast.Mult: ("mul", "fmul"), ast.Div: ("", "fdiv"),
    ast.BitAnd: ("and_", ""), ast.BitOr: ("or_", ""), ast.BitXor: ("xor", ""), ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""), ast.FloorDiv: ("sdiv", ""), ast.Mod: ("srem", ""),
}  # fmt: skip
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
SCALARS = {"int": INT, "bool": INT, "None": INT, "float": FLOAT}


class NotInTheLanguage(Exception):
    """A kernel contains something that is not part of the language."""


@dataclass(frozen=True)
class Memory:
    """Items at an address."""

    address: Any
    element: Element


@dataclass(frozen=True)
class Record:
    """A layout at an address, which lies in a place on the stack if the record has a name."""

    layout: type[Layout]
    address: Any
    named: bool = False


def item_type(element: Element) -> Any:
    """Return LLVM's type of an item in memory."""
    return FLOAT if element is DOUBLES else ir.IntType(8 * element.size)


@dataclass(frozen=True)
class Settings:
    """What holds for all kernels of a module.

    ``names`` are bound over those of the kernels' own modules; a parameter annotated ``Any`` has the type that
    ``types`` has for its name; every kernel but the entries and those of ``apart`` may be inlined, with ``inline`` it
    always is.
    """

    width: Width = field(default_factory=machine)
    names: Mapping[str, Any] = field(default_factory=dict)
    types: Mapping[str, Any] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    inline: bool = False


def module_of(kernels: Mapping[str, Callable[..., Any]], entries: Iterable[str], settings: Settings) -> ir.Module:
    """Return a module with all kernels; ``entries`` are those that can be called from outside."""
    module, outside = ir.Module("kernels"), set(entries)
    module.settings, module.inlined, module.kinds = settings, {}, {}
    trees = {name: _definition(function) for name, function in kernels.items()}
    writers = []
    for name, tree in trees.items():
        scope = {**kernels[name].__globals__, "LANES": settings.width.lanes, **settings.names}
        returns = ast.unparse(tree.returns) if tree.returns else "int"
        if returns not in SCALARS:  # a layout, or Any: what its only expression is
            module.inlined[name] = tree, scope
            continue
        kinds = module.kinds[name] = [_kind(a, scope, settings) for a in tree.args.args]
        types = [k if isinstance(k, ir.Type) else BYTE.as_pointer() for k in kinds]
        function = ir.Function(module, ir.FunctionType(SCALARS[returns], types), name)
        function.linkage = "external" if name in outside else "internal"
        function.attributes.add("nounwind")
        if name in settings.apart:
            function.attributes.add("noinline")
            function.attributes.alignstack = settings.width.bytes  # a caller may leave the stack as it is
        elif settings.inline and name not in outside:
            function.attributes.add("alwaysinline")
        for argument, parameter in zip(function.args, tree.args.args, strict=True):
            argument.name = parameter.arg
            if isinstance(argument.type, ir.PointerType):
                argument.attributes.add("noalias")  # kernels promise it; values stay in registers across writes
        writers.append((_Writer(module, function, scope), tree))
    for writer, tree in writers:
        writer.write(tree)
    return module


def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _kind(argument: ast.arg, scope: Mapping[str, Any], settings: Settings) -> Any:
    assert argument.annotation is not None, argument.arg
    name = ast.unparse(argument.annotation)
    if name in SCALARS:
        return SCALARS[name]
    kind = settings.types[argument.arg] if name == "Any" else scope[name]
    if not (isinstance(kind, Element) or (isinstance(kind, type) and issubclass(kind, Layout))):
        raise NotInTheLanguage(f"{argument.arg}: {name}")
    return kind


class _Writer:
    """Writes one function; the staged Python that it calls gets it as its first argument."""

    def __init__(self, module: ir.Module, function: ir.Function, names: Mapping[str, Any]) -> None:
        self.module, self.function, self.names = module, function, names
        self.width: Width = module.settings.width
        self.entry = function.append_basic_block("entry")
        self.code = ir.IRBuilder(function.append_basic_block("body"))
        self.local: dict[str, Any] = {}
        self.loops: list[tuple[ir.Block, ir.Block]] = []

    def write(self, tree: ast.FunctionDef) -> None:
        """Write the whole function; one that ends without a return returns 0."""
        body = self.code.block
        for argument, kind in zip(self.function.args, self.module.kinds[self.function.name], strict=True):
            self.assign(argument.name, self.bound(argument, kind))
        self.statements(tree.body)
        if not self.code.block.is_terminated:
            self.code.ret(ir.Constant(self.function.ftype.return_type, 0))
        ir.IRBuilder(self.entry).branch(body)

    def bound(self, value: Any, kind: Any) -> Any:
        """Return a number, or memory of a kind at a pointer."""
        if isinstance(kind, ir.Type):
            return value
        if isinstance(kind, Element):
            return Memory(self.code.bitcast(value, item_type(kind).as_pointer()), kind)
        return Record(kind, value)

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

    def do_Assign(self, node: ast.Assign) -> None:
        """``name = value``, ``a = b = value``, ``a, b = x, y`` or ``array[place] = value``."""
        value = self.value(node.value)
        for target in node.targets:
            self.store(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise self.error(node)
        self.store(node.target, self.value(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        """``name += value`` and the like; the old value is loaded before the other is computed, as in Python."""
        if isinstance(node.target, ast.Name):
            old = self.value(node.target)
            self.assign(node.target.id, self.operated(node, type(node.op), old, self.value(node.value)))
            return
        place, element = self.place(node.target)
        old = self.load(place, element)
        self.put(place, element, self.operated(node, type(node.op), old, self.value(node.value)))

    def do_Expr(self, node: ast.Expr) -> None:
        """A call, or a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def do_Return(self, node: ast.Return) -> None:
        kind = self.function.ftype.return_type
        self.code.ret(self.cast(self.value(node.value), kind) if node.value else ir.Constant(kind, 0))

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_Break(self, node: ast.Break) -> None:
        self.code.branch(self.loops[-1][1])

    def do_Continue(self, node: ast.Continue) -> None:
        self.code.branch(self.loops[-1][0])

    def do_If(self, node: ast.If) -> None:
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

    def do_While(self, node: ast.While) -> None:
        test, body, after = self.block("test"), self.block("loop"), self.block("after")
        self.code.branch(test)
        self.code.position_at_end(test)
        self.code.cbranch(self.condition(node.test), body, after)
        self.loop(node, body, test, after)

    def do_For(self, node: ast.For) -> None:
        """``for name in range(...)``, the step a constant; or ``for name in bits(mask)``."""
        call = node.iter
        called = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if called not in ("range", "bits") or not isinstance(node.target, ast.Name):
            raise self.error(node)
        assert isinstance(call, ast.Call)
        if called == "bits":
            self.over_bits(node, node.target.id, self.cast(self.value(call.args[0]), INT))
            return
        bounds = [self.cast(self.value(a), INT) for a in call.args[:2]]
        first, last = bounds if len(bounds) == 2 else (ir.Constant(INT, 0), bounds[0])
        stride = self.value(call.args[2]) if len(call.args) == 3 else INT(1)
        if not isinstance(stride, ir.Constant) or stride.constant == 0:
            raise self.error(node)
        by = stride.constant
        counter = self.allocate(INT)
        self.code.store(first, counter)
        test, body, step, after = (self.block(name) for name in ("test", "loop", "step", "after"))
        self.code.branch(test)
        self.code.position_at_end(test)
        now = self.code.load(counter)
        self.code.cbranch(self.code.icmp_signed(">" if by < 0 else "<", now, last), body, after)
        self.code.position_at_end(step)
        # no overflow ("nsw"), since it ends before: so the loop may be unrolled
        following = self.code.add(self.code.load(counter), ir.Constant(INT, by), flags=("nsw",))
        self.code.store(following, counter)
        self.code.branch(test)
        self.code.position_at_end(body)
        self.assign(node.target.id, now)
        self.loop(node, body, step, after)

    def over_bits(self, node: ast.For, name: str, mask: Any) -> None:
        """Write a loop over the set bits of a mask."""
        rest = self.allocate(INT)
        self.code.store(mask, rest)
        test, body, after = self.block("test"), self.block("loop"), self.block("after")
        self.code.branch(test)
        self.code.position_at_end(test)
        now = self.code.load(rest)
        self.code.cbranch(self.code.icmp_signed("!=", now, INT(0)), body, after)
        self.code.position_at_end(body)
        self.code.store(self.code.and_(now, self.code.sub(now, INT(1))), rest)
        self.assign(name, BUILTINS["lowest"](self, now))
        self.loop(node, body, test, after)

    def loop(self, node: ast.For | ast.While, body: ir.Block, again: ir.Block, after: ir.Block) -> None:
        """Write the body of a loop, and go on after it."""
        if node.orelse:
            raise self.error(node)
        self.code.position_at_end(body)
        self.loops.append((again, after))
        self.statements(node.body)
        self.loops.pop()
        if not self.code.block.is_terminated:
            self.code.branch(again)
        self.code.position_at_end(after)

    # ---------------------------------------------------------------- names and places

    def block(self, name: str) -> ir.Block:
        return self.function.append_basic_block(name)

    def allocate(self, kind: ir.Type) -> Any:
        """Return a place on the stack; all places are allocated on entry: in a loop each turn would take a new one,
        and LLVM makes registers only of those.
        """
        return ir.IRBuilder(self.entry).alloca(kind)

    def assign(self, name: str, value: Any) -> None:
        """Assign a value to a local name, whose first value determines its type."""
        old = self.local.get(name)
        if isinstance(value, Record):
            if not (isinstance(old, Record) and old.layout is value.layout):
                old = self.local[name] = Record(value.layout, self.allocate(BYTE.as_pointer()), named=True)
            self.code.store(value.address, old.address)
        elif not isinstance(value, ir.Value):
            if isinstance(old, Memory):
                raise NotInTheLanguage(f"{self.function.name}: {name} is already the name of an array")
            self.local[name] = value  # memory, a tuple, what staged Python returned: the name is bound to it from here
        else:
            if not isinstance(old, ir.AllocaInstr):
                old = self.local[name] = self.allocate(INT if value.type == BIT else value.type)
            self.code.store(self.cast(value, old.type.pointee), old)

    def store(self, target: ast.expr, value: Any) -> None:
        """Assign to a name, to names, to a field or to a place of an array."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, ast.Tuple):
            for part, x in zip(target.elts, value, strict=True):
                self.store(part, x)
        else:
            self.put(*self.place(target), value)

    def put(self, place: Any, element: Element, value: Any) -> None:
        """Write a number to memory."""
        value = self.cast(value, FLOAT if element is DOUBLES else INT)
        self.code.store(self.code.trunc(value, item_type(element)) if element.size < 8 else value, place)

    def load(self, place: Any, element: Element) -> Any:
        """Load an item; a narrow one is widened."""
        value = self.code.load(place)
        return value if element.size == 8 else (self.code.sext if element.signed else self.code.zext)(value, INT)

    def place(self, node: ast.expr) -> tuple[Any, Element]:
        """Return the address of ``array[place]`` or of a field that is a number, and the type of what lies there."""
        if isinstance(node, ast.Subscript):
            memory = self.value(node.value)
            if isinstance(memory, Record):
                memory = Memory(self.code.bitcast(memory.address, INT.as_pointer()), NUMBERS)
            if isinstance(memory, Memory):
                return self.code.gep(memory.address, [self.cast(self.value(node.slice), INT)]), memory.element
        elif isinstance(node, ast.Attribute):
            record, found = self.field(node)
            if found.items is None:
                return self.at(record, found, found.element), found.element
        raise self.error(node)

    def field(self, node: ast.expr) -> tuple[Record, Field]:
        """Return the layout and the field that ``layout.field`` means."""
        if isinstance(node, ast.Attribute):
            record = self.value(node.value)
            if isinstance(record, Record) and node.attr in record.layout._fields:
                return record, record.layout._fields[node.attr]
        raise self.error(node)

    def at(self, record: Record, found: Field, element: Element) -> Any:
        """Return the address of a field, as that of an item."""
        return self.code.bitcast(
            self.code.gep(record.address, [ir.Constant(INT, found.offset)]), item_type(element).as_pointer()
        )

    def begin(self, record: Record, found: Field) -> Any:
        """Return where a section lies: no kernel changes that, so it is loaded once for many uses."""
        place = self.code.load(self.at(record, found, NUMBERS))
        place.set_metadata("invariant.load", self.module.add_metadata([]))
        return place

    # ---------------------------------------------------------------- expressions

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression: a number, a bit for a comparison, a vector, or what exists only here."""
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
        if not isinstance(value, ir.Value):
            raise NotInTheLanguage(f"{self.function.name}: {value} is not a number")
        if value.type == BIT and kind != BIT:
            value = self.code.zext(value, INT)
        if kind == FLOAT and value.type == INT:
            return self.code.sitofp(value, FLOAT)
        if value.type != kind:
            raise NotInTheLanguage(f"{self.function.name}: a {value.type} is used as {kind}")
        return value

    def of_Constant(self, node: ast.Constant) -> Any:
        """A number, or True or False."""
        if isinstance(node.value, float):
            return ir.Constant(FLOAT, node.value)
        if isinstance(node.value, int):
            return ir.Constant(INT, int(node.value))
        raise self.error(node)

    def of_Name(self, node: ast.Name) -> Any:
        """A local name, or a number or another object of the function's module."""
        if node.id in self.local:
            found = self.local[node.id]
            if isinstance(found, Record) and found.named:
                return Record(found.layout, self.code.load(found.address))
            return self.code.load(found) if isinstance(found, ir.AllocaInstr) else found
        if node.id not in self.names:
            raise self.error(node)
        found = self.names[node.id]
        return (
            ir.Constant(FLOAT if isinstance(found, float) else INT, found) if isinstance(found, int | float) else found
        )

    def of_Tuple(self, node: ast.Tuple) -> Any:
        """Several values, to be assigned to several names."""
        return tuple(self.value(e) for e in node.elts)

    def of_Subscript(self, node: ast.Subscript) -> Any:
        return self.load(*self.place(node))

    def of_Attribute(self, node: ast.Attribute) -> Any:
        """``layout.field``: a number or an array; ``layout.section.place``: where a section lies."""
        if node.attr == "place":
            record, found = self.field(node.value)
            return self.begin(record, found)
        record, found = self.field(node)
        if found.items is None:
            return self.load(*self.place(node))
        if found.items != OUTSIDE:
            return Memory(self.at(record, found, found.element), found.element)
        words = self.code.bitcast(record.address, INT.as_pointer())
        start = self.code.gep(words, [self.begin(record, found)])
        return Memory(self.code.bitcast(start, item_type(found.element).as_pointer()), found.element)

    def of_BinOp(self, node: ast.BinOp) -> Any:
        """Arithmetic and bits."""
        return self.operated(node, type(node.op), self.value(node.left), self.value(node.right))

    def operated(self, node: ast.AST, operator: type[ast.operator], left: Any, right: Any) -> Any:
        """Return the result of an operation on two values."""
        floats = FLOAT in (left.type, right.type)
        name = OPERATIONS.get(operator, ("", ""))[floats]
        if not name:
            raise self.error(node)
        kind = FLOAT if floats else INT
        left, right = self.cast(left, kind), self.cast(right, kind)
        if name in ("sdiv", "srem"):
            return self.divided(name, left, right)
        return getattr(self.code, name)(left, right)

    def divided(self, name: str, left: Any, right: Any) -> Any:
        """Divide like Python: the quotient is rounded down, the rest has the sign of the divisor."""
        n = right.constant if isinstance(right, ir.Constant) else 0
        if n > 0 and n & (n - 1) == 0:  # a power of two: shifting rounds down, as Python does
            return self.code.ashr(left, INT(n.bit_length() - 1)) if name == "sdiv" else self.code.and_(left, INT(n - 1))
        rest, zero = self.code.srem(left, right), INT(0)
        differ = self.code.icmp_signed("<", self.code.xor(rest, right), zero)
        wrong = self.code.and_(self.code.icmp_signed("!=", rest, zero), differ)
        if name == "srem":
            return self.code.select(wrong, self.code.add(rest, right), rest)
        return self.code.sub(self.code.sdiv(left, right), self.code.zext(wrong, INT))

    def of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """``-x``, ``~x`` and ``not x``."""
        if isinstance(node.op, ast.Not):
            return self.code.not_(self.condition(node.operand))
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value, ir.Constant):
            return ir.Constant(value.type, -value.constant)
        if isinstance(node.op, ast.USub):
            return self.code.fneg(value) if value.type == FLOAT else self.code.neg(self.widened(value))
        if isinstance(node.op, ast.Invert):
            return self.code.not_(self.widened(value))
        raise self.error(node)

    def widened(self, value: Any) -> Any:
        """Return a bit as a number, and anything else as it is."""
        return self.cast(value, INT) if value.type == BIT else value

    def of_Compare(self, node: ast.Compare) -> Any:
        """A comparison, or a chain of comparisons in which all operands are computed."""
        sides = [self.value(side) for side in (node.left, *node.comparators)]
        result = None
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            how = COMPARISONS[type(operator)]
            if FLOAT in (left.type, right.type):
                bit = self.code.fcmp_ordered(how, self.cast(left, FLOAT), self.cast(right, FLOAT))
            else:
                bit = self.code.icmp_signed(how, self.cast(left, INT), self.cast(right, INT))
            result = bit if result is None else self.code.and_(result, bit)
        return result

    def of_BoolOp(self, node: ast.BoolOp) -> Any:
        """``and`` and ``or``: later operands are computed only if needed; the result is 0 or 1."""
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

    def of_IfExp(self, node: ast.IfExp) -> Any:
        """``a if condition else b``: only one branch is computed."""
        yes, no, after = self.block("then"), self.block("else"), self.block("after")
        self.code.cbranch(self.condition(node.test), yes, no)
        self.code.position_at_end(yes)
        first = self.widened(self.value(node.body))
        result = self.allocate(first.type)
        self.code.store(first, result)
        self.code.branch(after)
        self.code.position_at_end(no)
        self.code.store(self.cast(self.value(node.orelse), first.type), result)
        self.code.branch(after)
        self.code.position_at_end(after)
        return self.code.load(result)

    # ---------------------------------------------------------------- calls

    def of_Call(self, node: ast.Call) -> Any:
        """A call of a kernel, of staged Python, of a layout or an array (with an address), or one of ``BUILTINS``."""
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.error(node)
        name, values = node.func.id, [self.value(a) for a in node.args]
        if name in self.module.inlined:
            return self.inlined(self.module.inlined[name], values)
        if name in self.module.kinds:
            passed = [self.passed(v, k) for v, k in zip(values, self.module.kinds[name], strict=True)]
            return self.code.call(self.module.globals[name], passed)
        if name in BUILTINS:
            return BUILTINS[name](self, *values)
        found: Any = self.names.get(name)
        if isinstance(found, type) and issubclass(found, Layout):
            return Record(found, self.code.inttoptr(self.cast(values[0], INT), BYTE.as_pointer()))
        if isinstance(found, Element):
            return Memory(self.code.inttoptr(self.cast(values[0], INT), item_type(found).as_pointer()), found)
        if getattr(found, "staged", False):
            return self.unwrapped(found(self, *map(self.wrapped, values)))
        raise self.error(node)

    def passed(self, value: Any, kind: Any) -> Any:
        """Return an argument; memory is passed as its address, and a layout may be passed as an array of words."""
        if isinstance(kind, ir.Type):
            return self.cast(value, kind)
        if isinstance(value, Record):
            fits = kind is NUMBERS or (isinstance(kind, type) and issubclass(value.layout, kind))
        else:
            fits = isinstance(value, Memory) and value.element is kind
        if not fits:
            raise NotInTheLanguage(f"{self.function.name}: {value} is passed as {kind}")
        return self.code.bitcast(value.address, BYTE.as_pointer())

    def inlined(self, kernel: tuple[ast.FunctionDef, Mapping[str, Any]], values: list[Any]) -> Any:
        """Return the value of a kernel whose body is one ``return``."""
        tree, scope = kernel
        *before, last = tree.body
        if not isinstance(last, ast.Return) or any(not isinstance(b, ast.Expr) for b in before):
            raise NotInTheLanguage(f"{tree.name}: a kernel that returns no number is a single return")
        outer = self.local, self.names
        self.local, self.names = {}, scope
        for parameter, value in zip(tree.args.args, values, strict=True):
            self.assign(parameter.arg, value)
        result = self.value(last.value)  # type: ignore[arg-type]
        self.local, self.names = outer
        return result

    def wrapped(self, value: Any) -> Any:
        """Return what staged Python sees: a number it can compute with, a Vec, or an LLVM value."""
        if isinstance(value, ir.Constant) and value.type == INT:
            return value.constant
        vector = isinstance(value, ir.Value) and value.type == vector_of(self.width)
        return Vec(self.code, value, self.width) if vector else value

    def unwrapped(self, value: Any) -> Any:
        """Return the value of what staged Python has returned."""
        if isinstance(value, tuple):
            return tuple(map(self.unwrapped, value))
        return INT(0) if value is None else INT(value) if isinstance(value, int) else getattr(value, "value", value)


def _chosen(how: str) -> Callable[..., Any]:
    """Return what writes the one of two integers for which a comparison with the other holds."""

    def write(writer: _Writer, left: Any, right: Any) -> Any:
        left, right = writer.cast(left, INT), writer.cast(right, INT)
        return writer.code.select(writer.code.icmp_signed(how, left, right), left, right)

    return write


def _absolute(writer: _Writer, x: Any) -> Any:
    code = writer.code
    return code.select(code.icmp_signed("<", writer.cast(x, INT), INT(0)), code.neg(x), x)


def _room(writer: _Writer, element: Element, n: Any) -> Any:
    place = writer.allocate(ir.ArrayType(item_type(element), n.constant))
    at = writer.code.bitcast(place, BYTE.as_pointer())
    values = at, BYTE(0), INT(n.constant * element.size), BIT(0)
    writer.code.call(declared(writer.module, "llvm.memset.p0.i64", ir.VoidType(), values), values)
    return Memory(writer.code.bitcast(place, item_type(element).as_pointer()), element)


def _prefetch(writer: _Writer, address: Any) -> Any:
    flag = ir.IntType(32)
    values = writer.code.inttoptr(address, BYTE.as_pointer()), flag(0), flag(3), flag(1)
    writer.code.call(declared(writer.module, "llvm.prefetch.p0", ir.VoidType(), values), values)
    return INT(0)


BUILTINS: dict[str, Callable[..., Any]] = {
    "min": _chosen("<"),
    "max": _chosen(">"),
    "abs": _absolute,
    "int": lambda writer, x: writer.code.fptosi(x, INT) if x.type == FLOAT else writer.cast(x, INT),
    "after": lambda writer, x, start: Memory(writer.code.gep(x.address, [writer.cast(start, INT)]), x.element),
    "room": _room,
    "ones": lambda writer, x: writer.code.ctpop(x),
    "lowest": lambda writer, x: writer.code.cttz(x, BIT(0)),
    "highest": lambda writer, x: writer.code.sub(INT(63), writer.code.ctlz(x, BIT(0))),
    "lanes": lambda writer, vector: Vec(writer.code, vector, writer.width).lanes(),
    "prefetch": _prefetch,
}
"""The functions of the language, as ``language`` defines them for plain Python."""
