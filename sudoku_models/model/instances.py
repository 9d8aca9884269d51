"""Instances in the formats of solver competitions: DIMACS CNF, OPB, MPS, XCSP3 and FlatZinc as models.

``Model.read`` chooses by the end of the file's name. DIMACS and OPB are read whole and written back equal, and so are
the integer programs of MPS; of XCSP3 and FlatZinc, the constraints for which the language has a kind are read, and what
is missing is named. FlatZinc is written back equal, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import chain
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FormatError
from ..lazy import hook
from .constraint import Compare, Constraint, InDomain, Linear
from .expression import total, variables
from .logic import Or

if TYPE_CHECKING:
    from .expression import Variable
    from .model import Model, Objective

LARGEST = 1 << 29
"""The largest file that is read, in bytes."""

UNPACKED = {".xz": "lzma", ".bz2": "bz2"}
PACKED = (".gz", ".zst", *UNPACKED)
"""The ends of the names of compressed files; by the module with ``open`` for those that puzzles do not come in."""

ENDINGS = (".cnf", ".opb", ".mps", ".xml", ".fzn")

MOST_VARIABLES, UNNAMED = 5_000_000, 100_000
"""The most variables of a file; beyond the second number a text has a character at least for each of them."""

UNREADABLE = (AttributeError, KeyError, IndexError, TypeError, ValueError, ArithmeticError, RecursionError)
"""What a file raises that states something of the wrong kind or size."""


def misstated(what: str, error: Exception) -> FormatError:
    """Return the error of a statement that is not read; ``error`` has words of ours, unless Python raised it."""
    if isinstance(error, FormatError):
        return error
    if type(error) is ValueError and not re.match(r"zip\(\)|invalid literal|too many values|not enough", str(error)):
        return FormatError(f"{what} is not read: {error}")
    return FormatError(f"{what} is not read: arguments of another kind or number are expected")


def quotient(a: int, b: int) -> int | None:
    """Return a quotient as FlatZinc and XCSP3 round it, towards 0; None if there is none."""
    return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int | None:
    """Return what the quotient leaves, which has the sign of the dividend."""
    return None if b == 0 else a - b * (quotient(a, b) or 0)


def read(path: Path) -> Model:
    """Read an instance; FormatError says what cannot be read, with the line where there is one."""
    from .flatzinc import flatzinc
    from .xcsp3 import xcsp3

    reader = dict(zip(ENDINGS, (dimacs, opb, mps, xcsp3, flatzinc), strict=True)).get(ending(path))
    if reader is None:
        raise FormatError(unknown(), source=str(path))
    data = content(path, LARGEST + 1)
    if not data.strip():
        raise FormatError("is empty: an instance is expected", source=str(path))
    if len(data) > LARGEST:
        raise FormatError(f"more than {LARGEST:,} bytes: no larger file is read", source=str(path))
    try:
        return reader(data.decode("utf-8"))
    except FormatError as error:
        raise FormatError(error.message, source=str(path), line=error.line) from None
    except UnicodeDecodeError:
        raise FormatError("this is not text in UTF-8", source=str(path)) from None
    except UNREADABLE as error:
        raise misstated("this instance", error).at(str(path)) from None


def write(model: Model, path: Path) -> None:
    """Write a model in the format by the end of the file's name, compressed if it ends so; see ``Model.write``."""
    from .flatzinc import to_flatzinc

    def to_xcsp3(model: Model) -> str:
        return hook("export")(model, "xcsp3")  # type: ignore[no-any-return]

    writer = dict(zip(ENDINGS, (to_dimacs, to_opb, to_mps, to_xcsp3, to_flatzinc), strict=True)).get(ending(path))
    if writer is None:
        raise ValueError(f"{path}: {unknown()}; export writes other formats")
    data, end = "".join(writer(model)).encode(), path.suffix.lower()
    if end in PACKED:
        library = hook("zstandard")() if end == ".zst" else import_module(UNPACKED.get(end, "gzip"))
        data = library.compress(data)
    path.write_bytes(data)


def unknown() -> str:
    return f"a name that ends in {', '.join(ENDINGS)} is expected (and perhaps {', '.join(PACKED)} after it)"


def ending(path: Path) -> str:
    """Return the end of a file's name, such as ``.cnf``, without that of a compression after it."""
    return (path.with_suffix("") if path.suffix.lower() in PACKED else path).suffix.lower()


