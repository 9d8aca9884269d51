"""Every reader of text from strangers, each with good inputs to begin from, made by the package's own writers."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from zlib import crc32

from sudoku_models.collection import variants
from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, read, write
from sudoku_models.formats.links import packed, unpacked
from sudoku_models.model import Model, TextError
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r
from tests.formats.variants.penpa_made import Paper
from tests.formats.variants.penpa_made import link as penpa_link

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GRIDS = (
    "futoshiki: 3:0R,0,0,0D,0,1,0,0,0",
    "kenken: 3:a2_a2_a_,s1d3m18a3",
    "towers: 3:/2////2/3////2/",
    "kakuro:\n# \\3 \\4\n\\3 . .\n\\4 . .",
    "str8ts:\n. # .\n1 . #3\n. . .",
    "binairo: 4x4u:Fk",
    "hitori: 3:112213331",
    "numbrix:\n1 . .\n. . .\n. . 9",
)
"""Grids of other kinds, as their players write them."""

REFUSALS = (FormatError, TextError)
"""What a reader may answer to a text that it cannot read."""
_CHECKED = 8
_KINDS = {
    **dict.fromkeys(("json", "f-puzzles-json", "ipuz"), "json"),
    **dict.fromkeys(("f-puzzles", "sudokupad"), "link"),
}


@dataclass(frozen=True)
class Reader:
    """A reader of bytes that were never seen, and what it is fed first. ``kind``: how inputs are changed."""

    name: str
    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]
    kind: str = "text"

    def __call__(self, data: bytes) -> None:
        """Read; whatever else than a documented refusal is raised is a fault."""
        try:
            self.read(data)
        except REFUSALS as error:
            if "\n" in str(error) or len(str(error)) > 2_000:
                raise AssertionError(f"a refusal of {len(str(error))} characters: one short line is expected") from None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _formatted(name: str | None) -> Callable[[bytes], object]:
    def read_text(data: bytes) -> object:
        puzzle = parse(_text(data), input_format=name)
        assert isinstance(puzzle, Puzzle)
        if crc32(data) % _CHECKED == 0:
            again = parse("".join(write([puzzle], "json")))
            assert again == puzzle, f"read as {puzzle!r}, written and read again as {again!r}"
        return puzzle

    return read_text


def _file(data: bytes) -> object:
    found = list(read(io.BytesIO(data)))
    assert all((entry.puzzle is None) != (entry.error is None) for entry in found)
    return found


def _model(data: bytes) -> object:
    model = Model.parse(_text(data))
    if crc32(data) % _CHECKED == 0:
        again = Model.parse(str(model))
        assert again == model and again.digest == model.digest
    return model


def _blocks(data: bytes) -> object:
    from sudoku_models.formats.arrays import read_blocks

    return list(read_blocks(data))


@lru_cache(maxsize=1)
def boards() -> tuple[Puzzle, ...]:
    """Return puzzles of many kinds: classic ones, other sizes and shapes, candidates, rules inside rules."""
    classic = parse(CLASSIC)
    inside = r.AnyOf((r.AllOf((r.Parity("R1C1"), r.AntiKnight())), r.Regex("R1C1 R1C2", "1*[23]")))
    return (
        classic,
        Puzzle.empty(Shape.irregular("1122 1122 3344 3344")),
        Puzzle.empty(Shape.square(16)),
        Puzzle.empty(Shape.square(4)).with_rules(inside, r.ExtraCells("X", 2)),
        Puzzle.empty(Shape.latin(4)).with_rules(r.ChaosConstruction(4), r.KillerCage("R1C1 R1C2", 5)),
        Puzzle.empty(Shape.square(9)).with_rules(r.KillerCage("R1C1 R1C2", 5), r.KillerCage("R3C3 R3C4 R4C4", 20)),
        parse("1" + "." * 15).with_candidates({"R2C2": [2, 3]}),
        *(item.puzzle for item in variants() if item.name.endswith("-01")),
    )


def _written(name: str) -> list[bytes]:
    found = []
    for board in boards():
        try:
            found.append("".join(write([board], name)).encode())
        except FormatError:
            continue
    return found


def _iss_seeds() -> list[bytes]:
    blocks = [
        ".Shape~4x4.Or.Arrow~R1C1~R1C2~R2C2.And.Thermo~R1C1~R2C2~R3C3.~R4C4_1.End.End",
        ".Shape~4x4.Replicate~FU.AllDifferent~R1C1~R2C2.Thermo~R1C1~R1C2.End",
        ".Shape~4x4.Pair~Oj~_up~R1C1~R1C2~~R3C3~R4C3~_~R4C1~R3C1",
        ".Shape~4x4.Regex~WzEyXSpbMzRdKw~R1C1~R2C1~R2C2~~R4C4~R3C4",
        ".Shape~4x4.NFA~BNR0CSMgrOnQ~_~R1C1~R1C2~R2C3~R3C3",
        ".Shape~4x4.NoBoxes.ChaosConstruction.ChaosArrow~R1C3~0~CC6~CC7~CC8~-~CC6~CC10~CC14",
        ".Shape~4x4~0-4.Doppelganger",
        ".Shape~4x4.Var~K~odd%20sum~2.~VK1_1_3.Sum~0_=_1_-1~VK1~R1C1.AllDifferent~VK1~VK2",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Shape%7E4x4.FullRank%7ER1%7E5",
    ]
    return [*_written("iss"), *(text.encode() for text in blocks)]


def _prose() -> list[bytes]:
    links = [link.strip() for name in ("f-puzzles", "sudokupad") for link in _written(name)[:4]]
    return [b"Today: " + link + b", by me.\nHave fun!\n" for link in links]


def _penpa() -> list[bytes]:
    """Return links to penpa-edit, made as its saving makes them: the package writes none."""
    paper = Paper(4)
    rules = {
        "number": {str(paper.cell(1, 1)): ["1", 1, "1"], str(paper.cell(1, 2)): [[1, 1, 0, 0, 0, 0, 0, 0, 0], 1, "7"]},
        "killercages": [paper.cells("21 31")],
        "numberS": {str(paper.quarter(2, 1)): ["5", 1]},
        "thermo": [paper.cells("22 33 34")],
        "arrows": [paper.cells("14 13 12")],
    }
    drawn = {
        "symbol": {str(paper.cell(1, 1, 3)): [1, "circle_SS", 2], str(paper.cell(3, 1)): [1, "sudokumore", 1]},
        "line": {f"{paper.cell(4, 1)},{paper.cell(4, 2)}": 5},
        "surface": {str(paper.cell(4, 4)): 3},
        "cage": {f"{paper.quarter(1, 1)},{paper.quarter(1, 2, 1)}": 10},
        "direction": [paper.cells("12 22")],
    }
    return [penpa_link(paper, {"lineE": paper.boxes(), **part}).encode() for part in ({}, rules, drawn)]


def _models() -> list[bytes]:
    small = [board.structure for board in boards() if board.shape.cells <= 25]
    lines = [line for model in small for line in str(model).splitlines()]
    kinds = {line.partition("(")[0]: line for line in lines if not line.startswith("variable")}
    names = re.compile(r"R[1-5]C[1-5](?!\d)|\bX[12]\b|CC\d+")
    found = [str(small[1]), "variable x in {1, 5}\nvariable y in 1..4\nmaximize([1, -2], [x, y], 3)"]
    for line in kinds.values():
        stated = [f"variable {name} in 1..4" for name in sorted(set(names.findall(line)))]
        found.append("\n".join([*stated, line]))
    return [text.encode() for text in found]


def _each() -> Iterator[Reader]:
    for name, kind in FORMATS.items():
        if kind.reads and kind.writes and name != "iss":
            yield Reader(name, _formatted(name), partial(_written, name), _KINDS.get(name, "text"))
    yield Reader("iss", _formatted("iss"), _iss_seeds)
    yield Reader("penpa", _formatted("penpa"), _penpa, "penpa")
    yield Reader("grids", _formatted("grids"), lambda: [text.encode() for text in GRIDS])
    yield Reader("links", _formatted("links"), _prose)
    yield Reader("recognised", _formatted(None), lambda: [s for name in FORMATS for s in _written(name)[:8]] + _prose())
    yield Reader("file", _file, lambda: [gzip.compress(_written("line")[0]), *_written("csv"), *_written("grid")])
    yield Reader("blocks", _blocks, lambda: [*_written("line"), *_written("csv")])
    yield Reader("lzstring", lambda data: unpacked(_text(data)), lambda: [packed(CLASSIC).encode(), b"IY5A"])
    yield Reader("model", _model, _models)


READERS = {reader.name: reader for reader in _each()}
