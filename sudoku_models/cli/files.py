"""``sudoku-models convert``, ``export``, ``inspect``, ``page`` and ``merge``: puzzles and answers in other files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, TypeVar

from ..errors import FormatError, LimitReached, SudokuModelsError, Unusable
from ..exports import pieces
from ..exports.catalogue import LOWERED
from ..formats import FORMATS, Entry, unwritten, write
from ..formats.source import opened
from ..formats.target import ending, packed, replaced
from ..puzzle import Puzzle, Shape
from ..verbs import solving as verbs
from .answers import stated_format
from .codes import Code, UsageError, refuse
from .inputs import Positive, Seconds, SourceOptions, chosen
from .parser import command
from .terminal import Tally, output, say

if TYPE_CHECKING:
    from ..display import Picture
    from ..verbs.inspecting import Inspection

T = TypeVar("T")

KINDS = ("svg", "png", "pdf")
"""The formats of pictures."""

MOST_PAGES = 2_000
"""The largest number of puzzles in one PDF document, which is built in memory."""

BYTES = 130
"""The memory that one value of a variable takes in the largest exports (measured on empty boards, as OPB)."""


@command("Files", "convert puzzles.txt --format csv")
def convert(
    source: SourceOptions,
    *,
    to: str | None = None,
    to_alphabet: str | None = None,
    solution: bool = False,
    candidates: bool = False,
    partly: bool = False,
    out: str | None = None,
) -> Code:
    """Read puzzles in any known format, and write them in another.

    Puzzles that the format cannot hold are left out, with a message; with --partly their other rules are stated in
    words.

    Output:
    --to -t --format -f FORMAT  {writable}, or a picture: svg, png (one puzzle), pdf (one page for each puzzle).
        [default: that of the file's ending, or line]
    --to-alphabet SYMBOLS  The symbols to write; by default digits, then letters, and numbers on boards larger than 25.
    --solution  In pictures: show the solution. In a PDF, the solutions follow after all puzzles.
    --candidates  In pictures: show the candidates of empty cells.
    --partly  Write the rules that the format can hold, state the others in words, and list them.
    """
    to = stated_format(to, out, KINDS) or "line"
    if to in KINDS and to_alphabet is not None:
        raise UsageError(f"--to-alphabet {to_alphabet}: pictures use no alphabet, so leave this option out")
    if to not in KINDS and (solution or candidates):
        raise UsageError(f"--solution and --candidates are for pictures ({', '.join(KINDS)}), not for {to}")
    tally = Tally()
    with output(out) as put:
        entries = source.entries(tally)
        if to in KINDS:
            pieces = _pictures(entries, to, partial(_drawn, candidates=candidates, tally=tally), solution, tally, out)
        else:
            fitting = _fitting(entries, to, to_alphabet, partly, tally)
            pieces = write(fitting, to, alphabet=to_alphabet, partly=partly)
        for piece in pieces:
            put(piece)
    return tally.code


def _further(entry: Entry, to: str) -> str:
    """Report the place of a second puzzle, for a format that holds only one."""
    others = "pdf holds many" if to in KINDS else "line and json hold many"
    return f"{entry.place}: this is a second puzzle, but {to} holds only one: only the first is written ({others})"


def _fitting(entries: Iterator[Entry], to: str, alphabet: str | None, partly: bool, tally: Tally) -> Iterator[Puzzle]:
    """Yield the puzzles that the format can hold; report the place of each other one, and the reason."""
    written = noted = False
    for entry in entries:
        puzzle = entry.puzzle
        if puzzle is None:
            continue
        if FORMATS[to].single and written:
            tally.problem(_further(entry, to), Code.USAGE)
            return
        plain = not (puzzle.rules or puzzle.candidates) and (puzzle.shape.box is not None or not puzzle.shape.regions)
        try:
            if not FORMATS[to].writes_any or alphabet is not None or not plain:
                for _ in write([puzzle], to, alphabet=alphabet, partly=partly):
                    pass
            for rule in unwritten(puzzle, to) if partly else ():
                say(f"note: {entry.place}: {to} cannot hold this rule, which is stated in words: {rule}"[:300])
        except FormatError as error:
            tally.problem(f"{entry.place}: {error}", Code.USAGE)
        else:
            if not FORMATS[to].states_boxes and not noted and (boxes := _unstated(puzzle.shape)):
                noted = True
                say(
                    f"note: {entry.place}: {puzzle.shape}: {to} does not record the boxes; read it with --boxes {boxes}"
                )
            written = True
            yield puzzle


def _unstated(shape: Shape) -> str:
    """Return the boxes of a board in words, for formats that hold only cells; "" for the usual boxes."""
    if not shape.is_square:
        return ""
    if shape.box is None:
        return "none"
    try:
        usual = Shape.square(shape.width).box
    except ValueError:
        usual = None
    return "" if shape.box == usual else f"{shape.box[0]}x{shape.box[1]}"


def _pictures(
    entries: Iterator[Entry],
    kind: str,
    draw: Callable[[Entry, bool], Picture | None],
    solution: bool,
    tally: Tally,
    out: str | None,
) -> Iterator[str | bytes]:
    """Yield a picture of one puzzle, or a document with a page for each puzzle, followed by pages with solutions."""
    if kind != "svg" and out in (None, "-") and sys.stdout.isatty():
        raise UsageError(f"--format {kind} is binary: name a file with --out")
    found = [entry for entry in islice(entries, MOST_PAGES + 1) if entry.puzzle is not None]
    if kind == "pdf":
        if len(found) > MOST_PAGES:
            raise UsageError(f"--format pdf: up to {MOST_PAGES} puzzles are expected")
        from ..display.pdf import joined

        drawn = [draw(entry, solved) for solved in ((False, True) if solution else (False,)) for entry in found]
        pages = [_converted(page.pdf) for page in drawn if page is not None]
        yield joined(pages) if pages else ""
        return
    if len(found) > 1:
        tally.problem(_further(found[1], kind), Code.USAGE)
    if found and (made := draw(found[0], solution)):
        yield made.alone + "\n" if kind == "svg" else _converted(made.png)


def _drawn(entry: Entry, solved: bool, candidates: bool, tally: Tally) -> Picture | None:
    """Return the picture of a puzzle; report an error and return None if it has no solution to show."""
    from ..display import picture

    puzzle = entry.puzzle
    assert puzzle is not None
    try:
        if solved:
            result = verbs.solve(puzzle)
            if result.values is None:
                tally.problem(f"{entry.place}: {result.status}: there is no solution to draw", Code.NO_SOLUTION)
                return None
            return picture(puzzle, result)
        if candidates:
            marks = verbs.candidates(puzzle)
            names = dict(zip(puzzle.shape.names, puzzle.givens, strict=True))
            puzzle = puzzle.with_candidates({x: values for x, values in marks.items() if names.get(x, 0) is None})
        return picture(puzzle)
    except LimitReached as error:
        tally.problem(f"{entry.place}: {error}", Code.LIMIT)
    except SudokuModelsError as error:
        tally.problem(f"{entry.place}: {error}", Code.USAGE)
    return None


def _converted(write: Callable[[], T]) -> T:
    """Return a picture in another format; raise Unusable for one that is not known, or cannot be made here."""
    try:
        return write()
    except (ImportError, ValueError) as error:
        raise Unusable(str(error)) from error


_ENDINGS = {
    ".cnf": "dimacs", ".opb": "opb", ".mps": "mps", ".mzn": "minizinc", ".xml": "xcsp3", ".smt2": "smt-lib",
    ".pb": "cp-sat", ".pbtxt": "cp-sat-text",
}  # fmt: skip
"""The formats of models by the ends of their files' names."""


@command("Files", "export puzzle.txt --to dimacs")
def export(
    source: SourceOptions,
    *,
    to: str | None = None,
    backend: str | None = None,
    number: Positive | None = None,
    largest: Positive = 10_000_000,
    out: str | None = None,
) -> Code:
    """Write the model of one puzzle, for other programs or for you to read.

    --backend -b NAME[:KEY=VALUE,...]  The backend that exports. [default: the first that offers the format]
    Input:
    --number NUMBER  The number of the puzzle, if there are several; 1 is the first.
    Output:
    --to -t NAME  model (as stated), lowered (rewritten for a backend), dimacs, opb, mps, cp-sat, cp-sat-text, minizinc,
        xcsp3, smt-lib, or another format that a backend exports. [default: that of the file's ending, or model]
    --largest N  The largest total number of values of a model's variables; each value takes about 130 bytes.
    """
    to = to or _ENDINGS.get(ending(out or ""), "model")
    if to == LOWERED and backend is None:
        raise UsageError("--to lowered: models are lowered for a particular backend; name one with --backend")
    tally = Tally()
    entry = chosen(source, number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    _check_size(entry.puzzle, to, largest)
    with output(out) as write:
        for piece in pieces(entry.puzzle.structure, entry.puzzle.domains, to, backend):
            if isinstance(piece, bytes) and out in (None, "-") and sys.stdout.isatty():
                raise UsageError(f"--to {to} is binary: name a file with --out")
            write(piece)
    return Code.SOLVED


def _check_size(puzzle: Puzzle, to: str, largest: int) -> None:
    """Raise UsageError, before any output is made, for a model that would take more memory than allowed."""
    size = sum(map(len, puzzle.structure.narrowed(puzzle.domains).domains.values()))
    taken = size * BYTES
    memory = f"{taken / 1e9:.1f} GB" if taken >= 1e9 else f"{max(1, round(taken / 1e6))} MB"
    refuse(
        size <= largest,
        f"--to {to}: the variables of the model have {size:,} values, which take about {memory} of memory: "
        f"--largest {size} writes it nonetheless",
    )


@command("Files", "inspect link.txt --picture board.svg")
def inspect(source: SourceOptions, *, picture: Path | None = None, jsonl: bool = False, out: str | None = None) -> Code:
    """Show for each puzzle which parts were read, guessed (--guess) and left out.

    The exit code is 6 if something drawn or said is left out, and 2 if something cannot be read.

    Output:
    --picture -p FILE  Also draw the puzzle to a .svg, .png, .pdf or .html file, with the parts left out in pale
        colours.
    --jsonl  Write a JSON record for each puzzle.
    """
    from ..verbs.inspecting import inspected

    tally, seen = Tally(), 0
    with output(out) as write:
        for found in inspected(source.quiet_entries()):
            seen += 1
            puzzle = found.puzzle
            left_out = puzzle is not None and (puzzle.left_out or puzzle.unread)
            tally.add(Code.USAGE if puzzle is None else Code.WITHOUT_DRAWN if left_out else Code.SOLVED)
            text = json.dumps(found.to_json(), ensure_ascii=False) if jsonl else _lines(found)
            write(text + "\n")
            refuse(not picture or seen == 1, "--picture: exactly one puzzle is expected, but there is a second")
            if picture and (drawn := found.picture) is not None:
                _converted(partial(drawn.save, picture))
    return tally.code


def _lines(found: Inspection) -> str:
    from ..display.text_tables import harmless

    board = str(found.puzzle.grid) if found.puzzle else ""
    return "\n".join(filter(None, [harmless(str(found)), board]))


@command("Files", "page puzzle.txt --out page.html")
def page(
    source: SourceOptions, *, reasons: bool = True, time_limit: Seconds | None = None, out: str | None = None
) -> Code:
    """Write a puzzle as an HTML page on which you can solve it: with marks, colours, undo, check and solving path.

    The page needs no network and no other program. Givens that clash are named on standard error and on the page. The
    time limit applies separately to the solution, to the path and to its reasons (20 seconds each by default). A
    terminal shows the progress.

    Output:
    --reasons/--no-reasons  Include the solving path with its reasons.
    """
    tally = Tally()
    entries = list(islice(source.entries(tally), 2))
    refuse(len(entries) < 2, "a page holds one puzzle, but the source has more: give a source with a single puzzle")
    if not entries or (puzzle := entries[0].puzzle) is None:
        return tally.code
    from ..page import solving_page

    if clashes := verbs.validate(puzzle).clashes:
        say(f"warning: {entries[0].place}: the puzzle has no solution: {'; '.join(map(str, clashes))}")
    text = solving_page(puzzle, reasons=reasons, time_limit=time_limit, progress=sys.stderr.isatty())
    with output(out) as write:
        write(text)
    tally.add(Code.WITHOUT_DRAWN if puzzle.left_out else Code.SOLVED)
    return tally.code


@command("Files", "merge answers.csv")
def merge(out: str) -> Code:
    """Merge the answers of all shards in order: the result is the same as that of one run.

    The files of the shards are kept.

    <out> FILE  The file name that was given as --out for every shard.
    """
    from ..bulk.shards import parts_of
    from ..bulk.sinks import format_of

    parts = parts_of(out)
    if format_of(out) in ("parquet", "arrow"):
        _merge_tables(out, parts)
    else:
        _merge_text(out, parts, header=format_of(out) == "csv")
    return Code.SOLVED


def _merge_tables(out: str, parts: list[Path]) -> None:
    from ..bulk.sinks import written
    from ..formats.arrow import opened_table, sniffed

    with written(out, {}) as sink:
        for part in parts:
            with sniffed(part) as (kind, found), opened_table(str(kind), found, str(part)) as (schema, batches):
                same = {name: name for name in schema.names}
                for batch in batches:
                    sink.write(dict(zip(schema.names, batch.columns, strict=True)), schema, same)


def _merge_text(out: str, parts: list[Path], header: bool) -> None:
    first: bytes | None = None
    with replaced(out) as file, packed(file, out) as target:
        for part in parts:
            if part.stat().st_size == 0:
                continue
            with opened(part) as stream:
                if header:
                    line = stream.readline()
                    if first is not None and line != first:
                        raise FormatError("its columns differ from those of the earlier shards", source=str(part))
                    if first is None:
                        target.write(line)
                    first = line
                copyfileobj(stream, target)
