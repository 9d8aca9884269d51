"""Which symbol is which value: the reading options, alphabets, and the symbol of open cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import isqrt

from ..dataclass import dataclass
from ..errors import FormatError
from ..puzzle.shape import LARGEST_SIDE, Shape
from ..puzzle.symbols import ALPHABETS, DIGITS

BoardShape = Shape | Callable[[int], Shape]
"""A shape, or a function from the side to a shape (``Shape.latin``) for boards whose side follows from the text."""


@dataclass(frozen=True)
class Options:
    """The options for reading. ``symbols`` are the symbols of 1, 2, ...; None if they follow from the content.

    ``strict`` makes anything that is not understood an error. ``column`` names the column of puzzles in a table.
    ``guess`` reads drawings as the rules that they look like.
    """

    input_format: str | None = None
    symbols: str | None = None
    shape: BoardShape | None = None
    strict: bool = False
    column: str | None = None
    guess: bool = False

    @property
    def is_plain(self) -> bool:
        """Return whether no option changes how a text is read."""
        return self.input_format is None and self.symbols is None and self.shape is None

    @property
    def fixed(self) -> Shape | None:
        """The shape, if it was given as a Shape."""
        return self.shape if isinstance(self.shape, Shape) else None

    def square(self, side: int) -> Shape:
        """Return the shape of a square board with this side; raise FormatError if there is none."""
        return self.board(side, side)

    def board(self, height: int, width: int) -> Shape:
        """Return the shape of a board drawn with these numbers of rows and columns."""
        if shape := self.fixed:
            if (shape.height, shape.width) != (height, width):
                raise FormatError(f"{height} x {width} cells: {shape.height} x {shape.width} are expected")
            return shape
        if height != width:
            raise FormatError(f"{height} rows of {width} cells: as many rows as columns are expected")
        if width > LARGEST_SIDE:
            raise FormatError(f"a board of side {width}: sides up to {LARGEST_SIDE} are possible")
        try:
            return self.shape(width) if callable(self.shape) else Shape.square(width)
        except ValueError as error:
            raise FormatError(f"{error} (--boxes none, or shape=Shape.latin({width}))") from error

    def sized(self, cells: int) -> Shape | None:
        """Return the shape of a board with this number of cells; None if there is none."""
        if self.fixed is not None:
            return self.fixed if self.fixed.cells == cells else None
        side = isqrt(cells)
        return self.square(side) if side * side == cells and side >= self.smallest else None

    @property
    def smallest(self) -> int:
        """The smallest side that is considered."""
        return 4 if self.shape is None else 1


def symbols_of(alphabet: str | None) -> str | None:
    """Return the symbols of a named alphabet, or the given symbols; raise FormatError if they cannot be used."""
    if alphabet is None:
        return None
    symbols = ALPHABETS.get(alphabet, alphabet)
    if not symbols or len(set(symbols)) < len(symbols) or any(c.isspace() or not c.isprintable() for c in symbols):
        known = ", ".join(ALPHABETS)
        raise FormatError(f"the alphabet {alphabet!r}: {known}, or the distinct symbols of 1, 2, ... are expected")
    return symbols


# ---- the values of symbols

FILLERS = ".0*_-xX? "
"""The usual symbols of open cells; a board uses only one of them."""
LONGEST_NUMBER = 5
"""The longest word of digits that may be part of a board; a longer one is a board."""
READINGS = ("1-G", "0-F", "A-P")
"""The alphabets to try on boards with values above 9."""

Values = tuple[int | None, ...]
Table = Mapping[str, int]
"""The value of each symbol."""


def from_symbols(cells: Sequence[str], shape: Shape, options: Options) -> Values:
    """Read one symbol for each cell. If several alphabets fit and differ, raise a FormatError that lists them.

    On a board with values above 9 that has only zeros and dots, every cell is open.
    """
    if shape.values[-1] > len(DIGITS) and set(cells) == {".", "0"}:
        return (None,) * shape.cells
    read = attempts(cells, shape, options)
    fitting = {name: values for name, values in read.items() if not isinstance(values, FormatError)}
    if len(set(fitting.values())) == 1:
        return next(iter(fitting.values()))
    if fitting:
        raise _ambiguous(fitting, shape)
    raise next(error for error in read.values() if isinstance(error, FormatError))


def attempts(cells: Sequence[str], shape: Shape, options: Options) -> dict[str, Values | FormatError]:
    """Read one symbol for each cell in every possible alphabet; return the values, or the error, for each."""
    found: dict[str, Values | FormatError] = {}
    for name, table in _tables(shape, options.symbols).items():
        try:
            found[name] = decoded(_folded(cells, table), table, shape)
        except FormatError as error:
            found[name] = error
    return found


def from_numbers(cells: Sequence[str], shape: Shape) -> Values:
    """Read one number for each cell. If 0 is not a value, zeros are open cells even if there is another filler."""
    if shape.values[0] > 0 and not {".", "_", "*", "?", "x", "X"}.isdisjoint(cells):
        cells = ["." if not cell.strip("0.") else cell for cell in cells]
    return decoded(cells, _number_table(shape), shape)


def decoded(cells: Sequence[str], table: Table, shape: Shape) -> Values:
    """Look up the symbol of every cell; the one usual filler that is not a value stands for open cells."""
    others = set(cells) - table.keys()
    if len(others) > 1 or not all(map(_is_filler, others)):
        raise _refusal(cells, table, shape)
    return tuple(map(table.get, cells))


def is_number(token: str) -> bool:
    """Return whether a word is a number or an open cell in a board of numbers."""
    return len(token) <= LONGEST_NUMBER and ((token.isascii() and token.isdigit()) or _is_filler(token))


def place(index: int, width: int) -> str:
    """Return the name of a cell of a board of this width."""
    return f"R{index // width + 1}C{index % width + 1}"


def _is_filler(symbol: str) -> bool:
    return symbol[0] in FILLERS and symbol == symbol[0] * len(symbol)


def _folded(cells: Sequence[str], table: Table) -> Sequence[str]:
    """Convert small letters to capitals if the board has no capitals and the alphabet has no small letters."""
    small = {c for c in set(cells) if c.islower() and c not in table}
    if not small or not any(c.upper() in table for c in small) or any(c.isupper() for c in cells):
        return cells
    return [c.upper() for c in cells]


def _tables(shape: Shape, symbols: str | None) -> dict[str, Table]:
    if symbols is not None:
        if shape.values[0] < 1 or shape.values[-1] > len(symbols):
            raise FormatError(f"the alphabet {symbols!r} has no symbols for {_span(shape)}")
        return {"as given": _table(symbols, shape.values)}
    return _usual_tables(shape.values)


@lru_cache(maxsize=64)
def _usual_tables(values: tuple[int, ...]) -> dict[str, Table]:
    if values[0] < 0 or values[-1] > len(ALPHABETS["1-G"]):
        raise FormatError(
            f"one symbol for each cell cannot hold {values[0]} to {values[-1]}: use numbers between blanks"
        )
    if values[0] == 0:
        return {"from 0": _table("0" + ALPHABETS["1-G"], tuple(v + 1 for v in values), first=0)}
    if values[-1] <= 9:
        return {"digits": _table(DIGITS, values)}
    return {name: _table(ALPHABETS[name], values) for name in READINGS if len(ALPHABETS[name]) >= values[-1]}


def _table(symbols: str, values: Iterable[int], first: int = 1) -> Table:
    return {symbols[value - 1]: value - 1 + first for value in values}


@lru_cache(maxsize=64)
def _number_table(shape: Shape) -> Table:
    width = len(str(shape.values[-1]))
    padded = {f"{value:0{n}}": value for n in range(2, width + 1) for value in shape.values if value}
    return padded | {str(value): value for value in shape.values}


def _refusal(cells: Sequence[str], table: Table, shape: Shape) -> FormatError:
    """Explain what is wrong with the first cell that is neither a value nor the first filler."""
    filler = None
    for index, symbol in enumerate(cells):
        if symbol in table or symbol == filler:
            continue
        cell = place(index, shape.width)
        if not _is_filler(symbol):
            return FormatError(_strange(symbol, table, shape), cell=cell)
        if filler is not None:
            return FormatError(f"{filler!r} and {symbol!r} both stand for open cells: use only one of them", cell=cell)
        filler = symbol
    raise AssertionError("every cell can be read")


def _strange(symbol: str, table: Table, shape: Shape) -> str:
    if symbol.isascii() and symbol.lstrip("-").isdigit():
        return f"{symbol[:20]} is out of range: {_span(shape)} are possible"
    values = _span(shape) if all(c.isdigit() for c in table) else "one of " + "".join(table)
    return f"{symbol[:20]!r} is not a value: {values} or '.' for an open cell is expected"


def _span(shape: Shape) -> str:
    return f"{shape.values[0]} to {shape.values[-1]}"


def _ambiguous(fitting: Mapping[str, Values], shape: Shape) -> FormatError:
    last, first = shape.values[-1], next(iter(fitting))
    samples = ((name, ALPHABETS[name][0], ALPHABETS[name][last - 1]) for name in fitting)
    names = ", ".join(f"{name} ({low} = 1, {high} = {last})" for name, low, high in samples)
    return FormatError(
        f"{shape.height} x {shape.width} cells that several alphabets can read: {names}; "
        f"choose with --alphabet {first} (alphabet={first!r})"
    )