def content(path: Path, most: int) -> bytes:
    """Return up to so many bytes of a file, decompressed; FormatError if they are damaged, OSError if it is missing."""
    with path.open("rb") as plain:
        end = path.suffix.lower()
        if end not in PACKED:
            return plain.read(most)
    try:
        with import_module(UNPACKED[end]).open(path) if end in UNPACKED else hook("opened")(path) as file:
            return file.read(most)  # type: ignore[no-any-return]
    except FormatError as error:  # whose words are those of the readers of puzzles
        raise FormatError(error.message.replace("a puzzle is", "an instance is"), source=str(path)) from error.__cause__
    except Exception as error:  # of each library its own
        raise FormatError(f"the data is damaged or ends too early ({error})", source=str(path)) from error


def _binary(count: int, text: str) -> Model:
    from .model import Model

    most = min(MOST_VARIABLES, max(UNNAMED, len(text)))
    if not 0 <= count <= most:
        raise FormatError(f"{count:,} variables in {len(text):,} characters: up to {most:,} are read")
    return Model(variables([f"x{i}" for i in range(1, count + 1)], (0, 1)))


def _integer(word: str, line: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", word):
        raise FormatError(f"a number is expected, not {word[:30]!r}", line=line)
    return int(word)


# ---------------------------------------------------------------- DIMACS CNF


def dimacs(text: str) -> Model:
    """Read a DIMACS file: the variables x1, x2, ... with the values 0 and 1, and a clause each."""
    count = clauses = -1
    found: list[Constraint] = []
    clause: list[int] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c" or line.startswith("c"):
            continue
        if words[0] == "%":  # the end in an old collection
            break
        if words[0] == "p":
            if count >= 0 or words[1:2] != ["cnf"] or len(words) != 4:
                raise FormatError("one line 'p cnf VARIABLES CLAUSES' is expected", line=number)
            count, clauses = (_integer(word, number) for word in words[2:])
            model = _binary(count, text)
            true, false = ([InDomain(x, (value,)) for x in model.names] for value in (1, 0))
            continue
        if count < 0:
            raise FormatError("'p cnf VARIABLES CLAUSES' is expected before the clauses", line=number)
        for word in words:
            literal = _integer(word, number)
            if abs(literal) > count:
                raise FormatError(f"the literal {literal}: {count} variables are declared", line=number)
            if literal:
                clause.append(literal)
                continue
            found.append(Or([true[x - 1] if x > 0 else false[-x - 1] for x in clause]))
            clause = []
    if count < 0 or clause or len(found) != clauses:
        what = "the last clause is not ended by 0" if clause else f"{len(found)} clauses where {clauses} are declared"
        raise FormatError("'p cnf VARIABLES CLAUSES' is expected" if count < 0 else what, line=number)
    return model.with_(*found)


def to_dimacs(model: Model) -> Iterator[str]:
    """Yield the lines of a model of clauses; ValueError for any other model."""
    if model.objective or any(v.domain != (0, 1) for v in model.variables):
        raise ValueError("DIMACS has variables with the values 0 and 1 alone, and no objective")
    yield f"p cnf {len(model.variables)} {len(model.constraints)}\n"
    for c in model.constraints:
        parts = c.parts if isinstance(c, Or) else (c,)
        if not all(_is_literal(model, part) for part in parts):
            raise ValueError(f"DIMACS has clauses over variables with the values 0 and 1 alone, not {str(c)[:80]}")
        places = [(model.index[part.x] + 1) * (1 if part.values == (1,) else -1) for part in parts]  # type: ignore[attr-defined]
        yield " ".join(map(str, (*places, 0))) + "\n"


def _is_literal(model: Model, part: Constraint) -> bool:
    return isinstance(part, InDomain) and part.values in ((0,), (1,)) and model.domains[part.x] == (0, 1)


# ---------------------------------------------------------------- OPB

_TERM = re.compile(r"([+-]?\s*[0-9]{1,18})((?:\s+~?x[0-9]{1,9})+)\s*|(?P<stray>\S+)\s*")


def opb(text: str) -> Model:
    """Read an OPB file: sums over the variables x1, x2, ... with the values 0 and 1; ``~x1`` is ``1 - x1``.

    A product, ``x1 ~x2``, becomes the variable ``x1*~x2``, which clauses define.
    """
    from .model import Model, Objective

    names = [int(word) for word in re.findall(r"(?<=x)[0-9]{1,9}", re.sub(r"(?m)^\*.*$", "", text))]
    declared = re.match(r"\*\s*#variable=\s*([0-9]{1,9})", text)
    model = _binary(max([*names, int(declared[1]) if declared else 0], default=0), text)
    goal: Objective | None = None
    found: list[Linear] = []
    for number, statement in _statements(text):
        if (match := re.match(r"(min|max)\s*:", statement)) is not None:
            if goal:
                raise FormatError("a second objective: at most one is read", line=number)
            goal = Objective(f"{match[1]}imize", *_opb_sum(statement[match.end() :], number))
            continue
        match = re.search(r"(>=|<=|=)\s*([+-]?\s*[0-9]{1,18})\s*$", statement)
        if match is None:
            raise FormatError("a sum, >= or =, and a number are expected before ';'", line=number)
        coeffs, xs, constant = _opb_sum(statement[: match.start()], number)
        bound = int(match[2].replace(" ", "")) - constant
        found.append(Linear(coeffs, xs, "==" if match[1] == "=" else match[1], bound))
    products = _products(goal, found)
    defined = chain.from_iterable(map(_product, products))
    return Model([*model.variables, *variables(products, (0, 1))], [*found, *defined], goal)


def _products(goal: Objective | None, sums: Iterable[Linear]) -> list[str]:
    """Return the names of the products in an objective and in sums, in the order of their first mention."""
    named = chain(goal.xs if goal else (), chain.from_iterable(c.xs for c in sums))
    return list(dict.fromkeys(x for x in named if "*" in x))


def _product(name: str) -> Iterator[Constraint]:
    """Yield the clauses by which the variable of a product is 1 exactly if all its literals are."""
    literals = [(word.lstrip("~"), int(word[0] != "~")) for word in dict.fromkeys(name.split("*"))]
    yield Or(InDomain(name, (1,)), *(InDomain(x, (1 - value,)) for x, value in literals))
    yield from (Or(InDomain(name, (0,)), InDomain(x, (value,))) for x, value in literals)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the statements of an OPB file, each with the line in which it ends."""
    waiting = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("*"):
            continue
        *ended, waiting = f"{waiting} {line}".split(";")
        yield from ((number, statement.strip()) for statement in ended)
    if waiting.strip():
        raise FormatError("the last statement is not ended by ';'", line=number)


def _opb_sum(text: str, line: int) -> tuple[list[int], list[str], int]:
    """Return the coefficients and the names of a sum, and its constant."""
    coeffs, xs, constant = list[int](), list[str](), 0
    for match in _TERM.finditer(text.strip()):
        if match["stray"]:
            raise FormatError(f"a term such as +2 x1 is expected, not {match['stray'][:30]!r}", line=line)
        factor, literals = int(re.sub(r"\s", "", match[1])), match[2].split()
        negative = len(literals) == 1 and literals[0].startswith("~")
        constant += factor if negative else 0
        coeffs.append(-factor if negative else factor)
        xs.append(literals[0].lstrip("~") if negative else "*".join(literals))
    return coeffs, xs, constant


def to_opb(model: Model) -> Iterator[str]:
    """Yield the lines of a model of sums over 0 and 1, and of products as ``opb`` makes them; ValueError for others."""
    o, sums = model.objective, [c for c in model.constraints if isinstance(c, Linear)]
    products = _products(o, sums)
    defined = set(chain.from_iterable(map(_product, products)))
    plain = [f"x{i}" for i in range(1, len(model.variables) - len(products) + 1)]
    if model.names != (*plain, *products) or any(v.domain != (0, 1) for v in model.variables):
        raise ValueError("OPB has the variables x1, x2, ... with the values 0 and 1 alone; see export(model, 'opb')")
    for c in model.constraints:
        if c not in defined and not (isinstance(c, Linear) and c.op in ("==", ">=", "<=")):
            raise ValueError(f"OPB has linear sums with =, >= and <= alone, not {str(c)[:80]}")
    if len(sums) + len(defined) != len(model.constraints):
        raise ValueError("the product of an OPB file is not defined here as Model.read defines it")
    sizes = f" #product= {len(products)} sizeproduct= {sum(x.count('*') + 1 for x in products)}" if products else ""
    yield f"* #variable= {len(plain)} #constraint= {len(sums)}{sizes}\n"
    if o:
        if o.constant:
            raise ValueError(f"OPB has no constant in an objective, such as {o.constant}")
        yield f"{'min' if o.minimizes else 'max'}: {_terms(o.coeffs, o.xs)} ;\n"
    for c in sums:
        yield f"{_terms(c.coeffs, c.xs)} {'=' if c.op == '==' else c.op} {c.k} ;\n"


def _terms(coeffs: Iterable[int], xs: Iterable[str]) -> str:
    return " ".join(f"{c:+d} {x.replace('*', ' ')}" for c, x in zip(coeffs, xs, strict=True))


# ---------------------------------------------------------------- MPS


_SENSES = {"MAX": "maximize", "MAXIMIZE": "maximize", "MIN": "minimize", "MINIMIZE": "minimize"}


class _Program:
    """An integer program while its sections are read."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}
        self.terms: dict[str, dict[str, Fraction]] = {}
        self.right: dict[str, Fraction] = {}
        self.ranges: dict[str, Fraction] = {}
        self.bounds: dict[str, list[int | None]] = {}
        self.whole, self.sense = False, "minimize"

    def line(self, section: str, words: list[str], number: int) -> None:
        if section == "OBJSENSE":
            if words[0].upper() not in _SENSES:
                raise FormatError(f"MIN or MAX is expected, not {words[0][:30]!r}", line=number)
            self.sense = _SENSES[words[0].upper()]
        elif section == "ROWS" and len(words) == 2 and words[0].upper() in ("N", "L", "G", "E"):
            if words[1] in self.rows:
                raise FormatError(f"a second row {words[1]}", line=number)
            self.rows[words[1]], self.terms[words[1]] = words[0].upper(), {}
        elif section == "COLUMNS" and "'MARKER'" in words:
            self.whole = "'INTORG'" in words
        elif section == "COLUMNS" and len(words) in (3, 5):
            if not self.whole:
                raise FormatError(f"the variable {words[0]} is not whole: only integer programs are read", line=number)
            self.bounds.setdefault(words[0], [0, None])
            for row, value in self.pairs(words, number):
                if value:
                    self.terms[row][words[0]] = value
        elif section in ("RHS", "RANGES") and len(words) in (2, 3, 4, 5):
            target = self.right if section == "RHS" else self.ranges
            target.update(self.pairs(words if len(words) % 2 else ["", *words], number))
        elif section == "BOUNDS" and len(words) in (3, 4):
            valued = words[0].upper() not in ("BV", "FR", "MI", "PL")
            column = words[-2] if valued else words[2] if len(words) > 2 else words[1]
            self.bound(words[0].upper(), column, words[-1], number)
        else:
            raise FormatError(f"{' '.join(words)[:50]!r} is not a line of the section {section or 'NAME'}", line=number)

    def pairs(self, words: Sequence[str], number: int) -> Iterator[tuple[str, Fraction]]:
        for row, value in zip(words[1::2], words[2::2], strict=True):
            if row not in self.rows:
                raise FormatError(f"{row} is not a row", line=number)
            yield row, _fraction(value, number)

    def bound(self, kind: str, x: str, value: str, number: int) -> None:
        if x not in self.bounds:
            raise FormatError(f"{x} is not a column", line=number)
        if kind not in ("UP", "UI", "LO", "LI", "FX", "BV", "FR", "MI", "PL"):
            raise FormatError(f"a bound of the kind {kind[:30]} is not read", line=number)
        if kind == "BV":
            self.bounds[x] = [0, 1]
            return
        at = _fraction(value, number) if kind in ("UP", "UI", "LO", "LI", "FX") else Fraction(0)
        if kind in ("UP", "UI", "FX"):
            self.bounds[x][1] = at.__floor__()
        if kind in ("LO", "LI", "FX"):
            self.bounds[x][0] = at.__ceil__()
        # some readers take a negative upper bound alone as "no lower bound", some as an empty domain
        if kind in ("FR", "MI") or (kind in ("UP", "UI") and at < 0 and self.bounds[x][0] == 0):
            self.bounds[x][0] = None
        if kind in ("FR", "PL"):
            self.bounds[x][1] = None

    def model(self) -> Model:
        from .expression import Variable
        from .model import Model

        for x, (low, high) in self.bounds.items():
            if low is None or high is None or high - low > MOST_VARIABLES:
                raise FormatError(f"{x} has no lower or upper bound, or too many values: a finite domain is expected")
        made = [Variable(x, range(low or 0, (high or 0) + 1)) for x, (low, high) in self.bounds.items()]
        model = Model(made, chain.from_iterable(map(self.constraints, self.rows)))
        goal = next((row for row, kind in self.rows.items() if kind == "N"), None)
        if goal is None or not (self.terms[goal] or goal in self.right):
            return model
        factor, coeffs = _scaled(self.terms[goal].values())
        if factor > 1 or self.right.get(goal, Fraction(0)).denominator > 1:
            raise FormatError("the objective has coefficients that are not whole, and those are not read")
        terms = zip(coeffs, self.terms[goal], strict=True)
        cost = total([c * model[x] for c, x in terms]) - int(self.right.get(goal, 0))
        return model.minimise(cost) if self.sense == "minimize" else model.maximise(cost)

    def constraints(self, row: str) -> Iterator[Constraint]:
        kind, terms, right = self.rows[row], self.terms[row], self.right.get(row, Fraction(0))
        spread = self.ranges.get(row)
        ends = {"L": (None, right), "G": (right, None), "E": (right, right), "N": (None, None)}[kind]
        if spread is not None and kind != "N":
            below = kind == "L" or (kind == "E" and spread < 0)
            ends = (right - abs(spread), right) if below else (right, right + abs(spread))
        factor, coeffs = _scaled(terms.values())
        if ends[0] is not None and ends[0] == ends[1] and (factor * ends[0]).denominator == 1:
            yield Linear(coeffs, terms, "==", int(factor * ends[0]))
            return
        if ends[0] is not None:
            yield Linear(coeffs, terms, ">=", (factor * ends[0]).__ceil__())
        if ends[1] is not None:
            yield Linear(coeffs, terms, "<=", (factor * ends[1]).__floor__())


def mps(text: str) -> Model:
    """Read an integer program in (free) MPS; a row with coefficients that are not whole is multiplied."""
    program, section = _Program(), ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or line.startswith("*"):
            continue
        if not line[0].isspace():
            section = words[0].upper()
            if section == "ENDATA":
                break
            if section == "OBJSENSE" and len(words) > 1:
                program.line(section, words[1:], number)
            continue
        program.line(section, words, number)
    if section != "ENDATA":
        raise FormatError("ENDATA is expected at the end")
    return program.model()


_LETTERS = {"<=": "L", ">=": "G", "==": "E"}


def to_mps(model: Model) -> Iterator[str]:
    """Yield the lines of an integer program, a variable's domain as its bounds; ValueError for any other model."""
    columns: dict[str, dict[str, int]] = {name: {} for name in model.names}
    rows, right = ["N goal"], dict[str, int]()
    for number, constraint in enumerate(model.constraints, 1):
        c = constraint
        if isinstance(c, Compare):
            c = Linear((1, -1), (c.x, c.y), c.op, c.c)
        if not isinstance(c, Linear) or c.op == "!=":
            raise ValueError(
                f"MPS has linear sums with ==, <= and >= alone, not {str(c)[:80]}; see export(model, 'mps')"
            )
        strict = {"<": -1, ">": 1}.get(c.op, 0)
        rows.append(f"{_LETTERS[c.op + '=' if strict else c.op]} r{number}")
        right[f"r{number}"] = c.k + strict
        _add(columns, f"r{number}", zip(c.xs, c.coeffs, strict=True))
    if (o := model.objective) is not None:
        _add(columns, "goal", o.terms.items())
        right["goal"] = -o.constant
    yield "NAME model\n" + ("" if o is None or o.minimizes else "OBJSENSE\n MAX\n")
    yield "ROWS\n" + "".join(f" {row}\n" for row in rows) + "COLUMNS\n M 'MARKER' 'INTORG'\n"
    for x, entries in columns.items():
        yield "".join(f" {x} {row} {factor}\n" for row, factor in (entries or {"goal": 0}).items())
    yield " M 'MARKER' 'INTEND'\nRHS\n" + "".join(f" R {row} {k}\n" for row, k in right.items() if k or row == "goal")
    yield "BOUNDS\n" + "".join(map(_bounds, model.variables)) + "ENDATA\n"


def _add(columns: dict[str, dict[str, int]], row: str, terms: Iterable[tuple[str, int]]) -> None:
    for x, factor in terms:
        columns[x][row] = columns[x].get(row, 0) + factor


def _bounds(v: Variable) -> str:
    """Write the bounds of a variable; ValueError for what the format cannot state."""
    if not v.domain or v.domain[-1] - v.domain[0] >= len(v.domain) or len(v.name.split()) != 1 or "'" in v.name:
        raise ValueError(
            f"MPS has variables with all integers between two bounds, and no space or quote in a name: not {v!r:.80}"
        )
    if v.domain == (0, 1):
        return f" BV B {v.name}\n"
    return f" LO B {v.name} {v.domain[0]}\n UP B {v.name} {v.domain[-1]}\n"


def _fraction(word: str, line: int) -> Fraction:
    if not re.fullmatch(r"[+-]?[0-9]{0,30}\.?[0-9]{0,30}([eE][+-]?[0-9]{1,2})?", word) or not re.search("[0-9]", word):
        raise FormatError(f"a number is expected, not {word[:30]!r}", line=line)
    return Fraction(word)


def _scaled(values: Iterable[Fraction]) -> tuple[int, list[int]]:
    listed = list(values)
    factor = lcm(*(value.denominator for value in listed))
    return factor, [int(value * factor) for value in listed]
